// Service worker: caches the files of pages once they were requested, and the page that says that there is no network. Data of games is never cached.
// VERSION and FILES, which that page needs, come from the service.
const OFFLINE = "/offline";

addEventListener("install", event => {
  event.waitUntil(caches.open(VERSION).then(kept => kept.addAll([...FILES, OFFLINE])).then(() => skipWaiting()));
});

addEventListener("activate", event => {
  const old = caches.keys().then(names => Promise.all(names.filter(name => name !== VERSION).map(name => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
});

addEventListener("fetch", event => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(file(event.request));
  else if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE)));
});

async function file(request) {
  const kept = await caches.open(VERSION), found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && request.url.includes(`/${VERSION}/`)) await kept.put(request, answer.clone());
  return answer;
}
