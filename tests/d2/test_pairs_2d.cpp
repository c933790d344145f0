// d2::NarrowPhase against the oracle, on families of hard pairs: the promises in the plane.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include <abut/d2.hpp>

#include "base/tolerances.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/families_2d.hpp"

using namespace abut;
using plane::Family;

namespace {

constexpr std::size_t kPairs = 1500;

// A family's pairs as a frame, each pair once in each order.
struct Scene {
    d2::ShapeStore shapes;
    std::vector<plane::HardPair> given;
    std::vector<d2::Body> bodies;
    std::vector<Pair> pairs;

    Scene(Family family, std::uint64_t seed) : given(plane::hard_pairs(family, kPairs, seed)) {
        for (const plane::HardPair& pair : given) {
            const auto index = static_cast<std::uint32_t>(bodies.size());
            const auto a = plane::add_to(shapes, pair.a), b = plane::add_to(shapes, pair.b);
            REQUIRE(a);
            REQUIRE(b);
            bodies.push_back({pair.position_a, pair.rotation_a, *a});
            bodies.push_back({pair.position_b, pair.rotation_b, *b});
            pairs.push_back({index, index + 1});
        }
        for (std::size_t i = 0; i < kPairs; ++i) pairs.push_back({pairs[i].b, pairs[i].a});
    }
    d2::Frame frame() const {
        d2::Frame frame;
        frame.shapes = &shapes;
        frame.bodies = bodies;
        frame.pairs = pairs;
        return frame;
    }
};

struct Bounds {
    plane::Real smaller, larger;
    // Promise 1, where shapes are this far apart.
    plane::Real at(plane::Real distance) const {
        return kToleranceSmaller * smaller + kToleranceLarger * std::max(larger, distance);
    }
};
Bounds bounds_of(const plane::Shape& a, const plane::Shape& b) {
    const plane::Real x = plane::size_of(a), y = plane::size_of(b);
    // A half-plane has no size.
    if (a.form == plane::Form::halfplane) return {y, y};
    if (b.form == plane::Form::halfplane) return {x, x};
    return {std::min(x, y), std::max(x, y)};
}

plane::Point point(d2::Vec2 v) { return {v.x, v.y}; }

Settings with(Isa isa, float contact_slack = 0) {
    Settings settings;
    settings.isa = isa;
    settings.executor = serial_executor();
    settings.contact_slack = contact_slack;
    return settings;
}

const std::vector<Isa> kIsas = [] {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(isa);
    return isas;
}();

// The largest coordinate of a shape's corners.
plane::Real farthest(const plane::Shape& shape) {
    plane::Real most = 0;
    for (const plane::Point corner : shape.corners) most = std::max(most, plane::length(corner) + shape.radius);
    for (const plane::Shape& child : shape.children) most = std::max(most, farthest(child));
    return most;
}

// A case that the oracle decides: an answer, its bound, and whether rounding decides which segments take part.
struct Case {
    plane::Shape a, b;
    plane::Answer wanted;
    plane::Real bound;
    plane::Real coordinates;  // the rounding of points, which are relative to A's position
    bool is_open;

    explicit Case(const plane::HardPair& pair) {
        std::tie(a, b) = plane::placed_pair(pair);
        wanted = plane::signed_distance(a, b);
        bound = bounds_of(a, b).at(std::isinf(wanted.distance) ? 0 : std::fabs(wanted.distance));
        const plane::Point way = point(pair.position_b) - point(pair.position_a);
        coordinates = 0x1p-22L * (plane::length(way) + farthest(a) + farthest(b));
        is_open = !wanted.is_supported || wanted.decision <= bound;
    }
};

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), sizeof(T) * a.size()) == 0);
}

// Whether a point is on the surface; chains are thin, and their ends are checked with the distance.
bool is_on(const plane::Shape& shape, d2::Vec2 at, plane::Real bound) {
    return shape.form == plane::Form::chain || plane::is_on_surface(shape, point(at), bound);
}

}  // namespace

TEST_CASE("plane: right: distances, normals and points of hard pairs", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    const bool is_exact = GENERATE(false, true);
    INFO(plane::to_string(family) << (is_exact ? ", in double" : ""));
    const Scene scene(family, 1);
    Settings settings = with(Isa::best);
    if (is_exact) settings.depth = DepthPath::exact;
    d2::NarrowPhase phase(settings);
    d2::Distances out;
    d2::Overlaps hits;
    REQUIRE(phase.distance(scene.frame(), out));
    REQUIRE(phase.overlap(scene.frame(), hits));
    test::Count distances, points, signs, statuses;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Case one(scene.given[i]);
        const plane::Real got = out.signed_distance[i], wanted = one.wanted.distance;
        statuses += out.status[i] != (one.wanted.is_supported ? Status::ok : Status::unsupported);
        if (one.is_open || std::isinf(wanted)) {
            distances += !one.is_open && !std::isinf(got), points += false, signs += false;
            continue;
        }
        distances += !(std::fabs(got - wanted) <= one.bound);
        signs += hits.hit(i) != (wanted <= 0) && std::fabs(wanted) > one.bound;
        const plane::Point n = point(out.normal[i]), rest = point(out.point_b[i]) - point(out.point_a[i]) - n * got;
        points += std::fabs(plane::length(n) - 1) > 1e-5L || plane::length(rest) > one.bound + one.coordinates ||
                  !is_on(one.a, out.point_a[i], one.bound + one.coordinates) ||
                  !is_on(one.b, out.point_b[i], one.bound + one.coordinates);
    }
    CHECK(statuses == 0);
    CHECK(distances == 0);
    CHECK(points == 0);
    CHECK(signs == 0);
}

TEST_CASE("plane: right: contacts lie on both surfaces, the deepest at the distance", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    const float slack = GENERATE(0.0f, Settings().contact_slack);
    INFO(plane::to_string(family) << ", slack " << slack);
    const Scene scene(family, 2);
    std::vector<float> margins(scene.pairs.size());
    for (std::size_t i = 0; i < kPairs; ++i) {
        const auto [a, b] = plane::placed_pair(scene.given[i]);
        margins[i] = margins[kPairs + i] = static_cast<float>(0.02L * bounds_of(a, b).smaller);
    }
    d2::Frame frame = scene.frame();
    frame.margins = margins;
    d2::NarrowPhase phase(with(Isa::best, slack));
    d2::Manifolds out;
    REQUIRE(phase.collide(frame, out));
    test::Count missing, off_surface, depths;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Case one(scene.given[i]);
        const std::uint32_t first = out.first_manifold[i], end = out.first_manifold[i + 1];
        const bool is_chain = one.a.form == plane::Form::chain || one.b.form == plane::Form::chain;
        const bool is_near = one.wanted.distance <= margins[i];
        missing += !one.is_open && !is_chain && (first != end) != is_near &&
                   std::fabs(one.wanted.distance - margins[i]) > one.bound;
        plane::Real deepest = plane::kInfinity;
        bool is_off = false;
        for (std::uint32_t m = first; m < end; ++m) {
            const d2::Manifold& manifold = out.manifolds[m];
            const plane::Point n = point(manifold.normal);
            is_off |= std::fabs(plane::length(n) - 1) > 1e-5L || manifold.contact_count < 1;
            for (std::uint32_t c = 0; c < manifold.contact_count; ++c) {
                const d2::Contact& contact = manifold.contacts[c];
                const plane::Real half = 0.5L * contact.separation;
                const auto at = [&](plane::Real by) {
                    const plane::Point p = point(contact.position) + n * by;
                    return d2::Vec2{static_cast<float>(p.x), static_cast<float>(p.y)};
                };
                is_off |= contact.separation > margins[i] ||
                          !is_on(one.a, at(-half), 1.1L * one.bound + one.coordinates) ||
                          !is_on(one.b, at(half), 1.1L * one.bound + one.coordinates);
                deepest = std::min<plane::Real>(deepest, contact.separation);
            }
            is_off |= manifold.contact_count == 2 && manifold.contacts[1].separation < manifold.contacts[0].separation;
        }
        off_surface += is_off;
        const plane::Real allowed = std::min<plane::Real>(slack, 0.004L * bounds_of(one.a, one.b).smaller);
        depths +=
            !one.is_open && !is_chain && first != end && std::fabs(deepest - one.wanted.distance) > one.bound + allowed;
    }
    CHECK(missing == 0);
    CHECK(off_surface == 0);
    CHECK(depths == 0);
}

TEST_CASE("plane: same bits on every instruction set, symmetric, and alone as in a batch",
          "[d2][same-bits][symmetric]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const Scene scene(family, 3);
    d2::Distances first;
    d2::Manifolds manifolds;
    for (const Isa isa : kIsas) {
        INFO(to_string(isa));
        d2::NarrowPhase phase(with(isa));
        d2::Distances out;
        d2::Manifolds contacts;
        REQUIRE(phase.distance(scene.frame(), out));
        REQUIRE(phase.collide(scene.frame(), contacts));
        if (isa == kIsas[0]) first = out, manifolds = contacts;
        CHECK(same(out.signed_distance, first.signed_distance));
        CHECK(same(out.normal, first.normal));
        CHECK(same(out.point_a, first.point_a));
        CHECK(same(out.point_b, first.point_b));
        CHECK(same(contacts.manifolds, manifolds.manifolds));
    }
    d2::NarrowPhase phase(with(Isa::best));
    test::Count mirrored, alone;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const std::size_t k = kPairs + i;
        const d2::Vec2 n = first.normal[i], m = first.normal[k];
        bool differs = std::memcmp(&first.signed_distance[i], &first.signed_distance[k], sizeof(float)) != 0 ||
                       n.x != -m.x || n.y != -m.y;
        const std::uint32_t count = manifolds.first_manifold[i + 1] - manifolds.first_manifold[i];
        differs |= manifolds.first_manifold[k + 1] - manifolds.first_manifold[k] != count;
        for (std::uint32_t c = 0; c < count && !differs; ++c) {
            const d2::Manifold &x = manifolds.manifolds[manifolds.first_manifold[i] + c],
                               &y = manifolds.manifolds[manifolds.first_manifold[k] + c];
            differs = x.normal.x != -y.normal.x || x.normal.y != -y.normal.y || x.contact_count != y.contact_count ||
                      x.child_a != y.child_b || x.child_b != y.child_a;
            for (std::uint32_t p = 0; p < x.contact_count; ++p) {
                const std::uint32_t f = x.contacts[p].feature, g = y.contacts[p].feature;
                differs |= x.contacts[p].separation != y.contacts[p].separation || (f << 16 | f >> 16) != g;
            }
        }
        mirrored += differs;
        d2::Frame frame = scene.frame();
        frame.pairs = frame.pairs.subspan(i, 1);
        d2::Distances out;
        if (i % 10 == 0) (void)phase.distance(frame, out);
        alone += i % 10 == 0 && std::memcmp(&out.signed_distance[0], &first.signed_distance[i], sizeof(float)) != 0;
    }
    CHECK(mirrored == 0);
    CHECK(alone == 0);
}
