package rigid

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// dataDir returns where the trials are; the tests that need it skip where there is none.
func dataDir(t testing.TB) string {
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "rigid")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no data at %s (CCD_DATA)", dir)
	}
	return dir
}

func doubles(t testing.TB, path string) []float64 {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}

// surface reads mesh_<name>.bin.
func surface(t testing.TB, name string) (vertices []float64, faces [][3]int32) {
	b, err := os.ReadFile(filepath.Join(dataDir(t), "mesh_"+name+".bin"))
	if err != nil {
		t.Fatal(err)
	}
	word := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[i:])) }
	nv, nf := int(word(0)), int(word(4))
	for i := range 3 * nv {
		vertices = append(vertices, math.Float64frombits(binary.LittleEndian.Uint64(b[8+8*i:])))
	}
	for i := range nf {
		at := 8 + 24*nv + 12*i
		faces = append(faces, [3]int32{word(at), word(at + 4), word(at + 8)})
	}
	return vertices, faces
}

// A trial is a row of trials_<A>_<B>_<speed>.bin with its row of the reference.
type trial struct {
	a, b          Motion
	toi, distance float64
}

var pairs = [][2]string{{"bunny", "bunny"}, {"gear", "gear"}, {"screw", "nut"}}

func trials(t testing.TB, pair [2]string, speed int) []trial {
	name := fmt.Sprintf("%s_%s_%d.bin", pair[0], pair[1], speed)
	rows := doubles(t, filepath.Join(dataDir(t), "trials_"+name))
	ref := doubles(t, filepath.Join(dataDir(t), "ref_"+name))
	out := make([]trial, len(ref)/2)
	motion := func(x []float64) Motion {
		return Motion{
			Position: geom.VecOf(x), Rotation: quat.Number{Real: x[3], Imag: x[4], Jmag: x[5], Kmag: x[6]},
			Velocity: geom.VecOf(x[7:]), AngularVelocity: geom.VecOf(x[10:]),
		}
	}
	for i := range out {
		out[i] = trial{motion(rows[26*i:]), motion(rows[26*i+13:]), ref[2*i], ref[2*i+1]}
	}
	return out
}

func bodyOf(t testing.TB, name string) *Body {
	v, f := surface(t, name)
	b, err := NewBody(v, f, 2)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTrials: every contact of the reference is found, no other one, at a distance between what is
// kept and the separation plus the tolerance, and not later than the reference, which is early by
// up to 1e-7 / closing speed.
func TestTrials(t *testing.T) {
	for _, separation := range []float64{0, 1e-10} {
		o := DefaultOptions()
		o.MinSeparation = separation
		runTrials(t, &o)
	}
}

func runTrials(t *testing.T, o *Options) {
	kept := o.resolved().MinSeparation
	var s Solver
	for _, pair := range pairs {
		a, b := bodyOf(t, pair[0]), bodyOf(t, pair[1])
		for _, speed := range []int{4, 512} {
			hits, steps, far := 0, int64(0), 0.0
			for i, tr := range trials(t, pair, speed) {
				var im Impact
				if err := s.Earliest(a, b, &tr.a, &tr.b, o, &im); err != nil {
					t.Fatal(err)
				}
				steps += im.Iterations
				if (tr.toi >= 0) != (im.Verdict == geom.Contact) || im.Verdict == geom.Undecided {
					t.Errorf("%v %d: trial %d: %+v, the reference says %v", pair, speed, i, im, tr)
					continue
				}
				if tr.toi < 0 {
					continue
				}
				hits++
				far = max(far, im.TOILo-tr.toi)
				late := 1e-7/closing(&tr, &im) + 1e-15*float64(speed)
				if im.TOILo < tr.toi-1e-12 || im.TOILo > tr.toi+late {
					t.Errorf("%v %d: trial %d: at %v, the reference says %v", pair, speed, i, im.TOILo, tr)
				}
				if !(im.Distance >= kept && im.Distance <= o.MinSeparation+o.Tolerance) {
					t.Errorf("%v %d: trial %d: distance %v", pair, speed, i, im.Distance)
				}
			}
			t.Logf("separation %v, %v at speed %d: %d hits, %.0f iterations a trial, at most %.2g after the reference",
				o.MinSeparation, pair, speed, hits, float64(steps)/256, far)
		}
	}
}

// closing returns the speed at which the points of contact approach along the normal.
func closing(tr *trial, im *Impact) float64 {
	at := func(m *Motion, p r3.Vec) r3.Vec {
		center := r3.Add(m.Position, geom.Scale(im.TOILo, m.Velocity))
		return r3.Add(m.Velocity, geom.Cross(m.AngularVelocity, r3.Sub(p, center)))
	}
	return geom.Dot(im.Normal, r3.Sub(at(&tr.b, im.PointB), at(&tr.a, im.PointA)))
}

func BenchmarkTrials(b *testing.B) {
	for _, pair := range pairs {
		x, y := bodyOf(b, pair[0]), bodyOf(b, pair[1])
		for _, speed := range []int{4, 512} {
			list := trials(b, pair, speed)
			b.Run(fmt.Sprintf("%s-%s/%d", pair[0], pair[1], speed), func(b *testing.B) {
				var s Solver
				var im Impact
				steps := int64(0)
				n := 0
				for b.Loop() {
					tr := &list[n%len(list)]
					n++
					if err := s.Earliest(x, y, &tr.a, &tr.b, nil, &im); err != nil {
						b.Fatal(err)
					}
					steps += im.Iterations
				}
				b.ReportMetric(float64(steps)/float64(n), "steps/op")
			})
		}
	}
}
