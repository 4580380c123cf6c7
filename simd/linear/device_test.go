package linear

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// deviceReference returns the results of ccd/device.h by the reference implementations: verdict and
// time.
func deviceReference(rec []float64, face bool) (filtered bool, state uint8, toi float64) {
	for _, x := range rec[:32] {
		if !(math.Abs(x) <= 1e150) {
			return false, RootUndecided, 0
		}
	}
	idx := [4]int32{0, 1, 2, 3}
	var q filterQuery
	q.load(rec, &idx, face)
	q.measure()
	if filtered = deviceFilter(&q); filtered {
		return true, RootNone, math.Inf(1)
	}
	for k := range 8 {
		s, e := float64(k)/8, float64(k+1)/8
		if q.apartOn(s, e) {
			continue
		}
		var r rootQuery
		r.start, r.end = s, e
		r.load(rec, &idx, face)
		switch toi, state = r.resolve(); state {
		case RootContact:
			return false, state, toi
		case RootUndecided:
			for range 12 {
				if m := (s + e) / 2; q.apartOn(s, m) {
					s = m
				} else {
					e = m
				}
			}
			return false, state, s
		}
	}
	return false, RootNone, math.Inf(1)
}

func deviceFilter(q *filterQuery) bool {
	u, v, t := q.derivatives()
	return q.finite() && (q.axesApart(0) || q.cubicApart(0, 0) || q.directionApart(vec.Cross(u, v), 0) ||
		q.directionApart(vec.Cross(v, t), 0) || q.directionApart(vec.Cross(t, u), 0))
}

// apartOn reports whether the query is certainly apart on [s, e], multiples of 2^-15.
func (q *filterQuery) apartOn(s, e float64) bool {
	if !(vec.Sum(q.scale) <= query.LargestPiece) {
		return false
	}
	if volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc)); volume >= query.Smallest {
		f0, f1, f2, f3, _ := q.bernstein()
		r, t := 1-s, 1-e
		w := func(a, b, c, d float64) float64 {
			return float64(f0*a) + float64(f1*b) + float64(f2*c) + float64(f3*d)
		}
		g0, g3 := w(r*r*r, r*r*s, r*s*s, s*s*s), w(t*t*t, t*t*e, t*e*e, e*e*e)
		g1 := w(3*r*r*t, float64(2*r*s*t)+float64(r*r*e), float64(2*s*r*e)+float64(s*s*t), 3*s*s*e)
		g2 := w(3*r*t*t, float64(2*r*t*e)+float64(s*t*t), float64(2*s*t*e)+float64(r*e*e), 3*s*e*e)
		if math.Signbit(g0) {
			g0, g1, g2, g3 = -g0, -g1, -g2, -g3
		}
		end, middle := float64(volume*pieceEndBound), float64(volume*pieceMiddleBound)
		if g0 > end && g3 > end && g1 >= middle && g2 >= middle {
			return true
		}
	}
	p := *q
	p.span(q, s, e)
	return p.turnsApart(0)
}

// deviceQuery returns the 24 doubles of the records.
func deviceQuery(rec []float64) (q [24]float64) {
	for i := range 4 {
		copy(q[3*i:3*i+3], rec[8*i:8*i+3])
		copy(q[12+3*i:15+3*i], rec[8*i+4:8*i+7])
	}
	return q
}

// checkConstants returns the sums that ccd_device_check must find, by the reference implementations
// and math.FMA.
func checkConstants() (fma, queries uint64) {
	seed, sum := uint64(20231123), uint64(14695981039346656037)
	next := func() float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed >> 32)
	}
	mix := func(x ...float64) {
		for _, x := range x {
			sum = (sum ^ math.Float64bits(x)) * 1099511628211
		}
	}
	for range 256 {
		a := next() + 0.75
		b := 1 + float64(next()*2.3283064365386963e-10)
		mix(math.FMA(a, b, -float64(a*b)), math.FMA(b, b, a))
	}
	fma = sum
	for i := range 64 {
		rec := make([]float64, 32)
		for k := range 24 {
			x := (next() - 2147483648) * 4.6566128730773926e-10
			if k < 3 {
				x += float64(i&3) - 1
			}
			rec[8*(k%12/3)+4*(k/12)+k%3] = x
		}
		var q filterQuery
		q.load(rec, &[4]int32{0, 1, 2, 3}, true)
		f0, f1, f2, f3, _ := q.bernstein()
		u, v, t := q.derivatives()
		uv, tu := vec.Cross(u, v), vec.Cross(t, u)
		mix(f0, f1, f2, f3, uv.X, uv.Y, uv.Z, tu.X, tu.Y, tu.Z)
		for _, face := range []bool{true, false} {
			_, state, toi := deviceReference(rec, face)
			mix(float64(state), toi)
		}
	}
	return fma, sum
}

func TestDeviceLaw4ConstantsOfTheCheck(t *testing.T) {
	text, err := os.ReadFile("../../include/ccd/device.h")
	if err != nil {
		t.Fatal(err)
	}
	fma, queries := checkConstants()
	found := regexp.MustCompile(`sum != (\w+)`).FindAllStringSubmatch(string(text), -1)
	if len(found) != 2 || found[0][1] != fmt.Sprintf("%#x", fma) || found[1][1] != fmt.Sprintf("%#x", queries) {
		t.Errorf("ccd_device_check wants %v; it should be %#x and %#x (simd/_gen/device_check.h)", found, fma, queries)
	}
}

// runDevice runs a program, under another one if it is not for this processor. It gives what the
// program returns of its check, and five numbers a query.
func runDevice(t *testing.T, under, program string, face []bool, rec []float64) (check int, out []float64) {
	t.Helper()
	var in []byte
	for i, f := range face {
		q := deviceQuery(rec[32*i : 32*i+32])
		for _, x := range append([]float64{float64(flag(f))}, q[:]...) {
			in = binary.NativeEndian.AppendUint64(in, math.Float64bits(x))
		}
	}
	words := append(strings.Fields(under), program)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin = bytes.NewReader(in)
	raw, err := cmd.Output()
	if err != nil || len(raw) != 8+40*len(face) {
		t.Fatalf("%v, %d bytes", err, len(raw))
	}
	for ; len(raw) > 0; raw = raw[8:] {
		out = append(out, math.Float64frombits(binary.NativeEndian.Uint64(raw)))
	}
	return int(out[0]), out[1:]
}

// deviceBuilds are compilers and options that must all give the same bits. Where long tests do not
// run they are one option for each of GCC and Clang, C++, and another processor.
func deviceBuilds(short bool) (all [][]string) {
	// GCC fuses by default, and every processor of this kind can.
	arm := []string{"aarch64-linux-gnu-gcc", "-O2", "-static", "-std=gnu99"}
	if !long.On() {
		clang := []string{"clang", "-O2", "-DCCDK_SOFT_FMA"}
		return [][]string{{"gcc", "-O2"}, clang, {"g++", "-O2", "-std=c++11", "-x", "c++"}, arm}
	}
	for _, c := range []string{"gcc", "clang"} {
		all = append(all, []string{c, "-O2"}, []string{c, "-O2", "-DCCDK_SOFT_FMA"})
		if !short {
			all = append(all, []string{c, "-O0"}, []string{c, "-O3", "-march=native"},
				[]string{c, "-O3", "-march=native", "-ffp-contract=fast"})
		}
	}
	for _, c := range []string{"g++", "clang++"} {
		all = append(all, []string{c, "-O2", "-std=c++11", "-x", "c++"})
	}
	return append(all, arm)
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func TestDeviceLaw4SameBits(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 500
	}
	var face []bool
	var rec, want []float64
	var seen [3]int
	for _, b := range textBatches(22, n) {
		face, rec = append(face, b.face...), append(rec, b.rec...)
	}
	for i, f := range face {
		q := rec[32*i : 32*i+32]
		filtered, state, toi := deviceReference(q, f)
		floats := make([]float64, 32)
		for k := range q {
			floats[k] = float64(float32(q[k]))
		}
		_, state32, toi32 := deviceReference(floats, f)
		want = append(want, float64(flag(filtered)), float64(state), toi, float64(state32), toi32)
		seen[state]++
	}
	if min(seen[0], seen[1], seen[2]) < 20 {
		t.Errorf("verdicts of %d queries: %v", len(face), seen)
	}
	for _, build := range deviceBuilds(testing.Short()) {
		t.Run(strings.Join(build, " "), func(t *testing.T) {
			under := ""
			if strings.HasPrefix(build[0], "aarch64") {
				if under = "qemu-aarch64"; !installed(under) {
					t.Skip("qemu-aarch64 is not installed")
				}
			}
			check, got := runDevice(t, under, compileText(t, "device.c", build[0], build[1:]...), face, rec)
			if check != 0 {
				t.Errorf("the check returns %d", check)
			}
			for i := range want {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
					t.Fatalf("query %d, number %d: %x, want %x (face %v, %v)",
						i/5, i%5, got[i], want[i], face[i/5], rec[i/5*32:i/5*32+32])
				}
			}
		})
	}
}

// The check finds products that are fused with sums or rounded otherwise, and a multiply-add that
// rounds twice.
func TestDeviceLaw5CheckFinds(t *testing.T) {
	if fusing() {
		for _, compiler := range []string{"gcc", "clang"}[:long.Part(2, 2)] {
			t.Run(compiler+" that fuses", func(t *testing.T) {
				program := compileText(t, "device.c", compiler, "-O3", "-march=native", "-ffp-contract=fast",
					"-DCCDK_MUL(a,b)=((a)*(b))")
				if check, _ := runDevice(t, "", program, nil, nil); check != 3 {
					t.Errorf("the check returns %d", check)
				}
			})
		}
	}
	for name, o := range map[string]struct {
		options string
		want    int
	}{
		"rounding twice": {"-DCCDK_FMA(a,b,c)=((a)*(b)+(c))", 1},
		"single factors": {"-DCCDK_MUL(a,b)=((double)(float)(a)*(b))", 1},
	} {
		t.Run(name, func(t *testing.T) {
			if check, _ := runDevice(t, "", compileText(t, "device.c", "gcc", "-O2", o.options), nil,
				nil); check != o.want {
				t.Errorf("the check returns %d, want %d", check, o.want)
			}
		})
	}
	t.Run("fast math", func(t *testing.T) {
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("gcc is not installed")
		}
		out, err := exec.Command("gcc", "-ffast-math", "-I../../include", "-fsyntax-only",
			"testdata/device.c").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "compile without -ffast-math") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
