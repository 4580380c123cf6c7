package unpack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/crc64"
)

// ExpansionXZ bounds the bytes that a byte of LZMA's data unpacks to. The longest match has 273
// bytes, and its 14 bits cost at least -log2(1 - 31/2048) = 0.02203 each: a probability of 11 bits
// stays 31 or more away from 0 and from 1. So 8 * 273 / (14 * 0.02203) = 7081; the range coder cuts
// off less than 2^-13 of it.
const ExpansionXZ = 7100

var (
	errHeading = errors.New("its heading is damaged")
	errFilter  = errors.New("it has a filter other than LZMA2")
	errCheck   = errors.New("its check sum is another")
	errKind    = errors.New("its kind of check sum is not known")
)

// XZ unpacks one stream of the XZ format with LZMA2 as its only filter, to exactly len(to) bytes.
// Check sums of the headings and of the data are compared (CRC32, CRC64, SHA-256); the index at the
// end repeats sizes, and is not read.
func XZ(packed, to []byte) error {
	const heading = 12
	if len(packed) < heading {
		return errEnds
	}
	flags := packed[6:8]
	if string(packed[:6]) != "\xfd7zXZ\x00" || flags[0] != 0 ||
		crc32.ChecksumIEEE(flags) != binary.LittleEndian.Uint32(packed[8:]) {
		return errHeading
	}
	sum, ok := sums[flags[1]]
	if !ok {
		return errKind
	}
	packed = packed[heading:]
	for {
		if len(packed) == 0 {
			return errEnds
		}
		if packed[0] == 0 { // the index
			if len(to) > 0 {
				return errEnds
			}
			return nil
		}
		n, used, err := block(packed, to, sum)
		if err != nil {
			return err
		}
		packed, to = packed[used:], to[n:]
	}
}

// sums are the check sums of a block by their numbers.
var sums = map[byte]func([]byte) []byte{
	0: func([]byte) []byte { return nil },
	1: func(b []byte) []byte { return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) },
	4: func(b []byte) []byte {
		return binary.LittleEndian.AppendUint64(nil, crc64.Checksum(b, crc64.MakeTable(crc64.ECMA)))
	},
	10: func(b []byte) []byte { s := sha256.Sum256(b); return s[:] },
}

// block unpacks one block; it returns how many bytes it wrote and read.
func block(packed, to []byte, sum func([]byte) []byte) (written, read int, err error) {
	size := 4 * (int(packed[0]) + 1)
	if size > len(packed) {
		return 0, 0, errEnds
	}
	head := packed[:size-4]
	if crc32.ChecksumIEEE(head) != binary.LittleEndian.Uint32(packed[size-4:]) {
		return 0, 0, errHeading
	}
	if err := filters(head[1:]); err != nil {
		return 0, 0, err
	}
	n, used, err := lzma2(packed[size:], to)
	if err != nil {
		return 0, 0, err
	}
	end := size + (used+3)&^3
	want := sum(to[:n])
	switch {
	case end+len(want) > len(packed):
		return 0, 0, errEnds
	case !bytes.Equal(want, packed[end:end+len(want)]):
		return 0, 0, errCheck
	}
	return n, end + len(want), nil
}

// filters returns an error unless a block's heading, behind its size, names LZMA2 alone. Sizes that
// it may state are those that the data have: the check sum is of all of them.
func filters(head []byte) error {
	if len(head) == 0 {
		return errHeading
	}
	flags := head[0]
	head = head[1:]
	if flags&0x3c != 0 {
		return errHeading
	}
	for _, present := range []bool{flags&0x40 != 0, flags&0x80 != 0} {
		if present {
			if _, n := binary.Uvarint(head); n > 0 {
				head = head[n:]
			} else {
				return errHeading
			}
		}
	}
	if flags&3 != 0 || len(head) < 3 || head[0] != 0x21 || head[1] != 1 {
		return errFilter
	}
	return nil
}

// lzma2 unpacks the chunks of one block up to their end; it returns how many bytes it wrote and
// read.
func lzma2(packed, to []byte) (written, read int, err error) {
	d := decoder{to: to}
	begun, chosen := false, false // the dictionary; the numbers of literal and position bits
	rest := packed
	for {
		if len(rest) == 0 {
			return 0, 0, errEnds
		}
		control := rest[0]
		if control == 0 {
			return d.at, len(packed) - len(rest) + 1, nil
		}
		if len(rest) < 3 {
			return 0, 0, errEnds
		}
		size := int(binary.BigEndian.Uint16(rest[1:])) + 1
		switch {
		case control <= 2:
			if control == 1 {
				d.first, begun = d.at, true
			}
			rest = rest[3:]
			switch {
			case !begun:
				return 0, 0, errHeading
			case size > len(rest):
				return 0, 0, errEnds
			case size > len(to)-d.at:
				return 0, 0, errLonger
			}
			d.at += copy(to[d.at:], rest[:size])
			rest = rest[size:]
			continue
		case control < 0x80:
			return 0, 0, errHeading
		case len(rest) < 6:
			return 0, 0, errEnds
		}
		size += int(control&0x1f) << 16
		own := int(binary.BigEndian.Uint16(rest[3:])) + 1
		how, from := control>>5&3, 5
		if how == 3 {
			d.first, begun = d.at, true
		}
		if how >= 2 {
			if !d.model.choose(rest[5]) {
				return 0, 0, errHeading
			}
			chosen, from = true, 6
		}
		rest = rest[from:]
		switch {
		case !begun || !chosen:
			return 0, 0, errHeading
		case own > len(rest):
			return 0, 0, errEnds
		case size > len(to)-d.at:
			return 0, 0, errLonger
		}
		if how >= 1 {
			d.model.reset()
			d.state, d.repeated = 0, [4]int{}
		}
		if err := d.chunk(rest[:own], d.at+size); err != nil {
			return 0, 0, err
		}
		rest = rest[own:]
	}
}
