"""Descriptions of shapes, which stand alone: what distance_between, CollisionManager and abut.urdf take, and what any store adds."""

import dataclasses
from typing import Any, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import CookedHull, CookedMesh, ShapeStore, cook_hull, cook_mesh, mass_properties

_Vec3 = Union[Sequence[float], npt.NDArray[Any]]


def _three(values: _Vec3, name: str) -> Tuple[float, float, float]:
    array = np.asarray(values, np.float64)
    if array.shape != (3,):
        raise ValueError(f"{name}: shape {array.shape}; three numbers are needed")
    x, y, z = array.tolist()
    return x, y, z


@dataclasses.dataclass(frozen=True)
class Shape:
    """A shape without a store: Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid, Halfspace, Hull or Mesh.

    Lengths are metres. ``rounding`` sweeps the shape by a sphere of this radius. A store checks the lengths when it adds the shape.
    """

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Sphere(Shape):
    """A sphere about the origin."""

    radius: float
    rounding: float = 0.0

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_sphere(self.radius, rounding=self.rounding)


@dataclasses.dataclass(frozen=True)
class Capsule(Shape):
    """A capsule along local Y. ``half_height`` is half the segment, without the caps."""

    radius: float
    half_height: float
    rounding: float = 0.0

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_capsule(self.radius, self.half_height, rounding=self.rounding)


@dataclasses.dataclass(frozen=True)
class Box(Shape):
    """A box about the origin. ``half_extents``: three numbers."""

    half_extents: Tuple[float, float, float]
    rounding: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "half_extents", _three(self.half_extents, "half_extents"))

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_box(self.half_extents, rounding=self.rounding)


@dataclasses.dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder along local Y."""

    radius: float
    half_height: float
    rounding: float = 0.0

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_cylinder(self.radius, self.half_height, rounding=self.rounding)


@dataclasses.dataclass(frozen=True)
class Cone(Shape):
    """A cone: the apex at +half_height on local Y, the base at -half_height."""

    radius: float
    half_height: float
    rounding: float = 0.0

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_cone(self.radius, self.half_height, rounding=self.rounding)


@dataclasses.dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid about the origin. ``radii``: three numbers above 0."""

    radii: Tuple[float, float, float]
    rounding: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "radii", _three(self.radii, "radii"))

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_ellipsoid(self.radii, rounding=self.rounding)


@dataclasses.dataclass(frozen=True)
class Halfspace(Shape):
    """Solid where normal . x <= offset, in the local frame."""

    normal: Tuple[float, float, float]
    offset: float = 0.0
    rounding: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", _three(self.normal, "normal"))

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_halfspace(self.normal, self.offset, rounding=self.rounding)


class Hull(Shape):
    """Hull(points, rounding=0.0, *, max_vertices=0, tolerance=0.0): the convex hull of points (n, 3), cooked once; or of a CookedHull."""

    cooked: CookedHull
    rounding: float

    def __init__(self, points: Union[npt.ArrayLike, CookedHull], rounding: float = 0.0, *, max_vertices: int = 0, tolerance: float = 0.0) -> None:
        cooked = points if isinstance(points, CookedHull) else cook_hull(points, max_vertices=max_vertices, tolerance=tolerance)
        object.__setattr__(self, "cooked", cooked)
        object.__setattr__(self, "rounding", rounding)

    def __repr__(self) -> str:
        return f"Hull(<{self.cooked.report.vertices} vertices>, rounding={self.rounding!r})"

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_hull(self.cooked, rounding=self.rounding)


class Mesh(Shape):
    """Mesh(vertices, triangles, rounding=0.0, *, both_sides=False): a surface of triangles (t, 3), counter-clockwise seen from the front, cooked once.

    vertices: (n, 3), or a CookedMesh in place of both. both_sides: bodies collide with the backs, too.
    """

    cooked: CookedMesh
    rounding: float

    def __init__(
        self,
        vertices: Union[npt.ArrayLike, CookedMesh],
        triangles: Union[None, npt.ArrayLike] = None,
        rounding: float = 0.0,
        *,
        both_sides: bool = False,
    ) -> None:
        if not isinstance(vertices, CookedMesh):
            if triangles is None:
                raise TypeError("Mesh: triangles are missing; a CookedMesh alone has its own")
            vertices = cook_mesh(vertices, triangles, both_sides=both_sides)
        elif triangles is not None or both_sides:
            raise TypeError("Mesh: triangles and both_sides are for vertices; this mesh is cooked")
        object.__setattr__(self, "cooked", vertices)
        object.__setattr__(self, "rounding", rounding)

    def __repr__(self) -> str:
        return f"Mesh(<{self.cooked.report.triangles} triangles>, rounding={self.rounding!r})"

    def add_to(self, store: ShapeStore) -> int:
        """Adds the shape to a store and returns its id."""
        return store.add_mesh(self.cooked, rounding=self.rounding)


def _volume(vertices: npt.NDArray[np.float64], triangles: npt.NDArray[Any]) -> float:
    corners = vertices[triangles] - vertices.mean(axis=0)
    return float(np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6


MOST_VERTICES = 4096  # of a hull


def _is_closed(cooked: CookedMesh) -> bool:
    report = cooked.report
    return not (report.open_edges or report.nonmanifold_edges or report.inconsistent_edges) and report.triangles > 0


def _is_convex(vertices: npt.NDArray[np.float64], triangles: npt.NDArray[Any], cooked: CookedMesh, hull: CookedHull) -> bool:
    """Whether a closed surface holds as much as its hull: to within a millionth, as cooking sees flat faces.

    A hull that had to be simplified holds less, by the surface times its deviation at most; then no edge may be concave.
    """
    report = cooked.report
    held = _volume(vertices, triangles)
    store = ShapeStore()
    volume = mass_properties(store, store.add_hull(hull)).volume
    if held <= 0 or volume <= 0:
        return False
    missing = 0.0
    if hull.report.deviation > 1e-6 * np.ptp(vertices, axis=0).max():
        if report.concave_edges:
            return False
        corners = vertices[triangles]
        area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
        missing = float(area) * hull.report.deviation
    return volume - 1e-6 * volume <= held <= volume + missing + 1e-6 * volume


def from_triangles(
    vertices: npt.NDArray[np.float64],
    triangles: npt.NDArray[Any],
    *,
    convex: Union[None, bool] = None,
    max_vertices: int = 0,
    rounding: float = 0.0,
) -> Union[Hull, Mesh]:
    """As from_trimesh, of arrays (n, 3) and (t, 3). Vertices of no triangle do not count, unless there are no triangles: points have a hull."""
    most = max_vertices or MOST_VERTICES
    points = vertices[np.unique(triangles)] if len(triangles) else vertices
    if convex or convex is None and not len(triangles):
        return Hull(points, rounding, max_vertices=most)
    cooked = cook_mesh(vertices, triangles, both_sides=True)
    if convex is None and _is_closed(cooked):
        hull = cook_hull(points, max_vertices=MOST_VERTICES)
        if _is_convex(vertices, triangles, cooked, hull):
            return Hull(hull if hull.report.vertices <= most else cook_hull(points, max_vertices=most), rounding)
    return Mesh(cooked, rounding=rounding)


def from_trimesh(mesh: Any, *, convex: Union[None, bool] = None, max_vertices: int = 0, rounding: float = 0.0) -> Union[Hull, Mesh]:
    """The Hull of a mesh that is convex, or a Mesh with both sides. trimesh need not be installed: ``mesh.vertices`` (n, 3) and ``mesh.faces`` (t, 3) are read.

    convex: True takes the convex hull of any mesh, False keeps the triangles of any. None: the hull if the surface is closed and holds its hull's
    volume to within a millionth. max_vertices: of the hull; 0: 4,096, the most that one has. Vertices of no face do not count. A hull of fewer vertices than
    the mesh's own says what it leaves out: ``cooked.report.deviation``, metres.

    >>> import types
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    >>> faces = [[q[0], q[i], q[i + 1]] for q in sides for i in (1, 2)]
    >>> abut.from_trimesh(types.SimpleNamespace(vertices=corners, faces=faces))
    Hull(<8 vertices>, rounding=0.0)
    """
    for name in ("vertices", "faces"):
        if not hasattr(mesh, name):
            raise TypeError(f"mesh: {type(mesh).__name__} has no {name}; an object like trimesh.Trimesh is needed")
    return from_triangles(np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces), convex=convex, max_vertices=max_vertices, rounding=rounding)


def shape_of(thing: Any) -> Shape:
    """A description as it is; of an object like trimesh.Trimesh from_trimesh()."""
    return thing if isinstance(thing, Shape) else from_trimesh(thing)
