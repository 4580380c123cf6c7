package hierarchy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/simd/box"
)

// someTree is a tree of all numbers below n, in any order.
func someTree(r *rand.Rand, s geom.Shape, n int) *tree {
	t := &tree{shape: s, n: n, ids: make([]int32, (n+groupLen-1)/groupLen*groupLen)}
	for i := range t.ids {
		t.ids[i] = -1
	}
	for i, x := range r.Perm(n) {
		t.ids[i] = int32(x)
	}
	return t
}

// somePairs are pairs of two trees, or of one with self, as records in chunks that are not full.
func somePairs(r *rand.Rand, a, b *tree, self bool) *Pairs {
	p := &Pairs{order: &Order{families: []family{{kind: geom.VertexFace, a: a, b: b, self: self}}}}
	if self {
		p.order.families[0].kind = geom.EdgeEdge
	}
	for i := range (a.n + 7) / 8 {
		for j := range (b.n + 7) / 8 {
			if self && j < i || r.IntN(3) == 0 {
				continue
			}
			mask := r.Uint64() & r.Uint64()
			for bit := range 64 {
				x, y := 8*i+bit/8, 8*j+bit%8
				if x >= a.n || y >= b.n || self && x >= y {
					mask &^= 1 << bit
				}
			}
			if len(p.chunks) == 0 || r.IntN(20) == 0 {
				p.chunks = append(p.chunks, new(recordChunk))
			}
			p.reserve()[0] = box.Record{A: int32(i), B: int32(j), Mask: mask}
			n := 0
			for ; mask != 0; mask &= mask - 1 {
				n++
			}
			p.commit(1, n)
		}
	}
	return p
}

// Sorted writes the pairs that Each writes, in order, on any number of threads.
func TestSortedIsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 60))
	for trial, n := range []int{2, 9, 64, 65, 300, 700} {
		edges := someTree(r, geom.Edge, n)
		vertices, faces := someTree(r, geom.Vertex, 1+n/2), someTree(r, geom.Face, n)
		for _, p := range []*Pairs{somePairs(r, edges, edges, true), somePairs(r, vertices, faces, false)} {
			f := &p.order.families[0]
			var want [][2]int32
			block := make([][2]int32, 100)
			p.Each(func() [][2]int32 { return block }, func(n int) { want = append(want, block[:n]...) })
			if len(want) != p.Len() {
				t.Fatalf("trial %d: %d pairs, %d are counted", trial, len(want), p.Len())
			}
			slices.SortFunc(want, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
			for _, threads := range []int{1, 3, 2} {
				out, wide := make([][2]int32, p.Len()), make([][2]int64, p.Len())
				if err := Sorted(p, out, f.a.n, f.b.n, threads); err != nil {
					t.Fatal(err)
				}
				if err := Sorted(p, wide, f.a.n, f.b.n, threads); err != nil {
					t.Fatal(err)
				}
				for i, x := range want {
					if out[i] != x || wide[i] != [2]int64{int64(x[0]), int64(x[1])} {
						t.Fatalf("trial %d, %d threads: pair %d is %v, %v, want %v",
							trial, threads, i, out[i], wide[i], x)
					}
				}
			}
		}
	}
}

// A primitive may have more pairs than 16 bits count.
func TestHierarchyCountsManyPairsOfOne(t *testing.T) {
	const records = 9000
	s := sorting{ends: []int32{records}}
	for i := range records {
		s.records = append(s.records, box.Record{A: int32(i % 2), B: int32(i), Mask: ^uint64(0)})
	}
	s.records[0].Mask = 0xff // the first row alone
	f := &family{a: &tree{ids: numbers(groupLen)}}
	if err := s.count(f, groupLen, 1); err != nil {
		t.Fatal(err)
	}
	for i, at := range []int{0, 36000, 36000 + 35992, 36000 + 2*35992} {
		if s.start[i] != at {
			t.Errorf("row %d begins at %d, want %d", i, s.start[i], at)
		}
	}
	s.ends[0] = records
	for i := range s.records {
		s.records[i] = box.Record{A: 3, B: int32(i), Mask: ^uint64(0)}
	}
	if err := s.count(f, groupLen, 1); err != nil {
		t.Fatal(err)
	}
	if got := s.start[25] - s.start[24]; got != 8*records || s.start[groupLen] != 64*records {
		t.Errorf("a row has %d pairs, want %d; all have %d", got, 8*records, s.start[groupLen])
	}
}
