package untangle

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// Objects move as a whole at once if that is at most near times as far as their crossings are deep;
// otherwise only after patience.
const near = 4

// spare is by how much translations are longer than the one that separates, because positions
// round: times itself, and times the size of the mesh.
const spare = 1e-9

// part is an object of the mesh.
type part struct {
	vertices []int32
	faces    [][3]int32 // Their corners are indices of vertices.
	mass     float64    // the sum, in the unit of the least; 0 if a vertex is fixed
}

// partOf returns an object, which is kept.
func (u *untangler) partOf(object int32) *part {
	if u.parts == nil {
		u.parts = make(map[int32]*part)
		number := make([]int32, u.m.NV)
		for v, o := range u.object {
			p := u.parts[o]
			if p == nil {
				p = new(part)
				u.parts[o] = p
			}
			number[v] = int32(len(p.vertices))
			p.vertices = append(p.vertices, int32(v))
		}
		for _, f := range u.m.Faces {
			p := u.parts[u.object[f[0]]]
			p.faces = append(p.faces, [3]int32{number[f[0]], number[f[1]], number[f[2]]})
		}
		for _, p := range u.parts {
			for _, v := range p.vertices {
				if u.light[v] == 0 {
					p.mass = 0
					break
				}
				p.mass += 1 / u.light[v]
			}
		}
	}
	return u.parts[object]
}

// part moves two objects apart as wholes, if they are surfaces of which one may move, and the way
// is short enough. It returns whether it did.
func (u *untangler) part(a, b int32, deep float64, far bool) bool {
	pa, pb := u.partOf(a), u.partOf(b)
	if len(pa.faces) == 0 || len(pb.faces) == 0 || pa.mass == 0 && pb.mass == 0 {
		return false
	}
	body := func(p *part) (*rigid.Body, error) {
		x := make([]float64, 0, 3*len(p.vertices))
		for _, v := range p.vertices {
			x = append(x, u.x[3*v:3*v+3]...)
		}
		return rigid.NewBody(x, p.faces, 1)
	}
	ba, err := body(pa)
	if err != nil { // The coordinates are beyond the range of rigid bodies.
		return false
	}
	bb, err := body(pb)
	if err != nil {
		return false
	}
	still := geom.Pose{Rotation: quat.Number{Real: 1}}
	var s penetration.Solver
	var d penetration.Depth
	if err := s.Depth(ba, &still, bb, &still, rigid.DistanceOptions{}, &d); err != nil || d.Hi == 0 {
		return false
	}
	if !far && d.Hi > float64(near*deep) {
		return false
	}
	way := r3.Add(geom.Scale(1+spare, d.Translation), geom.Scale(float64(spare*u.size), d.Normal))
	share := 0.5
	switch {
	case pa.mass == 0:
		share = 0
	case pb.mass == 0:
		share = 1
	default:
		share = pb.mass / (pa.mass + pb.mass)
	}
	for _, v := range pa.vertices {
		u.push(v, geom.Scale(share, way))
	}
	for _, v := range pb.vertices {
		u.push(v, geom.Scale(share-1, way))
	}
	return true
}
