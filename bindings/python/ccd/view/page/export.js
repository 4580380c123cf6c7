"use strict";
// Pictures and videos of the scene: what the stage shows, without buttons and note.

const TOO_LARGE = "this size is too large for the browser";

// The stage at `scale` pixels a pixel of the page, on a canvas of its own: background, scene, axes and scale.
// ask() afterwards shows the page as it was.
function picture(scale, s = state.s) {
  const before = state.s, target = document.createElement("canvas"), g = target.getContext("2d");
  state.s = s;
  try { paint(scale); } finally { state.s = before; }
  if (gl.drawingBufferWidth !== canvas.width || gl.drawingBufferHeight !== canvas.height) throw new Error(TOO_LARGE);
  target.width = canvas.width; target.height = canvas.height;
  const style = getComputedStyle(document.documentElement), back = g.createLinearGradient(0, 0, 0, target.height);
  back.addColorStop(0, style.getPropertyValue("--sky")); back.addColorStop(1, style.getPropertyValue("--ground"));
  g.fillStyle = back; g.fillRect(0, 0, target.width, target.height);
  g.drawImage(canvas, 0, 0); g.drawImage($("overlay"), 0, 0);
  return target;
}

const fileOf = (target, type = "image/png") => new Promise((done, fail) =>
  target.toBlob((blob) => (blob ? done(blob) : fail(new Error(TOO_LARGE))), type));

const png = (scale) => fileOf(picture(scale));

// ---- videos

const CODECS = { webm: ["vp09.00.51.08", "vp8"], mp4: ["avc1.640033", "avc1.4d0033", "avc1.42e033"] };
const FPS = 30;
const videoSeconds = () => LENGTH / 1000 / state.speed; // a video lasts as long as it plays

// An encoder of one frame after the other. Frame i of n shows the share i / (n - 1) of the time line, however long it takes to draw.
async function film(kind, scale, count) {
  if (typeof VideoEncoder === "undefined") throw new Error("this browser has no video encoder (WebCodecs)");
  const even = (x) => x - (x % 2), probe = picture(scale, 0), width = even(probe.width), height = even(probe.height), frames = [];
  const bitrate = Math.max(2e6, width * height * FPS * 0.15), how = { width, height, framerate: FPS, bitrate, latencyMode: "quality" };
  let codec = null, description = null, failed = null;
  for (const one of CODECS[kind]) {
    const told = await VideoEncoder.isConfigSupported({ codec: one, ...how }).catch(() => null);
    if (told && told.supported) { codec = one; break; }
  }
  if (!codec) throw new Error(`this browser does not encode ${kind === "mp4" ? "H.264" : "VP9 or VP8"} at ${width} x ${height}`);
  const encoder = new VideoEncoder({
    output: (chunk, more) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, key: chunk.type === "key" });
      if (more && more.decoderConfig && more.decoderConfig.description) description = new Uint8Array(more.decoderConfig.description.slice(0));
    },
    error: (e) => { failed = e; },
  });
  encoder.configure({ codec, ...how });
  const share = (i) => (count > 1 ? i / (count - 1) : 0);
  return {
    count, width, height,
    async add(i) {
      if (failed) throw failed;
      const shown = new VideoFrame(picture(scale, share(i)), { timestamp: Math.round((1e6 * i) / FPS), duration: Math.round(1e6 / FPS), visibleRect: { x: 0, y: 0, width, height } });
      encoder.encode(shown, { keyFrame: i % FPS === 0 });
      shown.close();
      while (encoder.encodeQueueSize > 2) await new Promise((done) => setTimeout(done, 1));
    },
    async end() {
      await encoder.flush();
      encoder.close();
      if (failed) throw failed;
      if (kind === "mp4" && !description) throw new Error("the encoder told no parameters");
      const how = { width, height, fps: FPS, codec, description };
      return new Blob([containers[kind](frames, how)], { type: `video/${kind}` });
    },
    close() { if (encoder.state !== "closed") encoder.close(); },
  };
}

// ---- the panel

let filming = false;

async function recorded(kind, scale, told) {
  const made = await film(kind, scale, Math.max(2, Math.round(FPS * videoSeconds())));
  try {
    for (let i = 0; i < made.count; i++) {
      if (!filming) return null;
      told(`frame ${i + 1} of ${made.count}`);
      await made.add(i);
      await new Promise((done) => setTimeout(done)); // so that the page stays alive
    }
    return await made.end();
  } finally { made.close(); }
}

function download(blob, ending) {
  const link = document.createElement("a"), name = data.title.replace(/[^\p{L}\p{N}.-]+/gu, "-").replace(/^-+|-+$/g, "") || "view";
  link.href = URL.createObjectURL(blob); link.download = `${name}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  return `${link.download}, ${count(Math.ceil(blob.size / 1000))} kB`;
}

async function exported(kind) {
  const told = (text) => { $("exported").textContent = text; }, scale = devicePixelRatio * +$("export-scale").value;
  if (filming) { filming = false; return; } // the button stops what it began
  play(false);
  filming = true;
  $("export").classList.add("busy");
  try {
    told("drawing");
    const blob = kind === "png" ? await png(scale) : await recorded(kind, scale, told);
    told(blob ? download(blob, kind) : "stopped");
  } catch (e) {
    told(`${e.message || e}${kind === "png" ? "" : kind === "mp4" ? ": try WebM, or ccd view --video" : ": try ccd view --video"}`);
  }
  filming = false;
  $("export").classList.remove("busy");
  ask();
}

function showExport(shown) {
  $("export").hidden = !shown; $("save").setAttribute("aria-expanded", shown);
  if (shown) { showKeys(false); $("exported").textContent = ""; }
}

function exporting() {
  $("save").onclick = () => showExport($("export").hidden);
  for (const kind of ["png", "webm", "mp4"]) $(`export-${kind}`).onclick = () => exported(kind);
}

// ---- for `ccd view --png` and `--video`, which open the page in a browser without a window

async function asText(blob) { // the bytes in base64
  const reader = new FileReader();
  await new Promise((done) => { reader.onload = done; reader.readAsDataURL(blob); });
  return reader.result.slice(reader.result.indexOf(",") + 1);
}
