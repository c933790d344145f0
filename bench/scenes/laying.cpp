// Flat on one another, see laying.hpp.
#include "scenes/laying.hpp"

#include "scenes/placing.hpp"
#include "scenes/turning.hpp"

namespace abut::scenes {

using oracle::Solid;
using oracle::Vec3d;

namespace {

constexpr double kDeepest = 0.05;  // of the smaller size

// A ring of `sides` corners about z, not quite regular.
std::vector<Vec3d> ring(int sides, double radius, double z, double phase) {
    std::vector<Vec3d> out;
    for (int i = 0; i < sides; ++i) {
        const Vec3d edge = turned_about_z(phase + double(i) / sides);
        out.push_back({radius * edge.x, radius * edge.y, z});
    }
    return out;
}

// Crates, prisms, frusta, wedges; some turned within their bodies, so that their faces are flat only to float32's
// rounding.
std::vector<Vec3d> crate_points(Random& random) {
    const double x = random.uniform(0.4, 1), y = random.uniform(0.4, 1), z = random.uniform(0.3, 1);
    std::vector<Vec3d> out;
    const std::uint32_t form = random.below(4);
    if (form == 0) {
        for (int i = 0; i < 8; ++i) out.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
    } else if (form == 3) {
        out = {{-x, -y, -z}, {x, -y, -z}, {-x, y, -z}, {x, y, -z}, {-x, 0, z}, {x, 0, z}};
    } else {
        const int sides = 3 + int(random.below(14));
        const double phase = random.uniform(), top = form == 1 ? 1 : random.uniform(0.4, 0.8);
        out = ring(sides, x, -z, phase);
        for (const Vec3d& v : ring(sides, x * top, z, phase)) out.push_back(v);
    }
    if (random.chance(0.5)) {
        const oracle::Rotation rotation = oracle::rotation_of(random.orientation());
        for (Vec3d& v : out) v = rotation * v;
    }
    return out;
}

Spot spot_on_face(const Solid& solid, Random& random) {
    const oracle::Polytope& core = solid.core;
    // The largest of a few random triangles: sides of a prism are many and small.
    Spot best;
    double largest = 0;
    for (int i = 0; i < 3; ++i) {
        const std::uint32_t* v = core.triangles[random.below(std::uint32_t(core.triangles.size()))].v;
        const Vec3d p = core.vertices[v[0]], e = core.vertices[v[1]] - p, f = core.vertices[v[2]] - p,
                    twice = cross(e, f);
        if (length(twice) <= largest) continue;
        largest = length(twice);
        const double s = random.uniform(), t = random.uniform() * (1 - s);
        best = {p + e * s + f * t, normalised(twice), normalised(e)};
    }
    return best;
}

// A cap of a cylinder or the base of a cone, or a point on a side line.
Spot spot_on_round(const oracle::Curved& round, bool is_cone, Random& random) {
    const double r = round.radius, h = round.half_height;
    const Vec3d turned = turned_about_z(random.uniform()), around{turned.x, 0, turned.y};
    if (random.chance(0.6)) {
        const bool up = !is_cone && random.chance(0.5);
        return {around * (r * random.uniform(0, 0.7)) + Vec3d{0, up ? h : -h, 0}, {0, up ? 1.0 : -1.0, 0}, {1, 0, 0}};
    }
    const Vec3d rim = around * r + Vec3d{0, -h, 0}, top = is_cone ? Vec3d{0, h, 0} : around * r + Vec3d{0, h, 0};
    const Vec3d along = normalised(top - rim);
    return {rim + (top - rim) * random.uniform(0.2, 0.8), around * along.y - Vec3d{0, 1, 0} * dot(around, along),
            along};
}

Spot spot_on_ellipsoid(const Vec3d& radii, Random& random) {
    const Vec3d n = random.direction(), p{radii.x * n.x, radii.y * n.y, radii.z * n.z};
    return {p, normalised(Vec3d{n.x / radii.x, n.y / radii.y, n.z / radii.z}), {}, false};
}

// In a place's frame (A's spot up, along +x) B's spot faces down, turned by `spin` and tilted.
struct Lie {
    const char* name;
    double spin, tilt;
};

Lie choose_lie(bool flat, std::span<const double> tilts, Random& random) {
    const double tilt =
        random.chance(0.4) ? 0 : tilts[random.below(std::uint32_t(tilts.size()))] * random.uniform(0.3, 1);
    const std::uint32_t spin = random.below(4);
    if (!flat) return {"resting on a point", random.uniform(), tilt};
    if (spin == 0) return {tilt == 0 ? "resting, aligned" : "resting, aligned, tilted", 0, tilt};
    if (spin == 1) return {tilt == 0 ? "resting, at right angles" : "resting, at right angles, tilted", 0.25, tilt};
    return {tilt == 0 ? "resting, turned" : "resting, turned, tilted", random.uniform(), tilt};
}

}  // namespace

oracle::Shape flat_shape(ShapeKind kind, double scale, Random& random) {
    const auto length = [&](double low, double high) { return float(scale * random.uniform(low, high)); };
    oracle::Shape shape;
    shape.kind = kind;
    switch (kind) {
        case ShapeKind::sphere: shape.radius = length(0.3, 1); break;
        case ShapeKind::capsule: shape.radius = length(0.1, 0.5), shape.half_height = length(0.3, 1); break;
        case ShapeKind::box:
            shape.half_extents = {length(0.3, 1), length(0.3, 1), length(0.3, 1)};
            if (random.chance(0.1))
                shape.half_extents = {float(20 * scale), float(scale), float(20 * scale)};  // a floor
            break;
        case ShapeKind::cylinder:
        case ShapeKind::cone: shape.radius = length(0.3, 1), shape.half_height = length(0.3, 1); break;
        case ShapeKind::ellipsoid: shape.half_extents = {length(0.3, 1), length(0.3, 1), length(0.3, 1)}; break;
        case ShapeKind::halfspace: {
            const Vec3d n = random.chance(0.5) ? Vec3d{0, 1, 0} : random.direction();
            shape.normal = {float(n.x), float(n.y), float(n.z)};
            shape.offset = random.chance(0.5) ? 0 : length(-2, 2);
            return shape;
        }
        default:
            for (const Vec3d& v : crate_points(random))
                shape.points.push_back({float(v.x * scale), float(v.y * scale), float(v.z * scale)});
    }
    if (kind != ShapeKind::sphere && random.chance(0.15)) shape.rounding = length(0.01, 0.1);
    if (kind == ShapeKind::hull && random.chance(0.25))
        shape.scale = {float(random.uniform(0.4, 2.5)), float(random.uniform(0.4, 2.5)),
                       float(random.uniform(0.4, 2.5))};
    return shape;
}

Spot choose_spot(const Solid& solid, Random& random) {
    switch (solid.shape.kind) {
        case ShapeKind::sphere: return {{}, random.direction(), {}, false};
        case ShapeKind::cylinder:
        case ShapeKind::cone: return spot_on_round(solid.curved, solid.shape.kind == ShapeKind::cone, random);
        case ShapeKind::ellipsoid: return spot_on_ellipsoid(solid.curved.radii, random);
        case ShapeKind::halfspace: return {solid.curved.normal * solid.curved.offset, solid.curved.normal, {1, 0, 0}};
        case ShapeKind::capsule: {
            const Vec3d around = turned_about_z(random.uniform());
            if (random.chance(0.1)) return {{0, solid.shape.half_height, 0}, {0, 1, 0}, {1, 0, 0}, false};
            return {{0, solid.shape.half_height * random.uniform(-0.9, 0.9), 0}, {around.x, 0, around.y}, {0, 1, 0}};
        }
        default: return spot_on_face(solid, random);
    }
}

bool can_lie(const Solid& solid) {
    switch (solid.shape.kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::halfspace: return true;
        case ShapeKind::cylinder:
        case ShapeKind::cone: return solid.form != oracle::Form::polytope && solid.curved.half_height > 0;
        case ShapeKind::ellipsoid: return solid.form == oracle::Form::ellipsoid;
        default: return !solid.core.triangles.empty();
    }
}

double resting_gap(double smaller, Random& random) {
    if (random.chance(0.1)) return 0;
    return random.chance(0.5) ? -random.uniform(0, kDeepest * smaller) : random.uniform(0, kRestingMargin * smaller);
}

Laid lay(const Solid& a, const Solid& b, std::span<const double> tilts,
         double (*gap_of)(double smaller, Random& random), Random& random) {
    const Spot on_a = choose_spot(a, random), on_b = choose_spot(b, random);
    const Lie lie = choose_lie(on_a.flat && on_b.flat, tilts, random);

    const Quat orientation_a = random.chance(0.3) ? Quat{} : random.orientation();
    const oracle::Rotation rotation_a = oracle::rotation_of(orientation_a);
    const Frame3 there = Frame3::about(rotation_a * on_a.normal, rotation_a * on_a.along)
                             .spun(lie.spin)
                             .tilted(lie.tilt, random.uniform());
    const Quat orientation_b = turn_between(Frame3::about(-on_b.normal, on_b.along), there);
    const oracle::Rotation rotation_b = oracle::rotation_of(orientation_b);

    const Vec3d up = rotation_a * on_a.normal;
    const double gap = gap_of(smaller_size(a, b), random);
    const Vec3d level = rotation_a * on_a.point - rotation_b * on_b.point;
    // The spots meet sideways; upwards the supports do.
    const double height = extent(a, orientation_a, up) + extent(b, orientation_b, -up) + gap;
    Vec3d b_from_a = level + up * (height - dot(level, up));
    if (b.form == oracle::Form::halfspace) {
        // A tilted plane reaches farther up than at its spot.
        const oracle::Exact exact = oracle::signed_distance(a, {{}, rotation_a}, b, {b_from_a, rotation_b});
        b_from_a = b_from_a + exact.normal * (gap - exact.signed_distance);
    }
    return {{{}, b_from_a, orientation_a, orientation_b}, lie.name};
}

}  // namespace abut::scenes
