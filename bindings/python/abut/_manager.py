"""A collision manager with the method names of trimesh.collision.CollisionManager."""

import dataclasses
from typing import Any, Dict, List, Optional, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import BroadPhase, Error, ErrorCode, Frame, NarrowPhase, ShapeStore, Status, world_bounds
from ._shapes import Mesh, Shape, from_triangles, shape_of

EXTERNAL = "__external"

_Pairs = npt.NDArray[np.uint32]
_Names = Union[Set[str], Set[Tuple[str, str]]]


class ContactData:
    """A contact of two objects. ``names`` has both names; ``point`` (3,) and ``normal`` (3,) are in world space, ``depth`` in metres."""

    def __init__(self, names: Tuple[str, str], triangles: Tuple[Optional[int], Optional[int]], point: Any, normal: Any, depth: float) -> None:
        self.names = set(names)
        self.point, self.normal, self.depth = point, normal, depth
        self._triangles = dict(zip(names, triangles))

    def index(self, name: str) -> Optional[int]:
        """The face of the mesh of that name, or None of a convex hull, which has no faces of the mesh."""
        return self._triangles[name]

    def __repr__(self) -> str:
        return f"<abut.ContactData of {' and '.join(sorted(map(repr, self.names)))}: {self.depth:.6g} m deep>"


class DistanceData:
    """The distance of two objects, metres, negative where they overlap. ``names`` has both names."""

    def __init__(self, names: Tuple[str, str], points: Tuple[Any, Any], distance: float) -> None:
        self.names = set(names)
        self.distance = distance
        self._points = dict(zip(names, points))

    def point(self, name: str) -> npt.NDArray[np.float64]:
        """The nearest point on the object of that name, (3,), in world space."""
        found: npt.NDArray[np.float64] = self._points[name]
        return found

    def index(self, name: str) -> Optional[int]:
        """None: of distances the library does not tell the face. ContactData does. KeyError where no object of the pair has that name."""
        self._points[name]
        return None

    def __repr__(self) -> str:
        return f"<abut.DistanceData of {' and '.join(sorted(map(repr, self.names)))}: {self.distance:.6g} m>"


@dataclasses.dataclass
class _Object:
    shape: Shape
    id: int
    transform: npt.NDArray[np.float64]


class _Group:
    """Objects of one store as columns, which queries read in place."""

    def __init__(self, names: List[str], objects: List[_Object]) -> None:
        self.names, self.objects = names, objects
        self.at = {name: i for i, name in enumerate(names)}
        self._shapes = np.array([o.id for o in objects], np.uint32)
        matrices = np.array([o.transform for o in objects]).reshape(-1, 4, 4)
        self.origins = matrices[:, :3, 3].copy()
        self._by_column = matrices.transpose(0, 2, 1).astype(np.float32, order="C")
        self._bounds: Optional[npt.NDArray[np.float32]] = None

    def move(self, name: str, matrix: npt.NDArray[np.float64]) -> None:
        at = self.at[name]
        self.origins[at], self._by_column[at], self._bounds = matrix[:3, 3], matrix.T, None

    def with_guests(self, guests: "_Group", store: ShapeStore) -> "_Group":
        """A new group; the guests' indices follow the own ones, also of equal names."""
        both = object.__new__(_Group)
        both.names, both.objects, both.at = self.names + guests.names, self.objects + guests.objects, {}
        both._shapes = np.concatenate([self._shapes, guests._shapes])
        both.origins = np.concatenate([self.origins, guests.origins])
        both._by_column = np.concatenate([self._by_column, guests._by_column])
        both._bounds = np.concatenate([self.bounds(store), guests.bounds(store)])
        return both

    def frame(self, store: ShapeStore, pairs: _Pairs) -> Frame:
        return Frame(store, None, pairs, **self._columns())

    def bounds(self, store: ShapeStore) -> npt.NDArray[np.float32]:
        if self._bounds is None:
            self._bounds = world_bounds(store, None, **self._columns())
        return self._bounds

    def _columns(self) -> Dict[str, Any]:
        return {"shapes": self._shapes, "positions": self.origins, "transforms": self._by_column.transpose(0, 2, 1)}


_PROBE = ShapeStore()
_PROBES = np.array([_PROBE.add_sphere(1.0)], np.uint32)


def _checked(transform: Optional[npt.ArrayLike], name: str) -> npt.NDArray[np.float64]:
    """A pose that queries take: a broad phase leaves out bodies without one."""
    matrix = np.array(np.eye(4) if transform is None else transform, np.float64)
    if matrix.shape != (4, 4):
        raise ValueError(f"{name!r}: transform: shape {matrix.shape}; it must be (4, 4)")
    low, high = world_bounds(_PROBE, None, shapes=_PROBES, positions=matrix[None, :3, 3].copy(), transforms=matrix[None])[0].tolist()
    x, y, z, w = matrix[3].tolist()
    if not low[0] <= high[0] or not max(abs(x), abs(y), abs(z), abs(w - 1)) <= 1e-6:
        raise ValueError(f"{name!r}: its transform is no rigid pose: not finite, scaled, mirrored or sheared")
    return matrix


class CollisionManager:
    """Objects by name, asked for collisions and distances, with the methods of ``trimesh.collision.CollisionManager``.

    A mesh is an object like trimesh.Trimesh (``vertices``, ``faces``) or a Shape. A convex mesh becomes its hull, another one keeps its triangles
    (from_trimesh). Transforms are rigid poses, matrices (4, 4), metres; another one is a ValueError that names the object.
    A convex object is solid; of another mesh the surface counts, from both sides.
    A pair without an answer is an ``Error`` with the code ``unsupported``. Calls of one manager belong in one thread.

    >>> manager = abut.CollisionManager()
    >>> manager.add_object("floor", abut.Box([5, 0.25, 5]))
    >>> manager.add_object("ball", abut.Sphere(0.5), [[1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> manager.min_distance_internal(return_names=True)
    (0.25, ('ball', 'floor'))
    """

    def __init__(self) -> None:
        self._store = ShapeStore(share_equal=True)
        self._objects: Dict[str, _Object] = {}
        self._known: Optional[_Group] = None  # of these objects
        self._narrow, self._broad = NarrowPhase(speculative_margin=0), BroadPhase()

    def __len__(self) -> int:
        return len(self._objects)

    def __contains__(self, name: str) -> bool:
        return name in self._objects

    def __repr__(self) -> str:
        return f"<abut.CollisionManager of {len(self)} objects>"

    def add_object(self, name: str, mesh: Any, transform: Optional[npt.ArrayLike] = None) -> None:
        """Adds an object, or replaces the one of that name."""
        shape, matrix = shape_of(mesh), _checked(transform, name)
        made = _Object(shape, shape.add_to(self._store), matrix)
        if name in self._objects:
            self.remove_object(name)
        self._objects[name], self._known = made, None

    def remove_object(self, name: str) -> None:
        """Removes an object. ValueError where none has that name."""
        self._store.remove(self._find(name).id)
        del self._objects[name]
        self._known = None
        self._store.forget_removed()

    def set_transform(self, name: str, transform: npt.ArrayLike) -> None:
        """Moves an object. ValueError where none has that name."""
        moved = self._find(name)
        moved.transform = _checked(transform, name)
        if self._known is not None:
            self._known.move(name, moved.transform)

    def in_collision_single(
        self, mesh: Any, transform: Optional[npt.ArrayLike] = None, return_names: bool = False, return_data: bool = False
    ) -> Union[bool, Tuple[Any, ...]]:
        """Whether a mesh collides with any object: bool; then the set of their names, and the list of ContactData, where asked for.

        In ContactData the mesh is called "__external".
        """
        with _Guest(self, {EXTERNAL: (mesh, _checked(transform, EXTERNAL))}) as group:
            return self._collide(group, self._candidates_with_guests(group), return_names, return_data, single=True)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Union[bool, Tuple[Any, ...]]:
        """Whether any two objects collide: bool; then the set of pairs of names, each sorted, and the list of ContactData, where asked for."""
        group = self._group()
        pairs = self._broad.find_pairs(group.bounds(self._store)).pairs if group.names else np.empty((0, 2), np.uint32)
        return self._collide(group, pairs, return_names, return_data, is_sorted=True)

    def in_collision_other(self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False) -> Union[bool, Tuple[Any, ...]]:
        """Whether any object collides with one of another manager: bool; then the set of (own name, other's name), and the list of ContactData."""
        with _Guest(self, other_manager._guests()) as group:
            return self._collide(group, self._candidates_with_guests(group), return_names, return_data)

    def min_distance_single(
        self, mesh: Any, transform: Optional[npt.ArrayLike] = None, return_name: bool = False, return_data: bool = False
    ) -> Union[float, Tuple[Any, ...]]:
        """The least distance of a mesh from any object, metres; then the name of the nearest, and its DistanceData, where asked for."""
        with _Guest(self, {EXTERNAL: (mesh, _checked(transform, EXTERNAL))}) as group:
            return self._nearest(group, self._pairs_with_guests(group), return_name, return_data, single=True)

    def min_distance_internal(self, name: Optional[str] = None, return_names: bool = False, return_data: bool = False) -> Union[float, Tuple[Any, ...]]:
        """The least distance of any two objects, metres; then their names, sorted, and DistanceData, where asked for. name: of this object's pairs only."""
        group = self._group()
        first, second = np.triu_indices(len(group.names), 1)
        if name is not None:
            self._find(name)
            at = group.at[name]
            is_its_own = (first == at) | (second == at)
            first, second = first[is_its_own], second[is_its_own]
        return self._nearest(group, np.stack([first, second], 1).astype(np.uint32), return_names, return_data, is_sorted=True)

    def min_distance_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Union[float, Tuple[Any, ...]]:
        """The least distance of any object from one of another manager, metres; then (own name, other's name), and DistanceData, where asked for."""
        with _Guest(self, other_manager._guests()) as group:
            return self._nearest(group, self._pairs_with_guests(group), return_names, return_data)

    def _find(self, name: str) -> _Object:
        if name not in self._objects:
            raise ValueError(f"no object is called {name!r}")
        return self._objects[name]

    def _group(self) -> _Group:
        if self._known is None:
            self._known = _Group(list(self._objects), list(self._objects.values()))
        return self._known

    def _guests(self) -> Dict[str, Tuple[Any, npt.NDArray[np.float64]]]:
        return {name: (o.shape, o.transform) for name, o in self._objects.items()}

    def _candidates_with_guests(self, group: _Group) -> _Pairs:
        own = len(self._objects)
        if own in (0, len(group.names)):
            return np.empty((0, 2), np.uint32)
        bounds = group.bounds(self._store)
        pairs = self._broad.find_pairs_of_sets(bounds[:own], bounds[own:]).pairs.copy()
        pairs[:, 1] += own
        return pairs

    def _pairs_with_guests(self, group: _Group) -> _Pairs:
        own = len(self._objects)
        first, second = np.meshgrid(np.arange(own, dtype=np.uint32), np.arange(own, len(group.names), dtype=np.uint32), indexing="ij")
        pairs: _Pairs = np.stack([first.ravel(), second.ravel()], 1)
        return pairs

    def _check(self, group: _Group, pairs: _Pairs, status: npt.NDArray[np.uint8]) -> None:
        bad = np.flatnonzero(status > Status.not_converged)
        if not len(bad):
            return
        a, b = pairs[bad[0]]
        what = f"{group.names[a]!r} and {group.names[b]!r}"
        both = isinstance(group.objects[a].shape, Mesh) and isinstance(group.objects[b].shape, Mesh)
        why = "both are meshes that are not convex; abut.from_trimesh(mesh, convex=True) makes the hull of one" if both else "their kinds have no answer"
        raise Error(f"{what}: {Status(status[bad[0]]).name}; {why}", ErrorCode.unsupported)

    def _collide(
        self, group: _Group, pairs: _Pairs, return_names: bool, return_data: bool, single: bool = False, is_sorted: bool = False
    ) -> Union[bool, Tuple[Any, ...]]:
        found = self._narrow.overlap(group.frame(self._store, pairs))
        self._check(group, pairs, found.status)
        hits = pairs[found.hits]
        names = [(group.names[a], group.names[b]) for a, b in hits.tolist()]
        result: List[Any] = [len(hits) > 0]
        if return_names:
            result.append({a for a, _ in names} if single else {tuple(sorted(pair)) for pair in names} if is_sorted else set(names))
        if return_data:
            result.append(self._contacts(group, hits, names))
        return tuple(result) if len(result) > 1 else bool(result[0])

    def _contacts(self, group: _Group, pairs: _Pairs, names: List[Tuple[str, str]]) -> List[ContactData]:
        frame = group.frame(self._store, pairs)
        m, d = self._narrow.collide(frame), self._narrow.distance(frame)
        origins = group.origins[pairs[:, 0]]
        contacts: List[ContactData] = []
        for i, pair in enumerate(names):
            is_mesh = [isinstance(group.objects[body].shape, Mesh) for body in pairs[i].tolist()]
            before = len(contacts)
            for manifold in m.manifolds[m.first_manifold[i] : m.first_manifold[i + 1]]:
                at = int(manifold["first_contact"])
                for k in range(at, at + int(manifold["contact_count"])):
                    point = origins[i] + m.contacts["position"][k]
                    triangle = int(m.triangles[k])
                    on = tuple(triangle if is_one else None for is_one in is_mesh)
                    depth = -float(m.contacts["separation"][k])
                    contacts.append(ContactData(pair, (on[0], on[1]), point, manifold["normal"].astype(np.float64), max(depth, 0.0)))
            if len(contacts) == before:  # none of its own, as two meshes: the deepest points
                point = origins[i] + 0.5 * (d.point_a[i].astype(np.float64) + d.point_b[i])
                contacts.append(ContactData(pair, (None, None), point, d.normal[i].astype(np.float64), max(-float(d.signed_distance[i]), 0.0)))
        return contacts

    def _nearest(
        self, group: _Group, pairs: _Pairs, return_names: bool, return_data: bool, single: bool = False, is_sorted: bool = False
    ) -> Union[float, Tuple[Any, ...]]:
        if not len(pairs):
            raise ValueError("there are no two objects to measure")
        # Boxes first: a pair whose boxes are farther apart than a pair that was measured is not the nearest.
        bounds = group.bounds(self._store).astype(np.float64)
        a, b = bounds[pairs[:, 0]], bounds[pairs[:, 1]]
        gaps = np.linalg.norm(np.maximum(0, np.maximum(a[:, 0] - b[:, 1], b[:, 0] - a[:, 1])), axis=1)
        gaps = np.where(np.isnan(gaps), 0, gaps)
        # Overlaps next, which are found sooner than distances: if there is one, pairs that are apart do not count.
        touching = pairs[gaps == 0]
        found = self._narrow.overlap(group.frame(self._store, touching))
        self._check(group, touching, found.status)
        if len(found.hits):
            pairs, limit = touching[found.hits], np.inf
        else:
            first = int(gaps.argmin())
            one = self._narrow.distance(group.frame(self._store, pairs[first : first + 1]))
            self._check(group, pairs[first : first + 1], one.status)
            limit = max(float(one.signed_distance[0]), 0.0) * (1 + 1e-6)
            pairs = pairs[gaps <= limit]
        d = self._narrow.distance(group.frame(self._store, pairs), max_distance=limit)
        self._check(group, pairs, d.status)
        at = int(d.signed_distance.argmin())
        distance, names = float(d.signed_distance[at]), (group.names[pairs[at, 0]], group.names[pairs[at, 1]])
        result: List[Any] = [distance]
        if return_names:
            result.append(names[0] if single else tuple(sorted(names)) if is_sorted else names)
        if return_data:
            origin = group.origins[pairs[at, 0]]
            result.append(DistanceData(names, (origin + d.point_a[at], origin + d.point_b[at]), distance))
        return tuple(result) if len(result) > 1 else distance


def scene_to_collision(scene: Any) -> Tuple[CollisionManager, Dict[str, Shape]]:
    """A manager of the meshes of a trimesh.Scene, by the names of their nodes, and their shapes; as trimesh.collision.scene_to_collision.

    Read are ``scene.graph.nodes_geometry``, ``scene.graph[name]`` and ``scene.geometry``. A node that scales or mirrors its mesh has a shape of its own;
    other nodes of one geometry share one.
    """
    manager, shapes = CollisionManager(), {}
    cooked: Dict[str, Shape] = {}
    for name in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[name]
        matrix, mesh = np.array(transform, np.float64), scene.geometry[geometry]
        linear = matrix[:3, :3]
        if np.abs(linear.T @ linear - np.eye(3)).max() < 1e-3 and np.linalg.det(linear) > 0:
            if geometry not in cooked:
                cooked[geometry] = shape_of(mesh)
            shapes[name] = cooked[geometry]
        else:
            faces = np.asarray(mesh.faces)
            faces = faces[:, ::-1] if np.linalg.det(linear) < 0 else faces
            shapes[name] = from_triangles(np.asarray(mesh.vertices, np.float64) @ linear.T, faces)
            matrix[:3, :3] = np.eye(3)
        manager.add_object(name, shapes[name], matrix)
    return manager, shapes


class _Guest:
    """Objects that are in a manager's store for one call, after its own."""

    def __init__(self, manager: CollisionManager, guests: Dict[str, Tuple[Any, npt.NDArray[np.float64]]]) -> None:
        self._manager, self._guests = manager, guests
        self._ids: List[int] = []

    def __enter__(self) -> _Group:
        objects = []
        try:
            for mesh, transform in self._guests.values():
                shape = shape_of(mesh)
                self._ids.append(shape.add_to(self._manager._store))
                objects.append(_Object(shape, self._ids[-1], transform))
            return self._manager._group().with_guests(_Group(list(self._guests), objects), self._manager._store)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: Any) -> None:
        for shape in self._ids:
            self._manager._store.remove(shape)
        self._manager._store.forget_removed()
