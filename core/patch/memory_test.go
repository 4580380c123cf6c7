package patch

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"ccd/core/meshfile"
)

// greedy returns files of about n bytes that ask for as much memory as their format can.
func greedy(n int) map[string][]byte {
	repeat := func(head, part, tail string) []byte {
		return []byte(head + strings.Repeat(part, max(0, n-len(head)-len(tail))/len(part)) + tail)
	}
	const corner = `{"points":[[0,0,0]],"patches":[`
	grid := 0                     // a side of control points
	for (grid+1)*(grid+1)*8 < n { // they take long
		grid++
	}
	knots := strings.TrimSuffix(strings.Repeat("0,", 9)+
		strings.Join(strings.Fields(strings.Trim(fmt.Sprint(rising(grid-8)), "[]")), ",")+
		strings.Repeat(fmt.Sprintf(",%d", grid-9), 9), ",")
	return map[string][]byte{
		"obj vertices":    repeat("", "v 0 0 0\n", "f 1 1 1\n"),
		"obj one face":    repeat("v 0 0 0\nf 1 1", " 1", "\n"),
		"obj faces":       repeat("v 0 0 0\n", "f 1 1 1\n", ""),
		"obj points":      repeat("v 0 0 0\ncstype bezier\ndeg 1\ncurv 0 1", " 1", "\nend\n"),
		"obj parameters":  repeat("v 0 0 0\ncstype bezier\ndeg 9\ncurv 0 1 1\nparm u", " 1", "\nend\n"),
		"obj continued":   repeat("v 0 0 0\nf 1 1", " 1 \\\n", " 1\n"),
		"teapot":          repeat("999999999\n1 1\n", "0 0 0\n0 0 0\n0 0 0\n0 0 0\n1 1\n", ""),
		"teapot, indices": repeat("999999999\n", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", ""),
		"json points":     repeat(`{"points":[`, "[0,0,0],", "[0,0,0]]}"),
		"json no points":  repeat(`{"points":[`, "[],", "[]]}"),
		"json patches": repeat(corner, `{"degree":[1,1],"index":[0,0,0,0]},`,
			`{"degree":[1,1],"index":[0,0,0,0]}]}`),
		"json no patches":  repeat(corner, "{},", "{}]}"),
		"json index":       repeat(corner+`{"degree":[1,1],"index":[`, "0,", "0]}]}"),
		"json knots":       repeat(corner+`{"degree":[1,1],"index":[0],"knots":[`, "[],", "[]]}]}"),
		"json a long knot": repeat(corner+`{"degree":[1,1],"index":[0],"knots":[[`, "0,", "0]]}]}"),
		"json depth":       repeat("", "[", ""),
		"nurbs": []byte(
			fmt.Sprintf(`{"points":[[0,0,0]],"patches":[{"degree":[9,9],"knots":[[%s],[%s]],"index":[%s0]}]}`,
				knots, knots, strings.Repeat("0,", grid*grid-1))),
	}
}

// rising returns 0, 1, ..., n-1.
func rising(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// checkMemory reads data and compares what that takes with what Read promises.
func checkMemory(t *testing.T, name string, data []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, _ := Decode(data)
	runtime.ReadMemStats(&after)
	most := meshfile.MemoryPerByte*len(data) + 1<<18
	if m != nil {
		most += MemoryPerPoint * len(m.Index)
	}
	if got := int(after.TotalAlloc - before.TotalAlloc); got > most {
		t.Errorf("%s: %d bytes of a file take %d, which is %.1f times as much",
			name, len(data), got, float64(got)/float64(len(data)))
	}
}

// The memory that reading takes is bounded by the file's size, and by the control points that NURBS
// become.
func TestMemoryIsBoundedByTheFile(t *testing.T) {
	for name, data := range greedy(1 << 14) {
		checkMemory(t, name, data)
	}
}
