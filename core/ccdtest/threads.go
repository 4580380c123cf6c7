package ccdtest

import "math"

// Thread is a helix with a profile of two flanks, n points a turn, between radii in and out, moved
// outward by gap along the normals of the flanks; nut: its chords stay outside of a bolt's corners.
func Thread(n, turns int, in, out, pitch, gap float64, nut bool) (x []float64, faces [][3]int32) {
	wide := math.Hypot(pitch/2, out-in) / (pitch / 2)
	for i := range n*turns + 1 {
		angle := 2 * math.Pi * float64(i) / float64(n)
		for j, r := range [2]float64{in, out} {
			if nut {
				r = (r + gap*wide) / math.Cos(math.Pi/float64(n))
			}
			x = append(x, r*math.Cos(angle), r*math.Sin(angle), pitch*(0.5*float64(j)+float64(i)/float64(n)))
		}
	}
	for i := range int32(n * turns) {
		a, b, c, d := 2*i, 2*i+1, 2*i+2, 2*i+3
		faces = append(faces, [3]int32{a, c, b}, [3]int32{b, c, d})
		if up := 2 * (i + int32(n)); int(i)+n < n*turns {
			faces = append(faces, [3]int32{b, d, up}, [3]int32{up, d, up + 2})
		}
	}
	return x, faces
}

// Tube is the side of a cylinder about z of n facets, with rings at both ends from its radius to
// another one.
func Tube(n int, radius, rim, lo, hi float64) (x []float64, faces [][3]int32) {
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		for _, p := range [4][2]float64{{rim, lo}, {radius, lo}, {radius, hi}, {rim, hi}} {
			x = append(x, p[0]*math.Cos(angle), p[0]*math.Sin(angle), p[1])
		}
	}
	for i := range int32(n) {
		j := (i + 1) % int32(n)
		for k := range int32(3) {
			faces = append(faces, [3]int32{4*i + k, 4*j + k, 4*i + k + 1}, [3]int32{4*i + k + 1, 4*j + k, 4*j + k + 1})
		}
	}
	return x, faces
}
