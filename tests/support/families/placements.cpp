// Placing pairs, see placements.hpp.
#include "support/families/placements.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/laying.hpp"
#include "scenes/turning.hpp"
#include "support/families/shapes.hpp"

namespace abut::families {

using oracle::Solid;
using oracle::Vec3d;
using scenes::Frame3;

namespace {

constexpr double kTilts[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
constexpr double kFarthest = 1e7;  // metres

Quat any_orientation(Random& random) { return random.chance(0.3) ? scenes::aligned(random) : random.orientation(); }

bool is_plane(const Solid& solid) { return solid.form == oracle::Form::halfspace; }

Vec3d centre(const Solid& solid) { return is_plane(solid) ? Vec3d{} : solid.core.centre; }

// B moved along the normal between two shapes that are apart, which keeps it the normal: exact where `wanted` is 0 or
// more, nearly so where they overlap by little.
Poses at_gap(const Solid& a, const Quat& orientation_a, const Solid& b, const Quat& orientation_b,
             const Vec3d& direction, double wanted) {
    const oracle::Pose pose_a{{}, oracle::rotation_of(orientation_a)};
    oracle::Pose pose_b{{}, oracle::rotation_of(orientation_b)};
    pose_b.position = pose_a.rotation * centre(a) - pose_b.rotation * centre(b) + direction * (1.8 * (a.size + b.size));
    const oracle::Exact exact = oracle::signed_distance(a, pose_a, b, pose_b, &direction);
    return {{}, pose_b.position + exact.normal * (wanted - exact.signed_distance), orientation_a, orientation_b};
}

double gap_of(double smaller, Random& random) { return tiny_gap(smaller, random); }

Poses laid_or_else(const Solid& a, const Solid& b, double (*gap)(double, Random&), Random& random) {
    if (scenes::can_lie(a) && scenes::can_lie(b)) return scenes::lay(a, b, kTilts, gap, random).poses;
    return scenes::nearly_parallel(a, b, random);
}

// Where a tip is: of a cone its apex, of a polytope a corner; else the outermost point along any direction. And which
// way it points.
struct Tip {
    Vec3d point, out;
};

Tip tip_of(const Solid& solid, Random& random) {
    if (solid.form == oracle::Form::cone) return {{0, solid.curved.half_height, 0}, {0, 1, 0}};
    const oracle::Polytope& core = solid.core;
    const Vec3d corner = core.vertices[random.below(std::uint32_t(core.vertices.size()))], out = corner - core.centre;
    return {corner, length(out) > 0 ? normalised(out) : random.direction()};
}

}  // namespace

double tiny_gap(double size, Random& random) {
    if (random.chance(0.25)) return 0;
    return decades(-9, -2, random) * size * (random.chance(0.5) ? 1 : -1);
}

Poses touching(const Solid& a, const Solid& b, Random& random) {
    const Quat orientation_a = any_orientation(random),
               orientation_b = random.chance(0.2) ? orientation_a : any_orientation(random);
    const double gap = tiny_gap(smaller_size(a, b), random);
    return at_gap(a, orientation_a, b, orientation_b, random.direction(), gap);
}

Poses tilted(const Solid& a, const Solid& b, Random& random) { return laid_or_else(a, b, gap_of, random); }

Poses laid(const Solid& a, const Solid& b, Random& random) { return laid_or_else(a, b, scenes::resting_gap, random); }

Poses parallel(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, any_orientation(random), {}};
    const oracle::Rotation turn = oracle::rotation_of(p.orientation_a);
    const Frame3 axes{turn * Vec3d{0, 0, 1}, turn * Vec3d{1, 0, 0}, turn * Vec3d{0, 1, 0}};
    const bool upside_down = random.chance(0.3);
    p.orientation_b = p.orientation_a;
    if (random.chance(0.5) || upside_down) {
        const Frame3 from{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        Frame3 to = axes.spun(random.chance(0.3) ? 0.25 : random.uniform());
        if (upside_down) to = {to.x, -to.y, -to.z};
        p.orientation_b = scenes::turn_between(from, to);
    }
    if (random.chance(0.3)) p.orientation_b = scenes::turned_by_a_hair(p.orientation_b, random);
    const auto beside = [&](const Vec3d& way) {
        return way * (scenes::extent(a, p.orientation_a, way) + scenes::extent(b, p.orientation_b, -way) +
                      tiny_gap(smaller_size(a, b), random));
    };
    const Vec3d around = scenes::turned_about_z(random.uniform()), side = axes.x * around.x + axes.y * around.y;
    const std::uint32_t choice = random.below(4);
    if (choice == 0) p.position_b = beside(axes.z);  // end to end
    if (choice == 1)
        p.position_b = beside(side) + axes.z * (random.uniform(-1, 1) * (a.size + b.size));  // side by side
    if (choice == 2) p.position_b = axes.z * (random.uniform(-1, 1) * (a.size + b.size));    // one in the other
    if (choice == 3) p.position_b = beside(side) + beside(axes.z);                           // corner to corner
    return p;
}

Poses same_centre(const Solid& a, const Solid& b, Random& random) {
    Poses p = random.chance(0.5) ? scenes::coincident(a, b, random) : scenes::concentric(a, b, random);
    if (random.chance(0.3)) p.orientation_a = p.orientation_b = {};
    if (random.chance(0.4)) {
        const double away = smaller_size(a, b) * decades(-9, -2, random);
        p.position_b = random.direction() * away;
    }
    return p;
}

Poses inside(const Solid& a, const Solid&, Random& random) {
    const double away = random.uniform() * a.size;
    return {{}, random.direction() * away, any_orientation(random), any_orientation(random)};
}

Poses centred(const Solid& a, const Solid& b, Random& random) {
    return random.chance(0.6) ? same_centre(a, b, random) : inside(a, b, random);
}

Poses apex_meets(const Solid& a, const Solid& b, Random& random) {
    if (is_plane(a)) return touching(a, b, random);
    Poses p{{}, {}, {}, any_orientation(random)};
    const oracle::Rotation turn_b = oracle::rotation_of(p.orientation_b);
    scenes::Spot spot{{}, random.direction(), random.direction(), false};
    if (scenes::can_lie(b)) spot = scenes::choose_spot(b, random);
    const Vec3d up = turn_b * spot.normal;
    if (!is_plane(b) && random.chance(0.4))
        spot.point = turn_b.back(scenes::feature_point(b, p.orientation_b, {}, random));
    const Tip tip = tip_of(a, random);
    // Straight down, or leaning so that another feature may touch as well.
    const double lean = random.chance(0.4) ? 0 : random.chance(0.5) ? kTilts[random.below(8)] : random.uniform(0, 1);
    const Frame3 there = Frame3::about(-up, turn_b * spot.along)
                             .spun(random.chance(0.3) ? 0 : random.uniform())
                             .tilted(lean, random.uniform());
    p.orientation_a = scenes::turn_between(Frame3::about(tip.out, {1, 0, 0}), there);
    const oracle::Rotation turn_a = oracle::rotation_of(p.orientation_a);
    const Vec3d on_b = turn_b * spot.point + up * b.radius,
                at = on_b + up * (a.radius + tiny_gap(smaller_size(a, b), random));
    p.position_b = -(at - turn_a * tip.point);
    return p;
}

Poses on_lattice_points(const Solid& a, const Solid& b, Random& random) {
    const auto turned = [&] { return random.chance(0.6) ? Quat{} : scenes::aligned(random); };
    Poses p{{}, {}, turned(), turned()};
    const double step =
        std::max(a.size, b.size) > 0 ? std::exp2(std::round(std::log2(std::max(a.size, b.size))) - 3) : 1;
    const auto some = [&] { return step * (double(random.below(17)) - 8) * (random.chance(0.5) ? 1 : 0); };
    const Vec3d up{0, 1, 0};
    const double height = scenes::extent(a, p.orientation_a, up) + scenes::extent(b, p.orientation_b, -up);
    static constexpr double kOverlaps[] = {0, 0, 1e-3, 1e-2, -1e-2, 1.0 / 128};
    p.position_b = {some(), random.chance(0.8) ? height - kOverlaps[random.below(6)] * smaller_size(a, b) : some(),
                    some()};
    return p;
}

Poses stacked(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, {}, {}};
    if (random.chance(0.4)) {
        const double w = random.uniform(-1, 1), y = random.uniform(-1, 1);
        p.orientation_a = scenes::product(scenes::to_float(0, y, 0, w), {});
    }
    if (random.chance(0.3)) p.orientation_a = random.orientation();
    p.orientation_b = p.orientation_a;
    const oracle::Rotation turn = oracle::rotation_of(p.orientation_a);
    const Vec3d up = turn * Vec3d{0, 1, 0};
    static constexpr double kSides[] = {0, 0, 0, 0, 0.25, 0.5, 1, -0.5};
    const double size = std::max(a.size, b.size),
                 gap = random.chance(0.3) ? 0 : random.uniform(-0.02, 0.02) * smaller_size(a, b);
    // Along the lattice of the shapes' own lengths, which are near a power of two.
    const double step = size > 0 ? std::exp2(std::floor(std::log2(size))) / 4 : 0;
    const auto steps = [&] {
        return random.chance(0.5) ? kSides[random.below(8)] * size : step * (double(random.below(9)) - 4);
    };
    const double x = steps(), z = steps();
    const Vec3d aside = turn * Vec3d{x, 0, z};
    p.position_b =
        up * (scenes::extent(a, p.orientation_a, up) + scenes::extent(b, p.orientation_b, -up) + gap) + aside;
    return p;
}

Poses anywhere(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, any_orientation(random), any_orientation(random)};
    const double away = random.uniform(0, 2.2) * (a.size + b.size);
    p.position_b = oracle::rotation_of(p.orientation_a) * centre(a) - oracle::rotation_of(p.orientation_b) * centre(b) +
                   random.direction() * away;
    return p;
}

Poses mixed(const Solid& a, const Solid& b, Random& random) {
    static constexpr Place kPlaces[] = {touching,        touching,
                                        tilted,          laid,
                                        parallel,        same_centre,
                                        inside,          apex_meets,
                                        anywhere,        scenes::features_meet,
                                        scenes::on_axis, scenes::deep,
                                        scenes::resting, scenes::nearly_parallel};
    if (is_plane(a) || is_plane(b)) return random.chance(0.5) ? scenes::over_plane(a, b, random) : laid(a, b, random);
    return kPlaces[random.below(std::size(kPlaces))](a, b, random);
}

Poses far_on_plane(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, any_orientation(random), any_orientation(random)};
    const oracle::Pose pose_a{{}, oracle::rotation_of(p.orientation_a)};
    const Frame3 plane = Frame3::about(pose_a.rotation * a.curved.normal, random.direction());
    oracle::Pose pose_b{plane.x * decades(-2, std::log10(kFarthest), random), oracle::rotation_of(p.orientation_b)};
    const oracle::Exact exact = oracle::signed_distance(a, pose_a, b, pose_b);
    p.position_b = pose_b.position + exact.normal * (tiny_gap(b.size, random) - exact.signed_distance);
    return p;
}

}  // namespace abut::families
