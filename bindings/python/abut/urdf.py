"""Robots from URDF files: collision geometry, forward kinematics of many configurations at once, and the pairs of self-collision.

    robot = abut.urdf.load("arm.urdf")
    store = abut.ShapeStore()
    all = robot.configurations(store, q)              # q: (1000, joints), radians and metres
    d = abut.NarrowPhase().distance_configurations(all)
    d.signed_distance.reshape(len(q), -1).min(axis=1) # the self-distance of each configuration

A body is one collision element of a link. Frames are those of URDF: a cylinder is along its Z axis.
"""

import dataclasses
import os
import pathlib
import xml.etree.ElementTree as ElementTree
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import Configurations, ShapeStore
from ._mesh_files import read_triangles
from ._shapes import Box, Capsule, Cylinder, Shape, Sphere, from_triangles

_Path = Union[str, "os.PathLike[str]"]
_Floats = npt.NDArray[np.float64]

# abut's cylinders and capsules are along Y, URDF's along Z.
_UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
_MOVING = ("revolute", "continuous", "prismatic")


@dataclasses.dataclass(frozen=True)
class Joint:
    """A joint: ``parent`` and ``child`` are names of links, ``origin`` (4, 4) is the joint's frame in the parent's, ``axis`` is unit, in that frame.

    ``kind``: "fixed", "revolute", "continuous" or "prismatic". ``mimic``: the joint that it follows, or None; its value is multiplier * that joint's +
    offset. ``lower`` and ``upper``: radians or metres, infinite where there is no limit.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: _Floats
    axis: _Floats
    lower: float = -np.inf
    upper: float = np.inf
    mimic: Optional[str] = None
    multiplier: float = 1.0
    offset: float = 0.0


@dataclasses.dataclass(frozen=True)
class Body:
    """A collision element: its shape, the index of its link, and its pose (4, 4) in the link's frame."""

    link: int
    shape: Shape
    origin: _Floats


def _numbers(element: Optional[ElementTree.Element], key: str, default: Sequence[float], where: str) -> _Floats:
    text = element.get(key) if element is not None else None
    if text is None:
        return np.array(default, np.float64)
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        values = np.empty(0)
    if values.shape != (len(default),) or not np.isfinite(values).all():
        raise ValueError(f"{where}: {key} is {text!r}; it must be {len(default)} numbers")
    return values


def _number(element: Optional[ElementTree.Element], key: str, default: Optional[float], where: str) -> float:
    if default is None and (element is None or element.get(key) is None):
        raise ValueError(f"{where}: {key} is missing")
    return float(_numbers(element, key, [0.0 if default is None else default], where)[0])


def _origin(element: ElementTree.Element, where: str) -> _Floats:
    """<origin xyz rpy>: rotations about the fixed axes X, Y and Z, in this order."""
    given = element.find("origin")
    roll, pitch, yaw = _numbers(given, "rpy", [0, 0, 0], where)
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in (roll, pitch, yaw))
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    matrix[:3, 3] = _numbers(given, "xyz", [0, 0, 0], where)
    return matrix


class _Reader:
    def __init__(self, folder: pathlib.Path, packages: Mapping[str, _Path], convex: Optional[bool], max_vertices: int) -> None:
        self.folder, self.packages, self.convex, self.max_vertices = folder, packages, convex, max_vertices
        self.meshes: Dict[Tuple[str, Tuple[float, ...]], Shape] = {}

    def path_of(self, filename: str, where: str) -> pathlib.Path:
        if filename.startswith("package://"):
            package, _, rest = filename[len("package://") :].partition("/")
            if package not in self.packages:
                raise ValueError(f"{where}: {filename}: no folder is given for the package {package!r} (argument packages)")
            return pathlib.Path(self.packages[package], rest)
        return self.folder / (filename[len("file://") :] if filename.startswith("file://") else filename)

    def mesh(self, element: ElementTree.Element, where: str) -> Shape:
        filename, scale = element.get("filename", ""), _numbers(element, "scale", [1, 1, 1], where)
        key = (filename, tuple(scale.tolist()))
        if key not in self.meshes:
            vertices, triangles = read_triangles(self.path_of(filename, where))
            vertices = vertices * scale
            if scale.prod() < 0:
                triangles = triangles[:, ::-1]
            self.meshes[key] = from_triangles(vertices, triangles, convex=self.convex, max_vertices=self.max_vertices)
        return self.meshes[key]

    def shape(self, collision: ElementTree.Element, where: str) -> Tuple[Shape, _Floats]:
        geometry = collision.find("geometry")
        if geometry is None or not len(geometry):
            raise ValueError(f"{where}: a collision element has no geometry")
        element, origin = geometry[0], _origin(collision, where)
        if element.tag == "box":
            x, y, z = 0.5 * _numbers(element, "size", [0, 0, 0], where)
            return Box((x, y, z)), origin
        if element.tag == "sphere":
            return Sphere(_number(element, "radius", None, where)), origin
        if element.tag in ("cylinder", "capsule"):
            kind = Cylinder if element.tag == "cylinder" else Capsule
            return kind(_number(element, "radius", None, where), 0.5 * _number(element, "length", None, where)), origin @ _UPRIGHT
        if element.tag == "mesh":
            return self.mesh(element, where), origin
        raise ValueError(f"{where}: geometry <{element.tag}>; it must be box, cylinder, capsule, sphere or mesh")


def _child(element: ElementTree.Element, tag: str, key: str, where: str) -> str:
    found = element.find(tag)
    name = found.get(key) if found is not None else None
    if name is None:
        raise ValueError(f"{where}: <{tag} {key}=...> is missing")
    return name


def _joint(element: ElementTree.Element) -> Joint:
    name, kind = element.get("name", ""), element.get("type", "")
    where = f"joint {name!r}"
    if kind != "fixed" and kind not in _MOVING:
        raise ValueError(f"{where}: type {kind!r}; it must be fixed, revolute, continuous or prismatic")
    axis = _numbers(element.find("axis"), "xyz", [1, 0, 0], where)
    length = float(np.linalg.norm(axis))
    if kind in _MOVING and not length > 0:
        raise ValueError(f"{where}: its axis is zero")
    mimic, limit = element.find("mimic"), element.find("limit")
    has_limit = kind in ("revolute", "prismatic") and limit is not None
    return Joint(
        name,
        kind,
        _child(element, "parent", "link", where),
        _child(element, "child", "link", where),
        _origin(element, where),
        axis / length if length > 0 else axis,
        _number(limit, "lower", 0.0, where) if has_limit else -np.inf,
        _number(limit, "upper", 0.0, where) if has_limit else np.inf,
        _child(element, "mimic", "joint", where) if mimic is not None else None,
        _number(mimic, "multiplier", 1.0, where),
        _number(mimic, "offset", 0.0, where),
    )


def _rotations(axis: _Floats, angles: _Floats) -> _Floats:
    """(c, 4, 4): about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrices = np.zeros((len(angles), 4, 4))
    matrices[:, :3, :3] = np.eye(3) + np.sin(angles)[:, None, None] * cross + (1 - np.cos(angles))[:, None, None] * (cross @ cross)
    matrices[:, 3, 3] = 1
    return matrices


class Robot:
    """A tree of links with collision bodies. ``links`` and ``joint_names`` are lists of names; ``bodies`` of Body; ``joints`` of Joint, parents first.

    ``joint_names`` are the joints with a value of their own, in the order of the file: neither fixed joints nor those that mimic another. ``lower`` and
    ``upper`` are their limits, radians and metres.
    """

    def __init__(self, name: str, links: List[str], joints: List[Joint], bodies: List[Body]) -> None:
        self.name, self.links, self.bodies = name, links, bodies
        self._link = {link: i for i, link in enumerate(links)}
        if len(self._link) != len(links):
            raise ValueError("two links have one name")
        by_name = {joint.name: joint for joint in joints}
        if len(by_name) != len(joints):
            raise ValueError("two joints have one name")
        own = [joint for joint in joints if joint.kind in _MOVING and joint.mimic is None]
        self.joint_names = [joint.name for joint in own]
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
        roots = [link for link in self.links if link not in joint_to]
        if len(roots) != 1:
            raise ValueError(f"the links have {len(roots)} roots {roots}; one is needed")
        self.root = roots[0]
        children: Dict[str, List[Joint]] = {}
        for joint in joints:
            children.setdefault(joint.parent, []).append(joint)
        ordered, open_links = [], [self.root]
        while open_links:
            found = children.get(open_links.pop(0), [])
            ordered += found
            open_links += [joint.child for joint in found]
        if len(ordered) != len(joints):
            raise ValueError("the joints have a cycle")
        return ordered

    def joint_values(self, q: Union[npt.ArrayLike, Mapping[str, npt.ArrayLike]]) -> _Floats:
        """(c, joints) float64, in the order of joint_names.

        q: an array (c, joints) or (joints,), or {name: (c,) or a number}, 0 for joints that are not named. Radians and metres.
        """
        count = len(self.joint_names)
        if isinstance(q, Mapping):
            unknown = set(q) - set(self.joint_names)
            if unknown:
                raise ValueError(f"q: no joint with a value of its own is called {sorted(unknown)[0]!r}")
            columns = [np.atleast_1d(np.asarray(q.get(name, 0.0), np.float64)) for name in self.joint_names]
            return np.stack(np.broadcast_arrays(*columns), 1) if columns else np.empty((1, 0))
        values = np.atleast_2d(np.asarray(q, np.float64))
        if values.ndim != 2 or values.shape[1] != count:
            raise ValueError(f"q: shape {np.shape(q)}; it must be (configurations, {count})")
        return values

    def forward_kinematics(self, q: Union[npt.ArrayLike, Mapping[str, npt.ArrayLike]], base: Optional[npt.ArrayLike] = None) -> _Floats:
        """Poses of all links, (c, links, 4, 4) float64, [row, column], metres. q: see joint_values. base: the pose (4, 4) of the root."""
        values = self.joint_values(q)
        column = {name: values[:, i] for i, name in enumerate(self.joint_names)}
        poses = np.empty((len(values), len(self.links), 4, 4))
        poses[:, self._link[self.root]] = np.eye(4) if base is None else np.asarray(base, np.float64)
        for joint in self.joints:
            pose = poses[:, self._link[joint.parent]] @ joint.origin
            if joint.kind in _MOVING:
                value = joint.multiplier * column[joint.mimic] + joint.offset if joint.mimic is not None else column[joint.name]
                if joint.kind == "prismatic":
                    pose[:, :3, 3] += (pose[:, :3, :3] @ joint.axis) * value[:, None]
                else:
                    pose = pose @ _rotations(joint.axis, value)
            poses[:, self._link[joint.child]] = pose
        return poses

    def body_transforms(self, q: Union[npt.ArrayLike, Mapping[str, npt.ArrayLike]], base: Optional[npt.ArrayLike] = None) -> _Floats:
        """Poses of all bodies, (c, bodies, 4, 4) float64, [row, column], metres."""
        poses = self.forward_kinematics(q, base)
        if not self.bodies:
            return np.empty((len(poses), 0, 4, 4))
        links: _Floats = poses[:, [body.link for body in self.bodies]]
        return links @ np.stack([body.origin for body in self.bodies])

    def self_collision_pairs(self, disabled: Iterable[Tuple[str, str]] = (), *, adjacent: bool = False) -> npt.NDArray[np.uint32]:
        """Pairs of bodies that may collide, (m, 2) uint32: indices of ``bodies``.

        Left out are bodies that do not move against each other (of one link, or of links that fixed joints join), bodies of a joint's two links (unless
        ``adjacent``), and ``disabled``: pairs of names of links, in any order, as disabled_pairs() reads them from an SRDF file.
        """
        rigid = list(range(len(self.links)))
        out = set()
        for joint in self.joints:
            parent, child = self._link[joint.parent], self._link[joint.child]
            if joint.kind == "fixed":
                rigid[child] = rigid[parent]
            elif not adjacent:
                out.add((parent, child))
        for a, b in disabled:
            for name in (a, b):
                if name not in self._link:
                    raise ValueError(f"disabled: there is no link {name!r}")
            out.add((self._link[a], self._link[b]))
        out |= {(b, a) for a, b in out}
        links = [body.link for body in self.bodies]
        pairs = [
            (i, k)
            for k in range(len(links))
            for i in range(k)
            if rigid[links[i]] != rigid[links[k]] and (links[i], links[k]) not in out
        ]
        return np.array(sorted(pairs), np.uint32).reshape(-1, 2)

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
        q: Union[npt.ArrayLike, Mapping[str, npt.ArrayLike]],
        pairs: Optional[npt.ArrayLike] = None,
        *,
        shapes: Optional[npt.NDArray[np.uint32]] = None,
    ) -> Configurations:
        """The robot in many configurations, for NarrowPhase.distance_configurations and the like.

        pairs: of bodies; None: self_collision_pairs(). shapes: what add_to(store) gave; None: the shapes are added.
        """
        ids = self.add_to(store) if shapes is None else shapes
        wanted = self.self_collision_pairs() if pairs is None else pairs
        return Configurations(store, ids, wanted, transforms=self.body_transforms(q).astype(np.float32))


def parse(
    text: Union[str, bytes],
    folder: _Path = ".",
    *,
    packages: Optional[Mapping[str, _Path]] = None,
    convex: Optional[bool] = True,
    max_vertices: int = 4096,
) -> Robot:
    """The Robot of a URDF document. folder: where relative names of mesh files begin. The other arguments are those of load()."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"this is no XML: {error}") from None
    if root.tag != "robot":
        raise ValueError(f"the document is <{root.tag}>; a URDF file is <robot>")
    reader = _Reader(pathlib.Path(folder), packages or {}, convex, max_vertices)
    links, bodies = [], []
    for i, element in enumerate(root.findall("link")):
        links.append(element.get("name", ""))
        for collision in element.findall("collision"):
            shape, origin = reader.shape(collision, f"link {links[-1]!r}")
            bodies.append(Body(i, shape, origin))
    return Robot(root.get("name", ""), links, [_joint(element) for element in root.findall("joint")], bodies)


def load(
    path: _Path, *, packages: Optional[Mapping[str, _Path]] = None, convex: Optional[bool] = True, max_vertices: int = 4096
) -> Robot:
    """The Robot of a URDF file. ValueError names the link or joint that is wrong; transmissions, inertias and visuals are not read.

    packages: the folder of each package of "package://name/...". Mesh files: .obj, .stl, others if trimesh is installed. convex: True takes their convex
    hulls, of at most max_vertices vertices; None the triangles where they are not convex; False always the triangles. A pair of two such meshes may have
    no answer: the column ``status`` of a result says so.
    """
    return parse(pathlib.Path(path).read_bytes(), pathlib.Path(path).parent, packages=packages, convex=convex, max_vertices=max_vertices)


def disabled_pairs(srdf: _Path) -> List[Tuple[str, str]]:
    """The pairs of links of <disable_collisions link1 link2> in an SRDF file, for Robot.self_collision_pairs."""
    root: Any = ElementTree.parse(srdf).getroot()
    return [(element.get("link1", ""), element.get("link2", "")) for element in root.iter("disable_collisions")]
