package meshfile

import (
	"bytes"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Queries are vertex-face or edge-edge queries of four points each; the file does not say which.
type Queries struct {
	Q     []float64 // n x 24: all points at t=0, then all points at t=1
	Truth []bool    // n, or nil when the file has none
}

// Len returns the number of queries.
func (q *Queries) Len() int { return len(q.Q) / 24 }

// rowsPerQuery are the points of a query at both ends.
const rowsPerQuery = 8

// ReadQueries reads a CSV file in the format of the 2021 dataset: eight rows a query; the columns
// are x, y, z, each as numerator and denominator, and, in all rows or in none, the truth (0 or 1).
// The quotients must be exact doubles. Errors are of the kind status.ErrFile and name the line.
func ReadQueries(path string) (*Queries, error) {
	return DecodeFile(path, DecodeQueries)
}

// DecodeQueries is ReadQueries for the content of a file.
func DecodeQueries(data []byte) (*Queries, error) {
	t := &text{rest: bytes.TrimPrefix(data, []byte("\ufeff"))}
	q := &Queries{}
	columns := 0
	for rows := 0; ; rows++ {
		line, ok := t.next()
		for ok && len(bytes.TrimLeft(line, blanks)) == 0 {
			line, ok = t.next()
		}
		if !ok {
			if rows%rowsPerQuery != 0 {
				return nil, t.truncated("row %d of %d of query %d",
					rows%rowsPerQuery+1, rowsPerQuery, rows/rowsPerQuery)
			}
			return q, nil
		}
		n := bytes.Count(line, []byte{','}) + 1
		if n != 6 && n != 7 {
			return nil, t.fail("%d columns: must be 6 or 7", n)
		}
		if rows > 0 && n != columns {
			return nil, t.fail("%d columns, where the lines before have %d", n, columns)
		}
		columns = n
		if err := q.row(t, line, rows%rowsPerQuery == 0); err != nil {
			return nil, err
		}
	}
}

// row reads a line. The first of a query sets its truth, the others must agree.
func (q *Queries) row(t *text, line []byte, first bool) error {
	for _, name := range [3]string{"x", "y", "z"} {
		var num, den []byte
		num, line, _ = bytes.Cut(line, []byte{','})
		den, line, _ = bytes.Cut(line, []byte{','})
		x, err := quotient(bytes.TrimSpace(num), bytes.TrimSpace(den))
		if err != nil {
			return t.fail("%s: %v", name, err)
		}
		q.Q = append(q.Q, x)
	}
	w := string(bytes.TrimSpace(line))
	switch {
	case line == nil: // the cut after z's denominator found no comma
		return nil
	case w != "0" && w != "1":
		return t.fail("the truth is %s: must be 0 or 1", shown(w))
	case first:
		q.Truth = append(q.Truth, w == "1")
	case q.Truth[len(q.Truth)-1] != (w == "1"):
		return t.fail("the truth is %s, in an earlier row of the query it is not", w)
	}
	return nil
}

// maxDigits bounds the work that one number can make. A double needs no more than 309 digits
// over 324.
const maxDigits = 4096

// quotient is num/den, which must be a double.
func quotient(num, den []byte) (float64, error) {
	n, err1 := strconv.ParseInt(string(num), 10, 64)
	d, err2 := strconv.ParseInt(string(den), 10, 64)
	if err1 == nil && err2 == nil && d > 0 && bits.OnesCount64(uint64(d)) == 1 && n <= 1<<53 && n >= -1<<53 {
		return float64(n) / float64(d), nil // both are doubles, and a power of two takes no bits away
	}
	var r [2]big.Int
	for i, w := range [2][]byte{num, den} {
		if len(w) > maxDigits {
			return 0, fmt.Errorf("an integer of %d digits: at most %d", len(w), maxDigits)
		}
		if _, ok := r[i].SetString(string(w), 10); !ok {
			return 0, fmt.Errorf("%s is not an integer", shown(w))
		}
	}
	if r[1].Sign() == 0 {
		return 0, fmt.Errorf("the denominator is 0")
	}
	x, exact := new(big.Rat).SetFrac(&r[0], &r[1]).Float64()
	if !exact {
		return 0, fmt.Errorf("%s/%s is not exactly a double",
			strings.Trim(shown(num), "\""), strings.Trim(shown(den), "\""))
	}
	return x, nil
}
