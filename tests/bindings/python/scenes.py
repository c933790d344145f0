"""Bodies for the tests."""

import numpy as np

import abut


def scene(count=200, seed=5):
    """A store, bodies and pairs, about half of which overlap."""
    rng = np.random.default_rng(seed)
    store = abut.ShapeStore()
    kinds = [
        store.add_sphere(0.4),
        store.add_capsule(0.2, 0.3),
        store.add_box([0.3, 0.4, 0.2]),
        store.add_hull(rng.standard_normal((20, 3)) * 0.4),
        store.add_cylinder(0.3, 0.3),
    ]
    rotation = rng.standard_normal((count, 4))
    rotation /= np.linalg.norm(rotation, axis=1, keepdims=True)
    bodies = abut.make_bodies(positions=rng.uniform(-0.6, 0.6, (count, 3)), shapes=rng.choice(kinds, count), orientations=rotation)
    pairs = rng.integers(count, size=(2 * count, 2)).astype(np.uint32)
    return store, bodies, pairs


def matrices(bodies):
    """Transforms (n, 4, 4) of float64, [row, column], C-ordered."""
    x, y, z, w = bodies["orientation"].astype(np.float64).T
    m = np.zeros((len(bodies), 4, 4))
    m[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    m[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    m[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    m[:, :3, 3] = bodies["position"]
    m[:, 3, 3] = 1
    return m
