"""Joints, and how they move: matrices by numpy, and the steps that abut/kinematics.hpp takes. Poses as matrices and as rows."""

import dataclasses
from typing import Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

# The values of a joint, as ends of its name.
VALUES: Dict[str, Tuple[str, ...]] = {
    "fixed": (),
    "revolute": ("",),
    "continuous": ("",),
    "prismatic": ("",),
    "planar": ("/x", "/y", "/yaw"),
    "spherical": ("/roll", "/pitch", "/yaw"),
    "floating": ("/x", "/y", "/z", "/roll", "/pitch", "/yaw"),
}


@dataclasses.dataclass(frozen=True)
class Joint:
    """A joint: ``parent`` and ``child`` are names of links, ``origin`` (4, 4) is the joint's frame in the parent's, ``axis`` is unit, in that frame.

    ``kind``: "fixed", "revolute", "continuous", "prismatic", "planar", "spherical" or "floating". ``mimic``: the joint that it follows, or None; its value
    is multiplier * that joint's + offset. ``lower`` and ``upper``: radians or metres, infinite where there is no limit.
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

    @property
    def values(self) -> Tuple[str, ...]:
        """Names of its values: its own, or of a joint with several name/x, /y, /z (metres), /roll, /pitch, /yaw (radians, about the fixed X, Y and Z).

        A planar joint moves along x and y, which the shortest rotation from Z to its axis takes from X and Y, and turns about the axis. One that
        mimics another, and a fixed one, has none.
        """
        return tuple(self.name + end for end in VALUES[self.kind]) if self.mimic is None else ()


def _rotations(axis: _Floats, angles: _Floats) -> _Floats:
    """(c, 4, 4): about a unit axis; of a zero axis the identity."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrices = np.zeros((len(angles), 4, 4))
    matrices[:, :3, :3] = np.eye(3) + np.sin(angles)[:, None, None] * cross + (1 - np.cos(angles))[:, None, None] * (cross @ cross)
    matrices[:, 3, 3] = 1
    return matrices


def rpy_matrices(angles: _Floats) -> _Floats:
    """(c, 4, 4) of (c, 3): rotations about the fixed axes X, Y and Z, in this order."""
    x, y, z = np.eye(3)
    turned: _Floats = _rotations(z, angles[:, 2]) @ _rotations(y, angles[:, 1]) @ _rotations(x, angles[:, 0])
    return turned


def motion_of(joint: Joint, values: _Floats) -> _Floats:
    """Poses (c, 4, 4) of the child in the joint's frame. values: (c, values of the joint)."""
    motion = np.zeros((len(values), 4, 4)) + np.eye(4)
    if joint.kind in ("revolute", "continuous"):
        return _rotations(joint.axis, values[:, 0])
    if joint.kind == "prismatic":
        motion[:, :3, 3] = values * joint.axis
    elif joint.kind == "planar":
        motion = _rotations(joint.axis, values[:, 2])
        motion[:, :3, 3] = values[:, :2] @ _plane(joint.axis).T
    elif joint.kind in ("spherical", "floating"):
        motion = rpy_matrices(values[:, -3:])
        if joint.kind == "floating":
            motion[:, :3, 3] = values[:, :3]
    return motion


def quaternions_of(m: _Floats) -> _Floats:
    """(..., 4), x, y, z, w, of rotations (..., 3, 3) [Shepperd 1978]: by the largest of the four, which is 1/2 or more."""
    x, y, z = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([x - y - z, y - z - x, z - x - y, x + y + z], -1) + 1  # four times each
    off = np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], -1)
    products = np.empty((*m.shape[:-2], 4, 4))  # four times q_i * q_j
    products[..., :3, :3] = m + np.swapaxes(m, -1, -2)
    products[..., :3, 3] = products[..., 3, :3] = off
    products[..., range(4), range(4)] = squares
    best = np.take_along_axis(products, squares.argmax(-1)[..., None, None], -2)[..., 0, :]
    unit: _Floats = best / np.linalg.norm(best, axis=-1, keepdims=True)
    return unit


def matrices_of(q: _Floats) -> _Floats:
    """(..., 3, 3) of quaternions (..., 4), x, y, z, w, of any length but 0."""
    v, w = q[..., :3], q[..., 3]
    squared = np.einsum("...i,...i", v, v)
    made: _Floats = 2 * v[..., :, None] * v[..., None, :] + (w * w - squared)[..., None, None] * np.eye(3)
    for i in range(3):
        k, m = (i + 1) % 3, (i + 2) % 3
        made[..., m, k] += 2 * w * v[..., i]
        made[..., k, m] -= 2 * w * v[..., i]
    made /= (squared + w * w)[..., None, None]
    return made


BASE_FRAME, WORLD_FRAME = 0xFFFFFFFF, 0xFFFFFFFE
JointStep = Tuple[int, int, int, _Floats, _Floats, float, float]  # kind, parent, value, pose, axis, multiplier, offset
_FIXED, _REVOLUTE, _PRISMATIC = 0, 1, 2


def _plane(axis: _Floats) -> _Floats:
    """(3, 2): X and Y, turned by the shortest rotation from Z to the axis; half a turn about X where they are opposite."""
    x, y, z = axis
    if z <= -1 + 1e-12:
        return np.diag([1.0, -1, -1])[:, :2]
    return np.array([[1 - x * x / (1 + z), -x * y / (1 + z)], [-x * y / (1 + z), 1 - y * y / (1 + z)], [-x, -y]])


def steps_of(joint: Joint) -> List[Tuple[int, _Floats, int]]:
    """The joint as joints of one value, one after another: kind, axis, which of its values."""
    x, y, z = np.eye(3)
    moves: List[Tuple[int, _Floats, int]] = []
    if joint.kind in ("revolute", "continuous"):
        moves = [(_REVOLUTE, joint.axis, 0)]
    elif joint.kind == "prismatic":
        moves = [(_PRISMATIC, joint.axis, 0)]
    elif joint.kind == "planar":
        along = _plane(joint.axis)
        moves = [(_PRISMATIC, along[:, 0], 0), (_PRISMATIC, along[:, 1], 1), (_REVOLUTE, joint.axis, 2)]
    elif joint.kind in ("spherical", "floating"):
        first = 3 if joint.kind == "floating" else 0
        moves = [(_PRISMATIC, axis, i) for i, axis in enumerate((x, y, z))][:first]
        moves += [(_REVOLUTE, z, first + 2), (_REVOLUTE, y, first + 1), (_REVOLUTE, x, first)]
    return [move if move[1].any() else (_FIXED, z, 0) for move in moves] or [(_FIXED, z, 0)]


def pose_rows(matrices: _Floats) -> _Floats:
    """(n, 7): position and quaternion x, y, z, w of poses (n, 4, 4); NaN where a matrix is no rotation."""
    axes = matrices[:, :3, :3]
    off = np.abs(axes @ np.swapaxes(axes, -1, -2) - np.eye(3)).max((-1, -2), initial=0)
    is_rotation = (off < 1e-3) & (np.linalg.det(axes) > 0)
    rows: _Floats = np.concatenate([matrices[:, :3, 3], np.where(is_rotation[:, None], quaternions_of(axes), np.nan)], 1)
    return rows


def unit(axis: _Floats) -> List[float]:
    return [float(x) for x in axis / (np.linalg.norm(axis) or 1.0)]
