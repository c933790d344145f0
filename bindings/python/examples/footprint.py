"""The footprint check of a planner of planar robots: which poses of a robot's polygon collide with shelves, pillars and the walls of a room?

    python3 footprint.py

The walls are a chain: a clockwise loop, whose front is inside. The candidates of a pose are the obstacles within the robot's circumscribed circle, so that one call
answers all poses. Then one path is driven: its clearance at each pose, and where the robot would touch if it drove on.
"""

import numpy as np

import abut.d2

POSES, PADDING = 100_000, 0.05  # metres added to the footprint

store = abut.d2.ShapeStore()
robot = store.add_polygon([[-0.4, -0.3], [0.4, -0.3], [0.55, 0], [0.4, 0.3], [-0.4, 0.3]], rounding=PADDING)
walls = store.add_chain([[0, 0], [0, 12], [14, 12], [14, 8], [20, 8], [20, 0]], loop=True)
shelf, pillar = store.add_box([1.5, 0.4]), store.add_circle(0.3)

centres = [[3 + 4 * i, 3 + 3 * j] for i in range(3) for j in range(3)] + [[16, 2], [18, 4], [16, 6]]
obstacles = abut.d2.make_bodies(positions=centres + [[0, 0]], shapes=[shelf] * 9 + [pillar] * 3 + [walls], angles=[0.1] * 9 + [0] * 4)
reach = np.linalg.norm(store.view(robot).bounds_max)


def candidates(poses):
    """Pairs (pose, obstacle) whose circles meet; the walls are one for every pose."""
    radii = np.array([np.linalg.norm(store.view(int(shape)).bounds_max) for shape in obstacles["shape"]])
    apart = np.linalg.norm(poses["position"][:, None] - obstacles["position"][None], axis=2)
    near = apart <= reach + radii
    near[:, -1] = True
    pose, obstacle = np.nonzero(near)
    return np.stack([pose, len(poses) + obstacle], 1)


rng = np.random.default_rng(1)
poses = abut.d2.make_bodies(positions=rng.uniform([0, 0], [20, 12], (POSES, 2)), shapes=robot, angles=rng.uniform(-np.pi, np.pi, POSES))
pairs = candidates(poses)
narrow = abut.d2.NarrowPhase()
hits = narrow.overlap(store, np.concatenate([poses, obstacles]), pairs).hits
# A pose outside the room is behind the nearest wall, which then does not take part: its centre decides.
x, y = poses["position"].T
free = ((x < 14) | (y < 8)) & ~np.isin(np.arange(POSES), pairs[hits, 0])
print(f"{POSES:,} poses, {len(pairs) / POSES:.1f} pairs each: {100 * free.mean():.1f}% are free")

# A path between the shelves: its clearance, and the way that is left at its end.
turn = np.linspace(0, 1, 50)
path = abut.d2.make_bodies(positions=np.stack([1 + 11 * turn, 4.5 + 0.2 * np.sin(6 * turn)], 1), shapes=robot, angles=0.2 * np.cos(6 * turn))
on_path = np.concatenate([path, obstacles])
pairs = np.stack(np.meshgrid(np.arange(50), 50 + np.arange(len(obstacles)), indexing="ij"), -1).reshape(-1, 2)
clearance = narrow.distance(store, on_path, pairs).signed_distance.reshape(50, -1).min(1)
print(f"the path keeps {clearance.min():.3f} m, least at x = {path['position'][clearance.argmin(), 0]:.2f} m")

ends = on_path.copy()
ends["position"][49] += [10, 0]
cast = narrow.cast(store, on_path, pairs[-len(obstacles) :], ends=ends, reduction="first_of_body")
for i in cast.hits:
    print(f"driving on along x, the robot touches obstacle {pairs[-len(obstacles) + i, 1] - 50} after {10 * cast.time[i]:.2f} m")
