package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/motion"
	"ccd/core/neighbors"
	depth "ccd/core/overlap"
	"ccd/core/patch"
	"ccd/core/penetration"
	"ccd/core/proximity"
	"ccd/core/rigid"
	"ccd/core/robot"
	"ccd/core/scene"
	"ccd/core/step"
	"ccd/core/untangle"
	"ccd/core/volume"
)

// Structs of the core have the layouts of those of the header. A mismatch does not compile, because
// the array has only the index 0.
var (
	only [1]struct{}

	_ = only[unsafe.Sizeof(rawOptions{})-C.sizeof_ccd_options]
	_ = only[unsafe.Offsetof(rawOptions{}.device)-unsafe.Offsetof(C.ccd_options{}.device)]
	_ = only[unsafe.Offsetof(rawOptions{}.deviceIndex)-unsafe.Offsetof(C.ccd_options{}.device_index)]
	_ = only[unsafe.Offsetof(rawOptions{}.deviceX1)-unsafe.Offsetof(C.ccd_options{}.device_x1)]
	_ = only[unsafe.Offsetof(rawOptions{}.region)-unsafe.Offsetof(C.ccd_options{}.region)]
	_ = only[unsafe.Sizeof(geom.Impact{})-C.sizeof_ccd_impact]
	_ = only[unsafe.Offsetof(geom.Impact{}.Width)-unsafe.Offsetof(C.ccd_impact{}.width)]
	_ = only[unsafe.Sizeof(geom.Interval{})-C.sizeof_ccd_interval]
	_ = only[unsafe.Offsetof(geom.Interval{}.SideAfter)-unsafe.Offsetof(C.ccd_interval{}.side_after)]
	_ = only[unsafe.Sizeof(robotJoint{})-C.sizeof_ccd_robot_joint]
	_ = only[unsafe.Offsetof(robotJoint{}.off)-unsafe.Offsetof(C.ccd_robot_joint{}.error)]
	_ = only[unsafe.Sizeof(robotShape{})-C.sizeof_ccd_robot_shape]
	_ = only[unsafe.Offsetof(robotShape{}.faces)-unsafe.Offsetof(C.ccd_robot_shape{}.faces)]
	_ = only[unsafe.Sizeof(robotEdge{})-C.sizeof_ccd_robot_edge]
	_ = only[unsafe.Offsetof(robotEdge{}.iterations)-unsafe.Offsetof(C.ccd_robot_edge{}.iterations)]
	_ = only[unsafe.Sizeof(robotMeeting{})-C.sizeof_ccd_robot_meeting]
	_ = only[unsafe.Offsetof(robotMeeting{}.iterations)-unsafe.Offsetof(C.ccd_robot_meeting{}.iterations)]
	_ = only[robot.Free-C.CCD_SEPARATE]
	_ = only[robot.Collides-C.CCD_CONTACT]
	_ = only[robot.Inside-C.CCD_ROBOT_INSIDE]
	_ = only[unsafe.Sizeof(geom.LeastDistance{})-C.sizeof_ccd_clearance]
	_ = only[unsafe.Offsetof(geom.LeastDistance{}.Epsilon)-unsafe.Offsetof(C.ccd_clearance{}.epsilon)]
	_ = only[geom.FinalContact-C.CCD_FINAL_CONTACT]
	_ = only[geom.ReasonIterations-C.CCD_REASON_ITERATIONS]
	_ = only[geom.ReasonMemory-C.CCD_REASON_MEMORY]
	_ = only[geom.ReasonCoarse-C.CCD_REASON_COARSE]
	_ = only[geom.ReasonArea-C.CCD_REASON_AREA]
	_ = only[unsafe.Sizeof(step.Bound{})-C.sizeof_ccd_linesearch_bound]
	_ = only[unsafe.Offsetof(step.Bound{}.Separation)-unsafe.Offsetof(C.ccd_linesearch_bound{}.separation)]
	_ = only[unsafe.Sizeof(step.Response{})-C.sizeof_ccd_response]
	_ = only[unsafe.Offsetof(step.Response{}.Rounds)-unsafe.Offsetof(C.ccd_response{}.rounds)]
	_ = only[unsafe.Sizeof(step.SizesReport{})-C.sizeof_ccd_sizes_report]
	_ = only[unsafe.Offsetof(step.SizesReport{}.Passes)-unsafe.Offsetof(C.ccd_sizes_report{}.passes)]
	_ = only[unsafe.Sizeof(scene.PartInfo{})-C.sizeof_ccd_scene_part]
	_ = only[unsafe.Offsetof(scene.PartInfo{}.FaceCount)-unsafe.Offsetof(C.ccd_scene_part{}.faces)]
	_ = only[unsafe.Sizeof(neighbors.Report{})-C.sizeof_ccd_neighbors_report]
	_ = only[unsafe.Offsetof(neighbors.Report{}.Fresh)-unsafe.Offsetof(C.ccd_neighbors_report{}.fresh)]
	_ = only[unsafe.Sizeof(gradient.Gradient{})-C.sizeof_ccd_gradient]
	_ = only[unsafe.Offsetof(gradient.Gradient{}.State)-unsafe.Offsetof(C.ccd_gradient{}.state)]
	_ = only[unsafe.Sizeof(step.Why{})-C.sizeof_ccd_why]
	_ = only[unsafe.Offsetof(step.Why{}.Query)-unsafe.Offsetof(C.ccd_why{}.q)]
	_ = only[unsafe.Offsetof(step.Why{}.Same)-unsafe.Offsetof(C.ccd_why{}.same)]
	_ = only[unsafe.Offsetof(step.Why{}.Others)-unsafe.Offsetof(C.ccd_why{}.others)]
	_ = only[unsafe.Offsetof(step.Limit{}.Vertices)-unsafe.Offsetof(C.ccd_limit{}.vertices)]
	_ = only[unsafe.Offsetof(step.Response{}.Why)-unsafe.Offsetof(C.ccd_response{}.why)]
	_ = only[unsafe.Sizeof(constraint.Constraint{})-C.sizeof_ccd_constraint]
	_ = only[unsafe.Offsetof(constraint.Constraint{}.Weights)-unsafe.Offsetof(C.ccd_constraint{}.weights)]
	_ = only[unsafe.Offsetof(constraint.Constraint{}.Separation)-unsafe.Offsetof(C.ccd_constraint{}.separation)]
	_ = only[unsafe.Sizeof(proximity.Intersection{})-C.sizeof_ccd_intersection]
	_ = only[unsafe.Sizeof(proximity.NearPair{})-C.sizeof_ccd_near_pair]
	_ = only[unsafe.Offsetof(proximity.NearPair{}.PointA)-unsafe.Offsetof(C.ccd_near_pair{}.point_a)]
	_ = only[unsafe.Sizeof(proximity.Nested{})-C.sizeof_ccd_nested_pair]
	_ = only[unsafe.Offsetof(proximity.Nested{}.Winding)-unsafe.Offsetof(C.ccd_nested_pair{}.winding)]
	_ = only[proximity.OnSurface-C.CCD_ON_SURFACE]
	_ = only[proximity.UnknownWinding-C.CCD_WINDING_UNKNOWN]
	_ = only[unsafe.Sizeof(depth.Common{})-C.sizeof_ccd_overlap]
	_ = only[unsafe.Offsetof(depth.Common{}.Containment)-unsafe.Offsetof(C.ccd_overlap{}.containment)]
	_ = only[unsafe.Sizeof(depth.Depth{})-C.sizeof_ccd_depth]
	_ = only[unsafe.Offsetof(depth.Depth{}.Normal)-unsafe.Offsetof(C.ccd_depth{}.normal)]
	_ = only[unsafe.Offsetof(depth.Depth{}.Face)-unsafe.Offsetof(C.ccd_depth{}.face)]
	_ = only[unsafe.Offsetof(depth.Depth{}.State)-unsafe.Offsetof(C.ccd_depth{}.state)]
	_ = only[depth.Refuse-C.CCD_SHELLS_REFUSE]
	_ = only[depth.Count-C.CCD_SHELLS_COUNT]
	_ = only[depth.Unfinished-C.CCD_OVERLAP_UNFINISHED]
	_ = only[depth.Defined-C.CCD_GRADIENT_DEFINED]
	_ = only[depth.OnIt-C.CCD_GRADIENT_INITIAL]
	_ = only[depth.Tie-C.CCD_GRADIENT_TIE]
	_ = only[rigid.Outside-C.CCD_CONTAINMENT_OUTSIDE]
	_ = only[rigid.Inside-C.CCD_CONTAINMENT_INSIDE]
	_ = only[rigid.Contains-C.CCD_CONTAINMENT_CONTAINS]
	_ = only[rigid.Overlapping-C.CCD_CONTAINMENT_OVERLAPPING]
	_ = only[rigid.Crossing-C.CCD_CONTAINMENT_CROSSING]
	_ = only[unsafe.Sizeof(rigid.Motion{})-C.sizeof_ccd_rigid_motion]
	_ = only[unsafe.Offsetof(rigid.Motion{}.Pivot)-unsafe.Offsetof(C.ccd_rigid_motion{}.pivot)]
	_ = only[unsafe.Sizeof(motion.Bone{})-C.sizeof_ccd_rigid_motion]
	_ = only[unsafe.Offsetof(motion.Bone{}.Pivot)-unsafe.Offsetof(C.ccd_rigid_motion{}.pivot)]
	_ = only[unsafe.Sizeof(motion.Joint{})-C.sizeof_ccd_motion_joint]
	_ = only[unsafe.Offsetof(motion.Joint{}.Value0)-unsafe.Offsetof(C.ccd_motion_joint{}.value0)]
	_ = only[motion.Prismatic-C.CCD_JOINT_PRISMATIC]
	_ = only[unsafe.Sizeof(rigid.Impact{})-C.sizeof_ccd_rigid_impact]
	_ = only[unsafe.Offsetof(rigid.Impact{}.PointA)-unsafe.Offsetof(C.ccd_rigid_impact{}.point_a)]
	_ = only[unsafe.Sizeof(rigid.SceneImpact{})-C.sizeof_ccd_rigid_scene_impact]
	_ = only[unsafe.Offsetof(rigid.SceneImpact{}.Impact)-unsafe.Offsetof(C.ccd_rigid_scene_impact{}.impact)]
	_ = only[unsafe.Sizeof(rigid.PairSeparation{})-C.sizeof_ccd_rigid_separation]
	_ = only[unsafe.Sizeof(bodyInfo{})-C.sizeof_ccd_rigid_body_info]
	_ = only[unsafe.Offsetof(bodyInfo{}.solid)-unsafe.Offsetof(C.ccd_rigid_body_info{}.solid)]
	_ = only[unsafe.Sizeof(geom.Pose{})-C.sizeof_ccd_rigid_pose]
	_ = only[unsafe.Offsetof(geom.Pose{}.Position)-unsafe.Offsetof(C.ccd_rigid_pose{}.position)]
	_ = only[unsafe.Sizeof(rigid.Gap{})-C.sizeof_ccd_rigid_gap]
	_ = only[unsafe.Offsetof(rigid.Gap{}.PointA)-unsafe.Offsetof(C.ccd_rigid_gap{}.point_a)]
	_ = only[unsafe.Sizeof(rigid.GapGradient{})-C.sizeof_ccd_rigid_gap_gradient]
	_ = only[unsafe.Offsetof(rigid.GapGradient{}.State)-unsafe.Offsetof(C.ccd_rigid_gap_gradient{}.state)]
	_ = only[unsafe.Offsetof(rigid.Gap{}.Time)-unsafe.Offsetof(C.ccd_rigid_gap{}.time)]
	_ = only[unsafe.Sizeof(penetration.Depth{})-C.sizeof_ccd_rigid_penetration]
	_ = only[unsafe.Offsetof(penetration.Depth{}.PointA)-unsafe.Offsetof(C.ccd_rigid_penetration{}.point_a)]
	_ = only[penetration.Unfinished-C.CCD_PENETRATION_UNFINISHED]
	_ = only[unsafe.Sizeof(penetration.Gradient{})-C.sizeof_ccd_rigid_penetration_gradient]
	_ = only[unsafe.Offsetof(penetration.Gradient{}.State)-unsafe.Offsetof(C.ccd_rigid_penetration_gradient{}.state)]
	_ = only[unsafe.Sizeof(untangle.Crossing{})-C.sizeof_ccd_crossing]
	_ = only[unsafe.Offsetof(untangle.Crossing{}.Depth)-unsafe.Offsetof(C.ccd_crossing{}.depth)]
	_ = only[unsafe.Sizeof(untangle.Result{})-C.sizeof_ccd_untangled]
	_ = only[unsafe.Offsetof(untangle.Result{}.Farthest)-unsafe.Offsetof(C.ccd_untangled{}.farthest)]
	_ = only[unsafe.Sizeof(rigid.SceneGap{})-C.sizeof_ccd_rigid_scene_gap]
	_ = only[unsafe.Offsetof(rigid.SceneGap{}.Gap)-unsafe.Offsetof(C.ccd_rigid_scene_gap{}.gap)]
	_ = only[unsafe.Sizeof(rigid.ManifoldPoint{})-C.sizeof_ccd_rigid_manifold_point]
	_ = only[unsafe.Offsetof(rigid.ManifoldPoint{}.PointA)-unsafe.Offsetof(C.ccd_rigid_manifold_point{}.point_a)]
	_ = only[unsafe.Offsetof(rigid.ManifoldPoint{}.Group)-unsafe.Offsetof(C.ccd_rigid_manifold_point{}.group)]
	_ = only[unsafe.Sizeof(rigid.Slide{})-C.sizeof_ccd_slide]
	_ = only[unsafe.Offsetof(rigid.Slide{}.TLo)-unsafe.Offsetof(C.ccd_slide{}.t_lo)]
	_ = only[unsafe.Offsetof(rigid.Slide{}.Normal)-unsafe.Offsetof(C.ccd_slide{}.normal)]
	_ = only[unsafe.Sizeof(rigid.MeshImpact{})-C.sizeof_ccd_rigid_mesh_impact]
	_ = only[unsafe.Offsetof(rigid.MeshImpact{}.Shape)-unsafe.Offsetof(C.ccd_rigid_mesh_impact{}.shape)]
	_ = only[unsafe.Offsetof(rigid.MeshImpact{}.Impact)-unsafe.Offsetof(C.ccd_rigid_mesh_impact{}.impact)]
	_ = only[unsafe.Sizeof(volume.Contact{})-C.sizeof_ccd_volume_impact]
	_ = only[unsafe.Offsetof(volume.Contact{}.Class)-unsafe.Offsetof(C.ccd_volume_impact{}.pair_class)]
	_ = only[unsafe.Sizeof(patch.Impact{})-C.sizeof_ccd_patch_impact]
	_ = only[unsafe.Offsetof(patch.Impact{}.Width)-unsafe.Offsetof(C.ccd_patch_impact{}.width)]
	_ = only[unsafe.Sizeof(patch.Unresolved{})-C.sizeof_ccd_patch_unresolved]
)
