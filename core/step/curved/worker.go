package curved

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// Take takes the impact of pair i of a block. It may lower Worker.Horizon.
type Take func(i int, im *geom.Impact)

// Worker is what one goroutine of a call needs. Later calls use its memory again.
//
// Size: the block of a call, and the scratch memory of each stage that decides it.
type Worker struct {
	Solver  *narrow.Solver
	Idx     [][4]int32 // the vertices of the pairs of the current block
	Horizon float64    // the time up to which an impact of the current block matters
	Each    []float64  // memory for the separations of the pairs of a block

	options  narrow.Options // those of the current pair
	impact   geom.Impact
	possible []int32 // positions of pairs that are not proven apart
	parts    partsScratch
	control  [12 * (motion.MaxDegree + 1)]float64
	kernels  kernelScratch
	keys     solvedKeys

	seen   int // the number of pairs of this section
	tested int // the number of pairs that were tested on its midlines
	passed int // the number of pairs that these did not prove apart
}

const workerBytes = int64(unsafe.Sizeof(Worker{}))

// kernelScratch is the memory of calls of kernels for curved paths.
type kernelScratch struct {
	list   [pairsOfBlock]int32
	index  [pairsOfBlock][4]int32
	toi    [pairsOfBlock]float64
	state  [pairsOfBlock]uint8
	finder narrow.CurveFinder

	precision [geom.PointPoint + 1]kernel.Precision // the precision that serves each kind
}

// pairsOfBlock is how many pairs of a motion go through the kernels for curved paths at a time.
const pairsOfBlock = 512
