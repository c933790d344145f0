"""abut in two dimensions, on numpy arrays: circles, capsules, boxes, convex polygons, half-planes, chains and compounds.

The calls are those of the package abut, with two coordinates: positions (n, 2), a rotation as cosine and sine or as an angle in radians, manifolds of at most two
contacts. Statuses, errors, Overlaps, Counters, BroadPhase and WarmTable are the same classes.

    store = abut.d2.ShapeStore()
    robot = store.add_polygon([[-0.3, -0.2], [0.3, -0.2], [0.4, 0], [0.3, 0.2], [-0.3, 0.2]])
    wall = store.add_box([2, 0.1])
    bodies = abut.d2.make_bodies(positions=[[0, 0.5], [0, 0]], shapes=[robot, wall], angles=[0.2, 0])
    abut.d2.NarrowPhase().distance(store, bodies, [[0, 1]]).signed_distance

One pair at a prompt: distance_between.
"""

import numpy as _numpy

from . import AnyOverlaps, BroadPhase, CarriedBy, Counters, Error, ErrorCode, Overlaps, PairDistance, PairList, Status, WarmTable, impulse_dtype, match_pairs
from ._abut import d2 as _d2
from ._names import (
    PlaneShapeKind as ShapeKind,
    _checked_bodies,
    plane_body_dtype as body_dtype,
    plane_contact_dtype as contact_dtype,
    plane_manifold_dtype as manifold_dtype,
)
from ._pair import _raise

Casts, Configurations, Distances, Frame, LeastDistances = _d2.Casts, _d2.Configurations, _d2.Distances, _d2.Frame, _d2.LeastDistances
Manifolds, MassProperties = _d2.Manifolds, _d2.MassProperties
NarrowPhase, PointDistances, RayHits, ShapeStore, ShapeView = _d2.NarrowPhase, _d2.PointDistances, _d2.RayHits, _d2.ShapeStore, _d2.ShapeView
mass_properties, rotations_of, swept_bounds, world_bounds = _d2.mass_properties, _d2.rotations_of, _d2.swept_bounds, _d2.world_bounds


def make_bodies(*, positions, shapes, angles=0.0):
    """A new array of ``body_dtype``: positions (n, 2), shapes (n,) or one id, angles (n,) or one, radians.

    Values are converted to float32 and uint32. An id out of the range of uint32 is a ValueError.
    """
    positions, shapes = _checked_bodies(positions, shapes, 2)
    bodies = _numpy.empty(len(positions), body_dtype)
    bodies["position"] = positions
    bodies["rotation"] = rotations_of(_numpy.broadcast_to(_numpy.asarray(angles, _numpy.float64), len(positions)))
    bodies["shape"] = shapes
    return bodies


class Shape:
    """A shape without a store: Circle, Capsule, Segment, Box, Polygon, HalfPlane or Chain.

    The arguments are those of the store's method; ``rounding`` and ``scale`` are options of every shape. A store checks them when it adds the shape.
    """

    _add = None

    def __init__(self, *arguments, **options):
        if self._add is None:
            raise TypeError("Shape: make a Circle, Capsule, Segment, Box, Polygon, HalfPlane or Chain")
        self._arguments, self._options = arguments, options

    def add_to(self, store):
        """Adds the shape to a store and returns its id."""
        return type(self)._add(store, *self._arguments, **self._options)

    def __repr__(self):
        given = [repr(x) for x in self._arguments] + [f"{name}={x!r}" for name, x in self._options.items()]
        return f"{type(self).__name__}({', '.join(given)})"


class Circle(Shape):
    """Circle(radius)"""

    _add = ShapeStore.add_circle


class Capsule(Shape):
    """Capsule(radius, half_height): along local Y; half_height is half the segment, without the caps."""

    _add = ShapeStore.add_capsule


class Segment(Shape):
    """Segment(start, end, radius=0)"""

    _add = ShapeStore.add_segment


class Box(Shape):
    """Box(half_extents)"""

    _add = ShapeStore.add_box


class Polygon(Shape):
    """Polygon(points): the convex hull of points (n, 2)."""

    _add = ShapeStore.add_polygon


class HalfPlane(Shape):
    """HalfPlane(normal, offset=0): solid where normal . x <= offset."""

    _add = ShapeStore.add_halfplane


class Chain(Shape):
    """Chain(points, loop=False): segments, each with its front on its right."""

    _add = ShapeStore.add_chain


def _pose(pose, name):
    position, angle = (pose if isinstance(pose, tuple) and len(pose) == 2 and _numpy.ndim(pose[0]) == 1 else (pose, 0.0)) if pose is not None else ((0, 0), 0.0)
    position = _numpy.asarray(position, _numpy.float64)
    if position.shape != (2,):
        raise ValueError(f"{name}: shape {position.shape}; it must be a position (2,) or (position, angle)")
    return position, float(angle)


def distance_between(shape_a, pose_a, shape_b, pose_b=None):
    """The signed distance of one pair, for a prompt and for tests: abut.PairDistance, with normal and points (2,) in world space.

    shapes: abut.d2.Circle, Capsule, Segment, Box, Polygon, HalfPlane or Chain. poses: None for the origin, a position (2,), or (position, angle); metres, radians.

    ``Error`` with the code ``unsupported`` where the two kinds have no distance, ValueError where a pose is not finite.

    >>> abut.d2.distance_between(abut.d2.Box([1, 1]), None, abut.d2.Circle(0.5), [3, 0])
    <abut.PairDistance: 1.5 m apart, normal (1, 0), point_a (1, 0), point_b (2.5, 0)>
    """
    store = ShapeStore()
    (position_a, angle_a), (position_b, angle_b) = _pose(pose_a, "pose_a"), _pose(pose_b, "pose_b")
    found = NarrowPhase(threads=1).distance(
        store,
        None,
        [[0, 1]],
        positions=_numpy.stack([position_a, position_b]),
        angles=[angle_a, angle_b],
        shapes=_numpy.array([shape_a.add_to(store), shape_b.add_to(store)], _numpy.uint32),
    )
    _raise(int(found.status[0]), shape_a, shape_b)
    normal, point_a, point_b = (_numpy.asarray(column[0], _numpy.float64) for column in (found.normal, found.point_a, found.point_b))
    return PairDistance(float(found.signed_distance[0]), normal, position_a + point_a, position_a + point_b)


# Classes and functions say where they are imported from.
for _name in [name for name in dir() if not name.startswith("_")]:
    if getattr(globals()[_name], "__module__", "") == "abut._abut.d2":
        globals()[_name].__module__ = "abut.d2"
ShapeKind.__module__, ShapeKind.__qualname__, ShapeKind.__name__ = "abut.d2", "ShapeKind", "ShapeKind"
del _name

__all__ = [name for name in dir() if not name.startswith("_")]
