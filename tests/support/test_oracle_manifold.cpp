// Who checks the oracle's judgement of manifolds? Known patches, right manifolds that must pass and spoilt ones that
// must not.
#include "catch.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "pair_answer.hpp"
#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/oracle/manifold.hpp"
#include "support/oracle/patch.hpp"

using namespace abut;
using oracle::Loop;
using oracle::ManifoldVerdict;
using oracle::Pose;
using oracle::Solid;
using oracle::Vec3d;

namespace {

constexpr float kMargin = 0.05f;
const Quat kEighthAboutZ{0, 0, 0.38268343236508977f, 0.92387953251128674f},
    kQuarterAboutZ{0, 0, 0.70710678f, 0.70710678f};

Pose at(double x, double y, double z, const Quat& q = {}) { return {{x, y, z}, oracle::rotation_of(q)}; }

bool near(double x, double y, double within = 1e-6) { return std::fabs(x - y) <= within; }

oracle::Patch patch_of(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal,
                       double within = 1e-6) {
    oracle::Placed placed_a, placed_b;
    placed_a.move(a, pose_a.rotation, {});
    placed_b.move(b, pose_b.rotation, pose_b.position - pose_a.position);
    return contact_patch(placed_a, placed_b, oracle::Plane(normal), within);
}

// A crate of half a metre on a floor, a little sunk in, turned by an eighth; and its four contacts.
struct Example {
    Solid floor = oracle::box({2, 2, 0.5f}), crate = oracle::box({0.5f, 0.5f, 0.5f});
    Pose crate_pose = at(0.25, 0, 0.99, kEighthAboutZ);
    Vec3 normal{0, 0, 1};
    std::vector<Contact> contacts;

    Example() {
        const float r = 0.70710678f, z = 0.495f, depth = -0.01f;
        contacts = {{{0.25f + r, 0, z}, depth, 1},
                    {{0.25f, r, z}, depth, 2},
                    {{0.25f - r, 0, z}, depth, 3},
                    {{0.25f, -r, z}, depth, 4}};
    }
    ManifoldVerdict check() const { return check_manifold(floor, {}, crate, crate_pose, kMargin, normal, contacts); }
};

// Four of a convex patch's corners: the diagonal from one within `tie` of the deepest that has the best partners on
// either side.
std::vector<Contact> best_four(const std::vector<Contact>& all, const oracle::Plane& plane, double tie) {
    if (all.size() <= oracle::kMostContacts) return all;
    std::vector<Contact> best;
    double largest = -1;
    for (const Contact& deep : all) {
        if (deep.separation > all[0].separation + tie) break;
        for (const Contact& end : all) {
            const auto seen = [&](const Contact& c) {
                return plane.seen(Vec3d(c.position)) - plane.seen(Vec3d(deep.position));
            };
            const auto turn = [&](const Contact& c) { return cross(seen(end), seen(c)); };
            const auto [right, left] = std::ranges::minmax_element(all, {}, turn);
            if (const double twice = turn(*left) - turn(*right); twice > largest)
                largest = twice, best = {deep, *right, end, *left};
        }
    }
    std::ranges::sort(best, {}, [](const Contact& c) { return std::pair(c.separation, c.feature); });
    const auto same = [](const Contact& c, const Contact& d) { return c.feature == d.feature; };
    best.erase(std::unique(best.begin(), best.end(), same), best.end());
    return best;
}

// The pair's patch as a manifold: its corners within the margin.
std::vector<Contact> corners_as_contacts(const scenes::Scene& scene, std::size_t pair, const Vec3& normal,
                                         float margin) {
    const Solid &a = scene.solid_a(pair), &b = scene.solid_b(pair);
    const double within = scene.tolerance(pair);
    const oracle::Plane plane(normalised(Vec3d(normal)));
    const oracle::Patch patch =
        patch_of(a, oracle::pose_of(scene.body_a(pair)), b, oracle::pose_of(scene.body_b(pair)), plane.normal, within);
    std::vector<Contact> contacts;
    for (std::size_t i = 0; i < patch.corners.size(); ++i) {
        const double separation = patch.separation[i] - a.radius - b.radius;
        const Vec3d p = plane.u * patch.corners[i].u + plane.v * patch.corners[i].v +
                        plane.normal * (patch.height[i] + a.radius + separation / 2);
        if (float(separation) <= margin)
            contacts.push_back({{float(p.x), float(p.y), float(p.z)}, float(separation), std::uint32_t(i)});
    }
    std::ranges::stable_sort(contacts, {}, &Contact::separation);
    return best_four(contacts, plane, within);
}

// Passes as it is; `spoil` is found out as `what`.
void found_out(const std::string& what, const std::function<void(Example&)>& spoil) {
    Example example;
    CHECK(example.check().right());
    spoil(example);
    const ManifoldVerdict verdict = example.check();
    INFO(what << " against " << verdict.what << ", " << verdict.worst);
    CHECK_FALSE(verdict.right());
    CHECK(std::string(verdict.what).find(what) != std::string::npos);
}

}  // namespace

TEST_CASE("oracle: polygons in the plane", "[oracle]") {
    const Loop square = oracle::convex_loop({{0, 0}, {1, 1}, {0, 1}, {1, 0}, {0.5, 0.5}, {0.5, 0}, {0, 0}});
    CHECK(square.size() == 4);
    CHECK(area(square) == 1);
    CHECK(area(clipped(square, oracle::convex_loop({{0.5, 0.5}, {2, 0.5}, {0.5, 2}, {2, 2}}))) == 0.25);
    CHECK(clipped(square, oracle::convex_loop({{2, 2}, {3, 2}, {2, 3}})).empty());
    CHECK(oracle::convex_loop(clipped({{-1, 0.25}, {4, 0.25}}, square)) == Loop{{0, 0.25}, {1, 0.25}});
    CHECK(clipped({{0.5, 0.5}}, square) == Loop{{0.5, 0.5}});
    CHECK(oracle::diameter(square) == std::sqrt(2.0));
    // All quadrilaterals of random convex polygons, one by one.
    scenes::Random random(5);
    for (int round = 0; round < 200; ++round) {
        Loop points;
        for (int i = 0; i < 12; ++i) points.push_back({random.uniform(), random.uniform()});
        const Loop loop = oracle::convex_loop(points);
        const std::vector<std::size_t> required{random.below(std::uint32_t(loop.size()))};
        double largest = 0;
        for (const auto& p : loop)
            for (const auto& q : loop)
                for (const auto& r : loop)
                    largest = std::max(largest, area(oracle::convex_loop({p, q, r, loop[required[0]]})));
        CHECK(near(oracle::largest_quadrilateral(loop, required), largest));
    }
}

TEST_CASE("oracle: contact patches", "[oracle]") {
    const Solid cube = oracle::box({1, 1, 1}), capsule = oracle::capsule(0.25f, 1), ball = oracle::sphere(1);
    const Vec3d up{0, 0, 1};
    const auto square = patch_of(cube, {}, cube, at(0.5, 0.25, 2.125), up);
    CHECK(square.clear);
    CHECK(near(area(square.corners), 1.5 * 1.75));
    for (const double separation : square.separation) CHECK(near(separation, 0.125));
    const auto octagon = patch_of(cube, {}, cube, at(0, 0, 2, kEighthAboutZ), up);
    CHECK(octagon.corners.size() == 8);
    CHECK(near(area(octagon.corners), 8 * (std::sqrt(2.0) - 1)));
    const auto line = patch_of(cube, {}, capsule, at(0.5, 0.5, 1.25), up);
    CHECK(line.corners.size() == 2);
    CHECK(near(oracle::diameter(line.corners), 1.5));
    const auto crossed = patch_of(capsule, {}, capsule, at(0, 0, 0.5, kQuarterAboutZ), up);
    CHECK((crossed.clear && oracle::diameter(crossed.corners) < 1e-6));
    const auto parallel = patch_of(capsule, {}, capsule, at(0, 0.5, 0.5), up);
    CHECK(near(oracle::diameter(parallel.corners), 1.5));
    CHECK(patch_of(cube, {}, ball, at(0, 0, 2), up).corners.size() == 1);
    CHECK(patch_of(cube, {}, cube, at(3, 0, 2), up).corners.empty());
    // Tilted by a hundredth about y: the heights differ by as much over a metre.
    const auto tilted = patch_of(cube, {}, cube, at(0, 0, 2.02, {0, 0.005f, 0, 1}), up);
    CHECK((tilted.clear && tilted.corners.size() >= 4));
    const auto [low, high] = std::ranges::minmax(tilted.separation);
    CHECK(near(high - low, 0.02, 4e-4));
    // Caps are polygons of 32 sides, side lines have two ends, and a plane is as large as need be.
    const Solid drum = oracle::cylinder(0.5f, 0.75f), cone = oracle::cone(0.5f, 0.75f),
                floor = oracle::halfspace({0, 0, 1}, 1);
    const double disc = 16 * std::sin(0.19634954084936207) * 0.25;  // 32 / 2 sin(pi / 16) r^2
    const Quat upright{0.70710678f, 0, 0, 0.70710678f}, upside_down{-0.70710678f, 0, 0, 0.70710678f};
    CHECK(near(area(patch_of(cube, {}, drum, at(0, 0, 1.75, upright), up).corners), disc));
    CHECK(near(area(patch_of(floor, {}, drum, at(30, 0, 1.75, upright), up).corners), disc));
    CHECK(near(area(patch_of(drum, at(0, 0, 0, upright), drum, at(0, 0, 1.5, upright), up).corners), disc));
    CHECK(near(area(patch_of(cube, {}, drum, at(1, 0, 1.75, upright), up).corners), disc / 2));
    CHECK(near(area(patch_of(floor, {}, cone, at(0, 0, 1.75, upright), up).corners), disc));
    CHECK(patch_of(floor, {}, cone, at(0, 0, 1.75, upside_down), up).corners.size() == 1);
    const auto lying = patch_of(floor, {}, drum, at(0, 0, 1.5), up);
    CHECK((lying.corners.size() == 2 && near(oracle::diameter(lying.corners), 1.5) && near(lying.separation[0], 0)));
    const double lean = std::atan2(0.5, 1.5) / 2;  // a cone on its side: the axis rises by half the apex' angle
    const auto leaning =
        patch_of(floor, {}, cone, at(0, 0, 1.5, {float(-std::sin(lean)), 0, 0, float(std::cos(lean))}), up, 1e-5);
    CHECK((leaning.corners.size() == 2 && near(oracle::diameter(leaning.corners), std::sqrt(2.5))));
    CHECK(patch_of(floor, {}, oracle::ellipsoid({1, 2, 3}), at(0, 0, 4), up).corners.size() == 1);
    CHECK(near(patch_of(floor, {}, oracle::ellipsoid({1, 2, 3}), at(0, 0, 4.25), up).separation[0], 0.25));
    CHECK_FALSE(patch_of(floor, {}, drum, at(0, 0, 1.75, {0.68f, 0, 0, 0.73f}), up).clear);
    // Between flat and tilted nothing is asked.
    CHECK_FALSE(patch_of(cube, {}, cube, at(0, 0, 2.1, {0, 0.025f, 0, 1}), up).clear);
}

TEST_CASE("oracle: a right manifold passes, a spoilt one is found out", "[oracle]") {
    const ManifoldVerdict verdict = Example().check();
    CHECK(verdict.has_patch);
    CHECK(near(verdict.share, 1));
    found_out("finite", [](Example& e) { e.contacts.clear(); });
    found_out("finite", [](Example& e) { e.contacts.push_back({{0.25f, 0, 0.495f}, -0.01f, 5}); });
    found_out("finite", [](Example& e) { e.contacts[2].position.y = std::numeric_limits<float>::quiet_NaN(); });
    found_out("unit normal", [](Example& e) { e.normal.z = 1.001f; });
    found_out("", [](Example& e) { e.normal.z = -1; });
    found_out("the deepest contact", [](Example& e) {
        for (Contact& c : e.contacts) c.separation = 0, c.position.z = 0.5f;
    });
    found_out("feature id twice", [](Example& e) { e.contacts[3].feature = 2; });
    found_out("not the deepest", [](Example& e) { e.contacts[3].separation = -0.011f; });
    found_out("margin", [](Example& e) { e.contacts[3].separation = 0.06f; });
    found_out("contact on A", [](Example& e) { e.contacts[3].position.z += 1e-4f; });
    found_out("contact on", [](Example& e) { e.contacts[3].separation += 1e-4f; });
    found_out("contact on B", [](Example& e) { e.contacts[1].position.x += 1e-3f; });
    // The crate's upper side and the floor's lower are surfaces, but not those that meet.
    found_out("side towards", [](Example& e) {
        e.crate = oracle::box({0.5f, 0.5f, 0.01f}), e.crate_pose = at(0.25, 0, 0.5, kEighthAboutZ);
        e.contacts.back() = {{0.25f, -0.5f, 0.505f}, 0.01f, 4};
    });
    found_out("contact twice", [](Example& e) { e.contacts[2].position = e.contacts[1].position; });

    Example few;
    few.contacts.resize(3);
    CHECK(few.check().right());
    CHECK(near(few.check().share, 0.5));
    few.contacts.resize(1);
    CHECK(few.check().share == 0);
}

// Corners come of clipping features, the judgement of distances to the shapes: they have to agree.
TEST_CASE("oracle: the corners of a patch make a right manifold", "[oracle]") {
    const ShapeKind kinds[] = {ShapeKind::capsule,  ShapeKind::box,  ShapeKind::hull,
                               ShapeKind::cylinder, ShapeKind::cone, ShapeKind::halfspace};
    const auto has_lines = [](ShapeKind kind) {
        return kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone;
    };
    for (const ShapeKind kind_a : kinds) {
        for (const ShapeKind kind_b : kinds) {
            if (kind_a == ShapeKind::halfspace && kind_b == kind_a) continue;
            const bool curved = kind_a >= ShapeKind::cylinder || kind_b >= ShapeKind::cylinder;
            const scenes::Scene scene = scenes::make_resting(kind_a, kind_b, test::kPairsAKind / (curved ? 20 : 10));
            std::size_t tried = 0, wrong = 0;
            double least_share = 1;
            for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
                const Pose pose_a = oracle::pose_of(scene.body_a(i)), pose_b = oracle::pose_of(scene.body_b(i));
                const Vec3d n = signed_distance(scene.solid_a(i), pose_a, scene.solid_b(i), pose_b).normal;
                const Vec3 normal{float(n.x), float(n.y), float(n.z)};
                const std::vector<Contact> contacts = corners_as_contacts(scene, i, normal, scene.margins[i]);
                if (contacts.empty()) continue;
                const ManifoldVerdict verdict = scene.check_manifold(i, scene.margins[i], normal, contacts);
                ++tried;
                wrong += !verdict.right();
                least_share = std::min(least_share, verdict.share);
                if (!verdict.right())
                    UNSCOPED_INFO(verdict.what << " " << verdict.worst << ", " << scene.family[i] << "\n"
                                               << scene.query_line(i));
            }
            INFO(scene.name << ": " << tried << " tried");
            // Where a tilted cap's rim crosses an edge the polygon's crossing is not quite the deepest point.
            CHECK(wrong <= (curved ? tried / 100 : 0));
            CHECK(least_share > (curved ? 0.85 : 0.95));
            CHECK(tried > scene.pairs.size() / (has_lines(kind_a) && has_lines(kind_b) ? 20 : 2));
        }
    }
}

TEST_CASE("oracle: of a tilted feature only what is within the margin is wanted", "[oracle]") {
    const Solid floor = oracle::box({2, 2, 0.5f}), capsule = oracle::capsule(0.25f, 1);
    // Lies along x, one end up by 0.02.
    const double sine = 0.01, cosine = std::sqrt(1 - sine * sine);
    const Vec3d along{cosine, 0, sine};
    const oracle::Rotation rotation{{0, along.x, -sine}, {1, 0, 0}, {0, along.z, cosine}};  // columns: side, along, up
    const Pose pose{{0, 0, 0.75 + sine}, rotation};
    const auto contact = [&](double end, std::uint32_t feature) {
        const double separation = sine + sine * end;
        return Contact{{float(cosine * end), 0, float(0.5 + separation / 2)}, float(separation), feature};
    };
    std::vector<Contact> contacts{contact(-1, 1), contact(1, 2)};
    ManifoldVerdict verdict = check_manifold(floor, {}, capsule, pose, 0.05f, {0, 0, 1}, contacts);
    INFO(verdict.what << " " << verdict.worst);
    CHECK(verdict.right());
    CHECK(near(verdict.share, 1));
    contacts.pop_back();
    CHECK(check_manifold(floor, {}, capsule, pose, 0.05f, {0, 0, 1}, contacts).share == 0);
    CHECK_FALSE(check_manifold(floor, {}, capsule, pose, 0.01f, {0, 0, 1}, contacts).has_patch);
}
