package ccd

import (
	"ccd/core/rigid"
)

// shapeOf wraps a body of the core, or its error.
func shapeOf(make func() (*rigid.Body, error)) (b *RigidBody, err error) {
	defer entered(&err)
	c, err := make()
	if err != nil {
		return nil, err
	}
	return &RigidBody{c}, nil
}

// NewRigidBox returns a solid box with the given lengths along x, y and z, above 0, and its center
// at the origin. It is exact. Errors are ErrArgument and ErrNonFinite.
func NewRigidBox(size [3]float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) { return rigid.BoxBody(size) })
}

// NewRigidSphere returns a ball with its center at the origin. It is exact: a point with a radius.
// Errors are ErrArgument and ErrNonFinite.
func NewRigidSphere(radius float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) { return rigid.Sphere(radius) })
}

// NewRigidCapsule returns the points within a radius of a segment along z, whose middle is the
// origin. Its length does not count the round ends. It is exact. Errors are ErrArgument and
// ErrNonFinite.
func NewRigidCapsule(radius, length float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) { return rigid.Capsule(radius, length) })
}

// NewRigidCylinder returns a solid cylinder about the z axis with its center at the origin.
//
// Facets inside of it stand for it. Points of it are at most Deviation from them, which is at most
// deviation, a length; 0 stands for 1e-4 of the radius. Searches for contact and RigidIntersects
// use the facets enlarged by it, which hold the cylinder; brackets of distances are wider by it.
// Errors are ErrArgument, also where more than 65,536 facets would be needed, and ErrNonFinite.
func NewRigidCylinder(radius, length, deviation float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) { return rigid.Cylinder(radius, length, deviation) })
}

// NewRigidCone returns a solid cone about the z axis: its base at -length/2, its tip at length/2.
// The deviation is that of NewRigidCylinder, with its errors.
func NewRigidCone(radius, length, deviation float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) { return rigid.Cone(radius, length, deviation) })
}

// NewRigidHull returns the convex hull of points, three coordinates each, at least one point. It is
// solid and exact; points in a plane, on a line or at one place give a polygon, a segment or a
// point. Errors are ErrArgument and ErrNonFinite.
func NewRigidHull(points []float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) { return rigid.HullBody(points) })
}

// Padded returns the body that also holds all points within a distance of b, with the tree of b.
// Paddings add up. Where the sum of radius and padding is no double, Radius is rounded down, and
// Radius + Deviation is not below the sum. Errors are ErrArgument.
func (b *RigidBody) Padded(padding float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) {
		c, err := b.get("body")
		if err != nil {
			return nil, err
		}
		return c.Padded(padding)
	})
}

// Deviating returns the body that the triangles of b stand for where they are off by a deviation, a
// length: facets of a curved surface. It holds b, and no point of it is farther than the deviation
// from b, with whose tree it is made. Searches for contact use all such points, so a contact is
// never late, and brackets of distances are wider by the deviation. Deviations add up. Errors are
// ErrArgument.
func (b *RigidBody) Deviating(deviation float64) (*RigidBody, error) {
	return shapeOf(func() (*rigid.Body, error) {
		c, err := b.get("body")
		if err != nil {
			return nil, err
		}
		return c.Deviating(deviation)
	})
}

// RigidBodyInfo says what a body is.
type RigidBodyInfo struct {
	Faces     int     // the number of its triangles
	Radius    float64 // how far the body goes beyond its triangles: the radius of its shape, and the padding
	Deviation float64 // how much less than Radius + Deviation the body may go beyond its triangles somewhere
	Solid     bool    // whether what the triangles enclose is part of the body
}

// Info returns what a body is. Errors are ErrArgument.
func (b *RigidBody) Info() (info RigidBodyInfo, err error) {
	defer entered(&err)
	c, err := b.get("body")
	if err != nil {
		return info, err
	}
	return RigidBodyInfo{len(c.Faces), c.Radius(), c.Deviation(), c.Solid()}, nil
}

// Surface returns the vertices of the body's triangles, three coordinates each, and the triangles,
// three indices each: to draw a shape, for example. Vertices are in the order of NewRigidBody,
// without those that no triangle names; the order of the triangles is the one that RigidImpact
// counts. Of a solid body they are counterclockwise from outside. Radius and Deviation are not in
// them: a ball has one vertex. Errors are ErrArgument.
func (b *RigidBody) Surface() (vertices []float64, faces []int32, err error) {
	defer entered(&err)
	c, err := b.get("body")
	if err != nil {
		return nil, nil, err
	}
	points, triangles := c.Surface()
	for _, p := range points {
		vertices = append(vertices, p.X, p.Y, p.Z)
	}
	for _, f := range triangles {
		faces = append(faces, f[:]...)
	}
	return vertices, faces, nil
}
