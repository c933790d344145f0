// A robot: its joints, which the page's sliders move, and the frame of bodies that they give. abut.urdf.Robot.view writes it.
import type { Quat, Vec3 } from "../abut/shapes.js";
import type { Frame } from "./scene.js";

/** x, y, z and the unit quaternion x, y, z, w. */
type PoseNumbers = [number, number, number, number, number, number, number];

/** As abut/kinematics.hpp: kind (0 fixed, 1 revolute, 2 prismatic), parent, index of its value, pose in the parent, unit axis, multiplier, offset. */
export type JointNumbers = [number, number, number, PoseNumbers, Vec3, number, number];

export interface Robot {
    /** What the sliders set: radians or metres. */
    values: { name: string; lower: number; upper: number; value: number; unit: "rad" | "m" }[];
    joints: JointNumbers[];
    base: PoseNumbers;
    /** Of each body: a joint, `baseFrame` or `worldFrame`, and the pose in its frame. */
    bodies: { name: string; shape: number; joint: number; pose: PoseNumbers }[];
    /** Two body indices for each. */
    pairs: number[];
}

export const baseFrame = 0xffffffff, worldFrame = 0xfffffffe;

interface Pose {
    position: Vec3;
    orientation: Quat;
}

function product(a: Quat, b: Quat): Quat {
    const [ax, ay, az, aw] = a, [bx, by, bz, bw] = b;
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz, aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz];
}

function rotated(q: Quat, v: Vec3): Vec3 {
    const [x, y, z] = product(product(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]);
    return [x, y, z];
}

function within(parent: Pose, pose: Pose): Pose {
    const [x, y, z] = rotated(parent.orientation, pose.position), [px, py, pz] = parent.position;
    return { position: [px + x, py + y, pz + z], orientation: product(parent.orientation, pose.orientation) };
}

const poseOf = ([x, y, z, ...q]: PoseNumbers): Pose => ({ position: [x, y, z], orientation: q });

function motion(kind: number, [x, y, z]: Vec3, by: number): Pose {
    const sine = Math.sin(by / 2), position: Vec3 = kind === 2 ? [by * x, by * y, by * z] : [0, 0, 0];
    return { position, orientation: kind === 1 ? [sine * x, sine * y, sine * z, Math.cos(by / 2)] : [0, 0, 0, 1] };
}

/** The bodies at these values. */
export function frameOf(robot: Robot, values: number[]): Frame {
    const frames: Pose[] = [], world = poseOf([0, 0, 0, 0, 0, 0, 1]), base = poseOf(robot.base);
    const frame = (joint: number): Pose => joint === worldFrame ? world : joint === baseFrame ? base : frames[joint];
    for (const [kind, parent, value, pose, axis, multiplier, offset] of robot.joints) {
        frames.push(within(within(frame(parent), poseOf(pose)), motion(kind, axis, multiplier * (values[value] ?? 0) + offset)));
    }
    const poses = robot.bodies.map(({ joint, pose }) => within(frame(joint), poseOf(pose)));
    return {
        label: "joints", shapes: Uint32Array.from(robot.bodies, ({ shape }) => shape), pairs: Uint32Array.from(robot.pairs),
        margins: new Float32Array(),
        positions: Float32Array.from(poses.flatMap(({ position }) => position)), orientations: Float32Array.from(poses.flatMap(({ orientation }) => orientation)),
    };
}
