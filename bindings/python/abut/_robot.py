"""Robots: trees of links with collision bodies, in many configurations at once."""

import collections.abc
import dataclasses
import os
import warnings
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import Configurations, ShapeStore, _JointTree, body_dtype, has_captures
from ._description import DescriptionWarning
from ._joints import BASE_FRAME, WORLD_FRAME, Joint, JointStep, matrices_of, motion_of, pose_rows, steps_of, unit
from ._pair import matrix_of
from ._robot_page import write_robot_page
from ._shapes import Shape, shape_of

_Floats = npt.NDArray[np.float64]
Obstacles = Union[Sequence[Tuple[Any, Any]], Mapping[str, Tuple[Any, Any]]]
_Values = Union[npt.ArrayLike, Mapping[str, npt.ArrayLike]]


@dataclasses.dataclass(frozen=True)
class Body:
    """A collision element: its shape, the index of its link, and its pose (4, 4) in the link's frame."""

    link: int
    shape: Shape
    origin: _Floats


class DisabledPair(Tuple[str, str]):
    """Names of two links that are not checked against each other, and why: ``reason``, as SRDF has it. ``source`` is where it stands."""

    reason: str
    source: str

    def __new__(cls, a: str, b: str, reason: str = "", source: str = "disabled") -> "DisabledPair":
        made = super().__new__(cls, (a, b))  # type: ignore[arg-type]
        made.reason, made.source = reason, source
        return made

    def __getnewargs__(self) -> Tuple[str, str, str, str]:
        return (*self, self.reason, self.source)


class Robot:
    """A tree of links with collision bodies. ``links`` and ``joint_names`` are lists of names; ``bodies`` of Body; ``joints`` of Joint, parents first.

    ``joint_names`` are the values of the joints, in the order of the file: the names of joints with one value of their own, and Joint.values of those with
    several. ``lower`` and ``upper`` are their limits, radians and metres. ``root`` is the link that no joint moves; a robot of several pieces has several
    such, ``roots``, all at the base. ``warnings``: what load() found irregular.
    """

    def __init__(
        self, name: str, links: List[str], joints: List[Joint], bodies: List[Body], warnings: Sequence[str] = (), touching: Iterable[Tuple[str, str]] = ()
    ) -> None:
        self.name, self.links, self.bodies, self.warnings = name, links, bodies, list(warnings)
        self._tree: Optional[Tuple[Tuple[Any, ...], _JointTree]] = None
        self._touching = list(touching)  # joined by joints that close a loop, which are not in the tree
        self._link = {link: i for i, link in enumerate(links)}
        if len(self._link) != len(links):
            raise ValueError("two links have one name")
        by_name = {joint.name: joint for joint in joints}
        if len(by_name) != len(joints):
            raise ValueError("two joints have one name")
        self.joint_names = [value for joint in joints for value in joint.values]
        own = [joint for joint in joints for _ in joint.values]
        self.lower, self.upper = np.array([joint.lower for joint in own]), np.array([joint.upper for joint in own])
        self.joints = self._sorted(joints)
        for joint in joints:
            if joint.mimic is not None and joint.mimic not in self.joint_names:
                raise ValueError(f"joint {joint.name!r}: it mimics {joint.mimic!r}, which has no value of its own")

    def __repr__(self) -> str:
        return f"<abut.urdf.Robot {self.name!r}: {len(self.links)} links, {len(self.joint_names)} joints, {len(self.bodies)} bodies>"

    def _sorted(self, joints: List[Joint]) -> List[Joint]:
        """Parents first. Errors where the links are no tree."""
        joint_to: Dict[str, Joint] = {}
        for joint in joints:
            for link in (joint.parent, joint.child):
                if link not in self._link:
                    raise ValueError(f"joint {joint.name!r}: there is no link {link!r}")
            if joint.child in joint_to:
                raise ValueError(f"link {joint.child!r}: it is the child of two joints, {joint_to[joint.child].name!r} and {joint.name!r}")
            joint_to[joint.child] = joint
        self.roots = [link for link in self.links if link not in joint_to]
        if not self.roots:
            raise ValueError("the joints have a cycle: no link is the root" if self.links else "the robot has no links")
        self.root = self.roots[0]
        children: Dict[str, List[Joint]] = {}
        for joint in joints:
            children.setdefault(joint.parent, []).append(joint)
        ordered, open_links = [], list(self.roots)
        while open_links:
            found = children.get(open_links.pop(0), [])
            ordered += found
            open_links += [joint.child for joint in found]
        if len(ordered) != len(joints):
            cycle = sorted(set(joint.name for joint in joints) - set(joint.name for joint in ordered))
            raise ValueError(f"the joints have a cycle: {', '.join(cycle)}")
        return ordered

    def joint_values(self, q: _Values) -> _Floats:
        """(c, joints) float64, in the order of joint_names.

        q: an array (c, joints) or (joints,), or {name: (c,) or a number}, 0 for joints that are not named. Radians and metres.
        """
        count = len(self.joint_names)
        if isinstance(q, collections.abc.Mapping):
            unknown = set(q) - set(self.joint_names)
            if unknown:
                raise ValueError(f"q: no joint with a value of its own is called {sorted(unknown)[0]!r}")
            columns = [np.atleast_1d(np.asarray(q.get(name, 0.0), np.float64)) for name in self.joint_names]
            return np.stack(np.broadcast_arrays(*columns), 1) if columns else np.empty((1, 0))
        values = np.atleast_2d(np.asarray(q, np.float64))
        if values.ndim != 2 or values.shape[1] != count:
            raise ValueError(f"q: shape {np.shape(q)}; it must be (configurations, {count})")
        return values

    def _values_and_base(self, q: _Values, base: Optional[npt.ArrayLike]) -> Tuple[_Floats, _Floats]:
        values = self.joint_values(q)
        start = np.eye(4) if base is None else np.asarray(base, np.float64)
        if start.shape[-2:] != (4, 4) or start.ndim not in (2, 3) or start.ndim == 3 and len(start) not in (1, len(values)) and len(values) != 1:
            raise ValueError(f"base: shape {start.shape}; it must be (4, 4), or (configurations, 4, 4)")
        if start.ndim == 3 and len(values) == 1:
            values = np.broadcast_to(values, (len(start), values.shape[1]))
        return values, start

    def forward_kinematics(self, q: _Values, base: Optional[npt.ArrayLike] = None) -> _Floats:
        """Poses of all links, (c, links, 4, 4) float64, [row, column], metres. q: see joint_values. base: the pose (4, 4) of the root, or one for each
        configuration, (c, 4, 4)."""
        values, start = self._values_and_base(q, base)
        column = {name: i for i, name in enumerate(self.joint_names)}
        poses = np.empty((len(values), len(self.links), 4, 4))
        for root in self.roots:
            poses[:, self._link[root]] = start
        for joint in self.joints:
            pose = poses[:, self._link[joint.parent]] @ joint.origin
            if joint.mimic is not None:
                pose = pose @ motion_of(joint, joint.multiplier * values[:, [column[joint.mimic]]] + joint.offset)
            elif joint.values:
                pose = pose @ motion_of(joint, values[:, [column[value] for value in joint.values]])
            poses[:, self._link[joint.child]] = pose
        return poses

    def body_transforms(self, q: _Values, base: Optional[npt.ArrayLike] = None) -> _Floats:
        """Poses of all bodies, (c, bodies, 4, 4) float64, [row, column], metres."""
        poses = self.forward_kinematics(q, base)
        if not self.bodies:
            return np.empty((len(poses), 0, 4, 4))
        links: _Floats = poses[:, [body.link for body in self.bodies]]
        return links @ np.stack([body.origin for body in self.bodies])

    def body_poses(self, q: _Values, base: Optional[npt.ArrayLike] = None) -> Tuple[_Floats, npt.NDArray[np.float32]]:
        """The same as positions, (c, bodies, 3) float64, and orientations, (c, bodies, 4) float32, x, y, z, w: what Configurations takes. C++ computes
        eight configurations at once (abut/kinematics.hpp): 0.14 ms instead of 5.6 for 1,000 of an arm of ten joints."""
        values, start = self._values_and_base(q, base)
        positions, orientations = self._joint_tree().pose(values, pose_rows(start.reshape(-1, 4, 4)))
        return positions, orientations

    def _joint_tree(self) -> _JointTree:
        """Made once for these joints and bodies. Joints of several values become several, one after another."""
        parts = (*self.joints, *self.bodies)
        if self._tree is not None and list(map(id, self._tree[0])) == list(map(id, parts)):
            return self._tree[1]
        tree = _JointTree(*self._steps_and_links(), pose_rows(np.stack([body.origin for body in self.bodies]) if self.bodies else np.empty((0, 4, 4))))
        self._tree = parts, tree
        return tree

    def _steps_and_links(self) -> Tuple[List[JointStep], npt.NDArray[np.uint32]]:
        """The joints as _JointTree takes them, and of each body the joint that moves it."""
        column = {name: i for i, name in enumerate(self.joint_names)}
        frames: Dict[str, int] = {}
        made: List[JointStep] = []
        for joint in self.joints:
            pose, parent = pose_rows(joint.origin[None])[0], frames.get(joint.parent, BASE_FRAME)
            values = joint.values if joint.mimic is None else (joint.mimic,)
            by = (1.0, 0.0) if joint.mimic is None else (joint.multiplier, joint.offset)
            for kind, axis, which in steps_of(joint):
                made.append((kind, parent, column[values[which]] if values else 0, pose, axis, *by))
                parent, pose = len(made) - 1, pose_rows(np.eye(4)[None])[0]
            frames[joint.child] = parent
        return made, np.array([frames.get(self.links[body.link], BASE_FRAME) for body in self.bodies], np.uint32)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_tree": None}

    def self_collision_pairs(self, disabled: Iterable[Tuple[str, str]] = (), *, adjacent: bool = False) -> npt.NDArray[np.uint32]:
        """Pairs of bodies that may collide, (m, 2) uint32: indices of ``bodies``.

        Left out are bodies that do not move against each other (of one link, or of links that fixed joints join), bodies of a joint's two links (unless
        ``adjacent``), and ``disabled``: pairs of names of links, in any order, as disabled_pairs() reads them from an SRDF file.
        """
        rigid = self._rigid()
        out = set() if adjacent else self.adjacent_links()
        for pair in disabled:
            absent = [name for name in pair if name not in self._link]
            if absent:
                if not isinstance(pair, DisabledPair):
                    raise ValueError(f"disabled: there is no link {absent[0]!r}")
                warnings.warn(f"{pair.source}: robot {self.name!r} has no link {absent[0]!r}", DescriptionWarning, stacklevel=2)
            else:
                out.add((self._link[pair[0]], self._link[pair[1]]))
        out |= {(b, a) for a, b in out}
        links = [body.link for body in self.bodies]
        pairs = [
            (i, k)
            for k in range(len(links))
            for i in range(k)
            if rigid[links[i]] != rigid[links[k]] and (links[i], links[k]) not in out
        ]
        return np.array(sorted(pairs), np.uint32).reshape(-1, 2)

    def adjacent_links(self) -> Set[Tuple[int, int]]:
        """Pairs of links that a joint joins: indices, the lower one first."""
        joined = [*self._touching, *((joint.parent, joint.child) for joint in self.joints)]
        ends = [(self._link[a], self._link[b]) for a, b in joined]
        return {(min(a, b), max(a, b)) for a, b in ends}

    def _rigid(self) -> List[int]:
        """By link: the first of those that it does not move against."""
        rigid = list(range(len(self.links)))
        for root in self.roots:
            rigid[self._link[root]] = self._link[self.root]
        for joint in self.joints:
            if joint.kind == "fixed":
                rigid[self._link[joint.child]] = rigid[self._link[joint.parent]]
        return rigid

    def body_names(self) -> List[str]:
        """Of each body its link's name, with /2, /3 and so on for a link's further bodies."""
        seen: Dict[int, int] = {}
        names = []
        for body in self.bodies:
            seen[body.link] = seen.get(body.link, 0) + 1
            names.append(self.links[body.link] + (f"/{seen[body.link]}" if seen[body.link] > 1 else ""))
        return names

    def add_to(self, store: ShapeStore) -> npt.NDArray[np.uint32]:
        """Adds the shapes of all bodies to a store, a mesh that several bodies share once: their ids, (bodies,) uint32."""
        ids: Dict[int, int] = {}
        for body in self.bodies:
            if id(body.shape) not in ids:
                ids[id(body.shape)] = body.shape.add_to(store)
        return np.array([ids[id(body.shape)] for body in self.bodies], np.uint32)

    def configurations(
        self,
        store: ShapeStore,
        q: _Values,
        pairs: Optional[npt.ArrayLike] = None,
        *,
        shapes: Optional[npt.NDArray[np.uint32]] = None,
        base: Optional[npt.ArrayLike] = None,
        obstacles: Obstacles = (),
        others: Sequence[Tuple["Robot", _Values, Optional[npt.ArrayLike]]] = (),
    ) -> "RobotConfigurations":
        """The robot in many configurations, for NarrowPhase.distance_configurations and the like: with itself, and with what stands around it.

        pairs: of the robot's own bodies; None: self_collision_pairs(). shapes: what add_to(store) gave; None: the shapes are added.
        base: the pose of the root, (4, 4), or (c, 4, 4), one for each configuration.
        obstacles: (shape, pose) or {name: (shape, pose)}: a Shape, an object like trimesh.Trimesh, or the id of a shape of the store; the pose is None, a
        position, (position, quaternion) or a matrix (4, 4), in the world. Each is paired with each body of the robot; not with bodies that fixed joints
        join to the root, which do not move against it, unless ``base`` is one for each configuration.
        others: (robot, q, base) with as many configurations, or one. Their own pairs follow, and each body of one robot with each of another.
        """
        made = _Scene(store)
        made.add_robot(self, q, base, self.self_collision_pairs() if pairs is None else pairs, shapes)
        for other, values, other_base in others:
            made.add_robot(other, values, other_base, other.self_collision_pairs(), None)
        made.add_obstacles(obstacles)
        return made.configurations()

    def view(
        self,
        path: Union[str, "os.PathLike[str]"],
        q: Optional[_Values] = None,
        pairs: Optional[npt.ArrayLike] = None,
        *,
        base: Optional[npt.ArrayLike] = None,
        obstacles: Obstacles = (),
        store: Optional[ShapeStore] = None,
    ) -> None:
        """Writes a page for a browser that asks the network for nothing: sliders move the joints, and the page shows contacts and the nearest two bodies.

        q: the first configuration; None: 0, or the nearest limit. pairs, base and obstacles: see configurations(). store: of obstacles that are ids.
        """
        values = np.clip(0, self.lower, self.upper) if q is None else self.joint_values(q)[0]
        store = ShapeStore() if store is None else store
        scene = self.configurations(store, values, pairs, base=base, obstacles=obstacles)
        joints, links = self._steps_and_links()
        own = len(self.bodies)
        in_frames = pose_rows(np.stack([body.origin for body in self.bodies])) if own else np.empty((0, 7))
        fixed = np.concatenate([scene.positions[0], scene.orientations[0]], 1)[own:]
        write_robot_page(
            path,
            self.name,
            store,
            scene.shapes,
            {
                "values": [
                    {"name": name, "lower": lower, "upper": upper, "value": value, "unit": unit}
                    for name, value, (lower, upper, unit) in zip(self.joint_names, values.tolist(), self._sliders())
                ],
                "joints": [[kind, parent, which, pose.tolist(), unit(axis), by, plus] for kind, parent, which, pose, axis, by, plus in joints],
                "base": pose_rows(np.eye(4)[None] if base is None else np.asarray(base, np.float64).reshape(-1, 4, 4)[:1])[0].tolist(),
                "bodies": [
                    {"name": name, "joint": joint, "pose": pose}
                    for name, joint, pose in zip(scene.names, [*links.tolist(), *[WORLD_FRAME] * len(fixed)], np.concatenate([in_frames, fixed]).tolist())
                ],
                "pairs": scene.pairs.ravel().tolist(),
            },
        )

    def _sliders(self) -> List[Tuple[float, float, str]]:
        """Of each value its limits, where there are none half a turn or a metre, and its unit."""
        metres = {name for joint in self.joints for name in joint.values if joint.kind == "prismatic" or name.endswith(("/x", "/y", "/z"))}
        made = []
        for name, lower, upper in zip(self.joint_names, self.lower.tolist(), self.upper.tolist()):
            most, unit = (1.0, "m") if name in metres else (np.pi, "rad")
            made.append((max(lower, -most) if np.isinf(lower) else lower, min(upper, most) if np.isinf(upper) else upper, unit))
        return made


class RobotConfigurations(Configurations):
    """What Robot.configurations made.

    ``names`` of the bodies: the robot's (Robot.body_names), then those of other robots and of obstacles. ``shapes``: (n,) uint32, their ids. ``pairs``:
    (m, 2) uint32.
    """

    store: ShapeStore
    names: List[str]
    pairs: npt.NDArray[np.uint32]
    shapes: npt.NDArray[np.uint32]
    _moving: Tuple[_Floats, npt.NDArray[np.float32]]
    _obstacles: npt.NDArray[Any]

    @property
    def positions(self) -> _Floats:
        """Of all bodies, (c, n, 3) float64."""
        return self._with_obstacles(self._moving[0], "position")

    @property
    def orientations(self) -> npt.NDArray[np.float32]:
        """Of all bodies, (c, n, 4) float32, x, y, z, w."""
        return self._with_obstacles(self._moving[1], "orientation")

    def _with_obstacles(self, moving: npt.NDArray[Any], field: str) -> npt.NDArray[Any]:
        resting = self._obstacles[field]
        return np.concatenate([moving, np.broadcast_to(resting, (len(moving), *resting.shape))], 1)

    @property
    def poses(self) -> _Floats:
        """The same as matrices, (c, n, 4, 4) float64."""
        made = np.zeros((*self.positions.shape[:2], 4, 4))
        made[..., :3, :3], made[..., :3, 3], made[..., 3, 3] = matrices_of(self.orientations.astype(np.float64)), self.positions, 1
        return made

    def records(self) -> npt.NDArray[Any]:
        """The bodies of all configurations, (c, n) body_dtype: what NarrowPhase.cast takes as bodies and ``ends``, for the edges of a planner."""
        made = np.empty(self.positions.shape[:2], body_dtype)
        made["position"], made["shape"], made["orientation"] = self.positions, self.shapes, self.orientations
        return made

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a capture with a frame for each configuration, which `abut view` shows as a page and `abut replay` measures. It needs abut.has_captures."""
        if not has_captures:
            raise ValueError("this abut was built without captures")
        from . import CaptureWriter  # which is there with captures only

        writer = CaptureWriter()
        for i, bodies in enumerate(self.records()):
            writer.add_frame(f"configuration {i}", self.store, bodies, self.pairs)
        writer.write(path)


_obstacle_dtype = np.dtype([("position", "f8", 3), ("shape", "u4"), ("orientation", "f4", 4)])


class _Part(NamedTuple):
    """Bodies that come together: their names, shapes, positions (c or 1, bodies, 3), orientations, pairs among them, and whether each moves in the world."""

    names: List[str]
    shapes: npt.NDArray[np.uint32]
    positions: _Floats
    orientations: npt.NDArray[np.float32]
    pairs: npt.NDArray[np.uint32]
    moves: npt.NDArray[np.bool_]


class _Scene:
    def __init__(self, store: ShapeStore) -> None:
        self._store = store
        self._parts: List[_Part] = []
        self._robots = 0  # the parts before the obstacles

    def add_robot(self, robot: Robot, q: _Values, base: Optional[npt.ArrayLike], pairs: npt.ArrayLike, shapes: Optional[npt.NDArray[np.uint32]]) -> None:
        positions, orientations = robot.body_poses(q, base)
        rigid = robot._rigid()
        moves = [np.ndim(base) == 3 or rigid[body.link] != robot._link[robot.root] for body in robot.bodies]  # type: ignore[arg-type]
        prefix = f"{robot.name}:" if self._parts else ""
        names = [prefix + name for name in robot.body_names()]
        own = np.asarray(pairs)
        if own.size and (own.dtype.kind not in "iu" or own.min() < 0):
            raise TypeError("pairs: they are indices of bodies, integers from 0")
        own = own.reshape(-1, 2)
        self._parts.append(_Part(names, robot.add_to(self._store) if shapes is None else shapes, positions, orientations, own, np.array(moves, bool)))
        self._robots += 1

    def add_obstacles(self, obstacles: Obstacles) -> None:
        named = obstacles.items() if isinstance(obstacles, collections.abc.Mapping) else ((f"obstacle {i}", given) for i, given in enumerate(obstacles))
        for name, (shape, pose) in named:
            known = np.array([shape if isinstance(shape, (int, np.integer)) else shape_of(shape).add_to(self._store)], np.uint32)
            row = pose_rows(matrix_of(pose, f"obstacles: {name}")[None])[None]
            self._parts.append(_Part([name], known, row[..., :3], row[..., 3:].astype(np.float32), np.empty((0, 2), np.uint32), np.zeros(1, bool)))

    def configurations(self) -> RobotConfigurations:
        count = max(len(part.positions) for part in self._parts)
        for part in self._parts:
            if len(part.positions) not in (1, count):
                raise ValueError(f"others: {len(part.positions)} configurations of one robot, but {count} of another")
        first = np.cumsum([0] + [len(part.names) for part in self._parts])
        pairs = [part.pairs.astype(np.int64) + start for part, start in zip(self._parts, first)]
        for k, b in enumerate(self._parts):
            for i, a in enumerate(self._parts[:k]):
                at, on = np.nonzero(a.moves[:, None] | b.moves[None, :])
                pairs.append(np.stack([at + first[i], on + first[k]], 1))
        robots, obstacles = self._parts[: self._robots], self._parts[self._robots :]
        positions = np.concatenate([np.broadcast_to(part.positions, (count, *part.positions.shape[1:])) for part in robots], 1)
        orientations = np.concatenate([np.broadcast_to(part.orientations, (count, *part.orientations.shape[1:])) for part in robots], 1)
        resting = np.empty(len(obstacles), _obstacle_dtype)
        for row, part in zip(resting, obstacles):
            row["position"], row["shape"], row["orientation"] = part.positions[0, 0], part.shapes[0], part.orientations[0, 0]
        listed = np.concatenate(pairs).astype(np.uint32)
        shapes = np.concatenate([part.shapes for part in self._parts]).astype(np.uint32)
        moving = shapes[: len(shapes) - len(obstacles)]
        made = RobotConfigurations(self._store, moving, listed, positions=positions, orientations=orientations, obstacles=resting)
        made.store = self._store
        made.names, made.pairs, made.shapes = [name for part in self._parts for name in part.names], listed, shapes
        made._moving, made._obstacles = (positions, orientations), resting
        return made
