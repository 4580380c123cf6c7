package meshfile

import (
	"bytes"
	"ccd/core/status"
	"math"
	"strconv"
)

// text reads the lines of a file. Lines end with LF, CR LF or CR.
type text struct {
	rest []byte
	line int // number of the line that next gave last, from 1
}

// next returns the next line without its end; false at the end of the file.
func (t *text) next() ([]byte, bool) {
	if len(t.rest) == 0 {
		return nil, false
	}
	t.line++
	end := 0
	for end < len(t.rest) && t.rest[end] != '\r' && t.rest[end] != '\n' {
		end++
	}
	if end == len(t.rest) {
		line := t.rest
		t.rest = nil
		return line, true
	}
	line, after := t.rest[:end], end+1
	if t.rest[end] == '\r' && after < len(t.rest) && t.rest[after] == '\n' {
		after++
	}
	t.rest = t.rest[after:]
	return line, true
}

// nextWords returns the next line that has a word, without comments (from the mark to the end of
// the line); false at the end.
func (t *text) nextWords(mark byte) ([]byte, bool) {
	for {
		line, ok := t.next()
		if !ok {
			return nil, false
		}
		if i := bytes.IndexByte(line, mark); i >= 0 {
			line = line[:i]
		}
		if line = bytes.TrimLeft(line, blanks); len(line) > 0 {
			return line, true
		}
	}
}

// fail returns a status.ErrFile at the current line.
func (t *text) fail(format string, args ...any) error {
	return status.Errorf(status.ErrFile, "line "+strconv.Itoa(t.line)+": "+format, args...)
}

// truncated returns the error for a file that ends too early.
func (t *text) truncated(missing string, args ...any) error {
	return t.fail("the file ends here, before "+missing, args...)
}

const blanks = " \t\v\f"

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }

// word removes the first word from a line and returns it; it is empty when there is none.
func word(line *[]byte) []byte {
	s, first := *line, 0
	for first < len(s) && isBlank(s[first]) {
		first++
	}
	end := first
	for end < len(s) && !isBlank(s[end]) {
		end++
	}
	*line = s[end:]
	return s[first:end]
}

// coordinate removes a finite number from a line and returns it.
func (t *text) coordinate(line *[]byte, name string) (float64, error) {
	w := word(line)
	if len(w) == 0 {
		return 0, t.fail("%s is missing", name)
	}
	x, err := strconv.ParseFloat(string(w), 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, t.fail("%s is %s: not a number", name, shown(w))
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, t.fail("%s is %s: not finite", name, shown(w))
	}
	return x, nil
}

// point removes three coordinates from a line and appends them to the vertices.
func (t *text) point(line *[]byte, s *Surface) error {
	for _, name := range [3]string{"x", "y", "z"} {
		x, err := t.coordinate(line, name)
		if err != nil {
			return err
		}
		s.Vertices = append(s.Vertices, x)
	}
	if len(s.Vertices)/3 > math.MaxInt32 {
		return t.fail("more than %d vertices", math.MaxInt32)
	}
	return nil
}

// integer removes an integer from a line and returns it.
func (t *text) integer(line *[]byte, name string) (int, error) {
	w := word(line)
	if len(w) == 0 {
		return 0, t.fail("%s is missing", name)
	}
	n, err := strconv.Atoi(string(w))
	if err != nil {
		return 0, t.fail("%s is %s: not an integer", name, shown(w))
	}
	return n, nil
}

// index removes a vertex index, counted from 0, from a line and returns it.
func (t *text) index(line *[]byte, vertices int) (int32, error) {
	n, err := t.integer(line, "a vertex index")
	if err != nil {
		return 0, err
	}
	if n < 0 || n >= vertices {
		return 0, t.fail("vertex index %d is out of range for %d vertices", n, vertices)
	}
	return int32(n), nil
}

// firstWord returns the first word of a text outside comments.
func firstWord(data []byte) []byte {
	t := text{rest: data}
	line, _ := t.nextWords('#')
	return word(&line)
}
