package meshfile

import (
	"bytes"
	"ccd/core/status"
	"cmp"
	"encoding/binary"
	"math"
)

// A binary STL file is a header of 80 bytes, the number of triangles, and 50 bytes for each:
// normal, corners, attribute.
const (
	stlHeader   = 84
	stlTriangle = 50
)

// binarySTL reports whether the length is that of the declared number of triangles. No text passes:
// four of its bytes make a number of at least 150 million. The word solid at the beginning says
// nothing, many binary files have it.
func binarySTL(data []byte) bool {
	if len(data) < stlHeader {
		return false
	}
	n := uint64(binary.LittleEndian.Uint32(data[80:]))
	return uint64(len(data)) == stlHeader+stlTriangle*n
}

// welder makes one vertex of all corners with the same coordinates.
type welder struct {
	Surface
	known map[[3]float64]int32
}

func (w *welder) vertex(p [3]float64) int32 {
	i, ok := w.known[p]
	if !ok {
		i = int32(len(w.Vertices) / 3)
		w.known[p] = i
		w.Vertices = append(w.Vertices, p[:]...)
	}
	return i
}

// nearlySTL reports whether a body of so many bytes may be one of n triangles that was cut short or
// has something behind it: their lengths differ by a factor of at most 64. It chooses between two
// messages. Four bytes of noise are such a number once in 2^32 / (1.28 length), for 1 MB once in
// 3,200 files; a file that lost more than 63/64 gets the message that names no format.
func nearlySTL(body, n int) bool {
	const factor = 64
	return n > 0 && body > 0 && stlTriangle*n/factor <= body && body/factor <= stlTriangle*n
}

func readBinarySTL(data []byte) (*Surface, error) {
	if len(data) < stlHeader {
		return nil, status.Errorf(status.ErrFile,
			"byte %d: neither OBJ, PLY, STL, OFF, MSH, MESH nor VTK: a binary STL file has at least %d bytes",
			len(data), stlHeader)
	}
	n := int(binary.LittleEndian.Uint32(data[80:]))
	body := data[stlHeader:]
	if len(body) != stlTriangle*n {
		if !nearlySTL(len(body), n) {
			return nil, status.Errorf(status.ErrFile,
				"byte 0: neither OBJ, PLY, STL, OFF, MSH, MESH nor VTK: it is binary, and has no header of these "+
					"formats; convert it to one of them")
		}
		return nil, status.Errorf(status.ErrFile,
			"byte %d: the file ends here; as a binary STL file of %d triangles it has %d bytes (and it is not "+
				"OBJ, PLY or OFF)", len(data), n, stlHeader+stlTriangle*n)
	}
	w := &welder{known: make(map[[3]float64]int32)}
	for i := range n {
		var face [3]int32
		for j := range 3 {
			var p [3]float64
			for k := range 3 {
				at := stlTriangle*i + 12 + 12*j + 4*k
				x := math.Float32frombits(binary.LittleEndian.Uint32(body[at:]))
				if p[k] = float64(x); math.IsNaN(p[k]) || math.IsInf(p[k], 0) {
					return nil, status.Errorf(status.ErrFile, "byte %d: triangle %d: a coordinate is %v: not finite",
						stlHeader+at, i, x)
				}
			}
			face[j] = w.vertex(p)
		}
		w.Faces = append(w.Faces, face)
	}
	return &w.Surface, nil
}

// stlText reads words across lines: some writers put a facet on one line.
type stlText struct {
	text
	welder
	words []byte // what is left of the present line
}

func readTextSTL(data []byte) (*Surface, error) {
	r := &stlText{text: text{rest: data}, welder: welder{known: make(map[[3]float64]int32)}}
	for solids := 0; ; solids++ {
		w, ok := r.take()
		if !ok && solids > 0 {
			return &r.Surface, nil
		}
		if !bytes.EqualFold(w, []byte("solid")) {
			return nil, r.fail("%s where solid is expected", shown(w))
		}
		r.words = nil // the name
		if err := r.solid(); err != nil {
			return nil, err
		}
	}
}

// solid reads the facets up to endsolid.
func (r *stlText) solid() error {
	for {
		w, ok := r.take()
		switch {
		case !ok:
			return r.truncated("endsolid")
		case bytes.EqualFold(w, []byte("endsolid")):
			r.words = nil
			return nil
		case !bytes.EqualFold(w, []byte("facet")):
			return r.fail("%s where facet or endsolid is expected", shown(w))
		}
		if err := r.facet(); err != nil {
			return err
		}
	}
}

func (r *stlText) facet() error {
	if err := r.expect("normal", "", "", "", "outer", "loop"); err != nil {
		return err
	}
	var face [3]int32
	for j := range face {
		if err := r.expect("vertex"); err != nil {
			return err
		}
		var p [3]float64
		for k := range p {
			w, ok := r.take()
			if !ok {
				return r.truncated("a coordinate")
			}
			x, err := r.coordinate(&w, "a coordinate")
			if err != nil {
				return err
			}
			p[k] = x
		}
		face[j] = r.vertex(p)
	}
	r.Faces = append(r.Faces, face)
	return r.expect("endloop", "endfacet")
}

// expect takes these words; an empty one stands for any, as for the numbers of a normal, which C
// may have written as -nan(ind).
func (r *stlText) expect(words ...string) error {
	for _, want := range words {
		w, ok := r.take()
		if !ok {
			return r.truncated("%s", cmp.Or(want, "a number"))
		}
		if want != "" && !bytes.EqualFold(w, []byte(want)) {
			return r.fail("%s where %s is expected", shown(w), want)
		}
	}
	return nil
}

// take returns the next word; false at the end of the file.
func (r *stlText) take() ([]byte, bool) {
	for len(bytes.TrimLeft(r.words, blanks)) == 0 {
		line, ok := r.next()
		if !ok {
			return nil, false
		}
		r.words = line
	}
	return word(&r.words), true
}
