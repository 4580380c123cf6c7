package rigid

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

func TestZZPose(t *testing.T) {
	for _, name := range []string{"bumpy", "gear", "screw", "terrain", "knot"} {
		raw, _ := os.ReadFile("/tmp/pz/" + name + ".mesh")
		n, m := int(binary.LittleEndian.Uint64(raw)), int(binary.LittleEndian.Uint64(raw[8:]))
		v := make([]float64, 3*n)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[16+8*i:]))
		}
		f := make([][3]int32, m)
		for i := range f {
			for k := range 3 {
				f[i][k] = int32(binary.LittleEndian.Uint32(raw[16+24*n+12*i+4*k:]))
			}
		}
		b, err := NewBody(v, f, 2)
		if err != nil {
			t.Fatal(err)
		}
		var r Ruler
		for _, d := range []string{"0.01", "0.1", "0.3", "1.0"} {
			file, _ := os.Open("/tmp/pz/" + name + "_" + d + ".txt")
			sum, theirs, worst, steps, k, width := 0.0, 0.0, 0.0, int64(0), 0.0, 0.0
			for sc := bufio.NewScanner(file); sc.Scan(); {
				var x [13]float64
				for i, w := range strings.Fields(sc.Text()) {
					fmt.Sscan(w, &x[i])
				}
				pa := geom.Pose{Rotation: quat.Number{Real: x[0], Imag: x[1], Jmag: x[2], Kmag: x[3]}}
				pb := geom.Pose{Rotation: quat.Number{Real: x[4], Imag: x[5], Jmag: x[6], Kmag: x[7]}, Position: r3.Vec{X: x[8], Y: x[9], Z: x[10]}}
				best := math.Inf(1)
				var g Gap
				for range 5 {
					t0 := time.Now()
					if err := r.Distance(b, &pa, b, &pb, DistanceOptions{}, &g); err != nil {
						t.Fatal(err)
					}
					best = min(best, float64(time.Since(t0).Nanoseconds())/1e3)
				}
				sum += best
				theirs += x[12]
				steps += g.Iterations
				k++
				width = max(width, g.Hi-g.Lo)
				worst = max(worst, math.Abs(g.Hi-x[11]))
			}
			t.Logf("%s %s: ours %.1f us, coal %.1f, ratio %.2f, steps %d, worst diff %.2g width %.2g", name, d, sum/k, theirs/k, theirs/sum, steps/int64(k), worst, width)
		}
	}
}
