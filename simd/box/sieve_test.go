package box

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

// sieveScene is two blocks of primitives, their vertices, and the pairs to be looked at.
type sieveScene struct {
	rec        []float64
	width      [2]int
	count      [2]int
	corners    [2][]int32
	until, sep float64
	scale      float64
}

// blocks fills the blocks of both shapes.
func (s *sieveScene) blocks() (b [2][]SieveBlock) {
	for shape := range b {
		b[shape] = make([]SieveBlock, (s.count[shape]+Children-1)/Children)
		SieveBlocks(b[shape], s.rec, s.corners[shape], s.width[shape], s.count[shape], s.scale)
	}
	return b
}

// run is what the sieve leaves of all pairs of blocks.
func (s *sieveScene) run(b [2][]SieveBlock) map[[2]int32]uint64 {
	var records []Record
	for i := range b[0] {
		for j := range b[1] {
			records = append(records, Record{int32(i), int32(j), math.MaxUint64})
		}
	}
	sieve := NewSieve(s.until, s.sep*s.scale)
	var n int
	if s.width[0] == 2 {
		n = SieveEE(records, b[0], b[1], &sieve, records)
	} else {
		n = SieveVF(records, b[0], b[1], &sieve, records)
	}
	left := map[[2]int32]uint64{}
	for _, r := range records[:n] {
		left[[2]int32{r.A, r.B}] = r.Mask
	}
	return left
}

// direction is the direction along which the sieve looks at a pair. Any direction is good for a
// proof, so it need not be the one of the kernel to the last bit.
func (s *sieveScene) direction(b [2][]SieveBlock, i, j int) (n [3]*big.Rat) {
	x, y := &b[0][i/8], &b[1][j/8]
	var v [3]float32
	for k := range 3 {
		if v[k] = y.Along[k][j%8]; s.width[0] == 2 {
			p, q := (k+1)%3, (k+2)%3
			v[k] = float32(x.Along[p][i%8]*y.Along[q][j%8]) - float32(x.Along[q][i%8]*y.Along[p][j%8])
		}
		n[k] = new(big.Rat).SetFloat64(float64(v[k]))
	}
	return n
}

// proved reports whether the primitives i and j stay farther apart along n than the separation,
// over rationals: the ends of time and of the primitives suffice, for all is linear.
func (s *sieveScene) proved(n [3]*big.Rat, i, j int) bool {
	square, sep := new(big.Rat), new(big.Rat).SetFloat64(s.sep)
	for _, x := range n {
		checks.MulAdd(square, 1, x, x)
	}
	square.Mul(square, sep).Mul(square, sep)
	side := 0
	for _, t := range []*big.Rat{new(big.Rat), new(big.Rat).SetFloat64(s.until)} {
		for x := range s.width[0] {
			for y := range s.width[1] {
				p := s.at(s.corners[0][s.width[0]*i+x], t)
				q := s.at(s.corners[1][s.width[1]*j+y], t)
				d := new(big.Rat)
				for k := range 3 {
					checks.MulAdd(d, 1, n[k], p[k])
					checks.MulAdd(d, -1, n[k], q[k])
				}
				if side == 0 {
					side = d.Sign()
				}
				if d.Sign() == 0 || d.Sign() != side || new(big.Rat).Mul(d, d).Cmp(square) <= 0 {
					return false
				}
			}
		}
	}
	return true
}

// at is where a vertex is at a time.
func (s *sieveScene) at(v int32, t *big.Rat) (p [3]*big.Rat) {
	for k := range p {
		x0, x1 := new(big.Rat).SetFloat64(s.rec[8*v+int32(k)]), new(big.Rat).SetFloat64(s.rec[8*v+4+int32(k)])
		p[k] = x1.Sub(x1, x0)
		p[k].Mul(p[k], t).Add(p[k], x0)
	}
	return p
}

// check proves every pair that plain Go drops, and compares the other levels with it. It returns
// how many pairs are dropped and left.
func (s *sieveScene) check(t *testing.T) (dropped, left int) {
	t.Helper()
	b := s.blocks()
	var first map[[2]int32]uint64
	checks.AtLevels(t, func(level string) {
		masks := s.run(b)
		if first != nil {
			if !maps.Equal(first, masks) {
				t.Fatalf("%s leaves other pairs: %v, want %v, of %+v", level, masks, first, *s)
			}
			return
		}
		first = masks
		for i := range s.count[0] {
			for j := range s.count[1] {
				if masks[[2]int32{int32(i / 8), int32(j / 8)}]>>(i%8*8+j%8)&1 != 0 {
					left++
				} else if dropped++; !s.proved(s.direction(b, i, j), i, j) {
					t.Fatalf("pair %d %d is dropped, but not apart along its direction: %+v", i, j, *s)
				}
			}
		}
	})
	return dropped, left
}

// sieveFamilies are what scenes are drawn from.
var sieveFamilies = []string{
	"soup", "far", "touching", "parallel", "slivers", "late", "separation", "lattice", "huge", "tiny",
}

// newSieveScene draws a scene of some pairs of edges, or of vertices and faces.
func newSieveScene(r *rand.Rand, family string, edges bool) *sieveScene {
	s := &sieveScene{width: [2]int{1, 3}, scale: 1, until: r.Float64()}
	if edges {
		s.width = [2]int{2, 2}
	}
	for shape := range s.width {
		s.count[shape] = 1 + r.IntN(10)
		for range s.count[shape] * s.width[shape] {
			v := int32(len(s.rec) / 8)
			s.corners[shape] = append(s.corners[shape], v)
			s.rec = append(s.rec, s.vertex(r, family, shape)...)
		}
	}
	s.change(r, family)
	return s
}

// vertex draws a record.
func (s *sieveScene) vertex(r *rand.Rand, family string, shape int) []float64 {
	way, rec := 0.03, make([]float64, 8)
	if family == "touching" || family == "parallel" || family == "slivers" {
		way = 1e-8 * float64(r.IntN(2))
	}
	for k := range 3 {
		rec[k] = r.Float64()
		if family == "lattice" {
			rec[k] = float64(r.IntN(3))
		}
		rec[4+k] = rec[k] + way*(r.Float64()-0.5)
	}
	return rec
}

// change makes what a family has of a soup.
func (s *sieveScene) change(r *rand.Rand, family string) {
	primitive := func(shape, i int) []int32 {
		return s.corners[shape][s.width[shape]*i : s.width[shape]*i+s.width[shape]]
	}
	shift := func(v int32, by func(k int) float64) {
		for k := range 3 {
			d := by(k)
			s.rec[8*v+int32(k)] += d
			s.rec[8*v+4+int32(k)] += d
		}
	}
	switch family {
	case "far":
		at := [3]float64{1e3 * r.Float64(), -1e6 * r.Float64(), 1e5}
		for v := range len(s.rec) / 8 {
			shift(int32(v), func(k int) float64 { return at[k] })
		}
		s.scale = math.Ldexp(1, r.IntN(40)-20)
	case "touching": // each primitive has a vertex of one of the other shape
		for i := range s.count[0] {
			primitive(0, i)[0] = primitive(1, r.IntN(s.count[1]))[r.IntN(s.width[1])]
		}
	case "parallel": // all first edges lie on one line or nearly so, as do the vertices
		noise := []float64{0, 1e-17, 1e-12, 1e-7, 1e-4}[r.IntN(5)]
		direction := [3]float64{r.Float64() - 0.5, r.Float64(), r.Float64()}
		for v := range int32(len(s.rec) / 8) {
			at := r.Float64()
			shift(v, func(k int) float64 { return at*direction[k] + noise*r.Float64() - s.rec[8*v+int32(k)] })
		}
	case "slivers": // the third vertex of a face, and vertices, in line with the others or in their plane
		for j := range s.count[1] {
			p := primitive(1, j)
			at, noise := r.Float64(), []float64{0, 1e-16, 1e-10, 1e-5}[r.IntN(4)]
			s.between(r, p[len(p)-1], p[0], p[len(p)/2], at, noise)
		}
		for i := range s.count[0] {
			q := primitive(1, r.IntN(s.count[1]))
			s.between(r, primitive(0, i)[0], q[0], q[1], r.Float64(), 0)
		}
	case "late", "separation": // they meet at about the end of time, or come as near as the separation
		s.until = []float64{1, 0.5, r.Float64()}[r.IntN(3)]
		gap := 0.1 + r.Float64()
		if family == "separation" {
			s.sep = gap * []float64{0.5, 0.9, 1, 1e-3}[r.IntN(4)]
		}
		fall := (gap - s.sep) / s.until * (1 + []float64{0, 1e-7, -1e-7, 1e-5, -1e-5, -1e-3, -0.01}[r.IntN(7)])
		axis := int32(r.IntN(3))
		for shape, at := range []float64{gap, 0} {
			for _, v := range s.corners[shape] {
				copy(s.rec[8*v+4:8*v+8], s.rec[8*v:])
				s.rec[8*v+axis], s.rec[8*v+4+axis] = at, at*(1-fall/gap)
			}
		}
	case "huge", "tiny":
		scale := math.Ldexp(1, map[string]int{"huge": 60, "tiny": -60}[family]*(1+r.IntN(6)))
		for i := range s.rec {
			s.rec[i] *= scale
		}
		s.scale = []float64{1, 1 / scale, math.Ldexp(1, r.IntN(200)-100)}[r.IntN(3)]
	}
}

// between moves vertex v to a point between p and q, or near to it.
func (s *sieveScene) between(r *rand.Rand, v, p, q int32, at, noise float64) {
	for k := range int32(3) {
		x := s.rec[8*p+k] + at*(s.rec[8*q+k]-s.rec[8*p+k]) + noise*(r.Float64()-0.5)
		s.rec[8*v+k], s.rec[8*v+4+k] = x, x+1e-9*float64(r.IntN(2))
	}
}

// What the sieve drops stays apart: along the direction it looks along, over rationals.
func TestSieveDropsWhatStaysApart(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 45))
	for _, family := range sieveFamilies {
		dropped, left := 0, 0
		for trial := range 12 {
			d, l := newSieveScene(r, family, trial%2 == 0).check(t)
			dropped, left = dropped+d, left+l
		}
		if dropped == 0 && family != "touching" && family != "parallel" || left == 0 {
			t.Errorf("%s: %d pairs dropped, %d left: the test shows too little", family, dropped, left)
		}
	}
}

// A pair is dropped as soon as it is farther apart than it can move and rounding can hide, and one
// that moves farther is left: the sieve does what it is for.
func TestSieveIsSharp(t *testing.T) {
	for _, edges := range []bool{true, false} {
		for _, fall := range []float64{0.9999, 1} {
			s := &sieveScene{width: [2]int{1, 3}, count: [2]int{1, 1}, scale: 1, until: 0.5}
			add := func(shape int, x, y, z, z1 float64) {
				s.corners[shape] = append(s.corners[shape], int32(len(s.rec)/8))
				s.rec = append(s.rec, x, y, z, 0, x, y, z1, 0)
			}
			add(0, 0.25, 0.25, 1, 1-2*fall) // above the other by 1, which it falls by the end, but for a part
			if edges {
				s.width = [2]int{2, 2}
				add(0, -1, 0.25, 1, 1-2*fall)
			} else {
				add(1, 0, 1, 0, 0)
			}
			add(1, 0, 0, 0, 0)
			add(1, 0.125, 1, 0, 0)
			if dropped, _ := s.check(t); dropped == 1 != (fall < 1) {
				t.Errorf("edges %v: falling %v of the distance, %d pairs are dropped", edges, fall, dropped)
			}
		}
	}
}

// FuzzSieveBlocks: what is dropped of any two edges, or of any vertex and face, is apart over
// rationals, and all levels agree.
func FuzzSieveBlocks(f *testing.F) {
	r := rand.New(rand.NewPCG(13, 45))
	for i, family := range sieveFamilies {
		s := newSieveScene(r, family, true)
		f.Add(checks.Packed(append([]float64{s.until, s.sep}, s.rec...)), i%2 == 0, int16(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, edges bool, scale int16) {
		var x [34]float64
		for i := range x {
			if 8*i+8 <= len(data) {
				x[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
			}
			if !(math.Abs(x[i]) <= math.MaxFloat64) {
				t.Skip()
			}
		}
		s := &sieveScene{
			width: [2]int{1, 3}, count: [2]int{1, 1}, corners: [2][]int32{{0}, {1, 2, 3}},
			until: math.Abs(math.Mod(x[0], 1)), sep: math.Abs(x[1]), scale: math.Ldexp(1, int(scale)%1000), rec: x[2:],
		}
		if edges {
			s.width, s.corners = [2]int{2, 2}, [2][]int32{{0, 1}, {2, 3}}
		}
		for v := range 4 {
			s.rec[8*v+3], s.rec[8*v+7] = 0, 0
		}
		s.check(t)
	})
}

func TestSieveLayout(t *testing.T) {
	var b SieveBlock
	var s Sieve
	got := [...]uintptr{
		unsafe.Offsetof(b.Center), unsafe.Offsetof(b.Reach), unsafe.Offsetof(b.At), unsafe.Offsetof(b.Way),
		unsafe.Offsetof(b.Along), unsafe.Offsetof(b.Lean), unsafe.Sizeof(b),
		unsafe.Offsetof(s.Until), unsafe.Offsetof(s.Apart),
	}
	if want := [...]uintptr{0, 32, 64, 160, 256, 352, 384, 0, 4}; got != want {
		t.Fatalf("offsets are %v, the generator has %v", got, want)
	}
}

// All levels leave the same records, in place too.
func TestSieveLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 45))
	for trial := range 200 {
		family := sieveFamilies[trial%len(sieveFamilies)]
		s := newSieveScene(r, family, trial/10%2 == 0)
		sameSieveBlocks(t, s)
		b := s.blocks()
		if trial%7 == 0 { // numbers that are not finite
			x := &b[r.IntN(2)][0]
			x.Way[r.IntN(3)][r.IntN(8)], x.At[r.IntN(3)][r.IntN(8)] = float32(math.NaN()), inf32
			x.Center[r.IntN(3)] = []float64{math.Inf(1), math.NaN(), 1e300}[r.IntN(3)]
		}
		records := someRecords(r, r.IntN(40), len(b[0]), len(b[1]))
		sieve := NewSieve(s.until, s.sep)
		want := make([]Record, len(records))
		n := sieveGeneric(records, b[0], b[1], &sieve, want, s.width[0] == 1)
		fast := SieveVF
		if s.width[0] == 2 {
			fast = SieveEE
		}
		checks.AtLevels(t, func(level string) {
			got := make([]Record, len(records)+1)
			got[len(records)].A = -7
			if m := fast(records, b[0], b[1], &sieve, got[:len(records)]); m != n || !slices.Equal(got[:n], want[:n]) ||
				got[len(records)].A != -7 {
				t.Fatalf("%s, %s: %d records, want %d, or others", level, family, m, n)
			}
			got = slices.Clone(records)
			if m := fast(got, b[0], b[1], &sieve, got); m != n || !slices.Equal(got[:n], want[:n]) {
				t.Fatalf("%s, %s in place: %d records, want %d, or others", level, family, m, n)
			}
		})
	}
}

// sameSieveBlocks compares the blocks of a scene between levels; what is no number counts as equal.
func sameSieveBlocks(t *testing.T, s *sieveScene) {
	t.Helper()
	var want [2][]SieveBlock
	checks.AtLevels(t, func(level string) {
		got := s.blocks()
		if want[0] == nil {
			want = got
			return
		}
		for shape := range got {
			for n := range got[shape] {
				x, y := fmt.Sprintf("%b", got[shape][n]), fmt.Sprintf("%b", want[shape][n])
				if x != y {
					t.Fatalf("%s: block %d of %+v is\n%s, want\n%s", level, n, *s, x, y)
				}
			}
		}
	})
}

func BenchmarkSieve(b *testing.B) {
	r := rand.New(rand.NewPCG(12, 45))
	for _, edges := range []bool{true, false} {
		s := &sieveScene{width: [2]int{1, 3}, count: [2]int{800, 800}, scale: 1}
		if edges {
			s.width = [2]int{2, 2}
		}
		for shape := range s.width {
			for range 800 * s.width[shape] {
				s.corners[shape] = append(s.corners[shape], int32(len(s.rec)/8))
				s.rec = append(s.rec, s.vertex(r, "soup", shape)...)
			}
		}
		blocks := s.blocks()
		records := someRecords(r, 1000, 100, 100)
		pairs := 0
		for k := range records {
			records[k].Mask = r.Uint64() & r.Uint64() & r.Uint64() // 8 pairs a record
			pairs += bits.OnesCount64(records[k].Mask)
		}
		sieve, out := NewSieve(0.1, 0), make([]Record, 1000)
		name, run := "VF", SieveVF
		if edges {
			name, run = "EE", SieveEE
		}
		checks.AtLevels(b, func(level string) {
			b.Run(name+"/"+level, func(b *testing.B) {
				for b.Loop() {
					run(records, blocks[0], blocks[1], &sieve, out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*pairs), "ns/pair")
			})
		})
		checks.AtLevels(b, func(level string) {
			b.Run("blocks"+name+"/"+level, func(b *testing.B) {
				for b.Loop() {
					SieveBlocks(blocks[1], s.rec, s.corners[1], s.width[1], s.count[1], s.scale)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*800), "ns/primitive")
			})
		})
	}
}
