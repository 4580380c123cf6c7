package meshfile

import (
	"bytes"
	"ccd/core/status"
	"encoding/binary"
	"math"
	"strconv"
)

// source reads numbers from a file in either of two encodings: words in lines, or packed binary.
// Readers need not know which.
type source struct {
	data   []byte
	at     int
	line   int              // line is that of the word taken last, from 1, in text.
	order  binary.ByteOrder // nil: text
	remark byte             // begins a comment, to the end of the line; 0: there are none
}

// fail returns a status.ErrFile at the current position.
func (s *source) fail(format string, args ...any) error {
	if s.order != nil {
		return status.Errorf(status.ErrFile, "byte "+strconv.Itoa(s.at)+": "+format, args...)
	}
	return status.Errorf(status.ErrFile, "line "+strconv.Itoa(s.line)+": "+format, args...)
}

// word returns the next word of a text, over lines and comments; empty at the end.
func (s *source) word() []byte {
	s.line = max(s.line, 1)
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == '\n':
			s.line++
		case c == '\r':
			if s.at+1 == len(s.data) || s.data[s.at+1] != '\n' {
				s.line++
			}
		case c == s.remark && c != 0:
			for s.at+1 < len(s.data) && s.data[s.at+1] != '\n' && s.data[s.at+1] != '\r' {
				s.at++
			}
		case c != ' ' && c != '\t' && c != '\v' && c != '\f':
			from := s.at
			for s.at < len(s.data) && !isSpace(s.data[s.at]) {
				s.at++
			}
			return s.data[from:s.at]
		}
		s.at++
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// endLine skips the rest of the line, which must be blank: packed numbers follow.
func (s *source) endLine() {
	for s.at < len(s.data) && isSpace(s.data[s.at]) {
		s.at++
		if s.data[s.at-1] == '\n' {
			return
		}
	}
}

// bytes returns the next n of a packed file.
func (s *source) bytes(n int, name string) ([]byte, error) {
	if n > len(s.data)-s.at {
		return nil, s.fail("the file ends within %s", name)
	}
	s.at += n
	return s.data[s.at-n : s.at], nil
}

// integer returns the next integer; it takes size bytes, 4 or 8, where it is packed.
func (s *source) integer(size int, name string) (int64, error) {
	if s.order != nil {
		b, err := s.bytes(size, name)
		switch {
		case err != nil:
			return 0, err
		case size == 4:
			return int64(int32(s.order.Uint32(b))), nil
		}
		return int64(s.order.Uint64(b)), nil
	}
	w := s.word()
	if len(w) == 0 {
		return 0, s.fail("the file ends here, before %s", name)
	}
	n, err := strconv.ParseInt(string(w), 10, 64)
	if err != nil {
		return 0, s.fail("%s is %s: not an integer", name, shown(w))
	}
	return n, nil
}

// count reads a number of items of at least this many bytes each, and checks that the rest of the
// file can hold them.
func (s *source) count(size, least int, name string) (int, error) {
	n, err := s.integer(size, name)
	if err == nil && (n < 0 || n > int64((len(s.data)-s.at)/max(1, least))+1) {
		err = s.fail("%s is %d: the file is too short for them", name, n)
	}
	return int(n), err
}

// real returns the next coordinate, which is finite.
func (s *source) real(size int, name string) (float64, error) {
	var x float64
	if s.order != nil {
		b, err := s.bytes(size, name)
		switch {
		case err != nil:
			return 0, err
		case size == 4:
			x = float64(math.Float32frombits(s.order.Uint32(b)))
		default:
			x = math.Float64frombits(s.order.Uint64(b))
		}
	} else {
		w := s.word()
		if len(w) == 0 {
			return 0, s.fail("the file ends here, before %s", name)
		}
		var err error
		if x, err = strconv.ParseFloat(string(w), 64); err != nil && !math.IsInf(x, 0) {
			return 0, s.fail("%s is %s: not a number", name, shown(w))
		}
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, s.fail("%s is %v: not finite", name, x)
	}
	return x, nil
}

// find skips the input up to the end of the next occurrence of a mark, and reports whether there is
// one.
func (s *source) find(mark string) bool {
	i := bytes.Index(s.data[s.at:], []byte(mark))
	if i < 0 {
		return false
	}
	s.line += bytes.Count(s.data[s.at:s.at+i], []byte("\n"))
	s.at += i + len(mark)
	return true
}
