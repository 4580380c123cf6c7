package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/mesh"
)

//export go_file_read
func go_file_read(path *C.char, out *uintptr) (s status) {
	defer recovered(&s)
	return statusOf(read(path, out, mesh.Read))
}

//export go_queries_read
func go_queries_read(path *C.char, out *uintptr) (s status) {
	defer recovered(&s)
	return statusOf(read(path, out, mesh.ReadQueries))
}

// read makes a handle of what a reader of the core returns.
func read[T any](path *C.char, out *uintptr, reader func(string) (T, error)) error {
	if path == nil {
		return null("path")
	}
	if out == nil {
		return null("out")
	}
	v, err := reader(C.GoString(path))
	if err != nil {
		return err
	}
	*out = issue(v)
	return nil
}

//export go_file_counts
func go_file_counts(h uintptr, vertices, edges, faces *uintptr) status {
	return with("file", h, func(f *mesh.Surface) error {
		put(vertices, len(f.Vertices)/3)
		put(edges, len(f.Edges))
		put(faces, len(f.Faces))
		return nil
	})
}

//export go_file_copy
func go_file_copy(h uintptr, vertices *float64, edges, faces *int32) status {
	return with("file", h, func(f *mesh.Surface) error {
		fill(vertices, f.Vertices)
		fill((*[2]int32)(unsafe.Pointer(edges)), f.Edges)
		fill((*[3]int32)(unsafe.Pointer(faces)), f.Faces)
		return nil
	})
}

//export go_file_destroy
func go_file_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*mesh.Surface]("file", h))
}

//export go_queries_count
func go_queries_count(h uintptr, count *uintptr, hasTruth *int32) status {
	return with("queries", h, func(q *mesh.Queries) error {
		put(count, q.Len())
		if hasTruth != nil && q.Truth != nil {
			*hasTruth = 1
		}
		return nil
	})
}

//export go_queries_copy
func go_queries_copy(h uintptr, dst *float64, truth *int32) status {
	return with("queries", h, func(q *mesh.Queries) error {
		fill(dst, q.Q)
		fill(truth, truths(q))
		return nil
	})
}

// truths are 1, 0, and -1 for all where the file has none.
func truths(q *mesh.Queries) []int32 {
	t := make([]int32, q.Len())
	for i := range t {
		switch {
		case q.Truth == nil:
			t[i] = -1
		case q.Truth[i]:
			t[i] = 1
		}
	}
	return t
}

//export go_queries_destroy
func go_queries_destroy(h uintptr) (s status) {
	defer recovered(&s)
	return statusOf(destroy[*mesh.Queries]("queries", h))
}
