/* layout.c - the layout of the structs, which every binding repeats. A failure does not compile. */
#include "ccd.h"

#include <stddef.h>

#define IS(name, condition) typedef char name[(condition) ? 1 : -1]
#define AT(type, member, offset) IS(at_##type##_##member, offsetof(type, member) == (offset))

IS(impact_size, sizeof(ccd_impact) == 120);
AT(ccd_impact, verdict, 0);
AT(ccd_impact, kind, 4);
AT(ccd_impact, a, 8);
AT(ccd_impact, b, 16);
AT(ccd_impact, toi_lo, 24);
AT(ccd_impact, toi_hi, 32);
AT(ccd_impact, u, 40);
AT(ccd_impact, v, 48);
AT(ccd_impact, point, 56);
AT(ccd_impact, normal, 80);
AT(ccd_impact, width, 104);
AT(ccd_impact, flags, 112);
AT(ccd_impact, reserved, 116);

IS(why_size, sizeof(ccd_why) == 776);
AT(ccd_why, alpha, 120);
AT(ccd_why, radius, 160);
AT(ccd_why, initial, 176);
AT(ccd_why, q, 184);
AT(ccd_why, vertices, 424);
AT(ccd_why, cause, 444);
AT(ccd_why, rings, 448);
AT(ccd_why, same, 452);
AT(ccd_why, response, 460);
AT(ccd_why, at_start, 464);
AT(ccd_why, others, 496);
IS(limit_size, sizeof(ccd_limit) == 56);
AT(ccd_limit, toi_lo, 0);
AT(ccd_limit, a, 8);
AT(ccd_limit, b, 16);
AT(ccd_limit, kind, 24);
AT(ccd_limit, cause, 28);
AT(ccd_limit, vertices, 32);
AT(ccd_limit, reserved, 52);
IS(constraint_size, sizeof(ccd_constraint) == 184);
AT(ccd_constraint, impact, 0);
AT(ccd_constraint, vertices, 120);
AT(ccd_constraint, weights, 136);
AT(ccd_constraint, gap, 168);
AT(ccd_constraint, separation, 176);

IS(gradient_size, sizeof(ccd_gradient) == 288);
AT(ccd_gradient, x0, 0);
AT(ccd_gradient, x1, 96);
AT(ccd_gradient, toi, 192);
AT(ccd_gradient, conditioning, 200);
AT(ccd_gradient, weights, 208);
AT(ccd_gradient, normal, 240);
AT(ccd_gradient, vertices, 264);
AT(ccd_gradient, kind, 280);
AT(ccd_gradient, state, 284);

IS(bound_size, sizeof(ccd_linesearch_bound) == 24);
AT(ccd_linesearch_bound, alpha, 0);
AT(ccd_linesearch_bound, distance, 8);
AT(ccd_linesearch_bound, separation, 16);

IS(interval_size, sizeof(ccd_interval) == 48);
AT(ccd_interval, kind, 0);
AT(ccd_interval, flags, 4);
AT(ccd_interval, a, 8);
AT(ccd_interval, b, 16);
AT(ccd_interval, enter, 24);
AT(ccd_interval, exit, 32);
AT(ccd_interval, side_before, 40);
AT(ccd_interval, side_after, 44);

IS(clearance_size, sizeof(ccd_clearance) == 144);
AT(ccd_clearance, kind, 0);
AT(ccd_clearance, reserved, 4);
AT(ccd_clearance, a, 8);
AT(ccd_clearance, b, 16);
AT(ccd_clearance, time, 24);
AT(ccd_clearance, lo, 32);
AT(ccd_clearance, hi, 40);
AT(ccd_clearance, u, 48);
AT(ccd_clearance, v, 56);
AT(ccd_clearance, point_a, 64);
AT(ccd_clearance, point_b, 88);
AT(ccd_clearance, normal, 112);
AT(ccd_clearance, epsilon, 136);

IS(neighbors_size, sizeof(ccd_neighbors_report) == 48);
AT(ccd_neighbors_report, reach, 0);
AT(ccd_neighbors_report, pairs, 8);
AT(ccd_neighbors_report, bytes, 16);
AT(ccd_neighbors_report, builds, 24);
AT(ccd_neighbors_report, served, 32);
AT(ccd_neighbors_report, fresh, 40);
IS(response_size, sizeof(ccd_response) == 800);
AT(ccd_response, alpha, 0);
AT(ccd_response, contacts, 8);
AT(ccd_response, rounds, 16);
AT(ccd_response, why, 24);
IS(sizes_size, sizeof(ccd_sizes_report) == 32);
AT(ccd_sizes_report, used, 0);
AT(ccd_sizes_report, floor, 8);
AT(ccd_sizes_report, resting, 16);
AT(ccd_sizes_report, passes, 24);

IS(intersection_size, sizeof(ccd_intersection) == 24);
AT(ccd_intersection, kind, 0);
AT(ccd_intersection, reserved, 4);
AT(ccd_intersection, a, 8);
AT(ccd_intersection, b, 16);

IS(near_pair_size, sizeof(ccd_near_pair) == 104);
AT(ccd_near_pair, kind, 0);
AT(ccd_near_pair, reserved, 4);
AT(ccd_near_pair, a, 8);
AT(ccd_near_pair, b, 16);
AT(ccd_near_pair, distance_lo, 24);
AT(ccd_near_pair, distance_hi, 32);
AT(ccd_near_pair, u, 40);
AT(ccd_near_pair, v, 48);
AT(ccd_near_pair, point_a, 56);
AT(ccd_near_pair, point_b, 80);

IS(rigid_motion_size, sizeof(ccd_rigid_motion) == 128);
AT(ccd_rigid_motion, position, 32);
AT(ccd_rigid_motion, velocity, 56);
AT(ccd_rigid_motion, angular_velocity, 80);
AT(ccd_rigid_motion, pivot, 104);
IS(motion_joint_size, sizeof(ccd_motion_joint) == 104);
AT(ccd_motion_joint, rotation, 8);
AT(ccd_motion_joint, position, 40);
AT(ccd_motion_joint, axis, 64);
AT(ccd_motion_joint, value0, 88);
AT(ccd_motion_joint, value1, 96);

IS(robot_joint_size, sizeof(ccd_robot_joint) == 160);
AT(ccd_robot_joint, parent, 4);
AT(ccd_robot_joint, child, 8);
AT(ccd_robot_joint, variable, 12);
AT(ccd_robot_joint, factor, 16);
AT(ccd_robot_joint, offset, 24);
AT(ccd_robot_joint, rotation, 32);
AT(ccd_robot_joint, position, 104);
AT(ccd_robot_joint, axis, 128);
AT(ccd_robot_joint, error, 152);
IS(robot_shape_size, sizeof(ccd_robot_shape) == 32);
AT(ccd_robot_shape, link, 4);
AT(ccd_robot_shape, vertices, 8);
AT(ccd_robot_shape, edges, 16);
AT(ccd_robot_shape, faces, 24);
IS(robot_edge_size, sizeof(ccd_robot_edge) == 96);
AT(ccd_robot_edge, flags, 4);
AT(ccd_robot_edge, body_a, 8);
AT(ccd_robot_edge, body_b, 12);
AT(ccd_robot_edge, how, 16);
AT(ccd_robot_edge, reserved, 20);
AT(ccd_robot_edge, s, 24);
AT(ccd_robot_edge, s_free, 32);
AT(ccd_robot_edge, point, 40);
AT(ccd_robot_edge, normal, 64);
AT(ccd_robot_edge, iterations, 88);
IS(robot_loop_size, sizeof(ccd_robot_loop) == 136);
AT(ccd_robot_loop, b, 4);
AT(ccd_robot_loop, rows, 8);
AT(ccd_robot_loop, reserved, 12);
AT(ccd_robot_loop, point_a, 16);
AT(ccd_robot_loop, point_b, 40);
AT(ccd_robot_loop, across, 64);
IS(robot_meeting_size, sizeof(ccd_robot_meeting) == 24);
AT(ccd_robot_meeting, body_a, 4);
AT(ccd_robot_meeting, body_b, 8);
AT(ccd_robot_meeting, reserved, 12);
AT(ccd_robot_meeting, iterations, 16);

IS(rigid_impact_size, sizeof(ccd_rigid_impact) == 136);
AT(ccd_rigid_impact, verdict, 0);
AT(ccd_rigid_impact, flags, 4);
AT(ccd_rigid_impact, toi_lo, 8);
AT(ccd_rigid_impact, toi_hi, 16);
AT(ccd_rigid_impact, index_a, 24);
AT(ccd_rigid_impact, index_b, 32);
AT(ccd_rigid_impact, feature_a, 40);
AT(ccd_rigid_impact, feature_b, 44);
AT(ccd_rigid_impact, point_a, 48);
AT(ccd_rigid_impact, point_b, 72);
AT(ccd_rigid_impact, normal, 96);
AT(ccd_rigid_impact, distance, 120);
AT(ccd_rigid_impact, iterations, 128);

IS(rigid_scene_impact_size, sizeof(ccd_rigid_scene_impact) == 152);
AT(ccd_rigid_scene_impact, a, 0);
AT(ccd_rigid_scene_impact, b, 8);
AT(ccd_rigid_scene_impact, impact, 16);

IS(rigid_separation_size, sizeof(ccd_rigid_separation) == 16);
AT(ccd_rigid_separation, separation, 8);

IS(rigid_body_info_size, sizeof(ccd_rigid_body_info) == 32);
AT(ccd_rigid_body_info, radius, 8);
AT(ccd_rigid_body_info, deviation, 16);
AT(ccd_rigid_body_info, solid, 24);

IS(rigid_pose_size, sizeof(ccd_rigid_pose) == 56);
AT(ccd_rigid_pose, position, 32);

IS(rigid_gap_size, sizeof(ccd_rigid_gap) == 144);
AT(ccd_rigid_gap, reserved, 4);
AT(ccd_rigid_gap, lo, 8);
AT(ccd_rigid_gap, hi, 16);
AT(ccd_rigid_gap, index_a, 24);
AT(ccd_rigid_gap, index_b, 32);
AT(ccd_rigid_gap, feature_a, 40);
AT(ccd_rigid_gap, feature_b, 44);
AT(ccd_rigid_gap, point_a, 48);
AT(ccd_rigid_gap, point_b, 72);
AT(ccd_rigid_gap, normal, 96);
AT(ccd_rigid_gap, epsilon, 120);
AT(ccd_rigid_gap, time, 128);
AT(ccd_rigid_gap, iterations, 136);
IS(rigid_gap_gradient_size, sizeof(ccd_rigid_gap_gradient) == 248);
AT(ccd_rigid_gap_gradient, position_a, 144);
AT(ccd_rigid_gap_gradient, rotation_a, 168);
AT(ccd_rigid_gap_gradient, position_b, 192);
AT(ccd_rigid_gap_gradient, rotation_b, 216);
AT(ccd_rigid_gap_gradient, state, 240);
IS(rigid_penetration_size, sizeof(ccd_rigid_penetration) == 136);
AT(ccd_rigid_penetration, lo, 8);
AT(ccd_rigid_penetration, translation, 24);
AT(ccd_rigid_penetration, normal, 48);
AT(ccd_rigid_penetration, point_a, 72);
AT(ccd_rigid_penetration, point_b, 96);
AT(ccd_rigid_penetration, epsilon, 120);
AT(ccd_rigid_penetration, iterations, 128);
IS(rigid_penetration_gradient_size, sizeof(ccd_rigid_penetration_gradient) == 240);
AT(ccd_rigid_penetration_gradient, position_a, 136);
AT(ccd_rigid_penetration_gradient, rotation_b, 208);
AT(ccd_rigid_penetration_gradient, state, 232);
IS(crossing_size, sizeof(ccd_crossing) == 48);
AT(ccd_crossing, pairs, 16);
AT(ccd_crossing, depth, 40);
IS(untangled_size, sizeof(ccd_untangled) == 40);
AT(ccd_untangled, before, 8);
AT(ccd_untangled, farthest, 32);
AT(ccd_rigid_gap_gradient, reserved, 244);

IS(rigid_scene_gap_size, sizeof(ccd_rigid_scene_gap) == 160);
AT(ccd_rigid_scene_gap, b, 8);
AT(ccd_rigid_scene_gap, gap, 16);

IS(rigid_manifold_point_size, sizeof(ccd_rigid_manifold_point) == 128);
AT(ccd_rigid_manifold_point, index_a, 16);
AT(ccd_rigid_manifold_point, feature_a, 32);
AT(ccd_rigid_manifold_point, point_a, 40);
AT(ccd_rigid_manifold_point, point_b, 64);
AT(ccd_rigid_manifold_point, normal, 88);
AT(ccd_rigid_manifold_point, epsilon, 112);
AT(ccd_rigid_manifold_point, group, 120);
AT(ccd_rigid_manifold_point, reserved, 124);

IS(slide_size, sizeof(ccd_slide) == 80);
AT(ccd_slide, flags, 4);
AT(ccd_slide, t_lo, 8);
AT(ccd_slide, t_hi, 16);
AT(ccd_slide, lo, 24);
AT(ccd_slide, hi, 32);
AT(ccd_slide, normal, 40);
AT(ccd_slide, iterations, 64);
AT(ccd_slide, part_a, 72);
AT(ccd_slide, part_b, 76);

IS(rigid_mesh_impact_size, sizeof(ccd_rigid_mesh_impact) == 152);
AT(ccd_rigid_mesh_impact, body, 0);
AT(ccd_rigid_mesh_impact, shape, 8);
AT(ccd_rigid_mesh_impact, reserved, 12);
AT(ccd_rigid_mesh_impact, impact, 16);

IS(patch_form_size, sizeof(ccd_patch_form) == 12);
IS(patch_impact_size, sizeof(ccd_patch_impact) == 128);
AT(ccd_patch_impact, verdict, 0);
AT(ccd_patch_impact, flags, 4);
AT(ccd_patch_impact, a, 8);
AT(ccd_patch_impact, toi_lo, 24);
AT(ccd_patch_impact, uv_a, 40);
AT(ccd_patch_impact, uv_b, 56);
AT(ccd_patch_impact, point, 72);
AT(ccd_patch_impact, normal, 96);
AT(ccd_patch_impact, width, 120);
IS(patch_unresolved_size, sizeof(ccd_patch_unresolved) == 16);
AT(ccd_patch_unresolved, t_from, 8);

IS(volume_impact_size, sizeof(ccd_volume_impact) == 152);
AT(ccd_volume_impact, impact, 0);
AT(ccd_volume_impact, vertices, 120);
AT(ccd_volume_impact, elements, 136);
AT(ccd_volume_impact, pair_class, 144);
AT(ccd_volume_impact, reserved, 148);

#if UINTPTR_MAX == UINT64_MAX
IS(options_size, sizeof(ccd_options) == 168);
IS(region_size, sizeof(ccd_region) == 48);
AT(ccd_options, struct_size, 0);
AT(ccd_options, tolerance, 8);
AT(ccd_options, min_separation, 16);
AT(ccd_options, t_min, 24);
AT(ccd_options, t_max, 32);
AT(ccd_options, max_iterations, 40);
AT(ccd_options, method, 48);
AT(ccd_options, threads, 52);
AT(ccd_options, flags, 56);
AT(ccd_options, norm, 60);
AT(ccd_options, device, 64);
AT(ccd_options, device_index, 68);
AT(ccd_options, memory_limit, 72);
AT(ccd_options, progress, 80);
AT(ccd_options, progress_user, 88);
AT(ccd_options, scene_bound, 96);
AT(ccd_options, stats, 120);
AT(ccd_options, device_x0, 128);
AT(ccd_options, device_x1, 136);
AT(ccd_options, region, 144);
AT(ccd_options, separations, 152);
AT(ccd_options, n_separations, 160);
IS(group_size, sizeof(ccd_group) == 48);
AT(ccd_group, vertices, 0);
AT(ccd_group, vertex_count, 8);
AT(ccd_group, edges, 16);
AT(ccd_group, edge_count, 24);
AT(ccd_group, faces, 32);
AT(ccd_group, face_count, 40);
AT(ccd_region, lo, 0);
AT(ccd_region, hi, 24);

IS(device_array_size, sizeof(ccd_device_array) == 40);
AT(ccd_device_array, data, 0);
AT(ccd_device_array, stride, 8);
AT(ccd_device_array, stream, 16);
AT(ccd_device_array, dtype, 24);
AT(ccd_device_array, device, 28);
AT(ccd_device_array, reserved, 32);

IS(device_column_size, sizeof(ccd_device_column) == 40);
AT(ccd_device_column, data, 0);
AT(ccd_device_column, rows, 8);
AT(ccd_device_column, stride, 16);
AT(ccd_device_column, width, 24);
AT(ccd_device_column, dtype, 28);
AT(ccd_device_column, device, 32);
AT(ccd_device_column, reserved, 36);

IS(stats_size, sizeof(ccd_stats) == 176);
AT(ccd_stats, boxes, 8);
AT(ccd_stats, candidates, 16);
AT(ccd_stats, impacts, 80);
AT(ccd_stats, undecided, 88);
AT(ccd_stats, seconds_build, 96);
AT(ccd_stats, seconds_total, 120);
AT(ccd_stats, peak_bytes, 128);
AT(ccd_stats, threads, 136);
AT(ccd_stats, device_used, 144);
AT(ccd_stats, device_seconds, 152);
AT(ccd_stats, device_peak_bytes, 160);
AT(ccd_stats, plans, 168);
#endif

int main(void) { return 0; }
