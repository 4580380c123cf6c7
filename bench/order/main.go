// Command order measures what the order of a mesh's vertices and faces costs: the processor time in
// milliseconds of calls on a scene as it is given, shuffled, or sorted by space, and the ratio to
// the first of these. "shuffled+" is the same with an order inside the library (mesh.Order), which
// the third call makes: the least of more rounds is a call that has it, and the last column the
// time of the call that makes it. "given*" is the same with a hierarchy of the mesh, which the
// first call makes. "pairs" is "candidates" with all pairs read, "list" the near pairs of a
// neighbor list, "sizes" the steps of all vertices. "collisions2", "collisions3", "earliest2" and
// "earliest3" are those calls on paths of degree 2 and 3 (bent), which the library does not
// renumber. All answers are compared.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"ccd/bench/cputime"
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/proximity"
	"ccd/core/step"
)

func main() {
	data := flag.String("data", "shared/data", "folder of the data")
	only := flag.String("only", "", "substring of the names of scenes")
	calls := flag.String("calls", "candidates,earliest,collisions,near,intersections",
		"calls: these, and others that are named above")
	orders := flag.String("orders", "given,given+,shuffled,shuffled+",
		"orders of the scene: given, shuffled, vertices or faces (of which only those are shuffled), sorted; with "+
			"+ the library may renumber, with * it uses the hierarchy")
	rounds := flag.Int("rounds", 5, "rounds, of which the least counts; more than three for orders with +")
	threads := flag.Int("threads", 1, "threads")
	moving := flag.Float64("moving", 1, "part of the vertices that are not static, at one end of the scene")
	thick := flag.Bool("thick", false, "vertices have radii, which differ")
	flag.Parse()
	if err := run(*data, *only, strings.Split(*calls, ","), strings.Split(*orders, ","), *rounds, *threads,
		filters{*moving, *thick}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(data, only string, calls, orders []string, rounds, threads int, with filters) error {
	for _, mk := range makers(data) {
		if !strings.Contains(mk.name, only) {
			continue
		}
		s, err := mk.make()
		if err != nil {
			return err
		}
		variants := make([]*scene, len(orders))
		for i, o := range orders {
			if variants[i], err = s.in(strings.TrimRight(o, "+*")); err != nil {
				return err
			}
			if err := with.set(variants[i]); err != nil {
				return err
			}
		}
		fmt.Printf("%s: %d vertices, %d faces\n", mk.name, s.m.NV, len(s.m.Faces))
		for _, call := range calls {
			if err := measure(variants, orders, call, rounds, threads); err != nil {
				return fmt.Errorf("%s, %s: %w", mk.name, call, err)
			}
		}
	}
	return nil
}

// measure performs a call on all variants of a scene, in turn, and prints the least times.
func measure(variants []*scene, orders []string, call string, rounds, threads int) error {
	least, results := make([]float64, len(orders)), make([]float64, len(orders))
	making := 0.0
	for round := range rounds {
		for i := range variants {
			broad.Renumbering = broad.RenumberNever
			if strings.HasSuffix(orders[i], "+") {
				broad.Renumbering = broad.RenumberIfItPays
			}
			broad.UseHierarchy = broad.HierarchyNever
			if strings.HasSuffix(orders[i], "*") {
				broad.UseHierarchy = broad.HierarchyAlways
			}
			before, had, began := variants[i].m.Order(), variants[i].m.Hierarchy(), cputime.Process()
			r, err := variants[i].call(call, threads)
			if err != nil {
				return err
			}
			ms := float64(cputime.Process()-began) / 1e6
			if variants[i].m.Order() != before || variants[i].m.Hierarchy() != had {
				making = ms
			}
			if round == 0 || ms < least[i] {
				least[i] = ms
			}
			if results[i] = r; r != results[0] {
				return fmt.Errorf("the result is %v in the order %s, %v in the order %s", r, orders[i], results[0],
					orders[0])
			}
		}
	}
	fmt.Printf("  %-14s", call)
	for i, o := range orders {
		fmt.Printf("  %s %.2f (%.3f)", o, least[i], least[i]/least[0])
	}
	fmt.Printf("  result %v, made in %.1f\n", results[0], making)
	return nil
}

// call performs a call and returns a number of its result.
func (s *scene) call(name string, threads int) (float64, error) {
	o := step.DefaultOptions()
	o.Threads = threads
	switch name {
	case "candidates", "pairs":
		mo, err := geom.NewTrajectories(s.x0, s.x1)
		if err != nil {
			return 0, err
		}
		c, err := broad.Sweep(s.m, mo, broad.Options{Threads: threads})
		if err != nil {
			return 0, err
		}
		n := c.Len()
		if name == "pairs" { // a sum that depends on the order of the pairs
			for k := geom.VertexFace; k <= geom.PointPoint; k++ {
				for i, x := range c.Of(k) {
					n += (int(x[0])*3 + int(x[1])) * (i&1023 + 1)
				}
			}
		}
		c.Release()
		return float64(n), nil
	case "earliest":
		im, err := step.Earliest(s.m, s.x0, s.x1, &o)
		return im.TOILo, err
	case "collisions":
		all, err := step.Collisions(s.m, s.x0, s.x1, &o)
		return float64(len(all)), err
	case "collisions2", "collisions3":
		all, err := step.Curved(s.m, s.bent[name[len(name)-1]-'2']).Collisions(&o)
		return float64(len(all)), err
	case "earliest2", "earliest3":
		im, err := step.Curved(s.m, s.bent[name[len(name)-1]-'2']).Earliest(&o)
		return im.TOILo, err
	case "sizes":
		alpha, y := make([]float64, s.m.NV), make([]float64, len(s.x0))
		r, err := step.Sizes(s.m, s.x0, s.x1, alpha, y, nil, &o)
		return r.Used, err
	case "near":
		po := proximity.Options{}
		po.Threads = threads
		near, err := proximity.Near(s.m, s.x0, s.edge/20, &po)
		proximity.Reuse(near)
		return float64(len(near)), err
	case "list":
		po := proximity.Options{}
		po.Threads = threads
		list, err := proximity.List(s.m, s.x0, s.edge/5, &po)
		if err != nil {
			return 0, err
		}
		return float64(list.Len()), nil
	case "intersections":
		po := proximity.Options{}
		po.Threads = threads
		all, err := proximity.Intersections(s.m, s.x0, &po)
		return float64(len(all)), err
	}
	return 0, fmt.Errorf("no call %q", name)
}
