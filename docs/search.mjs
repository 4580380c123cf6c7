// Searches a built site for the phrases of search.txt, with its own scripts: node docs/search.mjs SITE [QUERY...]. Each must find its page among
// the first three; calls that people look for first must come first. With queries, it prints their first results.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import vm from "node:vm";

const [site, ...queries] = process.argv.slice(2);
const element = () => ({ appendChild: element, replaceChildren() {}, addEventListener() {}, querySelectorAll: () => [], style: {}, dataset: {} });
const page = {
  document: { ...element(), getElementById: element, createElement: element, documentElement: { dataset: {} }, readyState: "loading" },
  localStorage: { setItem() {}, getItem: () => null }, DOCUMENTATION_OPTIONS: {}, SPHINX_HIGHLIGHT_ENABLED: false, console, URLSearchParams,
};
page.window = page;
page._ = (text) => text;
vm.createContext(page);
const run = (path) => vm.runInContext(readFileSync(join(site, path), "utf8"), page, { filename: path });
for (const path of ["_static/doctools.js", "_static/language_data.js", "_static/searchtools.js"]) run(path);
vm.runInContext("globalThis._removeChildren = () => {}; globalThis.Search = Search; globalThis.first = (query) => Search._performSearch(...Search._parseQuery(query)).reverse();", page);
run("searchindex.js");

/** The pages and titles that a query finds, the best first. */
const found = (query) => page.first(query).map(([name, title]) => ({ name, title }));

if (queries.length) {
  for (const query of queries) console.log(`${query}: ${found(query).slice(0, 6).map((one) => `${one.name} (${one.title})`).join("; ") || "nothing"}`);
  process.exit(0);
}
const wrong = [];
let count = 0;
for (const line of readFileSync(join(dirname(new URL(import.meta.url).pathname), "search.txt"), "utf8").split("\n")) {
  const [, name, rest] = line.match(/^(?!#)([^:]+): (.*)$/) ?? [];
  for (const phrase of rest?.split(",").map((text) => text.trim()) ?? []) {
    const names = [...new Set(found(phrase).map((one) => one.name))].slice(0, 3);
    count++;
    if (!names.includes(name)) wrong.push(`${phrase}: ${name} is not among the first three, ${names.join(", ") || "nothing"}`);
  }
}
const CALLS = { earliest: "ccd.step.earliest", collisions: "ccd.step.collisions", advance: "ccd.step.advance", why: "ccd.step.why", Mesh: "ccd.Mesh", near: "ccd.proximity.near" };
if (Object.keys(page.Search._index.objects).length) { // a site with the reference
  for (const [query, title] of Object.entries(CALLS)) {
    const call = found(query).map((one) => one.title).find((text) => /^ccd\./.test(text));
    count++;
    if (call !== title) wrong.push(`${query}: the first call is ${call}, not ${title}`);
  }
}
if (wrong.length) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
console.log(`search: ${count} phrases find their pages`);
