package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/rigid"
)

// shapeOf makes the handle of a body.
func shapeOf(out *uintptr, make func() (*rigid.Body, error)) status {
	return guard(func() error { return created(out, make) })
}

//export go_rigid_body_box
func go_rigid_body_box(size *float64, out *uintptr) status {
	return shapeOf(out, func() (*rigid.Body, error) {
		if size == nil {
			return nil, null("size")
		}
		return rigid.BoxBody([3]float64(unsafe.Slice(size, 3)))
	})
}

//export go_rigid_body_sphere
func go_rigid_body_sphere(radius float64, out *uintptr) status {
	return shapeOf(out, func() (*rigid.Body, error) { return rigid.Sphere(radius) })
}

//export go_rigid_body_capsule
func go_rigid_body_capsule(radius, length float64, out *uintptr) status {
	return shapeOf(out, func() (*rigid.Body, error) { return rigid.Capsule(radius, length) })
}

//export go_rigid_body_cylinder
func go_rigid_body_cylinder(radius, length, deviation float64, out *uintptr) status {
	return shapeOf(out, func() (*rigid.Body, error) { return rigid.Cylinder(radius, length, deviation) })
}

//export go_rigid_body_cone
func go_rigid_body_cone(radius, length, deviation float64, out *uintptr) status {
	return shapeOf(out, func() (*rigid.Body, error) { return rigid.Cone(radius, length, deviation) })
}

//export go_rigid_body_hull
func go_rigid_body_hull(points *float64, nPoints uintptr, out *uintptr) status {
	return shapeOf(out, func() (*rigid.Body, error) {
		p, err := view("points", points, "n_points", nPoints, 3)
		if err != nil {
			return nil, err
		}
		return rigid.HullBody(p)
	})
}

//export go_rigid_body_padded
func go_rigid_body_padded(body uintptr, padding float64, out *uintptr) status {
	return with("body", body, func(b *rigid.Body) error {
		return created(out, func() (*rigid.Body, error) { return b.Padded(padding) })
	})
}

//export go_rigid_body_deviating
func go_rigid_body_deviating(body uintptr, deviation float64, out *uintptr) status {
	return with("body", body, func(b *rigid.Body) error {
		return created(out, func() (*rigid.Body, error) { return b.Deviating(deviation) })
	})
}

// bodyInfo has the layout of ccd_rigid_body_info.
type bodyInfo struct {
	faces             int64
	radius, deviation float64
	solid, _          int32
}

//export go_rigid_body_describe
func go_rigid_body_describe(body uintptr, out unsafe.Pointer) status {
	return with("body", body, func(b *rigid.Body) error {
		return answer("out", out, func() (bodyInfo, error) {
			info := bodyInfo{faces: int64(len(b.Faces)), radius: b.Radius(), deviation: b.Deviation()}
			if b.Solid() {
				info.solid = 1
			}
			return info, nil
		})
	})
}

//export go_rigid_body_vertices
func go_rigid_body_vertices(body uintptr, dst *float64, room uintptr, count *uintptr) status {
	return with("body", body, func(b *rigid.Body) error {
		vertices, _ := b.Surface()
		return copyOut((*[3]float64)(unsafe.Pointer(dst)), room, count, vertices, func(out *[3]float64, v *r3.Vec) {
			*out = [3]float64{v.X, v.Y, v.Z}
		})
	})
}

//export go_rigid_body_faces
func go_rigid_body_faces(body uintptr, dst *int32, room uintptr, count *uintptr) status {
	return with("body", body, func(b *rigid.Body) error {
		_, faces := b.Surface()
		return copyOut((*[3]int32)(unsafe.Pointer(dst)), room, count, faces, same)
	})
}
