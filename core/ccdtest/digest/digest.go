// Package digest solves the same random queries in every domain and computes, for each domain, a
// digest of the bits of all results. By law 7 it is the same on every processor. Command bits
// prints it; tests compare it with that of other ways to the same results.
//
// Its scenes are made of multiples of powers of two by exact operations, so the queries are the
// same on every processor, whether or not the compiler fuses operations.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/proximity"
	"ccd/core/reference/boxed"
	"ccd/core/reference/d2m"
	"ccd/core/rigid"
	"ccd/core/step"
	"ccd/core/volume"
)

// A Domain writes its results, all of fixed size, to a digest. Its random numbers are independent
// of the other domains.
type Domain struct {
	Name string
	run  func(r *Source, to hash.Hash) error
}

// Domains lists the domains.
var Domains = []Domain{
	{"pairs", pairs}, {"steps", steps}, {"proximity", frames}, {"rigid", bodies}, {"patches", patches},
	{"volumes", volumes},
	{"euclidean", balls},
}

// Of returns the digest of the domain of a name, with its own results, or with those of run unless
// that is nil.
func Of(name string, run func(r *Source, to hash.Hash) error) (string, error) {
	i := slices.IndexFunc(Domains, func(d Domain) bool { return d.Name == name })
	if run == nil {
		run = Domains[i].run
	}
	to := sha256.New()
	if err := run(&Source{rand.New(rand.NewPCG(2026, uint64(i)))}, to); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Sprintf("%x", to.Sum(nil)), nil
}

// Write adds a value of fixed size, or a slice of such, after its length.
func Write(to hash.Hash, answers ...any) {
	for _, a := range answers {
		if err := binary.Write(to, binary.LittleEndian, a); err != nil {
			panic(err)
		}
	}
}

// Source is random numbers.
type Source struct{ *rand.Rand }

// number is a multiple of 2^-fine in [-1, 1).
func (r *Source) number(fine int) float64 {
	one := int64(1) << fine
	return float64(r.Int64N(2*one)-one) / float64(one)
}

func (r *Source) vector(fine int) r3.Vec {
	return r3.Vec{X: r.number(fine), Y: r.number(fine), Z: r.number(fine)}
}

// Numbers returns n numbers as number does.
func (r *Source) Numbers(n, fine int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.number(fine)
	}
	return x
}

// pairs runs every method on every kind, with numbers of full precision and on a coarse grid, where
// degenerate cases are frequent.
func pairs(r *Source, to hash.Hash) error {
	methods := []narrow.Options{}
	for _, m := range []narrow.Method{narrow.Exact, narrow.TightInclusion, narrow.TimeContracted} {
		for _, d := range []float64{0, 1.0 / 64} {
			o := narrow.DefaultOptions()
			o.Method, o.MinSeparation, o.MaxIterations, o.Flags = m, d, 4000, narrow.MaxNorm
			methods = append(methods, o)
			if d > 0 && m != narrow.Exact {
				o.Flags = 0 // the Euclidean norm
				methods = append(methods, o)
			}
		}
	}
	s := narrow.NewSolver()
	for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
		for i := range 90 {
			q := r.Numbers(kind.Len(), []int{52, 2, 20}[i%3])
			for _, o := range methods {
				var out geom.Impact
				s.Solve(kind, q, &o, &out)
				Write(to, &out)
			}
		}
	}
	return nil
}

// balls solves every kind with a Euclidean separation, exactly.
func balls(r *Source, to hash.Hash) error {
	s := narrow.NewSolver()
	for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
		for i := range 360 {
			q := r.Numbers(kind.Len(), []int{52, 2, 20}[i%3])
			o := narrow.DefaultOptions()
			o.Method, o.MinSeparation = narrow.Exact, []float64{1.0 / 64, 1.0 / 4, 0x1p-40}[i/3%3]
			var out geom.Impact
			s.Solve(kind, q, &o, &out)
			Write(to, &out)
		}
	}
	return nil
}

// Sheets returns two crumpled sheets of n x n vertices, the second above the first, and their
// faces.
func Sheets(r *Source, n int) (x []float64, faces []int32) {
	for sheet := range 2 {
		for i := range n {
			for j := range n {
				x = append(x, float64(i)/16+r.number(40)/32, float64(j)/16+r.number(40)/32,
					float64(sheet)/8+r.number(40)/32)
			}
		}
		for i := range n - 1 {
			for j := range n - 1 {
				a := int32((sheet*n+i)*n + j)
				faces = append(faces, a, a+1, a+int32(n), a+1, a+int32(n)+1, a+int32(n))
			}
		}
	}
	return x, faces
}

// Moved returns x with every vertex displaced by up to 2^-by, and the second half sunk by a
// quarter.
func Moved(r *Source, x []float64, by float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		y[i] += r.number(30) * by
		if i%3 == 2 && i >= len(y)/2 {
			y[i] -= 0.25
		}
	}
	return y
}

func steps(r *Source, to hash.Hash) error {
	x0, faces := Sheets(r, 24)
	x1 := Moved(r, x0, 1.0/16)
	m, err := mesh.New(len(x0)/3, nil, faces)
	if err != nil {
		return err
	}
	for _, d := range []float64{0, 1.0 / 1024} {
		for _, method := range []narrow.Method{narrow.Default, narrow.TimeContracted} {
			o := step.DefaultOptions()
			o.MinSeparation, o.Method, o.Flags = d, method, narrow.MaxNorm
			all, err := step.Collisions(m, x0, x1, &o)
			if err != nil {
				return err
			}
			first, err := step.Earliest(m, x0, x1, &o)
			if err != nil {
				return err
			}
			size, err := step.Size(m, x0, x1, &o)
			if err != nil {
				return err
			}
			active, err := step.ActiveSet(m, x0, x1, &o)
			if err != nil {
				return err
			}
			Write(to, int64(len(all)), all, &first, size, int64(len(active)), active)
		}
	}
	return nil
}

func frames(r *Source, to hash.Hash) error {
	x, faces := Sheets(r, 24)
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		return err
	}
	o := proximity.Options{}
	for range 2 {
		found, err := proximity.Intersections(m, x, &o)
		if err != nil {
			return err
		}
		near, err := proximity.Near(m, x, 1.0/32, &o)
		if err != nil {
			return err
		}
		least, err := proximity.Distance(m, x, &o)
		if err != nil {
			return err
		}
		Write(to, int64(len(found)), found, int64(len(near)), near, &least)
		for i := len(x) / 2; i < len(x); i++ {
			if i%3 == 2 {
				x[i]++ // the sheets apart
			}
		}
	}
	return nil
}

func bodies(r *Source, to hash.Hash) error {
	x, flat := Sheets(r, 16)
	faces := [][3]int32{}
	for f := range slices.Chunk(flat, 3) {
		faces = append(faces, [3]int32(f))
	}
	b, err := rigid.NewBody(x, faces, 2)
	if err != nil {
		return err
	}
	var s rigid.Solver
	for i := range 24 {
		var m [2]rigid.Motion
		for k := range m {
			m[k] = rigid.Motion{
				Rotation: quat.Number{Real: 1 + r.number(30), Imag: r.number(30), Jmag: r.number(30),
					Kmag: r.number(30)},
				Position: r3.Vec{X: r.number(30) / 2, Y: r.number(30) / 2, Z: float64(3 * k)}, Pivot: r.vector(20),
				Velocity: r.vector(30), AngularVelocity: r.vector(30),
			}
			m[k].Velocity.Z -= float64(4 * k)
		}
		o := rigid.DefaultOptions()
		o.MinSeparation, o.Tolerance = []float64{1e-10, 1e-3}[i%2], []float64{1e-10, 1e-5}[i%2]
		if i >= 22 {
			o.Search, o.MaxIterations = d2m.Search{}, 20000
		}
		var out rigid.Impact
		if err := s.Earliest(b, b, &m[0], &m[1], &o, &out); err != nil {
			return err
		}
		Write(to, &out)
	}
	return nil
}

func patches(r *Source, to hash.Hash) error {
	forms := []patch.Form{{Shape: patch.Triangle, U: 3, V: 3}, {Shape: patch.Quad, U: 3, V: 3},
		{Shape: patch.Quad, U: 2, V: 1}, {Shape: patch.Curve, U: 4}}
	var s patch.Solver
	for i := range 30 {
		var p [2]*patch.Patch
		for k := range p {
			f := forms[r.IntN(len(forms))]
			x0, x1, w := r.Numbers(3*f.Points(), 40), r.Numbers(3*f.Points(), 40), []float64(nil)
			for j := 2; j < len(x0); j += 3 { // two layers that change places
				x0[j] = x0[j]/4 + float64(k)
				x1[j] = x1[j]/4 + float64(1-k)
			}
			if i%3 == 0 {
				w = r.Numbers(f.Points(), 30)
				for j := range w {
					w[j] += 2
				}
			}
			var err error
			if p[k], err = patch.New(f, x0, x1, w); err != nil {
				return err
			}
		}
		for _, search := range []patch.Search{nil, boxed.Options{}} {
			o := patch.DefaultOptions()
			o.Tolerance, o.MaxIterations, o.Search, o.MinSeparation = 1e-6, 3000, search, float64(i%2)/64
			o.Flags = narrow.MaxNorm
			var out patch.Impact
			if err := s.Solve(p[0], p[1], &o, &out); err != nil {
				return err
			}
			Write(to, &out)
		}
	}
	return nil
}

func volumes(r *Source, to hash.Hash) error {
	const n = 6
	var x0 []float64
	var kinds []mesh.Element
	var corners []int32
	at := func(i, j, k int) int32 { return int32((i*n+j)*n + k) }
	for i := range n {
		for j := range n {
			for k := range n {
				x0 = append(x0, float64(i)/8, float64(j)/8, float64(k)/8)
				if max(i, j, k) < n-1 {
					kinds = append(kinds, mesh.Hexahedron)
					corners = append(corners, at(i, j, k), at(i+1, j, k), at(i+1, j+1, k), at(i, j+1, k),
						at(i, j, k+1), at(i+1, j, k+1), at(i+1, j+1, k+1), at(i, j+1, k+1))
				}
			}
		}
	}
	v, err := mesh.NewVolume(len(x0)/3, kinds, corners)
	if err != nil {
		return err
	}
	s := volume.New(v)
	for range 2 {
		x1 := Moved(r, x0, 1.0/8)
		o := volume.DefaultOptions()
		o.Classes = volume.AllClasses
		all, err := s.Collisions(x0, x1, &o)
		if err != nil {
			return err
		}
		first, err := s.Earliest(x0, x1, &o)
		if err != nil {
			return err
		}
		Write(to, int64(len(all)), all, &first)
	}
	return nil
}
