package main

// #include "internal.h"
import "C"

import "ccd/core/engine"

//export go_trim
func go_trim() status {
	return guard(func() error {
		engine.Trim()
		return nil
	})
}
