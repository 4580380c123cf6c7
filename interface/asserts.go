package main

import (
	"fmt"
	"strings"
)

// Asserts is a C file that compiles only where every constant, struct and function is what the
// interface says.
func (api *Interface) Asserts() string {
	var b strings.Builder
	b.WriteString("/* Made by `go run ./interface asserts`. */\n#include <ccd.h>\n\n#include <stddef.h>\n\n")
	for _, c := range api.Constants {
		fmt.Fprintf(&b, "_Static_assert(%s == %d, \"\");\n", c.Name, c.Value)
	}
	for _, t := range api.Types {
		switch t.Kind {
		case "alias":
			fmt.Fprintf(&b, "_Static_assert(_Generic((%s *)0, %s *: 1, default: 0), \"\");\n", t.Name, t.Of)
		case "struct":
			fmt.Fprintf(&b, "_Static_assert(sizeof(%s) == %d, \"\");\n", t.Name, t.Size)
			for _, f := range t.Fields {
				fmt.Fprintf(&b, "_Static_assert(offsetof(%s, %s) == %d, \"\");\n", t.Name, f.Name, f.Offset)
			}
		}
	}
	for _, f := range api.Functions {
		types := []string{"void"}
		for i, a := range f.Arguments {
			types = append(types[:i], a.Type)
		}
		fmt.Fprintf(&b, "_Static_assert(_Generic(&%s, %s (*)(%s): 1, default: 0), \"\");\n", f.Name, f.Result,
			strings.Join(types, ", "))
	}
	return b.String()
}
