// Package device is the graphics processor of a call of package step.
//
// Each worker sweeps as ever and holds its candidate pairs back until there are enough for the
// device, or until its tasks are done; then they are handled as a block of pairs is. So an
// algorithm sees blocks of other lengths, on which no result depends.
//
//	device.go   Device, and from which lengths on it pays
//	queue.go    Queue, in which the pairs of a worker wait
package device
