// The page: reads the form or files, computes, shows.

const $ = (id) => document.getElementById(id);
const MOST_ROWS = 5;

async function unpacked() {
  const text = atob($("wasm").textContent), bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  $("wasm").textContent = "";
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const ccd = await load(unpacked(), { Go: globalThis.Go });

function say(text, wrong = false) {
  $("result").textContent = text;
  $("result").className = wrong ? "error" : "";
  if (!wrong) return;
  $("impacts").hidden = $("view").hidden = true;
}

async function surfaceOf(id) {
  const file = $(id).files[0];
  if (!file) return null;
  try {
    return { name: file.name, ...ccd.surface(await file.arrayBuffer()) };
  } catch (error) {
    throw new Error(`${file.name}: ${error.message}`);
  }
}

// What the form chooses; null while a file is missing.
async function chosen() {
  if ($("scene").value !== "files") {
    const { faces, x0, x1 } = SCENES[$("scene").value]();
    return { title: $("scene").selectedOptions[0].textContent, faces, x0: Float64Array.from(x0), x1: Float64Array.from(x1) };
  }
  const [a, b] = [await surfaceOf("file0"), await surfaceOf("file1")];
  if (!a || !b) return null;
  if (a.vertices.length !== b.vertices.length) {
    throw new Error(`${a.name} has ${a.vertices.length / 3} vertices, ${b.name} has ${b.vertices.length / 3}: both must be the same mesh`);
  }
  if (a.faces.length !== b.faces.length || a.faces.some((v, i) => v !== b.faces[i])) {
    throw new Error(`${a.name} and ${b.name} have different faces: both must be the same mesh`);
  }
  return { title: `${a.name} to ${b.name}`, faces: a.faces, edges: a.edges, x0: a.vertices, x1: b.vertices };
}

const seconds = (s) => (s < 0.1 ? `${(1000 * s).toFixed(1)} ms` : `${s.toFixed(2)} s`);

function compute({ title, faces, edges, x0, x1 }) {
  const options = { minSeparation: Number($("separation").value), checkStart: $("check").checked }, first = {}, all = {};
  const mesh = new ccd.Mesh({ vertices: x0.length / 3, faces, edges });
  const hit = ccd.earliest(mesh, x0, x1, { ...options, stats: first });
  const impacts = ccd.collisions(mesh, x0, x1, { ...options, stats: all });
  const candidates = new ccd.Candidates(mesh, x0, x1, { minSeparation: options.minSeparation });
  const parts = { vertices: mesh.vertices, faces: mesh.faces, edges: mesh.edges };
  const facts = {
    vertices: parts.vertices.toLocaleString("en"), faces: (parts.faces.length / 3).toLocaleString("en"), impacts: impacts.length.toLocaleString("en"),
    "earliest impact in": seconds(first.seconds), "all impacts in": seconds(all.seconds),
  };
  if (options.minSeparation) facts["minimum separation"] = String(options.minSeparation);
  const data = viewerData({ title, mesh: parts, x0, x1, impacts, facts, candidates });
  candidates.free();
  mesh.free();
  return { hit, impacts, data, first, all };
}

function show({ hit, impacts, data, first, all }) {
  const found = `All ${impacts.length.toLocaleString("en")} impacts took ${seconds(all.seconds)}.`;
  say(hit.verdict === "separate"
    ? `Separate: it is proven that nothing touches during the whole step. This took ${seconds(first.seconds)}.`
    : `Earliest impact: ${hit.kind} ${hit.a} ${hit.b} at t = ${hit.toiLo}, in ${seconds(first.seconds)}. ${found}`);
  const body = $("impacts").tBodies[0];
  body.replaceChildren(...impacts.slice(0, MOST_ROWS).map((p) => {
    const row = document.createElement("tr");
    for (const text of [String(p.toiLo), `${p.kind} ${p.a} ${p.b}`, p.point.map((x) => Number(x.toPrecision(6))).join(", ")]) row.insertCell().textContent = text;
    return row;
  }));
  $("impacts").hidden = impacts.length === 0;
  $("view").srcdoc = VIEWER.replace(VIEWER_DATA, () => JSON.stringify(data).replace(/</g, "\\u003c"));
  $("view").hidden = false;
}

let wanted = 0;
async function run() {
  const mine = ++wanted;
  try {
    const step = await chosen();
    if (mine !== wanted) return;
    if (!step) return say("Choose the files of both ends of the step.");
    say("Computing ...");
    await new Promise((done) => setTimeout(done, 20)); // the text is shown first
    if (mine === wanted) show(compute(step));
  } catch (error) {
    say(error.message, true);
  }
}

function giveFiles(files) {
  const sorted = Array.from(files).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  const ids = sorted.length > 1 ? ["file0", "file1"] : [$("file0").files.length && !$("file1").files.length ? "file1" : "file0"];
  ids.forEach((id, i) => {
    const one = new DataTransfer();
    one.items.add(sorted[i]);
    $(id).files = one.files;
  });
  $("scene").value = "files";
  run();
}

$("form").addEventListener("submit", (event) => event.preventDefault());
$("form").addEventListener("change", (event) => {
  if (event.target.type === "file") $("scene").value = "files";
  run();
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  if (event.dataTransfer.files.length) giveFiles(event.dataTransfer.files);
});
run();
