package urdf

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ccd/core/robot"
	"ccd/core/status"
)

// Options say how Read reads.
type Options struct {
	// SRDF is a file of allowed pairs; empty for none.
	SRDF string
	// Folders hold the folders of packages, by their names. Without Folders and Packages the
	// folders above the file are tried.
	Folders []string
	// Packages has the folders of packages by their names.
	Packages map[string]string
	// Segments is the number of sides of the prism around a cylinder, from 3 to 4096.
	Segments int
	// TestAdjacent has the two links of a joint tested against each other, too.
	TestAdjacent bool
	// Mobile has the robot stand on the virtual joint of the SRDF file.
	Mobile bool
}

// Robot is a robot of a file.
type Robot struct {
	Name string
	// Links are those of the file, then those between the slides and turns of joints of several
	// values. A joint that the robot stands on by its SRDF file has a link before them.
	Links []string
	// Joints form a tree of the links, parents first; their Parent and Child are of Links. Names
	// has the name of each, the same for the slides and turns of a joint.
	Joints []robot.Joint
	Names  []string
	// Variables are the values of joints that follow no other.
	Variables []Variable
	// Bodies are the links with shapes, in the order of the links.
	Bodies []robot.Body
	// Pairs are those of the bodies that are tested: they can move relative to each other, and may
	// not touch.
	Pairs [][2]int
}

// Variable is a value of a joint.
type Variable struct {
	Name         string
	Lower, Upper float64 // The limits of the joint; infinite where it has none.
	// Turning says that a whole turn brings all links back: an edge may go the short way.
	Turning bool
}

// Read reads a robot from a URDF file: the joints, and the collision shapes of the links.
//
// Boxes and meshes are triangles, spheres vertices with a radius, capsules edges with one,
// cylinders prisms around them. Planar joints are two slides and a turn, floating ones three slides
// and five turns, about z, y, z, y and z.
//
// Errors begin with the path. They are of the kind status.ErrFile for a file that is malformed, and
// status.ErrUnsupported for what is no part of URDF or is not read.
func Read(path string, o Options) (*Robot, error) {
	if o.Segments < 3 || o.Segments > 4096 {
		return nil, status.Errorf(status.ErrArgument, "segments is %d: must be in [3, 4096]", o.Segments)
	}
	root, err := parsed(path)
	if err != nil {
		return nil, err
	}
	s := &semantics{}
	if o.SRDF != "" {
		if s, err = readSRDF(o.SRDF, o.Mobile); err != nil {
			return nil, err
		}
	}
	b := &builder{path: path, options: o}
	if err := b.read(root, s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b.robot(), nil
}

// builder is a robot while it is read.
type builder struct {
	path    string
	options Options
	name    string
	links   []string // The links of the file.
	index   map[string]int
	shapes  [][]robot.Shape // The shapes of each link.
	joints  []*joint        // In the order of the file.
	order   []*joint        // Parents first.
	names   []Variable
	allowed map[[2]int]bool // Pairs of links.
	meshes  *meshes
}

func (b *builder) read(root *element, s *semantics) error {
	if err := refuseOthers(root); err != nil {
		return err
	}
	b.name = root.get("name")
	if b.name == "" {
		base := filepath.Base(b.path)
		b.name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	if err := b.readLinks(root.all("link")); err != nil {
		return err
	}
	if len(b.links) == 0 {
		if root.first("disable_collisions") != nil || root.first("group") != nil {
			return errorf("there are no links: it is a SRDF file")
		}
		return errorf("there are no links")
	}
	if err := b.readJoints(root.all("joint")); err != nil {
		return err
	}
	if err := refuseStrays(root, 0); err != nil {
		return err
	}
	b.allowed = map[[2]int]bool{}
	if err := b.stand(s); err != nil {
		return fmt.Errorf("%s: %w", b.options.SRDF, err)
	}
	if err := b.tree(); err != nil {
		return err
	}
	if !b.options.TestAdjacent {
		b.allowAdjacent()
	}
	b.allow(s.pairs)
	return nil
}

// refuseStrays refuses collisions that are in no link of the robot: they would be left out without
// a word. What is for Gazebo is for another program.
func refuseStrays(parent *element, depth int) error {
	for _, e := range parent.children {
		if e.is("collision") && !(depth == 1 && parent.is("link")) {
			return errorf("a <collision> is in <%s>, which is no <link> of the <robot>: it would be left out",
				parent.name)
		}
		if !e.is("gazebo") {
			if err := refuseStrays(e, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseOthers refuses what is no URDF, and macros of xacro, whose links would be missing.
func refuseOthers(root *element) error {
	const export = "export URDF from where it was made"
	switch {
	case root.is("sdf"):
		return status.Errorf(status.ErrUnsupported, "it is a SDF file, which Python's ccd.robot.read reads: %s",
			export)
	case root.is("mujoco"):
		return status.Errorf(status.ErrUnsupported, "it is a MJCF file, which Python's ccd.robot.read reads: %s",
			export)
	case !root.is("robot"):
		return errorf("the root is <%s>: must be <robot>", strings.Trim(quoted(root.name), `"`))
	}
	return refuseMacros(root)
}

func refuseMacros(e *element) error {
	const expand = "expand the macros of xacro first (xacro FILE > robot.urdf)"
	for _, a := range e.attributes {
		if strings.Contains(a.Value, "${") || strings.Contains(a.Value, "$(") {
			return errorf("it has %s: %s", quoted(a.Value), expand)
		}
	}
	if strings.Contains(e.space, "xacro") {
		return errorf("it has <xacro:%s>: %s", strings.Trim(quoted(e.name), `"`), expand)
	}
	for _, c := range e.children {
		if err := refuseMacros(c); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) readLinks(given []*element) error {
	b.index = map[string]int{}
	b.meshes = newMeshes(b.path, b.options)
	for _, e := range given {
		name := e.get("name")
		if name == "" {
			return errorf("a link has no name")
		}
		if _, there := b.index[name]; there {
			return errorf("link %s is there twice", quoted(name))
		}
		b.index[name] = len(b.links)
		b.links = append(b.links, name)
	}
	for i, e := range given {
		var shapes []robot.Shape
		for k, collision := range e.all("collision") {
			s, err := b.shape(fmt.Sprintf("link %s: collision %d", quoted(b.links[i]), k), collision)
			if err != nil {
				return err
			}
			if len(s.Vertices) > 0 {
				shapes = append(shapes, s)
			}
		}
		b.shapes = append(b.shapes, shapes)
	}
	return nil
}

// allowAdjacent allows the two links of each joint to touch. A link without shapes that is fixed to
// another counts as a part of it.
func (b *builder) allowAdjacent() {
	stands := make([]int, len(b.links))
	for i := range stands {
		stands[i] = i
	}
	for _, j := range b.order {
		if child := b.index[j.child]; j.kind == "fixed" && len(b.shapes[child]) == 0 {
			stands[child] = stands[b.index[j.parent]]
		}
	}
	for _, j := range b.order {
		b.allowed[sorted(stands[b.index[j.parent]], stands[b.index[j.child]])] = true
	}
}

// allow allows pairs of links to touch. Names of links that the robot does not have are left out.
func (b *builder) allow(pairs [][2]string) {
	for _, p := range pairs {
		i, there := b.index[p[0]]
		k, also := b.index[p[1]]
		if there && also {
			b.allowed[sorted(i, k)] = true
		}
	}
}

func sorted(i, k int) [2]int { return [2]int{min(i, k), max(i, k)} }

// robot makes the robot of what was read.
func (b *builder) robot() *Robot {
	r := &Robot{Name: b.name, Links: slices.Clone(b.links), Variables: b.names}
	for _, j := range b.order {
		b.chain(r, j)
	}
	together := b.together()
	var links []int
	for i, shapes := range b.shapes {
		if len(shapes) > 0 {
			r.Bodies = append(r.Bodies, robot.Body{Link: i, Shapes: shapes})
			links = append(links, i)
		}
	}
	for i, a := range links {
		for k, c := range links[i+1:] {
			if together[a] != together[c] && !b.allowed[sorted(a, c)] {
				r.Pairs = append(r.Pairs, [2]int{i, i + 1 + k})
			}
		}
	}
	return r
}

// together returns for each link a number that those share which do not move relative to each
// other.
func (b *builder) together() []int {
	found := make([]int, len(b.links))
	for i := range found {
		found[i] = i
	}
	for _, j := range b.order {
		if j.kind == "fixed" || j.variables == 1 && j.factor == 0 {
			found[b.index[j.child]] = found[b.index[j.parent]]
		}
	}
	return found
}
