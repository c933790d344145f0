"""A planner of 60 lines: two rapidly-exploring random trees [Kuffner, LaValle 2000] for an arm among obstacles.

Edges are checked by casts, not by samples.

    python3 rrt.py                # arm.urdf beside this file
"""

import pathlib
import time

import numpy as np

import abut

STEP = 0.1  # radians, of all joints together, between two poses of a path
MARGIN = 0.002  # metres: a body leaves the straight path between two poses by at most reach * STEP^2 / 8, 1.5 mm at 1.2 m


class Scene:
    def __init__(self, robot, obstacles):
        self.robot, self.store, self.narrow = robot, abut.ShapeStore(), abut.NarrowPhase()
        self.shapes = robot.add_to(self.store)
        self.pairs = robot.self_collision_pairs(abut.urdf.disabled_pairs(robot, samples=2000))
        self.obstacles = {name: (shape.add_to(self.store), pose) for name, (shape, pose) in obstacles.items()}
        self.edges, self.seconds = 0, 0.0

    def at(self, q):
        return self.robot.configurations(self.store, q, self.pairs, shapes=self.shapes, obstacles=self.obstacles)

    def is_free_edge(self, a, b):
        """No pair comes within MARGIN on the way: proved along the whole path, not only where it was sampled."""
        start = time.perf_counter()
        way = self.at(np.linspace(a, b, 2 + int(np.abs(b - a).sum() / STEP)))
        bodies = way.records()
        cast = self.narrow.cast(self.store, bodies[0], way.pairs, ends=list(bodies[1:]), target=MARGIN)
        self.edges, self.seconds = self.edges + 1, self.seconds + time.perf_counter() - start
        return len(cast.hits) == 0


def plan(scene, start, goal, rng, reach=0.5, most=2000):
    """Configurations from start to goal, or None: two trees that grow towards samples, and towards each other."""
    lower, upper = np.maximum(scene.robot.lower, -np.pi), np.minimum(scene.robot.upper, np.pi)
    trees = [([start], [0]), ([goal], [0])]

    def grow(tree, aim):
        """Adds the nodes on the way from the nearest one to aim, as far as it is free. True if it is free up to there."""
        nodes, parents = tree
        near = int(np.linalg.norm(np.array(nodes) - aim, axis=1).argmin())
        while (left := np.linalg.norm(aim - nodes[near])) > 0:
            new = aim if left <= reach else nodes[near] + (aim - nodes[near]) * (reach / left)
            if not scene.is_free_edge(nodes[near], new):
                return False
            nodes.append(new)
            parents.append(near)
            near = len(nodes) - 1
        return True

    def way_back(tree):
        nodes, parents = tree
        at, way = len(nodes) - 1, [nodes[-1]]
        while at:
            at = parents[at]
            way.append(nodes[at])
        return way

    for i in range(most):
        one, other = trees[i % 2], trees[1 - i % 2]
        grow(one, rng.uniform(lower, upper))
        if grow(other, one[0][-1]):
            return np.array([*way_back(trees[0])[::-1], *way_back(trees[1])[1:]])
    return None


def post_and_table():
    robot = abut.urdf.load(pathlib.Path(__file__).with_name("arm.urdf"))
    upright = [0.5**0.5, 0, 0, 0.5**0.5]  # a cylinder is along Y
    obstacles = {"table": (abut.Box([1, 1, 0.05]), [0, 0, -0.06]), "post": (abut.Cylinder(0.05, 0.5), ([0.45, 0, 0.5], upright))}
    start = np.array([-0.9, 0.9, 0, 0.7, 0, 0, 0, 0.02])
    return Scene(robot, obstacles), start, start * [-1, 1, 1, 1, 1, 1, 1, 1]


def main():
    scene, start, goal = post_and_table()
    began = time.perf_counter()
    path = plan(scene, start, goal, np.random.default_rng(3))
    print(f"a path of {len(path)} configurations in {time.perf_counter() - began:.2f} s")
    print(f"{scene.edges} edges, {1e6 * scene.seconds / scene.edges:.0f} microseconds each, {len(scene.at(start).pairs)} pairs")


if __name__ == "__main__":
    main()
