package unpack

import "errors"

// Expansion4 bounds the bytes that a byte of an LZ4 block unpacks to: a byte of a length adds 255.
const Expansion4 = 255

var (
	errEnds   = errors.New("it ends too early")
	errLonger = errors.New("it is longer")
	errBefore = errors.New("a distance reaches before the data")
)

// LZ4 unpacks one block, without the heading of a frame, to exactly len(to) bytes.
//
// A block is a list of sequences: a byte with two lengths of 4 bits, more of the first length,
// literals, a distance of 2 bytes, more of the second length. The last one ends after its literals.
func LZ4(packed, to []byte) error {
	at := 0
	for {
		if len(packed) == 0 {
			return errEnds
		}
		token := packed[0]
		packed = packed[1:]
		n, err := length4(int(token>>4), len(to), &packed)
		switch {
		case err != nil:
			return err
		case n > len(packed):
			return errEnds
		case n > len(to)-at:
			return errLonger
		}
		copy(to[at:], packed[:n])
		at, packed = at+n, packed[n:]
		if len(packed) == 0 {
			if at < len(to) {
				return errEnds
			}
			return nil
		}
		if len(packed) < 2 {
			return errEnds
		}
		distance := int(packed[0]) | int(packed[1])<<8
		packed = packed[2:]
		if n, err = length4(int(token&15), len(to), &packed); err != nil {
			return err
		}
		if at, err = repeat(to, at, distance, n+4); err != nil {
			return err
		}
	}
}

// length4 returns a length whose first 4 bits are given: 15 is followed by bytes that are added, up
// to one below 255. It may be above most, but not by much.
func length4(n, most int, packed *[]byte) (int, error) {
	if n < 15 {
		return n, nil
	}
	for n <= most {
		if len(*packed) == 0 {
			return 0, errEnds
		}
		b := (*packed)[0]
		*packed = (*packed)[1:]
		n += int(b)
		if b < 255 {
			return n, nil
		}
	}
	return 0, errLonger
}

// repeat copies n bytes that stand a distance before at, of which some may be written only now. It
// returns the place behind them.
func repeat(to []byte, at, distance, n int) (int, error) {
	switch {
	case distance < 1 || distance > at:
		return 0, errBefore
	case n > len(to)-at:
		return 0, errLonger
	}
	for end := at + n; at < end; {
		at += copy(to[at:end], to[at-distance:at])
	}
	return at, nil
}
