package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Sweep finds all candidates.
func Sweep(m *mesh.Mesh, mo *geom.Motion, o Options) (*Candidates, error) {
	return TiniestQueue(m, mo, o)
}
