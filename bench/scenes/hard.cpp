// Awkward pairs, see scene.hpp: each is a family of poses applied to two awkward shapes.
#include <algorithm>
#include <array>

#include "scenes/hard_shapes.hpp"
#include "scenes/kinds.hpp"
#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "scenes/scene.hpp"
#include "scenes/turning.hpp"

namespace abut::scenes {
namespace {

using oracle::Solid;
using oracle::Vec3d;

constexpr std::uint32_t kShapesAKind = 16 * kFormsAScale;
constexpr double kLargestRatio = 1e4;
constexpr double kHalf = 0.70710678118654752;

struct Placed {
    Vec3d position_a, position_b;
    Quat orientation_a, orientation_b;
};

// Right angles and eighths of a turn about the axes: features exactly parallel, antiparallel or crossed.
Quat aligned(Random& random) {
    const std::array<Quat, 12> kTurns = {{{0, 0, 0, 1}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, to_float(kHalf, 0, 0, kHalf),
                                          to_float(0, kHalf, 0, kHalf), to_float(0, 0, kHalf, kHalf), to_float(0.5, 0.5, 0.5, 0.5),
                                          to_float(0.38268343236508977, 0, 0, 0.92387953251128674),
                                          to_float(0, 0, 0.38268343236508977, 0.92387953251128674), {0, 0, 0, -1}}};
    return kTurns[random.below(12)];
}

Quat turned_by_a_hair(const Quat& from, Random& random) {
    constexpr double kAngles[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    const Vec3d axis = random.direction();
    return slightly_turned(from, axis * kAngles[random.below(5)]);
}

Vec3d axis(Random& random) {
    const double sign = random.chance(0.5) ? 1 : -1;
    constexpr Vec3d kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return kAxes[random.below(3)] * sign;
}

// 0, or +-1e-7 to 1e-2 of the smaller size.
double hairline(const Solid& a, const Solid& b, Random& random) {
    constexpr double kGaps[] = {0, 0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    return kGaps[random.below(8)] * (random.chance(0.5) ? 1 : -1) * smaller_size(a, b);
}

// A point of the shape on a random feature: a corner, somewhere on an edge or in a face; swept out by the radius along `outward`. Of a
// curved shape the inscribed polytope's, whose corners alone are sure to lie on an ellipsoid.
Vec3d feature_point(const Solid& solid, const Quat& orientation, const Vec3d& outward, Random& random) {
    const oracle::Polytope& core = solid.core;
    Vec3d point = core.vertices[random.below(std::uint32_t(core.vertices.size()))];
    const std::uint32_t what = solid.form == oracle::Form::ellipsoid ? 0 : random.below(4);
    if (what == 1 && !core.edges.empty()) {
        const auto edge = core.edges[random.below(std::uint32_t(core.edges.size()))];
        const double t = random.chance(0.5) ? 0.5 : random.uniform();
        point = core.vertices[edge.v0] * (1 - t) + core.vertices[edge.v1] * t;
    } else if (what == 2 && !core.triangles.empty()) {
        const std::uint32_t* v = core.triangles[random.below(std::uint32_t(core.triangles.size()))].v;
        const double s = random.uniform(), t = random.uniform() * (1 - s);
        point = core.vertices[v[0]] * (1 - s - t) + core.vertices[v[1]] * s + core.vertices[v[2]] * t;
    }
    return oracle::rotation_of(orientation) * point + outward * solid.radius;
}

Quat negated(const Quat& q) { return {-q.x, -q.y, -q.z, -q.w}; }

Placed coincident(const Solid&, const Solid&, Random& random) {
    const Quat q = random.chance(0.5) ? aligned(random) : random.orientation();
    return {{}, {}, q, random.chance(0.7) ? q : negated(q)};
}

Placed concentric(const Solid&, const Solid&, Random& random) { return {{}, {}, random.orientation(), random.orientation()}; }

Placed deep(const Solid& a, const Solid& b, Random& random) {
    const double within = random.uniform(0, 0.5) * std::max(a.size, b.size);
    return {{}, random.direction() * within, random.orientation(), random.orientation()};
}

// A direction that the shapes of revolution like: an axis of A's or B's own, or square to both.
Vec3d own_direction(const Quat& orientation_a, const Quat& orientation_b, Random& random) {
    const Vec3d y_a = oracle::rotation_of(orientation_a).column_y(), y_b = oracle::rotation_of(orientation_b).column_y();
    const Vec3d common = cross(y_a, y_b);
    switch (random.below(4)) {
        case 0: return y_a;
        case 1: return -y_a;
        case 2: return y_b;
        default: return length(common) > 1e-3 ? normalised(common) : Frame3::about(y_a, {1, 0, 0}).x;
    }
}

// B's support plane against A's along an axis; sideways not at all, or so far that faces, edges or corners just meet there too.
Placed resting(const Solid& a, const Solid& b, Random& random) {
    Placed p{{}, {}, aligned(random), aligned(random)};
    const Vec3d up = axis(random);
    p.position_b = up * (extent(a, p.orientation_a, up) + extent(b, p.orientation_b, -up) + hairline(a, b, random));
    for (const Vec3d& side : {Vec3d{up.y, up.z, up.x}, Vec3d{up.z, up.x, up.y}}) {
        const double touching = extent(a, p.orientation_a, side) + extent(b, p.orientation_b, -side);
        const std::uint32_t choice = random.below(4);
        if (choice == 0) p.position_b = p.position_b + side * (touching + hairline(a, b, random));
        if (choice == 1) p.position_b = p.position_b + side * (touching * random.uniform(-1.2, 1.2));
        if (choice == 2) p.position_b = p.position_b + side * (touching * 0.5);
    }
    return p;
}

Placed nearly_parallel(const Solid& a, const Solid& b, Random& random) {
    Placed p = resting(a, b, random);
    p.orientation_b = turned_by_a_hair(p.orientation_b, random);
    return p;
}

Placed features_meet(const Solid& a, const Solid& b, Random& random) {
    Placed p{{}, {}, random.orientation(), random.chance(0.3) ? Quat{} : random.orientation()};
    if (random.chance(0.3)) p.orientation_b = p.orientation_a;
    const Vec3d n = random.direction();
    p.position_b = feature_point(a, p.orientation_a, n, random) - feature_point(b, p.orientation_b, -n, random) + n * hairline(a, b, random);
    return p;
}

// At an exact distance in any orientation, mostly a small one.
Placed at_distance(const Solid& a, const Solid& b, Random& random, const Quat& orientation_a, const Quat& orientation_b) {
    const double wanted = random.chance(0.6) ? hairline(a, b, random) : random.uniform(-0.3, 0.5) * std::min(a.size, b.size);
    const Vec3d n = random.direction();
    const double along = place(a, orientation_a, b, orientation_b, n, wanted);
    return {{}, n * std::max(along, 0.0), orientation_a, orientation_b};
}

Placed near_touching(const Solid& a, const Solid& b, Random& random) {
    const Quat orientation_a = random.orientation();
    return at_distance(a, b, random, orientation_a, random.orientation());
}

Placed near_touching_parallel(const Solid& a, const Solid& b, Random& random) {
    const Quat orientation_a = random.orientation();
    return at_distance(a, b, random, orientation_a, turned_by_a_hair(orientation_a, random));
}

Placed far_apart(const Solid& a, const Solid& b, Random& random) {
    constexpr double kFar[] = {3, 30, 1e3, 1e6};
    return {{}, random.direction() * (kFar[random.below(4)] * (a.size + b.size)), random.orientation(), random.orientation()};
}

// On an axis of either: caps meet centre to centre, an apex meets a cap or another apex, rims meet where B is then moved to.
Placed on_axis(const Solid& a, const Solid& b, Random& random) {
    Placed p{{}, {}, random.orientation(), {}};
    p.orientation_b = random.chance(0.3) ? p.orientation_a : random.chance(0.5) ? turned_by_a_hair(p.orientation_a, random) : random.orientation();
    const Vec3d n = own_direction(p.orientation_a, p.orientation_b, random);
    p.position_b = n * (extent(a, p.orientation_a, n) + extent(b, p.orientation_b, -n) + hairline(a, b, random));
    if (random.chance(0.5)) {
        const Vec3d side = Frame3::about(n, random.direction()).x;
        p.position_b = p.position_b + side * (extent(a, p.orientation_a, side) + extent(b, p.orientation_b, -side) + hairline(a, b, random));
    }
    return p;
}

// Over a half-space: standing, lying or turned anyhow, at any distance that float32 can hold, the plane's origin beneath or far off.
Placed over_plane(const Solid& a, const Solid& b, Random& random) {
    Placed p{{}, {}, aligned(random), aligned(random)};
    if (random.chance(0.3)) p.orientation_b = turned_by_a_hair(p.orientation_b, random);
    if (random.chance(0.4)) p.orientation_a = random.orientation(), p.orientation_b = random.chance(0.5) ? p.orientation_a : random.orientation();
    const double size = smaller_size(a, b);
    constexpr double kSides[] = {0, 0, 1, 1e3}, kFar[] = {3, 30, 1e3, 1e6};
    double wanted = hairline(a, b, random);
    if (random.chance(0.3)) wanted = random.uniform(-0.5, 0.5) * size;
    if (random.chance(0.2)) wanted = random.chance(0.5) ? -random.uniform(0, 5) * size : kFar[random.below(4)] * size;
    const oracle::Pose pose_a{{}, oracle::rotation_of(p.orientation_a)};
    oracle::Pose pose_b{random.direction() * (kSides[random.below(4)] * size), oracle::rotation_of(p.orientation_b)};
    const oracle::Exact exact = oracle::signed_distance(a, pose_a, b, pose_b);
    p.position_b = pose_b.position + exact.normal * (wanted - exact.signed_distance);
    return p;
}

struct Family {
    const char* name;
    Placed (*place)(const Solid& a, const Solid& b, Random& random);
};
constexpr Family kFamilies[] = {
    {"coincident", coincident},       {"concentric", concentric},       {"deep", deep},
    {"resting", resting},             {"resting", resting},             {"nearly parallel", nearly_parallel},
    {"features meet", features_meet}, {"near touching", near_touching}, {"near touching, parallel", near_touching_parallel},
    {"far apart", far_apart},
};
// Where one of the shapes has an axis, these are as many again.
constexpr Family kOnAxis = {"on an axis", on_axis}, kOverPlane = {"over a plane", over_plane};

bool is_plane(const Solid& solid) { return solid.form == oracle::Form::halfspace; }

const Family& choose_family(const Solid& a, const Solid& b, Random& random) {
    if (is_plane(a) || is_plane(b)) return kOverPlane;
    const bool curved = a.shape.kind >= ShapeKind::cylinder || b.shape.kind >= ShapeKind::cylinder;
    if (curved && random.chance(0.3)) return kOnAxis;
    return kFamilies[random.below(std::size(kFamilies))];
}

// Where the pair is in the world: mostly at the origin, else as far out as float32 still resolves the pair's own sizes, or 1e6.
Vec3d place_in_world(const Solid& a, const Solid& b, Random& random) {
    const std::uint32_t choice = random.below(8);
    // Nothing stops what is rounded to a place deep beneath a plane, where float32 cannot hold its depth to within the bound.
    const bool plane = is_plane(a) || is_plane(b);
    if (choice == 0) return random.direction() * (plane ? std::min(1e6, 1e5 * smaller_size(a, b)) : 1e6);
    if (choice == 1) return random.direction() * std::min(1e6, 1e3 * std::max(a.size, b.size));
    return {};
}

// A point beside a half-space has a bound of 0; a plane is no farther off its origin than float32 resolves the other's size.
bool within_ratio(const Solid& a, const Solid& b) {
    if (is_plane(a) || is_plane(b)) {
        const double size = smaller_size(a, b), offset = std::fabs((is_plane(a) ? a : b).curved.offset);
        return size > 0 && offset <= 10 * kLargestRatio * size;
    }
    return a.size == 0 || b.size == 0 || (a.size <= kLargestRatio * b.size && b.size <= kLargestRatio * a.size);
}

struct Choice {
    std::uint32_t a, b;
};

// A scene's solids are a list of kShapesAKind of each of its kinds; a pair takes A from one list and B from another or the same.
// Neighbours in the lists have the same scale; most pairs should.
Choice choose_shapes(const Scene& scene, std::uint32_t list_a, std::uint32_t list_b, Random& random) {
    for (;;) {
        const std::uint32_t a = random.below(kShapesAKind);
        const std::uint32_t nearby = a / kFormsAScale * kFormsAScale + random.below(kFormsAScale);
        const std::uint32_t b = list_a == list_b && random.chance(0.15) ? a : random.chance(0.6) ? nearby : random.below(kShapesAKind);
        const Choice choice{list_a * kShapesAKind + a, list_b * kShapesAKind + b};
        if (within_ratio(scene.solids[choice.a], scene.solids[choice.b])) return choice;
    }
}

void make_pair(Scene& scene, std::size_t pair, const Choice& solid, Random& random) {
    const Solid &a = scene.solids[solid.a], &b = scene.solids[solid.b];
    const Family& family = choose_family(a, b, random);
    Placed placed = family.place(a, b, random);
    if (random.chance(0.1)) placed.orientation_b = negated(placed.orientation_b);
    const Vec3d world = place_in_world(a, b, random);
    const auto body = [&](std::uint32_t index, const Vec3d& at, const Quat& q) {
        const Vec3d p = world + at;
        return Body{{float(p.x), float(p.y), float(p.z)}, scene.ids[index], q};
    };
    scene.bodies[2 * pair] = body(solid.a, placed.position_a, placed.orientation_a);
    scene.bodies[2 * pair + 1] = body(solid.b, placed.position_b, placed.orientation_b);
    scene.solid_of[2 * pair] = solid.a, scene.solid_of[2 * pair + 1] = solid.b;
    scene.pairs[pair] = {std::uint32_t(2 * pair), std::uint32_t(2 * pair + 1)};
    scene.family[pair] = family.name;
}

// choose(random) gives a pair's two lists.
template <class ChooseLists>
Scene make_scene(std::string name, std::span<const ShapeKind> kinds, std::size_t pairs, std::uint64_t seed, ChooseLists choose) {
    Scene scene;
    scene.name = std::move(name);
    Random shapes(seed);
    for (const ShapeKind kind : kinds)
        for (const oracle::Shape& shape : hard_shapes(kind, kShapesAKind, shapes)) scene.add_solid(shape);
    scene.resize(pairs);
    on_all_cores(pairs, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            Random random(seed, i);
            const auto [list_a, list_b] = choose(random);
            make_pair(scene, i, choose_shapes(scene, list_a, list_b, random), random);
        }
    });
    scene.compute_reference();
    return scene;
}

}  // namespace

Scene make_hard(ShapeKind kind_a, ShapeKind kind_b, std::size_t pairs, std::uint64_t seed) {
    const std::string name = std::string("hard ") + to_string(kind_a) + "-" + to_string(kind_b);
    seed = Random(seed, std::uint64_t(kind_a) * 16 + std::uint64_t(kind_b)).bits();
    if (kind_a == kind_b) return make_scene(name, std::array{kind_a}, pairs, seed, [](Random&) { return Lists{0, 0}; });
    return make_scene(name, std::array{kind_a, kind_b}, pairs, seed, [](Random&) { return Lists{0, 1}; });
}

Scene make_medley(std::size_t pairs, std::uint64_t seed) {
    return make_scene("medley", kAllKinds, pairs, seed, [](Random& random) {
        if (random.chance(0.5)) return Lists{random.below(kPolytopeKinds), random.below(kPolytopeKinds)};
        return two_kinds(random);
    });
}

Scene make_polytope_medley(std::size_t pairs, std::uint64_t seed) {
    return make_scene("polytope medley", std::span(kAllKinds).first(kPolytopeKinds), pairs, seed, [](Random& random) {
        const std::uint32_t list_a = random.below(kPolytopeKinds);
        return Lists{list_a, random.below(kPolytopeKinds)};
    });
}

}  // namespace abut::scenes
