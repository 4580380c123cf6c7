// The built-in scenes: { faces, x0, x1 }, the same at every visit.

function grid(n, at) {
  const x = [], faces = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) x.push(...at(i / (n - 1), j / (n - 1)));
  for (let i = 0; i < n - 1; i++) {
    for (let j = 0; j < n - 1; j++) {
      const a = i * n + j;
      faces.push([a, a + n, a + 1], [a + 1, a + n, a + n + 1]);
    }
  }
  return { x, faces };
}

function ball(n, radius) {
  const x = [0, 0, radius], faces = [], ring = (i, j) => 1 + (i - 1) * 2 * n + (j % (2 * n));
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const up = (Math.PI * i) / n, around = (Math.PI * j) / n;
      x.push(radius * Math.sin(up) * Math.cos(around), radius * Math.sin(up) * Math.sin(around), radius * Math.cos(up));
    }
  }
  x.push(0, 0, -radius);
  for (let j = 0; j < 2 * n; j++) {
    faces.push([0, ring(1, j), ring(1, j + 1)], [x.length / 3 - 1, ring(n - 1, j + 1), ring(n - 1, j)]);
    for (let i = 1; i < n - 1; i++) faces.push([ring(i, j), ring(i + 1, j), ring(i, j + 1)], [ring(i, j + 1), ring(i + 1, j), ring(i + 1, j + 1)]);
  }
  return { x, faces };
}

function joined(a, b, move) { // b stands behind a, and moves
  const start = a.x.length / 3;
  const x1 = b.x.map((_, i) => (i % 3 ? 0 : move(b.x.slice(i, i + 3)))).filter(Array.isArray).flat();
  return { faces: [...a.faces, ...b.faces.map((f) => f.map((v) => v + start))], x0: [...a.x, ...b.x], x1: [...a.x, ...x1] };
}

export const SCENES = {
  cloth: () => joined(
    ball(16, 0.5),
    grid(40, (u, v) => [2 * u - 1, 2 * v - 1, 0.75 + 0.04 * Math.sin(9 * u) * Math.cos(7 * v)]),
    ([x, y, z]) => [x, y, z - 0.35 - 0.35 * Math.hypot(x, y)],
  ),
  sheets: () => joined(
    grid(24, (u, v) => [u, v, 0.03 * Math.sin(25 * u) * Math.cos(21 * v)]),
    grid(24, (u, v) => [u + 0.013, v + 0.007, 0.12 + 0.03 * Math.cos(23 * u) * Math.sin(27 * v)]),
    ([x, y, z]) => [x + 0.02 * Math.sin(9 * y), y, z - 0.13],
  ),
  triangles: () => ({
    faces: [[0, 1, 2], [3, 4, 5]],
    x0: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1, 0.3, 0.2, 2, 0.2, 0.3, 2],
    x1: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.3, 0.2, 0, 0.2, 0.3, 0],
  }),
};
