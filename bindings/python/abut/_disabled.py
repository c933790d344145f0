"""Pairs of links that need no check: from SRDF files, and found from the robot itself; SRDF files of them."""

import os
import pathlib
import xml.sax.saxutils
from typing import Callable, Dict, Iterable, List, Optional, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import NarrowPhase, ShapeStore, Status
from ._description import Report, parse_xml
from ._robot import DisabledPair, Robot

_Path = Union[str, "os.PathLike[str]"]
_BLOCK = 500  # configurations of one call
_ALWAYS = 0.95  # of the configurations, as MoveIt has it


def disabled_pairs(
    robot: Union[Robot, _Path],
    samples: int = 10_000,
    seed: int = 0,
    *,
    never: bool = False,
    progress: Optional[Callable[[int, int], object]] = None,
) -> List[DisabledPair]:
    """Pairs of links that need no check, for Robot.self_collision_pairs: of a robot, or those that an SRDF file has (<disable_collisions>).

    Of a robot they are found as MoveIt's setup assistant finds them. DisabledPair.reason is the first that holds:
      "Adjacent": a joint joins the links.
      "Default": they overlap where all values are 0, or the limit that is nearest to 0.
      "Always": they overlap in 95% of the samples or more.
      "Never": they overlap in none. Such a pair may still overlap somewhere else, so they are left out of the list unless ``never``.
    samples: random configurations within the limits; values without limits are in [-pi, pi]. seed: equal seeds give equal pairs.
    progress(done, samples) is called after each 500.
    A pair of bodies without an answer, such as two meshes that are not convex, counts as apart and is never listed as "Never".
    """
    if not isinstance(robot, Robot):
        return _of_srdf(robot)
    if samples < 1:
        raise ValueError(f"samples: {samples}; at least 1 is needed")
    reasons: Dict[Tuple[int, int], str] = {}
    pairs = robot.self_collision_pairs(adjacent=True)
    links = np.array([body.link for body in robot.bodies], np.int64)[pairs.astype(np.int64)].reshape(-1, 2)
    keys, group = np.unique(np.sort(links, axis=1), axis=0, return_inverse=True)
    adjacent = robot.adjacent_links()
    lower, upper = np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi)
    default = np.clip(0.0, robot.lower, robot.upper)
    if len(pairs):
        overlaps = _Overlaps(robot, pairs, group.reshape(-1), len(keys))
        at_default = overlaps.count(default[None]) > 0
        rng = np.random.default_rng(seed)
        hits = np.zeros(len(keys), np.int64)
        for first in range(0, samples, _BLOCK):
            block = min(_BLOCK, samples - first)
            hits += overlaps.count(rng.uniform(np.minimum(lower, upper), upper, (block, len(lower))))
            if progress is not None:
                progress(first + block, samples)
        for k, key in enumerate(keys.tolist()):
            if at_default[k]:
                reasons[key[0], key[1]] = "Default"
            elif hits[k] >= _ALWAYS * samples:
                reasons[key[0], key[1]] = "Always"
            elif never and hits[k] == 0 and overlaps.has_answer[k]:
                reasons[key[0], key[1]] = "Never"
    reasons.update({key: "Adjacent" for key in adjacent})
    return [DisabledPair(robot.links[a], robot.links[b], reasons[a, b]) for a, b in sorted(reasons)]


class _Overlaps:
    """Counts configurations in which two links overlap."""

    def __init__(self, robot: Robot, pairs: npt.NDArray[np.uint32], group: npt.NDArray[np.int64], groups: int) -> None:
        self._robot, self._pairs, self._group, self._groups = robot, pairs, group, groups
        self._store, self._narrow = ShapeStore(), NarrowPhase()
        self._shapes = robot.add_to(self._store)
        self.has_answer = np.ones(groups, bool)

    def count(self, q: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """By pair of links: in how many of these configurations it overlaps."""
        all = self._robot.configurations(self._store, q, self._pairs, shapes=self._shapes)
        found = self._narrow.overlap_configurations(all)
        self.has_answer[self._group[np.flatnonzero((found.status.reshape(len(q), -1) > Status.not_converged).any(axis=0))]] = False
        pair = found.hits % len(self._pairs)
        once = np.unique(np.stack([found.hits // len(self._pairs), self._group[pair]], 1), axis=0)
        return np.bincount(once[:, 1], minlength=self._groups)


def _of_srdf(path: _Path) -> List[DisabledPair]:
    report = Report(os.fspath(path))
    root = parse_xml(pathlib.Path(path).read_bytes(), report)
    pairs: List[DisabledPair] = []
    for element in root.iter("disable_collisions"):
        source = report.where(element, "").rstrip(": ")
        pairs.append(DisabledPair(element.get("link1", ""), element.get("link2", ""), element.get("reason", ""), source))
    for element in root.iter("disable_default_collisions"):
        report.warn(element, f"disable_default_collisions of link {element.get('link')!r} is not read")
    return pairs


def write_srdf(path: _Path, robot: Robot, pairs: Iterable[Tuple[str, str]]) -> None:
    """Writes an SRDF file of pairs of links: those of disabled_pairs with their reasons, others with the reason "User"."""
    quoted = xml.sax.saxutils.quoteattr
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<robot name={quoted(robot.name)}>"]
    for pair in pairs:
        reason = getattr(pair, "reason", "") or "User"
        lines.append(f"  <disable_collisions link1={quoted(pair[0])} link2={quoted(pair[1])} reason={quoted(reason)}/>")
    pathlib.Path(path).write_text("\n".join([*lines, "</robot>", ""]), encoding="utf-8")
