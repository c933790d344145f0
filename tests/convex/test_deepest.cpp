// Nearly aligned pairs: the deepest contact is as deep as the signed distance; to within 1/16 of the contact slack if
// there are one or two contacts, to within the slack if there are more.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/kinds.hpp"
#include "scenes/laying.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using scenes::Random;

namespace {

constexpr std::size_t kPairs = 300;
constexpr double kShare = 1.0 / 16;  // of the slack: kDeepestShare

Quat turned(const Quat& q, const oracle::Vec3d& axis, double angle) {
    const double s = std::sin(angle / 2), x = axis.x * s, y = axis.y * s, z = axis.z * s, w = std::cos(angle / 2);
    const double qx = double(q.x), qy = double(q.y), qz = double(q.z), qw = double(q.w);
    return {float(w * qx + x * qw + y * qz - z * qy), float(w * qy + y * qw + z * qx - x * qz),
            float(w * qz + z * qw + x * qy - y * qx), float(w * qw - x * qx - y * qy - z * qz)};
}

// Flat features on each other, one turned by 0.1 mrad to 0.1 rad about any axis. The shapes are then moved along the
// normal until they overlap by up to 5% of the smaller size or are apart by up to 2%.
scenes::Scene nearly_aligned(ShapeKind kind_a, ShapeKind kind_b, std::size_t pairs) {
    scenes::Scene scene;
    scene.name = "nearly aligned";
    std::vector<double> gaps;
    for (std::size_t i = 0; i < pairs; ++i) {
        Random random(7, i);
        std::uint32_t at[2];
        for (int k = 0; k < 2; ++k) {
            do {
                at[k] = scene.add_solid(scenes::flat_shape(k == 0 ? kind_a : kind_b, 1, random));
            } while (!scenes::can_lie(scene.solids[at[k]]));
        }
        const oracle::Solid &a = scene.solids[at[0]], &b = scene.solids[at[1]];
        const scenes::Laid laid = scenes::lay(a, b, scenes::kRestingTilts, scenes::resting_gap, random);
        const oracle::Vec3d axis = random.direction();
        const double angle = std::pow(10, random.uniform(-4, -1));
        const std::uint32_t body = scene.add_body(at[0], laid.poses.position_a, laid.poses.orientation_a);
        scene.add_body(at[1], laid.poses.position_b, turned(laid.poses.orientation_b, axis, angle));
        scene.pairs.push_back({body, body + 1});
        gaps.push_back(scenes::resting_gap(oracle::smaller_size(a, b), random));
    }
    Distances distances;
    NarrowPhase narrow;
    REQUIRE(narrow.distance(scene.frame(), distances));
    for (std::size_t i = 0; i < pairs; ++i) {
        const double move = gaps[i] - double(distances.signed_distance[i]);
        const Vec3 n = distances.normal[i];
        Vec3& p = scene.bodies[scene.pairs[i].b].position;
        p = {float(double(p.x) + double(n.x) * move), float(double(p.y) + double(n.y) * move),
             float(double(p.z) + double(n.z) * move)};
    }
    return scene;
}

struct Count {
    std::size_t asked = 0, lines = 0, missing = 0;
    double line = 0, patch = 0;  // by how much contacts are shallower, as shares of what is allowed
    std::size_t worst_line = 0;

    Count(const scenes::Scene& scene, const Distances& distances, const Manifolds& manifolds, float margin) {
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const double distance = double(distances.signed_distance[i]);
            const double bound = oracle::tolerance(scene.solid_a(i), scene.solid_b(i), distance);
            const double slack = oracle::contact_slack(scene.solid_a(i), scene.solid_b(i));
            if (distance > double(margin) - bound) continue;
            ++asked;
            const auto contacts = test::contacts_of(manifolds, i);
            if (contacts.empty()) {
                ++missing;
                continue;
            }
            const double off = double(contacts[0].separation) - distance;
            patch = std::max(patch, off / (slack + bound));
            if (contacts.size() > 2) continue;
            ++lines;
            if (const double share = off / (slack * kShare + 2 * bound); share > line) line = share, worst_line = i;
        }
    }
};

}  // namespace

TEST_CASE("manifold: the deepest contact of nearly aligned shapes is as deep as the distance", "[manifold]") {
    constexpr float kMargin = 0.02f;
    std::size_t lines = 0;
    for (const ShapeKind a : scenes::kAllKinds)
        for (const ShapeKind b : scenes::kAllKinds) {
            if (a > b || a == ShapeKind::halfspace) continue;
            const scenes::Scene scene = nearly_aligned(a, b, kPairs);
            for (const Isa isa : test::usable_isas()) {
                NarrowPhase narrow({.speculative_margin = kMargin, .isa = isa});
                Distances distances;
                Manifolds manifolds;
                REQUIRE(narrow.distance(scene.frame(), distances));
                REQUIRE(narrow.collide(scene.frame(), manifolds));
                const Count found(scene, distances, manifolds, kMargin);
                INFO(scene.query_line(found.worst_line));
                CHECK(found.asked > kPairs / 2);
                CHECK(found.missing == 0);
                CHECK(found.line <= 1);
                CHECK(found.patch <= 1);
                lines += found.lines;
            }
        }
    CHECK(lines > 5 * kPairs);
}
