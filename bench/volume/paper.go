package main

import (
	"fmt"
	"math"
	"os"

	"ccd/bench/cputime"
	"ccd/core/ccdtest"
	"ccd/core/reference/volccd"
	"ccd/core/volume"
)

// way is a way of carrying out the method of paper 2011, or the tree.
type way struct {
	name   string
	search volume.Search
	tally
	stats volume.Stats // sums
}

func newWays() []*way {
	return []*way{
		{name: "tree"},
		{name: "2011", search: volccd.Options{}},
		{name: "2011 without axes", search: volccd.Options{Axes: volccd.NoAxes}},
		{name: "2011, the paper's axes alone", search: volccd.Options{Axes: volccd.PaperAxes}},
		{name: "2011, static", search: volccd.Options{Assignment: volccd.Static}},
	}
}

// step runs one step, and compares the contacts.
func (w *way) step(scene *volume.Scene, x0, x1 []float64, want []volume.Contact) error {
	var st volume.Stats
	o := volume.DefaultOptions()
	o.Threads, o.VolumeStats, o.Classes, o.Search = 1, &st, volume.AllClasses, w.search
	began := cputime.Now()
	found, err := scene.Collisions(x0, x1, &o)
	w.spent += cputime.Now() - began
	if err != nil {
		return err
	}
	if len(found) != len(want) {
		return fmt.Errorf("%s: %d contacts, want %d", w.name, len(found), len(want))
	}
	for i := range found {
		if found[i] != want[i] {
			return fmt.Errorf("%s: contact %d is %+v, want %+v", w.name, i, found[i], want[i])
		}
	}
	w.steps++
	w.tests += st.Candidates[0] + st.Candidates[1]
	s := &w.stats
	for k := range st.Overlaps {
		s.Overlaps[k] += st.Overlaps[k]
	}
	s.PatchPairs += st.PatchPairs
	s.Separated += st.Separated
	s.Orphans += st.Orphans
	s.SecondsBuild += st.SecondsBuild
	s.SecondsBroad += st.SecondsBroad
	s.SecondsNarrow += st.SecondsNarrow
	s.Impacts += st.Impacts
	return nil
}

// study is a sequence by all methods.
type study struct {
	name       string
	elements   int
	none, hash tally
	ways       []*way
}

func newStudy(q *ccdtest.Sequence, every int) (*study, error) {
	v, err := q.Cells.Volume()
	if err != nil {
		return nil, err
	}
	scene := volume.New(v)
	s := &study{name: q.Name, elements: len(q.Cells.Kinds), ways: newWays()}
	none, hash := newPeer(treePairs), newPeer(hashPairs)
	err = q.Run(scene.Edit, func(i int, x0, x1 []float64) error {
		if i%every != every-1 {
			return nil
		}
		o := volume.DefaultOptions()
		o.Threads, o.Classes = 1, volume.AllClasses
		want, err := scene.Collisions(x0, x1, &o)
		if err != nil {
			return err
		}
		o.Search = volccd.Options{} // what is kept from step to step is made now, as it is for the tree
		if _, err := scene.Collisions(x0, x1, &o); err != nil {
			return err
		}
		for _, w := range s.ways {
			if err := w.step(scene, x0, x1, want); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		for _, p := range []*peer{none, hash} {
			if err := p.step(v, x0, x1, want); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		return nil
	})
	s.none, s.hash = none.tally, hash.tally
	return s, err
}

// reportPaper writes tables like the paper's I to III.
func reportPaper(list []*ccdtest.Sequence, every int) error {
	var studies []*study
	for _, q := range list {
		s, err := newStudy(q, every)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: tree %.0f ms, 2011 %.0f ms\n", q.Name, s.ways[0].ms(), s.ways[1].ms())
		studies = append(studies, s)
	}
	fmt.Printf(`# VolCCD and the tree

Written by `+"`go run ./bench/volume -paper -every %d`"+`. One thread, processor time, milliseconds a step, in the steps that all are
measured in; compare times only within one run. All methods end in the same exact test and find the same contacts; the run
checks every bit. Sequences, no culling and hashing are those of volumes.md; 2011 is VolCCD [Tang2011], core/reference/volccd: 16-DOPs, dynamic assignment,
orphan sets, Chung and Wang's axes and the paper's.

Query time, and the speed-up of 2011, as in the paper's table I.

| sequence | elements | no culling | hashing | 2011 | no culling / 2011 | hashing / 2011 | tree | 2011 / tree |
|---|---|---|---|---|---|---|---|---|
`, every)
	logs := 0.0
	for _, s := range studies {
		tree, paper := s.ways[0].ms(), s.ways[1].ms()
		logs += math.Log(s.none.ms()/paper) / float64(len(studies))
		fmt.Printf("| %s | %d | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |\n", s.name, s.elements, s.none.ms(),
			s.hash.ms(), paper,
			s.none.ms()/paper, s.hash.ms()/paper, tree, paper/tree)
	}
	fmt.Printf("\nGeometric mean of 2011's speed-up over no culling: %.1f.\n", math.Exp(logs))
	reportStages(studies)
	return nil
}

func reportStages(studies []*study) {
	fmt.Print(`
Elementary tests a step, in thousands, as in the paper's tables II and III: A without culling, B with assignment and orphan sets, C with
axes besides, C' with the paper's axes alone; and contacts. Then pairs of elements whose 16-DOPs meet, the share of those that an axis
separates, and the size of the orphan sets.

| sequence | A | B | C' | C | B / A | C / B | contacts | pairs of elements | separated | orphans |
|---|---|---|---|---|---|---|---|---|---|---|
`)
	for _, s := range studies {
		steps := float64(max(1, s.none.steps)) * 1e3
		a, b, c1, c := float64(s.none.tests)/steps, float64(s.ways[2].tests)/steps, float64(s.ways[3].tests)/steps,
			float64(s.ways[1].tests)/steps
		st := &s.ways[1].stats
		fmt.Printf("| %s | %.0f | %.0f | %.0f | %.0f | %.2f %% | %.1f %% | %.1f | %.0f | %.0f %% | %.0f |\n", s.name,
			a, b, c1, c, 100*b/a, 100*c/b,
			float64(st.Impacts)/steps, float64(st.PatchPairs)/steps,
			100*float64(st.Separated)/float64(max(1, st.PatchPairs)),
			float64(st.Orphans)/steps)
	}
	fmt.Print(`
The ways, milliseconds a step, and where the time of the first goes: k-DOPs and tree, traversal with axes and assignment, elementary tests.

| sequence |`)
	for _, w := range newWays()[1:] {
		fmt.Printf(" %s |", w.name)
	}
	fmt.Print(" k-DOPs | traversal | tests |\n|---|---|---|---|---|---|---|---|\n")
	for _, s := range studies {
		fmt.Printf("| %s |", s.name)
		for _, w := range s.ways[1:] {
			fmt.Printf(" %.0f |", w.ms())
		}
		st := &s.ways[1].stats
		all := (st.SecondsBuild + st.SecondsBroad + st.SecondsNarrow) / 100
		fmt.Printf(" %.0f %% | %.0f %% | %.0f %% |\n", st.SecondsBuild/all, st.SecondsBroad/all, st.SecondsNarrow/all)
	}
}
