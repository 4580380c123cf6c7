package linear

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/internal/checks"
	"ccd/simd/internal/level"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// textBatch are queries that share a final time and a separation.
type textBatch struct {
	tmax, sep float64
	face      []bool
	rec       []float64 // four records a query
}

// textBatches returns n hard queries for each of some times and separations: every family,
// contacts, and nearly static ones.
func textBatches(seed int64, n int) (all []textBatch) {
	r, names := rand.New(rand.NewSource(seed)), checks.FamilyNames
	for round := range 8 {
		b := textBatch{tmax: checks.Times[round%len(checks.Times)],
			sep: []float64{0, 0, 1e-3, 0, 0.25, 1e-310}[round%6]}
		for len(b.face) < n {
			face := r.Intn(2) == 0
			var rec []float64
			if r.Intn(3) == 0 {
				rec, _, _ = touching(r, 1, face, b.sep)
				exponent := []int{0, 0, 0, -300, 80, -100}[r.Intn(6)]
				for i := range rec {
					rec[i] = math.Ldexp(rec[i], exponent)
				}
			} else {
				rec, _ = checks.Motion(r, names[r.Intn(len(names))], 4, 1)
			}
			if r.Intn(4) == 0 { // bits below those of the family
				for i := range rec {
					rec[i] *= 1 + float64(r.Intn(64))*0x1p-52
				}
			}
			b.face, b.rec = append(b.face, face), append(b.rec, rec[:32]...)
		}
		all = append(all, b)
	}
	return all
}

// input returns the bytes that testdata/text.c reads.
func (b *textBatch) input() (out []byte) {
	bounds, pieces, ends := FilterBounds(b.tmax, b.sep), makePieceBounds(b.tmax, b.sep), TimePieceEnds(b.tmax)
	put := func(x ...float64) {
		for _, x := range x {
			out = binary.NativeEndian.AppendUint64(out, math.Float64bits(x))
		}
	}
	put(float64(len(b.face)))
	put(bounds[:]...)
	put(pieces[:]...)
	put(ends[:]...)
	for i, face := range b.face {
		put(float64(flag(face)))
		put(b.rec[32*i : 32*i+32]...)
	}
	return out
}

func flag(x bool) int {
	if x {
		return 1
	}
	return 0
}

// answers returns, by the reference implementations, the numbers that testdata/text.c must write.
func (b *textBatch) answers() (out []float64) {
	pieces, ends := makePieceBounds(b.tmax, b.sep), TimePieceEnds(b.tmax)
	bare := pieces
	bare[0], bare[1] = 0, 0
	one := []int32{0}
	for i, face := range b.face {
		rec, idx := b.rec[32*i:32*i+32], [][4]int32{{0, 1, 2, 3}}
		for _, f := range [][4]float64{{0, 1, 0, 0}, FilterBounds(b.tmax, b.sep)} {
			// the kernel for a part takes the axes as well, where the reference leaves them out of
			// a whole motion
			out = append(out, float64(1-filterGeneric(rec, idx, one, &f, []int32{0}, face)))
		}
		var q filterQuery
		q.load(rec, &idx[0], face)
		q.measure()
		if f := FilterBounds(b.tmax, b.sep); f[1] == 1 && f[2] == 0 && out[len(out)-1] == 0 && q.finite() &&
			q.axesApart(0) {
			out[len(out)-1] = 1
		}
		mask := []uint8{0}
		signsGeneric(rec, idx, one, &pieces, mask, face)
		out = append(out, float64(^mask[0]), float64(turnMask(rec, idx, &ends, &bare, face)))
		if b.sep > 0 {
			out = append(out, float64(turnMask(rec, idx, &ends, &pieces, face)))
		} else {
			out = append(out, 0)
		}
		out = b.values(out, &q, &pieces)
		var toi [8]float64
		var state [8]uint8
		rootsGeneric(rec, idx, make([]int32, 8), []uint8{0, 1, 2, 3, 4, 5, 6, 7}, &ends, toi[:], state[:], face)
		for k := range 8 {
			out = append(out, float64(state[k]), toi[k])
		}
		out = rootValues(out, rec, idx, &ends, face)
	}
	return out
}

func turnMask(rec []float64, idx [][4]int32, ends *[9]float64, bounds *[130]float64, face bool) (mask int) {
	var alive [8]uint8
	turnsGeneric(rec, idx, make([]int32, 8), []uint8{0, 1, 2, 3, 4, 5, 6, 7}, ends, bounds, alive[:], face)
	for k, a := range alive {
		mask |= int(1-a) << k
	}
	return mask
}

// values returns the intermediate values of the program.
func (b *textBatch) values(out []float64, q *filterQuery, pieces *[130]float64) []float64 {
	f := FilterBounds(b.tmax, b.sep)
	u, v, t := q.derivatives()
	uv := vec.Cross(u, v)
	out = append(out, vec.Sum(q.scale))
	for _, x := range []vec.Vec3{vec.Blend(q.b, f[0], f[1]), u, v, t, uv, vec.Cross(v, t), vec.Cross(t, u),
		vec.Cross(uv, t)} {
		out = append(out, x.X, x.Y, x.Z)
	}
	f0, f1, f2, f3, n := q.bernstein()
	area := vec.Permanent(q.mb, q.mc)
	volume, norm := vec.Dot(q.ma, area), vec.Sum(n)+float64(vec.Sum(area)*normBound)
	e, e3 := float64(volume*pieceEndBound)+float64(pieces[0]*norm), float64(volume*pieceMiddleBound)+
		float64(pieces[1]*norm)
	if !(volume >= query.Smallest && vec.Sum(q.scale) <= query.LargestPiece) {
		e, e3 = math.Inf(1), math.Inf(1)
	}
	return append(out, vec.Dot(uv, q.a[0]), f0, f1, f2, f3, e, e3)
}

func rootValues(out []float64, rec []float64, idx [][4]int32, ends *[9]float64, face bool) []float64 {
	var q rootQuery
	q.start, q.end = ends[0], ends[8]
	q.load(rec, &idx[0], face)
	if q.isolate(); q.bound == 0 { // the reference leaves out what is certain to be undecided
		return append(out, math.NaN())
	}
	for _, c := range q.f {
		out = append(out, c.H, c.L)
	}
	return append(out, q.bound)
}

// compileText builds a program of testdata; it skips the test where there is no such compiler,
// unless in CI.
func compileText(t *testing.T, source, compiler string, options ...string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed", compiler)
		}
		t.Skipf("%s is not installed", compiler)
	}
	for _, f := range []string{"../text/prelude.h", "../text/filter.cl", "../text/roots.cl",
		"../../include/ccd/device.h", "testdata/" + source} {
		if _, err := os.ReadFile(f); err != nil { // so that Go knows what the test depends on
			t.Fatal(err)
		}
	}
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"-Wall", "-Wextra", "-Werror", "-I../text", "-I../../include"}, options...)
	if !strings.HasSuffix(compiler, "++") {
		args = append([]string{"-std=c99"}, args...)
	}
	if out, err := exec.Command(compiler,
		append(args, "-o", program, filepath.Join("testdata", source))...).CombinedOutput(); err != nil {
		t.Fatalf("[build failed] %s %v: %v\n%s", compiler, args, err, out)
	}
	return program
}

// runText returns how many numbers of the program differ from those wanted, and tells the first.
func runText(t *testing.T, program string, batches []textBatch, want [][]float64) (differ int) {
	t.Helper()
	var in bytes.Buffer
	for i := range batches {
		in.Write(batches[i].input())
	}
	cmd := exec.Command(program)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		k := 0
		for q := range batches[i].face {
			for n := range textAnswer {
				if len(out) < 8 {
					t.Fatal("the program wrote too little")
				}
				got := math.Float64frombits(binary.NativeEndian.Uint64(out))
				out = out[8:]
				if n >= textAnswer-9 && math.IsNaN(w[k]) {
					k += flag(n == textAnswer-1)
					continue // no value to compare with
				}
				if got != w[k] && !(got != got && w[k] != w[k]) ||
					got == 0 && math.Signbit(got) != math.Signbit(w[k]) && n > 4 {
					if differ++; differ == 1 {
						t.Logf("batch %d (tmax %g, sep %g), query %d, face %v, number %d: %x, want %x\n%v",
							i, batches[i].tmax, batches[i].sep,
							q, batches[i].face[q], n, got, w[k], batches[i].rec[32*q:32*q+32])
					}
				}
				k++
			}
		}
	}
	if len(out) > 0 {
		t.Fatal("the program wrote too much")
	}
	return differ
}

// textAnswer is how many numbers the program writes for a query: five verdicts, values, states and
// times of eight pieces, the cubic and its bound.
const textAnswer = 5 + (1 + 24 + 7) + 16 + 9

// checkSeen fails unless every verdict and every state of a root occurs.
func checkSeen(t *testing.T, batches []textBatch, want [][]float64) {
	var states [3]int
	var kept [5][2]int // counts of both filters, of the signs, and of the turns without and with a separation
	for i, w := range want {
		for range batches[i].face {
			for n := range kept {
				kept[n][flag(w[n] > 0)]++
			}
			for k := range 8 {
				states[int(w[5+32+2*k])]++
			}
			short := w[textAnswer-9] != w[textAnswer-9] // no cubic
			w = w[textAnswer-8*flag(short):]
		}
	}
	for n, k := range kept {
		if min(k[0], k[1]) < 100 {
			t.Errorf("verdict %d: %v", n, k)
		}
	}
	if min(states[0], states[1], states[2]) < 100 {
		t.Errorf("states of roots: %v", states)
	}
	t.Log(kept, states)
}

// fusing reports whether the processor multiplies and adds in one instruction.
func fusing() bool {
	return runtime.GOARCH == "arm64" || runtime.GOARCH == "amd64" && level.Now != level.Generic
}

func TestTextLaw7SameBits(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 500
	}
	batches := textBatches(21, n)
	var want [][]float64
	for i := range batches {
		want = append(want, batches[i].answers())
	}
	checkSeen(t, batches, want)
	native, fused := "-march=native", "-ffp-contract=fast"
	options := [][]string{{"-O3", native, fused}, {"-O2", "-DCCDK_SOFT_FMA"}, {"-O2"}, {"-O0"}, {"-O3", native}}
	for c, compiler := range []string{"gcc", "clang"} {
		for k, o := range options {
			if testing.Short() && k > 1 || !long.On() && k != c { // make test compiles each option once
				continue
			}
			t.Run(fmt.Sprint(compiler, o), func(t *testing.T) {
				if d := runText(t, compileText(t, "text.c", compiler, o...), batches, want); d > 0 {
					t.Errorf("%d numbers differ", d)
				}
			})
		}
		if fusing() && (c == 0 || long.On()) {
			t.Run(compiler+" that fuses", func(t *testing.T) { // shows that the comparison would see it
				program := compileText(t, "text.c", compiler, "-O3", native, fused, "-DCCDK_MUL(a,b)=((a)*(b))")
				if d := runText(t, program, batches, want); d == 0 {
					t.Error("no number differs where products are fused with sums")
				}
			})
		}
	}
}

// ccdk_fma against math.FMA: all triples of special values, and random ones, of which many cancel.
func TestTextFma(t *testing.T) {
	n := 1000000
	if testing.Short() {
		n = 100000
	}
	var in, want []float64
	add := func(a, b, c float64) {
		in, want = append(in, a, b, c), append(want, math.FMA(a, b, c))
	}
	special := []float64{0, 1, 1 + 0x1p-52, 2 - 0x1p-52, 3, 0x1p-1074, 0x1p-1022, 0x1p-1022 - 0x1p-1074, 0x1p-537,
		0x1.8p-538, 0x1p-52, 0x1p53,
		0x1p512, math.MaxFloat64, 0x1p1023, math.Inf(1), math.NaN(), 0x1.fffffffffffffp511, 0x1p-485, 0x1p-969}
	for i := range special {
		special = append(special, -special[i])
	}
	for _, a := range special {
		for _, b := range special {
			for _, c := range special {
				add(a, b, c)
			}
		}
	}
	r := rand.New(rand.NewSource(31))
	number := func(e int) float64 {
		m := r.Uint64() >> 12
		if r.Intn(4) == 0 { // few bits
			m &= ^uint64(0) << (r.Intn(52))
		}
		return math.Float64frombits(uint64(r.Intn(2))<<63|uint64(max(0, min(2046, e)))<<52) +
			math.Ldexp(float64(m), e-1023-52)
	}
	for range n {
		ea, eb := r.Intn(2047), r.Intn(2047)
		if r.Intn(2) == 0 {
			eb = 2046 - ea + r.Intn(200) - 100
		}
		a, b := number(ea), number(eb)
		c := number(ea + eb - 1023 + r.Intn(240) - 120)
		switch r.Intn(4) {
		case 0:
			c = -(a * b)
		case 1:
			c = -(a * b) * (1 + float64(r.Intn(9)-4)*0x1p-52)
		}
		add(a, b, c)
	}
	var raw bytes.Buffer
	if err := binary.Write(&raw, binary.NativeEndian, in); err != nil {
		t.Fatal(err)
	}
	for _, compiler := range []string{"gcc", "clang"} {
		t.Run(compiler, func(t *testing.T) {
			cmd := exec.Command(compileText(t, "fma.c", compiler, "-O2", "-DCCDK_SOFT_FMA"))
			cmd.Stdin = bytes.NewReader(raw.Bytes())
			out, err := cmd.Output()
			if err != nil || len(out) != 8*len(want) {
				t.Fatalf("%v, %d bytes", err, len(out))
			}
			for i, w := range want {
				got := binary.NativeEndian.Uint64(out[8*i:])
				if x := math.Float64frombits(got); got != math.Float64bits(w) && !(x != x && w != w) {
					t.Fatalf("fma(%x, %x, %x) = %x, want %x", in[3*i], in[3*i+1], in[3*i+2], x, w)
				}
			}
		})
	}
}
