// See signed_distance.hpp. Converts a pair to grid units, runs GJK and EPA on the cores, and adds the radii.
#include "convex/exact/signed_distance.hpp"

#include "convex/exact/epa.hpp"
#include "convex/exact/exact_witness.hpp"
#include "convex/exact/flat.hpp"
#include "convex/exact/halfspace.hpp"
#include "shapes/hull_support.hpp"
#include "shapes/tables.hpp"

namespace abut::exact {
namespace {

struct LoadedPair {
    CorePair pair;
    Mat3 a_to_world{};
    Vec3d centre_a{};     // A's core centre, world axes, relative to A's position
    double metres = 1;    // per grid unit
    double radius_a = 0;  // metres
    double radii = 0;     // grid units
};

// A core in metres with its centre and axes in the body's frame, and the radius swept around it.
struct Placed {
    Core core;
    Vec3d centre{};
    Mat3 axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double radius = 0;
};

// Axes with y along `direction`.
Mat3 axes_along(const Vec3d& direction) {
    const Vec3d y = unit(direction), size = absolute(y);
    const Vec3d least_axis = size.x <= size.y && size.x <= size.z ? Vec3d{1, 0, 0}
                             : size.y <= size.z                   ? Vec3d{0, 1, 0}
                                                                  : Vec3d{0, 0, 1};
    const Vec3d z = unit(cross(least_axis, y)), x = cross(y, z);
    return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

Placed placed_hull(const Shape& shape) {
    const HullGeometry& hull = *shape.hull;
    const Vec3d& scale = shape.extents;
    Placed placed = {core_of(shape), core_centre(shape)};
    placed.radius = shape.radius;
    if (hull.vertex_count != 2) return placed;
    const Vec3d p = times(scale, vertex_at(hull, 0)), q = times(scale, vertex_at(hull, 1));
    if (is_zero(q - p)) return placed;
    placed.core = {ShapeKind::capsule, {0, norm(q - p) * 0.5, 0}};
    placed.centre = placed.centre + (p + q) * 0.5;
    placed.axes = axes_along(q - p);
    return placed;
}

// Replaces a shape by an equal simpler one: a hull of two points, and a cylinder or cone without radius, by a segment;
// a cone without height by a disc; an ellipsoid of equal radii by a ball. Simple cores have exact answers, and axes for
// cells.
Placed placed_core(const Shape& shape) {
    const Vec3d& e = shape.extents;
    if (shape.kind == ShapeKind::hull && shape.points.empty()) return placed_hull(shape);
    Placed placed = {core_of(shape)};
    placed.radius = shape.radius;
    if (!shape.points.empty()) return placed;
    Core& core = placed.core;
    if ((core.kind == ShapeKind::cylinder || core.kind == ShapeKind::cone) && e.x == 0)
        core = {ShapeKind::capsule, {0, e.y, 0}};
    if (core.kind == ShapeKind::cone && e.y == 0) core = {ShapeKind::cylinder, {e.x, 0, e.z}};
    if (core.kind == ShapeKind::ellipsoid && e.x == e.y && e.y == e.z) {
        placed.radius += e.x - core.erosion;
        core = {ShapeKind::sphere, {}};
    }
    return placed;
}

Core in_units(Core core, double units) {
    core.half = core.half * units;
    core.erosion *= units;
    core.units *= units;
    return core;
}

// Promise 1's bound, metres. `apart`: the separation, if positive.
double bound_of(const Shape& a, const Shape& b, double apart) {
    return kToleranceSmaller * min(a.size, b.size) + kToleranceLarger * max(max(a.size, b.size), apart);
}

// A's axes in the world, B's axes in A's, and the offset from A to B in A's axes.
struct Placement {
    Mat3 body_a, b_in_a;
    Vec3d between;
};

Placement placement_of(const Posed& a, const Posed& b) {
    const Quatd qa = to_double(a.orientation), qb = to_double(b.orientation);
    const Mat3 body_a = rotation(qa);
    return {body_a, rotation(relative(qa, qb)),
            transposed_times(body_a, to_double(b.position) - to_double(a.position))};
}

Status load_pair(const Shape& a, const Shape& b, const Placement& placement, double curved_share, LoadedPair& out) {
    if (!has_core(a) || !has_core(b)) return Status::unsupported;
    const Placed core_a = placed_core(a), core_b = placed_core(b);
    const Mat3 &body_a = placement.body_a, &b_in_a = placement.b_in_a;
    out.a_to_world = body_a * core_a.axes;
    out.pair.b_to_a = transposed(core_a.axes) * (b_in_a * core_b.axes);
    const Vec3d offset = transposed_times(core_a.axes, placement.between + (b_in_a * core_b.centre - core_a.centre));
    const double reach = (norm(offset) + core_reach(a) + core_reach(b)) * 1.0001;
    if (!(reach < std::numeric_limits<double>::infinity())) return Status::bad_pose;  // NaN included
    const double units = kGridReach / 2 * scale_to_one(reach);
    out.metres = 1.0 / units;
    out.radius_a = core_a.radius;
    out.radii = (core_a.radius + core_b.radius) * units;
    out.centre_a = body_a * core_a.centre;
    out.pair.a = in_units(core_a.core, units);
    out.pair.b = in_units(core_b.core, units);
    out.pair.offset = offset * units;
    const double bound = units * bound_of(a, b, 0);
    if (is_curved(core_a.core.kind) || is_curved(core_b.core.kind))
        out.pair.tolerance = max(kGridTolerance, curved_share * bound);
    out.pair.allowed = kVertexCellShare * max(kGridTolerance, kExactCurvedShare * bound);
    return Status::ok;
}

// The answer for the cores alone: grid units, A's axes.
struct CoreAnswer {
    double distance = 0, gap = 0;  // gap: between the bounds
    Vec3d normal{};
    Vertex witness{};
};

CoreAnswer answer_apart(const GjkResult& found) {
    return {found.distance, found.gap, -unit(found.v), nearest_vertex(found)};
}

// The documented normal, in world axes, of a flat difference that contains the origin.
Vec3d conventional_normal(const Flatness& flat, const LoadedPair& loaded) {
    if (flat.dimension == 0) return {0, 1, 0};
    const Vec3d axis = unit(loaded.a_to_world * flat.axis);
    if (flat.dimension == 1) {
        const Vec3d preferred = axis.y * axis.y <= 0.75 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
        return unit(preferred - axis * dot(axis, preferred));
    }
    const double towards_b = dot(loaded.pair.offset, flat.axis);
    if (std::fabs(towards_b) > 2 * kGridTolerance) return towards_b > 0 ? axis : -axis;
    const double up = axis.y != 0 ? axis.y : axis.x != 0 ? axis.x : axis.z;
    return up > 0 ? axis : -axis;
}

// The point nearest to the origin in a tetrahedron that is flat except for rounding: the nearest point of its nearest
// face.
Vertex nearest_in(const Simplex& s) {
    if (s.count < 4) return combine(s.p, s.count, weights_of(s.p, s.count, {}));
    Vertex best{};
    double least_square = std::numeric_limits<double>::infinity();
    for (int left_out = 0; left_out < 4; ++left_out) {
        Simplex face;
        for (int i = 0; i < 4; ++i)
            if (i != left_out) face.p[face.count++] = s.p[i];
        const Nearest nearest = nearest_to_origin(face);
        if (nearest.square >= least_square) continue;
        least_square = nearest.square;
        keep(face, nearest);
        best = combine(face.p, face.count, weights_of(face.p, face.count, nearest.v));
    }
    return best;
}

// A flat difference that contains the origin has depth 0, although rounding makes it look solid, equally deep in a
// circle of directions.
CoreAnswer answer_overlapping(const CorePair& pair, const Flatness& flat, Simplex simplex) {
    if (flat.dimension < 3) return {0, 0, {0, 1, 0}, nearest_in(simplex)};
    if (!grow_to_tetrahedron(pair, simplex)) return {0, 0, square_to(simplex), nearest_in(simplex)};
    const EpaResult found = epa(pair, simplex);
    return {-found.depth, found.depth - found.lower, found.normal, found.witness};
}

Answer answer_swept(const LoadedPair& loaded, const CoreAnswer& core, const Vec3d& normal, const Shape& a,
                    const Shape& b) {
    Answer answer;
    answer.normal = normal;
    answer.signed_distance = (core.distance - loaded.radii) * loaded.metres;
    // The witness points differ by w, which is -distance * normal plus a rounding error; each gets half of the error.
    const Vec3d on_a = loaded.a_to_world * (core.witness.a - core.witness.w * 0.5) - normal * (core.distance * 0.5);
    answer.point_a = loaded.centre_a + on_a * loaded.metres + normal * loaded.radius_a;
    answer.point_b = answer.point_a + normal * answer.signed_distance;
    const bool proved =
        core.gap <= 4 * kGridTolerance || core.gap * loaded.metres <= bound_of(a, b, answer.signed_distance);
    answer.status = proved ? Status::ok : Status::not_converged;
    return answer;
}

Answer distance_of(const Shape& a, const Shape& b, const Placement& placement, const Options& options) {
    Answer answer;
    LoadedPair loaded;
    answer.status = load_pair(a, b, placement, options.fine_normals ? kFineCurvedShare : kExactCurvedShare, loaded);
    if (answer.status != Status::ok) return answer;
    const double beyond = options.max_distance / loaded.metres + loaded.radii;
    const GjkResult found = gjk(loaded.pair, {beyond, options.separation_only ? loaded.radii : -1.0});
    if (found.cores == Cores::beyond || (found.cores == Cores::apart && found.distance > beyond)) {
        answer.signed_distance = std::numeric_limits<double>::infinity();
        return answer;
    }
    if (found.cores == Cores::within || (options.separation_only && found.cores == Cores::overlap)) return answer;

    const bool overlap = found.cores == Cores::overlap;
    const Flatness flat = overlap || found.distance <= kGridTolerance ? flatness(loaded.pair) : Flatness{};
    const CoreAnswer core = overlap ? answer_overlapping(loaded.pair, flat, found.simplex) : answer_apart(found);
    const Vec3d normal = flat.dimension < 3 ? conventional_normal(flat, loaded) : unit(loaded.a_to_world * core.normal);
    return answer_swept(loaded, core, normal, a, b);
}

}  // namespace

Shape shape_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hulls,
               const CustomShape* const* customs) {
    Shape shape;
    shape.kind = kind;
    shape.extents = {record.extent_x, record.extent_y, record.extent_z};
    shape.radius = record.radius;
    shape.size = record.size;
    if (kind == ShapeKind::hull) shape.hull = &hulls[record.geometry];
    if (kind == ShapeKind::ellipsoid) shape.erosion = erosion_of(record);
    if (kind == ShapeKind::custom) shape.custom = customs[record.geometry], shape.reach = record.bound_radius;
    if (kind == ShapeKind::halfspace) shape.offset = offset_of(record);
    return shape;
}

Shape shape_of(const ShapeTables& tables, ShapeId id) {
    return shape_of(id.kind(), tables.record(id), tables.hulls.data(), tables.customs.data());
}

Answer signed_distance(const Posed& a, const Posed& b, const Options& options) {
    if (is_halfspace(a) || is_halfspace(b)) return halfspace_distance(a, b, options);
    return distance_of(a.shape, b.shape, placement_of(a, b), options);
}

Answer point_distance(const Shape& shape, const Vec3d& point, const Options& options) {
    constexpr Mat3 kIdentity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return distance_of(shape, Shape(), {kIdentity, kIdentity, point}, options);
}

bool overlaps(const Posed& a, const Posed& b) {
    if (is_halfspace(a) || is_halfspace(b)) {
        const Answer answer = halfspace_distance(a, b, {});
        return answer.status == Status::ok && answer.signed_distance <= 0;
    }
    LoadedPair loaded;
    if (load_pair(a.shape, b.shape, placement_of(a, b), kExactCurvedShare, loaded) != Status::ok) return false;
    const GjkResult found = gjk(loaded.pair, {loaded.radii, loaded.radii});
    return found.cores == Cores::within || found.cores == Cores::overlap ||
           (found.cores == Cores::apart && found.distance <= loaded.radii);
}

}  // namespace abut::exact
