"""Triangles from files: by the readers of `abut cook`; what it wrote; and with trimesh installed all that trimesh reads."""

import os
import pathlib
import re
import warnings
from typing import Any, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import CookedMesh, ShapeStore, _read_triangle_file
from ._description import DescriptionWarning

_Triangles = Tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]]
_READ = (".obj", ".stl", ".ply", ".off", ".dae", ".3mf", ".gltf", ".glb")


def _read_cooked(data: bytes) -> _Triangles:
    store = ShapeStore()
    shape = store.add_mesh(CookedMesh.from_bytes(data))
    triangles = store.mesh_triangles(shape)
    kept: npt.NDArray[np.uint32] = triangles[triangles[:, 0] != triangles[:, 1]]
    return store.mesh_vertices(shape).astype(np.float64), kept


def _read_by_trimesh(name: str) -> _Triangles:
    try:
        import trimesh  # type: ignore[import]
    except ImportError:
        raise ValueError(f"{name}: read are {', '.join(_READ)} and .abutmesh; other files if trimesh is installed") from None
    try:
        mesh: Any = trimesh.load(name, force="mesh")
        return np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.uint32)
    except Exception as error:  # trimesh has many
        raise ValueError(f"{name}: trimesh cannot read it: {error}") from error


# [Khronos 2008]: rows of the rotation that takes the file's axes to those with Z up. A file without <up_axis> has Y up.
_WITH_Z_UP = {b"X_UP": [[0, -1, 0], [0, 0, -1], [1, 0, 0]], b"Y_UP": [[1, 0, 0], [0, 0, -1], [0, 1, 0]], b"Z_UP": np.eye(3)}


def _up_axis(data: bytes) -> npt.NDArray[np.float64]:
    found = re.search(rb"<(?:\w+:)?up_axis>\s*(\w+)\s*<", re.sub(rb"<!--.*?-->", b"", data, flags=re.DOTALL))
    return np.array(_WITH_Z_UP.get(found[1] if found else b"Y_UP", np.eye(3)), np.float64)


def read_triangles(path: Union[str, "os.PathLike[str]"], *, up_axis: bool = False) -> _Triangles:
    """Vertices (n, 3) float64 and triangles (t, 3) uint32 of a mesh file, all objects as one.

    Read are OBJ, STL, PLY, OFF, Collada (.dae), 3MF, glTF and .abutmesh (CookedMesh.to_bytes, `abut cook`); others if trimesh is installed. Vertices are in the
    file's unit, of Collada and 3MF in metres by their unit. up_axis: Collada's <up_axis> is honoured, so that Z is up; RViz, MoveIt and Gazebo do not apply
    it, and the meshes of robots fit without. A file of points has no triangles. What is irregular is a DescriptionWarning; ValueError names the file, where in it and what is wrong.
    """
    name, data = os.fspath(path), pathlib.Path(path).read_bytes()
    ending = pathlib.Path(path).suffix.lower()
    if ending == ".abutmesh":
        return _read_cooked(data)
    if ending not in _READ:
        return _read_by_trimesh(name)
    vertices, triangles, remarks = _read_triangle_file(data, name)
    for remark in remarks:
        warnings.warn(f"{name}: {remark}", DescriptionWarning, stacklevel=2)
    if up_axis and ending == ".dae":
        vertices = vertices @ _up_axis(data).T
    return vertices, triangles
