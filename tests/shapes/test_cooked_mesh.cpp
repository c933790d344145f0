// CookedMesh: cooked anywhere, the same bits everywhere, and no bytes that do harm.
#include <abut/cooking.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "shapes/surfaces.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/nasty_meshes.hpp"
#include "support/surface_scenes.hpp"

using namespace abut;
using namespace abut::test;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const CookedMesh& mesh) {
    Bytes bytes(mesh.byte_count());
    REQUIRE(mesh.write(bytes) == bytes.size());
    return bytes;
}

Bytes cooked_bytes(const TestMesh& mesh, const MeshOptions& options = {}) {
    const auto cooked = cook_mesh(mesh.vertices, mesh.triangles, options);
    REQUIRE(cooked);
    return bytes_of(*cooked);
}

template <class Items>
bool same_bits(const Items& a, const Items& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

bool same_report(const MeshReport& a, const MeshReport& b) {
    const auto fields = [](const MeshReport& r) {
        return std::vector<std::size_t>{
            r.input_triangles,      r.vertices,   r.triangles,         r.welded_vertices,    r.unused_vertices,
            r.degenerate_triangles, r.needles,    r.convex_edges,      r.flat_edges,         r.concave_edges,
            r.duplicate_triangles,  r.open_edges, r.nonmanifold_edges, r.inconsistent_edges, r.t_junctions,
            std::size_t(r.sides),   r.bytes,      r.inside_out};
    };
    return fields(a) == fields(b) && a.front_area == b.front_area;
}

// Every table that a query reads.
bool same_tables(const MeshGeometry& a, const MeshGeometry& b) {
    return same_bits(a.vertices, b.vertices) && same_bits(a.nodes, b.nodes) &&
           same_bits(a.corners.offsets, b.corners.offsets) && same_bits(a.corners.far, b.corners.far) &&
           same_bits(a.neighbours.offsets, b.neighbours.offsets) && same_bits(a.neighbours.far, b.neighbours.far) &&
           same_bits(a.bends, b.bends) && same_bits(a.input, b.input) && same_bits(a.user_values, b.user_values) &&
           a.levels == b.levels && std::equal(a.level_first, a.level_first + 8, b.level_first) &&
           a.bounds_min == b.bounds_min && a.bounds_max == b.bounds_max && a.content == b.content &&
           a.sides == b.sides && same_report(a.report, b.report);
}

// As a forger would: with the checksum put right.
void seal(Bytes& bytes) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        if (i == 64) continue;
        std::uint64_t word = 0;
        for (std::size_t k = 0; k < 8 && i + k < bytes.size(); ++k) word |= std::uint64_t(bytes[i + k]) << 8 * k;
        sum = (sum ^ word) * 0xff51afd7ed558ccdu;
        sum ^= sum >> 33;
    }
    for (std::size_t i = 0; i < 8; ++i) bytes[64 + i] = std::byte(sum >> 8 * i & 0xff);
}

void set_word(Bytes& bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes.at(at + i) = std::byte(value >> 8 * i & 0xff);
}

void use(const ShapeStore& store, ShapeId ground, ShapeId body) {
    const ShapeView view = store.view(ground);
    const std::vector<Body> bodies = {
        {{}, ground, {}},
        {view.bounds_max, body, {}},
        {{0.5f * (view.bounds_min.x + view.bounds_max.x), view.bounds_max.y, view.bounds_min.z}, body, {}}};
    const std::vector<Pair> pairs = {{0, 1}, {2, 0}};
    NarrowPhase narrow;
    Manifolds manifolds;
    Distances distances;
    Overlaps overlaps;
    const Frame frame{&store, bodies, pairs};
    CHECK(narrow.collide(frame, manifolds));
    CHECK(narrow.distance(frame, distances));
    CHECK(narrow.overlap(frame, overlaps));
}

// Read, and where it is taken put to use; whether it was.
bool survives(const Bytes& bytes) {
    const auto mesh = CookedMesh::read(bytes);
    if (!mesh) {
        CHECK(mesh.error().code == ErrorCode::bad_shape);
        CHECK(mesh.error().message.view().starts_with("cooked mesh"));
        return false;
    }
    CHECK(mesh->byte_count() == bytes.size());
    ShapeStore store;
    const auto id = store.add_mesh(*mesh, {.scale = {1, -1, 1}});
    if (!id) return false;
    const float size = store.view(*id).size;
    for (const auto& body : {store.add_box({0.3f * size, 0.2f * size, 0.1f * size}), store.add_sphere(0.5f * size)})
        if (body) use(store, *id, *body);
    return true;
}

std::vector<TestMesh> some_meshes() {
    Random random(11);
    std::vector<TestMesh> all = {cube_mesh(), torus_mesh(37, 11), flat_mesh(33, 20, 0.25f), soup(random, 700, 0.2),
                                 flat_mesh(200, 200, 1)};
    for (int i = 0; i < 300; ++i) all.push_back(nasty_mesh(random));
    return all;
}

}  // namespace

TEST_CASE("cooked mesh: the boxes of the tree contain their triangles, with every rounding") {
    Random random(41);
    test::Count outside;
    for (int round = 0; round < 40; ++round) {
        TestMesh mesh = soup(random, 700, 0.3);
        const auto offset = float(random.between(-100, 100)), size = float(std::pow(10.0, random.between(-3, 3)));
        for (Vec3& v : mesh.vertices) v = {size * v.x + offset, size * v.y, size * v.z - offset};
        const auto cooked = cook_mesh(mesh.vertices, mesh.triangles);
        REQUIRE(cooked);
        const MeshGeometry& g = *cooked->geometry();
        REQUIRE(g.levels >= 2);
        for (std::uint32_t triangle = 0; triangle < g.triangle_count(); ++triangle) {
            for (std::uint32_t k = 0; k < 3; ++k) {
                const Vec3 v = g.vertices[g.corner(triangle, k)];
                const float x[3] = {v.x, v.y, v.z};
                for (std::uint32_t level = 0, child = triangle; level < g.levels; ++level, child /= MeshNode::kWidth) {
                    const MeshNode& node = g.nodes[g.level_first[level] + child / MeshNode::kWidth];
                    const std::uint32_t lane = child % MeshNode::kWidth;
                    for (int axis = 0; axis < 3; ++axis) {
                        const float low = node.low[axis] + float(node.low_cells[axis][lane]) * node.step[axis];
                        const float high = node.low[axis] + float(node.high_cells[axis][lane]) * node.step[axis];
                        outside += !(low <= x[axis] && x[axis] <= high);
                    }
                }
            }
        }
    }
    CHECK(outside == 0);
}

TEST_CASE("a mesh cooked apart is the store's own to the bit, and so are its bytes read back") {
    int cooked = 0, index = 0;
    bool has_far = false;
    for (const TestMesh& mesh : some_meshes()) {
        INFO("mesh " << index++);
        std::vector<std::uint32_t> values;
        for (std::uint32_t i = 0; i < mesh.triangles.size() && index % 3 == 0; ++i) values.push_back(0x01020304u * i);
        const MeshOptions options = {index % 2 == 0 ? MeshSides::front : MeshSides::both, index % 5 == 0 ? 1e-3f : 0,
                                     values};
        const auto made = cook_mesh(mesh.vertices, mesh.triangles, options);
        ShapeStore store;
        const auto direct = store.add_mesh(mesh.vertices, mesh.triangles, {}, options);
        REQUIRE(bool(made) == bool(direct));
        if (!made) continue;
        ++cooked;
        const Bytes bytes = bytes_of(*made);
        CHECK(bytes.size() == 72 + 12 * made->report().vertices + 28 * made->report().triangles + 4 * values.size());
        const auto read = CookedMesh::read(bytes);
        if (!read) FAIL(read.error().message.c_str());
        const MeshGeometry& own = *surface_of(tables_of(store), *direct).mesh;
        CHECK(same_tables(*made->geometry(), own));
        CHECK(same_tables(*read->geometry(), own));
        CHECK(bytes_of(*read) == bytes);
        has_far = has_far || !own.neighbours.far.empty();
        REQUIRE(store.add_mesh(*read));
    }
    CHECK(cooked > 250);
    CHECK(has_far);
}

TEST_CASE("a mesh's bytes are those of the format, on every machine") {
    const TestMesh quad = {{{9, 9, 9}, {0, 0, 0}, {4, -0.0f, 0}, {4, 0, 4}, {0, 0, 4}, {0, 0, 0}},
                           {{{1, 4, 3}}, {{5, 3, 2}}, {{1, 1, 2}}}};
    const std::vector<std::uint32_t> values = {7, 8, 9};
    const Bytes bytes = cooked_bytes(quad, {.sides = MeshSides::both, .user_values = values});
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t(bytes.at(at + i)) << 8 * i;
        return value;
    };
    const auto words = [&](std::size_t at, std::size_t count) {
        std::vector<std::uint32_t> all;
        for (std::size_t i = 0; i < count; ++i) all.push_back(word(at + 4 * i));
        return all;
    };
    REQUIRE(bytes.size() == 72 + 4 * 12 + 2 * 28 + 3 * 4);
    CHECK(std::memcmp(bytes.data(), "abutmesh", 8) == 0);
    using Words = std::vector<std::uint32_t>;
    CHECK(words(8, 6) == Words{1, 1, 4, 2, 3, 3});
    CHECK(words(32, 8) == Words{1, 1, 1, 0, 0, 0, 0, 0});
    CHECK(words(64, 2) == Words{0xc72dfabbu, 0xf3478fe5u});
    const std::uint32_t four = std::bit_cast<std::uint32_t>(4.0f);
    CHECK(words(72, 12) == Words{0, 0, 0, 0, 0, four, four, 0, four, four, 0, 0});
    CHECK(words(120, 6) == Words{0, 1, 2, 0, 2, 3});
    CHECK(words(144, 6) == Words{kNoTriangle, kNoTriangle, 1, 0, kNoTriangle, kNoTriangle});
    CHECK(words(168, 5) == Words{0, 1, 7, 8, 9});
}

TEST_CASE("threads cook and read meshes at once") {
    const TestMesh mesh = torus_mesh(60, 40);
    const Bytes expected = cooked_bytes(mesh);
    std::vector<Bytes> got(4);
    std::vector<std::thread> threads;
    for (Bytes& bytes : got)
        threads.emplace_back([&] {
            for (int i = 0; i < 5; ++i) {
                const auto cooked = i == 0 ? cook_mesh(mesh.vertices, mesh.triangles) : CookedMesh::read(bytes);
                bytes.resize(cooked->byte_count());
                cooked->write(bytes);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const Bytes& bytes : got) CHECK(bytes == expected);
}

TEST_CASE("an empty mesh has no bytes, and null bytes are refused") {
    const CookedMesh none;
    CHECK((none.byte_count() == 0 && none.report().triangles == 0));
    Bytes small(10);
    CHECK(none.write(small) == 0);
    const TestMesh cube = cube_mesh();
    const auto cooked = cook_mesh(cube.vertices, cube.triangles);
    small.resize(cooked->byte_count() - 1);
    CHECK((cooked->write(small) == 0 && small.back() == std::byte{0}));
    CHECK(cooked->write(std::span(static_cast<std::byte*>(nullptr), cooked->byte_count())) == 0);
    const auto unread = CookedMesh::read(std::span(static_cast<const std::byte*>(nullptr), 188));
    CHECK(unread.error().code == ErrorCode::bad_argument);
    CHECK(unread.error().message == "bytes is null, with a count of 188");
    CHECK(CookedMesh::read({}).error().code == ErrorCode::bad_shape);
    Bytes longer(cooked->byte_count() + 3, std::byte{7});
    CHECK(cooked->write(longer) == cooked->byte_count());
    CHECK(longer.back() == std::byte{7});
}

TEST_CASE("a mesh's bytes that were changed or cut short are refused") {
    Random random(3);
    for (const TestMesh& mesh : {flat_mesh(1, 1, 1), cube_mesh(), soup(random, 5, 0.5)}) {
        const Bytes bytes = cooked_bytes(mesh);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            CHECK_FALSE(CookedMesh::read(std::span(bytes).first(i)));
            for (int bit = 0; bit < 8; ++bit) {
                Bytes bad = bytes;
                bad[i] ^= std::byte(1 << bit);
                CHECK_FALSE(CookedMesh::read(bad));
            }
        }
        Bytes longer = bytes;
        longer.push_back({});
        CHECK_FALSE(CookedMesh::read(longer));
    }
}

TEST_CASE("a mesh's bytes that were forged are refused or make a mesh that works") {
    Random random(77);
    int taken = 0, refused = 0;
    for (const TestMesh& mesh : {flat_mesh(1, 1, 1), cube_mesh(), soup(random, 5, 0.5)}) {
        const Bytes bytes = cooked_bytes(mesh);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (const int change : {1, 0x10, 0x80, 0xff}) {
                Bytes bad = bytes;
                bad[i] ^= std::byte(change);
                seal(bad);
                ++(survives(bad) ? taken : refused);
            }
        }
    }
    const Bytes bytes = cooked_bytes(torus_mesh(9, 7));
    for (int i = 0; i < 2000; ++i) {  // several at once; most of the time past the header
        Bytes bad = bytes;
        for (int k = 1 + int(random.below(4)); k > 0; --k) {
            const std::size_t at =
                random.below(10) == 0 ? random.below(72) : 72 + random.below(std::uint32_t(bytes.size() - 72));
            bad[at] = std::byte(random.below(256));
        }
        seal(bad);
        ++(survives(bad) ? taken : refused);
    }
    CAPTURE(taken, refused);
    CHECK((taken > 500 && refused > 1500));
}

TEST_CASE("a forged mesh's fault is named") {
    const Bytes cube = cooked_bytes(
        cube_mesh());  // 8 vertices from byte 72, 12 triangles from 168, neighbours from 312, inputs from 456
    REQUIRE(cube.size() == 504);
    const auto fault = [&](std::size_t at, std::uint32_t value) {
        Bytes bad = cube;
        set_word(bad, at, value);
        seal(bad);
        const auto mesh = CookedMesh::read(bad);
        return mesh ? std::string("none") : std::string(mesh.error().message);
    };
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    const auto has = [](const std::string& text, const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    CHECK(fault(60, 0) == "none");
    has(fault(0, 5), "byte 0: these 504 bytes are no cooked mesh");
    has(fault(8, 7), "byte 8: version is 7, but this library reads 1");
    has(fault(12, 2), "byte 12: sides is 2");
    has(fault(16, 0x7fffffff), "byte 16: the number of vertices is 2147483647");
    has(fault(16, 9), "its header says 516 bytes, but there are 504");
    has(fault(20, 0), "byte 20: the number of triangles is 0");
    has(fault(20, 0xffffffff), "byte 20: the number of triangles is 4294967295");
    has(fault(20, 1u << 28), "its header says 7516192936 bytes");
    has(fault(24, 13), "byte 24: the triangles of the input are not as many as");
    has(fault(28, 1), "byte 28: the number of user values is 1");
    has(fault(32, 0xffffffff), "byte 32: the vertices of the input are more");
    has(fault(48, 37), "byte 48: the non-manifold and inconsistent edges");
    has(fault(56, 9), "byte 56: T-junctions is 9");
    has(fault(60, 2), "byte 60: solid is 2");
    has(fault(72, bits(NAN)), "vertices[0].x must be finite");
    has(fault(84, bits(1e30f)), "vertices[1] is past the range");
    has(fault(168, 1), "triangle 0 names vertex 1 before vertex 0");
    has(fault(172, 8), "triangle 0 names vertex 8 of 8");
    has(fault(176, 1), "triangle 0 is degenerate");
    has(fault(312, 12), "neighbour 0 of triangle 0 is not there");
    has(fault(312, 0), "neighbour 0 of triangle 0 has not its edge");
    has(fault(312, kNoTriangle), "has another neighbour there");
    has(fault(456, 12), "triangle 0 is 12 of the input, which has 12");
    Bytes bad = cube;
    for (std::size_t i = 0; i < 4; ++i) bad.at(460 + i) = bad.at(456 + i);
    seal(bad);
    has(std::string(CookedMesh::read(bad).error().message), "of the input, as is one before it");
}

TEST_CASE("a mesh whose windings are all wrong is reported") {
    const std::vector<Vec3> corners = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    std::vector<MeshTriangle> faces = {{{0, 1, 2}}, {{0, 2, 3}}, {{0, 3, 1}}, {{1, 3, 2}}};
    const auto report = [&] { return cook_mesh(corners, faces)->report(); };
    const bool first = report().inside_out;
    for (MeshTriangle& face : faces) std::swap(face.corners[0], face.corners[1]);
    CHECK(report().inside_out != first);
    const bool is_solid_now = bool(cook_mesh(corners, faces, {.solid = true}));
    CHECK(is_solid_now != report().inside_out);
    CHECK(report().front_area == Vec3{0, 0, 0});
    for (MeshTriangle& face : faces) {  // open, whatever the sign of its volume
        std::swap(face.corners[0], face.corners[1]);
        CHECK_FALSE(report().inside_out);
        std::swap(face.corners[0], face.corners[1]);
    }
    // Ground, up and down.
    const std::vector<Vec3> square = {{0, 0, 0}, {2, 0, 0}, {2, 0, 3}, {0, 0, 3}};
    const std::vector<MeshTriangle> up = {{{0, 2, 1}}, {{0, 3, 2}}}, down = {{{0, 1, 2}}, {{0, 2, 3}}};
    const Vec3 above = cook_mesh(square, up)->report().front_area, below = cook_mesh(square, down)->report().front_area;
    CHECK((above == Vec3{0, 6, 0} && below == Vec3{0, -6, 0}));
}
