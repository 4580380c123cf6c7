package bvh

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// triangles returns random, some degenerate, some flat on a grid, at a random scale and place.
func triangles(r *rand.Rand, n int) []Triangle {
	tri := make([]Triangle, n)
	scale := math.Ldexp(1, r.IntN(80)-40)
	at := r3.Vec{X: r.NormFloat64() * 100, Y: r.NormFloat64(), Z: 0}
	for i := range tri {
		c := r3.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64() * 0.1}
		for k := range 3 {
			p := r3.Add(r3.Add(c, at), r3.Vec{X: r.Float64() * 0.1, Y: r.Float64() * 0.1, Z: r.Float64() * 0.1})
			if r.IntN(5) == 0 {
				p = r3.Vec{X: math.Round(p.X*8) / 8, Y: math.Round(p.Y*8) / 8, Z: 0.5}
			}
			tri[i][k] = geom.Scale(scale, p)
		}
		switch r.IntN(10) {
		case 0:
			tri[i][1] = tri[i][0]
		case 1:
			tri[i][1], tri[i][2] = tri[i][0], tri[i][0]
		case 2:
			tri[i] = tri[r.IntN(i+1)] // again
		}
	}
	return tri
}

// TestTreeHoldsEveryPrimitiveOnce checks the array's shape: children behind their parent, ranges
// that halve, every primitive in one leaf.
func TestTreeHoldsEveryPrimitiveOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 7, 96, 97, 500, 5000} {
		tri := triangles(r, n)
		tree := Build(Boxes(tri), 1)
		seen := make([]bool, n)
		used := make([]bool, len(tree.Nodes))
		used[0] = true
		for i, node := range tree.Nodes {
			if node.Count == 1 {
				if p := tree.Order[node.First]; seen[p] {
					t.Fatalf("%d triangles: %d stands in two leaves", n, p)
				} else {
					seen[p] = true
				}
				continue
			}
			l, rr := tree.Nodes[node.Left], tree.Nodes[node.Left+1]
			if int(node.Left) <= i || used[node.Left] || used[node.Left+1] || l.First != node.First ||
				rr.First != l.First+l.Count ||
				l.Count+rr.Count != node.Count || l.Count < 1 || rr.Count < 1 {
				t.Fatalf("%d triangles: node %d is %+v with children %+v, %+v", n, i, node, l, rr)
			}
			used[node.Left], used[node.Left+1] = true, true
		}
		for i := range seen {
			if !seen[i] {
				t.Fatalf("%d triangles: %d is in no leaf", n, i)
			}
		}
	}
}

// TestTreeDoesNotDependOnThreads also covers input that defeats the heuristic: all boxes alike, and
// exponentially spaced ones.
func TestTreeDoesNotDependOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	spaced := make([]Triangle, 6000)
	for i := range spaced {
		spaced[i] = Triangle{{X: math.Ldexp(1, i%200)}, {X: math.Ldexp(1, i%200), Y: 1}, {Z: float64(i)}}
	}
	for _, tri := range [][]Triangle{triangles(r, 20000), make([]Triangle, 9000), spaced} {
		one := Build(Boxes(tri), 1)
		boxes := one.Fit(tri, 1)
		for _, threads := range []int{2, 5} {
			many := Build(Boxes(tri), threads)
			if !reflect.DeepEqual(one, many) || !reflect.DeepEqual(boxes, many.Fit(tri, threads)) {
				t.Fatalf("%d threads make another tree of %d triangles", threads, len(tri))
			}
		}
		deepest := 0
		depth := make([]int, len(one.Nodes))
		for i, n := range one.Nodes {
			deepest = max(deepest, depth[i])
			if n.Left > 0 {
				depth[n.Left], depth[n.Left+1] = depth[i]+1, depth[i]+1
			}
		}
		if deepest > depthMost+15 {
			t.Errorf("%d triangles: %d levels", len(tri), deepest)
		}
	}
}

// TestClustersAreTheTreeCut: the same nodes from the root on, as far as they have more primitives
// than a cluster.
func TestClustersAreTheTreeCut(t *testing.T) {
	tri := triangles(rand.New(rand.NewPCG(7, 8)), 3000)
	whole := Build(Boxes(tri), 1)
	for _, most := range []int{1, 2, 16, 5000} {
		cut := Clusters(Boxes(tri), most, 3)
		covered := 0
		var walk func(i, j int32)
		walk = func(i, j int32) {
			a, b := whole.Nodes[i], cut.Nodes[j]
			if a.First != b.First || a.Count != b.Count || (b.Left > 0) != (int(a.Count) > most) {
				t.Fatalf("clusters of %d: %+v, in the tree %+v", most, b, a)
			}
			if b.Left > 0 {
				walk(a.Left, b.Left)
				walk(a.Left+1, b.Left+1)
				return
			}
			covered += int(b.Count)
			x, y := slices.Clone(whole.Order[a.First:a.First+a.Count]), slices.Clone(cut.Order[b.First:b.First+b.Count])
			slices.Sort(x)
			slices.Sort(y)
			if !slices.Equal(x, y) {
				t.Fatalf("a cluster holds %v, in the tree %v", y, x)
			}
		}
		if walk(0, 0); covered != len(tri) {
			t.Errorf("clusters of %d hold %d of %d", most, covered, len(tri))
		}
	}
}

// TestOrientedBoxesEnclose solves p = C + y1 X + y2 Y + y3 Z over the rationals for every corner of
// every node.
func TestOrientedBoxesEnclose(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		tri := triangles(r, 20)
		tree := Build(Boxes(tri), 1)
		for i, o := range tree.Fit(tri, 1) {
			n := tree.Nodes[i]
			for _, p := range tree.Order[n.First : n.First+n.Count] {
				for _, q := range tri[p] {
					if why := outside(&o, q); why != "" {
						t.Fatalf("node %d, %+v: %v is outside: %s", i, o, q, why)
					}
				}
			}
			if n.Count == 1 && o.Left != ^tree.Order[n.First] || n.Count > 1 && o.Left != n.Left {
				t.Fatalf("node %d leads to %d", i, o.Left)
			}
		}
	}
}

// outside returns why q is not in o, by Cramer's rule.
func outside(o *Oriented, q r3.Vec) string {
	rat := func(v r3.Vec) [3]*big.Rat {
		return [3]*big.Rat{new(big.Rat).SetFloat64(v.X), new(big.Rat).SetFloat64(v.Y), new(big.Rat).SetFloat64(v.Z)}
	}
	mul := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	det := func(a, b, c [3]*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			sum.Add(sum, mul(a[k], new(big.Rat).Sub(mul(b[i], c[j]), mul(b[j], c[i]))))
		}
		return sum
	}
	x, y, z, d, center := rat(o.X), rat(o.Y), rat(o.Z), rat(q), rat(o.C)
	r2 := new(big.Rat)
	for k := range d {
		d[k].Sub(d[k], center[k])
		r2.Add(r2, mul(d[k], d[k]))
	}
	if radius := new(big.Rat).SetFloat64(o.R); r2.Cmp(mul(radius, radius)) > 0 {
		return "radius"
	}
	whole := det(x, y, z)
	for k, part := range []*big.Rat{det(d, y, z), det(x, d, z), det(x, y, d)} {
		h := new(big.Rat).SetFloat64([]float64{o.H.X, o.H.Y, o.H.Z}[k])
		if part.Quo(part, whole).Abs(part).Cmp(h) > 0 {
			return []string{"x", "y", "z"}[k]
		}
	}
	return ""
}

// TestOrientedBoxesFit: a slab that lies askew gets a box of its own proportions, and a triangle a
// flat one.
func TestOrientedBoxesFit(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	frame, ok := orthonormal(r3.Vec{X: 1, Y: 2, Z: 3}, r3.Vec{X: -1, Y: 1})
	if !ok {
		t.Fatal("no frame")
	}
	var tri []Triangle
	for range 500 {
		p := func() r3.Vec {
			return frame.ApplyTransposed(r3.Vec{X: 8 * r.Float64(), Y: 2 * r.Float64(), Z: 0.01 * r.Float64()})
		}
		tri = append(tri, Triangle{p(), p(), p()})
	}
	tree := Build(Boxes(tri), 2)
	boxes := tree.Fit(tri, 2)
	h := []float64{boxes[0].H.X, boxes[0].H.Y, boxes[0].H.Z}
	if volume := h[0] * h[1] * h[2]; volume > 1.3*4*1*0.005 {
		t.Errorf("half extents %v of a slab 8 x 2 x 0.01", h)
	}
	for i, n := range tree.Nodes {
		if o := boxes[i]; n.Count == 1 && min(o.H.X, o.H.Y, o.H.Z) > 1e-12 {
			t.Errorf("the box of a triangle is %v thick", o.H)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	tri := triangles(r, 100000)
	for b.Loop() {
		t := Build(Boxes(tri), 2)
		t.Fit(tri, 2)
	}
}
