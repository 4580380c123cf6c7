//go:build js && wasm

package main

import (
	"syscall/js"

	"ccd"
)

func sceneOf(v js.Value) *ccd.Scene { return scenes[v.Int()] }

// sceneCreate reads (mesh, x0).
func sceneCreate(args []js.Value) (any, error) {
	s, err := ccd.NewScene(meshOf(args[0]), list[float64](args[1]))
	return kept(scenes, s, err)
}

func partObject(p ccd.ScenePart) map[string]any {
	return map[string]any{
		"id": p.ID, "firstVertex": p.FirstVertex, "firstEdge": p.FirstEdge, "firstFace": p.FirstFace,
		"vertices": p.Vertices, "edges": p.Edges, "faces": p.Faces,
	}
}

// sceneAdd reads (scene, mesh, x).
func sceneAdd(args []js.Value) (any, error) {
	part, err := sceneOf(args[0]).Add(meshOf(args[1]), list[float64](args[2]))
	if err != nil {
		return nil, err
	}
	return partObject(part), nil
}

func sceneRemove(args []js.Value) (any, error) { return nil, sceneOf(args[0]).Remove(args[1].Int()) }

func sceneParts(args []js.Value) (any, error) {
	out := []any{}
	for _, p := range sceneOf(args[0]).Parts() {
		out = append(out, partObject(p))
	}
	return out, nil
}

func sceneVertices(args []js.Value) (any, error) { return sceneOf(args[0]).Vertices(), nil }

func scenePositions(args []js.Value) (any, error) {
	x, err := sceneOf(args[0]).Positions()
	if err != nil {
		return nil, err
	}
	return floats(x), nil
}

// sceneCommit reads (scene, moved, x).
func sceneCommit(args []js.Value) (any, error) {
	return nil, sceneOf(args[0]).Commit(list[int32](args[1]), list[float64](args[2]))
}

func sceneCommitProven(args []js.Value) (any, error) { return nil, sceneOf(args[0]).CommitProven() }

// sceneReset reads (scene, x).
func sceneReset(args []js.Value) (any, error) {
	return nil, sceneOf(args[0]).Reset(list[float64](args[1]))
}

func sceneState(args []js.Value) (any, error) {
	known, crossings := sceneOf(args[0]).State()
	return map[string]any{"known": known, "crossings": crossings}, nil
}

// sceneCheck reads (scene, options).
func sceneCheck(args []js.Value) (any, error) {
	o, done := optionsOf(args[1])
	return result(done, struct{}{}, sceneOf(args[0]).Check(o), func(struct{}) any { return nil })
}
