//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"syscall/js"
	"unsafe"

	"ccd"
)

// A function takes arguments that index.js has checked, and returns a value for js.ValueOf.
type function func(args []js.Value) (any, error)

// codes are the names of the kinds of error in C.
var codes = []struct {
	kind error
	name string
}{
	{ccd.ErrArgument, "CCD_E_ARGUMENT"}, {ccd.ErrIndex, "CCD_E_INDEX"}, {ccd.ErrNonFinite, "CCD_E_NONFINITE"},
	{ccd.ErrUnsupported, "CCD_E_UNSUPPORTED"}, {ccd.ErrFile, "CCD_E_FILE"}, {ccd.ErrCancelled, "CCD_E_CANCELLED"},
	{ccd.ErrMemory, "CCD_E_MEMORY"},
}

// run calls a function; an error, or a panic, becomes an object with its text and the name of its
// kind.
func run(f function, args []js.Value) (out any) {
	defer func() {
		if p := recover(); p != nil {
			out = map[string]any{"error": fmt.Sprintf("a defect of the library, please report it: %v", p),
				"code": "CCD_E_INTERNAL"}
		}
	}()
	value, err := f(args)
	if err == nil {
		return map[string]any{"value": value}
	}
	code := "CCD_E_INTERNAL"
	for _, c := range codes {
		if errors.Is(err, c.kind) {
			code = c.name
		}
	}
	return map[string]any{"error": err.Error(), "code": code}
}

// bytesOf is the memory of a list of numbers.
func bytesOf[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}

// list copies the typed array behind a Uint8Array; undefined is nil.
func list[T any](v js.Value) []T {
	if v.IsUndefined() {
		return nil
	}
	out := make([]T, v.Length()/int(unsafe.Sizeof(*new(T))))
	js.CopyBytesToGo(bytesOf(out), v)
	return out
}

// array copies a list to a typed array of a class.
func array[T any](class string, list []T) js.Value {
	bytes := js.Global().Get("Uint8Array").New(len(list) * int(unsafe.Sizeof(*new(T))))
	js.CopyBytesToJS(bytes, bytesOf(list))
	return js.Global().Get(class).New(bytes.Get("buffer"))
}

func floats(list []float64) js.Value { return array("Float64Array", list) }
func ints(list []int32) js.Value     { return array("Int32Array", list) }

// rows puts records one after the other.
func rows[T any](records []T, row func(out []float64, r *T) []float64) js.Value {
	var out []float64
	for i := range records {
		out = row(out, &records[i])
	}
	return floats(out)
}

func impactRow(out []float64, i *ccd.Impact) []float64 {
	out = append(out, float64(i.Verdict), float64(i.Kind), float64(i.A), float64(i.B), i.TOILo, i.TOIHi, i.U, i.V)
	out = append(append(out, i.Point[:]...), i.Normal[:]...)
	return append(out, i.Width, float64(i.Flags))
}

func constraintRow(out []float64, c *ccd.Constraint) []float64 {
	out = impactRow(out, &c.Impact)
	for _, v := range c.Vertices {
		out = append(out, float64(v))
	}
	return append(append(out, c.Weights[:]...), c.Gap, c.Separation)
}

func nearRow(out []float64, p *ccd.NearPair) []float64 {
	out = append(out, float64(p.Kind), float64(p.A), float64(p.B), p.Lo, p.Hi, p.U, p.V)
	return append(append(out, p.PointA[:]...), p.PointB[:]...)
}

// pairsOf reads pairs of indices.
func pairsOf(v js.Value) [][2]int {
	flat := list[int32](v)
	out := make([][2]int, len(flat)/2)
	for i := range out {
		out[i] = [2]int{int(flat[2*i]), int(flat[2*i+1])}
	}
	return out
}

// optionsOf reads options; stats, if it is an object, receives the statistics when the returned
// function is called.
func optionsOf(v js.Value) (*ccd.Options, func()) {
	number := func(name string) float64 { return v.Get(name).Float() }
	set := func(name string) bool { return v.Get(name).Bool() }
	o := &ccd.Options{
		MinSeparation: number("minSeparation"), Norm: ccd.Norm(v.Get("norm").Int()), TMax: number("tMax"),
		Method:    ccd.Method(v.Get("method").Int()),
		Tolerance: number("tolerance"), MaxIterations: int64(number("maxIterations")), NoZeroTOI: set("noZeroToi"),
		BruteForce: set("bruteForce"),
		CheckStart: set("checkStart"), ApartAtTOI: set("apartAtToi"), MemoryLimit: uint64(number("memoryLimit")),
		Threads: 1,
	}
	if progress := v.Get("progress"); progress.Type() == js.TypeFunction {
		o.Progress = func(fraction float64) bool { return progress.Invoke(fraction).Bool() }
	}
	to := v.Get("stats")
	if to.Type() != js.TypeObject {
		return o, func() {}
	}
	o.Stats = new(ccd.Stats)
	return o, func() {
		s := o.Stats
		for name, n := range map[string]any{
			"boxes": s.Boxes, "impacts": s.Impacts, "undecided": s.Undecided, "seconds": s.Seconds,
			"peakBytes":  s.PeakBytes,
			"plans":      s.Plans,
			"candidates": []any{s.Candidates[0], s.Candidates[1], s.Candidates[2], s.Candidates[3], s.Candidates[4]},
		} {
			to.Set(name, n)
		}
	}
}
