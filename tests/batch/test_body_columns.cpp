// Bodies as columns, positions as doubles, poses of B in A's frame, caches and margins as members of the engine's own
// structs: the answers are those of records.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenes/resting.hpp"
#include "support/compound_scene.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using test::words_of;

namespace {

// A body as an engine may have it.
struct EngineBody {
    double mass = 1;
    DVec3 world;
    float drag = 0.1f;
    Quat orientation;
    Vec3 position;
    std::uint64_t name = 7;
    ShapeId shape;
    Mat44 transform;
};

Mat44 transform_of(const Body& body) {
    const oracle::Rotation r = oracle::rotation_of(body.orientation);
    Mat44 m;
    for (int row = 0; row < 3; ++row) {
        const oracle::Vec3d& along = row == 0 ? r.row_x : row == 1 ? r.row_y : r.row_z;
        m.m[row] = float(along.x), m.m[4 + row] = float(along.y), m.m[8 + row] = float(along.z);
    }
    m.m[12] = body.position.x, m.m[13] = body.position.y, m.m[14] = body.position.z;
    return m;
}

std::vector<EngineBody> engine_bodies(const std::vector<Body>& bodies, const DVec3& origin = {}) {
    std::vector<EngineBody> out;
    for (const Body& body : bodies) {
        EngineBody engine;
        engine.world = {origin.x + body.position.x, origin.y + body.position.y, origin.z + body.position.z};
        engine.orientation = body.orientation, engine.position = body.position, engine.shape = body.shape;
        engine.transform = transform_of(body);
        out.push_back(engine);
    }
    return out;
}

template <class T>
Strided<T> column(const std::vector<EngineBody>& bodies, T EngineBody::*member) {
    return {&(bodies[0].*member), bodies.size(), sizeof(EngineBody)};
}

BodyColumns float_columns(const std::vector<EngineBody>& bodies) {
    return {.shapes = column(bodies, &EngineBody::shape),
            .positions = column(bodies, &EngineBody::position),
            .orientations = column(bodies, &EngineBody::orientation)};
}

BodyColumns double_columns(const std::vector<EngineBody>& bodies) {
    return {.shapes = column(bodies, &EngineBody::shape),
            .double_positions = column(bodies, &EngineBody::world),
            .orientations = column(bodies, &EngineBody::orientation)};
}

void check_same(const Frame& frame, const Frame& expected, const Settings& settings = {}) {
    const judge::Answers answers = judge::ask(frame, settings), wanted = judge::ask(expected, settings);
    test::Count differing;
    for (std::size_t i = 0; i < expected.pairs.size(); ++i) differing += words_of(answers, i) != words_of(wanted, i);
    CHECK(differing == 0);
}

// Every kind of pair, hard ones, compounds with a plane among them.
struct Subject {
    std::string name;
    const ShapeStore* shapes;
    const std::vector<Body>* bodies;
    const std::vector<Pair>* pairs;
    Frame frame() const { return {.shapes = shapes, .bodies = *bodies, .pairs = *pairs}; }
};

std::vector<Subject> subjects() {
    static const scenes::Scene medley = scenes::make_medley(4000), resting = scenes::make_resting_medley(2000);
    static const test::CompoundScene compounds = test::make_compounds(600, 5, 3);
    return {{"medley", &medley.shapes, &medley.bodies, &medley.pairs},
            {"resting", &resting.shapes, &resting.bodies, &resting.pairs},
            {"compounds", &compounds.convex.shapes, &compounds.bodies, &compounds.pairs}};
}

struct TwoSpheres {
    ShapeStore shapes;
    std::vector<ShapeId> ids;
    std::vector<Pair> pairs = {{0, 1}};
    TwoSpheres() { ids.assign(2, *shapes.add_sphere(0.5f)); }
};

}  // namespace

TEST_CASE("columns: members of the engine's own body have the bits of records", "[columns]") {
    for (const Subject& subject : subjects()) {
        INFO(subject.name);
        const std::vector<EngineBody> bodies = engine_bodies(*subject.bodies);
        Frame frame = subject.frame();
        frame.bodies = float_columns(bodies);
        for (const unsigned threads : {1u, 7u}) check_same(frame, subject.frame(), {.threads = threads});
    }
}

TEST_CASE("columns: doubles at the origin and a power of two metres from it have the bits of records", "[columns]") {
    for (const Subject& subject : subjects()) {
        INFO(subject.name);
        // Rounded to 2^-20 metres, so that no shift rounds them.
        std::vector<Body> rounded = *subject.bodies;
        for (Body& body : rounded)
            for (float* const x : {&body.position.x, &body.position.y, &body.position.z})
                if (std::abs(*x) < 1e4f) *x = std::round(*x * 0x1p20f) * 0x1p-20f;
        std::vector<Pair> twice = *subject.pairs;  // bodies are placed once where they are no more than pairs
        for (const Pair& pair : *subject.pairs) twice.push_back({pair.b, pair.a});
        for (const double far : {0.0, 0x1p27}) {
            const std::vector<EngineBody> bodies = engine_bodies(rounded, {far, -2 * far, far});
            for (const std::vector<Pair>& pairs : {*subject.pairs, twice})
                check_same({subject.shapes, double_columns(bodies), pairs}, {subject.shapes, rounded, pairs});
        }
    }
}

TEST_CASE("columns: a plane ten thousand kilometres away is as exact as the doubles", "[columns]") {
    ShapeStore shapes;
    const std::vector<ShapeId> ids = {*shapes.add_sphere(0.5f), *shapes.add_halfspace({0.6f, 0.8f, 0.0f}, 0.0f)};
    const float length = std::hypot(0.6f, 0.8f);
    // Along the plane, in double, and 0.5 + 1e-4 off it.
    const double nx = 0.6f / double(length), ny = 0.8f / double(length), way = 1e7, off = 0.5 + 1e-4;
    const std::vector<DVec3> positions = {{-ny * way + nx * off, nx * way + ny * off, 0}, {0, 0, 0}};
    const std::vector<Quat> orientations(2);
    const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
    const Frame frame = {
        .shapes = &shapes,
        .bodies = BodyColumns{.shapes = ids, .double_positions = positions, .orientations = orientations},
        .pairs = pairs};
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance(frame, d));
    CHECK(std::abs(d.signed_distance[0] - 1e-4) < 1e-6);
    CHECK(std::abs(d.signed_distance[1] - 1e-4) < 1e-6);
}

TEST_CASE("columns: transforms give what their rotations give", "[columns]") {
    const scenes::Scene scene = scenes::make_row("mixed", 2000, 5, scenes::Keep::no);
    const std::vector<EngineBody> bodies = engine_bodies(scene.bodies, {1e6, 0, 0});
    NarrowPhase narrow;
    Distances from_records, from_transforms, from_both;
    Frame frame = scene.frame();
    REQUIRE(narrow.distance(frame, from_records));
    frame.bodies =
        BodyColumns{.shapes = column(bodies, &EngineBody::shape), .transforms = column(bodies, &EngineBody::transform)};
    REQUIRE(narrow.distance(frame, from_transforms));
    frame.bodies = BodyColumns{.shapes = column(bodies, &EngineBody::shape),
                               .double_positions = column(bodies, &EngineBody::world),
                               .transforms = column(bodies, &EngineBody::transform)};
    REQUIRE(narrow.distance(frame, from_both));
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const float size =
            scene.shapes.view(scene.body_a(i).shape).size + scene.shapes.view(scene.body_b(i).shape).size;
        REQUIRE(from_transforms.status[i] == from_records.status[i]);
        CHECK(std::abs(from_transforms.signed_distance[i] - from_records.signed_distance[i]) < 2e-6f * size);
        CHECK(std::abs(from_both.signed_distance[i] - from_records.signed_distance[i]) < 2e-6f * size);
    }
}

TEST_CASE("columns: every rotation by half a turn has its quaternion", "[columns]") {
    TwoSpheres two;
    std::vector<Mat44> transforms(1);
    for (const Quat q :
         {Quat{1, 0, 0, 0}, Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1}, Quat{0.5f, -0.5f, 0.5f, 0.5f}}) {
        transforms[0] = transform_of({{1, 2, 3}, {}, q});
        const Bodies bodies = BodyColumns{.shapes = {two.ids.data(), 1}, .transforms = transforms};
        const Quat r = bodies[0].orientation;
        CHECK(std::abs(r.x * q.x + r.y * q.y + r.z * q.z + r.w * q.w) > 1 - 1e-6f);
        CHECK(bodies[0].position == Vec3{1, 2, 3});
    }
}

TEST_CASE("columns: a transform that is no rotation is a bad pose", "[columns]") {
    TwoSpheres two;
    const auto status_of = [&](auto spoil) {
        std::vector<Mat44> transforms(2);
        spoil(transforms[1].m);
        Distances d;
        NarrowPhase narrow;
        REQUIRE(narrow.distance({.shapes = &two.shapes,
                                 .bodies = BodyColumns{.shapes = two.ids, .transforms = transforms},
                                 .pairs = two.pairs},
                                d));
        return d.status[0];
    };
    CHECK(status_of([](float*) {}) == Status::ok);
    CHECK(status_of([](float* m) { m[0] = 1.005f; }) == Status::ok);
    CHECK(status_of([](float* m) { m[0] = 1.02f; }) == Status::bad_pose);          // scaled
    CHECK(status_of([](float* m) { m[10] = -1; }) == Status::bad_pose);            // mirrored
    CHECK(status_of([](float* m) { m[4] = 0.02f; }) == Status::bad_pose);          // sheared
    CHECK(status_of([](float* m) { m[5] = std::nanf(""); }) == Status::bad_pose);  // no number
    CHECK(status_of([](float* m) { m[12] = INFINITY; }) == Status::bad_pose);
    CHECK(status_of([](float* m) { std::fill_n(m, 16, 0.0f); }) == Status::bad_pose);
}

TEST_CASE("columns: only the difference of doubles must be in range", "[columns]") {
    TwoSpheres two;
    const std::vector<Quat> orientations(2);
    std::vector<DVec3> positions(2);
    const auto ask = [&](const DVec3& a, const DVec3& b) {
        positions = {a, b};
        const BodyColumns bodies = {.shapes = two.ids, .double_positions = positions, .orientations = orientations};
        Distances d;
        NarrowPhase narrow;
        REQUIRE(narrow.distance({.shapes = &two.shapes, .bodies = bodies, .pairs = two.pairs}, d));
        return std::pair(d.status[0], d.signed_distance[0]);
    };
    CHECK(ask({1e300, 0, 0}, {1e300, 2, 0}) == std::pair(Status::ok, 1.0f));
    CHECK(ask({-1e300, 0, 0}, {1e300, 2, 0}).first == Status::bad_pose);
    CHECK(ask({0, 0, 0}, {0, std::nan(""), 0}).first == Status::bad_pose);
    CHECK(ask({0, 0, std::numeric_limits<double>::infinity()}, {0, 0, 0}).first == Status::bad_pose);
}

TEST_CASE("columns: relative poses have the bits of a pair whose A is at the origin", "[columns]") {
    for (const Subject& subject : subjects()) {
        INFO(subject.name);
        std::vector<RelativePose> relative;
        std::vector<Body> placed;
        std::vector<Pair> pairs, own;
        std::vector<ShapeId> shapes;
        for (const Pair pair : *subject.pairs) {
            if (pair.a >= subject.bodies->size() || pair.b >= subject.bodies->size() || pair.a == pair.b) continue;
            const Body &a = (*subject.bodies)[pair.a], &b = (*subject.bodies)[pair.b];
            const Vec3 way = {b.position.x - a.position.x, b.position.y - a.position.y, b.position.z - a.position.z};
            relative.push_back({way, b.orientation});
            const auto first = std::uint32_t(placed.size());
            placed.push_back({{}, a.shape, {}});
            placed.push_back({way, b.shape, b.orientation});
            own.push_back({first, first + 1});
            shapes.insert(shapes.end(), {a.shape, b.shape});
        }
        const Frame expected = {.shapes = subject.shapes, .bodies = placed, .pairs = own};
        Frame frame = {.shapes = subject.shapes,
                       .bodies = BodyColumns{.shapes = shapes},
                       .pairs = own,
                       .relative_poses = relative};
        check_same(frame, expected);
        frame.bodies = placed;  // whose poses are not read
        check_same(frame, expected);
    }
}

TEST_CASE("columns: a pair (i, i) with a pose of its own is two bodies", "[columns]") {
    TwoSpheres two;
    const std::vector<Pair> pairs = {{1, 1}};
    const std::vector<RelativePose> poses = {{{0, 3, 0}, {}}};
    Distances d;
    NarrowPhase narrow;
    REQUIRE(narrow.distance(
        {.shapes = &two.shapes, .bodies = BodyColumns{.shapes = two.ids}, .pairs = pairs, .relative_poses = poses}, d));
    CHECK(d.signed_distance[0] == 2.0f);
    CHECK(d.normal[0] == Vec3{0, 1, 0});
}

TEST_CASE("columns: what is missing, short or said twice is refused by name", "[columns]") {
    TwoSpheres two;
    const std::vector<Vec3> positions(2);
    const std::vector<DVec3> doubles(2);
    const std::vector<Quat> orientations(2);
    const std::vector<Mat44> transforms(2);
    const auto refusal = [&](const BodyColumns& bodies) {
        NarrowPhase narrow;
        Overlaps out;
        const CallResult result = narrow.overlap({.shapes = &two.shapes, .bodies = bodies, .pairs = two.pairs}, out);
        return result ? std::string() : std::string(result.error().message);
    };
    CHECK(refusal({.shapes = two.ids, .positions = positions, .orientations = orientations}) == "");
    CHECK(refusal({.shapes = two.ids, .positions = positions, .transforms = transforms}) == "");
    CHECK(refusal({.shapes = two.ids, .orientations = orientations}) ==
          "Frame::bodies has no positions, expected one of positions, double_positions and transforms");
    CHECK(refusal({.shapes = two.ids, .positions = positions}) ==
          "Frame::bodies has neither orientations and transforms, expected one of them");
    CHECK(refusal(
              {.shapes = two.ids, .positions = positions, .double_positions = doubles, .orientations = orientations}) ==
          "Frame::bodies has both positions and double_positions, expected one of them");
    CHECK(
        refusal({.shapes = two.ids, .positions = positions, .orientations = orientations, .transforms = transforms}) ==
        "Frame::bodies has both orientations and transforms, expected one of them");
    CHECK(refusal({.shapes = two.ids, .positions = {positions.data(), 1}, .orientations = orientations}) ==
          "Frame::bodies.positions has room for 1, the frame needs 2");
    CHECK(refusal({.shapes = two.ids, .positions = {nullptr, 2}, .orientations = orientations}) ==
          "Frame::bodies.positions is null, with a count of 2");
    CHECK(refusal({.shapes = two.ids, .positions = positions, .orientations = {orientations.data(), 2, 12}}) ==
          "Frame::bodies.orientations has a stride of 12 bytes, expected a multiple of 4, 16 or more");
    const std::vector<RelativePose> none(1);
    const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
    NarrowPhase narrow;
    Overlaps out;
    const CallResult result = narrow.overlap(
        {.shapes = &two.shapes, .bodies = BodyColumns{.shapes = two.ids}, .pairs = pairs, .relative_poses = none}, out);
    REQUIRE(!result);
    CHECK(result.error().message == "Frame::relative_poses has room for 1, the frame needs 2");
}

TEST_CASE("columns: caches, margins and limits may be members of the engine's pair", "[columns]") {
    struct EnginePair {
        std::uint64_t key = 1;
        WarmCache cache;
        float margin = 0;
        std::uint32_t flags = 2;
        float limit = 0;
    };
    const Subject subject = subjects()[1];
    const std::size_t count = subject.pairs->size();
    std::vector<EnginePair> pairs(count);
    std::vector<WarmCache> caches(count);
    std::vector<float> margins(count), limits(count);
    for (std::size_t i = 0; i < count; ++i) {
        pairs[i].margin = margins[i] = 0.001f * float(i % 50);
        pairs[i].limit = limits[i] = 0.01f * float(i % 9);
    }
    Frame own = subject.frame(), packed = own;
    own.margins = {&pairs[0].margin, count, sizeof(EnginePair)};
    own.caches = {&pairs[0].cache, count, sizeof(EnginePair)};
    packed.margins = margins, packed.caches = caches;
    NarrowPhase narrow;
    Manifolds from_own, from_packed;
    Distances d_own, d_packed;
    for (int round = 0; round < 2; ++round) {
        REQUIRE(narrow.collide(own, from_own));
        REQUIRE(narrow.collide(packed, from_packed));
        REQUIRE(narrow.distance(own, d_own, {.max_distances = {&pairs[0].limit, count, sizeof(EnginePair)}}));
        REQUIRE(narrow.distance(packed, d_packed, {.max_distances = limits}));
    }
    CHECK(from_own.first_manifold == from_packed.first_manifold);
    CHECK(from_own.contacts.size() == from_packed.contacts.size());
    CHECK(std::equal(from_own.contacts.begin(), from_own.contacts.end(), from_packed.contacts.begin(),
                     test::same<Contact>));
    CHECK(d_own.signed_distance == d_packed.signed_distance);
    std::size_t used = 0;
    test::Count differing;
    for (std::size_t i = 0; i < count; ++i) {
        differing += !test::same(pairs[i].cache, caches[i]);
        used += !test::same(caches[i], WarmCache{});
        REQUIRE((pairs[i].key == 1 && pairs[i].flags == 2));
    }
    CHECK(differing == 0);
    CHECK(used > 200);
}

TEST_CASE("columns: bounds of columns are those of records, of doubles they hold the shape", "[columns]") {
    for (const Subject& subject : subjects()) {
        INFO(subject.name);
        const std::size_t count = subject.bodies->size();
        const std::vector<EngineBody> near = engine_bodies(*subject.bodies),
                                      far = engine_bodies(*subject.bodies, {1e9 / 3, 0, -1e9 / 7});
        std::vector<Bounds> wanted(count), bounds(count), of_far(count);
        REQUIRE(world_bounds(*subject.shapes, *subject.bodies, wanted));
        REQUIRE(world_bounds(*subject.shapes, float_columns(near), bounds));
        CHECK(bounds == wanted);
        REQUIRE(world_bounds(*subject.shapes, double_columns(near), bounds));
        CHECK(bounds == wanted);
        const DVec3 origin = {1e9 / 3, 0, -1e9 / 7};
        REQUIRE(world_bounds(*subject.shapes, double_columns(far), of_far, origin));
        test::Count off;
        for (std::size_t i = 0; i < count; ++i) {
            // The doubles of `far` are within 2^-25 metres of those of `near`.
            const auto is_near = [](float x, float y) {
                return x == y || std::abs(x - y) <= 0x1p-24f + 4e-7f * std::abs(x);
            };
            off += !(is_near(of_far[i].min.x, wanted[i].min.x) && is_near(of_far[i].max.z, wanted[i].max.z) &&
                     is_near(of_far[i].max.y, wanted[i].max.y));
        }
        CHECK(off == 0);
    }
    TwoSpheres two;
    const std::vector<DVec3> position = {{1e8 + 0.3, 0, 0}};
    const std::vector<Quat> orientation(1);
    std::vector<Bounds> bounds(1);
    const BodyColumns bodies = {
        .shapes = {two.ids.data(), 1}, .double_positions = position, .orientations = orientation};
    REQUIRE(world_bounds(two.shapes, bodies, bounds, {1e8, 0, 0}));
    const double middle = (1e8 + 0.3) - 1e8;
    CHECK((bounds[0].min.x <= middle - 0.5 && bounds[0].min.x >= middle - 0.5 - 1e-7));
    CHECK((bounds[0].max.x >= middle + 0.5 && bounds[0].max.x <= middle + 0.5 + 2e-7));
    const CallResult refused = world_bounds(two.shapes, bodies, bounds, {std::nan(""), 0, 0});
    REQUIRE(!refused);
    CHECK(refused.error().message == "world_bounds: origin is not finite");
}

TEST_CASE("columns: impulses are carried by place in doubles and in relative poses", "[columns]") {
    // The feature ids change from frame to frame: place alone finds the contact again.
    ShapeStore shapes;
    const std::vector<ShapeId> ids = {*shapes.add_box({2, 0.5f, 2}), *shapes.add_box({0.5f, 0.5f, 0.5f})};
    const std::vector<Pair> pairs = {{0, 1}};
    const std::vector<Quat> orientations(2);
    for (const bool is_relative : {false, true}) {
        INFO((is_relative ? "relative poses" : "doubles"));
        std::vector<DVec3> positions = {{1e8, 0, 0}, {1e8, 0.999, 0}};
        std::vector<RelativePose> relative = {{{0, 0.999f, 0}, {}}};
        NarrowPhase narrow;
        WarmTable table;
        for (int step = 0; step < 3; ++step) {
            positions[1].x += 1e-3, relative[0].position.x += 1e-3f;
            Frame frame = {.shapes = &shapes, .bodies = {}, .pairs = pairs};
            if (is_relative)
                frame.bodies = BodyColumns{.shapes = ids}, frame.relative_poses = relative;
            else
                frame.bodies = BodyColumns{.shapes = ids, .double_positions = positions, .orientations = orientations};
            frame.caches = table.begin(pairs);
            Manifolds now;
            REQUIRE(narrow.collide(frame, now));
            REQUIRE(now.contacts.size() == 4);
            for (Contact& contact : now.contacts) contact.feature += std::uint32_t(step) << 4;
            REQUIRE(table.carry_over(frame, now));
            for (std::size_t i = 0; i < 4; ++i) {
                CHECK(table.carried_by()[i] == (step == 0 ? CarriedBy::nothing : CarriedBy::place));
                if (step > 0) CHECK(table.impulses()[i].normal > 0);
                table.impulses()[i].normal = float(i + 1);
            }
        }
    }
}

TEST_CASE("columns: points in a world of doubles", "[columns]") {
    TwoSpheres two;
    const std::vector<DVec3> positions = {{1e9 + 0.25, 1, 2}, {1e9 + 1.25, 1, 2}};
    const std::vector<Quat> orientations(2);
    const Frame frame = {
        .shapes = &two.shapes,
        .bodies = BodyColumns{.shapes = two.ids, .double_positions = positions, .orientations = orientations},
        .pairs = two.pairs};
    CHECK(double_world_point(frame, 0, {0.5f, 0, 0}) == DVec3{1e9 + 0.75, 1, 2});
    CHECK(frame.bodies.position(1) == positions[1]);
}
