package unpack

import (
	"encoding/binary"
	"slices"
)

// decoder unpacks LZMA2's chunks. What is unpacked is its dictionary.
type decoder struct {
	ranges    ranges
	model     model
	to        []byte
	at, first int // the next byte; the first one of the dictionary
	state     int
	repeated  [4]int // the last distances, less 1
}

// ranges is the range coder, with what is left of its bytes.
type ranges struct {
	code, width uint32
	packed      []byte
	short       bool // Short says that it wanted more bytes than there are.
}

// model holds the probabilities of all bits, and which of them those of literals depend on.
type model struct {
	literalBits, literalMask, positionMask int

	match, long         [states << 4]probability
	rep                 [4][states]probability
	slot                [4][64]probability
	special             [128]probability
	align               [16]probability
	lengths, repLengths lengths
	literals            []probability
}

const (
	states  = 12
	half    = 1 << 10 // the probability 1/2
	minimum = 1 << 24 // the least width of the range coder
)

// probability is the probability that a bit is 0, in units of 2^-11.
type probability uint16

// lengths decode the length of a match.
type lengths struct {
	choice, choice2 probability
	low, mid        [16][8]probability
	high            [256]probability
}

// choose sets the numbers of bits that a byte packs, and reports whether they are in range.
func (m *model) choose(b byte) bool {
	lc, lp, pb := int(b)%9, int(b)/9%5, int(b)/45
	if lc+lp > 4 || pb > 4 {
		return false
	}
	m.literalBits, m.literalMask, m.positionMask = lc, 1<<lp-1, 1<<pb-1
	m.literals = slices.Grow(m.literals[:0], 0x300<<(lc+lp))[:0x300<<(lc+lp)]
	return true
}

// reset makes each bit as probable as its opposite.
func (m *model) reset() {
	fill := func(lists ...[]probability) {
		for _, list := range lists {
			for i := range list {
				list[i] = half
			}
		}
	}
	fill(m.match[:], m.long[:], m.special[:], m.align[:], m.literals)
	for i := range m.slot {
		fill(m.slot[i][:], m.rep[i][:])
	}
	for _, l := range []*lengths{&m.lengths, &m.repLengths} {
		l.choice, l.choice2 = half, half
		fill(l.high[:])
		for i := range l.low {
			fill(l.low[i][:], l.mid[i][:])
		}
	}
}

// bit decodes a bit and adapts its probability.
func (r *ranges) bit(p *probability) int {
	bound := r.width >> 11 * uint32(*p)
	b := 0
	if r.code < bound {
		r.width = bound
		*p += (1<<11 - *p) >> 5
	} else {
		r.width -= bound
		r.code -= bound
		*p -= *p >> 5
		b = 1
	}
	r.normalize()
	return b
}

// normalize keeps the width of the range coder large.
func (r *ranges) normalize() {
	if r.width >= minimum {
		return
	}
	r.width <<= 8
	r.code <<= 8
	if len(r.packed) == 0 {
		r.short = true
		return
	}
	r.code |= uint32(r.packed[0])
	r.packed = r.packed[1:]
}

// tree decodes a number of so many bits, the highest first.
func (r *ranges) tree(p []probability, bits int) int {
	n := 1
	for range bits {
		n = n<<1 | r.bit(&p[n])
	}
	return n - 1<<bits
}

// reverse is tree with the lowest bit first.
func (r *ranges) reverse(p []probability, bits int) int {
	n, sum := 1, 0
	for i := range bits {
		b := r.bit(&p[n])
		n = n<<1 | b
		sum |= b << i
	}
	return sum
}

// direct decodes a number of bits that are 0 as often as 1.
func (r *ranges) direct(bits int) int {
	n := 0
	for range bits {
		r.width >>= 1
		b := 0
		if r.code >= r.width {
			r.code -= r.width
			b = 1
		}
		r.normalize()
		n = n<<1 | b
	}
	return n
}

// chunk unpacks a chunk, which has bytes of its own, up to the place end.
func (d *decoder) chunk(packed []byte, end int) error {
	if len(packed) < 5 || packed[0] != 0 {
		return errHeading
	}
	d.ranges.code, d.ranges.width, d.ranges.short = binary.BigEndian.Uint32(packed[1:]), 1<<32-1, false
	d.ranges.packed = packed[5:]
	for d.at < end && !d.ranges.short {
		place := (d.at - d.first) & d.model.positionMask
		if d.ranges.bit(&d.model.match[d.state<<4+place]) == 0 {
			d.literal()
			continue
		}
		n := d.distance(place)
		var err error
		// Distances reach neither before the dictionary nor over the end of the chunk.
		if d.repeated[0] >= d.at-d.first {
			return errBefore
		}
		if d.at, err = repeat(d.to[:end], d.at, d.repeated[0]+1, n); err != nil {
			return err
		}
	}
	switch {
	case d.ranges.short:
		return errEnds
	case d.ranges.code != 0 || len(d.ranges.packed) > 0:
		return errLonger
	}
	return nil
}

// before returns the byte that stands a distance less 1 before the next one; 0 where none does.
func (d *decoder) before(distance int) byte {
	if distance >= d.at-d.first {
		return 0
	}
	return d.to[d.at-distance-1]
}

// literal decodes a byte.
func (d *decoder) literal() {
	context := ((d.at-d.first)&d.model.literalMask)<<d.model.literalBits | int(d.before(0))>>(8-d.model.literalBits)
	p, n := d.model.literals[0x300*context:][:0x300], 1
	if d.state >= 7 {
		for like := int(d.before(d.repeated[0])); n < 0x100; {
			want := like >> 7 & 1
			like <<= 1
			b := d.ranges.bit(&p[(1+want)<<8+n])
			n = n<<1 | b
			if b != want {
				break
			}
		}
	}
	for n < 0x100 {
		n = n<<1 | d.ranges.bit(&p[n])
	}
	d.to[d.at] = byte(n)
	d.at++
	switch {
	case d.state < 4:
		d.state = 0
	case d.state < 10:
		d.state -= 3
	default:
		d.state -= 6
	}
}

// distance decodes the length of a match and sets its distance.
func (d *decoder) distance(place int) int {
	r := &d.repeated
	late := 0
	if d.state >= 7 {
		late = 3
	}
	if d.ranges.bit(&d.model.rep[0][d.state]) == 0 {
		n := d.length(&d.model.lengths, place)
		r[1], r[2], r[3] = r[0], r[1], r[2]
		r[0] = d.newDistance(n)
		d.state = 7 + late
		return n
	}
	switch {
	case d.ranges.bit(&d.model.rep[1][d.state]) == 0:
		if d.ranges.bit(&d.model.long[d.state<<4+place]) == 0 {
			d.state = 9 + min(late, 2)
			return 1
		}
	case d.ranges.bit(&d.model.rep[2][d.state]) == 0:
		r[0], r[1] = r[1], r[0]
	case d.ranges.bit(&d.model.rep[3][d.state]) == 0:
		r[0], r[1], r[2] = r[2], r[0], r[1]
	default:
		r[0], r[1], r[2], r[3] = r[3], r[0], r[1], r[2]
	}
	n := d.length(&d.model.repLengths, place)
	d.state = 8 + late
	return n
}

// length decodes the length of a match, from 2 on.
func (d *decoder) length(l *lengths, place int) int {
	switch {
	case d.ranges.bit(&l.choice) == 0:
		return 2 + d.ranges.tree(l.low[place][:], 3)
	case d.ranges.bit(&l.choice2) == 0:
		return 10 + d.ranges.tree(l.mid[place][:], 3)
	}
	return 18 + d.ranges.tree(l.high[:], 8)
}

// newDistance decodes a distance, less 1, of a match of n bytes.
func (d *decoder) newDistance(n int) int {
	slot := d.ranges.tree(d.model.slot[min(n-2, 3)][:], 6)
	if slot < 4 {
		return slot
	}
	bits := slot>>1 - 1
	base := (2 | slot&1) << bits
	if slot < 14 {
		return base + d.ranges.reverse(d.model.special[base-slot:], bits)
	}
	return base + d.ranges.direct(bits-4)<<4 + d.ranges.reverse(d.model.align[:], 4)
}
