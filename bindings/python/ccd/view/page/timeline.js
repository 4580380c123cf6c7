"use strict";
// The time line: marks of impacts, ticks, the slider, the field of the time, playing.

const THUMB = 8; // pixels by which the ends of the slider's way are inside its box
const clamped = (s) => Math.min(1, Math.max(0, s));

// Numbers on the time line: few and round ones. In a sequence whole numbers are frames; a motion's time runs from 0 to 1.
function tickTimes(width) {
  const span = data.t_max - data.t_min, most = Math.max(2, width / 70);
  if (!(span > 0)) return [data.t_min];
  const least = span / most, power = 10 ** Math.floor(Math.log10(least));
  const apart = [1, 2, 5, 10].map((d) => d * power).find((d) => d >= least * 0.999);
  const step = data.steps > 1 && span >= data.steps ? Math.max(1, apart) : apart, found = [];
  for (let i = Math.ceil(data.t_min / step - 1e-9); i * step <= data.t_max + 1e-9 * span; i++) found.push(i * step);
  return found;
}

function ticks() {
  const c = $("ticks"), g = c.getContext("2d"), style = getComputedStyle(document.documentElement), ratio = devicePixelRatio;
  c.width = c.clientWidth * ratio; c.height = c.clientHeight * ratio;
  g.scale(ratio, ratio);
  const width = c.clientWidth - 2 * THUMB, base = c.clientHeight - 15, bins = new Array(Math.max(1, Math.floor(width / 3))).fill(0);
  for (const t of moments) bins[Math.min(bins.length - 1, Math.max(0, Math.floor(t * bins.length)))]++;
  const most = bins.reduce((m, n) => Math.max(m, n), 1);
  bins.forEach((n, i) => {
    if (!n) return;
    const h = base * (0.3 + (0.7 * Math.log1p(n)) / Math.log1p(most)), t = ((i + 0.5) / bins.length * data.steps) % 1, mix = (a, b) => 255 * (a + (b - a) * t);
    g.fillStyle = `rgb(${mix(0.93, 1)} ${mix(0.16, 0.83)} ${mix(0.1, 0.12)})`;
    g.fillRect(THUMB + (i * width) / bins.length, base - h, Math.max(1, width / bins.length - 0.5), h);
  });
  g.fillStyle = g.strokeStyle = style.getPropertyValue("--soft");
  g.font = "11px system-ui, sans-serif"; g.textBaseline = "alphabetic"; g.lineWidth = 1;
  g.beginPath(); g.moveTo(THUMB, base + 0.5); g.lineTo(THUMB + width, base + 0.5);
  for (const t of tickTimes(width)) {
    const x = THUMB + width * clamped(fractionOf(t)), text = short(t), half = g.measureText(text).width / 2;
    g.moveTo(x, base); g.lineTo(x, base + 4);
    g.fillText(text, Math.min(c.clientWidth - 2 * half, Math.max(0, x - half)), base + 14);
  }
  g.stroke();
}

function setTime(s) {
  state.s = clamped(s);
  $("time").value = state.s;
  if (document.activeElement !== $("now")) { $("now").value = short(timeOf(state.s)); fitNow(); }
  if (data.edges) {
    const edge = shownEdge();
    $("step").textContent = `edge ${edge} of ${data.edges}, s = ${short(+(timeOf(state.s) - edge).toPrecision(4))}`;
  } else if (data.steps > 1) {
    const { k } = shownStep(), name = (i) => data.frame_names[i] || `frame ${i}`;
    $("step").textContent = `frame ${k} to ${k + 1} of ${data.steps}`;
    $("step").title = `${name(k)} to ${name(k + 1)}`;
  }
  moves();
  ask();
}

// To the frame before, or the next one.
function toFrame(way) {
  const x = state.s * data.steps, k = way > 0 ? Math.floor(x + 1e-9) + 1 : Math.ceil(x - 1e-9) - 1;
  play(false);
  setTime(k / data.steps);
}

// As wide as what stands in it; ch is the width of a digit.
function fitNow() {
  $("now").style.width = `${Math.max(9, $("now").value.length) + 1.5}ch`;
}

const LENGTH = data.steps > 1 ? Math.max(4000, 250 * data.steps) : 4000; // milliseconds that playing takes
let last = 0;
function frame(now) {
  if (!state.playing) return;
  if (last) setTime(state.s >= 1 ? 0 : state.s + (state.speed * (now - last)) / LENGTH);
  last = now;
  requestAnimationFrame(frame);
}

function play(on) {
  state.playing = on; last = 0; $("play").textContent = on ? "\u275A\u275A" : "\u25B6";
  if (on) requestAnimationFrame(frame); else ask();
}
