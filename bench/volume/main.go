// Command volume measures steps of volumes: the tree over patches beside two methods without its
// culling, on the sequences of ccdtest and of the data folder, and writes a table in Markdown. All
// run on one thread, in processor time, in one run; the contacts of all methods are compared.
//
//	go run ./bench/volume -every 5 > bench/reports/volumes.md
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"ccd/bench/cputime"
	"ccd/core/ccdtest"
	"ccd/core/mesh"
	"ccd/core/volume"
)

func main() {
	data := flag.String("data", "../shared/data", "the data folder")
	every := flag.Int("every", 5, "measure every so many steps; the tree goes through all")
	size := flag.Float64("size", 1, "of the generated sequences")
	only := flag.String("only", "", "this sequence alone")
	paper := flag.Bool("paper", false, "measure the method of paper 2011 instead")
	large := flag.Bool("large", true, "measure the tree at large sizes too")
	flag.Parse()
	runtime.LockOSThread() // The thread is locked, because the time of the thread is measured.
	list := append(ccdtest.Sequences(*size), ccdtest.MoreSequences(*size)...)
	more, err := ccdtest.DataSequences(filepath.Join(*data, "volume"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "volume: without the data folder:", err)
	}
	list = append(list, more...)
	if *only != "" {
		list = slices.DeleteFunc(list, func(q *ccdtest.Sequence) bool { return q.Name != *only })
	}
	if *paper {
		if err := reportPaper(list, *every); err != nil {
			fmt.Fprintln(os.Stderr, "volume:", err)
			os.Exit(1)
		}
		return
	}
	var rows []*row
	for _, q := range list {
		r, err := measure(q, *every)
		if err != nil {
			fmt.Fprintf(os.Stderr, "volume: %s: %v\n", q.Name, err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "%s: %.0f ms\n", q.Name, r.tree.ms())
		rows = append(rows, r)
	}
	report(rows)
	if *large {
		if err := reportLarge(); err != nil {
			fmt.Fprintln(os.Stderr, "volume:", err)
			os.Exit(1)
		}
	}
}

// reportLarge measures the tree alone at large sizes, and on as many threads as there are.
func reportLarge() error {
	fmt.Printf("\nAt large sizes, the tree alone; wall clock on %d threads beside the processor time of one.\n\n",
		runtime.GOMAXPROCS(0))
	fmt.Print("| sequence | contacts a step | one thread, ms | all threads, ms of wall clock | MB " +
		"|\n|---|---|---|---|---|\n")
	for _, q := range ccdtest.Large() {
		v, err := q.Cells.Volume()
		if err != nil {
			return err
		}
		scene := volume.New(v)
		var one, all time.Duration
		var contacts int
		var st volume.Stats
		err = q.Run(scene.Edit, func(i int, x0, x1 []float64) error {
			o := volume.DefaultOptions()
			o.Threads, o.VolumeStats = 1, &st
			began := cputime.Now()
			found, err := scene.Collisions(x0, x1, &o)
			one += cputime.Now() - began
			if err != nil {
				return err
			}
			contacts += len(found)
			o.Threads = 0
			clock := time.Now()
			_, err = scene.Collisions(x0, x1, &o)
			all += time.Since(clock)
			return err
		})
		if err != nil {
			return err
		}
		n := float64(q.Steps)
		fmt.Printf("| %s | %d | %.0f | %.0f | %.0f |\n", q.Name, contacts/q.Steps, one.Seconds()*1e3/n,
			all.Seconds()*1e3/n,
			float64(st.PeakBytes)/1e6)
		fmt.Fprintf(os.Stderr, "%s: %.0f ms\n", q.Name, one.Seconds()*1e3/n)
	}
	return nil
}

// tally is what one method took, over some steps.
type tally struct {
	spent time.Duration
	steps int
	tests int64 // elementary tests
}

func (t *tally) ms() float64 { return t.spent.Seconds() * 1e3 / float64(max(1, t.steps)) }

// row is a sequence's.
type row struct {
	name       string
	elements   int
	contacts   int64
	tree       tally // all steps
	same       tally // the tree again, in the steps that the others are measured in
	none, hash tally
	stats      volume.Stats // sums over the tree's steps
}

// measure runs a sequence; each method has its own volume, with the same edits.
func measure(q *ccdtest.Sequence, every int) (*row, error) {
	v, err := q.Cells.Volume()
	if err != nil {
		return nil, err
	}
	scene := volume.New(v)
	r := &row{name: q.Name, elements: len(q.Cells.Kinds)}
	none, hash := newPeer(treePairs), newPeer(hashPairs)
	err = q.Run(scene.Edit, func(i int, x0, x1 []float64) error {
		var st volume.Stats
		o := volume.DefaultOptions()
		o.Threads, o.VolumeStats, o.Classes = 1, &st, volume.AllClasses
		began := cputime.Now()
		found, err := scene.Collisions(x0, x1, &o)
		spent := cputime.Now() - began
		r.tree.spent += spent
		r.tree.steps++
		if err != nil {
			return err
		}
		r.add(&st)
		if i%every != every-1 {
			return nil
		}
		r.same.spent += spent
		r.same.steps++
		for _, p := range []*peer{none, hash} {
			if err := p.step(v, x0, x1, found); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		return nil
	})
	r.none, r.hash = none.tally, hash.tally
	return r, err
}

func (r *row) add(st *volume.Stats) {
	s := &r.stats
	for k := range s.Overlaps {
		s.Overlaps[k] += st.Overlaps[k]
		s.Candidates[k] += st.Candidates[k]
	}
	r.contacts += st.Impacts
	r.tree.tests += st.Candidates[0] + st.Candidates[1]
	s.SecondsBuild += st.SecondsBuild
	s.SecondsBroad += st.SecondsBroad
	s.SecondsNarrow += st.SecondsNarrow
	s.PeakBytes = max(s.PeakBytes, st.PeakBytes)
}

func report(rows []*row) {
	fmt.Print(`# Steps of volumes

Written by ` + "`go run ./bench/volume`" + `. One thread, processor time, milliseconds a step; compare times only within one run. The
sequences are those of ccdtest (generated) and, named data- and armadillos, of the meshes in data/volume. All classes of
pairs are tested. Every method ends in the same exact test, and finds the same contacts at the same first times; the run
checks this in every step in which all are measured.

- *no culling*: a tree over elements with swept 16-DOPs; where two leaves overlap, every vertex of the one against every face of the
  other and every edge against every edge.
- *hashing*: the same tests for elements that share a cell of a uniform grid (Teschner et al. 2003).
- *tree*: the default method, in the steps that all are measured in, and over all steps.

| sequence | elements | contacts a step | no culling | hashing | tree | no culling / tree | hashing / tree | tree, all steps |
|---|---|---|---|---|---|---|---|---|
`)
	product, n := 1.0, 0
	for _, r := range rows {
		ratio := r.none.ms() / r.same.ms()
		fmt.Printf("| %s | %d | %d | %.0f | %.0f | %.1f | %.0f | %.0f | %.1f |\n", r.name, r.elements,
			r.contacts/int64(r.tree.steps),
			r.none.ms(), r.hash.ms(), r.same.ms(), ratio, r.hash.ms()/r.same.ms(), r.tree.ms())
		product, n = product*ratio, n+1
	}
	fmt.Printf("\nGeometric mean of the speed-up over no culling: %.0f.\n", math.Pow(product, 1/float64(n)))
	fmt.Print(`
Tests left a step, in thousands: elementary tests without culling; pairs of features whose boxes at both ends are not apart and that share no
vertex; those that no diagonal separates, which go to the narrow phase; contacts. Then the share of the tree's time in building and fitting,
in traversal with its comparisons, and in the narrow phase; and the working memory, the contacts found
among it.

| sequence | no culling | boxes | diagonals | contacts | build | traverse | narrow | MB |
|---|---|---|---|---|---|---|---|---|
`)
	for _, r := range rows {
		s, steps := &r.stats, float64(r.tree.steps)
		all := s.SecondsBuild + s.SecondsBroad + s.SecondsNarrow
		k := func(n int64, steps float64) float64 { return float64(n) / steps / 1e3 }
		fmt.Printf("| %s | %.0f | %.0f | %.0f | %.1f | %.0f %% | %.0f %% | %.0f %% | %.0f |\n", r.name,
			k(r.none.tests, float64(r.none.steps)),
			k(s.Overlaps[0]+s.Overlaps[1], steps), k(s.Candidates[0]+s.Candidates[1], steps), k(r.contacts, steps),
			100*s.SecondsBuild/all, 100*s.SecondsBroad/all, 100*s.SecondsNarrow/all, float64(s.PeakBytes)/1e6)
	}
}

// key is a contact, apart from the numbers of its features and who reported it.
type key struct {
	vertices [4]int32
	edges    bool
	toi      float64
}

func keyOf(c *volume.Contact) key { return key{c.Vertices, c.Kind == 2, c.TOILo} }

// sides are the edges and triangles of an element, as numbers of features.
func sides(v *mesh.Volume, e int32) (edges, faces []int32) {
	faces = v.Sides(e)
	for _, f := range faces {
		for _, g := range v.FaceEdges[f] {
			if !slices.Contains(edges, g) {
				edges = append(edges, g)
			}
		}
	}
	return edges, faces
}
