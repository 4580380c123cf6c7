package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/gradient"
	"ccd/core/narrow"
)

//export go_pairs_gradients
func go_pairs_gradients(kind int32, q *float64, count uintptr, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return statusOf(pairsGradients(kind, q, count, o, (*gradient.Gradient)(out)))
}

func pairsGradients(kind int32, q *float64, count uintptr, o unsafe.Pointer, out *gradient.Gradient) error {
	k, err := kindOf(kind)
	if err != nil {
		return err
	}
	var s settings
	if err := s.readFor(k, o); err != nil {
		return err
	}
	queries, err := view("q", q, "count", count, k.Len())
	if err != nil {
		return err
	}
	gradients, err := view("out", out, "count", count, 1)
	if err != nil {
		return err
	}
	if err := narrow.Gradients(k, queries, &s.narrow, &s.call, gradients); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}
