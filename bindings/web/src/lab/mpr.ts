// Minkowski portal refinement, one step at a time, to compare it with GJK and EPA [Snethen 2008, "XenoCollide"]. For teaching only: the library does not
// use it. It answers whether a ray from an inner point of B - A through the origin leaves B - A behind the origin; the triangle that the ray leaves by
// is the portal. It has no distance of separated shapes, and its depth is one along the ray, which may be greater than the least depth.
import * as THREE from "three";
import type { Step, SupportOf } from "./gjk.js";

const maxSteps = 40;
const tolerance = 1e-5;

const axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
const triple = (a: THREE.Vector3, b: THREE.Vector3, c: THREE.Vector3) => a.clone().cross(b).dot(c);
const normalOf = (a: THREE.Vector3, b: THREE.Vector3, c: THREE.Vector3) => b.clone().sub(a).cross(c.clone().sub(a)).normalize();

/** The mean of six support points: inside, wherever the shape's own origin is. */
function innerPoint(support: SupportOf): THREE.Vector3 {
    return axes.reduce((sum, axis) => sum.add(support(new THREE.Vector3(...axis))), new THREE.Vector3()).divideScalar(axes.length);
}

class Search {
    readonly steps: Step[] = [];
    private readonly inner: THREE.Vector3;
    private portal: THREE.Vector3[] = [];

    constructor(private readonly support: SupportOf) {
        this.inner = innerPoint(support);
        this.note("MPR begins with a point inside B - A. The ray from it through the origin decides.", null);
    }

    run(): Step[] {
        if (this.inner.length() < tolerance) this.note("The inner point is the origin: the shapes overlap.", null);
        else if (this.findPortal()) this.refine();
        return this.steps;
    }

    private note(text: string, added: THREE.Vector3 | null, nearest: THREE.Vector3 | null = null): void {
        this.steps.push({ kind: "mpr", vertices: [...this.portal], triangles: this.portal.length === 3 ? [[0, 1, 2]] : [], nearest, added, text, inner: this.inner });
    }

    /** The support point, which joins the portal; null if its plane has the origin outside. */
    private add(direction: THREE.Vector3): THREE.Vector3 | null {
        const added = this.support(direction.clone().normalize());
        if (added.dot(direction) > 0) return added;
        this.portal.push(added);
        this.note("The plane through this support point separates the origin from B - A: the shapes are apart. MPR has no distance.", added);
        return null;
    }

    /** Three points around the ray. */
    private findPortal(): boolean {
        const { inner } = this, first = this.add(inner.clone().negate());
        if (!first) return false;
        this.portal = [first];
        this.note("The first point: the support towards the origin.", first);
        const aside = first.clone().cross(inner);
        if (aside.length() < tolerance * inner.length()) {
            this.note("The ray passes through this point, and the origin is before it: the shapes overlap.", null);
            return false;
        }
        const second = this.add(aside);
        if (!second) return false;
        this.portal = [first, second];
        this.note("The second point: away from the ray.", second);
        if (triple(first.clone().sub(inner), second.clone().sub(inner), inner) > 0) this.portal.reverse();
        while (this.steps.length < maxSteps) {
            const [a, b] = this.portal, third = this.add(a.clone().sub(inner).cross(b.clone().sub(inner)));
            if (!third) return false;
            this.portal = [a, b, third];
            const misses = triple(a, third, inner) < 0 ? [a, third] : triple(third, b, inner) < 0 ? [third, b] : null;
            this.note(misses ? "The ray does not pass through this triangle: one of its points is replaced." : "The ray passes through this triangle: it is the portal.", third);
            if (!misses) return true;
            this.portal = misses;
        }
        return false;
    }

    /** The portal moves out along its normal until it lies on the surface. */
    private refine(): void {
        const { inner } = this;
        let isInside = false;
        while (this.steps.length < maxSteps) {
            const [a, b, c] = this.portal, normal = normalOf(a, b, c), isInsideNow = normal.dot(a) >= 0;
            const crossed = isInsideNow && !isInside ? "The origin is on the inner side of the portal: the shapes overlap. " : "";
            isInside ||= isInsideNow;
            const added = isInside ? this.support(normal) : this.add(normal);
            if (!added) return;
            const gain = added.clone().sub(c).dot(normal), foot = normal.clone().multiplyScalar(normal.dot(added));
            if (gain <= tolerance) {
                const text = isInside ? `${crossed}The portal lies on the surface: the depth along its normal is ${foot.length().toPrecision(6)}. The least depth may be smaller, in another direction.`
                                      : "The portal lies on the surface, and the origin is outside it: the shapes are apart.";
                return this.note(text, null, isInside ? foot : null);
            }
            this.note(`${crossed}The support along the portal's normal replaces one of its points; the ray stays inside.`, added);
            const across = added.clone().cross(inner);
            const replaced = a.dot(across) > 0 ? (b.dot(across) > 0 ? 0 : 2) : c.dot(across) > 0 ? 1 : 0;
            this.portal = this.portal.map((point, i) => (i === replaced ? added : point));
        }
        this.note(`This is the last step shown: ${isInside ? "the shapes overlap" : "the portal has not reached the surface"}.`, null);
    }
}

/** All steps of MPR. */
export const portalSteps = (support: SupportOf): Step[] => new Search(support).run();
