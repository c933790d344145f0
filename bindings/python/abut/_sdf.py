"""SDF files: the model's links, collisions and joints, as far as collisions need them. Poses are resolved by relative_to."""

import dataclasses
import xml.etree.ElementTree as ElementTree
from typing import Callable, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._description import Element, Report, number, numbers
from ._joints import VALUES, Joint, rpy_matrices
from ._robot import Body, Robot
from ._shapes import Shape

_Floats = npt.NDArray[np.float64]
_MODEL = "__model__"
_KINDS = {"ball": "spherical", **{kind: kind for kind in VALUES}}


def with_attributes(element: ElementTree.Element) -> Element:
    """SDF's <box><size>1 2 3</size></box> as URDF has it: <box size="1 2 3">."""
    made = Element(element.tag, dict(element.attrib))
    made.line = getattr(element, "line", 0)
    for child in element:
        if not len(child):
            made.set({"uri": "filename", "radii": "size"}.get(str(child.tag), str(child.tag)), (child.text or "").strip())
    return made


def _pose(element: ElementTree.Element, where: str, report: Report) -> Tuple[str, _Floats]:
    """The frame that a <pose> is in, or "", and the matrix: x y z roll pitch yaw."""
    given, matrix = element.find("pose"), np.eye(4)
    if given is None or not (given.text or "").strip():
        return (given.get("relative_to", "") if given is not None else ""), matrix
    holder = Element("pose", {"pose": (given.text or "").strip()})
    holder.line = getattr(given, "line", 0)
    values = numbers(holder, "pose", [0.0] * 6, where, report)
    if given.get("degrees", "") in ("true", "1"):
        values[3:] = np.radians(values[3:])
    matrix = rpy_matrices(values[None, 3:])[0]
    matrix[:3, 3] = values[:3]
    return given.get("relative_to", ""), matrix


class _Frames:
    """Poses of links, joints and frames in the model, each given in another frame."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._given: Dict[str, Tuple[str, _Floats, ElementTree.Element]] = {}

    def add(self, element: ElementTree.Element, otherwise: str) -> None:
        name = element.get("name", "")
        relative, matrix = _pose(element, f"{element.tag} {name!r}", self._report)
        self._given[name] = (relative or otherwise, matrix, element)

    def pose(self, name: str, depth: int = 0) -> _Floats:
        if name in (_MODEL, "world", ""):
            return np.eye(4)
        if name not in self._given:
            raise ValueError(self._report.where(None, f"there is no frame {name!r}"))
        relative, matrix, element = self._given[name]
        if depth > len(self._given):
            raise self._report.error(element, f"{element.tag} {name!r}: its pose is relative to itself")
        posed: _Floats = self.pose(relative, depth + 1) @ matrix
        return posed


def _axis(joint: ElementTree.Element, where: str, report: Report) -> Tuple[_Floats, float, float]:
    """The unit axis as it is written, and the limits."""
    axis = joint.find("axis")
    if axis is None:
        return np.array([0.0, 0, 1]), -np.inf, np.inf
    given = with_attributes(axis)
    vector = numbers(given, "xyz", [0, 0, 1], where, report)
    length = float(np.linalg.norm(vector))
    limit = axis.find("limit")
    ends = with_attributes(limit) if limit is not None else Element("limit")
    lower, upper = (number(ends, key, value, where, report, finite=False) for key, value in (("lower", -np.inf), ("upper", np.inf)))
    # 1e16 is SDF's way to say that there is none.
    return vector / length if length > 0 else vector, lower if lower > -1e15 else -np.inf, upper if upper < 1e15 else np.inf


def robot_of_sdf(root: ElementTree.Element, body: Callable[[ElementTree.Element, str], Optional[Tuple[Shape, _Floats]]], report: Report) -> Robot:
    """The first model. body: makes a collision element's shape, with the pose that its kind adds."""
    model = next(root.iter("model"), None)
    if model is None:
        raise report.error(root, "there is no model")
    if len(root.findall("model")) + len(root.findall("world/model")) > 1:
        report.warn(model, f"only the first model, {model.get('name', '')!r}, is read")
    for element in model:
        if element.tag in ("include", "model"):
            report.warn(element, f"<{element.tag}> within the model is not read")
    links, joints, frames = model.findall("link"), model.findall("joint"), _Frames(report)
    for element in links:
        frames.add(element, _MODEL)
    for element in joints:
        frames.add(element, (element.findtext("child") or "").strip())
    for element in model.findall("frame"):
        frames.add(element, element.get("attached_to", _MODEL))
    names = [element.get("name", "") for element in links]
    bodies: List[Body] = []
    for i, element in enumerate(links):
        for collision in element.findall("collision"):
            where = f"link {names[i]!r}"
            found = body(collision, where)
            if found:
                relative, matrix = _pose(collision, where, report)
                own = matrix if not relative else np.linalg.inv(frames.pose(names[i])) @ frames.pose(relative) @ matrix
                bodies.append(Body(i, found[0], own @ found[1]))
    made: List[Joint] = []
    touching: List[Tuple[str, str]] = []
    for element in joints:
        _add_joint(element, frames, names, made, touching, report)
    # A link that no joint moves stands where the model has it.
    moved = {joint.child for joint in made}
    loose = [name for name in names if name not in moved and not np.allclose(frames.pose(name), np.eye(4))]
    if loose:
        names.append(_MODEL)
        made += [Joint(f"{_MODEL}/{name}", "fixed", _MODEL, name, frames.pose(name), np.zeros(3)) for name in loose]
    try:
        robot = Robot(model.get("name", ""), names, made, bodies, (), touching)
    except ValueError as error:
        raise report.error(model, str(error)) from None
    robot.warnings = list(report.warnings)
    return robot


def _add_joint(element: ElementTree.Element, frames: _Frames, links: List[str], joints: List[Joint], touching: List[Tuple[str, str]], report: Report) -> None:
    """A joint whose frame is not its child's gets a link for its frame, to which the child is fixed."""
    name = element.get("name", "")
    where, kind = f"joint {name!r}", element.get("type", "")
    if kind not in _KINDS:
        raise report.error(element, f"{where}: type {kind!r}; it must be one of {', '.join(_KINDS)}")
    parent, child = ((element.findtext(tag) or "").strip() for tag in ("parent", "child"))
    if parent == "world" and parent not in links:
        links.append(parent)
    axis, lower, upper = _axis(element, where, report)
    xyz = element.find("axis/xyz")
    expressed = xyz.get("expressed_in", "") if xyz is not None else ""
    if (element.findtext("axis/use_parent_model_frame") or "").strip() in ("1", "true"):
        expressed = _MODEL
    pose = frames.pose(name)
    if expressed:
        axis = np.linalg.inv(pose)[:3, :3] @ frames.pose(expressed)[:3, :3] @ axis
    origin = np.linalg.inv(frames.pose(parent)) @ pose
    to_child = np.linalg.inv(pose) @ frames.pose(child)
    joint = Joint(name, _KINDS[kind], parent, child, origin, axis, lower, upper)
    if not np.allclose(to_child, np.eye(4), atol=1e-12):
        if joint.kind == "fixed":
            joint = dataclasses.replace(joint, origin=origin @ to_child)
        else:
            frame = f"{name}/frame"
            links.append(frame)
            touching.append((parent, child))
            joints.append(Joint(f"{name}/child", "fixed", frame, child, to_child, np.zeros(3)))
            joint = dataclasses.replace(joint, child=frame)
    joints.append(joint)
