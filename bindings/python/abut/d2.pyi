# Types of abut.d2; the docstrings are in the package itself.
import enum
from typing import Any, Dict, Optional, Sequence, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from . import (
    AnyOverlaps as AnyOverlaps,
    BroadPhase as BroadPhase,
    CarriedBy as CarriedBy,
    Counters as Counters,
    Error as Error,
    ErrorCode as ErrorCode,
    Overlaps as Overlaps,
    PairDistance as PairDistance,
    PairList as PairList,
    Status as Status,
    WarmTable as WarmTable,
    impulse_dtype as impulse_dtype,
    match_pairs as match_pairs,
)

body_dtype: np.dtype[np.void]
contact_dtype: np.dtype[np.void]
manifold_dtype: np.dtype[np.void]

_Records = npt.NDArray[np.void]
_Floats = npt.NDArray[np.float32]
_Uints = npt.NDArray[np.uint32]
_Bytes = npt.NDArray[np.uint8]
_Vec2 = Union[Sequence[float], npt.NDArray[Any]]
_Scale = Union[float, _Vec2]
# (position,) or (position, angle)
_Pose = Union[Tuple[_Vec2], Tuple[_Vec2, float]]
_Child = Union[Tuple[int], Tuple[int, _Vec2], Tuple[int, _Vec2, float]]

class ShapeKind(enum.IntEnum):
    circle = 0
    capsule = 1
    box = 2
    polygon4 = 3
    polygon8 = 4
    polygon = 5
    halfplane = 6
    chain = 7
    compound = 8
    none = 15

class ShapeView:
    @property
    def kind(self) -> ShapeKind: ...
    @property
    def rounding(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def size(self) -> float: ...
    @property
    def bounds_min(self) -> Tuple[float, float]: ...
    @property
    def bounds_max(self) -> Tuple[float, float]: ...
    @property
    def corners(self) -> int: ...
    @property
    def children(self) -> int: ...

class MassProperties:
    @property
    def mass(self) -> float: ...
    @property
    def centre(self) -> Tuple[float, float]: ...
    @property
    def inertia(self) -> float: ...

class ShapeStore:
    def __init__(self) -> None: ...
    def add_circle(self, radius: float, *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_capsule(self, radius: float, half_height: float, *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_segment(self, start: _Vec2, end: _Vec2, radius: float = ..., *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_box(self, half_extents: _Vec2, *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_polygon(self, points: npt.ArrayLike, *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_halfplane(self, normal: _Vec2, offset: float = ..., *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_chain(self, points: npt.ArrayLike, loop: bool = ..., *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_compound(self, children: Sequence[_Child], *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def add_instance(self, original: int, *, rounding: float = ..., scale: _Scale = ..., pose: Optional[_Pose] = ...) -> int: ...
    def remove(self, shape: int) -> bool: ...
    def __contains__(self, shape: int) -> bool: ...
    def __len__(self) -> int: ...
    def view(self, shape: int) -> ShapeView: ...
    def corners(self, shape: int) -> _Floats: ...
    def compound_children(self, shape: int) -> _Records: ...

class Distances:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def signed_distance(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def point_a(self) -> _Floats: ...
    @property
    def point_b(self) -> _Floats: ...
    @property
    def status(self) -> _Bytes: ...

class Manifolds:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def first_manifold(self) -> _Uints: ...
    @property
    def manifolds(self) -> _Records: ...
    @property
    def status(self) -> _Bytes: ...

class Casts:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def bits(self) -> _Uints: ...
    @property
    def hits(self) -> _Uints: ...
    @property
    def hit(self) -> npt.NDArray[np.bool_]: ...
    @property
    def time(self) -> npt.NDArray[np.float64]: ...
    @property
    def signed_distance(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def point_a(self) -> _Floats: ...
    @property
    def point_b(self) -> _Floats: ...
    @property
    def child_a(self) -> _Uints: ...
    @property
    def child_b(self) -> _Uints: ...
    @property
    def status(self) -> _Bytes: ...

class RayHits:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def bits(self) -> _Uints: ...
    @property
    def hits(self) -> _Uints: ...
    @property
    def hit(self) -> npt.NDArray[np.bool_]: ...
    @property
    def fraction(self) -> npt.NDArray[np.float64]: ...
    @property
    def point(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def child(self) -> _Uints: ...
    @property
    def inside(self) -> _Bytes: ...
    @property
    def status(self) -> _Bytes: ...

class PointDistances:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def signed_distance(self) -> _Floats: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def nearest(self) -> _Floats: ...
    @property
    def child(self) -> _Uints: ...
    @property
    def status(self) -> _Bytes: ...

class LeastDistances:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def signed_distance(self) -> _Floats: ...
    @property
    def pair(self) -> _Uints: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def point_a(self) -> _Floats: ...
    @property
    def point_b(self) -> _Floats: ...
    @property
    def unanswered(self) -> _Uints: ...

class Configurations:
    def __init__(
        self,
        store: ShapeStore,
        bodies: npt.ArrayLike,
        pairs: npt.ArrayLike,
        *,
        positions: npt.ArrayLike,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        obstacles: Optional[_Records] = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def pair_count(self) -> int: ...

class Frame:
    def __init__(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def body_count(self) -> int: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def arrays(self) -> Dict[str, npt.NDArray[Any]]: ...
    def world_points(self, pairs: npt.ArrayLike, points: npt.ArrayLike) -> npt.NDArray[np.float64]: ...

class NarrowPhase:
    def __init__(
        self, *, speculative_margin: float = ..., contact_slack: float = ..., threads: int = ..., isa: str = ..., max_child_pairs: int = ...
    ) -> None: ...
    @overload
    def overlap(
        self,
        frame: Frame,
        *,
        out: Optional[Overlaps] = ...,
    ) -> Overlaps: ...
    @overload
    def overlap(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        out: Optional[Overlaps] = ...,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> Overlaps: ...
    @overload
    def distance(
        self,
        frame: Frame,
        *,
        max_distance: Optional[float] = ...,
        max_distances: Optional[npt.ArrayLike] = ...,
        separation_only: bool = ...,
        out: Optional[Distances] = ...,
    ) -> Distances: ...
    @overload
    def distance(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        max_distance: Optional[float] = ...,
        max_distances: Optional[npt.ArrayLike] = ...,
        separation_only: bool = ...,
        out: Optional[Distances] = ...,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> Distances: ...
    @overload
    def collide(
        self,
        frame: Frame,
        *,
        out: Optional[Manifolds] = ...,
    ) -> Manifolds: ...
    @overload
    def collide(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        out: Optional[Manifolds] = ...,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> Manifolds: ...
    @overload
    def cast(
        self,
        frame: Frame,
        *,
        ends: _Records,
        centers: Optional[npt.ArrayLike] = ...,
        target: float = ...,
        targets: Optional[npt.ArrayLike] = ...,
        latest: Optional[npt.ArrayLike] = ...,
        tolerance: float = ...,
        start: str = ...,
        reduction: str = ...,
        out: Optional[Casts] = ...,
    ) -> Casts: ...
    @overload
    def cast(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        ends: _Records,
        centers: Optional[npt.ArrayLike] = ...,
        target: float = ...,
        targets: Optional[npt.ArrayLike] = ...,
        latest: Optional[npt.ArrayLike] = ...,
        tolerance: float = ...,
        start: str = ...,
        reduction: str = ...,
        out: Optional[Casts] = ...,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> Casts: ...
    @overload
    def raycast(
        self,
        frame: Frame,
        *,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        lengths: Optional[npt.ArrayLike] = ...,
        reduction: str = ...,
        out: Optional[RayHits] = ...,
    ) -> RayHits: ...
    @overload
    def raycast(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        lengths: Optional[npt.ArrayLike] = ...,
        reduction: str = ...,
        out: Optional[RayHits] = ...,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> RayHits: ...
    @overload
    def measure(
        self,
        frame: Frame,
        *,
        points: npt.ArrayLike,
        max_distance: float = ...,
        out: Optional[PointDistances] = ...,
    ) -> PointDistances: ...
    @overload
    def measure(
        self,
        store: ShapeStore,
        bodies: Optional[_Records] = ...,
        pairs: npt.ArrayLike = ...,
        *,
        points: npt.ArrayLike,
        max_distance: float = ...,
        out: Optional[PointDistances] = ...,
        positions: Optional[npt.ArrayLike] = ...,
        shapes: Optional[npt.ArrayLike] = ...,
        rotations: Optional[npt.ArrayLike] = ...,
        angles: Optional[npt.ArrayLike] = ...,
        margins: Optional[npt.ArrayLike] = ...,
    ) -> PointDistances: ...
    def any_overlap(self, all: Configurations, *, out: Optional[AnyOverlaps] = ...) -> AnyOverlaps: ...
    def least_distance(self, all: Configurations, *, max_distance: float = ..., out: Optional[LeastDistances] = ...) -> LeastDistances: ...
    @property
    def counters(self) -> Counters: ...
    @property
    def isa(self) -> str: ...
    @property
    def threads(self) -> int: ...

class Shape:
    def __init__(self, *arguments: Any, **options: Any) -> None: ...
    def add_to(self, store: ShapeStore) -> int: ...

class Circle(Shape): ...
class Capsule(Shape): ...
class Segment(Shape): ...
class Box(Shape): ...
class Polygon(Shape): ...
class HalfPlane(Shape): ...
class Chain(Shape): ...

def make_bodies(*, positions: npt.ArrayLike, shapes: npt.ArrayLike, angles: npt.ArrayLike = ...) -> _Records: ...
def mass_properties(store: ShapeStore, shape: int, density: float = ...) -> MassProperties: ...
def rotations_of(angles: npt.ArrayLike) -> _Floats: ...
def world_bounds(
    store: ShapeStore,
    bodies: Optional[_Records] = ...,
    *,
    positions: Optional[npt.ArrayLike] = ...,
    shapes: Optional[npt.ArrayLike] = ...,
    rotations: Optional[npt.ArrayLike] = ...,
    angles: Optional[npt.ArrayLike] = ...,
    origin: Optional[_Vec2] = ...,
    out: Optional[_Floats] = ...,
) -> _Floats: ...
def swept_bounds(
    store: ShapeStore,
    bodies: Optional[_Records] = ...,
    *,
    ends: _Records,
    centers: Optional[npt.ArrayLike] = ...,
    positions: Optional[npt.ArrayLike] = ...,
    shapes: Optional[npt.ArrayLike] = ...,
    rotations: Optional[npt.ArrayLike] = ...,
    angles: Optional[npt.ArrayLike] = ...,
    origin: Optional[_Vec2] = ...,
    out: Optional[_Floats] = ...,
) -> _Floats: ...

_PairPose = Union[None, npt.ArrayLike, Tuple[npt.ArrayLike, float]]

def distance_between(shape_a: Shape, pose_a: _PairPose, shape_b: Shape, pose_b: _PairPose = ...) -> PairDistance: ...
