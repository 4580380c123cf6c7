//go:build js && wasm

// Command wasm is the library for JavaScript: package ccd, compiled to WebAssembly.
// bindings/js/index.js loads it; it is no interface for others. The classes in JavaScript check the
// types of all arguments before it calls.
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
		"meshCreate": meshCreate, "meshEdges": meshEdges, "meshFaces": meshFaces, "meshFree": free(meshes),
		"setGroups": setGroups, "setComponentGroups": setComponentGroups, "setStatic": setStatic,
		"setRadii": setRadii, "setExcluded": setExcluded, "excludeNear": excludeNear,
		"motionCreate": motionCreate, "motionAccelerated": motionAccelerated, "motionHermite": motionHermite,
		"motionBSpline": motionBSpline, "motionAffine": motionAffine, "motionRigid": motionRigid,
		"motionSkinned": motionSkinned, "motionCounts": motionCounts, "motionAt": motionAt, "motionCut": motionCut,
		"motionFree":       free(motions),
		"candidatesCreate": candidatesCreate, "candidatesOn": candidatesOn, "candidatesPairs": candidatesPairs,
		"candidatesCount": candidatesCount, "candidatesFree": free(candidates),
		"neighborsCreate": neighborsCreate, "neighborsNear": neighborsNear, "neighborsReport": neighborsReport,
		"neighborsFree": free(neighbors),
		"sceneCreate":   sceneCreate, "sceneAdd": sceneAdd, "sceneRemove": sceneRemove, "sceneParts": sceneParts,
		"sceneVertices": sceneVertices, "scenePositions": scenePositions, "sceneCommit": sceneCommit,
		"sceneCommitProven": sceneCommitProven, "sceneReset": sceneReset, "sceneState": sceneState,
		"sceneCheck": sceneCheck, "sceneFree": free(scenes),
		"stepCreate": stepCreate, "stepOfMotion": stepOfMotion, "stepOfCandidates": stepOfCandidates,
		"stepOfCandidatesOn": stepOfCandidatesOn, "stepOfNeighbors": stepOfNeighbors, "stepOfScene": stepOfScene,
		"stepBetween": stepBetween, "meshGroupOf": meshGroupOf, "stepFree": free(steps),
		"earliest": earliest, "earliestBatch": earliestBatch, "collisions": collisions,
		"advanceBatch": advanceBatch, "respond": respond,
		"firstImpacts": firstImpacts, "visit": stepVisit,
		"stepPairs": stepPairs, "intervals": intervals, "pairIntervals": pairIntervals,
		"clearance": clearance, "size": size, "advance": advance, "sizes": sizes, "lineSearch": lineSearch,
		"activeSet": activeSet, "gradients": gradients, "why": why,
		"pairs": pairs, "intersections": intersections, "intersects": intersects, "near": near, "distance": distance,
		"surface": surface,
	} {
		functions[name] = js.FuncOf(func(_ js.Value, args []js.Value) any { return run(f, args) })
	}
	js.Global().Call(os.Args[1], functions)
	select {} // the functions stay callable
}
