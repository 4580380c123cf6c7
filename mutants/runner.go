package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// runner runs suites on one state of the code.
type runner struct {
	*hunter
	tree     *tree // where the tests run
	programs *programs
	environ  []string
	switched bool // The programs hold mutants: leave out the tests that fail there anyway.
}

// killer is a test that caught a mutant.
type killer struct{ suite, folder, test string }

// outcome is how a mutant ended.
type outcome struct {
	end ending
	by  killer
}

// stages divide a suite's tests by the seconds that each takes: the quick ones run first.
var stages = []float64{0.1, 0.5, 2, 8, 30}

// catch runs the suites of a mutant until one fails. The tests in first, which caught this mutant
// or others of its file before, run before all others.
func (r *runner) catch(m *mutant, first []killer) (got outcome, err error) {
	done := map[killer]bool{}
	for _, group := range groups(first) {
		k := group[0]
		c, err := r.course(k.suite)
		if err != nil {
			return got, err
		}
		chosen, err := r.chosen(c, k.folder)
		if err != nil {
			return got, err
		}
		var names []string
		for _, k := range group {
			if slices.Contains(chosen, k.test) {
				names, done[k] = append(names, k.test), true
			}
		}
		if len(names) == 0 {
			continue
		}
		if end, test := r.run(c, k.folder, names); end == failed {
			return outcome{failed, killer{k.suite, k.folder, test}}, nil
		} else if end == timedOut && got.end == passed {
			got = outcome{timedOut, killer{k.suite, k.folder, test}}
		}
	}
	for _, name := range m.suites {
		if got.end == timedOut && got.by.suite == name {
			continue // One of its tests did not end: the next suite may have one that fails.
		}
		end, by, err := r.suite(name, done)
		if err != nil {
			return got, err
		}
		if end == failed {
			return outcome{failed, by}, nil
		}
		if end == timedOut && got.end == passed {
			got = outcome{timedOut, by}
		}
	}
	return got, nil
}

// groups joins neighbors of one suite and folder, but keeps the first alone: it is the likeliest.
func groups(list []killer) (all [][]killer) {
	for i, k := range list {
		last := len(all) - 1
		if i > 1 && all[last][0].suite == k.suite && all[last][0].folder == k.folder {
			all[last] = append(all[last], k)
		} else {
			all = append(all, []killer{k})
		}
	}
	return all
}

// suite runs what is not done yet of a suite, and names the test that did not pass.
func (r *runner) suite(name string, done map[killer]bool) (ending, killer, error) {
	by := killer{suite: name}
	args := r.suites[name]
	if args[0] != "test" {
		end, out, err := r.other(name)
		by.test = culprit(out)
		return end, by, err
	}
	c, err := r.course(name)
	if err != nil {
		return passed, by, err
	}
	at := make([]map[string][]string, len(stages)+1)
	for _, folder := range c.packages {
		names, err := r.chosen(c, folder)
		if err != nil {
			return passed, by, err
		}
		for _, test := range names {
			if done[killer{name, folder, test}] {
				continue
			}
			seconds, ok := r.times.estimate(testKey{folder, c.short, test})
			if !ok {
				seconds = 1
			}
			i, _ := slices.BinarySearch(stages, seconds)
			if at[i] == nil {
				at[i] = map[string][]string{}
			}
			at[i][folder] = append(at[i][folder], test)
		}
	}
	for i := range at {
		for _, folder := range c.packages {
			if len(at[i][folder]) == 0 {
				continue
			}
			if end, test := r.run(c, folder, at[i][folder]); end != passed {
				return end, killer{name, folder, test}, nil
			}
		}
	}
	return passed, by, nil
}

// chosen returns the tests of a suite in a folder.
func (r *runner) chosen(c *course, folder string) (names []string, err error) {
	p := r.programs.tests(folder)
	if p.err != nil {
		return nil, p.err
	}
	for _, name := range p.tests {
		if c.pattern.MatchString(name) && !(r.switched && r.times.unfits(testKey{folder, c.short, name})) {
			names = append(names, name)
		}
	}
	return names, nil
}

// run runs tests of a folder up to the first that fails, and names the one that did not pass.
func (r *runner) run(c *course, folder string, names []string) (ending, string) {
	keys := make([]testKey, len(names))
	for i, name := range names {
		keys[i] = testKey{folder, c.short, name}
	}
	status, out := r.tests(folder, c.short, r.times.limit(keys), names, "-test.failfast")
	end := ended(status, out)
	if err := r.times.learn(r.took(c, folder, out)); err != nil {
		r.say("%v\n", err) // They are estimates.
	}
	if end == passed {
		return passed, ""
	}
	test, _, _ := strings.Cut(culprit(out), "/")
	if end == failed && !r.stands(c, folder, test) {
		rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == test })
		if len(rest) == 0 {
			return passed, ""
		}
		return r.run(c, folder, rest)
	}
	return end, test
}

// stands reports whether a test that caught a mutant passes by itself on the code without one: what
// fails there says nothing. It is run once.
func (r *runner) stands(c *course, folder, test string) bool {
	key := testKey{folder, c.short, test}
	if test == "" || r.times.unfits(key) {
		return true
	}
	lock := r.locks.of(fmt.Sprint(key))
	lock.Lock()
	defer lock.Unlock()
	r.mu.Lock()
	stood := r.stood[key]
	r.mu.Unlock()
	if stood == 0 {
		whole := *r.many
		whole.environ = []string{"CCD_MUTANT=0"}
		stood = 1
		if status, _ := whole.tests(folder, c.short, longest, []string{test}); status != 0 && r.stop.Err() == nil {
			stood = -1
			r.say("%s: %s does not pass by itself\n", folder, test)
		}
		r.mu.Lock()
		r.stood[key] = stood
		r.mu.Unlock()
	}
	return stood == 1
}

// memory is the most that a test's program may take, in KiB: an endless search may grow.
const memory = 12 << 20

// patience is how many times as long as its processor time a program may take: other programs run
// too. What waits for ever takes no processor time.
const patience = 5

// tests runs tests of a folder, which may take the limit as processor time.
func (r *runner) tests(folder string, short bool, limit time.Duration, names []string, more ...string) (int, string) {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	args := append([]string{"sh", "-c",
		fmt.Sprintf(`ulimit -v %d; ulimit -S -t %.0f; exec "$@"`, memory, limit.Seconds()), "sh",
		r.programs.tests(folder).path, "-test.v", "-test.paniconexit0", "-test.timeout=" + (patience * limit).String(),
		"-test.run=^(" + strings.Join(quoted, "|") + ")$"}, more...)
	if short {
		args = append(args, "-test.short")
	}
	return r.tree.limited(filepath.Join(r.tree.dir, folder), patience*limit+r.times.least, r.environ, args...)
}

// longest is the limit of a suite that runs no Go test and whose time is not known.
const longest = 15 * time.Minute

// other runs a suite that has no Go tests: a program, a script or tests of Python.
func (r *runner) other(name string) (ending, string, error) {
	limit := longest
	if seconds, ok := r.times.estimate(testKey{folder: name}); ok {
		limit = min(limit, 3*r.times.least+time.Duration(factor*seconds*float64(time.Second)))
	}
	args, environ := r.suites[name], r.environ
	switch args[0] {
	case "run":
		p := r.programs.command(strings.TrimPrefix(args[1], "./"))
		if p.err != nil {
			return passed, "", p.err
		}
		args = append([]string{p.path}, args[2:]...)
	case "py":
		if err := r.tree.withLibrary(); err != nil {
			return passed, "", err
		}
		environ = append([]string{"PYTHONPATH=" + filepath.Join(r.tree.dir, "bindings", "python"),
			"PYTHONDONTWRITEBYTECODE=1", "CCD_LIBRARY="}, environ...)
		args = append([]string{r.tree.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"}, args[1:]...)
	}
	status, out := r.tree.limited(r.tree.dir, limit, environ, args...)
	return ended(status, out), out, nil
}

// withLibrary builds the library for the tests of Python, on the code without a defect: mutants of
// other files do not take such a suite.
func (t *tree) withLibrary() error {
	if t.library {
		return nil
	}
	if ok, out := t.command(nil, "sh", "capi/build.sh", "build"); !ok {
		return fmt.Errorf("the library: %s", out)
	}
	t.library = true
	return nil
}

// passing runs the tests of suites that have not run on this code yet, without a defect, and notes
// the time of each. One that fails because the programs hold mutants is left out with them; one
// that fails on the code as it is is an error.
func (r *runner) passing(names []string, whole *programs) error {
	for _, name := range names {
		if r.suites[name] == nil {
			return fmt.Errorf("no suite is called %s", name)
		}
		lock := r.locks.of(name)
		lock.Lock()
		err := r.passes(name, whole)
		lock.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) passes(name string, whole *programs) error {
	if r.suites[name][0] != "test" {
		key := testKey{folder: name}
		if r.times.known(key) {
			return nil
		}
		start := time.Now()
		end, out, err := r.other(name)
		if err == nil && end != passed {
			err = fmt.Errorf("suite %s fails on the code as it is:\n%s", name, out[max(0, len(out)-2000):])
		}
		if err != nil {
			return err
		}
		return r.times.set(map[testKey]float64{key: time.Since(start).Seconds()}, nil)
	}
	c, err := r.course(name)
	if err != nil {
		return err
	}
	for _, folder := range c.packages {
		lock := r.locks.of("folder " + folder)
		lock.Lock()
		err := r.timed(c, folder, whole)
		lock.Unlock()
		if err != nil {
			return fmt.Errorf("suite %s: %w", name, err)
		}
	}
	return nil
}

// ran finds what a test took.
var ran = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\S+) \(([0-9.]+)s\)`)

// took returns the seconds of the tests that ended, by what they printed.
func (r *runner) took(c *course, folder, out string) map[testKey]float64 {
	found := map[testKey]float64{}
	for _, test := range ran.FindAllStringSubmatch(out, -1) {
		if seconds, err := strconv.ParseFloat(test[3], 64); err == nil {
			found[testKey{folder, c.short, test[2]}] = seconds
		}
	}
	return found
}

// timed runs the tests of a suite in one folder that have not run on this code yet.
func (r *runner) timed(c *course, folder string, whole *programs) error {
	p := r.programs.tests(folder)
	if p.err != nil {
		return p.err
	}
	var names []string
	for _, name := range p.tests {
		if c.pattern.MatchString(name) && !r.times.known(testKey{folder, c.short, name}) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	_, out := r.tests(folder, c.short, 4*longest, names)
	if r.stop.Err() != nil {
		return errStopped
	}
	found, unfit := r.took(c, folder, out), map[testKey]bool{}
	var again []string
	for _, name := range names {
		key := testKey{folder, c.short, name}
		if _, ok := found[key]; !ok || strings.Contains(out, "\n--- FAIL: "+name+" ") {
			unfit[key], again = true, append(again, name)
			found[key] = max(found[key], 1)
		}
	}
	if again != nil {
		other := &runner{hunter: r.hunter, tree: whole.tree, programs: whole}
		if err := whole.tests(folder).err; err != nil {
			return err
		}
		if status, out := other.tests(folder, c.short, 4*longest, again); status != 0 {
			return fmt.Errorf("%s fails on the code as it is:\n%s", folder, out[max(0, len(out)-2000):])
		}
		r.say("%s: needs a build of its own: %s\n", folder, strings.Join(again, ", "))
	}
	return r.times.set(found, unfit)
}

// locks holds a lock for each name.
type locks struct {
	mu  sync.Mutex
	all map[string]*sync.Mutex
}

func (l *locks) of(name string) *sync.Mutex {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all[name] == nil {
		l.all[name] = &sync.Mutex{}
	}
	return l.all[name]
}
