package mesh

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"math"
	"strconv"
)

// values are the numbers of an array: integers where its type is one, reals in any case of a real type.
type values struct {
	integers []int64
	reals    []float64
}

// scalars are the types of VTK: bytes, whether real, whether unsigned.
var scalars = map[string]struct {
	size           int
	real, unsigned bool
}{
	"Int8": {size: 1}, "Int16": {size: 2}, "Int32": {size: 4}, "Int64": {size: 8},
	"UInt8": {size: 1, unsigned: true}, "UInt16": {size: 2, unsigned: true}, "UInt32": {size: 4, unsigned: true},
	"UInt64": {size: 8, unsigned: true}, "Float32": {size: 4, real: true}, "Float64": {size: 8, real: true},
}

// numbers reads an array.
func (v *vtu) numbers(a *array) (*values, error) {
	kind, ok := scalars[a.kind]
	if !ok {
		return nil, a.fail("numbers of type %.20q", a.kind)
	}
	var data []byte
	var err error
	switch a.format {
	case "ascii":
		return a.words(kind.real)
	case "binary":
		data, err = v.unpack(a, &stream{text: a.text})
	case "appended":
		if a.offset > len(v.appended) {
			return nil, a.fail("its offset is %d; %d bytes are appended", a.offset, len(v.appended))
		}
		s := &stream{text: v.appended[a.offset:]}
		if !v.base64 {
			s = &stream{ready: v.appended[a.offset:]}
		}
		data, err = v.unpack(a, s)
	default:
		return nil, a.fail("format %.20q", a.format)
	}
	if err != nil {
		return nil, err
	}
	if len(data)%kind.size != 0 {
		return nil, a.fail("%d bytes are no number of %s", len(data), a.kind)
	}
	x := new(values)
	for ; len(data) > 0; data = data[kind.size:] {
		var bits uint64
		switch kind.size {
		case 1:
			bits = uint64(data[0])
		case 2:
			bits = uint64(v.order.Uint16(data))
		case 4:
			bits = uint64(v.order.Uint32(data))
		default:
			bits = v.order.Uint64(data)
		}
		switch unused := 64 - 8*kind.size; {
		case kind.real && kind.size == 4:
			x.reals = append(x.reals, float64(math.Float32frombits(uint32(bits))))
		case kind.real:
			x.reals = append(x.reals, math.Float64frombits(bits))
		case kind.unsigned:
			x.integers = append(x.integers, int64(bits)) // beyond the largest: negative, and refused as such
		default:
			x.integers = append(x.integers, int64(bits<<unused)>>unused)
		}
	}
	return x, nil
}

// words reads an array in text.
func (a *array) words(real bool) (*values, error) {
	x := new(values)
	for s := (&source{data: a.text}); ; {
		w := s.word()
		if len(w) == 0 {
			return x, nil
		}
		var err error
		if real {
			var f float64
			f, err = strconv.ParseFloat(string(w), 64)
			if math.IsInf(f, 0) {
				err = nil // refused where it is used, as a coordinate that is not finite
			}
			x.reals = append(x.reals, f)
		} else {
			var n int64
			n, err = strconv.ParseInt(string(w), 10, 64)
			x.integers = append(x.integers, n)
		}
		if err != nil {
			return nil, a.fail("%.40q: no number of type %s", w, a.kind)
		}
	}
}

// unpack is the bytes of an array: a number of bytes and these, or blocks compressed by zlib, their sizes before them.
func (v *vtu) unpack(a *array, s *stream) ([]byte, error) {
	number := func() (int, bool) {
		b, ok := s.take(v.header)
		switch {
		case !ok:
			return 0, false
		case v.header == 4:
			return int(v.order.Uint32(b)), true
		}
		n := v.order.Uint64(b)
		return int(n), n <= math.MaxInt32*8
	}
	n, ok := number()
	if !ok {
		return nil, a.fail("it ends within its heading")
	}
	if !v.zlib {
		data, ok := s.take(n)
		if !ok {
			return nil, a.fail("it ends before its %d bytes do", n)
		}
		return data, nil
	}
	whole, ok1 := number()
	last, ok2 := number()
	if !ok1 || !ok2 || n > s.most()/v.header {
		return nil, a.fail("it ends within its heading")
	}
	sizes := make([]int, n)
	for i := range sizes {
		if sizes[i], ok = number(); !ok {
			return nil, a.fail("it ends within its heading")
		}
	}
	var all []byte
	for i, size := range sizes {
		want := whole
		if i == n-1 && last > 0 {
			want = last
		}
		packed, ok := s.take(size)
		if !ok {
			return nil, a.fail("it ends within block %d", i)
		}
		r, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, a.fail("block %d: %v", i, err)
		}
		block, err := io.ReadAll(io.LimitReader(r, int64(want)+1))
		if err != nil || len(block) != want {
			return nil, a.fail("block %d: %d bytes, where %d are expected (%v)", i, len(block), want, err)
		}
		all = append(all, block...)
	}
	return all, nil
}

// stream is bytes, some of them still in base64. Runs of base64 follow on one another, each padded by itself or not: VTK
// encodes the heading of compressed data apart from the data.
type stream struct {
	ready []byte
	text  []byte
}

// most is how many bytes there are left at most.
func (s *stream) most() int { return len(s.ready) + len(s.text) }

// take is the next n bytes.
func (s *stream) take(n int) ([]byte, bool) {
	if n < 0 || n > s.most() {
		return nil, false
	}
	for len(s.ready) < n {
		four := make([]byte, 0, 4)
		for len(four) < 4 && len(s.text) > 0 {
			if c := s.text[0]; !isSpace(c) {
				four = append(four, c)
			}
			s.text = s.text[1:]
		}
		var three [3]byte
		k, err := base64.StdEncoding.Decode(three[:], four)
		if err != nil || k == 0 {
			return nil, false
		}
		s.ready = append(s.ready, three[:k]...)
	}
	b := s.ready[:n:n]
	s.ready = s.ready[n:]
	return b, true
}
