package ccdtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Fuzz is the body of a native fuzz target: one method, one law. Its seeds are one case of every
// family and kind; its corpus, in testdata/fuzz beside the test, holds every query on which a law
// was ever found broken.
func (s *Suite) Fuzz(f *testing.F, law int) {
	for i, fam := range Families {
		k := geom.Kind(1 + i%4)
		r := NewRand(s.Seed+77, uint64(i))
		c := fam.Make(r, k, i/4%2 == 0)
		if s.Skip != nil && s.Skip(&c) {
			c.D = 0
		}
		f.Add(byte(c.Kind), c.D, c.Delta, c.TMax, Pack(c.Q))
	}
	f.Fuzz(func(t *testing.T, kind byte, d, delta, tMax float64, raw []byte) {
		c := Unpack(kind, d, delta, tMax, raw)
		if s.Skip != nil && s.Skip(&c) {
			return
		}
		j := NewKnownCase(c)
		if err := s.Check(&j, law); err != nil {
			t.Errorf("%v:\n%v", &c, err)
		}
	})
}

// Check runs the method on one case and returns an error if the law is broken.
func (s *Suite) Check(j *KnownCase, law int) error {
	m, o := s.New(), s.options(j)
	out := geom.Impact{Verdict: -1, Kind: -1, TOILo: math.NaN()} // must be overwritten
	switch law {
	case 6:
		m(j.Kind, j.Q, &o, &out)
		for _, e := range []int{-300, -7, 60} {
			if err := s.scaled(j, m, &o, &out, e); err != nil {
				return err
			}
		}
		return nil
	case 7:
		m(j.Kind, j.Q, &o, &out)
		return s.sameBits(j, m, &o, &out)
	case 8: // first as it comes, with a small budget
		few := o
		few.MaxIterations = 3
		m(j.Kind, j.Q, &few, &out)
		if err := laws[8](j, &few, &out, s.promise()); err != nil {
			return err
		}
		o.Flags |= narrow.NoZeroTOI
	}
	m(j.Kind, j.Q, &o, &out)
	return laws[law](j, &o, &out, s.promise())
}

// sameBits solves the query again, after its reverse has used the same scratch.
func (s *Suite) sameBits(j *KnownCase, m Method, o *narrow.Options, first *geom.Impact) error {
	n := len(j.Q) / 2
	back := append(append(make([]float64, 0, 2*n), j.Q[n:]...), j.Q[:n]...)
	var out geom.Impact
	m(j.Kind, back, o, &out)
	if m(j.Kind, j.Q, o, &out); out != *first {
		return violation(7, "%+v at first, %+v later", *first, out)
	}
	return nil
}

// Pack writes coordinates as bytes.
func Pack(q []float64) (raw []byte) {
	for _, x := range q {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return raw
}

// Unpack makes a valid case of any input: missing values are zero, and values out of range are
// mapped into it.
func Unpack(kind byte, d, delta, tMax float64, raw []byte) Case {
	c := Case{Family: "fuzz", Kind: geom.Kind(1 + (kind+3)%4)}
	c.Q = make([]float64, c.Kind.Len())
	for i := range c.Q {
		if len(raw) >= 8*i+8 {
			c.Q[i] = bounded(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
		}
	}
	c.D = math.Abs(bounded(d))
	c.Delta = max(math.Abs(bounded(delta)), 1e-300)
	c.TMax = math.Abs(bounded(tMax))
	if c.TMax > 1 {
		c.TMax = 1 / c.TMax
	}
	return c
}

// bounded maps every double to a finite one of magnitude at most geom.MaxCoordinate, and those to
// themselves.
func bounded(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 1
	}
	for math.Abs(x) > geom.MaxCoordinate {
		x *= 0x1p-600
	}
	return x
}

// CorpusFile is a case in the format of go test's fuzz corpus, to be put into
// testdata/fuzz/<target>/.
func CorpusFile(c *Case) string {
	return fmt.Sprintf("go test fuzz v1\nbyte(%d)\nfloat64(%v)\nfloat64(%v)\nfloat64(%v)\n[]byte(%q)\n",
		c.Kind, c.D, c.Delta, c.TMax, Pack(c.Q))
}
