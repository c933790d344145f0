// What compare.mjs measures. Each row has 4,096 pairs of one kind, of 64 random shapes, whose boxes meet: about half overlap. Two sets of poses
// alternate, so that neither library has the answers of the round before.
//   distance   abut: one World.distance call. Rapier: contactShape, one call a pair, with shapes, vectors and a target made beforehand
//   contacts   abut: one World.collide call, a margin of 2 cm. Rapier: World.timingNarrowPhase of a step with a prediction distance of 2 cm, the
//              bodies of each pair far from all others; its broad phase and solver are not counted
// abut's times are those of the call, with the copies of its arrays into the module and out of it; Rapier's contacts stay in the module.
import RAPIER from "@dimforge/rapier3d-compat";
import { load } from "../build/package/index.js";

const pairs = 4096, distinct = 64, rounds = 12, margin = 0.02, cell = 12;

// Between 0 and 1: mulberry32, the same numbers everywhere.
function random(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

function direction(next) {
    for (;;) {
        const v = [0, 0, 0].map(() => 2 * next() - 1), length = Math.hypot(...v);
        if (length > 0.1 && length < 1) return v.map((x) => x / length);
    }
}
function orientation(next) {
    const half = Math.PI * next(), axis = direction(next);
    return [...axis.map((x) => x * Math.sin(half)), Math.cos(half)];
}

const kinds = {
    "sphere": (next) => ({ shape: "sphere", radius: 0.3 + 0.7 * next() }),
    "capsule": (next) => ({ shape: "capsule", radius: 0.2 + 0.4 * next(), half_height: 0.2 + 0.6 * next() }),
    "box": (next) => ({ shape: "box", half_extents: [0, 0, 0].map(() => 0.2 + 0.6 * next()) }),
    "cylinder": (next) => ({ shape: "cylinder", radius: 0.3 + 0.5 * next(), half_height: 0.3 + 0.5 * next() }),
    "hull16": (next) => hull(16, next), "hull32": (next) => hull(32, next),
};
function hull(count, next) {
    const radii = [0, 0, 0].map(() => 0.4 + 0.4 * next());
    return { shape: "hull", vertices: Array.from({ length: count }, () => direction(next).map((x, axis) => Math.fround(x * radii[axis]))) };
}

function rapierShape(shape) {
    switch (shape.shape) {
        case "sphere": return new RAPIER.Ball(shape.radius);
        case "capsule": return new RAPIER.Capsule(shape.half_height, shape.radius);
        case "box": return new RAPIER.Cuboid(...shape.half_extents);
        case "cylinder": return new RAPIER.Cylinder(shape.half_height, shape.radius);
        default: return new RAPIER.ConvexPolyhedron(Float32Array.from(shape.vertices.flat()), null);
    }
}
function rapierDescription(shape) {
    switch (shape.shape) {
        case "sphere": return RAPIER.ColliderDesc.ball(shape.radius);
        case "capsule": return RAPIER.ColliderDesc.capsule(shape.half_height, shape.radius);
        case "box": return RAPIER.ColliderDesc.cuboid(...shape.half_extents);
        case "cylinder": return RAPIER.ColliderDesc.cylinder(shape.half_height, shape.radius);
        default: return RAPIER.ColliderDesc.convexHull(Float32Array.from(shape.vertices.flat()));
    }
}

// Half the edges of the box around a posed shape, from its supports.
function reach(shape, [x, y, z, w]) {
    const rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                  [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]];
    return rows.map(([a, b, c]) => {
        switch (shape.shape) {
            case "sphere": return shape.radius;
            case "capsule": return shape.radius + Math.abs(b) * shape.half_height;
            case "box": return Math.abs(a) * shape.half_extents[0] + Math.abs(b) * shape.half_extents[1] + Math.abs(c) * shape.half_extents[2];
            case "cylinder": return Math.hypot(a, c) * shape.radius + Math.abs(b) * shape.half_height;
            default: return Math.max(...shape.vertices.map((v) => Math.abs(a * v[0] + b * v[1] + c * v[2])));
        }
    });
}

/** Poses of both bodies of each pair, in a cell of its own of a grid. */
function poses(shapes, next) {
    const positions = new Float32Array(6 * pairs), orientations = new Float32Array(8 * pairs);
    for (let i = 0; i < pairs; ++i) {
        const origin = [i % 16, Math.floor(i / 16) % 16, Math.floor(i / 256)].map((k) => cell * k - 6 * cell);
        for (;;) {
            const q = [orientation(next), orientation(next)], way = direction(next), apart = 0.3 + 1.2 * next();
            const [a, b] = [0, 1].map((end) => reach(shapes[(2 * i + end) % distinct], q[end]));
            if (way.some((x, axis) => Math.abs(x * apart) > a[axis] + b[axis])) continue;
            positions.set([...origin, ...origin.map((x, axis) => x + way[axis] * apart)], 6 * i);
            orientations.set(q.flat(), 8 * i);
            break;
        }
    }
    return { positions, orientations };
}

async function measure(abut, row, seed) {
    const next = random(seed), [first, second] = row.split("-"), shapes = Array.from({ length: distinct }, (_, i) => kinds[i % 2 ? second : first](next));
    const sets = [poses(shapes, next), poses(shapes, next)], indices = Uint32Array.from({ length: 2 * pairs }, (_, i) => i);
    const world = abut.createWorld({ margin }), ids = shapes.map((shape) => world.addShape(shape));
    const bodies = sets.map((set) => ({ ...set, shapes: indices.map((i) => ids[i % distinct]) }));

    const theirShapes = shapes.map(rapierShape);
    const xyz = (of, i) => ({ x: of[3 * i], y: of[3 * i + 1], z: of[3 * i + 2] }), xyzw = (of, i) => ({ x: of[4 * i], y: of[4 * i + 1], z: of[4 * i + 2], w: of[4 * i + 3] });
    const posed = sets.map((set) => Array.from({ length: 2 * pairs }, (_, i) => ({ p: xyz(set.positions, i), q: xyzw(set.orientations, i) })));
    const rapier = new RAPIER.World({ x: 0, y: 0, z: 0 });
    rapier.profilerEnabled = true;
    rapier.integrationParameters.normalizedPredictionDistance = margin;
    rapier.integrationParameters.numSolverIterations = 1;
    const rigid = Array.from({ length: 2 * pairs }, (_, i) => {
        const body = rapier.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setCanSleep(false));
        rapier.createCollider(rapierDescription(shapes[i % distinct]), body);
        return body;
    });

    const best = { distance: { abut: Infinity, rapier: Infinity }, contacts: { abut: Infinity, rapier: Infinity } };
    const timed = (query, of, run) => {
        const begin = performance.now(), given = run();
        best[query][of] = Math.min(best[query][of], (1e6 * (given ?? performance.now() - begin)) / pairs);
    };
    let distances, difference = 0;
    const theirs = new Float64Array(pairs), found = { point1: { x: 0, y: 0, z: 0 }, point2: { x: 0, y: 0, z: 0 }, normal1: { x: 0, y: 0, z: 0 }, normal2: { x: 0, y: 0, z: 0 }, distance: 0 };
    for (let round = 0; round < rounds; ++round) {
        const set = round % 2;
        timed("distance", "abut", () => void (distances = world.distance(bodies[set], indices)));
        timed("distance", "rapier", () => {
            const at = posed[set];
            for (let i = 0; i < pairs; ++i) {
                const a = at[2 * i], b = at[2 * i + 1];
                const contact = theirShapes[(2 * i) % distinct].contactShape(a.p, a.q, theirShapes[(2 * i + 1) % distinct], b.p, b.q, 10, found);
                theirs[i] = contact === null ? NaN : contact.distance;
            }
        });
        timed("contacts", "abut", () => void world.collide(bodies[set], indices));
        rigid.forEach((body, i) => {
            body.setTranslation(posed[set][i].p, true);
            body.setRotation(posed[set][i].q, true);
            body.setLinvel({ x: 0, y: 0, z: 0 }, true);
            body.setAngvel({ x: 0, y: 0, z: 0 }, true);
        });
        rapier.step();
        const milliseconds = rapier.timingNarrowPhase();
        if (round > 1) timed("contacts", "rapier", () => milliseconds);
    }
    // Depths differ where a search of theirs stops early: of separated pairs alone.
    distances.signedDistance.forEach((distance, i) => { if (distance > 0) difference = Math.max(difference, Math.abs(distance - theirs[i])); });
    const overlap = distances.signedDistance.filter((distance) => distance < 0).length / pairs;
    world.destroy();
    rapier.free();
    return { row, pairs, overlap, rounds, difference, ...best };
}

/** `module`: the bytes of abut.wasm.gz. */
export async function compare(module) {
    await RAPIER.init();
    const abut = await load(module), rows = [];
    for (const row of ["sphere-sphere", "capsule-capsule", "box-box", "hull16-hull16", "hull32-hull32", "cylinder-cylinder"]) rows.push(await measure(abut, row, 7));
    return rows;
}
