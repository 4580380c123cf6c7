"use strict";
// The time line: marks of impacts, the slider, the field of the time, playing.

function ticks() {
  const c = $("ticks"), g = c.getContext("2d");
  c.width = c.clientWidth * devicePixelRatio; c.height = c.clientHeight * devicePixelRatio;
  const bins = new Array(Math.max(1, Math.floor(c.width / 3))).fill(0);
  for (const t of moments) bins[Math.min(bins.length - 1, Math.max(0, Math.floor(t * bins.length)))]++;
  const most = bins.reduce((m, n) => Math.max(m, n), 1);
  bins.forEach((n, i) => {
    if (!n) return;
    const h = c.height * (0.3 + (0.7 * Math.log1p(n)) / Math.log1p(most)), t = i / bins.length, mix = (a, b) => 255 * (a + (b - a) * t);
    g.fillStyle = `rgb(${mix(0.93, 1)} ${mix(0.16, 0.83)} ${mix(0.1, 0.12)})`;
    g.fillRect((i * c.width) / bins.length, c.height - h, Math.max(2, c.width / bins.length - 1), h);
  });
}

const clamped = (s) => Math.min(1, Math.max(0, s));

function setTime(s) {
  state.s = clamped(s);
  $("time").value = state.s;
  if (document.activeElement !== $("now")) { $("now").value = short(timeOf(state.s)); fitNow(); }
  ask();
}

// As wide as what stands in it; ch is the width of a digit.
function fitNow() {
  $("now").style.width = `${Math.max(9, $("now").value.length) + 1.5}ch`;
}

let last = 0;
function frame(now) {
  if (!state.playing) return;
  if (last) setTime(state.s >= 1 ? 0 : state.s + (state.speed * (now - last)) / 4000);
  last = now;
  requestAnimationFrame(frame);
}

function play(on) {
  state.playing = on; last = 0; $("play").textContent = on ? "\u275A\u275A" : "\u25B6";
  if (on) requestAnimationFrame(frame); else ask();
}
