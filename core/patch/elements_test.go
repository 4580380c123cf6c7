package patch

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/meshfile"
	"ccd/core/status"
)

// elementsFile returns a file of Gmsh of one element on the nodes, whose tags count from 1.
func elementsFile(kind int, nodes [][3]float64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", len(nodes))
	for i, x := range nodes {
		fmt.Fprintf(&b, "%d %.17g %.17g %.17g\n", i+1, x[0], x[1], x[2])
	}
	fmt.Fprintf(&b, "$EndNodes\n$Elements\n1\n1 %d 0", kind)
	for i := range nodes {
		fmt.Fprintf(&b, " %d", i+1)
	}
	b.WriteString("\n$EndElements\n")
	return []byte(b.String())
}

// elementAt returns a coordinate of an element at rational parameters, by the products of
// Lagrange's formula: written apart from the matrices of lagrange.go.
func elementAt(places [][2]int, corners, order int, x []float64, u, v *big.Rat) *big.Rat {
	sum := new(big.Rat)
	n := int64(order)
	ratio := func(t *big.Rat, a int) *big.Rat { // The product over b < a of (n t - b) / (a - b).
		p := big.NewRat(1, 1)
		for b := range a {
			d := new(big.Rat).Mul(big.NewRat(n, 1), t)
			d.Sub(d, big.NewRat(int64(b), 1))
			p.Mul(p, d.Quo(d, big.NewRat(int64(a-b), 1)))
		}
		return p
	}
	line := func(t *big.Rat, a int) *big.Rat { // That over all other b.
		p := big.NewRat(1, 1)
		for b := range order + 1 {
			if b != a {
				d := new(big.Rat).Mul(big.NewRat(n, 1), t)
				d.Sub(d, big.NewRat(int64(b), 1))
				p.Mul(p, d.Quo(d, big.NewRat(int64(a-b), 1)))
			}
		}
		return p
	}
	w := new(big.Rat).Sub(big.NewRat(1, 1), u)
	w.Sub(w, v)
	for i, place := range places {
		var p *big.Rat
		switch corners {
		case 2:
			p = line(u, place[0])
		case 3:
			p = ratio(u, place[0])
			p.Mul(p, ratio(v, place[1])).Mul(p, ratio(w, order-place[0]-place[1]))
		default:
			p = line(u, place[0])
			p.Mul(p, line(v, place[1]))
		}
		sum.Add(sum, p.Mul(p, new(big.Rat).SetFloat64(x[i])))
	}
	return sum
}

// bezierAt returns a coordinate of a patch at rational parameters.
func bezierAt(f Form, x []float64, u, v *big.Rat) *big.Rat {
	power := func(t *big.Rat, e int) *big.Rat {
		p := big.NewRat(1, 1)
		for range e {
			p.Mul(p, t)
		}
		return p
	}
	one := big.NewRat(1, 1)
	bernstein := func(n, i int, t *big.Rat) *big.Rat {
		p := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(i)))
		return p.Mul(p, power(t, i)).Mul(p, power(new(big.Rat).Sub(one, t), n-i))
	}
	sum, at := new(big.Rat), 0
	add := func(p *big.Rat) {
		sum.Add(sum, p.Mul(p, new(big.Rat).SetFloat64(x[at])))
		at++
	}
	switch f.Shape {
	case Curve:
		for i := range f.U + 1 {
			add(bernstein(f.U, i, u))
		}
	case Triangle:
		w := new(big.Rat).Sub(one, u)
		w.Sub(w, v)
		for j := range f.U + 1 {
			for i := range f.U + 1 - j {
				p := new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(f.U)))
				for _, k := range []int{i, j, f.U - i - j} {
					p.Quo(p, new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(k))))
				}
				add(p.Mul(p, power(u, i)).Mul(p, power(v, j)).Mul(p, power(w, f.U-i-j)))
			}
		}
	default:
		for i := range f.U + 1 {
			for j := range f.V + 1 {
				add(new(big.Rat).Mul(bernstein(f.U, i, u), bernstein(f.V, j, v)))
			}
		}
	}
	return sum
}

// gmshElements are types of Gmsh with their corners and orders, and where their nodes are.
var gmshElements = map[int][2]int{1: {2, 1}, 8: {2, 2}, 26: {2, 3}, 2: {3, 1}, 9: {3, 2}, 21: {3, 3}, 23: {3, 4},
	25: {3, 5}, 42: {3, 6}, 3: {4, 1}, 10: {4, 2}, 36: {4, 3}, 37: {4, 4}}

// The patch of an element is the element: at rational parameters they differ by no more than Err
// says. Nodes lie where Gmsh has them; of quadrilaterals the order is that of its manual.
func TestElementsAreTheirPatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for kind, e := range gmshElements {
		corners, order := e[0], e[1]
		places := meshfile.Places(corners, order)
		if corners == 4 && order > 2 { // The sides go around, and what is inside is another quadrilateral.
			n := order
			places = [][2]int{{0, 0}, {n, 0}, {n, n}, {0, n}}
			for k := 1; k < n; k++ {
				places = append(places, [2]int{k, 0})
			}
			for k := 1; k < n; k++ {
				places = append(places, [2]int{n, k})
			}
			for k := n - 1; k > 0; k-- {
				places = append(places, [2]int{k, n})
			}
			for k := n - 1; k > 0; k-- {
				places = append(places, [2]int{0, k})
			}
			inside := [][2]int{{1, 1}, {2, 1}, {2, 2}, {1, 2}}
			if n == 4 {
				inside = [][2]int{{1, 1}, {3, 1}, {3, 3}, {1, 3}, {2, 1}, {3, 2}, {2, 3}, {1, 2}, {2, 2}}
			}
			places = append(places, inside...)
		}
		nodes := make([][3]float64, len(places))
		x := [3][]float64{}
		for i := range nodes {
			for k := range 3 {
				nodes[i][k] = rng.Float64()*2 - 1
				x[k] = append(x[k], nodes[i][k])
			}
		}
		m, err := Decode(elementsFile(kind, nodes))
		if err != nil {
			t.Errorf("type %d: %v", kind, err)
			continue
		}
		for _, at := range [][2]int64{{1, 2}, {0, 0}, {3, 4}, {5, 1}} {
			u, v := big.NewRat(at[0], 8), big.NewRat(at[1], 8)
			for k := range 3 {
				var control []float64
				for _, i := range m.Index {
					control = append(control, m.Points[3*int(i)+k])
				}
				off := elementAt(places, corners, order, x[k], u, v)
				off.Sub(off, bezierAt(m.Forms[0], control, u, v))
				if most := new(big.Rat).SetFloat64(m.Err); off.Abs(off).Cmp(most) > 0 {
					f, _ := off.Float64()
					t.Errorf("type %d at %v: coordinate %d is off by %g, and Err is %g", kind, at, k, f, m.Err)
				}
			}
		}
	}
}

// A quadrilateral of 8 nodes is the one of 9 whose middle is half the sum of the nodes on the sides
// less a quarter of that of the corners.
func TestElementsOfEightNodes(t *testing.T) {
	nodes := [][3]float64{{0, 0, 1}, {4, 0, 0}, {4, 4, 2}, {0, 4, 0}, {2, 1, 0}, {5, 2, 4}, {2, 3, 0}, {1, 2, 0}}
	middle := [3]float64{}
	for k := range 3 {
		middle[k] = (nodes[4][k] + nodes[5][k] + nodes[6][k] + nodes[7][k]) / 2
		middle[k] -= (nodes[0][k] + nodes[1][k] + nodes[2][k] + nodes[3][k]) / 4
	}
	eight, err := Decode(elementsFile(16, nodes))
	if err != nil {
		t.Fatal(err)
	}
	nine, err := Decode(elementsFile(10, append(nodes, middle)))
	if err != nil {
		t.Fatal(err)
	}
	at := func(m *Model) (list []float64) {
		for _, i := range m.Index {
			list = append(list, m.Points[3*i:3*i+3]...)
		}
		return list
	}
	if a, b := fmt.Sprint(at(eight)), fmt.Sprint(at(nine)); a != b || eight.Err > 1e-28 {
		t.Errorf("%s, and of 9 nodes %s; Err %g", a, b, eight.Err)
	}
}

// Elements that share nodes share control points; nodes that lie on each other do not.
func TestElementsShareThePointsOfTheirNodes(t *testing.T) {
	head := "MeshVersionFormatted 2 Dimension 3 Vertices 12 "
	for _, x := range []string{"0 0 0", "2 0 0", "0 2 0", "1 0 1", "1 1 1", "0 1 1", "2 2 0", "1 2 1", "2 1 1",
		"2 0 0", "0 2 0", "1 1 1"} {
		head += x + " 0 "
	}
	for text, want := range map[string]int{
		"TrianglesP2 2 1 2 3 4 5 6 0 7 3 2 8 5 9 0 End":    9,
		"TrianglesP2 2 1 2 3 4 5 6 0 7 11 10 8 12 9 0 End": 12,
	} {
		m, err := Decode([]byte(head + text))
		if err != nil || len(m.Points) != 3*want || len(m.Forms) != 2 {
			t.Errorf("%s: %d points, %v, want %d", text, len(m.Points)/3, err, want)
		}
	}
	m, err := Decode([]byte("MeshVersionFormatted 2 Dimension 3 Vertices 6 0 0 0 0 2 0 0 0 0 2 0 0 " +
		"1 0 1e141 0 1 1 1 0 0 1 0 0 TrianglesP2 1 1 2 3 4 5 6 0 End"))
	if !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), "node 3 is at 1e+141") {
		t.Errorf("%v, %v", m, err)
	}
}
