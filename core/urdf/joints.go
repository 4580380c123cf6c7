package urdf

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/status"
)

// joint is a joint of the file.
type joint struct {
	at            int // its place in the file
	name, kind    string
	parent, child string
	rotation      geom.Mat
	position      r3.Vec
	axis          r3.Vec // unit, of joints with one value
	lower, upper  float64
	mimic         *mimic

	variables      int // how many values it has: 0, 1, 3 or 7
	source         int // its first variable, or the one that it follows
	factor, offset float64
}

// mimic is what a joint follows.
type mimic struct {
	joint              string
	multiplier, offset float64
}

// kinds has the number of values of each kind of joint; a floating joint has eight variables.
var kinds = map[string]int{"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 8}

// parts are the names of the variables of joints of several values.
var parts = map[string][]string{
	"planar":   {"x", "y", "theta"},
	"floating": {"trans_x", "trans_y", "trans_z", "turn_1", "turn_2", "turn_3", "turn_4", "turn_5"},
}

func (b *builder) readJoints(given []*element) error {
	names := map[string]bool{}
	for i, e := range given {
		j := &joint{at: i, name: e.get("name"), kind: e.get("type"), factor: 1, source: -1}
		if j.name == "" {
			return errorf("a joint has no name")
		}
		if names[j.name] {
			return errorf("joint %s is there twice", quoted(j.name))
		}
		names[j.name] = true
		if err := b.readJoint(j, e); err != nil {
			return err
		}
		b.joints = append(b.joints, j)
	}
	return nil
}

func (b *builder) readJoint(j *joint, e *element) error {
	where := "joint " + quoted(j.name)
	for name, link := range map[string]*string{"parent": &j.parent, "child": &j.child} {
		end := e.first(name)
		if end == nil || end.get("link") == "" {
			return errorf("%s has no %s", where, name)
		}
		*link = end.get("link")
		if _, there := b.index[*link]; !there {
			return errorf("%s: its %s %s is no link", where, name, quoted(*link))
		}
	}
	count, known := kinds[j.kind]
	if !known {
		return errorf("%s: type is %s: must be one of fixed, revolute, continuous, prismatic, planar, floating", where,
			quoted(j.kind))
	}
	j.variables = count
	var err error
	if j.rotation, j.position, err = origin(where, e); err != nil {
		return err
	}
	if err = j.readAxis(where, e.first("axis")); err == nil {
		err = j.readLimit(where, e.first("limit"))
	}
	if err == nil {
		err = j.readMimic(where, e.first("mimic"))
	}
	return err
}

func (j *joint) readAxis(where string, e *element) error {
	x := []float64{1, 0, 0}
	if e != nil {
		given, err := e.numbers(where, "xyz", -1)
		if err != nil {
			return err
		}
		if j.variables == 3 && given != nil && !(len(given) == 3 && given[0] == 0 && given[1] == 0 && given[2] > 0) {
			return errorf("%s: axis is %s: of a planar joint it must be '0 0 1', or left out: MoveIt and pinocchio "+
				"move it in x and y whatever the axis, other programs across the axis; turn its origin instead", where,
				quoted(e.get("xyz")))
		}
		if given == nil && j.variables == 1 {
			return errorf("%s: axis has no xyz: programs take 1 0 0, or no axis at all: write what is meant", where)
		}
		if given != nil {
			x = given
		}
	}
	if j.variables != 1 {
		return nil
	}
	length := 0.0
	if len(x) == 3 {
		length = math.Sqrt(float64(x[0]*x[0]) + float64(x[1]*x[1]) + float64(x[2]*x[2]))
	}
	if !(length > 0 && length < 1e150) {
		return errorf("%s: axis is %s: must be 3 finite numbers, not all 0", where, quoted(e.get("xyz")))
	}
	if j.kind == "prismatic" && math.Abs(length-1) > 1e-3 {
		return errorf("%s: axis is %s: of a prismatic joint it must have length 1; other programs normalize it, or "+
			"move by %.6g for each unit of the value: write what is meant", where, quoted(e.get("xyz")), length)
	}
	j.axis = r3.Vec{X: x[0] / length, Y: x[1] / length, Z: x[2] / length}
	return nil
}

// readLimit reads the limits of a joint: infinite where it has none.
func (j *joint) readLimit(where string, e *element) error {
	j.lower, j.upper = math.Inf(-1), math.Inf(1)
	if e == nil {
		return nil
	}
	var ends [2]float64
	there := false
	for i, name := range []string{"lower", "upper"} {
		x, err := e.numbers(where, name, 1)
		if err != nil {
			return err
		}
		if x != nil {
			ends[i], there = x[0], true
		}
	}
	if !there || j.kind != "revolute" && j.kind != "prismatic" {
		return nil
	}
	if !(ends[0] <= ends[1]) {
		return errorf("%s: limit: lower is %g, upper is %g: must not be below it", where, ends[0], ends[1])
	}
	j.lower, j.upper = ends[0], ends[1]
	return nil
}

func (j *joint) readMimic(where string, e *element) error {
	if e == nil {
		return nil
	}
	m := &mimic{joint: e.get("joint"), multiplier: 1}
	for name, to := range map[string]*float64{"multiplier": &m.multiplier, "offset": &m.offset} {
		x, err := e.numbers(where, name, 1)
		if err != nil {
			return err
		}
		if x != nil {
			*to = x[0]
		}
	}
	j.mimic = m
	return nil
}

// tree orders the joints and finds what each follows.
func (b *builder) tree() error {
	above := map[string]*joint{}
	for _, j := range b.joints {
		if other := above[j.child]; other != nil {
			return errorf("link %s is the child of the joints %s and %s", quoted(j.child), quoted(other.name),
				quoted(j.name))
		}
		above[j.child] = j
	}
	var roots []string
	for _, link := range b.links {
		if above[link] == nil {
			roots = append(roots, link)
		}
	}
	if len(roots) != 1 {
		return errorf("%d links have no parent (%s): a tree has one", len(roots), listed(roots))
	}
	below := map[string][]*joint{}
	for _, j := range b.joints {
		below[j.parent] = append(below[j.parent], j)
	}
	for level := []string{roots[0]}; len(level) > 0; {
		reached := map[string]bool{}
		for _, link := range level {
			reached[link] = true
		}
		level = level[:0:0]
		var next []*joint
		for link := range reached {
			next = append(next, below[link]...)
		}
		slices.SortFunc(next, func(j, k *joint) int { return j.at - k.at })
		for _, j := range next {
			b.order = append(b.order, j)
			level = append(level, j.child)
		}
	}
	if len(b.order) < len(b.joints) {
		var left []string
		for _, j := range b.joints {
			if !slices.Contains(b.order, j) {
				left = append(left, j.name)
			}
		}
		return errorf("joints form a circle: %s", listed(left))
	}
	return b.follow()
}

// follow finds the variables, and which one each joint follows through its mimics.
func (b *builder) follow() error {
	byName, taken := map[string]*joint{}, map[string]bool{}
	for _, j := range b.joints {
		byName[j.name] = j
		if j.variables == 0 || j.variables == 1 && j.mimic != nil {
			continue
		}
		if j.mimic != nil {
			return status.Errorf(status.ErrUnsupported, "joint %s is %s and mimics %s: it has no single value",
				quoted(j.name), j.kind, quoted(j.mimic.joint))
		}
		j.source = len(b.names)
		names := []string{j.name}
		for i, part := range parts[j.kind] {
			names = append(names[:i], j.name+"/"+part)
		}
		for _, name := range names {
			if taken[name] {
				return errorf("value %s is there twice", quoted(name))
			}
			taken[name] = true
			b.names = append(b.names, Variable{Name: name, Lower: j.lower, Upper: j.upper})
		}
	}
	for _, j := range b.joints {
		if j.variables == 1 {
			if err := j.followed(byName); err != nil {
				return err
			}
		}
	}
	b.turning()
	return nil
}

func (j *joint) followed(byName map[string]*joint) error {
	seen := []string{j.name}
	at := j
	for at.mimic != nil {
		m := at.mimic
		next := byName[m.joint]
		switch {
		case next == nil || next.variables == 0:
			return errorf("joint %s mimics %s, which is no joint that moves", quoted(j.name), quoted(m.joint))
		case next.variables > 1:
			return status.Errorf(status.ErrUnsupported, "joint %s mimics %s, which is %s: it has no single value",
				quoted(j.name), quoted(m.joint), next.kind)
		case slices.Contains(seen, m.joint):
			return errorf("joint %s mimics itself, through %s", quoted(j.name), listed(seen))
		case !(math.Abs(m.multiplier)+math.Abs(m.offset) < 1e150):
			return errorf("joint %s: mimic: multiplier %g and offset %g must be finite", quoted(j.name), m.multiplier,
				m.offset)
		}
		seen = append(seen, m.joint)
		j.offset += float64(j.factor * m.offset)
		j.factor *= m.multiplier
		at = next
	}
	j.source = at.source
	return nil
}

// turning finds the variables that a whole turn brings all links back for: those of continuous
// joints, and of planar ones the angle, which joints follow by whole numbers alone.
func (b *builder) turning() {
	for _, j := range b.joints {
		switch {
		case j.kind == "planar":
			b.names[j.source+2].Turning = true
		case j.kind == "continuous":
			b.names[j.source].Turning = true
		}
	}
	for _, j := range b.joints {
		if j.variables == 1 && (j.kind != "continuous" || j.factor != math.Trunc(j.factor)) {
			b.names[j.source].Turning = false
		}
	}
}

func listed(names []string) string {
	const most = 10
	all := make([]string, 0, min(len(names), most)+1)
	for i, name := range names {
		if i == most {
			all = append(all, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		all = append(all, quoted(name))
	}
	return strings.Join(all, ", ")
}
