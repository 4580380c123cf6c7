"""What ipctk 1.6.1 has and `ccd.compat.ipctk` has not, with the reason: collision detection is here, mechanics is not."""

from __future__ import annotations

import re

# Names of the module, as patterns of the whole name.
NAMES: dict[str, str] = {
    "potentials, barriers, friction and adhesion are not here: import ipctk beside this": (
        r"(?i:.*(barrier|potential|friction|adhesion|mollifier|smooth|stiffness|_mu_).*)|.*(Normal|Tangential|2)Collisions?"
        r"|.*_(relative_velocity|tangent_basis)(_.*)?|TangentialCollisions|NormalCollisions|ogc"
    ),
    "distances, their types and derivatives are not here: import ipctk beside this; ccd.proximity has distances with a proof": (
        r"(point|edge|line)_\w+_(distance|closest_point|normal|unnormalized_normal|signed_distance|cross_squarednorm|parallel)(_.*)?"
        r"|(EA\w*_EB|P_[ET])\d?|AUTO|\w+DistanceType|(triangle|dihedral|normalization|edge_length|cross_product)_.*"
    ),
    "linear algebra for solvers is not here: import ipctk beside this": r"project_to_p?s?d|PSDProjectionMethod|ABS|CLAMP|NONE",
    "interval arithmetic is not here: trajectories of ipctk's class are taken; ccd.Motion encloses turning bodies": (
        r"IntervalNonlinearTrajectory|filib"
    ),
    "planes are not here: give a plane as a static face": r"Plane\w+|Hyperplane|point_static_plane_ccd",
    "how a broad phase of ipctk works inside; ours is one sweep under all names": r"HashItem|LBVH_Node|suggest_good_voxel_size",
    "statistics of a mesh are not here: import ipctk beside this": (
        r"(max|mean|median)_(edge|displacement)_length|world_bbox_diagonal_length|vertex_to_min_edge"
    ),
    "levels are in LoggerLevel": r"trace|debug|info|warn|error|critical|off",
}

# Members of classes that are here, as patterns of Class.member.
MEMBERS: dict[str, str] = {
    "distances and their derivatives are not here": (
        r"\w+\.(compute_coefficients|compute_distance_\w+|\w*contract_distance_\w+|diag_distance_\w+|known_dtype)"
    ),
    "areas and adjacency are for potentials": r"CollisionMesh\.(\w*area\w*|\w*adjacenc\w+|is_vertex_on_boundary)",
    "how a broad phase of ipctk works inside": r"HashGrid\.(cell_size|domain_m\w+|grid_size)|LBVH\.\w+_nodes",
    "ccd.proximity.near has distances with a proof": r"Candidates\.compute_per_vertex_safe_distances",
    "ccd.view shows candidates and impacts": r"Candidates\.save_obj|\w+\.print_ccd_query",
}


def reason(name: str) -> str | None:
    """Why a name of the module, or a `Class.member`, is not here; None for what ipctk has not either."""
    table = MEMBERS if "." in name else NAMES
    return next((why for why, pattern in table.items() if re.fullmatch(pattern, name)), None)
