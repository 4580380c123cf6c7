package patch

import (
	"bytes"
	"ccd/core/status"
	"math"
	"strconv"
)

// teapotBegins reports whether a file begins as a list of Bezier patches: with their number, and
// then two degrees or 16 numbers.
func teapotBegins(data []byte) bool {
	for first := true; len(data) > 0; {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte{'\n'})
		if line, _, _ = bytes.Cut(line, []byte{'#'}); len(line) > 4096 {
			return false // longer than 16 numbers, whatever they are
		}
		words := (&lines{rest: line}).next()
		switch n := len(words); {
		case n == 0:
		case first && n == 1 && integers(words):
			first = false
		default:
			return !first && (n == 2 || n == 16) && integers(words)
		}
	}
	return false
}

func integers(words [][]byte) bool {
	for _, w := range words {
		if _, err := strconv.Atoi(string(w)); err != nil {
			return false
		}
	}
	return true
}

// readTeapot reads a list of Bezier patches in one of the two formats in which the Utah teapot goes
// round. Both begin with the number of patches. Then either (.bpt), for each patch, its degrees "u
// v" and (u+1)(v+1) points "x y z", v fastest; or (Newell's original) for each a line of 16 numbers
// of vertices, from 1, of a bicubic patch, then the number of vertices, then these. Numbers are
// separated by blanks or commas; # begins a comment.
func (m *Model) readTeapot(l *lines) error {
	words := l.next()
	if len(words) != 1 {
		return l.fail("%d words, not the number of patches", len(words))
	}
	n, err := l.integer(words[0])
	if err != nil {
		return err
	}
	if n < 1 || n > math.MaxInt32 {
		return l.fail("%d patches", n)
	}
	words = l.next()
	if len(words) == 16 {
		return m.readIndexed(l, words, n)
	}
	for i := range n {
		if err := m.readBPT(l, words, i, n); err != nil {
			return err
		}
		words = l.next()
	}
	if words != nil {
		return l.fail("more than the %d patches that were announced", n)
	}
	return nil
}

// readBPT reads patch i of n, from the line of its degrees on.
func (m *Model) readBPT(l *lines, words [][]byte, i, n int) error {
	if words == nil {
		return l.fail("the file ends here, with %d of %d patches", i, n)
	}
	if len(words) != 2 {
		return l.fail("%d words, not the two degrees of patch %d", len(words), i)
	}
	u, err := l.integer(words[0])
	if err != nil {
		return err
	}
	v, err := l.integer(words[1])
	if err != nil {
		return err
	}
	f := Form{Quad, u, v}
	if err := f.Check(); err != nil {
		return l.fail("%v", err)
	}
	index := make([]int32, f.Points())
	for k := range index {
		if words = l.next(); words == nil {
			return l.fail("the file ends here, with %d of the %d points of patch %d", k, len(index), i)
		}
		index[k] = int32(len(m.Points) / 3)
		if err := l.place(words, m); err != nil {
			return err
		}
	}
	if err := m.add(f, index, nil); err != nil {
		return l.fail("patch %d: %v", i, err)
	}
	return nil
}

// readIndexed reads n patches by the numbers of their vertices, the first of which is at hand.
func (m *Model) readIndexed(l *lines, words [][]byte, n int) error {
	var all [][16]int32
	var at []int // the line of each patch
	for i := range n {
		if i > 0 {
			words = l.next()
		}
		if len(words) != 16 {
			return l.fail("%d numbers, not the 16 of patch %d of %d", len(words), i, n)
		}
		var index [16]int32
		for k, w := range words {
			v, err := l.integer(w)
			if err != nil {
				return err
			}
			if v < 1 || v > math.MaxInt32 {
				return l.fail("vertex %d: they are numbered from 1", v)
			}
			index[k] = int32(v - 1)
		}
		all, at = append(all, index), append(at, l.line)
	}
	words = l.next()
	if len(words) != 1 {
		return l.fail("%d words, not the number of vertices", len(words))
	}
	count, err := l.integer(words[0])
	if err != nil {
		return err
	}
	for i := range count {
		if words = l.next(); words == nil {
			return l.fail("the file ends here, with %d of %d vertices", i, count)
		}
		if err := l.place(words, m); err != nil {
			return err
		}
	}
	if l.next() != nil {
		return l.fail("more than the %d vertices that were announced", count)
	}
	for i := range all {
		if err := m.add(Form{Quad, 3, 3}, all[i][:], nil); err != nil {
			return status.Errorf(status.ErrFile, "line %d: patch %d: %v", at[i], i, err)
		}
	}
	return nil
}
