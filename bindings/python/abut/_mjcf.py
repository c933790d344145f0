"""MuJoCo's XML (MJCF): bodies, geoms, joints, meshes and defaults, as far as collisions need them."""

import pathlib
import xml.etree.ElementTree as ElementTree
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._description import Element, Report, numbers, parse_xml
from ._joints import Joint
from ._robot import Body, Robot
from ._shapes import Box, Capsule, Cylinder, Ellipsoid, Halfspace, Shape, Sphere

_Floats = npt.NDArray[np.float64]
# abut's cylinders and capsules are along Y, MuJoCo's along Z.
_UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
_JOINTS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "floating"}
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


def _turn(axis: _Floats, angle: float) -> _Floats:
    u = axis / np.linalg.norm(axis)
    cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    turned: _Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turned


def _from_z(axis: _Floats) -> _Floats:
    """The shortest rotation from Z to a direction."""
    z = axis / np.linalg.norm(axis)
    about = np.cross([0, 0, 1.0], z)
    if np.linalg.norm(about) < 1e-12:
        return np.diag([1.0, 1, 1] if z[2] > 0 else [1.0, -1, -1])
    return _turn(about, float(np.arctan2(np.linalg.norm(about), z[2])))


class _Mjcf:
    def __init__(self, root: Element, mesh: Callable[[Element, str], Optional[Shape]], report: Report) -> None:
        self._root, self._make_mesh, self._report = root, mesh, report
        compiler: Dict[str, str] = {}
        for element in root.findall("compiler"):
            compiler.update(element.attrib)
        self._degrees = compiler.get("angle", "degree") == "degree"
        self._sequence = compiler.get("eulerseq", "xyz")
        self._limited = compiler.get("autolimits", "true") == "true"
        self._mesh_folder = compiler.get("meshdir", compiler.get("assetdir", ""))
        self._defaults: Dict[str, Dict[str, Dict[str, str]]] = {}
        for element in root.findall("default"):
            self._read_defaults(element, {})
        self._meshes = {self._mesh_name(element): element for element in root.findall("asset/mesh")}
        self._links: List[str] = ["world"]
        self._joints: List[Joint] = []
        self._bodies: List[Body] = []
        self._touching: List[Tuple[str, str]] = []

    def run(self) -> Robot:
        for world in self._root.findall("worldbody"):
            self._read_inside(world, "world", 0, "main")
        if self._root.find("worldbody") is None:
            raise self._report.error(self._root, "there are no bodies")
        disabled = [(e.get("body1", ""), e.get("body2", "")) for e in self._root.findall("contact/exclude")]
        known = [pair for pair in disabled if pair[0] in self._links and pair[1] in self._links]
        try:
            robot = Robot(self._root.get("model", ""), self._links, self._joints, self._bodies, (), [*self._touching, *known])
        except ValueError as error:
            raise self._report.error(self._root, str(error)) from None
        robot.warnings = list(self._report.warnings)
        return robot

    @staticmethod
    def _mesh_name(element: ElementTree.Element) -> str:
        return element.get("name") or pathlib.PurePosixPath(element.get("file", "").replace("\\", "/")).stem

    def _read_defaults(self, element: ElementTree.Element, above: Dict[str, Dict[str, str]]) -> None:
        """Of a class: by tag, with those of the class above."""
        own = {tag: dict(values) for tag, values in above.items()}
        for child in element:
            if child.tag != "default":
                own.setdefault(str(child.tag), {}).update(child.attrib)
        self._defaults[element.get("class", "main")] = own
        for child in element.findall("default"):
            self._read_defaults(child, own)

    def _with_defaults(self, element: ElementTree.Element, childclass: str) -> Element:
        chosen = element.get("class", childclass)
        if chosen != "main" and chosen not in self._defaults:
            raise self._report.error(element, f"there is no default class {chosen!r}")
        made = Element(str(element.tag), {**self._defaults.get(chosen, {}).get(str(element.tag), {}), **element.attrib})
        made.line = getattr(element, "line", 0)
        return made

    def _angle(self, value: float) -> float:
        return float(np.radians(value)) if self._degrees else value

    def _numbers(self, element: ElementTree.Element, key: str, default: List[float], where: str) -> _Floats:
        return numbers(element, key, default, where, self._report, fill=True)

    def _pose(self, element: ElementTree.Element, where: str) -> _Floats:
        matrix = np.eye(4)
        matrix[:3, 3] = self._numbers(element, "pos", [0, 0, 0], where)
        if element.get("quat"):
            w, x, y, z = self._numbers(element, "quat", [1, 0, 0, 0], where)
            length = float(np.linalg.norm([x, y, z]))
            if length > 0:
                matrix[:3, :3] = _turn(np.array([x, y, z]), 2 * float(np.arctan2(length, w)))
        elif element.get("axisangle"):
            x, y, z, angle = self._numbers(element, "axisangle", [0, 0, 1, 0], where)
            matrix[:3, :3] = _turn(np.array([x, y, z]), self._angle(angle))
        elif element.get("euler"):
            for letter, angle in zip(self._sequence, self._numbers(element, "euler", [0, 0, 0], where)):
                turn = _turn(np.eye(3)["xyz".index(letter.lower())], self._angle(angle))
                matrix[:3, :3] = matrix[:3, :3] @ turn if letter.islower() else turn @ matrix[:3, :3]
        elif element.get("xyaxes"):
            six = self._numbers(element, "xyaxes", [1, 0, 0, 0, 1, 0], where)
            x_axis = six[:3] / np.linalg.norm(six[:3])
            y_axis = six[3:] - x_axis * (x_axis @ six[3:])
            y_axis = y_axis / np.linalg.norm(y_axis)
            matrix[:3, :3] = np.stack([x_axis, y_axis, np.cross(x_axis, y_axis)], 1)
        elif element.get("zaxis"):
            matrix[:3, :3] = _from_z(self._numbers(element, "zaxis", [0, 0, 1], where))
        return matrix

    def _read_inside(self, element: ElementTree.Element, link: str, index: int, childclass: str, frame: Optional[_Floats] = None) -> None:
        """The geoms and bodies of a body; those of a <frame> in its pose."""
        childclass = element.get("childclass", childclass)
        frame = np.eye(4) if frame is None else frame
        for child in element:
            if child.tag == "geom":
                self._add_geom(self._with_defaults(child, childclass), index, frame, f"body {link!r}")
            elif child.tag == "body":
                self._add_body(child, link, childclass, frame)
            elif child.tag == "frame":
                self._read_inside(child, link, index, childclass, frame @ self._pose(child, f"body {link!r}"))
            elif child.tag in ("include", "replicate", "composite", "flexcomp", "attach"):
                self._report.warn(child, f"<{child.tag}> is not read")

    def _add_body(self, element: ElementTree.Element, parent: str, childclass: str, frame: _Floats) -> None:
        """A body of several joints gets a link between each two."""
        name = element.get("name") or f"body {len(self._links)}"
        where = f"body {name!r}"
        inner = element.get("childclass", childclass)
        joints = [self._with_defaults(child, inner) for child in element if child.tag in ("joint", "freejoint")]
        pose, at = frame @ self._pose(element, where), parent
        if not joints:
            self._joints.append(Joint(f"{name}/fixed", "fixed", parent, name, pose, np.zeros(3)))
        anchor = np.zeros(3)  # of the joint before, in the body's frame
        for i, joint in enumerate(joints):
            own, pose = self._numbers(joint, "pos", [0, 0, 0], where), pose.copy()
            pose[:3, 3] += pose[:3, :3] @ (own - anchor)
            last = i == len(joints) - 1 and not own.any()
            child = name if last else f"{name}/{i}"
            self._joints.append(self._joint(joint, joint.get("name") or f"{name}/joint {i}", at, child, pose, where))
            if not last:
                self._links.append(child)
            at, anchor, pose = child, own, np.eye(4)
        if joints and at != name:
            back = np.eye(4)
            back[:3, 3] = -anchor
            self._joints.append(Joint(f"{name}/fixed", "fixed", at, name, back, np.zeros(3)))
        if joints:
            self._touching.append((parent, name))
        self._links.append(name)
        self._read_inside(element, name, len(self._links) - 1, childclass)

    def _joint(self, element: Element, name: str, parent: str, child: str, origin: _Floats, where: str) -> Joint:
        kind = "free" if element.tag == "freejoint" else element.get("type", "hinge")
        if kind not in _JOINTS:
            raise self._report.error(element, f"{where}: joint type {kind!r}; it must be one of {', '.join(_JOINTS)}")
        axis = self._numbers(element, "axis", [0, 0, 1], where)
        length = float(np.linalg.norm(axis))
        lower, upper = -np.inf, np.inf
        limited = element.get("limited", "auto")
        if kind in ("hinge", "slide") and element.get("range") and (limited == "true" or limited == "auto" and self._limited):
            lower, upper = self._numbers(element, "range", [0, 0], where)
            if kind == "hinge":
                lower, upper = self._angle(lower), self._angle(upper)
        return Joint(name, _JOINTS[kind], parent, child, origin, axis / length if length > 0 else axis, lower, upper)

    def _add_geom(self, geom: Element, link: int, frame: _Floats, where: str) -> None:
        if geom.get("contype") == "0" and geom.get("conaffinity") == "0":
            return  # it is only seen
        kind = geom.get("type", "mesh" if geom.get("mesh") and not geom.get("size") else "sphere")
        made = self._geometry(geom, kind, where)
        if made is not None:
            self._bodies.append(Body(link, made[0], frame @ made[1]))

    def _geometry(self, geom: Element, kind: str, where: str) -> Optional[Tuple[Shape, _Floats]]:
        pose = self._pose(geom, where)
        if geom.get("mesh") and kind != "mesh":
            self._report.warn(geom, f"{where}: a {kind} that is to fit mesh {geom.get('mesh')!r} is that mesh")
            kind = "mesh"
        if kind == "plane":
            return Halfspace((0, 0, 1)), pose
        if kind == "mesh":
            asset = self._meshes.get(geom.get("mesh", ""))
            if asset is None:
                raise self._report.error(geom, f"{where}: there is no mesh {geom.get('mesh')!r}")
            shape = self._mesh(self._with_defaults(asset, "main"), where)
            return (shape, pose) if shape is not None else None
        if kind not in _SIZES:
            self._report.warn(geom, f"{where}: a geom of type {kind!r} is not read")
            return None
        return self._primitive(geom, kind, pose, where)

    def _primitive(self, geom: Element, kind: str, pose: _Floats, where: str) -> Tuple[Shape, _Floats]:
        words = geom.get("size", "").split()
        given = Element("geom", {"size": " ".join(words[: _SIZES[kind]])})
        given.line = geom.line
        half = 0.0
        count = _SIZES[kind]
        if geom.get("fromto") and kind != "sphere":
            ends = self._numbers(geom, "fromto", [0] * 6, where)
            way = ends[3:] - ends[:3]
            half, count = 0.5 * float(np.linalg.norm(way)), max(1, count - 1)
            given.set("size", " ".join(words[:count]))
            pose = np.eye(4)
            pose[:3, 3] = 0.5 * (ends[:3] + ends[3:])
            if half > 0:
                pose[:3, :3] = _from_z(way)
        size = numbers(given, "size", [0.0] * count, where, self._report, needed=True).tolist()
        if kind == "sphere":
            return Sphere(size[0]), pose
        if kind in ("capsule", "cylinder"):
            made: Any = Capsule if kind == "capsule" else Cylinder
            return made(size[0], half if geom.get("fromto") else size[1]), pose @ _UPRIGHT
        x, y, z = (size[0], size[-1], half) if geom.get("fromto") else size
        return (Box if kind == "box" else Ellipsoid)((x, y, z)), pose

    def _mesh(self, asset: Element, where: str) -> Optional[Shape]:
        """MuJoCo moves a mesh to its centre of mass, and its geom with it: neither is needed."""
        file = asset.get("file", "")
        given = Element("mesh", {"filename": f"{self._mesh_folder}/{file}" if self._mesh_folder and not file.startswith("/") else file})
        given.line = asset.line
        if asset.get("scale"):
            given.set("scale", asset.get("scale", ""))
        return self._make_mesh(given, where)


def with_includes(root: Element, folder: pathlib.Path, report: Report, depth: int = 0) -> Element:
    """<include file="..."> is replaced by what the other file's root holds."""
    for element in list(root.iter()):
        for at, child in reversed(list(enumerate(element))):
            if child.tag != "include":
                continue
            path = folder / child.get("file", "")
            if depth > 16 or not path.is_file():
                raise report.error(child, f"include {child.get('file')!r}: " + ("files include each other" if depth > 16 else f"there is no {path}"))
            other = with_includes(parse_xml(path.read_bytes(), Report(str(path))), folder, report, depth + 1)
            element.remove(child)
            for i, part in enumerate(other):
                element.insert(at + i, part)
    return root


def robot_of_mjcf(root: Element, mesh: Callable[[Element, str], Optional[Shape]], report: Report) -> Robot:
    """All bodies under the link "world". mesh: the shape of <mesh filename scale>."""
    return _Mjcf(root, mesh, report).run()
