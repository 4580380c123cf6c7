package source

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ccd/simd/gen/proof"
)

var (
	climbFor = flag.Duration("climb", 0, "search worst cases of the bounds for so long in all")
	climbed  = flag.String("climbed", "",
		"a file of the worst cases, NAME.json, with a table, NAME.md: the search goes on")
)

// point is numbers for the inputs of a program, and how far inputs that have errors are from their
// exact values, in -1 to 1 of what they may be.
type point struct {
	Inputs  map[string]float64
	Offs    map[string]float64
	Reached float64 // Reached is the error over the bound.
}

// TestClimb searches inputs for which much of a bound is reached, by changes that are kept where
// the error over the bound grows. Without the option climb it tries a hundred changes of one bound.
// No error may exceed the share of its bound that is proven.
func TestClimb(t *testing.T) {
	best, m := map[string]*point{}, module()
	if text, err := os.ReadFile(*climbed); err == nil {
		if err := json.Unmarshal(text, &best); err != nil {
			t.Fatal(err)
		}
	}
	all := library()
	if *climbFor == 0 {
		all = all[:1]
	}
	var table strings.Builder
	table.WriteString("| package | functions | constant | reached | may be used |\n|---|---|---|--:|--:|\n")
	begun := time.Now()
	for i, x := range all {
		found, err := prove(m, &x)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range x.constants {
			c := found[n]
			if slices.ContainsFunc(c.worst.Ops, func(o proof.Op) bool { return strings.HasPrefix(o.Code, "pair_") }) {
				continue // Operations on double-doubles are not run here.
			}
			key := fmt.Sprintf("%s | %s | %s", x.Path, x.functions, n)
			random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 7))
			if *climbFor == 0 {
				random = rand.New(rand.NewPCG(1, 7))
			}
			s := &climb{q: &c.worst, value: c.at.Value, bound: c.worst.positive(c.at.Bound), random: random}
			until := begun.Add(*climbFor * time.Duration(i+1) / time.Duration(len(all)))
			p := s.from(best[key], until)
			best[key] = p
			fmt.Fprintf(&table, "| %s | %.3f | %.3f |\n", key, p.Reached, c.share)
			if p.Reached > c.share {
				t.Errorf("%s: %g of the bound is reached, and %g is proven: %v", key, p.Reached, c.share, p)
			}
		}
	}
	if *climbed != "" {
		text, err := json.MarshalIndent(best, "", " ")
		if err == nil {
			err = os.WriteFile(*climbed, text, 0o666)
		}
		if err == nil {
			err = os.WriteFile(strings.TrimSuffix(*climbed, ".json")+".md", []byte(table.String()), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for key, p := range best {
		if *climbFor == 0 && p.Reached < 0.2 {
			t.Errorf("%s: a hundred changes reach %g of the bound", key, p.Reached)
		}
	}
}

// positive returns the bound of a value that is less than minus it.
func (p *Program) positive(v int) int {
	if o := p.Ops[v]; o.Code == "neg" {
		return o.Args[0]
	}
	return v
}

type climb struct {
	q            *Program
	value, bound int
	random       *rand.Rand
	used         []string // inputs that have numbers of their own
}

// from climbs from a point, or from a random one, until a time; at least a hundred changes.
func (s *climb) from(p *point, until time.Time) *point {
	for _, o := range s.q.Ops {
		if o.Code != "input" {
			continue
		}
		if e, ok := s.q.Entries[o.Name]; ok {
			for _, n := range []string{e[0], e[2]} {
				if n != "1" {
					s.used = append(s.used, n)
				}
			}
			continue
		}
		s.used = append(s.used, o.Name)
	}
	slices.Sort(s.used)
	s.used = slices.Compact(s.used)
	if p == nil {
		p = s.anywhere()
	}
	for n, last := 0, 0; n < 100 || time.Now().Before(until); n++ {
		next := s.changed(p)
		if n-last > 3000 { // Nothing has grown for long: begin elsewhere, and keep the better one.
			if other := s.upwards(s.anywhere(), 1500); other.Reached > p.Reached {
				p = other
			}
			last = n
		}
		if next.Reached > p.Reached {
			last = n
		}
		if next.Reached >= p.Reached {
			p = next
		}
	}
	return p
}

// upwards takes n changes.
func (s *climb) upwards(p *point, n int) *point {
	for range n {
		if next := s.changed(p); next.Reached >= p.Reached {
			p = next
		}
	}
	return p
}

func (s *climb) number(name string) float64 {
	if s.q.Times[name] {
		return s.random.Float64()
	}
	x := math.Ldexp(1+s.random.Float64(), -s.random.IntN(3))
	if !s.q.Sizes[name] && s.random.IntN(2) == 0 {
		x = -x
	}
	return x
}

func (s *climb) anywhere() *point {
	p := &point{Inputs: map[string]float64{}, Offs: map[string]float64{}}
	for _, n := range s.used {
		p.Inputs[n] = s.number(n)
		p.Offs[n] = float64(2*s.random.IntN(2) - 1)
	}
	p.Reached = s.reached(p)
	return p
}

// changed returns a point with some inputs changed, by a little or altogether.
func (s *climb) changed(p *point) *point {
	c := &point{Inputs: maps.Clone(p.Inputs), Offs: maps.Clone(p.Offs)}
	for range 1 + s.random.IntN(3) {
		n := s.used[s.random.IntN(len(s.used))]
		switch s.random.IntN(5) {
		case 0:
			c.Inputs[n] = s.number(n)
		case 1:
			c.Offs[n] = -c.Offs[n]
		default:
			x := c.Inputs[n] * (1 + math.Ldexp(s.random.Float64()-0.5, -s.random.IntN(53)))
			if !s.q.Times[n] || x <= 1 {
				c.Inputs[n] = x
			}
		}
	}
	c.Reached = s.reached(c)
	return c
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// input returns the number of an input and its exact value.
func (s *climb) input(name string, p *point) (x float64, exact *big.Rat) {
	of := func(n string) float64 {
		if n == "1" {
			return 1
		}
		return p.Inputs[n]
	}
	if e, ok := s.q.Entries[name]; ok {
		a, b := of(e[0]), of(e[2])
		if e[1] == "-" {
			return a - b, minus(rational(a), rational(b))
		}
		return a + b, sum(rational(a), rational(b))
	}
	x = of(name)
	for n, most := range s.q.Maxima { // A maximum is no less than what it is of, and its exact value.
		if most == name {
			x = max(x, math.Abs(of(n))*(1+0x1p-49))
		}
	}
	off := s.q.Offs[name]
	if off == 0 {
		return x, rational(x)
	}
	size := math.Abs(x)
	if most := s.q.Maxima[name]; most != "" {
		size, _ = s.input(most, p)
	}
	return x, sum(rational(x), times(rational(off), rational(p.Offs[name]), rational(size)))
}

// reached returns the error of the value over the bound.
func (s *climb) reached(p *point) float64 {
	x, exact := make([]float64, len(s.q.Ops)), make([]*big.Rat, len(s.q.Ops))
	for i, o := range s.q.Ops {
		if i > max(s.value, s.bound) {
			break
		}
		arg := func(k int) (float64, *big.Rat) { return x[o.Args[k]], exact[o.Args[k]] }
		switch o.Code {
		case "input":
			x[i], exact[i] = s.input(o.Name, p)
		case "const":
			x[i], exact[i] = o.Value, rational(o.Value)
		case "abs", "neg":
			a, A := arg(0)
			if x[i], exact[i] = -a, new(big.Rat).Neg(A); o.Code == "abs" {
				x[i], exact[i] = math.Abs(a), new(big.Rat).Abs(A)
			}
		case "add", "sub", "mul", "div", "min", "max":
			a, A := arg(0)
			b, B := arg(1)
			x[i], exact[i] = binary(o.Code, a, b, A, B)
		default: // A comparison is not a part of a value.
			x[i], exact[i] = 0, new(big.Rat)
		}
	}
	e, _ := minus(rational(x[s.value]), exact[s.value]).Float64()
	if !(x[s.bound] > 0) {
		return 0
	}
	return math.Abs(e) / x[s.bound]
}

func binary(code string, a, b float64, x, y *big.Rat) (float64, *big.Rat) {
	switch code {
	case "add":
		return a + b, sum(x, y)
	case "sub":
		return a - b, minus(x, y)
	case "mul":
		return a * b, times(x, y)
	case "div":
		return a / b, new(big.Rat).Quo(x, y)
	}
	if less := x.Cmp(y) < 0; less == (code == "min") {
		return extreme(code, a, b), x
	}
	return extreme(code, a, b), y
}

func extreme(code string, a, b float64) float64 {
	if code == "min" {
		return min(a, b)
	}
	return max(a, b)
}
