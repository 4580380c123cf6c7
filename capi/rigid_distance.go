package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// rulers and clearances are pools, so that later calls reuse the memory.
var (
	rulers     = sync.Pool{New: func() any { return new(rigid.Ruler) }}
	clearances = sync.Pool{New: func() any { return new(rigid.ClearanceSolver) }}
)

// distance returns the options of a distance.
func (s *settings) distance() rigid.DistanceOptions {
	return rigid.DistanceOptions{Tolerance: s.raw.tolerance, MaxIterations: s.raw.maxIterations}
}

// onRigidBodies runs a call on two bodies.
func onRigidBodies(d *domain, a, b uintptr, o unsafe.Pointer, call func(a, b *rigid.Body, set *settings) error) status {
	return with("a", a, func(ba *rigid.Body) error {
		bb, err := resolve[*rigid.Body]("b", b)
		if err != nil {
			return err
		}
		var set settings
		if err := set.read(d, o); err != nil {
			return err
		}
		return call(ba, bb, &set)
	})
}

// atPose puts the name of the argument, and the index of a query unless it is -1, into an error
// about a pose.
func atPose(err error, i int) error {
	text := err.Error()
	for _, side := range []string{"a", "b"} {
		if rest, ok := strings.CutPrefix(text, "pose "+side); ok {
			name := "p" + side
			if i >= 0 {
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			return fail(statusOfKind(err), "%s%s", name, rest)
		}
	}
	return err
}

//export go_rigid_distance_batch
func go_rigid_distance_batch(a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return atPosesBy(&rulers, a, pa, b, pb, count, o, (*rigid.Gap)(out), (*rigid.Ruler).Distance)
}

//export go_rigid_distance_gradients
func go_rigid_distance_gradients(a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, count uintptr,
	o, out unsafe.Pointer) status {
	return atPosesBy(&rulers, a, pa, b, pb, count, o, (*rigid.GapGradient)(out), (*rigid.Ruler).DistanceGradient)
}

// atPosesBy runs a call of a solver, which a pool keeps, on two bodies at each pair of poses.
func atPosesBy[S, T any](pool *sync.Pool, a uintptr, pa unsafe.Pointer, b uintptr, pb unsafe.Pointer, count uintptr,
	o unsafe.Pointer, out *T, call func(*S, *rigid.Body, *geom.Pose, *rigid.Body, *geom.Pose, rigid.DistanceOptions,
		*T) error) status {
	return onRigidBodies(&distanceCalls, a, b, o, func(ba, bb *rigid.Body, set *settings) error {
		posesA, err := view("pa", (*geom.Pose)(pa), "count", count, 1)
		if err != nil {
			return err
		}
		posesB, err := view("pb", (*geom.Pose)(pb), "count", count, 1)
		if err != nil {
			return err
		}
		results, err := view("out", out, "count", count, 1)
		if err != nil {
			return err
		}
		solver, options := pool.Get().(*S), set.distance()
		for i := range results {
			x, y := posesA[i], posesB[i]
			var found T
			if err := call(solver, ba, &x, bb, &y, options, &found); err != nil {
				if len(results) == 1 {
					return atPose(err, -1)
				}
				return atPose(err, i)
			}
			results[i] = found
		}
		pool.Put(solver) // After a panic its state may be inconsistent, and it is not put back.
		return nil
	})
}

//export go_rigid_intersects
func go_rigid_intersects(a uintptr, pa unsafe.Pointer, b uintptr, pb, o, out unsafe.Pointer) status {
	return onRigidBodies(&intersectsCalls, a, b, o, func(ba, bb *rigid.Body, _ *settings) error {
		for _, p := range []struct {
			name string
			at   unsafe.Pointer
		}{{"pa", pa}, {"pb", pb}} {
			if p.at == nil {
				return null(p.name)
			}
		}
		x, y := *(*geom.Pose)(pa), *(*geom.Pose)(pb)
		return answer("out", out, func() (int32, error) {
			ruler := rulers.Get().(*rigid.Ruler)
			meets, err := ruler.Intersects(ba, &x, bb, &y)
			if err != nil {
				return 1, atPose(err, -1)
			}
			rulers.Put(ruler)
			if meets {
				return 1, nil
			}
			return 0, nil
		})
	})
}

//export go_rigid_clearance
func go_rigid_clearance(a uintptr, ma unsafe.Pointer, b uintptr, mb, o, out unsafe.Pointer) status {
	return onRigidBodies(&clearanceCalls, a, b, o, func(ba, bb *rigid.Body, set *settings) error {
		x, y, err := motionsOf(ma, mb)
		if err != nil {
			return err
		}
		options := set.rigid()
		return answer("out", out, func() (g rigid.Gap, err error) {
			solver := clearances.Get().(*rigid.ClearanceSolver)
			solver.CallOptions = set.call
			if err = solver.Clearance(ba, bb, &x, &y, &options, &g); err == nil {
				solver.CallOptions = engine.CallOptions{}
				clearances.Put(solver)
				set.writeStats()
			}
			return g, err
		})
	})
}

//export go_rigid_profile
func go_rigid_profile(a uintptr, ma unsafe.Pointer, b uintptr, mb unsafe.Pointer, times *float64, count uintptr,
	o, out unsafe.Pointer) status {
	return onRigidBodies(&distanceCalls, a, b, o, func(ba, bb *rigid.Body, set *settings) error {
		x, y, err := motionsOf(ma, mb)
		if err != nil {
			return err
		}
		at, err := view("times", times, "count", count, 1)
		if err != nil {
			return err
		}
		results, err := view("out", (*rigid.Gap)(out), "count", count, 1)
		if err != nil {
			return err
		}
		solver, found := clearances.Get().(*rigid.ClearanceSolver), make([]rigid.Gap, len(at))
		solver.CallOptions = set.call
		if err := solver.Profile(ba, bb, &x, &y, at, set.distance(), found); err != nil {
			return err
		}
		solver.CallOptions = engine.CallOptions{}
		clearances.Put(solver) // After a panic its state may be inconsistent, and it is not put back.
		copy(results, found)
		return nil
	})
}

//export go_rigid_scene_within
func go_rigid_scene_within(bodies *uintptr, poses unsafe.Pointer, count uintptr, groups *int32, skip unsafe.Pointer,
	nSkip uintptr, distance float64, o unsafe.Pointer, out *uintptr) status {
	raw := rigidScene{bodies: bodies, count: count, groups: groups, skip: skip, nSkip: nSkip, options: o,
		still: true}
	return raw.within(func(s *rigid.Scene, set *settings) error {
		at, err := view("poses", (*geom.Pose)(poses), "count", count, 1)
		if err != nil {
			return err
		}
		return listed(out, func() ([]rigid.SceneGap, error) { return s.Within(at, distance, set.distance()) })
	})
}

// within runs a call on the scene, whose motions it does not read.
func (raw *rigidScene) within(call func(*rigid.Scene, *settings) error) (s status) {
	defer recovered(&s)
	scene := rigidScenes.Get().(*rigid.Scene)
	err := func() error {
		if err := raw.read(scene); err != nil {
			return err
		}
		var set settings
		if err := set.read(&distanceCalls, raw.options); err != nil {
			return err
		}
		scene.CallOptions = set.call
		if err := call(scene, &set); err != nil {
			return err
		}
		set.writeStats()
		return nil
	}()
	scene.Release()
	rigidScenes.Put(scene) // After a panic the scene may be inconsistent, and is not put back.
	return statusOf(err)
}

// motionsOf returns the motions of two bodies.
func motionsOf(ma, mb unsafe.Pointer) (x, y rigid.Motion, err error) {
	switch {
	case ma == nil:
		return x, y, null("ma")
	case mb == nil:
		return x, y, null("mb")
	}
	return *(*rigid.Motion)(ma), *(*rigid.Motion)(mb), nil
}
