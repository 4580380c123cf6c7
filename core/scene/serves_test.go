package scene

import (
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

// A view that was made for a small motion and a small separation does not serve a longer motion of
// the same vertices, nor a larger separation: a triangle high over a large sheet of small triangles
// moves a little, then meets the sheet, and comes within a separation of it.
func TestViewsServeOnlyWhatTheyHold(t *testing.T) {
	const side = 40
	var x0 []float64
	var faces []int32
	for i := range int32(side) {
		for j := range int32(side) {
			x0 = append(x0, float64(i), float64(j), 0)
			if i > 0 && j > 0 {
				a := (i-1)*side + j - 1
				faces = append(faces, a, a+side, a+1, a+side, a+side+1, a+1)
			}
		}
	}
	first := int32(len(x0) / 3)
	x0 = append(x0, 20.2, 20.3, 9, 20.8, 20.4, 9.1, 20.3, 20.9, 9.2)
	moved := []int32{first, first + 1, first + 2}
	faces = append(faces, moved...)
	m, err := mesh.New(len(x0)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	alone := own(t, &stage{m: m, x0: x0}, moved)
	for _, c := range []struct{ down, separation float64 }{{20, 0}, {0.01, 8.995}} {
		scene, err := New(m, x0)
		if err != nil {
			t.Fatal(err)
		}
		o := step.DefaultOptions()
		for call, down := range []float64{0.01, c.down} {
			x1 := append([]float64(nil), x0...)
			for _, v := range moved {
				x1[3*v+2] -= down
			}
			got, err := scene.Step(moved, gather(moved, x1)).Earliest(&o)
			if err != nil {
				t.Fatal(err)
			}
			if scene.view.last.whole {
				t.Fatal("the view is the whole scene")
			}
			want, err := step.Earliest(alone, x0, x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if got != want || (got.Verdict == geom.Contact) != (call == 1) {
				t.Errorf("call %d, %v down, separation %v: %+v, want %+v", call, down, o.MinSeparation, got, want)
			}
			o.MinSeparation = c.separation
		}
	}
}
