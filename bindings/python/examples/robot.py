"""The self-distance of 1,000 configurations of an arm, from its URDF file, in one call.

    python3 robot.py                # arm.urdf beside this file
    python3 robot.py my_robot.urdf
"""

import pathlib
import sys

import numpy as np

import abut


def main(path, count=1000):
    robot = abut.urdf.load(path)
    pairs = robot.self_collision_pairs()
    rng = np.random.default_rng(1)
    q = rng.uniform(np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi), (count, len(robot.joint_names)))

    store = abut.ShapeStore()
    found = abut.NarrowPhase().distance_configurations(robot.configurations(store, q, pairs))
    distances = found.signed_distance.reshape(count, len(pairs))

    least = distances.min(axis=1)
    print(f"{robot.name}: {len(robot.joint_names)} joints, {len(robot.bodies)} bodies, {len(pairs)} pairs, {count:,} configurations")
    print(f"{np.mean(least <= 0):.1%} collide with themselves; the median of the others is {np.median(least[least > 0]):.3f} m apart")
    at = np.bincount(distances.argmin(axis=1), minlength=len(pairs)).argmax()
    a, b = (robot.links[robot.bodies[body].link] for body in pairs[at])
    print(f"most often nearest: {a} and {b}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("arm.urdf"))
