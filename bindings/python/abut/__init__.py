"""abut: a narrow phase for whole frames of pairs, on numpy arrays.

Overlaps, signed distances and contact manifolds of any number of convex pairs in one call, one pair per SIMD lane. Lengths are metres, angles radians,
quaternions (x, y, z, w). Arrays are read in place; results are views of memory that lives as long as they do.

    store = abut.ShapeStore()
    box = store.add_box([0.5, 0.5, 0.5])
    bodies = abut.make_bodies(positions=[[0, 0, 0], [3, 0, 0]], shapes=[box, box])
    abut.NarrowPhase().distance(store, bodies, [[0, 1]]).signed_distance    # array([2.], dtype=float32)

One pair at a prompt: distance_between. Meshes by name, as trimesh's manager has them: CollisionManager. Robots: abut.urdf. Two dimensions: abut.d2.
"""

import numpy as _numpy

from . import _abut
from ._abut import (
    CELL_HOLE,
    CELL_OTHER_DIAGONAL,
    MOST_METRES,
    NO_BODY,
    REMOVED_BODY,
    AnyOverlaps,
    BroadPhase,
    CookedHull,
    CookedMesh,
    Casts,
    Configurations,
    Counters,
    Distances,
    Feature,
    Frame,
    Gradients,
    HeightfieldReport,
    HullFaces,
    HullReport,
    LeastDistances,
    Manifolds,
    MassProperties,
    MeshReport,
    NarrowPhase,
    Overlaps,
    PairList,
    PathOverlaps,
    PointDistances,
    RayHits,
    ShapeStore,
    ShapeView,
    WarmTable,
    WorldCasts,
    WorldOverlaps,
    WorldRayHits,
    WorldTree,
    __version__,
    _JointTree,
    _read_triangle_file,
    axis_between,
    best_isa,
    certified_by,
    cook_hull,
    cook_mesh,
    decode_feature,
    distance_gradients,
    edge_feature,
    feature_of_a,
    feature_of_b,
    has_captures,
    lanes,
    mass_properties,
    match_pairs,
    merge_checksums,
    read_environment,
    supported_isas,
    world_bounds,
)
from ._names import (
    CarriedBy,
    Error,
    ErrorCode,
    FeatureType,
    PairState,
    ShapeKind,
    Status,
    TouchChanges,
    _checked_bodies,
    body_dtype,
    cache_dtype,
    contact_dtype,
    ended_dtype,
    impulse_dtype,
    manifold_dtype,
    relative_pose_dtype,
    trace_dtype,
)

# These import from this package what stands above.
from ._shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Halfspace, Hull, Mesh, Shape, Sphere, from_trimesh
from ._pair import PairDistance, distance_between
from ._manager import CollisionManager, ContactData, DistanceData, scene_to_collision
from ._mesh_files import read_triangles
from . import d2, urdf

if has_captures:
    from ._abut import Capture, CaptureFrame, CaptureWriter


def make_bodies(*, positions, shapes, orientations=(0, 0, 0, 1)):
    """A new array of ``body_dtype``: positions (n, 3), shapes (n,) or one id, orientations (n, 4) or one.

    Values are converted to float32 and uint32. An id out of the range of uint32 is a ValueError.
    """
    positions, shapes = _checked_bodies(positions, shapes, 3)
    bodies = _numpy.empty(len(positions), body_dtype)
    bodies["position"] = positions
    bodies["shape"] = shapes
    bodies["orientation"] = orientations
    return bodies


# Classes and functions say where they are imported from.
for _name in [name for name in dir() if not name.startswith("_")]:
    if getattr(globals()[_name], "__module__", "") in ("abut._abut", "abut._names", "abut._shapes", "abut._pair", "abut._manager", "abut._mesh_files"):
        try:
            globals()[_name].__module__ = "abut"
        except (AttributeError, TypeError):  # a built-in function
            pass
del _name

__all__ = [name for name in dir() if not name.startswith("_")] + ["__version__"]
