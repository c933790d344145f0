"""The page of Robot.view: that of `abut view`, with the robot's joints in place of frames."""

import base64
import json
import os
import pathlib
from typing import Any, Dict, List, Union

import numpy as np
import numpy.typing as npt

from . import ShapeStore, __version__

_MARGIN = 0.02  # metres: contacts are shown up to this far apart
_FOLDER = pathlib.Path(__file__).parent


def _fields(store: ShapeStore, shape: int) -> Dict[str, Any]:
    """What docs/formats.md has for the kind."""
    view = store.view(shape)
    kind = view.kind.name
    if kind == "sphere":
        return {"radius": view.radius}
    if kind in ("capsule", "cylinder", "cone"):
        return {"radius": view.radius, "half_height": view.half_height}
    if kind in ("box", "ellipsoid"):
        return {"half_extents" if kind == "box" else "radii": list(view.half_extents)}
    if kind == "halfspace":
        return {"normal": list(view.normal), "offset": view.offset}
    if kind == "hull":
        return {"vertices": store.hull_vertices(shape).tolist()}
    if kind == "mesh":
        triangles = store.mesh_triangles(shape)
        return {"vertices": store.mesh_vertices(shape).tolist(), "triangles": triangles[triangles.any(1)].tolist(), "sides": "both"}
    if kind == "compound":
        children = store.compound_children(shape)
        return {"children": [{"shape": _described(store, int(c["shape"])), "pos": c["position"].tolist(), "quat": c["orientation"].tolist()} for c in children]}
    raise ValueError(f"obstacles: the page has no {kind}")


def _described(store: ShapeStore, shape: int) -> Dict[str, Any]:
    view = store.view(shape)
    kind = view.kind.name
    made: Dict[str, Any] = {"shape": kind, **_fields(store, shape)}
    if kind != "compound":  # whose children have both
        if view.rounding:
            made["rounding"] = view.rounding
        if tuple(view.scale) != (1, 1, 1) and kind != "halfspace":
            made["scale"] = list(view.scale)
    return made


def _in_body(store: ShapeStore, shape: int, pose: List[float]) -> List[float]:
    """A body's pose and that of the shape on the body."""
    position, (x, y, z, w) = store.view(shape).pose
    q = np.array(pose[3:])
    v = q[:3]
    moved = np.array(pose[:3]) + position + 2 * np.cross(v, np.cross(v, position) + q[3] * np.asarray(position))
    turned = [*(q[3] * np.array([x, y, z]) + w * v + np.cross(v, [x, y, z])), q[3] * w - v @ [x, y, z]]
    return [float(number) for number in (*moved, *turned)]


def write_robot_page(path: Union[str, "os.PathLike[str]"], title: str, store: ShapeStore, shapes: npt.NDArray[np.uint32], robot: Dict[str, Any]) -> None:
    """`robot`: as bindings/web/src/scene/robot.ts has it, but for the shapes of its bodies."""
    different = list(dict.fromkeys(shapes.tolist()))
    for body, shape in zip(robot["bodies"], shapes.tolist()):
        body["shape"], body["pose"] = different.index(shape), _in_body(store, shape, body["pose"])
    scene = {"title": title, "version": __version__, "margin": _MARGIN, "shapes": [_described(store, shape) for shape in different], "robot": robot}
    text = json.dumps(scene, allow_nan=False).encode()
    page = (_FOLDER / "viewer.html").read_text("utf-8")
    gaps = {"@ABUT_MODULE@": (_FOLDER / "abut.wasm.gz").read_bytes(), "@ABUT_SCENE@": len(text).to_bytes(4, "little") + text}
    for gap, data in gaps.items():
        page = page.replace(gap, base64.b64encode(data).decode(), 1)
    pathlib.Path(path).write_text(page, "utf-8")
