package hierarchy

import (
	"slices"

	"ccd/core/geom"
	"ccd/simd/box"
)

// A center is the mean of the vertices of a primitive, by whole numbers between -mostCenter and
// mostCenter, and the number of the primitive.
type center [4]int32

const (
	centerScale = 1 << 26 // It multiplies coordinates in the space, which are below 13 but for outliers.
	mostCenter  = 1<<30 - 1
)

// place sets at to the positions of the vertices where the step begins.
func (c *maker) place() {
	c.at = make([]center, c.m.NV)
	scale, by := centerScale*c.space.Scale, c.space.C[0]
	for v := range c.at {
		x, at := (*[3]float64)(c.mo.Rec[8*v:]), &c.at[v]
		for k := range 3 {
			y := float64(scale * (x[k] - by[k]))
			if !(y > -mostCenter) { // This is so of NaN, too.
				y = -mostCenter
			}
			at[k] = int32(min(y, mostCenter))
		}
	}
}

// centers returns those of some primitives of a shape.
func (c *maker) centers(s geom.Shape, ids []int32) []center {
	out := make([]center, len(ids))
	switch s {
	case geom.Edge:
		for i, id := range ids {
			e := &c.m.Edges[id]
			a, b := &c.at[e[0]], &c.at[e[1]]
			out[i] = center{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, id}
		}
	case geom.Face:
		for i, id := range ids {
			f := &c.m.Faces[id]
			x, y, z := &c.at[f[0]], &c.at[f[1]], &c.at[f[2]]
			mean := func(k int) int32 { return int32((int64(x[k]) + int64(y[k]) + int64(z[k])) / 3) }
			out[i] = center{mean(0), mean(1), mean(2), id}
		}
	default:
		for i, id := range ids {
			out[i] = c.at[id]
			out[i][3] = id
		}
	}
	return out
}

// cut puts primitives in order: it cuts them in two across their longest side, at a multiple of the
// largest power of 8 that is less than their number, so that nodes are cells, and so on.
func cut(c []center) {
	for len(c) > box.Children {
		unit := box.Children
		for unit*box.Children < len(c) {
			unit *= box.Children
		}
		left := (len(c) + unit - 1) / unit / 2 * unit // One unit or more, and less than all.
		nth(c, left, longest(c))
		cut(c[:left])
		c = c[left:]
	}
}

// sampledLength is the number of centers above which every fourth says how far they extend.
const sampledLength = 256

// longest returns the axis along which the centers extend the most.
func longest(c []center) int {
	step := 1
	if len(c) > sampledLength {
		step = 4
	}
	x0, y0, z0 := c[0][0], c[0][1], c[0][2]
	x1, y1, z1 := x0, y0, z0
	for i := 0; i < len(c); i += step {
		p := &c[i]
		x0, x1 = min(x0, p[0]), max(x1, p[0])
		y0, y1 = min(y0, p[1]), max(y1, p[1])
		z0, z1 = min(z0, p[2]), max(z1, p[2])
	}
	x, y, z := x1-x0, y1-y0, z1-z0
	switch {
	case x >= y && x >= z:
		return 0
	case y >= z:
		return 1
	}
	return 2
}

// nth brings the k smallest centers along an axis, 0 < k < len(c), before the others.
func nth(c []center, k, axis int) {
	for {
		p := pivot(c, k, axis)
		n := below(c, p, axis)
		if n == 0 { // p is the least.
			if n = below(c, p+1, axis); k <= n {
				return
			}
		}
		switch {
		case k < n:
			c = c[:n]
		case k > n:
			c, k = c[n:], k-n
		default:
			return
		}
	}
}

// below brings the centers below p along an axis before the others, and returns their number. There
// is no branch in the loop: it would be as good as random. The difference of two centers is less
// than 2^31.
func below(c []center, p int32, axis int) (n int) {
	for i := range c {
		x := c[i]
		c[i] = c[n]
		c[n] = x
		n += int(uint32(x[axis&3]-p) >> 31)
	}
	return n
}

// Numbers of centers up to which a pivot is one of 3 or of 9. Of more it is one of 63.
const (
	pivotOf3 = 64
	pivotOf9 = 1024
)

// pivot returns what one of the centers has along an axis, near that of the k-th. Of a sample in
// order it is a bit beyond the k smallest if these are the smaller part, else a bit before them:
// what remains is then small, and after one more pivot smaller still.
func pivot(c []center, k, axis int) int32 {
	switch n := len(c); {
	case n <= pivotOf3:
		x, y, z := c[0][axis&3], c[(n-1)/2][axis&3], c[n-1][axis&3]
		if 4*k <= n {
			return min(max(x, y), z)
		}
		return max(min(x, y), min(max(x, y), z))
	case n <= pivotOf9:
		var sample [9]int32
		return pivotBySample(c, k, axis, sample[:], 1)
	}
	var sample [63]int32
	return pivotBySample(c, k, axis, sample[:], 3)
}

// pivotBySample is pivot by a sample, and some places of it beyond or before the k smallest.
func pivotBySample(c []center, k, axis int, sample []int32, beyond int) int32 {
	n := len(sample)
	step := len(c) / n
	for i := range sample {
		sample[i] = c[i*step+step/2][axis&3]
	}
	slices.Sort(sample)
	at := k * n / len(c)
	if 2*k <= len(c) {
		return sample[min(at+beyond, n-1)]
	}
	return sample[max(at-beyond, 0)]
}
