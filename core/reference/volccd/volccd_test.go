package volccd

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/volume"
)

// papers are all ways of carrying out the method of paper 2011.
func papers() (all []Options) {
	for _, a := range []Assignment{Dynamic, Static} {
		for axes := AllAxes; axes <= NoAxes; axes++ {
			all = append(all, Options{Sides: []int{6, 16, 18, 26}[axes], Assignment: a, Axes: axes})
		}
	}
	return append(all, Options{}, Options{Sides: 26})
}

// Every way finds what brute force finds, in every bit, and the same first contact.
func TestVolCCDIsBruteForce(t *testing.T) {
	found, separated, orphans := 0, int64(0), int64(0)
	for seed := range uint64(24) {
		x := ccdtest.RandomVolume(seed)
		s := sceneOf(t, x.Cells)
		change := func(o *volume.Options) {
			o.Classes = volume.Class(seed % uint64(volume.AllClasses+1))
			o.Surface = seed%5 == 0
			if seed%4 == 1 {
				o.MinSeparation = 0.01
			}
			if seed%6 == 1 {
				o.TMax = 0.5
			}
		}
		want := collisions(t, s, x.X0, x.X1, func(o *volume.Options) { change(o); o.Flags |= narrow.BruteForce })
		found += len(want)
		for _, p := range papers() {
			var st volume.Stats
			paper := func(o *volume.Options) { change(o); o.Search, o.VolumeStats = p, &st }
			sameContacts(t, fmt.Sprintf("seed %d, %+v", seed, p), collisions(t, s, x.X0, x.X1, paper), want)
			separated, orphans = separated+st.Separated, orphans+st.Orphans
			o := volume.DefaultOptions()
			paper(&o)
			first, err := s.Earliest(x.X0, x.X1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if len(want) == 0 && first.Verdict != geom.Separate || len(want) > 0 && first != want[0] {
				t.Fatalf("seed %d, %+v: the earliest contact is\n%+v, want the first of\n%+v", seed, p, first, want)
			}
		}
	}
	if found < 300 || separated < 1000 || orphans < 1000 {
		t.Errorf("%d contacts, %d pairs separated by axes, %d orphans: the test shows too little", found, separated,
			orphans)
	}
}

// The sequences, at a size at which elements are apart: the paper's method, as it is and with
// static assignment, against the tree.
func TestVolCCDOnSequences(t *testing.T) {
	for _, q := range ccdtest.Sequences(0.3) {
		s := sceneOf(t, q.Cells)
		contacts := 0
		err := q.Run(s.Edit, func(i int, x0, x1 []float64) error {
			if i%5 != 4 {
				return nil
			}
			want := collisions(t, s, x0, x1, func(o *volume.Options) { o.Classes = volume.AllClasses })
			contacts += len(want)
			for _, p := range []Options{{}, {Assignment: Static, Axes: PaperAxes, Sides: 18}} {
				sameContacts(t, fmt.Sprintf("%s, step %d, %+v", q.Name, i, p),
					collisions(t, s, x0, x1, func(o *volume.Options) { o.Classes, o.Search = volume.AllClasses, p }),
					want)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		if contacts < 30 {
			t.Errorf("%s: %d contacts show too little", q.Name, contacts)
		}
	}
}

// Law 7: the same for any number of threads, and whatever was seen before.
func TestVolCCDLaw7SameBits(t *testing.T) {
	for seed := range uint64(8) {
		x := ccdtest.RandomVolume(500 + seed)
		s := sceneOf(t, x.Cells)
		want := collisions(t, s, x.X0, x.X1, func(o *volume.Options) { o.Search, o.Threads = Options{}, 1 })
		collisions(t, s, x.X1, x.X0, func(o *volume.Options) { o.Search = Options{Sides: 6} })
		for _, threads := range []int{1, 2, 5} {
			sameContacts(t, "again", collisions(t, s, x.X0, x.X1,
				func(o *volume.Options) { o.Search, o.Threads = Options{}, threads }), want)
		}
	}
}

// lattice is a block large enough for elements apart, and its elements' corners, to be edited at
// random.
func lattice(t *testing.T, seed uint64) *volume.Scene {
	b := ccdtest.Block(3, 3, 3, func(z int) mesh.Element {
		return ccdtest.ElementKinds[(int(seed)+z)%len(ccdtest.ElementKinds)]
	})
	return sceneOf(t, b)
}

// Orphan sets that follow edits are those of a volume seen for the first time, deletions alone
// included; and these are what the definition says, pair by pair of the universe.
func TestOrphansFollowEdits(t *testing.T) {
	orphaned := 0
	for seed := range uint64(18) {
		r := rand.New(rand.NewPCG(seed, 8))
		s := lattice(t, seed)
		var n incidence
		var o orphans
		n.build(volumeOf(s))
		o.update(&n)
		for round := range 12 {
			before := len(o.vf) + len(o.ee)
			for range 1 + r.IntN(3) {
				// Some are refused.
				_ = s.Edit(func(v *mesh.Volume) error { return ccdtest.RandomEdit(r, v, seed%3 > 0) })
			}
			n.build(volumeOf(s))
			o.update(&n)
			var fresh orphans
			fresh.update(&n)
			if !slices.Equal(sorted(o.vf), sorted(fresh.vf)) || !slices.Equal(sorted(o.ee), sorted(fresh.ee)) {
				t.Fatalf("seed %d, round %d: %d and %d orphans, want %d and %d", seed, round, len(o.vf), len(o.ee),
					len(fresh.vf), len(fresh.ee))
			}
			if seed%3 == 0 && len(o.vf)+len(o.ee) > before {
				orphaned++
			}
			if round%6 == 0 {
				vf, ee := orphansByDefinition(&n)
				if !slices.Equal(sorted(o.vf), vf) || !slices.Equal(sorted(o.ee), ee) {
					t.Fatalf("seed %d, round %d: %d and %d orphans, by definition %d and %d", seed, round, len(o.vf),
						len(o.ee), len(vf), len(ee))
				}
			}
		}
	}
	if orphaned == 0 {
		t.Error("no deletion has made orphans: the test shows too little")
	}
}

func sorted(list [][2]int32) [][2]int32 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return list
}

// orphansByDefinition goes through the universe.
func orphansByDefinition(n *incidence) (vf, ee [][2]int32) {
	v := n.v
	apart := func(a, b []int32) bool {
		for _, i := range a {
			for _, j := range b {
				if !slices.ContainsFunc(v.Corners(i), func(x int32) bool { return slices.Contains(v.Corners(j), x) }) {
					return true
				}
			}
		}
		return false
	}
	with := func(vertices ...int32) (list []int32) { // elements that have a face with these
		for e := range v.Kinds {
			for _, f := range v.Sides(int32(e)) {
				if v.Kinds[e] != mesh.Removed && !slices.ContainsFunc(vertices,
					func(x int32) bool { return !slices.Contains(v.Faces[f][:], x) }) {
					list = append(list, int32(e))
					break
				}
			}
		}
		return list
	}
	edges := make([][]int32, len(v.Edges))
	for g := range edges {
		if v.EdgeOwner[g] >= 0 {
			edges[g] = with(v.Edges[g][:]...)
		}
	}
	for f := range v.Faces {
		if v.FaceOwner[f] < 0 {
			continue
		}
		at := with(v.Faces[f][:]...)
		for x := range int32(v.NV) {
			if v.VertexOwner[x] >= 0 && !slices.Contains(v.Faces[f][:], x) && !apart(v.Star(x), at) {
				vf = append(vf, [2]int32{x, int32(f)})
			}
		}
	}
	for g := range v.Edges {
		for h := range g {
			if v.EdgeOwner[g] >= 0 && v.EdgeOwner[h] >= 0 && !common(v.Edges[g], v.Edges[h]) &&
				!apart(edges[g], edges[h]) {
				ee = append(ee, [2]int32{int32(h), int32(g)})
			}
		}
	}
	return sorted(vf), sorted(ee)
}

// After random edits every way answers as brute force does.
func TestVolCCDAfterEdits(t *testing.T) {
	found := 0
	for seed := range uint64(long.Part(6, 3)) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := lattice(t, seed)
		var x0, x1 []float64
		for i := range 4 * 4 * 4 {
			for _, k := range []int{i % 4, i / 4 % 4, i / 16} {
				x0 = append(x0, float64(k)+0.3*r.Float64())
				x1 = append(x1, float64(k)+3*(r.Float64()-0.5))
			}
		}
		for len(x0) < 3*volumeOf(s).NV { // centers of pyramids
			x0, x1 = append(x0, 3*r.Float64()), append(x1, 3*r.Float64())
		}
		for range 4 {
			for range 1 + r.IntN(4) {
				_ = s.Edit(func(v *mesh.Volume) error { return ccdtest.RandomEdit(r, v, seed%3 > 0) })
			}
			x0, x1 = ccdtest.Follow(r, volumeOf(s), x0, x1)
			want := collisions(t, s, x0, x1, func(o *volume.Options) {
				o.Classes, o.Flags = volume.AllClasses, narrow.BruteForce
			})
			found += len(want)
			for _, p := range papers() {
				sameContacts(t, fmt.Sprintf("seed %d, %+v", seed, p),
					collisions(t, s, x0, x1, func(o *volume.Options) { o.Classes, o.Search = volume.AllClasses, p }),
					want)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d contacts: the test shows too little", found)
	}
}

// In the paper's assignment every pair of the universe is either an orphan or assigned to one pair
// of elements, which are apart.
func TestAssignmentIsAPartition(t *testing.T) {
	for seed := range uint64(6) {
		s := lattice(t, seed)
		v := volumeOf(s)
		var n incidence
		var o orphans
		n.build(v)
		o.update(&n)
		pairs := func(name string, list [][2]int32, atA, atB func(i int32) []int32, a, b int32) {
			count := 0
			for _, i := range atA(a) {
				for _, j := range atB(b) {
					if !n.adjacent(i, j) && n.assigned(atA(a), atB(b), i, j) {
						count++
					}
				}
			}
			if slices.Contains(list, [2]int32{a, b}) {
				count++
			}
			if count != 1 {
				t.Fatalf("seed %d: the %s pair %d, %d is tested %d times", seed, name, a, b, count)
			}
		}
		r := rand.New(rand.NewPCG(seed, 6))
		for range 4000 {
			x, f := int32(r.IntN(v.NV)), int32(r.IntN(len(v.Faces)))
			if v.VertexOwner[x] >= 0 && !slices.Contains(v.Faces[f][:], x) {
				pairs("vertex-face", o.vf, v.Star, n.atFace.of, x, f)
			}
			g, h := int32(r.IntN(len(v.Edges))), int32(r.IntN(len(v.Edges)))
			if g < h && !common(v.Edges[g], v.Edges[h]) {
				pairs("edge-edge", o.ee, n.atEdge.of, n.atEdge.of, g, h)
			}
		}
	}
}

// What the test calls apart is apart in exact arithmetic, by more than the separation in the max
// norm, at any magnitude; points that touch, or nearly do, included.
func TestCSATSignsAreCertain(t *testing.T) {
	apart := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var mo geom.Trajectories
		x := [2][]float64{}
		magnitude, shift := math.Ldexp(1, r.IntN(900)-450), [3]float64{}
		if r.IntN(2) == 0 {
			shift = [3]float64{math.Ldexp(magnitude, r.IntN(50)), -math.Ldexp(magnitude, r.IntN(50)), magnitude}
		}
		for end := range x {
			for i := range 24 {
				y := shift[i%3] + magnitude*r.NormFloat64()*math.Ldexp(1, -r.IntN(40))
				if i >= 12 && i%3 == 0 && r.IntN(8) > 0 {
					y += 3 * magnitude
				}
				if i >= 12 && r.IntN(6) == 0 { // a coordinate that the first cloud has, or the next double
					y = x[end][i-12]
					if r.IntN(2) == 0 {
						y = math.Nextafter(y, math.Inf(1))
					}
				}
				x[end] = append(x[end], y)
			}
		}
		if err := mo.Load(x[0], x[1]); err != nil {
			t.Fatal(err)
		}
		d := 0.0
		if r.IntN(2) == 0 {
			d = magnitude * math.Ldexp(r.Float64(), -r.IntN(60))
		}
		var c csat
		c.load(&mo, []int32{0, 1, 2, 3}, []int32{4, 5, 6, 7}, d)
		l := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		if r.IntN(2) == 0 {
			l = c.b.normal(0, 1, 2)
		}
		if c.apart(&c.a, &c.b, &l) {
			apart++
			if !exactlyApart(&mo, l, d) {
				t.Fatalf("seed %d: the axis %v separates by less than %v", seed, l, d)
			}
		}
	}
	if apart < 200 {
		t.Errorf("only %d of the axes separate: the test shows too little", apart)
	}
}

// Two points on a plane across the axis, as near to it as doubles allow: the signs of rounded
// products are wrong about many of them, and the test claims none of those.
func TestCSATDoubtsNearPlanes(t *testing.T) {
	wrong := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 12))
		l := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		a, b := r.NormFloat64(), r.NormFloat64()
		// Across l, but for rounding.
		w := [3]float64{float64(-l[1]*a) - float64(l[2]*b), float64(l[0] * a), float64(l[0] * b)}
		x := make([]float64, 24)
		for j := 12; j < 24; j++ {
			x[j] = w[j%3]
		}
		var mo geom.Trajectories
		if err := mo.Load(x, x); err != nil {
			t.Fatal(err)
		}
		var c csat
		c.load(&mo, []int32{0, 1, 2, 3}, []int32{4, 5, 6, 7}, 0)
		// Signs differ where the exact gap is on one side and the rounded one on the other.
		above := exactlyAbove(&mo, l)
		if g := geom.Dot3(&c.b.at[0][0], &l); g > 0 && above <= 0 || g < 0 && above >= 0 {
			wrong++
			if c.apart(&c.a, &c.b, &l) {
				t.Fatalf("seed %d: the axis %v separates the origin from %v by a rounding", seed, l, w)
			}
		}
	}
	if wrong < 100 {
		t.Errorf("only %d rounded signs are wrong: the test shows too little", wrong)
	}
}

// exactlyAbove is the sign of l.q for the fifth point q.
func exactlyAbove(mo *geom.Trajectories, l [3]float64) int {
	sum := new(big.Rat)
	for k, c := range l {
		sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(c), new(big.Rat).SetFloat64(mo.Rec[8*4+k])))
	}
	return sum.Sign()
}

// exactlyApart reports whether at both ends the second four points keep more than d |l|_1 along l
// from the first, on one side.
func exactlyApart(mo *geom.Trajectories, l [3]float64, d float64) bool {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	need := new(big.Rat)
	for _, c := range l {
		need.Add(need, new(big.Rat).Mul(rat(d), rat(math.Abs(c))))
	}
	above, below := true, true
	for end := range 2 {
		for i := range 4 {
			for j := 4; j < 8; j++ {
				sum := new(big.Rat)
				for k, c := range l {
					sum.Add(sum,
						new(big.Rat).Mul(rat(c), new(big.Rat).Sub(rat(mo.Rec[8*j+4*end+k]), rat(mo.Rec[8*i+4*end+k]))))
				}
				above = above && sum.Cmp(need) > 0
				below = below && new(big.Rat).Neg(sum).Cmp(need) > 0
			}
		}
	}
	return above || below
}

// Bad choices are named.
func TestVolCCDBadArguments(t *testing.T) {
	x := ccdtest.RandomVolume(1)
	s := sceneOf(t, x.Cells)
	for text, change := range map[string]func(o *volume.Options){
		"volccd.sides is 14: must be 6, 16, 18 or 26": func(o *volume.Options) { o.Search = Options{Sides: 14} },
		"volccd.assignment is -1: must be 0 or 1":     func(o *volume.Options) { o.Search = Options{Assignment: -1} },
		"volccd.axes is 4: must be 0 to 3":            func(o *volume.Options) { o.Search = Options{Axes: 4} },
		"x0 has 3 coordinates; the volume has": func(o *volume.Options) {
			o.Search = Options{}
			x.X0 = x.X0[:3]
		},
	} {
		o, kept := volume.DefaultOptions(), x.X0
		change(&o)
		if _, err := s.Collisions(x.X0, x.X1, &o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
		x.X0 = kept
	}
	if list, err := volume.New(new(mesh.Volume)).Collisions(nil, nil,
		&volume.Options{Options: narrow.DefaultOptions(), Search: Options{}}); err != nil || len(list) != 0 {
		t.Errorf("an empty volume: %v, %v", list, err)
	}
	o := volume.DefaultOptions()
	o.Search, o.Progress = Options{}, func(float64) bool { return true }
	if _, err := s.Collisions(x.X0, x.X1, &o); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("%v, want %v", err, status.ErrCancelled)
	}
}

// FuzzVolCCD compares the method with the tree on random scenes, edits and choices.
func FuzzVolCCD(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(0), 0.0)
	f.Add(uint64(2), uint8(9), uint8(9), 1e-3)
	f.Fuzz(func(t *testing.T, seed uint64, edits, way uint8, separation float64) {
		r := rand.New(rand.NewPCG(seed, uint64(edits)))
		x := ccdtest.RandomVolume(seed)
		s := sceneOf(t, x.Cells)
		all := papers()
		paper := func(o *volume.Options) {
			o.Classes, o.Search = volume.AllClasses, all[int(way)%len(all)]
			if separation >= 0 && separation < 1 {
				o.MinSeparation = separation
			}
		}
		collisions(t, s, x.X0, x.X1, paper) // orphan sets to be updated
		for range edits % 16 {
			_ = s.Edit(func(v *mesh.Volume) error { return ccdtest.RandomEdit(r, v, true) }) // some are refused
		}
		x0, x1 := ccdtest.Follow(r, volumeOf(s), x.X0, x.X1)
		got := collisions(t, s, x0, x1, paper)
		sameContacts(t, "the method of 2011", got,
			collisions(t, s, x0, x1, func(o *volume.Options) { paper(o); o.Search = nil }))
	})
}
