package main

import (
	"fmt"
	"slices"
)

// Against lists what a program that was compiled with an older header would no longer find, or find
// changed. Empty: compatible.
//
// Constants, functions and types stay as they are; what is new comes beside them. A struct that
// begins with struct_size may grow at its end, because `struct_size` says how much of it the caller
// knows; no other struct may change.
func (api *Interface) Against(old *Interface) []string {
	var broken []string
	say := func(format string, arguments ...any) { broken = append(broken, fmt.Sprintf(format, arguments...)) }
	if api.Version < old.Version {
		say("CCD_VERSION is %d and was %d", api.Version, old.Version)
	}
	for _, was := range old.Constants {
		i := slices.IndexFunc(api.Constants, func(c Constant) bool { return c.Name == was.Name })
		switch {
		case i < 0:
			say("%s is gone", was.Name)
		case was.Name != "CCD_VERSION" && api.Constants[i].Value != was.Value:
			say("%s is %d and was %d", was.Name, api.Constants[i].Value, was.Value)
		}
	}
	for _, was := range old.Functions {
		i := slices.IndexFunc(api.Functions, func(f Function) bool { return f.Name == was.Name })
		if i < 0 {
			say("%s is gone", was.Name)
		} else if now := api.Functions[i]; now.Result != was.Result || !alike(now.Arguments, was.Arguments) {
			say("%s has another prototype", was.Name)
		}
	}
	for _, was := range old.Types {
		i := slices.IndexFunc(api.Types, func(t Type) bool { return t.Name == was.Name })
		if i < 0 {
			say("%s is gone", was.Name)
			continue
		}
		if reason := changed(&api.Types[i], &was); reason != "" {
			say("%s %s", was.Name, reason)
		}
	}
	return broken
}

// alike compares arguments but for their names.
func alike(a, b []Argument) bool {
	return slices.EqualFunc(a, b, func(x, y Argument) bool { return x.Type == y.Type && x.Count == y.Count })
}

// changed tells how a type is not what it was; "" when it serves those who knew it.
func changed(now, was *Type) string {
	if now.Kind != was.Kind || now.Of != was.Of || now.Result != was.Result || !alike(now.Arguments, was.Arguments) {
		return "is another type"
	}
	for i, f := range was.Fields {
		if i >= len(now.Fields) {
			return "has lost " + f.Name
		}
		if g := now.Fields[i]; g.Name != f.Name || g.Type != f.Type || g.Count != f.Count || g.Offset != f.Offset {
			return fmt.Sprintf("has %s where %s was", g.Name, f.Name)
		}
	}
	grows := len(was.Fields) > 0 && was.Fields[0].Name == "struct_size"
	if !grows && now.Size != was.Size {
		return fmt.Sprintf("has %d bytes and had %d, and no struct_size to tell", now.Size, was.Size)
	}
	return ""
}
