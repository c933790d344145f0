"""For a planner in Python: a robot arm of six joints in 10,000 configurations, on numpy arrays.

One call has the least distance of each configuration. A gradient leads an arm that is too near away from the obstacle.
The program fails if the gradient is not the slope of the distance, or the arm stays too near.
"""

import numpy as np

import abut

AXES = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 1, 0]])  # of the joints, in their links
LENGTHS = np.array([0.3, 0.4, 0.4, 0.3, 0.2, 0.1])  # from each joint to the next, along the link's Y axis, metres
CLEARANCE = 0.05


def multiply(a, b):
    """Quaternions (..., 4) as x, y, z, w: first b, then a."""
    (ax, ay, az, aw), (bx, by, bz, bw) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    x, y = aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx
    return np.stack([x, y, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz], -1)


def rotate(q, v):
    """Vectors (..., 3) by quaternions (..., 4)."""
    twice = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * twice + np.cross(q[..., :3], twice)


def links_of(angles):
    """Forward kinematics of (n, 6) angles: positions (n, 6, 3) and orientations (n, 6, 4) of the links."""
    position, orientation = np.zeros((len(angles), 3)), np.tile([0.0, 0, 0, 1], (len(angles), 1))
    positions, orientations = [], []
    for axis, length, angle in zip(AXES, LENGTHS, angles.T):
        orientation = multiply(orientation, np.column_stack([np.sin(angle / 2)[:, None] * axis, np.cos(angle / 2)]))
        positions.append(position), orientations.append(orientation)
        position = position + rotate(orientation, np.array([0, length, 0]))
    return np.stack(positions, 1), np.stack(orientations, 1)


store = abut.ShapeStore()
links = np.array([store.add_capsule(0.06, length / 2, pose=([0, length / 2, 0],)) for length in LENGTHS], np.uint32)
obstacles = abut.make_bodies(
    positions=[[1.4, 0.2, 0], [0.6, 0.75, 0.3]], shapes=[store.add_box([1, 0.05, 1]), store.add_cylinder(0.1, 0.5)]
)
# Links that are not neighbours, and links with obstacles, whose indices follow.
pairs = [(a, b) for a in range(6) for b in range(a + 2, 8) if b < 6 or a > 0]
narrow = abut.NarrowPhase()


def least_distance(angles):
    positions, orientations = links_of(angles)
    return narrow.least_distance(
        abut.Configurations(store, links, pairs, positions=positions, orientations=orientations, obstacles=obstacles)
    )


def gradient(angles, pair):
    """The derivative of a pair's distance by each joint: the joint's rotation moves all links after it."""
    positions, orientations = (pose[0] for pose in links_of(angles[None]))
    bodies = np.concatenate([abut.make_bodies(positions=positions, shapes=links, orientations=orientations), obstacles])
    frame = abut.Frame(store, bodies, [pair])
    g = abut.distance_gradients(frame, narrow.distance(frame))
    axes = rotate(orientations, AXES)
    slope = np.zeros(6)
    parts = (pair[0], g.position_a[0], g.rotation_a[0]), (pair[1], g.position_b[0], g.rotation_b[0])
    for body, by_position, by_rotation in parts:
        moved = np.arange(6) <= body if body < 6 else np.zeros(6, bool)
        velocities = np.cross(axes, bodies["position"][body] - positions)
        slope += np.where(moved, velocities @ by_position + axes @ by_rotation, 0)
    return slope


def main():
    samples = np.random.default_rng(1).uniform(-2, 2, (10_000, 6))
    least = least_distance(samples).signed_distance
    print(f"{len(samples)} configurations, {len(pairs)} pairs each: {100 * np.mean(least <= 0):.0f}% collide")

    angles = samples[np.argmax((least > 0.01) & (least < 0.02))]
    now = least_distance(angles[None])
    for step in range(100):
        slope = gradient(angles, pairs[now.pair[0]])
        angles = angles + 0.005 * slope / max(slope @ slope, 1e-3)  # 5 mm
        following = least_distance(angles[None])
        gain = (following.signed_distance[0] - now.signed_distance[0]) / 0.005
        assert step > 0 or abs(gain - 1) < 0.1, gain
        now = following
        if now.signed_distance[0] >= CLEARANCE:
            break
    assert now.signed_distance[0] >= CLEARANCE, now.signed_distance[0]
    print("one that is 1 to 2 cm from a collision moves along the gradient until it is 5 cm away")


if __name__ == "__main__":
    main()
