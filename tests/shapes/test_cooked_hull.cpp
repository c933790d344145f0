// CookedHull: cooked anywhere, the same bits everywhere, and no bytes that do harm.
#include <abut/cooking.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "cooking/hull/hull_bytes.hpp"
#include "support/catch.hpp"
#include "support/hull_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const CookedHull& hull) {
    Bytes bytes(hull.byte_count());
    REQUIRE(hull.write(bytes) == bytes.size());
    return bytes;
}

Bytes cooked_bytes(std::span<const Vec3> points, const HullOptions& options = {}) {
    const auto hull = cook_hull(points, options);
    REQUIRE(hull);
    return bytes_of(*hull);
}

bool same_contact_faces(const HullGeometry& a, const HullGeometry& b) {
    const auto face = [](const ContactFace& p, const ContactFace& q) { return std::memcmp(&p, &q, sizeof p) == 0; };
    const auto merged = [&](const MergedFace& p, const MergedFace& q) {
        return face(p.face, q.face) && p.name == q.name && p.thickness == q.thickness;
    };
    return a.merged == b.merged && std::ranges::equal(a.contact_faces, b.contact_faces, face) &&
           std::ranges::equal(a.merged_faces, b.merged_faces, merged);
}

// Every table that a kernel reads, derived ones too.
bool same_tables(const HullGeometry& a, const HullGeometry& b) {
    const auto corner = [](const HullCorner& p, const HullCorner& q) { return std::memcmp(&p, &q, sizeof p) == 0; };
    return same(a, b) && a.vertex_first == b.vertex_first && a.vertex_face == b.vertex_face &&
           same_contact_faces(a, b) && a.edge_faces == b.edge_faces && a.padded_edges == b.padded_edges &&
           a.octant_vertex == b.octant_vertex && a.octant_columns == b.octant_columns &&
           std::equal(a.octant_first, a.octant_first + 9, b.octant_first) &&
           std::equal(a.corners.begin(), a.corners.end(), b.corners.begin(), b.corners.end(), corner) &&
           a.report.dropped_points == b.report.dropped_points && a.report.dimension == b.report.dimension;
}

std::vector<std::vector<Vec3>> clouds() {
    Random random(11);
    std::vector<std::vector<Vec3>> all = {{{1, 2, 3}},
                                          {{0, 0, 0}, {1, 2, 3}},
                                          {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}},
                                          lattice(2),
                                          prism(7, 1e-3),
                                          cone(30),
                                          sphere_points(random, 40),
                                          sphere_points(random, 500),
                                          icosphere(3),
                                          scaled(icosphere(1), 1e-36f)};
    for (int i = 0; i < 300; ++i) {  // odd sizes, places and flatness
        const auto points = i % 2 == 0 ? sphere_points(random, 1 + int(random.below(60)))
                                       : prism(3 + int(random.below(30)), random.between(0.1, 1));
        const auto stretch = [&] { return float(std::pow(10.0, random.between(-6, 2))); };
        const auto off = [&] { return float(random.between(-20, 20)); };
        all.push_back(moved(points, Rotation(random), {stretch(), stretch(), i % 5 == 0 ? 0.0f : stretch()},
                            {off(), off(), off()}));
    }
    return all;
}

// As a forger would: with the checksum put right.
void seal(Bytes& bytes) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (i < 52 || i >= 60) sum = (sum ^ std::uint64_t(bytes[i])) * 0x100000001b3u;
    for (std::size_t i = 0; i < 8; ++i) bytes[52 + i] = std::byte(sum >> 8 * i & 0xff);
}

// Read, and where it is taken put to use; whether it was.
bool survives(const Bytes& bytes) {
    const auto hull = CookedHull::read(bytes);
    if (!hull) {
        CHECK(hull.error().code == ErrorCode::bad_shape);
        CHECK(hull.error().message.view().starts_with("cooked hull"));
        return false;
    }
    CHECK(bytes_of(*hull).size() == bytes.size());
    ShapeStore store;
    const auto id = store.add_hull(*hull), box = store.add_box({0.5f, 0.5f, 0.5f});
    if (!id) return false;
    const ShapeView view = store.view(*id);
    const std::vector<Body> bodies = {
        {{}, *id, {}}, {{view.bounds_max.x, 0, 0}, *box, {}}, {{0, 0.1f, 0}, *id, {0.6f, 0, 0, 0.8f}}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {1, 2}};
    NarrowPhase narrow;
    Manifolds manifolds;
    Distances distances;
    const Frame frame{&store, bodies, pairs};
    CHECK(narrow.collide(frame, manifolds));
    CHECK(narrow.distance(frame, distances));
    return true;
}

}  // namespace

TEST_CASE("a hull cooked apart is the store's own to the bit, and so are its bytes read back") {
    std::size_t with_source = 0;
    for (const auto& points : clouds()) {
        INFO(points.size() << " points");
        ShapeStore store;
        const auto direct = store.add_hull(points, {.rounding = 0.25f});
        const auto cooked = cook_hull(points);
        REQUIRE(bool(direct) == bool(cooked));
        if (!cooked) continue;
        const auto adopted = store.add_hull(*cooked, {.rounding = 0.25f});
        const Bytes bytes = bytes_of(*cooked);
        const auto read = CookedHull::read(bytes);
        if (!read) FAIL(read.error().message.c_str());
        const auto restored = store.add_hull(*read, {.rounding = 0.25f});
        REQUIRE((adopted && restored));
        CHECK(same_tables(geometry(store, *direct), geometry(store, *adopted)));
        CHECK(same_tables(geometry(store, *direct), geometry(store, *restored)));
        CHECK(bytes_of(*read) == bytes);
        CHECK(read->report().vertices == store.view(*direct).hull.vertices);
        const HullGeometry& hull = geometry(store, *direct);
        const std::size_t source = hull.source ? 12 + 12 * hull.source->points.size() : 0;
        CHECK(bytes.size() ==
              60 + 12 * read->report().vertices + 14 * read->report().faces + 2 * hull.loop.size() + source);
        with_source += hull.source != nullptr;
    }
    CHECK(with_source > 20);
}

// A tetrahedron whose height is less than the rounding of its vertices.
TEST_CASE("a cooked sliver is read again") {
    const std::vector<Vec3> needle = {
        {-43.8053741f, -33.0814743f, -13.0331135f}, {-43.88237f, -33.1402359f, -12.9231834f},
        {-9.87473869f, -2.89421082f, 27.062397f},   {5.33849525f, 10.6363087f, 44.9498672f},
        {7.41843987f, 12.4861851f, 47.3954315f},    {7.49543381f, 12.5449448f, 47.2854996f}};
    const Bytes bytes = cooked_bytes(needle);
    const auto hull = CookedHull::read(bytes);
    if (!hull) FAIL(hull.error().message.c_str());
    CHECK(hull->report().dimension == 3);
    CHECK(bytes_of(*hull) == bytes);
    CHECK(survives(bytes));
}

TEST_CASE("whatever the options leave of a needle is read again") {
    Random random(4);
    for (int i = 0; i < 1500; ++i) {
        const Rotation rotation(random);
        const auto width = float(std::pow(10.0, random.between(-7, -5)));
        const auto points = moved(prism(3 + int(random.below(20)), 1), rotation, {1, width, width},
                                  {float(random.between(-1, 1)), 0, 0});
        const auto hull =
            CookedHull::read(cooked_bytes(points, {.max_vertices = i % 2 == 0 ? 0 : 4 + random.below(4)}));
        if (!hull) FAIL(hull.error().message.c_str());
    }
}

TEST_CASE("an adopted hull answers as the cooked one does") {
    Random random(5);
    const auto points = sphere_points(random, 60);
    ShapeStore a, b;
    const auto id_a = a.add_hull(points), id_b = b.add_hull(*CookedHull::read(cooked_bytes(points)));
    REQUIRE((id_a && id_b && *id_a == *id_b));
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 60; ++i) {
        const Vec3 at = random.direction(), turn = random.direction();
        bodies.push_back({{2 * at.x, 2 * at.y, 2 * at.z}, *id_a, {turn.x * 0.6f, turn.y * 0.6f, turn.z * 0.6f, 0.8f}});
        for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
    }
    NarrowPhase narrow;
    Manifolds first, second;
    REQUIRE(narrow.collide({&a, bodies, pairs}, first));
    REQUIRE(narrow.collide({&b, bodies, pairs}, second));
    REQUIRE(first.contacts.size() > 500);
    REQUIRE(first.contacts.size() == second.contacts.size());
    CHECK(std::memcmp(first.contacts.data(), second.contacts.data(), first.contacts.size() * sizeof(Contact)) == 0);
}

TEST_CASE("the bytes of a hull are these on every machine") {
    const std::vector<Vec3> points = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const Bytes bytes = cooked_bytes(points);
    const unsigned char begin[] = {'a', 'b', 'u', 't', 'h', 'u', 'l', 'l', 1,  0, 0, 0, 3, 0, 0, 0,
                                   4,   0,   0,   0,   4,   0,   0,   0,   12, 0, 0, 0, 0, 0, 0, 0};
    REQUIRE(bytes.size() == 188);
    CHECK(std::memcmp(bytes.data(), begin, sizeof begin) == 0);
    const unsigned char centre[] = {0, 0, 0x80, 0x3f};  // 1.0
    CHECK(std::memcmp(bytes.data() + 40, centre, 4) == 0);
    std::vector<Vec3> shuffled(points.rbegin(), points.rend());
    shuffled.push_back(points[2]);
    Bytes other = cooked_bytes(shuffled);
    CHECK(other[28] == std::byte{1});  // the duplicate, dropped
    other[28] = std::byte{0};
    seal(other);
    CHECK(other == bytes);
}

TEST_CASE("threads cook at once") {
    Random random(9);
    const auto points = sphere_points(random, 200);
    const Bytes expected = cooked_bytes(points);
    std::vector<Bytes> got(4);
    std::vector<std::thread> threads;
    for (Bytes& bytes : got)
        threads.emplace_back([&] {
            for (int i = 0; i < 10; ++i) {
                const auto hull = cook_hull(points);
                bytes.resize(hull->byte_count());
                hull->write(bytes);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const Bytes& bytes : got) CHECK(bytes == expected);
}

TEST_CASE("cooking apart refuses what a store refuses, and an empty hull is refused") {
    std::vector<Vec3> points(3);
    points[1].y = std::numeric_limits<float>::quiet_NaN();
    ShapeStore store;
    CHECK(cook_hull(points).error().message == store.add_hull(points).error().message);
    CHECK(cook_hull({}).error().code == ErrorCode::bad_shape);
    auto cooked = cook_hull(lattice(2));
    REQUIRE(cooked);
    CookedHull hull = std::move(*cooked), taken = std::move(hull);
    CHECK((hull.empty() && hull.byte_count() == 0 && hull.report().vertices == 0 && !taken.empty()));
    CHECK(store.add_hull(hull).error().code == ErrorCode::bad_argument);
    CHECK(store.add_hull(taken, {.rounding = -1}).error().code == ErrorCode::bad_shape);
    Bytes small(taken.byte_count() - 1);
    CHECK((taken.write(small) == 0 && small.back() == std::byte{0}));
    CHECK((store.add_hull(taken) && store.size() == 1));
    CHECK(taken.write(std::span(static_cast<std::byte*>(nullptr), taken.byte_count())) == 0);
}

TEST_CASE("a null pointer with a count is refused, and hulls past the range are no shapes") {
    const auto* const no_points = static_cast<const Vec3*>(nullptr);
    const auto* const no_bytes = static_cast<const std::byte*>(nullptr);
    const auto unmade = cook_hull(std::span(no_points, 4));
    CHECK(unmade.error().code == ErrorCode::bad_argument);
    CHECK(unmade.error().message == "points is null, with a count of 4");
    const auto unread = CookedHull::read(std::span(no_bytes, 188));
    CHECK(unread.error().code == ErrorCode::bad_argument);
    CHECK(unread.error().message == "bytes is null, with a count of 188");
    CHECK(CookedHull::read({}).error().code == ErrorCode::bad_shape);

    const auto far = scaled(lattice(2), 1e30f);
    const auto hull = CookedHull::read(cooked_bytes(far));
    REQUIRE(hull);
    ShapeStore store;
    const auto past = store.add_hull(*hull);
    CHECK(past.error().code == ErrorCode::bad_shape);
    CHECK(past.error().message == store.add_hull(far).error().message);
    CHECK(store.add_hull(*hull, {.scale = {1e-9f, 1e-9f, 1e-9f}}));
}

TEST_CASE("bytes that were changed or cut short are refused") {
    const std::vector<std::vector<Vec3>> some = {
        {{1, 2, 3}}, {{0, 0, 0}, {1, 2, 3}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, lattice(2), icosphere(1)};
    for (const auto& points : some) {
        const Bytes bytes = cooked_bytes(points);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            CHECK_FALSE(CookedHull::read(std::span(bytes).first(i)));
            for (int bit = 0; bit < 8; ++bit) {
                Bytes bad = bytes;
                bad[i] ^= std::byte(1 << bit);
                CHECK_FALSE(CookedHull::read(bad));
            }
        }
        Bytes longer = bytes;
        longer.push_back({});
        CHECK_FALSE(CookedHull::read(longer));
    }
}

TEST_CASE("bytes that were forged are refused or make a hull that works") {
    const std::vector<std::vector<Vec3>> some = {
        {{1, 2, 3}}, {{0, 0, 0}, {1, 2, 3}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, lattice(2), icosphere(1)};
    int taken = 0, refused = 0;
    for (const auto& points : some) {
        const Bytes bytes = cooked_bytes(points);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (const int change : {1, 2, 0x10, 0x80, 0xff}) {
                Bytes bad = bytes;
                bad[i] ^= std::byte(change);
                seal(bad);
                ++(survives(bad) ? taken : refused);
            }
        }
    }
    Random random(77);
    const Bytes bytes = cooked_bytes(icosphere(2));
    for (int i = 0; i < 2000; ++i) {  // several at once; most of the time past the header
        Bytes bad = bytes;
        for (int k = 1 + int(random.below(4)); k > 0; --k) {
            const std::size_t at =
                random.below(10) == 0 ? random.below(60) : 60 + random.below(std::uint32_t(bytes.size() - 60));
            bad[at] = std::byte(random.below(256));
        }
        seal(bad);
        ++(survives(bad) ? taken : refused);
    }
    CAPTURE(taken, refused);
    CHECK((taken > 100 && refused > 2000));
}

TEST_CASE("a solid that is forged flat works") {
    Bytes bytes = cooked_bytes(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-4f}});
    const auto set_float = [&](std::size_t at, float value) {
        for (std::size_t i = 0; i < 4; ++i)
            bytes.at(at + i) = std::byte(std::bit_cast<std::uint32_t>(value) >> 8 * i & 0xff);
    };
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t vertex = 60 + 12 * i, normal = 60 + 12 * (4 + i);
        const bool is_below = (bytes.at(normal + 11) & std::byte(0x80)) != std::byte(0);
        set_float(vertex + 8, 0);
        set_float(normal, 0), set_float(normal + 4, 0), set_float(normal + 8, is_below ? -1.0f : 1.0f);
    }
    set_float(48, 0);  // the centre's z
    seal(bytes);
    CHECK(survives(bytes));
}

TEST_CASE("a forged hull's fault is named") {
    const Bytes cube = cooked_bytes(
        lattice(2));  // 8 vertices from byte 60, 6 normals from 156, 6 counts from 228, 24 corners from 240
    const auto fault = [&](auto change) {
        Bytes bad = cube;
        change(bad);
        seal(bad);
        const auto hull = CookedHull::read(bad);
        return hull ? std::string("none") : std::string(hull.error().message);
    };
    const auto set_float = [](std::size_t at, float value) {
        return [=](Bytes& bytes) {
            for (std::size_t i = 0; i < 4; ++i)
                bytes.at(at + i) = std::byte(std::bit_cast<std::uint32_t>(value) >> 8 * i & 0xff);
        };
    };
    const auto set_byte = [](std::size_t at, int value) { return [=](Bytes& bytes) { bytes[at] = std::byte(value); }; };
    CHECK(fault([](Bytes&) {}) == "none");
    CHECK(fault(set_byte(0, 'A')).find("no cooked hull") != std::string::npos);
    CHECK(fault(set_byte(8, 7)).find("byte 8: version is 7, but this library reads 1") != std::string::npos);
    CHECK(fault(set_byte(12, 4)).find("dimension is 4") != std::string::npos);
    CHECK(fault(set_byte(12, 2)).find("make no hull of its dimension") != std::string::npos);
    CHECK(fault(set_byte(17, 0xff)).find("number of vertices is 65288") != std::string::npos);
    CHECK(fault(set_byte(16, 9)).find("header says") != std::string::npos);
    CHECK(fault(set_float(32, -1)).find("deviation") != std::string::npos);
    CHECK(fault(set_float(40, NAN)).find("centre is not finite") != std::string::npos);
    CHECK(fault(set_float(60, INFINITY)).find("vertex 0 is not finite") != std::string::npos);
    CHECK(fault(set_float(60, 0.25f)) != "none");
    CHECK(fault(set_float(156, 0.5f)).find("unit length") != std::string::npos);
    CHECK(fault(set_byte(228, 5)).find("corners are not as many") != std::string::npos);
    CHECK(fault(set_byte(240, 200)).find("names vertex 200 of 8") != std::string::npos);
    CHECK(fault(set_byte(242, 0)).find("passes vertex 0 twice") != std::string::npos);
    CHECK(fault([](Bytes& b) { std::swap(b[242], b[246]); }) != "none");  // a face turned round
}
