// Service worker: caches the files of pages once they were requested, and the page that says that there is no network. Of games only the recorder's
// page keeps anything (record/device.js): it opens again without a network, until somebody signs in or out.
// VERSION and FILES, which that page needs, come from the service.
const OFFLINE = "/offline", SIGNS = ["/in", "/out"];

addEventListener("install", event => {
  event.waitUntil(caches.open(VERSION).then(kept => kept.addAll([...FILES, OFFLINE])).then(() => skipWaiting()));
});

addEventListener("activate", event => {
  const old = caches.keys().then(names => Promise.all(names.filter(name => name !== VERSION).map(name => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
});

addEventListener("fetch", event => {
  const address = new URL(event.request.url), {method, mode} = event.request;
  if (address.origin !== location.origin) return;
  if (method !== "GET") SIGNS.includes(address.pathname) && event.waitUntil(forget());
  else if (address.pathname.startsWith("/assets/")) event.respondWith(file(event.request));
  else if (mode === "navigate") event.respondWith(fetch(event.request).catch(async () => (await readCache(address.pathname)) ?? caches.match(OFFLINE)));
  else if (address.pathname.endsWith("/replay")) event.respondWith(fetch(event.request).catch(async () => (await readCache(event.request)) ?? Response.error()));
});

/** What the recorder's page kept. */
const readCache = async request => (await caches.open(VERSION)).match(request, {ignoreVary: true});

/** Somebody signs in or out: from now on another person may use this device. */
async function forget() {
  const all = await caches.open(VERSION), ofGames = ({url}) => /^\/(g|v1)\//.test(new URL(url).pathname);
  await Promise.all((await all.keys()).filter(ofGames).map(request => all.delete(request)));
}

async function file(request) {
  const kept = await caches.open(VERSION), found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && request.url.includes(`/${VERSION}/`)) await kept.put(request, answer.clone());
  return answer;
}
