// Package core contains the library's packages; it has no code of its own.
//
// A step in short. The caller passes two configurations of a mesh (mesh). Every vertex becomes one
// record with both ends of its motion (geom). The broad phase (broad) sweeps the boxes of vertices,
// edges and faces and emits the pairs that may touch. The narrow phase (narrow) computes when each
// pair first touches: exactly (exact), or conservatively with a minimum separation. The step (step)
// keeps the earliest impact, or all. Package num bounds rounding errors. The innermost loops are
// kernels in ../simd, which package kernel calls.
//
// rigid, volume and patch do the same for rotating bodies, deforming volumes and curved surfaces;
// proximity tests one configuration. engine runs the calls of all of them. reference has
// independent implementations for the tests.
//
// Packages import lower layers only: layers_test.go lists the layers. size_test.go and
// columns_test.go limit types and lines, offenders_test.go reads the exceptions in testdata.
package core
