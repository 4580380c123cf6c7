// Package curved is the path of a step whose vertices move as a motion says (core/motion).
//
// The broad phase of such a step is that of a plain step: of midlines, which are a segment for each
// vertex, with a band around each that holds its path (boxes.go). A pair that boxes do not prove
// apart is sifted by kernels, and then solved on the pieces of the motion:
//
//	path.go      Path, and what package step asks of it; begin.go begins a call
//	boxes.go     midlines, bands and radii
//	worker.go    Worker, which is what one goroutine needs
//	decide.go    how a block of pairs is decided
//	sections.go  sections of the step, which are swept one after the other
//	sift.go      pairs that kernels do not prove apart
//	parts.go     the parts of a section on which they are sifted
//	filters.go   the kernels that sift a part: those for curved paths, or those for midlines
//	kernels.go   contacts that kernels find
//	axes.go      a first look at a pair
//	solved.go    pairs that were solved before
//	inspect.go   what tests look at
//
// docs/proofs/motions.md has the proofs. Package step calls Path through its interface path, once
// for a block of pairs or less often, and knows nothing else of this package.
package curved
