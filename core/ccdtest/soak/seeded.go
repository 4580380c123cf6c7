package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// domain is a goroutine that makes scenes from seeds and holds the answers to the laws.
type domain interface {
	step()
	print()
	failures() int64
	title() string
}

// seeded is what domains have in common. A failure is recorded by its seed, which reproduces it.
type seeded struct {
	dir, name string // folder and name of the files of failures
	next      uint64 // seed
	wrong     atomic.Int64
}

func (s *seeded) title() string { return s.name }

func (s *seeded) failures() int64 { return s.wrong.Load() }

func (s *seeded) seed() uint64 {
	s.next++
	return s.next - 1
}

// test reports whether a check finds nothing; it records an error or a panic. made is how the scene
// is made again.
func (s *seeded) test(seed uint64, made string, check func() error) bool {
	err := guarded(check)
	if err == nil {
		return true
	}
	s.wrong.Add(1)
	text := fmt.Sprintf("%s: %v\n", made, err)
	fmt.Print(text)
	if err := os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("%s-%d.txt", s.name, seed)), []byte(text), 0o644); err !=
		nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return false
}

// guarded turns a panic into an error.
func guarded(check func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return check()
}
