package urdf

import (
	"fmt"
	"math"
	"slices"

	"ccd/core/status"
)

// semantics is what an SRDF file says of a robot, as far as it matters for what may touch, and for
// how the robot moves. Groups, their states, end effectors and passive joints change neither.
type semantics struct {
	pairs [][2]string
	base  []*joint // joints that the robot may stand on
}

// readSRDF reads an SRDF file, with the joint that a mobile robot stands on.
func readSRDF(path string, mobile bool) (*semantics, error) {
	root, err := parsed(path)
	if err != nil {
		return nil, err
	}
	s := &semantics{}
	if err := s.read(root, mobile); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (s *semantics) read(root *element, mobile bool) error {
	if !root.is("robot") {
		return errorf("the root is <%s>: must be <robot>", root.name)
	}
	if root.first("link") != nil {
		return errorf("it has links: it is a URDF file, and must be a SRDF file")
	}
	for _, other := range []string{"disable_default_collisions", "enable_collisions"} {
		if root.first(other) != nil {
			return status.Errorf(status.ErrUnsupported,
				"<%s> is not supported: list the pairs with <disable_collisions>", other)
		}
	}
	for i, e := range root.all("disable_collisions") {
		var pair [2]string
		for k, name := range []string{"link1", "link2"} {
			link, there := e.has(name)
			if !there {
				return errorf("disable_collisions %d has no %s", i, name)
			}
			pair[k] = link
		}
		s.pairs = append(s.pairs, pair)
	}
	if !mobile {
		return nil
	}
	for _, e := range root.all("virtual_joint") {
		if err := s.virtual(e); err != nil {
			return err
		}
	}
	return s.properties(root)
}

// virtual reads a joint that the robot stands on.
func (s *semantics) virtual(e *element) error {
	j := &joint{name: e.get("name"), kind: e.get("type"), parent: e.get("parent_frame"), child: e.get("child_link"),
		rotation: identity, factor: 1, source: -1, lower: math.Inf(-1), upper: math.Inf(1)}
	where := "a virtual_joint"
	if j.name != "" {
		where = "virtual_joint " + quoted(j.name)
	}
	for _, name := range []string{"name", "type", "parent_frame", "child_link"} {
		if e.get(name) == "" {
			return errorf("%s has no %s", where, name)
		}
	}
	switch j.kind {
	case "fixed":
		return nil
	case "planar", "floating":
		j.variables = kinds[j.kind]
		s.base = append(s.base, j)
		return nil
	}
	return errorf("%s: type is %s: must be fixed, planar or floating", where, quoted(j.kind))
}

// properties refuses what changes how joints go from one value to the next.
func (s *semantics) properties(root *element) error {
	for _, e := range root.all("joint_property") {
		if name, value := e.get("property_name"), e.get("value"); name == "motion_model" && value != "holonomic" {
			return status.Errorf(status.ErrUnsupported, "joint_property: motion_model of joint %s is %s: a straight "+
				"edge is not how it drives; remove the property to check straight edges",
				quoted(e.get("joint_name")), quoted(value))
		}
	}
	return nil
}

// stand puts the robot on the joint that its SRDF file names.
func (b *builder) stand(s *semantics) error {
	if len(s.base) == 0 {
		return nil
	}
	j := s.base[0]
	where := "virtual_joint " + quoted(j.name)
	if len(s.base) > 1 {
		return errorf("%s and %s: a robot stands on one joint", where, quoted(s.base[1].name))
	}
	if _, there := b.index[j.child]; !there {
		return errorf("%s: its child_link %s is no link", where, quoted(j.child))
	}
	if _, there := b.index[j.parent]; there {
		return errorf("%s: its parent_frame %s is a link", where, quoted(j.parent))
	}
	for _, other := range b.joints {
		if other.name == j.name {
			return errorf("%s: a joint has this name", where)
		}
		if other.child == j.child {
			return errorf("%s: its child_link %s is the child of joint %s: must be the link without a parent", where,
				quoted(j.child), quoted(other.name))
		}
	}
	j.at = -1
	b.links = slices.Insert(b.links, 0, j.parent)
	for i, link := range b.links {
		b.index[link] = i
	}
	b.shapes = slices.Insert(b.shapes, 0, nil)
	b.joints = slices.Insert(b.joints, 0, j)
	return nil
}
