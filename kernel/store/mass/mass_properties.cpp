// See abut/properties.hpp.
#include <abut/properties.hpp>

#include <cmath>

#include "base/memory.hpp"
#include "base/parallel/guarded_call.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/tables.hpp"
#include "store/mass/moments.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The moments of a body about the point `about`. The point is near the body's centre, so that cancellation costs little
// precision.
struct Placed {
    Moments moments;
    Vec3d about = {0, 0, 0};
};

bool is_flat(ShapeKind kind, const InstanceRecord& r, const HullGeometry* hull) {
    if (kind == ShapeKind::hull) return r.radius == 0 && hull->report.dimension < 3;
    if (kind == ShapeKind::custom) return false;
    if (kind == ShapeKind::box) return r.radius == 0 && (r.extent_x == 0 || r.extent_y == 0 || r.extent_z == 0);
    if (kind == ShapeKind::cylinder || kind == ShapeKind::cone)
        return r.radius == 0 && (r.extent_x == 0 || r.extent_y == 0);
    return kind != ShapeKind::ellipsoid && r.radius == 0;
}

Placed convex_moments(const ShapeTables& tables, ShapeId id) {
    const InstanceRecord& r = tables.record(id);
    const HullGeometry* const hull = id.kind() == ShapeKind::hull ? &tables.hulls[r.geometry] : nullptr;
    if (is_flat(id.kind(), r, hull)) return {};
    const Vec3d extents = {r.extent_x, r.extent_y, r.extent_z};
    // The radius is computed in double from the source, because the record's is rounded.
    const InstanceSource& source = tables.kinds[std::uint32_t(id.kind())].sources[id.slot()];
    const double rounding = r.rounding, round = double(source.radius) * source.scale.x + rounding;
    switch (id.kind()) {
        case ShapeKind::sphere: return {swept_frustum(0, 0, 0, round), {0, 0, 0}};
        case ShapeKind::capsule: return {swept_frustum(0, 0, extents.y, round), {0, 0, 0}};
        case ShapeKind::cylinder: return {swept_frustum(extents.x, extents.x, extents.y, rounding), {0, 0, 0}};
        case ShapeKind::cone: return {swept_frustum(extents.x, 0, extents.y, rounding), {0, 0, 0}};
        case ShapeKind::box: return {swept_polyhedron(tables.cube, extents, {1, 1, 1}, rounding), {0, 0, 0}};
        case ShapeKind::ellipsoid: return {swept_ellipsoid(extents, rounding), {0, 0, 0}};
        case ShapeKind::custom: return {swept_custom(*tables.customs[r.geometry], extents, rounding), {0, 0, 0}};
        case ShapeKind::hull:
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::mesh:
        case ShapeKind::heightfield:
        case ShapeKind::none: break;
    }
    const Vec3d c = maths::to_double(hull->centre);
    return {swept_polyhedron(*hull, extents, extents, rounding), {extents.x * c.x, extents.y * c.y, extents.z * c.z}};
}

// The moments of a compound about its centre of mass, in its own frame.
Placed compound_moments(const CompoundGeometry& compound, const ShapeTables& tables) {
    struct Part {
        Moments moments;
        Vec3d about;
    };
    Vector<Part> parts;
    Vec3d weighted = {0, 0, 0};
    double volume = 0;
    for (const CompoundPart& part : compound.parts) {
        const Placed child = convex_moments(tables, part.instance);
        const maths::Mat3 axes = maths::rotation(part.orientation);
        parts.push_back({turned(child.moments, axes), part.position + axes * child.about});
        const Part& p = parts.back();
        volume += p.moments.volume;
        weighted = weighted + p.moments.first + p.about * p.moments.volume;
    }
    Placed all;
    if (volume > 0) all.about = weighted * (1 / volume);
    for (const Part& p : parts) {
        const Moments m = moved(p.moments, p.about - all.about);
        all.moments.add(m.volume, m.first, m.second);
    }
    return all;
}

MassProperties properties_of(const Placed& body, double density) {
    const Moments& m = body.moments;
    const Vec3d offset = m.first * (1 / m.volume);
    const Symmetric s = (m.second + square(offset) * -m.volume) * density;
    const Vec3d centre = body.about + offset;
    return {m.volume,
            density * m.volume,
            {centre.x, centre.y, centre.z},
            s.yy + s.zz,
            s.xx + s.zz,
            s.xx + s.yy,
            -s.xy,
            -s.xz,
            -s.yz};
}

bool is_finite(const MassProperties& p) {
    for (const double value :
         {p.volume, p.mass, p.centre[0], p.centre[1], p.centre[2], p.ixx, p.iyy, p.izz, p.ixy, p.ixz, p.iyz})
        if (!std::isfinite(value)) return false;
    return true;
}

// Converts the moments of a shape from its own frame to the body's.
Placed posed(const RelativePose& pose, const Placed& shape) {
    if (!is_posed(pose)) return shape;
    const maths::Mat3 axes = maths::rotation(maths::to_double(pose.orientation));
    return {turned(shape.moments, axes), maths::to_double(pose.position) + axes * shape.about};
}

MassProperties flat_properties(const ShapeView& view) {
    MassProperties p;
    const auto middle = [](float low, float high) { return 0.5 * (double(low) + high); };
    const Vec3 &low = view.bounds_min, &high = view.bounds_max;
    const Vec3d centre =
        posed(view.pose, {{}, {middle(low.x, high.x), middle(low.y, high.y), middle(low.z, high.z)}}).about;
    p.centre[0] = centre.x, p.centre[1] = centre.y, p.centre[2] = centre.z;
    return p;
}

Expected<MassProperties> checked_properties(const ShapeStore& shapes, ShapeId id, double density) {
    const ShapeTables& tables = tables_of(shapes);
    if (!tables.lives(id)) return bad_argument(message_of("id names no living shape (id ", id.bits(), ")"));
    if (id.kind() == ShapeKind::halfspace)
        return Error{ErrorCode::unsupported, "a halfspace has no mass: it is infinite"};
    if (is_surface(id.kind()))
        return Error{ErrorCode::unsupported, message_of("a ", to_string(id.kind()), " has no mass: it is a surface")};
    if (!(std::isfinite(density) && density >= 0))
        return bad_argument(message_of("density must be finite and at least 0, but is ", density));
    const Placed shape =
        id.kind() == ShapeKind::compound ? compound_moments(tables.compound(id), tables) : convex_moments(tables, id);
    const ShapeView view = shapes.view(id);
    if (!(shape.moments.volume > 0)) return flat_properties(view);
    const MassProperties properties = properties_of(posed(view.pose, shape), density);
    if (!is_finite(properties))
        return Error{ErrorCode::limit,
                     message_of("the mass or inertia is past double's range (density ", density, ")")};
    return properties;
}

}  // namespace

Expected<MassProperties> mass_properties(const ShapeStore& shapes, ShapeId id, double density) {
    return guarded_call([&] { return checked_properties(shapes, id, density); });
}

}  // namespace abut
