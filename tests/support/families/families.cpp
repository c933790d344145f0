// The list of families, and their batches; see families.hpp.
#include "support/families/families.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/kinds.hpp"
#include "scenes/laying.hpp"
#include "scenes/turning.hpp"
#include "support/families/placements.hpp"
#include "support/families/shapes.hpp"

namespace abut::families {
namespace {

using oracle::Solid;
using oracle::Vec3d;
using MakeShape = oracle::Shape (*)(ShapeKind kind, const Draw& draw, Random& random);

// Sets of kinds.
constexpr unsigned bit(ShapeKind kind) { return 1u << unsigned(kind); }
constexpr unsigned kPlanes = bit(ShapeKind::halfspace), kHulls = bit(ShapeKind::hull);
constexpr unsigned kBodies = bit(ShapeKind::sphere) | bit(ShapeKind::capsule) | bit(ShapeKind::box) | kHulls |
                             bit(ShapeKind::cylinder) | bit(ShapeKind::cone) | bit(ShapeKind::ellipsoid);
constexpr unsigned kAll = kBodies | kPlanes;
constexpr unsigned kLong = kAll & ~(bit(ShapeKind::sphere) | kPlanes);
constexpr unsigned kCurved = bit(ShapeKind::sphere) | bit(ShapeKind::capsule) | bit(ShapeKind::cylinder) |
                             bit(ShapeKind::cone) | bit(ShapeKind::ellipsoid);
constexpr unsigned kUpright = kHulls | bit(ShapeKind::box) | bit(ShapeKind::cylinder);
constexpr unsigned kPointed = bit(ShapeKind::cone) | kHulls | bit(ShapeKind::box);

// The scales of a batch's shapes, A's and B's.
struct Scales {
    double a, b;
};
Scales of_three(Random& random) {
    constexpr double kScales[] = {1, 1, 1, 1e-3, 1e3, 0.0625};
    const double scale = kScales[random.below(6)];
    return {scale, scale};
}
Scales of_all_sizes(Random& random) {
    const double scale = decades(-5, 5, random);
    return {scale, scale * (random.chance(0.7) ? 1 : decades(-1, 1, random))};
}
Scales of_ratio(Random& random) {
    const double scale = random.chance(0.7) ? 1 : decades(-2, 2, random);
    return {scale, scale * decades(-5, 0, random)};
}
Scales of_powers(Random& random) {
    const double scale = std::exp2(double(random.below(5)) - 2);
    return {scale, scale};
}
Scales of_small_b(Random& random) { return {1, decades(-3, -0.1, random)}; }
Scales of_one(Random&) { return {1, 1}; }
Scales of_tiny(Random& random) {
    const double scale = decades(-8, 0, random);
    return {scale, scale};
}
Scales of_plane(Random& random) {
    const double scale = decades(-2, 3, random);
    return {scale, scale};
}

enum class World { near, far };

struct Recipe {
    Family family;
    unsigned kinds_a, kinds_b;
    MakeShape shape_a, shape_b;
    Place place;
    Scales (*scales)(Random& random) = of_three;
    World world = World::near;
    bool has_scaled_compounds = false;  // B's children are polytopes: the oracle's are scaled in double
};

constexpr Recipe kRecipes[] = {
    {{"random", "ordinary shapes anywhere, apart and overlapping"}, kAll, kAll, ordinary, ordinary, anywhere},
    {{"touching", "gaps of 0 and +-1e-9 to 1e-2, any orientation"}, kAll, kAll, any_form, any_form, touching},
    {{"tilted", "face to face with tilts of 1e-9 to 1e-2 and tiny gaps"}, kAll, kAll, ordinary, ordinary, tilted},
    {{"resting", "resting bodies of every kind"}, kAll, kAll, ordinary, ordinary, laid},
    {{"parallel", "axes parallel or nearly: end to end, side by side, one in the other"},
     kLong,
     kLong,
     any_form,
     any_form,
     parallel},
    {{"concentric", "the same centre, exactly or nearly"}, kBodies, kBodies, any_form, any_form, same_centre},
    {{"thin", "needles and plates of aspects up to 1e5"}, kBodies, kAll, needle_or_plate, needle_or_plate, mixed},
    {{"thin-ordinary", "needles and plates against ordinary shapes"}, kBodies, kAll, needle_or_plate, ordinary, mixed},
    {{"ratios", "sizes up to 1e5 apart"}, kAll, kBodies, any_form, any_form, mixed, of_ratio},
    {{"sizes", "sizes of 1e-5 to 1e5 metres"}, kAll, kAll, any_form, any_form, mixed, of_all_sizes},
    {{"far", "positions up to 1e7 metres"}, kAll, kAll, any_form, any_form, mixed, of_plane, World::far},
    {{"off-centre", "hulls whose centre is 1 to 1,000 sizes from the origin"},
     kHulls,
     kAll,
     off_centre,
     off_centre,
     laid},
    {{"off-centre-touching", "... in any orientation, with tiny gaps"}, kHulls, kAll, off_centre, off_centre, touching},
    {{"split", "hulls with bumps of 1e-8 to 1e-3 on faces and edges"}, kHulls, kAll, split, split, laid},
    {{"split-touching", "... in any orientation, with tiny gaps"}, kHulls, kAll, split, split, touching},
    {{"near-duplicates", "hulls of points side by side, 1e-9 to 1e-4 of the size"},
     kHulls,
     kAll,
     near_duplicates,
     near_duplicates,
     mixed},
    {{"scaled", "scaled by 1e-3 to 1e3 along each axis"}, kAll, kAll, scaled, scaled, mixed, of_one},
    {{"rounded", "rounded by 1e-6 to 10 sizes"}, kAll, kAll, rounded, rounded, mixed},
    {{"contained", "a small shape inside another"}, kBodies, kBodies, any_form, any_form, inside, of_small_b},
    {{"flat", "what has no thickness against everything"}, kBodies, kAll, flat, any_form, mixed},
    {{"flat-flat", "two shapes without thickness"}, kBodies, kBodies, flat, flat, mixed},
    {{"zero-size", "points and segments, sizes of 1e-8 to 1"},
     kBodies,
     kBodies,
     point_or_segment,
     point_or_segment,
     mixed,
     of_tiny},
    {{"apexes", "tips and corners on faces, edges and corners; flat and steep cones"},
     kPointed,
     kAll,
     pointed,
     pointed,
     apex_meets},
    {{"ties", "lengths and positions on a lattice: corners on sides, equal depths"},
     kAll,
     kAll,
     on_lattice,
     on_lattice,
     on_lattice_points,
     of_one},
    {{"stacks", "upright prisms, boxes and cylinders, one inscribed in the other: corners on the sides of a face"},
     kUpright,
     kUpright,
     prism_or_box,
     prism_or_box,
     stacked,
     of_powers},
    {{"far-planes", "bodies up to 1e7 metres along a half-space, scaled offsets"},
     kPlanes,
     kBodies,
     far_plane,
     far_plane,
     far_on_plane,
     of_plane},
    {{"hard", "all forms in all awkward poses"}, kAll, kAll, any_form, any_form, mixed},
    {{"compounds", "overlapping children of all kinds", true}, kAll, kAll, any_form, any_form, mixed},
    {{"compounds-far", "compounds on half-spaces, up to 1e7 metres along them", true},
     kPlanes,
     kBodies,
     far_plane,
     any_form,
     far_on_plane,
     of_plane},
    // New families are added here: a batch's random numbers depend on its family's position.
    {{"round-in-ball", "a small curved shape inside a hull that is nearly a ball, or a prism of many corners"},
     kHulls,
     kCurved,
     nearly_ball,
     ordinary,
     centred,
     of_small_b},
    {{"compounds-scaled",
      "compounds with a scale, of children with scales of their own, 1 to 1,000 sizes off their origin", true},
     kBodies,
     kHulls | bit(ShapeKind::box),
     ordinary,
     scaled_off_centre,
     laid,
     of_one,
     World::near,
     true},
};

constexpr Family kOnGround[] = {
    {"ground-deep", "bodies in flat triangles, up to half their size deep: as in a half-space", false, "deep"},
    {"ground-load", "bodies at rest on uneven ground: contacts that bear load at every margin", false, "load"},
    {"ground-rough", "bodies in rough ground: contacts on both, each triangle parted", false, "served/rough"},
    {"ground-soup", "... in triangles that share nothing", false, "served/soup"},
    {"ground-steps", "... in stairs", false, "served/steps"},
    {"ground-pebbles", "... on bumps smaller than the body", false, "served/pebbles"},
    {"ground-slivers", "... in triangles 1e-3 to 1e-5 of their length high", false, "served/slivers"},
    {"ground-spikes", "... on balls and cones of triangles: more than 32 normals in touch", false, "served/spikes"},
};

constexpr std::uint32_t kShapesAList = 24;

ShapeKind choose_kind(unsigned kinds, Random& random) {
    for (;;)
        if (const ShapeKind kind = scenes::kAllKinds[random.below(scenes::kAllKinds.size())]; kinds & bit(kind))
            return kind;
}

// A half-space is nothing against another, and beside a point its bound is 0.
bool makes_a_pair(const Solid& a, const Solid& b) {
    const bool plane_a = a.form == oracle::Form::halfspace, plane_b = b.form == oracle::Form::halfspace;
    return !(plane_a && plane_b) && ((!plane_a && !plane_b) || smaller_size(a, b) > 0);
}

Vec3d place_in_world(World world, const Solid& a, const Solid& b, Random& random) {
    if (world == World::far) {
        const double far = decades(0, 7, random);
        return random.chance(0.5) ? random.direction() * far : Vec3d{random.chance(0.5) ? far : -far, 0, 0};
    }
    const double choice = random.uniform();
    if (choice < 0.6) return {};
    return random.direction() * (smaller_size(a, b) * (choice < 0.9 ? 3 : 100));
}

const Recipe& recipe_of(const Family& family) {
    const std::string_view name = family.name;
    return *std::ranges::find(kRecipes, name, [](const Recipe& r) { return std::string_view(r.family.name); });
}

Random random_of(const Recipe& recipe, std::uint64_t seed) { return Random(seed, std::uint64_t(&recipe - kRecipes)); }

// Two lists of solids one after the other, of which at least two make a pair.
scenes::Scene make_shapes(const Recipe& recipe, Random& random) {
    for (;;) {
        scenes::Scene scene;
        scene.name = recipe.family.name;
        const Scales scales = recipe.scales(random);
        for (std::uint32_t i = 0; i < 2 * kShapesAList; ++i) {
            const bool of_a = i < kShapesAList;
            const MakeShape make_shape = of_a ? recipe.shape_a : recipe.shape_b;
            scene.add_solid(make_shape(choose_kind(of_a ? recipe.kinds_a : recipe.kinds_b, random),
                                       {of_a ? scales.a : scales.b}, random));
        }
        const std::span<const Solid> solids = scene.solids;
        for (const Solid& a : solids.first(kShapesAList))
            for (const Solid& b : solids.last(kShapesAList))
                if (makes_a_pair(a, b)) return scene;
    }
}

// Whether float32 holds the depth beneath a plane to within the bound: nothing stops what is rounded to a place far
// beneath.
bool is_representable(const Solid& a, const oracle::Pose& pose_a, const Solid& b, const oracle::Pose& pose_b) {
    constexpr double kDeepest = 50;  // of the size
    if (a.form != oracle::Form::halfspace && b.form != oracle::Form::halfspace) return true;
    return oracle::signed_distance(a, pose_a, b, pose_b).signed_distance > -kDeepest * smaller_size(a, b);
}

bool try_pair(scenes::Scene& scene, const Recipe& recipe, std::size_t pair, Random& random) {
    std::uint32_t a, b;
    do a = random.below(kShapesAList), b = kShapesAList + random.below(kShapesAList);
    while (!makes_a_pair(scene.solids[a], scene.solids[b]));
    const Solid &solid_a = scene.solids[a], &solid_b = scene.solids[b];
    const Poses poses = recipe.place(solid_a, solid_b, random);
    const Vec3d world = place_in_world(recipe.world, solid_a, solid_b, random), at_a = world + poses.position_a,
                at_b = world + poses.position_b;
    if (random.chance(0.5))
        scene.set_pair(pair, a, at_a, poses.orientation_a, b, at_b, poses.orientation_b, recipe.family.name);
    else
        scene.set_pair(pair, b, at_b, poses.orientation_b, a, at_a, poses.orientation_a, recipe.family.name);
    scene.margins[pair] = float(scenes::kRestingMargin * smaller_size(solid_a, solid_b));
    return is_representable(scene.solid_a(pair), oracle::pose_of(scene.body_a(pair)), scene.solid_b(pair),
                            oracle::pose_of(scene.body_b(pair)));
}

void make_pair(scenes::Scene& scene, const Recipe& recipe, std::size_t pair, Random& random) {
    while (!try_pair(scene, recipe, pair, random)) {
    }
}

// --- compounds ---

using test::CompoundScene;
using test::ScenePart;

constexpr std::uint32_t kCompounds = 12, kMostChildren = 4;

// Children within half a size of each other, as those of one list are.
void add_compounds(CompoundScene& scene, Random& random) {
    for (std::uint32_t i = 0; i < kCompounds; ++i) {
        const std::uint32_t first = i % 2 * kShapesAList;
        std::vector<ScenePart> parts;
        std::vector<CompoundChild> children;
        for (std::uint32_t n = 1 + random.below(kMostChildren); n > 0;) {
            const std::uint32_t solid = first + random.below(kShapesAList);
            const Solid& child = scene.convex.solids[solid];
            if (child.form == oracle::Form::halfspace) {
                if (random.chance(0.02)) break;  // the list may have nothing else
                continue;
            }
            --n;
            const double away = random.uniform(0, 1.5) * child.size;
            const Vec3d p = random.direction() * away;
            parts.push_back(
                {solid, {float(p.x), float(p.y), float(p.z)}, random.chance(0.3) ? Quat{} : random.orientation()});
            children.push_back({scene.convex.ids[solid], parts.back().position, parts.back().orientation});
        }
        if (parts.empty()) continue;
        scene.compounds.push_back(*scene.convex.shapes.add_compound(children));
        scene.parts_of.push_back(parts);
    }
}

// Polytopes of the second list, not rotated, in compounds with a scale. Scales and positions have few bits: their
// products are exact, so that the oracle's are those of the promise.
void add_scaled_compounds(CompoundScene& scene, Random& random) {
    for (std::uint32_t i = 0; i < kCompounds; ++i) {
        const double by = double(300 + random.below(3000)) / 1024;
        std::vector<ScenePart> parts;
        std::vector<CompoundChild> children;
        for (std::uint32_t n = 1 + random.below(kMostChildren); n > 0; --n) {
            const std::uint32_t solid = kShapesAList + random.below(kShapesAList);
            const auto step = [&] { return float(int(random.below(17)) - 8) * 0.125f; };
            const float x = step(), y = step(), z = step();
            children.push_back({scene.convex.ids[solid], {x, y, z}, {}});
            Solid scaled = scene.convex.solids[solid];
            oracle::scale(scaled.core, {by, by, by});
            scaled.radius *= by, scaled.size *= by, scaled.reach *= by;
            oracle::Shape& shape = scaled.shape;  // rounded: for people
            shape.rounding *= float(by);
            shape.scale = {shape.scale.x * float(by), shape.scale.y * float(by), shape.scale.z * float(by)};
            parts.push_back(
                {std::uint32_t(scene.convex.solids.size()), {x * float(by), y * float(by), z * float(by)}, {}});
            scene.convex.solids.push_back(std::move(scaled));
            scene.convex.ids.push_back(scene.convex.ids[solid]);
        }
        const float scale = float(by);
        scene.compounds.push_back(*scene.convex.shapes.add_compound(children, {.scale = {scale, scale, scale}}));
        scene.parts_of.push_back(parts);
    }
}

// A body: a shape, or a compound with one child that takes part in the placing.
struct Chosen {
    ShapeId shape;
    std::vector<ScenePart> parts;
    std::size_t part = 0;
};

// The body's pose that puts its part at `position`, turned by `q`.
void add_placed(CompoundScene& scene, const Chosen& chosen, const Vec3d& position, const Quat& q) {
    const ScenePart& part = chosen.parts[chosen.part];
    const Quat& p = part.orientation;
    const Quat turn = scenes::product(q, {-p.x, -p.y, -p.z, p.w});
    const Vec3d at = position - oracle::rotation_of(turn) * Vec3d(part.position);
    scene.add_body(chosen.shape, chosen.parts, {float(at.x), float(at.y), float(at.z)}, turn);
}

bool is_representable(const CompoundScene& scene, Pair pair) {
    for (std::size_t a = 0; a < scene.parts[pair.a].size(); ++a)
        for (std::size_t b = 0; b < scene.parts[pair.b].size(); ++b)
            if (!is_representable(scene.solid(pair.a, a), scene.pose(pair.a, a), scene.solid(pair.b, b),
                                  scene.pose(pair.b, b)))
                return false;
    return true;
}

void make_pair(CompoundScene& scene, const Recipe& recipe, Random& random) {
    const auto choose = [&](bool compound, std::uint32_t list) {
        if (compound) {
            const std::uint32_t i = random.below(std::uint32_t(scene.compounds.size()));
            return Chosen{scene.compounds[i], scene.parts_of[i], random.below(std::uint32_t(scene.parts_of[i].size()))};
        }
        const std::uint32_t solid = list * kShapesAList + random.below(kShapesAList);
        return Chosen{scene.convex.ids[solid], {{solid, {}, {}}}};
    };
    const bool on_planes = recipe.kinds_a == kPlanes;
    for (;;) {
        const bool both = !on_planes && !recipe.has_scaled_compounds && random.chance(0.5);
        const Chosen a = choose(both, 0), b = choose(true, 1);
        const Solid &solid_a = scene.convex.solids[a.parts[a.part].solid],
                    &solid_b = scene.convex.solids[b.parts[b.part].solid];
        const bool plane = solid_a.form == oracle::Form::halfspace;
        const bool has_points =
            std::ranges::any_of(b.parts, [&](const ScenePart& p) { return scene.convex.solids[p.solid].size == 0; });
        if (plane && has_points) continue;  // their bound is 0
        const Poses poses = recipe.place(solid_a, solid_b, random);
        const Vec3d world = place_in_world(recipe.world, solid_a, solid_b, random);
        const bool swapped = random.chance(0.5);
        const std::uint32_t first = std::uint32_t(scene.bodies.size());
        add_placed(scene, a, world + poses.position_a, poses.orientation_a);
        add_placed(scene, b, world + poses.position_b, poses.orientation_b);
        const Pair pair = swapped ? Pair{first + 1, first} : Pair{first, first + 1};
        if (!is_representable(scene, pair)) {
            scene.bodies.resize(first), scene.parts.resize(first);
            continue;
        }
        scene.pairs.push_back(pair);
        scene.margins.push_back(float(scenes::kRestingMargin * smaller_size(solid_a, solid_b)));
        return;
    }
}

}  // namespace

std::span<const Family> all() {
    static const std::vector<Family> families = [] {
        std::vector<Family> list;
        for (const Recipe& recipe : kRecipes) list.push_back(recipe.family);
        for (const Family& family : kOnGround) list.push_back(family);
        return list;
    }();
    return families;
}

const Family* find(std::string_view name) {
    const auto found =
        std::ranges::find(all(), name, [](const Family& family) { return std::string_view(family.name); });
    return found == all().end() ? nullptr : &*found;
}

scenes::Scene make(const Family& family, std::size_t pairs, std::uint64_t seed) {
    const Recipe& recipe = recipe_of(family);
    Random random = random_of(recipe, seed);
    scenes::Scene scene = make_shapes(recipe, random);
    scene.resize(pairs);
    scene.margins.resize(pairs);
    for (std::size_t i = 0; i < pairs; ++i) make_pair(scene, recipe, i, random);
    return scene;
}

CompoundScene make_compounds(const Family& family, std::size_t pairs, std::uint64_t seed) {
    const Recipe& recipe = recipe_of(family);
    Random random = random_of(recipe, seed);
    CompoundScene scene;
    do
        scene.compounds.clear(), scene.parts_of.clear(),
            scene.convex = make_shapes(recipe, random),
            recipe.has_scaled_compounds ? add_scaled_compounds(scene, random) : add_compounds(scene, random);
    while (scene.compounds.empty());
    for (std::size_t i = 0; i < pairs; ++i) make_pair(scene, recipe, random);
    return scene;
}

}  // namespace abut::families
