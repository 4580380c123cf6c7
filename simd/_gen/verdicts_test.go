package main

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	curves "ccd/simd/curve"
	"ccd/simd/gen/proof"
	"ccd/simd/internal/checks"
	"ccd/simd/linear"
	resting "ccd/simd/still"
)

// verdicts runs the lines of a printed program, one after the other, on one query, and returns the
// masks that the program gives: those of its last lines that move masks to registers, or, where
// there is none, its last mask. Lines whose rounding a proof knows are run by what is printed of
// them, the others, which combine masks, by the generator's operation.
func verdicts(q *proof.Program, input func(name string) float64) (masks []bool) {
	p := programOf[q]
	x, is := make([]float64, len(q.Ops)), make([]bool, len(q.Ops))
	rounded := func(v float64) float64 {
		if q.Single { // Of sums and products of floats, doubles round as real numbers do.
			return float64(float32(v))
		}
		return v
	}
	last := false
	for i, o := range q.Ops {
		args := p.ops[i].args
		arg := func(k int) float64 { return x[args[k]] }
		mask := func(k int) bool { return is[args[k]] }
		switch o.Code {
		case "input":
			x[i] = input(o.Name)
		case "const":
			x[i] = o.Value
		case "add":
			x[i] = rounded(arg(0) + arg(1))
		case "sub":
			x[i] = rounded(arg(0) - arg(1))
		case "mul":
			x[i] = rounded(float64(arg(0) * arg(1)))
		case "min":
			x[i] = arg(1)
			if arg(0) < arg(1) {
				x[i] = arg(0)
			}
		case "max":
			x[i] = arg(1)
			if arg(0) > arg(1) {
				x[i] = arg(0)
			}
		case "abs":
			x[i] = math.Abs(arg(0))
		case "neg":
			x[i] = -arg(0)
		case "flip":
			x[i] = arg(0)
			if math.Signbit(arg(1)) {
				x[i] = -arg(0)
			}
		default:
			switch code := p.ops[i].code; {
			case o.Code == "lt" || code == opLess:
				is[i] = arg(0) < arg(1)
			case o.Code == "le" || code == opLessEq:
				is[i] = arg(0) <= arg(1)
			case o.Code == "gt" || code == opGreater:
				is[i] = arg(0) > arg(1)
			case o.Code == "ge" || code == opGreaterEq:
				is[i] = arg(0) >= arg(1)
			case code == opAnd:
				is[i] = mask(0) && mask(1)
			case code == opOr:
				is[i] = mask(0) || mask(1)
			case code == opAndNot:
				is[i] = !mask(0) && mask(1)
			case p.isSign(value(i)):
				x[i] = math.Copysign(0, arg(0))
			case code == opBits:
				masks = append(masks, mask(0))
			case code != opLeave: // It leaves early where the masks at the end are set in all lanes.
				panic(fmt.Sprintf("%s: line %d is %s, operation %d", q.Name, i, o.Code, code))
			}
			last = is[i]
		}
	}
	if len(masks) == 0 {
		masks = []bool{last}
	}
	return masks
}

// pointsAt returns the differences of a query's vertices by the names of the inputs; coordinate
// returns number k of control point l of a vertex.
func pointsAt(kind string, at [4]int32, coordinate func(v int32, l, k int) float64) func(string) (float64, bool) {
	return func(name string) (float64, bool) {
		v := strings.IndexByte("ABC", name[0])
		if v < 0 {
			return 0, false
		}
		l := 0
		if len(name) == 3 {
			l = int(name[1] - '0')
		}
		k, d := int(name[len(name)-1]-'x'), differences[kind][v]
		return coordinate(at[d[0]], l, k) - coordinate(at[d[1]], l, k), true
	}
}

// verdictScale is a power of two about the ends of the range of single precision.
func verdictScale(r *rand.Rand) int { return []int{0, 0, 25, -20, -59, -61, -75}[r.Intn(7)] }

var verdictSeparations = []float64{0, 0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}

// besidePlane is the family of queries whose vertices are in one plane but for some roundings, on
// one side: what is compared is near its bound.
const besidePlane = "beside a plane"

// drawBesidePlane draws four records of that family: a triangle and a point in its plane, and what
// moves all of them at a control point.
func drawBesidePlane(r *rand.Rand, rec []float64, stride, next int, single bool) {
	unit := 0x1p-53
	if single {
		unit = 0x1p-24
	}
	var x [4][3]float64
	for k := range 3 {
		for v := 1; v < 4; v++ {
			x[v][k] = float64(r.Intn(17)-8) / 64
		}
		x[0][k] = x[1][k] + (x[2][k]-x[1][k])/4 + (x[3][k]-x[1][k])/2
	}
	side, axis := unit*float64(2*r.Intn(2)-1), r.Intn(3)
	for l := range stride / next {
		by := [3]float64{float64(r.Intn(5)-2) / 64, float64(r.Intn(5)-2) / 64, float64(r.Intn(5)-2) / 64}
		off := side * float64(r.Intn(16<<r.Intn(5)))
		for v := range x {
			for k := range 3 {
				rec[stride*v+next*l+k] = x[v][k] + by[k]
			}
		}
		rec[next*l+axis] += off
	}
}

// TestKernelsGiveTheVerdictsOfTheLines compares what the library answers, at every level, with the
// lines that are printed, and proven, one query at a time: filters, straight and curved, in both
// precisions, of the whole motion and of a part.
func TestKernelsGiveTheVerdictsOfTheLines(t *testing.T) {
	type kernel func(degree int, rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int
	straight := func(f func([]float64, [][4]int32, []int32, float64, float64, []int32) int) kernel {
		return func(_ int, rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
			return f(rec, idx, list, tmax, sep, out)
		}
	}
	curved := func(f func([]float64, int, [][4]int32, []int32, float64, float64, []int32) int) kernel {
		return func(degree int, rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
			return f(rec, degree, idx, list, tmax, sep, out)
		}
	}
	curved32 := func(f func([]float64, int, [][4]int32, []int32, float64, float64, float64, []int32) int) kernel {
		return func(degree int, rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
			return f(rec, degree, idx, list, tmax, sep, 0, out)
		}
	}
	for _, c := range []struct {
		kind    string
		single  bool
		degrees []int
		call    kernel
	}{
		{"VF", false, []int{1}, straight(linear.FilterVF)}, {"EE", false, []int{1}, straight(linear.FilterEE)},
		{"VF", true, []int{1}, straight(linear.Filter32VF)}, {"EE", true, []int{1}, straight(linear.Filter32EE)},
		{"VF", false, []int{2, 3}, curved(curves.FilterVF)}, {"EE", false, []int{2, 3}, curved(curves.FilterEE)},
		{"VF", true, []int{2, 3}, curved32(curves.Filter32VF)}, {"EE", true, []int{2, 3}, curved32(curves.Filter32EE)},
	} {
		for _, degree := range c.degrees {
			checkFilter(t, c.kind, degree, c.single,
				func(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int {
					return c.call(degree, rec, idx, list, tmax, sep, out)
				})
		}
	}
}

type filterCall func(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int

// checkFilter compares a filter with its printed programs, and shows that other lines give other
// verdicts: with larger bounds, and with another sign in the cubic or a direction.
func checkFilter(t *testing.T, kind string, degree int, single bool, call filterCall) {
	lines := func(change func(q *proof.Program) *proof.Program) map[bool]*proof.Program {
		programs := map[bool]*proof.Program{}
		for _, part := range []bool{false, true} {
			var q *proof.Program
			if degree == 1 {
				q = printedFilter(kind, single, part)
			} else {
				q = printedCurve(kind, degree, single, part)
			}
			programs[part] = change(q)
			programOf[programs[part]] = programOf[q]
		}
		return programs
	}
	same := func(q *proof.Program) *proof.Program { return q }
	if found := compareFilter(t, lines(same), kind, degree, single, call); found != "" {
		t.Error(found)
	}
	for what, change := range map[string]func(q *proof.Program) *proof.Program{
		"bounds that are twice as large": func(q *proof.Program) *proof.Program {
			names := map[string]bool{}
			for _, o := range q.Ops {
				if strings.Contains(o.Name, "Bound") {
					names[o.Name] = true
				}
			}
			for name := range names {
				q = changed(q, name, 2)
			}
			return q
		},
		"a plus for the first minus": func(q *proof.Program) *proof.Program {
			i := slices.IndexFunc(q.Ops, func(o proof.Op) bool { return o.Code == "sub" })
			q.Ops[i].Code = "add"
			return q
		},
	} {
		if compareFilter(t, lines(change), kind, degree, single, call) == "" {
			t.Errorf("%s, degree %d, single %v: with %s the lines give the same verdicts", kind, degree, single, what)
		}
	}
}

// compareFilter returns a difference between a filter and its lines, those of the whole motion and
// those of a part.
func compareFilter(t *testing.T, programs map[bool]*proof.Program, kind string, degree int, single bool,
	call filterCall) (difference string) {
	const queries = 24
	r := rand.New(rand.NewSource(54))
	stride, next := 8, 4 // A straight record has both ends, each of three numbers and one that is not used.
	if degree > 1 {
		stride, next = 3*(degree+1), 3
	}
	kept, total := 0, 0
	for _, family := range append(slices.Clone(checks.FamilyNames), besidePlane) {
		rounds := 4
		if family == besidePlane {
			rounds = 24
		}
		for range rounds {
			rec, exponent := make([]float64, 4*queries*stride+1), verdictScale(r)
			for i := range rec {
				if family != besidePlane {
					rec[i] = math.Ldexp(checks.Families[family](r), exponent)
				}
			}
			var idx [][4]int32
			for i := range queries {
				if family == besidePlane {
					drawBesidePlane(r, rec[4*i*stride:], stride, next, single)
				}
				idx = append(idx, [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)})
			}
			tmax, sep := checks.Times[r.Intn(len(checks.Times))], verdictSeparations[r.Intn(len(verdictSeparations))]
			if r.Intn(3) == 0 {
				tmax, sep = 1, 0
			}
			var bounds [4]float64
			whole := false
			if single {
				b, isWhole := linear.FilterBounds32(tmax, sep)
				for i := range b {
					bounds[i] = float64(b[i])
				}
				whole = isWhole
			} else {
				bounds = linear.FilterBounds(tmax, sep)
				whole = bounds[1] == 1 && bounds[2] == 0
			}
			var want []int32
			for i, at := range idx {
				of := pointsAt(kind, at, func(v int32, l, k int) float64 { return rec[stride*int(v)+next*l+k] })
				apart := verdicts(programs[!whole], func(name string) float64 {
					if x, ok := of(name); ok {
						if single {
							return float64(float32(x))
						}
						return x
					}
					return bounds[slices.Index([]string{"w0", "w1", "sep", "sep3"}, name)]
				})
				if !apart[len(apart)-1] {
					want = append(want, int32(i))
				}
			}
			kept, total = kept+len(want), total+queries
			checks.AtLevels(t, func(level string) {
				out := make([]int32, queries)
				out = out[:call(rec, idx, checks.Everything(queries), tmax, sep, out)]
				if !slices.Equal(out, want) {
					difference = fmt.Sprintf("%s, degree %d, single %v, %s, %s: %v are kept, the lines say %v",
						kind, degree, single, family, level, out, want)
				}
			})
		}
	}
	if kept*20 < total || kept*20 > 19*total {
		t.Errorf("%s, degree %d, single %v: %d of %d are kept: the test shows too little",
			kind, degree, single, kept, total)
	}
	return difference
}

// TestStillKernelsGiveTheVerdictsOfTheLines is the same for edges and faces at one time, and for
// distances there.
func TestStillKernelsGiveTheVerdictsOfTheLines(t *testing.T) {
	r := rand.New(rand.NewSource(540))
	crossing := printedCrossing()
	kept, total := [3]int{}, 0
	for _, family := range checks.FamilyNames {
		for range 6 {
			const pairs = 24
			rec, idx := checks.Motion(r, family, 20, 2*pairs)
			var edges [][2]int32
			var faces [][3]int32
			var list [][2]int32
			for i := range pairs {
				edges, faces = append(edges, [2]int32(idx[i][:2])), append(faces, [3]int32(idx[pairs+i][:3]))
				list = append(list, [2]int32{int32(i), int32(i)})
			}
			var want []int32
			for i := range list {
				e, f := edges[i], faces[i]
				others := map[byte]int32{'B': f[1], 'C': f[2], 'P': e[0], 'Q': e[1]}
				masks := verdicts(crossing, func(name string) float64 {
					k := int(name[1] - 'x')
					return rec[8*int(f[0])+k] - rec[8*int(others[name[0]])+k]
				})
				switch apart, inside := masks[0], masks[1]; {
				case apart:
				case inside:
					want = append(want, ^int32(i))
					kept[2]++
				default:
					want = append(want, int32(i))
				}
			}
			kept[0], total = kept[0]+len(want), total+pairs
			checks.AtLevels(t, func(level string) {
				out := make([]int32, pairs)
				out = out[:resting.FilterEF(rec, edges, faces, list, out)]
				if !slices.Equal(out, want) {
					t.Errorf("edges and faces, %s, %s: %v are kept, the lines say %v", family, level, out, want)
				}
			})
			kept[1] += checkNear(t, r, family, rec, idx[:pairs])
		}
	}
	for i, n := range kept {
		if n == 0 || n == total {
			t.Errorf("%d of %d, number %d: the test shows too little", n, total, i)
		}
	}
}

// checkNear compares NearVF and NearEE with the printed programs and returns how many are kept.
func checkNear(t *testing.T, r *rand.Rand, family string, rec []float64, idx [][4]int32) (kept int) {
	d := []float64{0, 0.1, 0.5, 1e-9}[r.Intn(4)]
	square := d * bounds["nearMargin"]
	square = max(float64(square*square), bounds["leastNear"])
	for kind, call := range map[string]func([]float64, [][4]int32, float64, []int32) int{
		"VF": resting.NearVF, "EE": resting.NearEE} {
		q := printedNear(kind)
		var want []int32
		for i, at := range idx {
			of := pointsAt(kind, at, func(v int32, _, k int) float64 { return rec[8*int(v)+k] })
			size := 0.0
			for k := range 3 {
				each := 0.0
				for _, v := range "ABC" {
					x, _ := of(string(v) + "xyz"[k:k+1])
					each += math.Abs(x)
				}
				size += each
			}
			far := verdicts(q, func(name string) float64 {
				if x, ok := of(name); ok {
					return x
				}
				return square
			})
			if !far[0] || size > bounds["largestPiece"] {
				want = append(want, int32(i))
			}
		}
		kept += len(want)
		checks.AtLevels(t, func(level string) {
			out := make([]int32, len(idx))
			out = out[:call(rec, idx, d, out)]
			if !slices.Equal(out, want) {
				t.Errorf("near %s, %s, %s: %v are kept, the lines say %v", kind, family, level, out, want)
			}
		})
	}
	return kept / 2
}

// TestPiecesGiveTheVerdictsOfTheLines is the same for directions on pieces of time: what the lines
// prove, the library leaves out, and in a plane, where the cubic proves nothing, nothing else.
func TestPiecesGiveTheVerdictsOfTheLines(t *testing.T) {
	r := rand.New(rand.NewSource(541))
	kept, total := 0, 0
	for kind, call := range map[string]func([]float64, [][4]int32, []int32, float64, float64, []int32, []uint8) int{
		"VF": linear.TimePiecesVF, "EE": linear.TimePiecesEE} {
		programs := map[bool]*proof.Program{false: printedTurns(kind, false), true: printedTurns(kind, true)}
		for _, family := range checks.FamilyNames {
			for n := range 4 {
				const queries = 12
				rec, idx := checks.Motion(r, family, 20, queries)
				flat := n%2 == 0
				if flat {
					for i := range 40 {
						rec[4*i+2] = 0
					}
				}
				tmax, sep := []float64{1, 0.5, 1e-3}[r.Intn(3)], []float64{0, 0, 1e-3, 0.25}[r.Intn(4)]
				slack, ends := linear.FilterBounds(1, sep)[2], linear.TimePieceEnds(tmax)
				want := make([]uint8, queries)
				for i, at := range idx {
					of := pointsAt(kind, at, func(v int32, l, k int) float64 { return rec[8*int(v)+4*l+k] })
					for piece := range 8 {
						apart := verdicts(programs[sep > 0], func(name string) float64 {
							if x, ok := of(name); ok {
								return x
							}
							return map[string]float64{"start": ends[piece], "end": ends[piece+1], "sep": slack}[name]
						})
						if !apart[len(apart)-1] {
							want[i] |= 1 << piece
							kept++
						}
						total++
					}
				}
				checks.AtLevels(t, func(level string) {
					out, masks, got := make([]int32, queries), make([]uint8, queries), make([]uint8, queries)
					for j := range call(rec, idx, checks.Everything(queries), tmax, sep, out, masks) {
						got[out[j]] = masks[j]
					}
					for i := range got {
						if got[i]&^want[i] != 0 || flat && got[i] != want[i] {
							t.Errorf("%s, %s, %s: pieces %08b are kept, the lines say %08b",
								kind, family, level, got[i], want[i])
						}
					}
				})
			}
		}
	}
	if kept*20 < total || kept*20 > 19*total {
		t.Errorf("%d of %d pieces are kept: the test shows too little", kept, total)
	}
}
