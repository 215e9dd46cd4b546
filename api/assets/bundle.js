// Runs the modules of a page, each once, where it is first asked for. The service writes those that a page begins with behind this (assets.py).
const modules = {}, running = {};
let fails = 0;

const url = name => new URL(name, import.meta.url).href;

function add(more) {
  for (const [name, run] of Object.entries(more)) modules[name] ??= run;
}

/** What a module exports. */
const use = name => (running[name] ??= run(name).catch(fault => {
  delete running[name];
  fails++;
  throw fault;
}));

/** One that did not come with the page is fetched, with what only it needs. Browsers keep a failed address as failed, so each try has its own. */
async function run(name) {
  if (!modules[name]) add((await import(`${import.meta.url.replace(".js", "")}/${name.replaceAll("/", ".")}${fails ? `#${fails}` : ""}`)).default);
  return modules[name](use, url);
}

