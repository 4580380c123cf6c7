//go:build js && wasm

// Command wasm is the library for JavaScript: package ccd, compiled to WebAssembly.
// bindings/js/index.js loads it; it is no interface for others. Index.js checks the types of all
// arguments before it calls.
//
// The first argument of the program names a function of the global object. It is called once with
// an object of functions, each of which returns an object: {error, code} or {value}. Lists of
// records are Float64Arrays with a row for each record.
package main

import (
	"os"
	"syscall/js"
)

func main() {
	functions := map[string]any{}
	for name, f := range map[string]function{
		"meshCreate": meshCreate, "meshEdges": meshEdges, "meshFaces": meshFaces, "meshFree": meshFree, "setGroups": setGroups,
		"setComponentGroups": setComponentGroups, "setStatic": setStatic, "setRadii": setRadii, "setExcluded": setExcluded, "excludeNear": excludeNear,
		"stepCreate": stepCreate, "stepOfCandidates": stepOfCandidates, "stepFree": stepFree,
		"earliestBatch": earliestBatch,
		"earliest":      earliest, "collisions": collisions, "size": size, "advance": advance, "sizes": sizes,
		"lineSearch": lineSearch, "activeSet": activeSet,
		"candidatesCreate": candidatesCreate, "candidatesPairs": candidatesPairs, "candidatesCount": candidatesCount, "candidatesFree": candidatesFree,
		"pairs": pairs, "intersections": intersections, "intersects": intersects, "near": near, "distance": distance,
		"surface": surface,
	} {
		functions[name] = js.FuncOf(func(_ js.Value, args []js.Value) any { return run(f, args) })
	}
	js.Global().Call(os.Args[1], functions)
	select {} // the functions stay callable
}
