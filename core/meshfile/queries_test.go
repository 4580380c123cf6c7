package meshfile

import (
	"ccd/core/status"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// fraction writes x as numerator and denominator, both enlarged by a factor.
func fraction(x float64, factor int64) string {
	q := new(big.Rat).SetFloat64(x)
	f := big.NewInt(factor)
	return new(big.Int).Mul(q.Num(), f).String() + "," + new(big.Int).Mul(q.Denom(), f).String()
}

func TestQueriesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var file strings.Builder
	var want []float64
	truth := []bool{true, false, true}
	for _, hit := range truth {
		for range rowsPerQuery {
			for range 3 {
				x := math.Float64frombits(r.Uint64() &^ (1 << 62)) // magnitudes up to 2, and down to denormals
				if r.IntN(4) == 0 {
					x = []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, 0, -1 << 53, 1<<53 + 2, -0.1}[r.IntN(6)]
				}
				want = append(want, x)
				fmt.Fprint(&file, fraction(x, []int64{1, 1, 3, -7, 1 << 40}[r.IntN(5)]), ",")
			}
			fmt.Fprintf(&file, " %d\r\n", map[bool]int{false: 0, true: 1}[hit])
		}
		fmt.Fprintln(&file)
	}
	q, err := DecodeQueries([]byte(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if q.Len() != 3 || fmt.Sprint(q.Truth) != fmt.Sprint(truth) {
		t.Errorf("%d queries, truth %v", q.Len(), q.Truth)
	}
	for i := range want {
		if q.Q[i] != want[i] {
			t.Fatalf("number %d is %v, want %v", i, q.Q[i], want[i])
		}
	}
}

func TestBadQueriesNameTheLine(t *testing.T) {
	row := "0,1,0,1,0,1\n"
	seven := "0,1,0,1,0,1,1\n"
	for _, c := range []struct{ file, text string }{
		{strings.Repeat(row, 7), "line 7: the file ends here, before row 8 of 8 of query 0"},
		{strings.Repeat(row, 9), "before row 2 of 8 of query 1"},
		{row + "0,1,0,1,0\n", "line 2: 5 columns"},
		{row + seven, "line 2: 7 columns, where the lines before have 6"},
		{row + "0,1,0,0,0,1\n", "line 2: y: the denominator is 0"},
		{"1,3,0,1,0,1\n", "line 1: x: 1/3 is not exactly a double"},
		{"0,1,0,1,9007199254740993,1\n", "line 1: z: 9007199254740993/1 is not exactly a double"},
		{"0,1,0,1,1" + strings.Repeat("0", 400) + ",1\n", "is not exactly a double"},
		{"0,1,0,1,1" + strings.Repeat("0", 5000) + ",1\n", "5001 digits: at most 4096"},
		{"0,1,0,1,1.5,1\n", `z: "1.5" is not an integer`},
		{"0,1,0,1,,1\n", `z: "" is not an integer`},
		{"0,1,0,1,0,1,2\n", `the truth is "2": must be 0 or 1`},
		{seven + "0,1,0,1,0,1,0\n", "line 2: the truth is 0, in an earlier row"},
	} {
		q, err := DecodeQueries([]byte(c.file))
		if q != nil || !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%.60q: got %v, %v; want %q", c.file, q, err, c.text)
		}
	}
	if q, err := DecodeQueries(nil); err != nil || q.Len() != 0 {
		t.Errorf("no queries: %v, %v", q, err)
	}
}
