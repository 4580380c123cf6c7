package urdf

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ccd/core/robot"
	"ccd/core/status"
)

const arm = `<robot name="arm"><link name="base"><collision><geometry><box size="2 4 6"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry>
<mesh filename="tip.obj" scale="-2 1 1"/></geometry></collision></link>
<link name="finger"><collision><geometry><capsule radius="1" length="2"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 3 4"/>
<limit upper="2"/></joint>
<joint name="bend" type="continuous"><parent link="arm"/><child link="finger"/><mimic joint="turn" offset="1"/></joint>
</robot>`

// tip has a vertex that is not used, and a face twice.
const tip = "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 2 4 3\nf 2 3 5\nf 2 5 4\nf 3 4 5\nf 3 5 4\nl 2 3\n"

// read reads a robot from a text, and SRDF.
func read(t testing.TB, text, srdf string, o Options) (*Robot, error) {
	folder := t.TempDir()
	for name, content := range map[string]string{"arm.urdf": text, "tip.obj": tip, "arm.srdf": srdf} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if srdf != "" {
		o.SRDF = filepath.Join(folder, "arm.srdf")
	}
	if o.Segments == 0 {
		o.Segments = 32
	}
	return Read(filepath.Join(folder, "arm.urdf"), o)
}

func TestLinksShapesAndJoints(t *testing.T) {
	r, err := read(t, arm, "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "arm" || !slices.Equal(r.Links, []string{"base", "arm", "finger"}) || len(r.Variables) != 1 {
		t.Fatalf("%+v", r)
	}
	if v := r.Variables[0]; v != (Variable{Name: "turn", Lower: 0, Upper: 2}) {
		t.Errorf("variable %+v", v)
	}
	turn, bend := r.Joints[0], r.Joints[1]
	if turn.Kind != robot.Revolute || turn.Axis.Y != .6 || turn.Axis.Z != .8 || bend.Variable != 0 || bend.Offset != 1 {
		t.Errorf("joints %+v", r.Joints)
	}
	if !slices.Equal(r.Pairs, [][2]int{{0, 2}}) {
		t.Errorf("pairs %v", r.Pairs)
	}
	mesh := r.Bodies[1].Shapes[0]
	if len(mesh.Vertices) != 4 || len(mesh.Faces) != 4 || len(mesh.Edges) != 0 {
		t.Fatalf("mesh %+v", mesh)
	}
	// (1, 0, 0) is mirrored and doubled, then turned by a quarter, then moved.
	if x := mesh.Vertices[1]; math.Abs(x.X-1) > 1e-15 || x.Y != 0 || x.Z != 3 {
		t.Errorf("vertex %v", x)
	}
	if volume := volume(&mesh); math.Abs(volume-2./6) > 1e-15 {
		t.Errorf("a mirror image has the volume %g", volume)
	}
	if box := volume(&r.Bodies[0].Shapes[0]); box != 48 {
		t.Errorf("the box has the volume %g", box)
	}
	all, err := read(t, arm, "", Options{TestAdjacent: true})
	if err != nil || len(all.Pairs) != 3 {
		t.Errorf("adjacent links: %v, %v", all.Pairs, err)
	}
}

// volume of a closed shape.
func volume(s *robot.Shape) (sum float64) {
	for _, f := range s.Faces {
		a, b, c := s.Vertices[f[0]], s.Vertices[f[1]], s.Vertices[f[2]]
		sum += float64(a.X*(float64(b.Y*c.Z)-float64(b.Z*c.Y))) / 6
		sum += float64(a.Y*(float64(b.Z*c.X)-float64(b.X*c.Z))) / 6
		sum += float64(a.Z*(float64(b.X*c.Y)-float64(b.Y*c.X))) / 6
	}
	return sum
}

func TestAPrismHoldsItsCylinder(t *testing.T) {
	for _, n := range []int{3, 4, 7, 32, 4096} {
		s := cylinder(.3, 2, n)
		out := .3 / math.Cos(math.Pi/float64(n))
		for i := range n {
			a, b := s.Vertices[i], s.Vertices[(i+1)%n]
			// The distance of the side from the axis: that of its middle.
			if in := math.Hypot(a.X+b.X, a.Y+b.Y) / 2; in < .3 || in > .3*(1+1e-11) {
				t.Errorf("%d sides: side %d is at %g", n, i, in)
			}
			if r := math.Hypot(a.X, a.Y); r > out*(1+1e-11) {
				t.Errorf("%d sides: corner %d is at %g", n, i, r)
			}
		}
		area := float64(n) * out * out * math.Sin(2*math.Pi/float64(n)) / 2
		if v := volume(&s); math.Abs(v-2*area) > 1e-10 {
			t.Errorf("%d sides: the volume is %g", n, v)
		}
	}
}

func TestARobotStandsOnItsVirtualJoint(t *testing.T) {
	const srdf = `<robot name="arm"><virtual_joint name="fly" type="KIND" parent_frame="odom" child_link="base"/>
<disable_collisions link1="base" link2="finger"/><disable_collisions link1="base" link2="gone"/></robot>`
	for kind, count := range map[string][2]int{"fixed": {3, 1}, "planar": {6, 4}, "floating": {11, 9}} {
		r, err := read(t, arm, strings.ReplaceAll(srdf, "KIND", kind), Options{Mobile: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Links) != count[0] || len(r.Joints) != count[0]-1 || len(r.Variables) != count[1] ||
			len(r.Pairs) != 0 {
			t.Errorf("%s: %d links, %d joints, %d variables, pairs %v", kind, len(r.Links), len(r.Joints),
				len(r.Variables), r.Pairs)
		}
		m := robot.Model{Links: len(r.Links), Variables: len(r.Variables), Joints: r.Joints, Bodies: r.Bodies,
			Pairs: r.Pairs}
		if _, err := robot.New(&m); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		still, err := read(t, arm, strings.ReplaceAll(srdf, "KIND", kind), Options{})
		if err != nil || len(still.Links) != 3 {
			t.Errorf("%s: a base that rests: %v, %v", kind, still, err)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	const many = 2000
	for _, c := range []struct {
		old, new, words string
		kind            error
	}{
		{`</robot>`, `</robot>x`, "line 8: text is outside of the root", status.ErrFile},
		{`</robot>`, `</robot><a/>`, "<a> follows the root", status.ErrFile},
		{`</robot>`, ``, "no XML", status.ErrFile},
		{`<robot name="arm">`, `<robot name="arm" name="b">`, "has the attribute name twice", status.ErrFile},
		{`</robot>`, strings.Repeat("<a>", many) + strings.Repeat("</a>", many) + `</robot>`,
			"over 1000 elements", status.ErrFile},
		{`<robot name="arm">`, `<?xml version="1.0" encoding="EBCDIC"?><robot name="arm">`,
			"must be UTF-8, US-ASCII or ISO-8859-1", status.ErrFile},
		{`size="2 4 6"`, `size="2 4 0x6"`, "size is \"2 4 0x6\": must be 3 numbers", status.ErrFile},
		{`size="2 4 6"`, `size="2 4 1e400"`, "size[2] is +Inf", status.ErrFile},
		{`scale="-2 1 1"`, `scale="-2 0 1"`, "must be 3 numbers other than 0", status.ErrFile},
		{`scale="-2 1 1"`, `scale="1 2"`, "must be 3 numbers other than 0", status.ErrFile},
		{`scale="-2 1 1"`, `scale=""`, "must be 3 numbers", status.ErrFile},
		{`xyz="1 2 3"`, `xyz="1e151 2 3"`, "origin is not finite", status.ErrFile},
		{`tip.obj`, `tip.dae`, "is a COLLADA file", status.ErrUnsupported},
		{`offset="1"`, `offset="1e200"`, "must be finite", status.ErrFile},
		{`revolute`, `planar`, "must be '0 0 1'", status.ErrFile},
	} {
		_, err := read(t, strings.Replace(arm, c.old, c.new, 1), "", Options{})
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", c.words, err)
		}
	}
	for _, n := range []int{2, 4097} {
		if _, err := read(t, arm, "", Options{Segments: n}); !errors.Is(err, status.ErrArgument) {
			t.Errorf("%d segments: %v", n, err)
		}
	}
}

// FuzzRead reads any text: it must end without a panic, and what it reads is a robot.
func FuzzRead(f *testing.F) {
	f.Add(arm, "")
	f.Add(arm, `<robot><virtual_joint name="a" type="planar" parent_frame="b" child_link="base"/></robot>`)
	f.Add(strings.ReplaceAll(arm, "continuous", "floating"), "<robot/>")
	folder := f.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tip.obj"), []byte(tip), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, srdf string) {
		b := &builder{path: filepath.Join(folder, "arm.urdf"), options: Options{Segments: 3}}
		s := &semantics{}
		root, err := parse([]byte(text))
		if err == nil && srdf != "" {
			var other *element
			if other, err = parse([]byte(srdf)); err == nil {
				err = s.read(other, true)
			}
		}
		if err == nil {
			err = b.read(root, s)
		}
		if err != nil {
			if k := status.Kind(err); k != status.ErrFile && k != status.ErrUnsupported && k != status.ErrArgument {
				t.Fatalf("the error has the kind %v: %v", k, err)
			}
			return
		}
		r := b.robot()
		m := robot.Model{Links: len(r.Links), Variables: len(r.Variables), Joints: r.Joints, Bodies: r.Bodies,
			Pairs: r.Pairs}
		if _, err := robot.New(&m); err != nil && !errors.Is(err, status.ErrNonFinite) {
			t.Fatalf("no robot: %v", err)
		}
	})
}
