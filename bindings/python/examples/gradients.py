"""Moves a tool to a target past an obstacle with scipy.optimize: distances are constraints, and their gradients come from abut.distance_gradients.

    python3 gradients.py

The tool has six degrees of freedom, a translation and a rotation vector. Before, its gradient is checked against central differences.
"""

import numpy as np
from scipy.optimize import minimize

import abut

CLEARANCE = 0.05  # metres
START, TARGET = np.array([-1.5, 0.02, 0.01]), np.array([1.5, 0.0, 0.0])

store = abut.ShapeStore()
tool = store.add_capsule(0.08, 0.3)
obstacles = [store.add_cylinder(0.5, 0.6), store.add_box([0.3, 0.2, 0.4])]
bodies = abut.make_bodies(positions=[START, [0, 0, 0], [0.4, 0.9, 0]], shapes=[tool, *obstacles])
frame = abut.Frame(store, bodies, [[1, 0], [2, 0]])  # each obstacle and the tool, which is B
narrow = abut.NarrowPhase(threads=1)
distances, gradients = abut.Distances(), abut.Gradients()


def quaternion(v):
    """Of a rotation vector, (x, y, z, w)."""
    angle = np.linalg.norm(v)
    return np.append(v * (0.5 * np.sinc(angle / (2 * np.pi))), np.cos(angle / 2))


def left_jacobian(v):
    """The rotation vector, along world axes, by which a change of v turns the body."""
    angle = np.linalg.norm(v)
    x, y, z = v
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    if angle < 1e-4:
        return np.eye(3) + k / 2
    return np.eye(3) + k * ((1 - np.cos(angle)) / angle**2) + k @ k * ((angle - np.sin(angle)) / angle**3)


def move_to(pose):
    bodies["position"][0] = pose[:3]
    bodies["orientation"][0] = quaternion(pose[3:])


def clearance(pose):
    """What each distance has beyond the clearance: 0 or more is allowed."""
    move_to(pose)
    return narrow.distance(frame, out=distances).signed_distance.astype(float) - CLEARANCE


def clearance_jacobian(pose):
    move_to(pose)
    narrow.distance(frame, out=distances)
    g = abut.distance_gradients(frame, distances, out=gradients)
    return np.hstack([g.position_b, g.rotation_b @ left_jacobian(pose[3:])]).astype(float)


def check_gradient(pose, step=1e-2):
    """The largest difference from central differences. Distances are float32: the step is a large one, and what is of order step**2 is taken out."""

    def differences(h):
        return np.array([(clearance(pose + h * e) - clearance(pose - h * e)) / (2 * h) for e in np.eye(6)]).T

    return np.abs(clearance_jacobian(pose) - (4 * differences(step / 2) - differences(step)) / 3).max()


def plan(steps=12):
    """Waypoints from the start to the target: each is as near as the clearance allows, within a step of the one before."""
    path, pose = [np.append(START, np.zeros(3))], np.append(START, np.zeros(3))
    for step in range(steps):
        goal = START + (TARGET - START) * (step + 1) / steps
        pose = next_pose(pose, goal)
        path.append(pose)
    return path


def next_pose(pose, goal):
    return minimize(
        lambda p: np.sum((p[:3] - goal) ** 2) + 0.1 * np.sum(p[3:] ** 2),
        pose,
        jac=lambda p: np.append(2 * (p[:3] - goal), 0.2 * p[3:]),
        constraints={"type": "ineq", "fun": clearance, "jac": clearance_jacobian},
        method="SLSQP",
        options={"maxiter": 100, "ftol": 1e-8},
    ).x


def main():
    pose = np.array([-0.9, 0.3, 0.2, 0.4, -0.2, 0.3])
    print(f"gradient: within {check_gradient(pose):.0e} of central differences")
    path = plan()
    least = min(clearance(pose).min() for pose in path) + CLEARANCE
    print(f"path: {len(path)} waypoints, least distance {least:.3f} m, ends {np.linalg.norm(path[-1][:3] - TARGET):.3f} m from the target")


if __name__ == "__main__":
    main()
