"use strict";
// The clip plane: what is beyond it is not drawn, but for the picked pair. Its place is a share of the scene's length along its normal.

const clip = { normal: null, at: 0.5, flipped: false };

// The scene's first and last place along a direction.
function stretch(n) {
  return cloud.reduce(([lo, hi], p) => [Math.min(lo, dot(p, n)), Math.max(hi, dot(p, n))], [Infinity, -Infinity]);
}

// What is kept: the points p with normal . p <= offset.
function clipPlane() {
  if (!clip.normal || !cloud.length) return { normal: [0, 0, 0], offset: 1 };
  const [lo, hi] = stretch(clip.normal), offset = lo + clip.at * (hi - lo), sign = clip.flipped ? -1 : 1;
  return { normal: scaled(clip.normal, sign), offset: sign * offset };
}

const clipAxis = () => (clip.normal ? ["x", "y", "z"].find((_, k) => clip.normal[k] === 1) || "view" : "");

function showClip() {
  const name = clipAxis(), { normal, offset } = clipPlane(), sign = clip.flipped ? -1 : 1;
  $("clip-axis").value = name;
  $("clip-at").value = clip.at; $("clip-flip").checked = clip.flipped;
  $("clip-at").disabled = $("clip-flip").disabled = !name;
  const k = "xyz".indexOf(name);
  $("clip-where").textContent = !name ? "" : k < 0 ? "" : `${name} ${clip.flipped ? "\u2265" : "\u2264"} ${short(+(sign * offset * data.scale + data.origin[k]).toPrecision(4))}`;
  $("clip-where").title = normal.join(" ");
}

function setClip(change) {
  Object.assign(clip, change);
  showClip();
  ask();
}

function clipControls() {
  $("clip-axis").onchange = () => {
    const name = $("clip-axis").value, k = "xyz".indexOf(name);
    setClip({ normal: !name ? null : k >= 0 ? axis(k) : axes()[2] });
  };
  $("clip-at").oninput = () => setClip({ at: +$("clip-at").value });
  $("clip-flip").onchange = () => setClip({ flipped: $("clip-flip").checked });
}

// ---- in the address: clip=x,0.5 or clip=0.6,0,0.8,0.5 with a normal; and ,flip where the other side is kept

function describeClip(say) {
  if (clip.normal) say("clip", [...(clipAxis() === "view" ? clip.normal.map(short) : [clipAxis()]), short(clip.at), ...(clip.flipped ? ["flip"] : [])].join());
}

function followClip(wanted) {
  const words = (wanted.get("clip") || "").split(","), flipped = words[words.length - 1] === "flip";
  if (flipped) words.pop();
  const k = "xyz".indexOf(words[0]), found = (words.length === 2 && k >= 0 && words[0] ? [...axis(k), words[1]] : words).map((x) => (x === "" ? NaN : +x));
  const good = found.length === 4 && found.every(Number.isFinite) && Math.hypot(...found.slice(0, 3)) > 0 && found[3] >= 0 && found[3] <= 1;
  setClip(good ? { normal: unit(found.slice(0, 3)), at: found[3], flipped } : { normal: null, at: 0.5, flipped: false });
  if (good) $("clip-box").open = true;
}
