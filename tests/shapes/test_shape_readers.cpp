// What a store says of hulls and compounds, shapes changed in place, and how long ids last.
#include <abut/abut.hpp>

#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "support/catch.hpp"
#include "support/hull_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

double dot(Vec3 a, Vec3 b) { return double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z; }
Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

std::vector<Vec3> vertices_of(const ShapeStore& store, ShapeId id) {
    std::vector<Vec3> vertices(store.view(id).hull.vertices);
    REQUIRE(store.hull_vertices(id, vertices) == vertices.size());
    return vertices;
}

std::vector<CompoundChild> children_of(const ShapeStore& store, ShapeId id) {
    std::vector<CompoundChild> children(store.view(id).children);
    REQUIRE(store.compound_children(id, children) == children.size());
    return children;
}

bool same_bits(const Manifolds& a, const Manifolds& b) {
    return a.contacts.size() == b.contacts.size() && a.first_manifold == b.first_manifold &&
           std::memcmp(a.contacts.data(), b.contacts.data(), a.contacts.size() * sizeof(Contact)) == 0;
}

Manifolds contacts_of(const ShapeStore& store, ShapeId a, ShapeId b, Vec3 at, Quat turn = {}) {
    const std::vector<Body> bodies = {{{}, a, {}}, {at, b, turn}};
    const std::vector<Pair> pairs = {{0, 1}};
    NarrowPhase narrow({.speculative_margin = 0.02f});
    Manifolds manifolds;
    REQUIRE(narrow.collide({&store, bodies, pairs}, manifolds));
    return manifolds;
}

bool same_view(const ShapeView& a, const ShapeView& b) {
    return a.kind == b.kind && a.rounding == b.rounding && a.scale == b.scale && a.size == b.size &&
           a.bounds_min == b.bounds_min && a.bounds_max == b.bounds_max && a.radius == b.radius &&
           a.half_height == b.half_height && a.half_extents == b.half_extents;
}

}  // namespace

TEST_CASE("a hull's faces and edges are read as they are in the body's frame") {
    Random random(21);
    ShapeStore store;
    for (int i = 0; i < 20; ++i) {
        auto points = i == 0 ? lattice(2) : i == 1 ? prism(9, 0.5) : sphere_points(random, 4 + 10 * i);
        for (Vec3& p : points) p = {p.x + 3, p.y, p.z - 5};
        const Vec3 scale = {1, 2, 0.5f};
        const ShapeId id = *store.add_hull(points, {.scale = scale});
        const HullReport report = store.view(id).hull;
        const auto vertices = vertices_of(store, id);
        std::map<std::pair<int, int>, int> left;
        for (std::uint32_t f = 0; f < report.faces; ++f) {
            const HullFace face = store.hull_face(id, f), stretched = scaled(face, scale);
            CHECK(std::abs(dot(face.normal, face.normal) - 1) < 1e-6);
            CHECK(std::abs(dot(stretched.normal, stretched.normal) - 1) < 1e-6);
            std::set<int> on(face.corners.begin(), face.corners.end());
            for (std::uint32_t v = 0; v < vertices.size(); ++v) {
                const double above = dot(face.normal, vertices[v]) - face.offset;
                const double above_scaled = dot(stretched.normal, times(vertices[v], scale)) - stretched.offset;
                CHECK((above < 3e-6 && above_scaled < 6e-6));
                if (on.contains(int(v))) CHECK((above > -3e-6 && above_scaled > -6e-6));
            }
            for (std::size_t k = 0; k < face.corners.size(); ++k)
                CHECK(left.insert({{face.corners[k], face.corners[(k + 1) % face.corners.size()]}, int(f)}).second);
        }
        const auto edges = store.hull_edges(id);
        REQUIRE(edges.size() == report.edges);
        CHECK(left.size() == 2 * edges.size());
        for (const HullEdge& e : edges)
            CHECK((e.v0 < e.v1 && left[{e.v0, e.v1}] == e.f0 && left[{e.v1, e.v0}] == e.f1));
    }
    const Vec3 ends[] = {{0, 0, 0}, {1, 0, 0}};
    const ShapeId segment = *store.add_hull(ends), ball = *store.add_sphere(1);
    REQUIRE(store.hull_edges(segment).size() == 1);
    CHECK((store.hull_edges(segment)[0].f0 == kNoFace && store.hull_face(segment, 0).corners.empty()));
    CHECK((store.hull_edges(ball).empty() && store.hull_face(ball, 0).corners.empty() &&
           store.hull_face(ShapeId{}, 0).corners.empty()));
    CHECK(store.view(ShapeId{}).kind == ShapeKind::none);
}

TEST_CASE("a contact's feature id names what its shape has there") {
    Random random(8);
    ShapeStore store;
    const ShapeId hull = *store.add_hull(sphere_points(random, 60)), box = *store.add_box({2, 0.25f, 2});
    const auto vertices = vertices_of(store, hull);
    std::set<std::pair<int, int>> edges;
    for (const HullEdge& e : store.hull_edges(hull)) edges.insert({e.v0, e.v1});
    int of_type[3] = {};
    for (int i = 0; i < 400; ++i) {
        const Vec3 turn = random.direction();
        const Quat q = {turn.x * 0.6f, turn.y * 0.6f, turn.z * 0.6f, 0.8f};
        const Manifolds m = contacts_of(store, box, hull, {0.1f, 1.2f, 0.05f}, q);
        for (const Contact& c : m.contacts) {
            const Feature on_box = feature_of_a(c.feature), on_hull = feature_of_b(c.feature);
            ++of_type[int(on_hull.type)];
            CHECK((on_box.type == FeatureType::face ? on_box.face < 6 : on_box.v0 < 8 && on_box.v1 < 8));
            if (on_hull.type == FeatureType::edge) CHECK(edges.contains({on_hull.v0, on_hull.v1}));
            if (on_hull.type == FeatureType::face) CHECK(on_hull.face < store.view(hull).hull.faces);
            if (on_hull.type != FeatureType::vertex) continue;
            REQUIRE(on_hull.v0 < vertices.size());
            // The vertex, turned: it is the contact but for half the separation.
            const Vec3 v = vertices[on_hull.v0];
            const double t[3] = {2 * (double(q.y) * v.z - double(q.z) * v.y),
                                 2 * (double(q.z) * v.x - double(q.x) * v.z),
                                 2 * (double(q.x) * v.y - double(q.y) * v.x)};
            const double x = v.x + q.w * t[0] + q.y * t[2] - q.z * t[1] + 0.1,
                         z = v.z + q.w * t[2] + q.x * t[1] - q.y * t[0] + 0.05;
            CHECK((std::abs(x - c.position.x) < 1e-5 && std::abs(z - c.position.z) < 1e-5));
        }
    }
    CHECK(of_type[0] > 100);
    STATIC_REQUIRE(decode_feature(edge_feature(9, 3)) == Feature{FeatureType::edge, 3, 9, 0});
    STATIC_REQUIRE(decode_feature(5) == Feature{FeatureType::vertex, 5, 5, 0});
    STATIC_REQUIRE(decode_feature(0x8007) == Feature{FeatureType::face, 0, 0, 7});
    // A box's corner has bit i set where coordinate i is negative.
    const Manifolds m = contacts_of(store, *store.add_box({4, 1, 4}), *store.add_box({1, 1, 1}), {0, 2, 0});
    REQUIRE(m.contacts.size() == 4);
    for (const Contact& c : m.contacts) {
        const Feature corner = feature_of_b(c.feature), top = feature_of_a(c.feature);
        CHECK((corner.type == FeatureType::vertex && top.type == FeatureType::face && top.face == 2));
        CHECK(corner.v0 == (c.position.x < 0 ? 1 : 0) + 2 + (c.position.z < 0 ? 4 : 0));
    }
}

TEST_CASE("features of round shapes are those of the header's table") {
    ShapeStore store;
    Random random(12);
    const ShapeId plane = *store.add_halfspace({0, 1, 0}, 0);
    const std::pair<ShapeId, std::set<int>> shapes[] = {{*store.add_sphere(0.5f), {0}},
                                                        {*store.add_capsule(0.25f, 0.5f), {0, 1}}};
    for (const auto& [shape, vertices] : shapes) {
        for (int i = 0; i < 50; ++i) {
            const Vec3 turn = random.direction();
            for (const Contact& c :
                 contacts_of(store, plane, shape, {0, 0.25f, 0}, {turn.x * 0.6f, turn.y * 0.6f, turn.z * 0.6f, 0.8f})
                     .contacts) {
                CHECK(feature_of_a(c.feature) == Feature{FeatureType::face, 0, 0, 0});
                CHECK((feature_of_b(c.feature).type == FeatureType::vertex &&
                       vertices.contains(feature_of_b(c.feature).v0)));
            }
        }
    }
    // Standing, lying and upside down.
    const ShapeId cylinder = *store.add_cylinder(0.5f, 0.5f), cone = *store.add_cone(0.5f, 0.5f),
                  egg = *store.add_ellipsoid({0.4f, 0.5f, 0.3f});
    const auto features = [&](ShapeId shape, Quat turn) {
        std::set<int> all;
        const Manifolds m = contacts_of(store, plane, shape, {0, 0.45f, 0}, turn);
        for (const Contact& c : m.contacts) {
            const Feature f = feature_of_b(c.feature);
            all.insert(f.type == FeatureType::vertex ? f.v0 : f.type == FeatureType::face ? 1000 + f.face : -1);
        }
        REQUIRE_FALSE(all.empty());
        return all;
    };
    const auto within = [](const std::set<int>& all, int low, int high) {
        return *all.begin() >= low && *all.rbegin() <= high;
    };
    const Quat lying = {0, 0, 0.70710678f, 0.70710678f}, turned = {1, 0, 0, 0};
    CHECK((within(features(cylinder, {}), 16, 31) && within(features(cylinder, turned), 0, 15) &&
           within(features(cylinder, lying), 62, 63)));
    CHECK(within(features(cone, {}), 16, 31));
    CHECK(features(egg, {}) == std::set<int>{1002});
}

TEST_CASE("a compound's children make the same compound again") {
    ShapeStore store;
    Random random(2);
    const ShapeId ball = *store.add_sphere(0.5f),
                  hull = *store.add_hull(sphere_points(random, 20), {.rounding = 0.1f, .scale = {1, 2, 1}});
    const CompoundChild inner[] = {{ball, {1, 0, 0}, {}}, {hull, {0, 2, 0}, {0, 0.6f, 0, 0.8f}}};
    const ShapeId nested = *store.add_compound(inner, {.rounding = 0.25f, .scale = {2, 2, 2}});
    const CompoundChild outer[] = {{nested, {5, 0, 0}, {0.6f, 0, 0, 0.8f}}, {ball, {}, {}}, {ball, {0, 0, 1}, {}}};
    const ShapeId compound = *store.add_compound(outer);
    const auto children = children_of(store, compound);
    REQUIRE(children.size() == 4);
    CHECK((children[0].shape.kind() == ShapeKind::sphere && children[1].shape.kind() == ShapeKind::hull));
    CHECK((children[2].shape == children[3].shape && children[3].position == Vec3{0, 0, 1}));
    CHECK(store.view(children[0].shape).rounding == 0.25f);
    CHECK(store.view(children[0].shape).scale == Vec3{2, 2, 2});
    CHECK(store.view(children[1].shape).scale == Vec3{2, 4, 2});
    CHECK(std::abs(children[0].position.x - 7) < 1e-6);
    CHECK(store.hull_edges(children[1].shape).size() == store.hull_edges(hull).size());
    const ShapeId again = *store.add_compound(children);
    const ShapeView a = store.view(compound), b = store.view(again);
    CHECK(std::abs(a.size - b.size) < 1e-5);
    const auto other = children_of(store, again);
    for (std::size_t i = 0; i < 4; ++i) CHECK(other[i].position == children[i].position);

    // They belong to the compound.
    const std::size_t living = store.size();
    CHECK_FALSE(store.remove(children[0].shape));
    const auto refused = store.set_instance(children[0].shape, {});
    CHECK(refused.error().code == ErrorCode::bad_argument);
    CHECK((store.size() == living && store.contains(children[0].shape)));
    CHECK(store.remove(compound));
    CHECK_FALSE(store.contains(children[0].shape));
    std::vector<CompoundChild> room(4);
    CHECK(store.compound_children(compound, room) == 0);
    const auto reused = store.add_sphere(1);  // a slot that was a compound's own is anybody's
    CHECK((store.set_instance(*reused, {.rounding = 1}) && store.remove(*reused)));
}

TEST_CASE("a shape changed in place is what was added with that scale and rounding") {
    Random random(31);
    const auto points = sphere_points(random, 30);
    const auto add_all = [&](ShapeStore& store, const InstanceOptions& even, const InstanceOptions& odd) {
        std::vector<ShapeId> ids = {*store.add_sphere(0.5f, even),  *store.add_capsule(0.5f, 0.25f, even),
                                    *store.add_box({1, 2, 3}, odd), *store.add_cylinder(1, 2, even),
                                    *store.add_cone(1, 2, even),    *store.add_ellipsoid({1, 2, 3}, odd),
                                    *store.add_hull(points, odd),   *store.add_halfspace({0, 1, 0}, 2, even)};
        const CompoundChild children[] = {
            {ids[6], {1, 0, 0}, {0, 0.6f, 0, 0.8f}}, {ids[0], {}, {}}, {ids[0], {0, 3, 0}, {}}};
        ids.push_back(*store.add_compound(children, even));
        return ids;
    };
    const InstanceOptions even{.rounding = 0.125f, .scale = {3, 3, 3}}, odd{.rounding = 0.5f, .scale = {1, 2, 0.5f}};
    ShapeStore changed, made;
    const auto ids = add_all(changed, {}, {}), wanted = add_all(made, even, odd);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        REQUIRE(ids[i] == wanted[i]);
        const bool each = ids[i].kind() == ShapeKind::box || ids[i].kind() == ShapeKind::ellipsoid ||
                          ids[i].kind() == ShapeKind::hull;
        if (i + 1 < ids.size()) CHECK(changed.set_instance(ids[i], each ? odd : even));
        const InstanceTable &a = tables_of(changed).kinds[std::uint32_t(ids[i].kind())],
                            &b = tables_of(made).kinds[std::uint32_t(ids[i].kind())];
        if (i + 1 == ids.size()) continue;
        CHECK(same_view(changed.view(ids[i]), made.view(ids[i])));
        CHECK(std::memcmp(&a.records[ids[i].slot()], &b.records[ids[i].slot()], sizeof(InstanceRecord)) == 0);
        CHECK(std::memcmp(&a.identities[ids[i].slot()], &b.identities[ids[i].slot()], sizeof(ShapeIdentity)) == 0);
    }
    // The compound of the shapes as they were has not changed with them.
    ShapeStore untouched;
    const auto fresh = add_all(untouched, {}, {});
    CHECK(same_view(changed.view(ids.back()), untouched.view(fresh.back())));
    const ShapeId probe = *changed.add_box({1, 1, 1}), probe_untouched = *untouched.add_box({1, 1, 1});
    CHECK(same_bits(contacts_of(changed, ids.back(), probe, {1, 1.2f, 0}),
                    contacts_of(untouched, fresh.back(), probe_untouched, {1, 1.2f, 0})));
    // ... and in place it becomes what an instance of it is.
    const auto before = children_of(changed, ids.back());
    CHECK(changed.set_instance(ids.back(), even));
    const ShapeId instance = *untouched.add_instance(fresh.back(), even);
    CHECK(same_view(changed.view(ids.back()), untouched.view(instance)));
    const auto a = contacts_of(changed, ids.back(), probe, {3, 3.2f, 0}),
               b = contacts_of(untouched, instance, probe_untouched, {3, 3.2f, 0});
    CHECK((!a.contacts.empty() && same_bits(a, b)));
    CHECK(children_of(changed, ids.back())[0].shape == before[0].shape);
}

TEST_CASE("a change in place that is refused changes nothing and no id") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1}), cone = *store.add_cone(1, 1), big = *store.add_sphere(1e20f);
    const CompoundChild children[] = {{box, {}, {}}, {big, {}, {}}};
    const ShapeId compound = *store.add_compound(children);
    const ShapeView view = store.view(compound), first = store.view(children_of(store, compound)[0].shape);
    for (const InstanceOptions& bad : {InstanceOptions{.rounding = -1},
                                       {.rounding = NAN},
                                       {.scale = {0, 1, 1}},
                                       {.scale = {1e9f, 1e9f, 1e9f}},
                                       {.scale = {1, 2, 1}}}) {
        const auto result = store.set_instance(compound, bad);
        CHECK_FALSE(result);
        CHECK(result.error().code == ErrorCode::bad_shape);
    }
    CHECK(same_view(store.view(compound), view));
    CHECK(same_view(store.view(children_of(store, compound)[0].shape), first));
    CHECK_FALSE(store.set_instance(cone, {.scale = {1, 2, 1}}));
    CHECK(store.view(cone).scale == Vec3{1, 1, 1});
    CHECK(store.set_instance(ShapeId{}, {}).error().code == ErrorCode::bad_argument);
    CHECK(store.remove(box));
    CHECK(store.set_instance(box, {}).error().message.contains(std::to_string(box.bits())));
    for (int i = 0; i < 1000; ++i) CHECK(store.set_instance(cone, {.rounding = float(i)}));
    CHECK((store.view(cone).rounding == 999 &&
           tables_of(store).kinds[std::uint32_t(ShapeKind::cone)].records.size() == 1));
}

TEST_CASE("a warm cache survives a change in place and the answer is right") {
    ShapeStore store;
    const ShapeId a = *store.add_box({1, 1, 1}), b = *store.add_box({1, 1, 1});
    const std::vector<Body> bodies = {{{}, a, {}}, {{4, 0.5f, 0}, b, {0, 0, 0.6f, 0.8f}}};
    const std::vector<Pair> pairs = {{0, 1}};
    std::vector<WarmCache> caches(1), cold(1);
    NarrowPhase narrow({.speculative_margin = 0.02f});
    Manifolds warm, fresh;
    Frame frame{&store, bodies, pairs, {}, caches};
    REQUIRE(narrow.collide(frame, warm));
    REQUIRE(warm.contacts.empty());  // far apart: the cache says so
    REQUIRE(store.set_instance(b, {.scale = {3, 3, 3}}));
    REQUIRE(narrow.collide(frame, warm));
    REQUIRE(narrow.collide({&store, bodies, pairs, {}, cold}, fresh));
    CHECK((!warm.contacts.empty() && warm.contacts.size() == fresh.contacts.size()));
}

TEST_CASE("ids run out after 254 of every slot, and are back once the removed are forgotten") {
    ShapeStore store;
    const std::size_t all = std::size_t(254) << 20;
    CHECK(store.ids_left(ShapeKind::sphere) == all);
    CHECK(store.ids_left(ShapeKind::none) == 0);
    const ShapeId first = *store.add_sphere(1);
    CHECK(store.remove(first));
    const ShapeId kept = *store.add_sphere(2);  // in the same slot
    for (int i = 0; i < 1000; ++i) CHECK(store.remove(*store.add_sphere(1)));
    CHECK(store.ids_left(ShapeKind::sphere) == all - 1002);
    CHECK(tables_of(store).kinds[0].records.size() == 5);
    CHECK_FALSE(store.contains(first));
    store.forget_removed();
    CHECK((store.contains(kept) && !store.contains(first) && store.view(kept).radius == 2));
    CHECK(store.ids_left(ShapeKind::sphere) == all - 2);  // those of the living one's slot are not back
    for (int i = 0; i < 1000; ++i) {
        const ShapeId id = *store.add_sphere(1);
        CHECK(id != kept);
        CHECK(store.remove(id));
    }
    CHECK(tables_of(store).kinds[0].records.size() == 5);
    CHECK((store.remove(kept) && store.size() == 0));
}

TEST_CASE("an empty store, or one that was moved from, has nothing to read or to change") {
    ShapeStore full;
    const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ShapeId hull = *full.add_hull(points);
    const CompoundChild child = {hull, {}, {}};
    const ShapeId compound = *full.add_compound({&child, 1});
    const ShapeStore moved = std::move(full);
    ShapeStore empty;
    for (ShapeStore* const store : {&full, &empty}) {
        std::vector<Vec3> vertices(4);
        std::vector<CompoundChild> children(1);
        CHECK((store->hull_vertices(hull, vertices) == 0 && store->compound_children(compound, children) == 0));
        CHECK((store->hull_edges(hull).empty() && store->hull_face(hull, 0).corners.empty()));
        CHECK(store->ids_left(ShapeKind::hull) == std::size_t(254) << 20);
        store->forget_removed();
        CHECK(store->set_instance(hull, {}).error().code == ErrorCode::bad_argument);
    }
    CHECK(moved.hull_vertices(hull, {static_cast<Vec3*>(nullptr), 4}) == 0);
    CHECK(moved.compound_children(compound, {static_cast<CompoundChild*>(nullptr), 1}) == 0);
}
