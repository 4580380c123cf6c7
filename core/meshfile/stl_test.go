package meshfile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// Noise and files of other formats are not called a binary STL file of two thousand million
// triangles; one that was cut short is.
func TestWhatIsCalledABinarySTL(t *testing.T) {
	noise := make([]byte, 3000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	noise[0], noise[1] = 0x80, 0 // neither gzip nor text
	glb := append([]byte("glTF\x02\x00\x00\x00\x00\x10\x00\x00\xe0\x03\x00\x00JSON"),
		[]byte(
			`{"asset":{"version":"2.0","generator":"made by hand"},"scene":0,`+
				`"scenes":[{"nodes":[0]}],"nodes":[{}]}`)...)
	body := make([]byte, stlHeader+1000*stlTriangle)
	binary.LittleEndian.PutUint32(body[80:], 1000)
	for name, c := range map[string]struct {
		file   []byte
		called bool
	}{
		"noise":               {noise, false},
		"glb":                 {append(glb, make([]byte, 900)...), false},
		"zeros":               {make([]byte, 1000), false},
		"zeros, header alone": {append([]byte{1}, make([]byte, 90)...), false},
		"one byte short":      {body[:len(body)-1], true},
		"half":                {body[:len(body)/2], true},
		"a fortieth":          {body[:len(body)/40], true},
		"more behind it":      {append(bytes.Clone(body), 7), true},
	} {
		_, err := Decode(c.file)
		if err == nil {
			t.Fatalf("%s is read", name)
		}
		if got := strings.Contains(err.Error(), "as a binary STL file of 1000 triangles"); got != c.called {
			t.Errorf("%s: %v", name, err)
		}
		if got := strings.Contains(err.Error(), "triangles"); got != c.called {
			t.Errorf("%s: %v", name, err)
		}
	}
}
