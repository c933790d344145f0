"""Robots from URDF, SDF and MJCF files: collision geometry, forward kinematics of many configurations at once, and the pairs of self-collision.

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
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import Error
from ._description import DescriptionWarning, Element, Report, local_name, number, numbers, parse_xml
from ._disabled import disabled_pairs, write_srdf
from ._mesh_files import read_triangles
from ._mjcf import robot_of_mjcf, with_includes
from ._packages import Files
from ._joints import VALUES, Joint, rpy_matrices
from ._robot import Body, DisabledPair, Robot, RobotConfigurations
from ._sdf import robot_of_sdf, with_attributes
from ._shapes import Box, Capsule, Cylinder, Ellipsoid, Halfspace, Shape, Sphere, from_triangles

__all__ = [
    "Body", "DescriptionWarning", "DisabledPair", "Joint", "MissingMesh", "Robot", "RobotConfigurations", "disabled_pairs", "load", "parse", "write_srdf",
]  # fmt: skip

_Path = Union[str, "os.PathLike[str]"]
_Floats = npt.NDArray[np.float64]
_Progress = Callable[[int, int], object]

# abut's cylinders and capsules are along Y, URDF's along Z.
_UPRIGHT = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


class MissingMesh(FileNotFoundError, ValueError):
    """A mesh that a link names is not there, or cannot be read. The message names file, line, link and mesh, and where it was looked for."""


def _origin(element: ElementTree.Element, where: str, report: Report) -> _Floats:
    """<origin xyz rpy>."""
    given = element.find("origin")
    matrix: _Floats = rpy_matrices(numbers(given, "rpy", [0, 0, 0], where, report, fill=True)[None])[0]
    matrix[:3, 3] = numbers(given, "xyz", [0, 0, 0], where, report, fill=True)
    return matrix


class _Geometry:
    """Collision elements to shapes. A mesh that several elements name is read once."""

    def __init__(self, files: Files, convex: Optional[bool], max_vertices: int, skips: bool, up_axis: bool, report: Report) -> None:
        self._files, self._convex, self._max_vertices, self._skips, self._report = files, convex, max_vertices, skips, report
        self._up_axis = up_axis
        self._meshes: Dict[Tuple[str, Tuple[float, ...]], Shape] = {}

    def body(self, collision: ElementTree.Element, where: str) -> Optional[Tuple[Shape, _Floats]]:
        """None of an element without geometry, and of one that is left out."""
        geometry = collision.find("geometry")
        if geometry is None or not len(geometry):
            self._report.warn(collision, f"{where}: a collision element has no geometry")
            return None
        origin = _origin(collision, where, self._report)
        shape = self.shape(geometry[0], where)
        if shape is None:
            return None
        return shape, origin @ _UPRIGHT if isinstance(shape, (Cylinder, Capsule)) else origin

    def shape(self, element: ElementTree.Element, where: str) -> Optional[Shape]:
        """None of one that is left out."""
        try:
            return self._shape(element, where)
        except (MissingMesh, _UnknownGeometry) as error:
            if not self._skips:
                raise
            self._report.warn(None, f"{str(error).replace(f'{self._report.name}: ', '', 1)}: left out")
            return None

    def _lengths(self, element: ElementTree.Element, key: str, count: int, where: str) -> _Floats:
        """Not negative."""
        values = numbers(element, key, [0.0] * count, where, self._report, needed=True)
        if (values < 0).any():
            self._report.warn(element, f"{where}: {key} is {element.get(key)!r}; it is taken without sign")
        return np.abs(values)

    def _shape(self, element: ElementTree.Element, where: str) -> Shape:
        kind = local_name(element)
        if kind == "box":
            x, y, z = 0.5 * self._lengths(element, "size", 3, where)
            return Box((x, y, z))
        if kind == "sphere":
            return Sphere(float(self._lengths(element, "radius", 1, where)[0]))
        if kind in ("cylinder", "capsule"):
            radius, length = (float(self._lengths(element, key, 1, where)[0]) for key in ("radius", "length"))
            return (Cylinder if kind == "cylinder" else Capsule)(radius, 0.5 * length)
        if kind == "ellipsoid" and element.get("size"):  # SDF's radii
            a, b, c = self._lengths(element, "size", 3, where)
            return Ellipsoid((a, b, c))
        if kind == "ellipsoid":  # Drake's
            a, b, c = (float(self._lengths(element, key, 1, where)[0]) for key in "abc")
            return Ellipsoid((a, b, c))
        if kind == "plane":  # Bullet's
            x, y, z = numbers(element, "normal", [0, 0, 1], where, self._report)
            return Halfspace((x, y, z))
        if kind == "mesh":
            return self._mesh(element, where)
        message = f"{where}: geometry <{element.tag}>; it must be box, cylinder, capsule, sphere, ellipsoid, plane or mesh"
        raise _UnknownGeometry(self._report.where(element, message))

    def _mesh(self, element: ElementTree.Element, where: str) -> Shape:
        filename = element.get("filename") or element.get("url") or (element.findtext("uri") or "").strip()
        given = element.get("scale", "").split()
        scale = numbers(element, "scale", [1.0], where, self._report) * np.ones(3) if len(given) == 1 and "," not in given[0] else None
        scale = numbers(element, "scale", [1, 1, 1], where, self._report) if scale is None else scale
        key = (filename, tuple(scale.tolist()))
        if key in self._meshes:
            return self._meshes[key]
        try:
            if not filename:
                raise FileNotFoundError("the mesh has no filename")
            path, warning = self._files.find(filename)
            if warning:
                self._report.warn(element, f"{where}: {warning}")
            vertices, triangles = read_triangles(path, up_axis=self._up_axis)
            vertices = vertices * scale
            if scale.prod() < 0:
                triangles = triangles[:, ::-1]
            shape = from_triangles(vertices, triangles, convex=self._convex, max_vertices=self._max_vertices)
        except (OSError, ValueError, Error) as error:
            what = f"mesh {filename}: " if filename and filename not in str(error) else "mesh "
            raise MissingMesh(self._report.where(element, f"{where}: {what}{error}")) from None
        self._meshes[key] = shape
        return shape


class _UnknownGeometry(ValueError):
    pass


def _child(element: ElementTree.Element, tag: str, key: str, where: str, report: Report) -> str:
    found = element.find(tag)
    name = found.get(key) if found is not None else None
    if name is None:
        raise report.error(element, f"{where}: <{tag} {key}=...> is missing")
    return name.strip()


def _limit(limit: Optional[ElementTree.Element], key: str, where: str, report: Report) -> float:
    return number(limit, key, 0.0, where, report, finite=False) if limit is not None else -np.inf if key == "lower" else np.inf


def _joint(element: ElementTree.Element, report: Report) -> Joint:
    name, kind = element.get("name", "").strip(), element.get("type", "")
    where = f"joint {name!r}"
    if kind not in VALUES:
        meant = {"ball": "spherical", "rotational": "revolute", "linear": "prismatic"}.get(kind.strip().lower(), kind.strip().lower())
        if meant not in VALUES:
            raise report.error(element, f"{where}: type {kind!r}; it must be one of {', '.join(VALUES)}")
        report.warn(element, f"{where}: type {kind!r} is taken as {meant}")
        kind = meant
    axis = numbers(element.find("axis"), "xyz", [1, 0, 0], where, report)
    length = float(np.linalg.norm(axis))
    if kind in ("revolute", "continuous", "prismatic", "planar") and not length > 0:
        report.warn(element, f"{where}: its axis is zero; its value moves nothing")
    mimic, limit = element.find("mimic"), element.find("limit")
    lower, upper = (_limit(limit if kind in ("revolute", "prismatic") else None, key, where, report) for key in ("lower", "upper"))
    if lower > upper:
        report.warn(limit, f"{where}: its lower limit {lower:g} is above the upper one, {upper:g}; they are exchanged")
        lower, upper = upper, lower
    return Joint(
        name,
        kind,
        _child(element, "parent", "link", where, report),
        _child(element, "child", "link", where, report),
        _origin(element, where, report),
        axis / length if length > 0 else axis,
        lower,
        upper,
        mimic.get("joint", "").strip() if mimic is not None and kind != "fixed" else None,
        number(mimic, "multiplier", 1.0, where, report),
        number(mimic, "offset", 0.0, where, report),
    )


class _Tree:
    """Joints as they are found, made those of a tree: one name each, parents that are there, one parent each, mimics of joints with one value of their own."""

    def __init__(self, links: List[str], report: Report) -> None:
        self.links, self._report = links, report
        self.joints: List[Joint] = []
        self.touching: List[Tuple[str, str]] = []  # joined by joints that are left out
        self._elements: Dict[str, ElementTree.Element] = {}
        self._has_parent: Set[str] = set()

    def add(self, element: ElementTree.Element) -> None:
        joint = _joint(element, self._report)
        where = f"joint {joint.name!r}"
        same = [known for known in self.joints if (known.name, known.parent, known.child) == (joint.name, joint.parent, joint.child)]
        if same:
            self._report.warn(element, f"{where}: stands twice; the first counts")
            return
        name, count = joint.name, 1
        while name in self._elements:
            count += 1
            name = f"{joint.name}_{count}"
        if name != joint.name:
            self._report.warn(element, f"{where}: another joint has this name; this one is called {name!r}")
        for link in dict.fromkeys((joint.parent, joint.child)):
            if link not in self.links:
                self._report.warn(element, f"{where}: there is no link {link!r}; one without geometry is taken")
                self.links.append(link)
        if joint.child in self._has_parent:
            self._report.warn(element, f"{where}: link {joint.child!r} is the child of another joint, too; this one, which closes a loop, is left out")
            self.touching.append((joint.parent, joint.child))
            return
        self._has_parent.add(joint.child)
        self._elements[name] = element
        self.joints.append(dataclasses.replace(joint, name=name))

    def resolve_mimics(self) -> None:
        """A mimic of a mimic follows the joint at the end of the chain."""
        by_name = {joint.name: joint for joint in self.joints}
        for i, joint in enumerate(self.joints):
            multiplier, offset, master, seen = 1.0, 0.0, joint, {joint.name}
            why = "does not have one value" if joint.mimic is not None and len(VALUES[joint.kind]) != 1 else ""
            while master.mimic is not None and not why:
                multiplier, offset = multiplier * master.multiplier, offset + multiplier * master.offset
                if master.mimic in seen:
                    why = f"the joints mimic each other: {', '.join(sorted(seen))}"
                elif master.mimic not in by_name:
                    why = f"there is no joint {master.mimic!r}"
                else:
                    master = by_name[master.mimic]
                    seen.add(master.name)
                    if len(VALUES[master.kind]) != 1:
                        why = f"{master.name!r} is {master.kind}"
            if joint.mimic is None:
                continue
            if why:
                self._report.warn(self._elements[joint.name], f"joint {joint.name!r}: it mimics {joint.mimic!r}, but {why}; it has a value of its own")
                self.joints[i] = dataclasses.replace(joint, mimic=None, multiplier=1.0, offset=0.0)
            else:
                self.joints[i] = dataclasses.replace(joint, mimic=master.name, multiplier=multiplier, offset=offset)


def _robot(root: Element, geometry: _Geometry, report: Report, progress: Optional[_Progress]) -> Robot:
    links: List[str] = []
    bodies: List[Body] = []
    elements = root.findall("link")
    for i, element in enumerate(elements):
        if progress is not None:
            progress(i, len(elements))
        name = element.get("name", "").strip()
        if name in links:
            report.warn(element, f"link {name!r}: another link has this name; the first counts")
            continue
        links.append(name)
        for collision in element.findall("collision"):
            found = geometry.body(collision, f"link {name!r}")
            if found:
                bodies.append(Body(len(links) - 1, *found))
    if not links:
        raise report.error(root, "the robot has no links")
    tree = _Tree(links, report)
    for element in root.findall("joint"):
        tree.add(element)
    tree.resolve_mimics()
    try:
        robot = Robot(root.get("name", ""), links, tree.joints, bodies, report.warnings, tree.touching)
    except ValueError as error:
        raise report.error(root, str(error)) from None
    if len(robot.roots) > 1:
        report.warn(root, f"the robot has {len(robot.roots)} roots, all at its base: {', '.join(robot.roots)}")
    if not bodies:
        report.warn(root, "no link has a collision element")
    robot.warnings = list(report.warnings)
    return robot


def _sdf_body(geometry: _Geometry) -> Callable[[ElementTree.Element, str], Optional[Tuple[Shape, _Floats]]]:
    def body(collision: ElementTree.Element, where: str) -> Optional[Tuple[Shape, _Floats]]:
        holder, inside = Element("collision"), Element("geometry")
        holder.line = getattr(collision, "line", 0)
        holder.append(inside)
        for child in collision.findall("geometry/*"):
            if child.tag != "empty":
                inside.append(with_attributes(child))
        return geometry.body(holder, where)

    return body


def _is_xacro(root: Element, name: str) -> bool:
    """Whether something is to be replaced or included; definitions alone change nothing."""
    definitions = ("xacro:property", "xacro:arg", "xacro:macro")
    if any(str(element.tag).startswith("xacro:") and element.tag not in definitions for element in root.iter()):
        return True
    return name.endswith(".xacro") and any("$" in value for element in root.iter() for value in element.attrib.values())


def _without_xacro(path: _Path, arguments: Mapping[str, str]) -> str:
    try:
        import xacro  # type: ignore[import]
    except ImportError:
        raise ValueError(f"{path}: is xacro; install Python's xacro (pip install xacro), or load what `xacro {path}` prints") from None
    try:
        text: str = xacro.process_file(os.fspath(path), mappings=dict(arguments)).toxml()
    except Exception as error:  # xacro has many
        raise ValueError(f"{path}: xacro: {error}") from error
    return text


def parse(
    text: Union[str, bytes],
    folder: _Path = ".",
    *,
    packages: Optional[Mapping[str, _Path]] = None,
    convex: Optional[bool] = True,
    max_vertices: int = 4096,
    missing: str = "error",
    xacro: Optional[Mapping[str, str]] = None,
    up_axis: bool = False,
    progress: Optional[_Progress] = None,
    name: str = "",
) -> Robot:
    """The Robot of a URDF document. folder: where relative names of mesh files begin. name: of the document, for messages. Others: see load()."""
    if missing not in ("error", "skip"):
        raise ValueError(f"missing: {missing!r}; it must be 'error' or 'skip'")
    report = Report(name)
    root = parse_xml(text, report)
    if name and _is_xacro(root, name):
        report = Report(name)
        root = parse_xml(_without_xacro(name, xacro or {}), report)
    geometry = _Geometry(Files(folder, packages or {}), convex, max_vertices, missing == "skip", up_axis, report)
    if local_name(root) == "sdf":
        return robot_of_sdf(root, _sdf_body(geometry), report)
    if local_name(root) == "mujoco":
        return robot_of_mjcf(with_includes(root, pathlib.Path(folder), report), geometry.shape, report)
    if local_name(root) != "robot":
        raise report.error(root, f"the document is <{root.tag}>; a URDF file is <robot>, an SDF file <sdf>, an MJCF file <mujoco>")
    return _robot(root, geometry, report, progress)


def load(
    path: _Path,
    *,
    packages: Optional[Mapping[str, _Path]] = None,
    convex: Optional[bool] = True,
    max_vertices: int = 4096,
    missing: str = "error",
    xacro: Optional[Mapping[str, str]] = None,
    up_axis: bool = False,
    progress: Optional[_Progress] = None,
) -> Robot:
    """The Robot of a URDF file, of an MJCF file, or the first model of an SDF file.

    ValueError names the file, the line and the link or joint that is wrong. Transmissions, inertias and visuals are not read.
    Irregularities that have one meaning are a DescriptionWarning each, and in Robot.warnings: a declaration that is not first, commas, four numbers for
    three, two links with one name, a mimic of a mimic, several roots, and so on.

    packages: the folder of each package of "package://name/...". Others are looked for in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and Gazebo's paths, and beside
    the file and its parents: folders of that name, or with a package.xml of that name. Mesh files: see read_triangles(). convex: True takes their convex
    hulls, of at most max_vertices vertices; None the triangles where they are not convex; False always the triangles. A pair of two such meshes may have
    no answer: the column ``status`` of a result says so.
    up_axis: Collada's <up_axis> is honoured, which RViz, MoveIt and Gazebo do not.
    missing: "error" raises MissingMesh where a mesh is not there or cannot be read; "skip" leaves its body out, with a warning.
    xacro: arguments of a xacro file, which Python's xacro reads where it is installed.
    progress(done, links) is called before each link: meshes of a robot may take seconds.
    """
    data, folder = pathlib.Path(path).read_bytes(), pathlib.Path(path).parent
    options: Dict[str, Any] = {"packages": packages, "convex": convex, "max_vertices": max_vertices, "missing": missing, "xacro": xacro, "up_axis": up_axis}
    return parse(data, folder, progress=progress, name=os.fspath(path), **options)
