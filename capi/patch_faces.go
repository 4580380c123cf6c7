package main

// #include "internal.h"
import "C"

import (
	"slices"
	"unsafe"

	"ccd/core/patch"
	"ccd/core/trim"
)

//export go_patch_body_trim
func go_patch_body_trim(h uintptr, corners *float64, nCorners uintptr, loops *int32, nLoops uintptr, faces *int32,
	tolerances *float64, nFaces uintptr, faceOf *int32, windows *float64, n uintptr, out *uintptr) status {
	return guard(func() error {
		body, err := resolve[*patch.Body]("body", h)
		if err != nil {
			return err
		}
		return created(out, func() (*patch.Body, error) {
			if n != uintptr(body.Patches()) {
				return nil, fail(C.CCD_E_ARGUMENT, "n is %d: the body has %d patches", n, body.Patches())
			}
			regions, err := regionsOf(corners, nCorners, loops, nLoops, faces, tolerances, nFaces)
			if err != nil {
				return nil, err
			}
			of, err := view("face_of", faceOf, "n", n, 1)
			if err != nil {
				return nil, err
			}
			w, err := view("windows", (*[4]float64)(unsafe.Pointer(windows)), "n", n, 1)
			if err != nil {
				return nil, err
			}
			return body.Trim(regions, of, w)
		})
	})
}

// regionsOf makes the regions of faces; they keep no array of the caller's.
func regionsOf(corners *float64, nCorners uintptr, loops *int32, nLoops uintptr, faces *int32, tolerances *float64,
	nFaces uintptr) ([]*trim.Region, error) {
	c, err := view("corners", (*[2]float64)(unsafe.Pointer(corners)), "n_corners", nCorners, 1)
	if err != nil {
		return nil, err
	}
	l, err := view("loops", loops, "n_loops", nLoops, 1)
	if err != nil {
		return nil, err
	}
	f, err := view("faces", faces, "n_faces", nFaces, 1)
	if err != nil {
		return nil, err
	}
	t, err := view("tolerances", (*[2]float64)(unsafe.Pointer(tolerances)), "n_faces", nFaces, 1)
	if err != nil {
		return nil, err
	}
	return trim.Regions(c, l, f, t)
}

//export go_patch_body_join
func go_patch_body_join(h uintptr, joints *int32, nJoints uintptr, places *float64, nPlaces uintptr,
	out *uintptr) status {
	return guard(func() error {
		body, err := resolve[*patch.Body]("body", h)
		if err != nil {
			return err
		}
		return created(out, func() (*patch.Body, error) {
			j, err := view("joints", (*[3]int32)(unsafe.Pointer(joints)), "n_joints", nJoints, 1)
			if err != nil {
				return nil, err
			}
			p, err := view("places", (*[4]float64)(unsafe.Pointer(places)), "n_places", nPlaces, 1)
			if err != nil {
				return nil, err
			}
			between, counts := make([][2]int32, len(j)), make([]int32, len(j))
			for i, x := range j {
				between[i], counts[i] = [2]int32{x[0], x[1]}, x[2]
			}
			return body.Join(between, counts, slices.Clone(p))
		})
	})
}

//export go_patch_body_faces
func go_patch_body_faces(h uintptr, faces *uintptr) status {
	return guard(func() error {
		body, err := resolve[*patch.Body]("body", h)
		if err != nil {
			return err
		}
		if faces != nil {
			*faces = uintptr(body.Faces())
		}
		return nil
	})
}
