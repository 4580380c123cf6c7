package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/num/quat"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// body reads mesh_<name>.bin, refines it, and builds the body on one thread; it returns the
// triangles and the time of the build.
func body(dir, name string, refine int) (b *rigid.Body, triangles int, took float64, err error) {
	raw, err := os.ReadFile(dir + "mesh_" + name + ".bin")
	if err != nil {
		return nil, 0, 0, err
	}
	word := func(i int) int32 { return int32(binary.LittleEndian.Uint32(raw[i:])) }
	nv, nf := int(word(0)), int(word(4))
	v := doubles(raw[8 : 8+24*nv])
	f := make([][3]int32, nf)
	for i := range f {
		at := 8 + 24*nv + 12*i
		f[i] = [3]int32{word(at), word(at + 4), word(at + 8)}
	}
	for range refine {
		v, f = refined(v, f)
	}
	start := now()
	b, err = rigid.NewBody(v, f, 1)
	return b, len(f), now() - start, err
}

// refined makes four triangles of each, by the middles of its edges.
func refined(v []float64, f [][3]int32) ([]float64, [][3]int32) {
	middle := make(map[[2]int32]int32, 2*len(f))
	between := func(i, j int32) int32 {
		key := [2]int32{min(i, j), max(i, j)}
		m, ok := middle[key]
		if !ok {
			m = int32(len(v) / 3)
			middle[key] = m
			for k := range int32(3) {
				v = append(v, (v[3*i+k]+v[3*j+k])/2)
			}
		}
		return m
	}
	out := make([][3]int32, 0, 4*len(f))
	for _, t := range f {
		a, b, c := between(t[0], t[1]), between(t[1], t[2]), between(t[2], t[0])
		out = append(out, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
	}
	return v, out
}

// A trial is two motions with the reference's time of contact, -1 for none.
type trial struct {
	a, b rigid.Motion
	toi  float64
}

func trials(dir, name string) ([]trial, error) {
	raw, err := os.ReadFile(dir + "trials_" + name)
	if err != nil {
		return nil, err
	}
	rawRef, err := os.ReadFile(dir + "ref_" + name)
	if err != nil {
		return nil, err
	}
	rows, ref := doubles(raw), doubles(rawRef)
	if len(rows)/26 != len(ref)/2 {
		return nil, fmt.Errorf("%s: %d trials, %d references", name, len(rows)/26, len(ref)/2)
	}
	list := make([]trial, len(ref)/2)
	for i := range list {
		list[i] = trial{motion(rows[26*i:]), motion(rows[26*i+13:]), ref[2*i]}
	}
	return list, nil
}

func motion(x []float64) rigid.Motion {
	return rigid.Motion{
		Position: geom.VecOf(x), Rotation: quat.Number{Real: x[3], Imag: x[4], Jmag: x[5], Kmag: x[6]},
		Velocity: geom.VecOf(x[7:]), AngularVelocity: geom.VecOf(x[10:]),
	}
}

func doubles(raw []byte) []float64 {
	x := make([]float64, len(raw)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return x
}
