package trim

import (
	"fmt"

	"ccd/core/status"
)

// Regions makes the regions of some faces. faces has the number of loops of each face, which may be
// 0: then all of the plane counts. loops has the number of corners of each loop, and corners those
// of all loops, in the order of the faces; tolerances has one for each face.
func Regions(corners [][2]float64, loops, faces []int32, tolerances [][2]float64) ([]*Region, error) {
	if len(tolerances) != len(faces) {
		return nil, status.Errorf(status.ErrArgument, "%d tolerances for %d faces", len(tolerances), len(faces))
	}
	out := make([]*Region, len(faces))
	for i, n := range faces {
		if n < 0 || int(n) > len(loops) {
			return nil, status.Errorf(status.ErrArgument, "faces[%d] is %d: %d loops are left", i, n, len(loops))
		}
		used := 0
		for k, count := range loops[:n] {
			if count < 3 {
				return nil, status.Errorf(status.ErrArgument, "face %d: loop %d has %d corners: must have 3 or more",
					i, k, count)
			}
			if used += int(count); used > len(corners) {
				return nil, status.Errorf(status.ErrArgument, "face %d: loop %d has %d corners: only %d are left",
					i, k, count, len(corners)-used+int(count))
			}
		}
		r, err := New(corners[:used], loops[:n], tolerances[i])
		if err != nil {
			return nil, fmt.Errorf("face %d: %w", i, err)
		}
		out[i], corners, loops = r, corners[used:], loops[n:]
	}
	if len(loops) > 0 || len(corners) > 0 {
		return nil, status.Errorf(status.ErrArgument, "%d loops and %d corners belong to no face",
			len(loops), len(corners))
	}
	return out, nil
}
