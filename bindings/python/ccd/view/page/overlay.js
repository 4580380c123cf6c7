"use strict";
// The axes in a corner, and a scale: a length at the depth the camera looks at.
function overlay(ratio) {
  const c = $("overlay"), g = c.getContext("2d"), style = getComputedStyle(document.documentElement);
  c.width = canvas.width; c.height = canvas.height; g.scale(ratio, ratio);
  const w = canvas.clientWidth, h = canvas.clientHeight, [x, y, z] = axes(), from = [44, h - 44];
  const back = style.getPropertyValue("--back"), text = style.getPropertyValue("--text");
  const twice = (tone, width, once) => { // first wider in the page's color, so that it is read on any surface
    for (const [color, wide] of [[back, width + 3], [tone, width]]) { g.strokeStyle = color; g.lineWidth = wide; once(); }
  };
  const word = (tone, letters, ...place) => {
    g.strokeStyle = back; g.lineWidth = 3; g.strokeText(letters, ...place); g.fillStyle = tone; g.fillText(letters, ...place);
  };
  g.lineJoin = g.lineCap = "round";
  g.font = "12px system-ui, sans-serif"; g.textAlign = "center"; g.textBaseline = "middle";
  [0, 1, 2].sort((a, b) => z[a] - z[b]).forEach((k) => {
    const tone = ["#d8432f", "#3f9d45", "#3f73e0"][k], to = [from[0] + 26 * x[k], from[1] - 26 * y[k]];
    twice(tone, 2, () => { g.beginPath(); g.moveTo(...from); g.lineTo(...to); g.stroke(); });
    word(tone, "xyz"[k], from[0] + 35 * x[k], from[1] - 35 * y[k]);
  });
  const per = (camera.distance / (LENS * h / 2)) * data.scale, power = 10 ** Math.floor(Math.log10(per * 120));
  const length = [5, 2, 1].map((d) => d * power).find((l) => l <= per * 120) || power, px = length / per;
  twice(text, 1.5, () => {
    g.beginPath(); g.moveTo(w - 20 - px, h - 24); g.lineTo(w - 20 - px, h - 18); g.lineTo(w - 20, h - 18); g.lineTo(w - 20, h - 24); g.stroke();
  });
  word(text, String(+length.toPrecision(1)), w - 20 - px / 2, h - 32);
}
