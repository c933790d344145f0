// See exact.hpp: loads a pair into grid units, asks GJK and EPA about the cores, and sweeps the answer by the radii.
#include "depth/exact.hpp"

#include "depth/exact_epa.hpp"
#include "depth/exact_flat.hpp"
#include "depth/exact_halfspace.hpp"
#include "depth/exact_witness.hpp"

namespace abut::exact {
namespace {

struct Loaded {
    CorePair pair;
    Mat3 a_to_world{};
    Vec3d centre_a{};    // A's core centre, world axes, relative to A's position
    double metres = 1;   // a grid unit
    double radii = 0;    // grid units
};

Vec3d extents_of(const Shape& shape) { return {shape.extents[0], shape.extents[1], shape.extents[2]}; }

Vec3d centre_of(const Shape& shape) {
    if (shape.kind != ShapeKind::hull) return {};
    const Vec3& c = shape.hull->centre;
    return {shape.extents[0] * c.x, shape.extents[1] * c.y, shape.extents[2] * c.z};
}

Core core_of(const Shape& shape, double units) { return {shape.kind, extents_of(shape) * units, shape.hull, shape.erosion * units}; }

double smaller_size(const Posed& a, const Posed& b) { return a.shape.size < b.shape.size ? a.shape.size : b.shape.size; }
double larger_size(const Posed& a, const Posed& b) { return a.shape.size < b.shape.size ? b.shape.size : a.shape.size; }

// A curved core's bounds need not meet closer than this part of promise 1's bound; each halving of it doubles the polytope of a
// cylinder in a cylinder.
constexpr double kCurvedShare = 0.1;

Status load(const Posed& a, const Posed& b, Loaded& out) {
    if (!has_core(a.shape.kind) || !has_core(b.shape.kind)) return Status::unsupported;
    const Quatd qa = to_double(a.orientation), qb = to_double(b.orientation);
    out.a_to_world = rotation(qa);
    out.pair.b_to_a = rotation(relative(qa, qb));
    const Vec3d between = {double{b.position.x} - a.position.x, double{b.position.y} - a.position.y,
                           double{b.position.z} - a.position.z};
    const Vec3d centre_a = centre_of(a.shape);
    const Vec3d offset = transposed_times(out.a_to_world, between) + (out.pair.b_to_a * centre_of(b.shape) - centre_a);
    const double reach = (norm(offset) + core_reach(a.shape) + core_reach(b.shape)) * 1.0001;
    if (!(reach < std::numeric_limits<double>::infinity())) return Status::bad_pose;  // NaN included
    const double units = kGridReach / 2 * scale_to_one(reach);
    out.metres = 1.0 / units;
    out.radii = (a.shape.radius + b.shape.radius) * units;
    out.centre_a = out.a_to_world * centre_a;
    out.pair.a = core_of(a.shape, units);
    out.pair.b = core_of(b.shape, units);
    out.pair.offset = offset * units;
    if (is_curved(a.shape.kind) || is_curved(b.shape.kind)) {
        const double allowed = kCurvedShare * units * (1e-5 * smaller_size(a, b) + 1e-6 * larger_size(a, b));
        out.pair.tolerance = allowed > kTolerance ? allowed : kTolerance;
    }
    return Status::ok;
}

// What the cores alone say: grid units, A's axes.
struct CoreAnswer {
    double distance = 0, gap = 0;  // gap: between the bounds
    Vec3d normal{};
    Vertex witness{};
};

CoreAnswer apart(const GjkResult& found) {
    const Weights weights = weights_of(found.simplex.p, found.simplex.count, found.v);
    return {found.distance, found.gap, -unit(found.v), combine(found.simplex.p, found.simplex.count, weights)};
}

// The documented normal of a flat difference through the origin, in world axes.
Vec3d conventional_normal(const Flatness& flat, const Loaded& loaded) {
    if (flat.dimension == 0) return {0, 1, 0};
    const Vec3d axis = unit(loaded.a_to_world * flat.axis);
    if (flat.dimension == 1) {
        const Vec3d preferred = axis.y * axis.y <= 0.75 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
        return unit(preferred - axis * dot(axis, preferred));
    }
    const double towards_b = dot(loaded.pair.offset, flat.axis);
    if (std::fabs(towards_b) > 2 * kTolerance) return towards_b > 0 ? axis : -axis;
    const double up = axis.y != 0 ? axis.y : axis.x != 0 ? axis.x : axis.z;
    return up > 0 ? axis : -axis;
}

CoreAnswer overlapping(const CorePair& pair, Simplex simplex) {
    if (!grow_to_tetrahedron(pair, simplex)) {
        // Flat, and the simplex holds the origin: depth 0.
        const Weights weights = weights_of(simplex.p, simplex.count, {});
        return {0, 0, square_to(simplex), combine(simplex.p, simplex.count, weights)};
    }
    const EpaResult found = epa(pair, simplex);
    return {-found.depth, found.depth - found.lower, found.normal, found.witness};
}

Answer sweep(const Loaded& loaded, const CoreAnswer& core, const Vec3d& normal, const Posed& a, const Posed& b) {
    Answer answer;
    answer.normal = normal;
    answer.signed_distance = (core.distance - loaded.radii) * loaded.metres;
    // The witnesses differ by w, which is -distance * normal but for rounding: each takes half of the rest.
    const Vec3d on_a = loaded.a_to_world * (core.witness.a - core.witness.w * 0.5) - normal * (core.distance * 0.5);
    answer.point_a = loaded.centre_a + on_a * loaded.metres + normal * a.shape.radius;
    answer.point_b = answer.point_a + normal * answer.signed_distance;
    const double larger = larger_size(a, b), apart = answer.signed_distance > larger ? answer.signed_distance : larger;
    const bool proved = core.gap <= 4 * kTolerance || core.gap * loaded.metres <= 1e-5 * smaller_size(a, b) + 1e-6 * apart;
    answer.status = proved ? Status::ok : Status::not_converged;
    return answer;
}

}  // namespace

Answer signed_distance(const Posed& a, const Posed& b, const Options& options) {
    if (is_halfspace(a) || is_halfspace(b)) return halfspace_distance(a, b, options);
    Answer answer;
    Loaded loaded;
    answer.status = load(a, b, loaded);
    if (answer.status != Status::ok) return answer;
    const double beyond = options.max_distance / loaded.metres + loaded.radii;
    const GjkResult found = gjk(loaded.pair, {beyond, options.separation_only ? loaded.radii : -1.0});
    if (found.cores == Cores::beyond || (found.cores == Cores::apart && found.distance > beyond)) {
        answer.signed_distance = std::numeric_limits<double>::infinity();
        return answer;
    }
    if (found.cores == Cores::within || (options.separation_only && found.cores == Cores::overlap)) return answer;

    const CoreAnswer core = found.cores == Cores::apart ? apart(found) : overlapping(loaded.pair, found.simplex);
    if (std::fabs(core.distance) <= kTolerance) {
        const Flatness flat = flatness(loaded.pair);
        if (flat.dimension < 3) return sweep(loaded, core, conventional_normal(flat, loaded), a, b);
    }
    return sweep(loaded, core, unit(loaded.a_to_world * core.normal), a, b);
}

bool overlaps(const Posed& a, const Posed& b) {
    if (is_halfspace(a) || is_halfspace(b)) {
        const Answer answer = halfspace_distance(a, b, {});
        return answer.status == Status::ok && answer.signed_distance <= 0;
    }
    Loaded loaded;
    if (load(a, b, loaded) != Status::ok) return false;
    const GjkResult found = gjk(loaded.pair, {loaded.radii, loaded.radii});
    return found.cores == Cores::within || found.cores == Cores::overlap ||
           (found.cores == Cores::apart && found.distance <= loaded.radii);
}

}  // namespace abut::exact
