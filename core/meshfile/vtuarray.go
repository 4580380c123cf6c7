package meshfile

import (
	"bytes"
	"ccd/core/unpack"
	"cmp"
	"compress/zlib"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
)

// values are the numbers of an array: integers where its type is one, reals in any case of a real
// type.
type values struct {
	integers []int64
	reals    []float64
}

// vtkScalar is a type of numbers: its bytes, whether they are floats, whether they have no sign.
type vtkScalar struct {
	size           int
	real, unsigned bool
}

// scalars are the types of VTK by their names.
var scalars = map[string]vtkScalar{
	"Int8": {size: 1}, "Int16": {size: 2}, "Int32": {size: 4}, "Int64": {size: 8},
	"UInt8": {size: 1, unsigned: true}, "UInt16": {size: 2, unsigned: true}, "UInt32": {size: 4, unsigned: true},
	"UInt64": {size: 8, unsigned: true}, "Float32": {size: 4, real: true}, "Float64": {size: 8, real: true},
}

// numbers reads an array of so many numbers; with atMost that is the most there may be. Nothing is
// unpacked before what the array says of its size has been compared with that.
func (v *vtu) numbers(a *array, count int, atMost bool) (*values, error) {
	kind, ok := scalars[a.kind]
	if !ok {
		return nil, a.fail("numbers of type %s", shown(a.kind))
	}
	want := wanted{a: a, bytes: count * kind.size, atMost: atMost}
	var data []byte
	var err error
	switch a.format {
	case "ascii":
		return a.words(kind.real, count, atMost)
	case "binary":
		data, err = v.unpack(&want, &stream{text: a.text})
	case "appended":
		if a.offset > len(v.appended) {
			return nil, a.fail("its offset is %d; %d bytes are appended", a.offset, len(v.appended))
		}
		s := &stream{text: v.appended[a.offset:]}
		if !v.base64 {
			s = &stream{ready: v.appended[a.offset:]}
		}
		data, err = v.unpack(&want, s)
	default:
		return nil, a.fail("format %s", shown(a.format))
	}
	if err != nil {
		return nil, err
	}
	if len(data)%kind.size != 0 {
		return nil, a.fail("%d bytes are no number of %s", len(data), a.kind)
	}
	return v.decode(data, kind), nil
}

// decode turns bytes into numbers of one type, of which they hold a whole number.
func (v *vtu) decode(data []byte, kind vtkScalar) *values {
	x := new(values)
	if kind.real {
		x.reals = make([]float64, len(data)/kind.size)
	} else {
		x.integers = make([]int64, len(data)/kind.size)
	}
	for i := range len(data) / kind.size {
		var bits uint64
		switch at := data[i*kind.size:]; kind.size {
		case 1:
			bits = uint64(at[0])
		case 2:
			bits = uint64(v.order.Uint16(at))
		case 4:
			bits = uint64(v.order.Uint32(at))
		default:
			bits = v.order.Uint64(at)
		}
		switch unused := 64 - 8*kind.size; {
		case kind.real && kind.size == 4:
			x.reals[i] = float64(math.Float32frombits(uint32(bits)))
		case kind.real:
			x.reals[i] = math.Float64frombits(bits)
		case kind.unsigned:
			x.integers[i] = int64(bits) // beyond the largest: negative, and refused as such
		default:
			x.integers[i] = int64(bits<<unused) >> unused
		}
	}
	return x
}

// wanted is how many bytes an array is to unpack to.
type wanted struct {
	a      *array
	bytes  int
	atMost bool
}

// check compares that with the number of bytes that the array says it has.
func (w *wanted) check(bytes int) error {
	switch {
	case bytes == w.bytes || w.atMost && bytes < w.bytes:
		return nil
	case w.atMost:
		return w.a.fail("%d bytes, where its Piece has room for %d", bytes, w.bytes)
	}
	return w.a.fail("%d bytes, where its Piece has %d", bytes, w.bytes)
}

// words reads an array in text.
func (a *array) words(real bool, count int, atMost bool) (*values, error) {
	x, n := new(values), 0
	room := min(count, (len(a.text)+1)/2) // a word and a blank take two bytes
	if real {
		x.reals = make([]float64, 0, room)
	} else {
		x.integers = make([]int64, 0, room)
	}
	for s := (&source{data: a.text}); ; n++ {
		w := s.word()
		switch {
		case len(w) == 0 && n < count && !atMost:
			return nil, a.fail("%d numbers, where its Piece has %d", n, count)
		case len(w) == 0:
			return x, nil
		case n == count:
			return nil, a.fail("more numbers than the %d of its Piece", count)
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
			return nil, a.fail("%s: no number of type %s", shown(w), a.kind)
		}
	}
}

// packer is a compressor of VTK: it unpacks a block to the place that this fills.
type packer struct {
	most   int // A byte unpacks to so many bytes at most.
	unpack func(v *vtu, packed, to []byte) error
}

// packers are those of VTK by their names.
//
// A run of zlib's data has at most 258 bytes and takes two bits at the least, one for its length
// and one for its distance (RFC 1951, 3.2.5): a byte unpacks to at most 258 * 8 / 2.
var packers = map[string]*packer{
	"vtkZLibDataCompressor": {1032, (*vtu).inflated},
	"vtkLZ4DataCompressor": {unpack.Expansion4, func(_ *vtu, packed, to []byte) error {
		return unpack.LZ4(packed, to)
	}},
	"vtkLZMADataCompressor": {unpack.ExpansionXZ, func(_ *vtu, packed, to []byte) error {
		return unpack.XZ(packed, to)
	}},
}

// unpack returns the bytes of an array: a number of bytes and these, or compressed blocks, their
// sizes before them.
func (v *vtu) unpack(want *wanted, s *stream) ([]byte, error) {
	a := want.a
	defer func(before int) { v.taken += before - s.most() }(s.most())
	n, ok := v.headerNumber(s)
	if !ok {
		return nil, a.fail("it ends within its heading")
	}
	if v.packer != nil {
		return v.unpackBlocks(want, s, n)
	}
	if err := want.check(n); err != nil {
		if unset(n) {
			return nil, a.fail("the size before its numbers is not set, as medcoupling leaves it: write text, " +
				"as writeVTK(name, False) does, or the MED file and from it an archive")
		}
		return nil, err
	}
	if err := v.shared(a, n); err != nil {
		return nil, err
	}
	data, ok := s.take(n)
	if !ok {
		return nil, a.fail("it ends before its %d bytes do", n)
	}
	return data, nil
}

// unset reports whether the size of an array is one of the two texts that medcoupling 9.15 writes
// in its place: four blanks, or "1234", in either order of bytes.
func unset(n int) bool {
	return n == 0x20202020 || n == 0x34333231 || n == 0x31323334
}

// headerNumber reads a number of the heading of an array: a size, or a number of blocks. False:
// there is none, or it is out of range.
func (v *vtu) headerNumber(s *stream) (int, bool) {
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

// unpackBlocks is unpack for n compressed blocks: the size of a block, that of the last one unless
// it is whole, and their compressed sizes come before them.
func (v *vtu) unpackBlocks(want *wanted, s *stream, n int) ([]byte, error) {
	a := want.a
	whole, ok1 := v.headerNumber(s)
	last, ok2 := v.headerNumber(s)
	if !ok1 || !ok2 || n > s.most()/v.header {
		return nil, a.fail("it ends within its heading")
	}
	if n == 0 {
		return nil, want.check(0)
	}
	if last == 0 {
		last = whole
	}
	if last > want.bytes || n > 1 && whole > (want.bytes-last)/(n-1) { // so that the product below does not overflow
		return nil, a.fail("%d blocks of %d bytes and a last of %d, where its Piece has %d in all",
			n, whole, last, want.bytes)
	}
	total := (n-1)*whole + last
	if err := want.check(total); err != nil {
		return nil, err
	}
	sizes, packed := make([]int, n), 0
	for i := range sizes {
		var ok bool
		if sizes[i], ok = v.headerNumber(s); !ok || sizes[i] > s.most()-packed {
			return nil, a.fail("it ends within its heading, or before block %d", i)
		}
		packed += sizes[i]
	}
	if total/v.packer.most > packed {
		return nil, a.fail("%d bytes do not unpack to %d", packed, total)
	}
	if err := v.shared(a, packed); err != nil {
		return nil, err
	}
	return v.blocks(a, s, sizes, whole, last)
}

// blocks unpacks blocks.
func (v *vtu) blocks(a *array, s *stream, sizes []int, whole, last int) ([]byte, error) {
	n := len(sizes)
	all := make([]byte, (n-1)*whole+last)
	for i, to := 0, all; i < n; i++ {
		want := whole
		if i == n-1 {
			want = last
		}
		packed, ok := s.take(sizes[i])
		if !ok {
			return nil, a.fail("it ends within block %d", i)
		}
		if err := v.packer.unpack(v, packed, to[:want]); err != nil {
			return nil, a.fail("block %d does not unpack to %d bytes: %v", i, want, err)
		}
		to = to[want:]
	}
	return all, nil
}

// inflated unpacks a block of zlib.
func (v *vtu) inflated(packed, to []byte) (err error) {
	if v.unzip == nil {
		v.unzip, err = zlib.NewReader(bytes.NewReader(packed))
	} else {
		err = v.unzip.(zlib.Resetter).Reset(bytes.NewReader(packed), nil)
	}
	if err != nil {
		return err
	}
	if _, err = io.ReadFull(v.unzip, to); err != nil {
		return err
	}
	var more [1]byte
	if n, err := v.unzip.Read(more[:]); n > 0 || !errors.Is(err, io.EOF) {
		return cmp.Or(err, errLonger)
	}
	return nil
}

var errLonger = errors.New("it is longer")

// shared refuses arrays that have their bytes in common: a file of which each byte is used once
// cannot hold more than it has.
func (v *vtu) shared(a *array, bytes int) error {
	if v.taken+bytes > len(v.data) {
		return a.fail("it shares its bytes with others: together they take more than the file has")
	}
	return nil
}

// stream is bytes, some of them still in base64. Runs of base64 follow on one another, each padded
// by itself or not: VTK encodes the heading of compressed data apart from the data.
type stream struct {
	ready []byte
	text  []byte
}

// most returns how many bytes there are left at most.
func (s *stream) most() int { return len(s.ready) + len(s.text) }

// take returns the next n bytes.
func (s *stream) take(n int) ([]byte, bool) {
	if n < 0 || n > s.most() {
		return nil, false
	}
	s.ready = slices.Grow(s.ready, max(0, n+2-len(s.ready)))
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
