package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// hunter plants mutants and runs the suites on each.
type hunter struct {
	suites  map[string][]string
	listed  []mutant
	table   *table
	times   *times
	trust   bool // Do not run the suites on the code without a defect.
	say     func(format string, args ...any)
	stop    context.Context // ends the run when it is done
	commit  string
	code    *digests
	workers int

	locks   locks
	courses map[string]*course
	mu      sync.Mutex      // guards table, courses and stood
	stood   map[testKey]int // 1 for a test that passes by itself, -1 for one that does not
	files   map[string]string
	base    *tree // the code without a defect
	plants  *switchBuild
	many    *runner   // It runs the build that holds many mutants.
	whole   *programs // The code has no defect.
	own     sync.Mutex
	ownTree *tree // One defect at a time is planted there, under own.
	numbers int   // It counts the builds of single mutants.
}

// hunt plants the chosen mutants of the tree at root, one after the other, in copies below dir. It
// writes the table after each.
func (h *hunter) hunt(root, dir string, chosen []mutant) error {
	h.base = &tree{dir: filepath.Join(dir, "code"), data: dataFolder(root), python: interpreter(root), stop: h.stop}
	h.ownTree = &tree{dir: filepath.Join(dir, "own"), data: h.base.data, python: h.base.python, stop: h.stop}
	h.files, h.courses = map[string]string{}, map[string]*course{}
	h.stood = map[testKey]int{}
	h.locks.all = map[string]*sync.Mutex{}
	places := newFolders(root)
	for i := range chosen { // These errors are cheap to find.
		file, err := places.place(&chosen[i])
		if err != nil {
			return err
		}
		for _, s := range chosen[i].suites {
			if h.suites[s] == nil {
				return fmt.Errorf("%q: no suite is called %s", chosen[i].name, s)
			}
		}
		h.files[chosen[i].name] = filepath.ToSlash(file)
	}
	for _, t := range []*tree{h.base, h.ownTree} {
		if err := copyTree(root, t.dir); err != nil {
			return err
		}
	}
	h.plants = &switchBuild{tree: h.base, dir: filepath.Join(dir, "overlay"), byFile: map[string][]numbered{},
		why: map[int]string{}}
	var list []numbered
	for i := range chosen {
		m := numbered{i + 1, &chosen[i]}
		list = append(list, m)
		if file := h.files[m.name]; switchable(file) {
			h.plants.byFile[file] = append(h.plants.byFile[file], m)
		} else {
			h.plants.why[m.number] = "it is not in a file of Go for this system"
		}
	}
	start := time.Now()
	overlay, err := h.plants.overlay()
	if err != nil {
		return err
	}
	h.say("one build holds %d of %d mutants (%.0f s)\n", len(list)-len(h.plants.why), len(list),
		time.Since(start).Seconds())
	for _, m := range list {
		if why := h.plants.why[m.number]; why != "" {
			h.say("  not in it: %s: %s\n", m.name, why)
		}
	}
	h.many = &runner{hunter: h, tree: h.base, programs: newPrograms(h.base, filepath.Join(dir, "many"), overlay),
		environ: []string{"CCD_MUTANT=0"}, switched: true}
	h.whole = newPrograms(h.base, filepath.Join(dir, "whole"), "")
	return h.work(dir, h.order(list))
}

// order sorts mutants by folder: the folder with the least seconds a mutant in earlier runs first,
// and those that never ran by how many mutants they have. Mutants whose first suite is a whole
// package with its long tests, and for which no test is known that catches them, are last.
func (h *hunter) order(list []numbered) []numbered {
	sum, count := map[string]float64{}, map[string]float64{}
	for _, m := range list {
		count[m.folder]++
		sum[m.folder] += h.table.rows[m.name].seconds
	}
	cost := func(folder string) float64 {
		if sum[folder] == 0 {
			return count[folder]
		}
		return sum[folder] / count[folder]
	}
	long := map[int]bool{}
	for _, m := range list {
		args := h.suites[m.suites[0]]
		long[m.number] = args[0] == "test" && !slices.Contains(args, "-short") && !slices.Contains(args, "-run") &&
			h.table.rows[m.name].verdict != caught
	}
	sort.SliceStable(list, func(i, j int) bool {
		if x, y := long[list[i].number], long[list[j].number]; x != y {
			return y
		}
		a, b := list[i].folder, list[j].folder
		if x, y := cost(a), cost(b); x != y {
			return x < y
		}
		return a < b
	})
	return list
}

// work hands the mutants out. Those that need a build of their own are one queue, of which only one
// worker takes.
func (h *hunter) work(dir string, list []numbered) error {
	var shared, alone []numbered
	for _, m := range list {
		if h.plants.why[m.number] == "" {
			shared = append(shared, m)
		} else {
			alone = append(alone, m)
		}
	}
	var (
		mu    sync.Mutex
		group sync.WaitGroup
		errs  []error
		busy  bool // a build of its own is under way
	)
	next := func(prefersOwn bool) (m numbered, own, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if len(errs) > 0 {
			return m, false, false
		}
		if len(alone) > 0 && !busy && (prefersOwn || len(shared) == 0) {
			m, alone, busy = alone[0], alone[1:], true
			return m, true, true
		}
		if len(shared) > 0 {
			m, shared = shared[0], shared[1:]
			return m, false, true
		}
		return m, false, false
	}
	for w := range max(1, h.workers) {
		group.Go(func() {
			for {
				m, own, ok := next(w == 1)
				if !ok {
					return
				}
				err := h.one(dir, m, own)
				mu.Lock()
				if own {
					busy = false
				}
				if err != nil {
					errs = append(errs, fmt.Errorf("%q: %w", m.name, err))
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// errStopped says that the run was stopped; a later one goes on.
var errStopped = errors.New("stopped")

// one runs one mutant and enters its row.
func (h *hunter) one(dir string, m numbered, own bool) error {
	if !h.trust {
		if err := h.prepare(m.mutant); err != nil {
			return err
		}
	}
	start := time.Now()
	way, got, err := "switch", outcome{}, error(nil)
	if !own {
		r := *h.many
		r.environ = []string{fmt.Sprintf("CCD_MUTANT=%d", m.number)}
		got, err = r.catch(m.mutant, h.likely(m.mutant))
		own = err == nil && got.end == passed // Tests that read the code may see the defect.
	}
	if own {
		way = "own build"
		got, err = h.alone(dir, m.mutant)
	}
	if h.stop.Err() != nil { // What its end did to the tests says nothing.
		return errStopped
	}
	v := map[ending]verdict{passed: missed, failed: caught, timedOut: late}[got.end]
	if errors.Is(err, errBuild) {
		h.say("%s: %v\n", m.name, err)
		v = unbuilt
	} else if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	h.mu.Lock()
	defer h.mu.Unlock()
	key, err := h.code.key(m.mutant, got.by.suite)
	if err != nil {
		return err
	}
	by := strings.TrimSpace(strings.Join([]string{got.by.suite, got.by.folder, got.by.test}, " "))
	h.say("%-66s %-9s %-60s %6.1f s\n", m.name, v, by, seconds)
	return h.table.set(row{m.name, m.folder, v, way, got.by.suite, got.by.folder, got.by.test, seconds,
		time.Now().Format(time.DateOnly), h.commit, key}, h.listed)
}

// prepare runs the suites of a mutant on the code without a defect, those that did not run yet.
func (h *hunter) prepare(m *mutant) error {
	for _, s := range m.suites {
		r := h.many
		if kind := h.suites[s][0]; kind == "py" || kind == "sh" {
			h.own.Lock()
			r = &runner{hunter: h, tree: h.ownTree}
			err := r.passing([]string{s}, h.whole)
			h.own.Unlock()
			if err != nil {
				return err
			}
			continue
		}
		if err := r.passing([]string{s}, h.whole); err != nil {
			return err
		}
	}
	return nil
}

// alone runs a mutant in a build of its own.
func (h *hunter) alone(dir string, m *mutant) (got outcome, err error) {
	h.own.Lock()
	defer h.own.Unlock()
	h.numbers++
	bin := filepath.Join(dir, fmt.Sprintf("own%d", h.numbers))
	defer os.RemoveAll(bin)
	err = h.ownTree.with(h.files[m.name], m, func() (err error) {
		if ok, out := h.ownTree.builds(h.files[m.name]); !ok {
			return fmt.Errorf("%w:\n%s", errBuild, out)
		}
		r := &runner{hunter: h, tree: h.ownTree, programs: newPrograms(h.ownTree, bin, "")}
		got, err = r.catch(m, h.likely(m))
		return err
	})
	return got, err
}

// builds reports whether the package of a file compiles, in Go or Python; files of other languages
// do.
func (t *tree) builds(file string) (ok bool, out string) {
	switch filepath.Ext(file) {
	case ".go":
	case ".py":
		return t.command(nil, t.python, "-m", "py_compile", file)
	default:
		return true, ""
	}
	var environment []string
	if strings.HasPrefix(file, "bindings/js/") {
		environment = []string{"GOOS=js", "GOARCH=wasm"}
	}
	return t.command(environment, "go", "build", "-o", os.DevNull, "./"+filepath.Dir(file))
}

// neighbors is how many tests that caught other mutants of a file run first.
const neighbors = 4

// likely returns the tests that are likely to catch a mutant: the one that did, then those that
// caught most others of its file.
func (h *hunter) likely(m *mutant) (list []killer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := func(r row) (killer, bool) {
		k := killer{r.suite, r.in, r.test}
		ok := (r.verdict == caught || r.verdict == late) && k.folder != "" && k.test != ""
		return k, ok && slices.Contains(m.suites, k.suite) && h.suites[k.suite][0] == "test"
	}
	if k, ok := of(h.table.rows[m.name]); ok {
		list = append(list, k)
	}
	count := map[killer]int{}
	var others []killer
	for name, r := range h.table.rows {
		if k, ok := of(r); ok && name != m.name && r.verdict == caught && h.files[name] == h.files[m.name] {
			if count[k]++; count[k] == 1 && !slices.Contains(list, k) {
				others = append(others, k)
			}
		}
	}
	sort.Slice(others, func(i, j int) bool {
		a, b := others[i], others[j]
		if count[a] != count[b] {
			return count[a] > count[b]
		}
		return a.suite+a.folder+a.test < b.suite+b.folder+b.test
	})
	return append(list, others[:min(neighbors, len(others))]...)
}

// course returns a suite of Go tests.
func (h *hunter) course(name string) (*course, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.courses[name] == nil {
		c, err := h.base.courseOf(h.suites[name])
		if err != nil {
			return nil, err
		}
		h.courses[name] = &c
	}
	return h.courses[name], nil
}
