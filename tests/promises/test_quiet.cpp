// Promise 6, "Quiet": a warm call allocates nothing. Every allocation of this program is counted: operator new here,
// malloc and its kin by the linker's --wrap where it has that (tests/CMakeLists.txt).
#include "support/catch.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/compound_scene.hpp"
#include "support/failing_memory.hpp"
#include "support/pair_answer.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;

namespace {

std::atomic<std::size_t> g_allocations{0}, g_left{0};

#if defined(_WIN32)
void* allocate_aligned(std::size_t size, std::size_t alignment) { return _aligned_malloc(size, alignment); }
void free_aligned(void* p) { _aligned_free(p); }
#else
void* allocate_aligned(std::size_t size, std::size_t alignment) {
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void free_aligned(void* p) { std::free(p); }
#endif

void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
    g_allocations.fetch_add(1, std::memory_order_relaxed);
    if (g_left != 0 && --g_left == 0) return nullptr;
    void* p = nullptr;
    if (alignment <= alignof(std::max_align_t))
        p = std::malloc(size > 0 ? size : 1);
    else
        p = allocate_aligned(size, alignment);
    return p;
}

void* counted(std::size_t size, std::size_t alignment) {
    void* p = allocate_or_null(size, alignment);
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

}  // namespace

std::size_t test::allocations() { return g_allocations; }
void test::fail_allocation(std::size_t in) { g_left = in; }
std::size_t test::allocations_until_failure() { return g_left; }

void* operator new(std::size_t size) { return counted(size, 1); }
void* operator new[](std::size_t size) { return counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) { return counted(size, std::size_t(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return counted(size, std::size_t(alignment)); }
// The standard's own nothrow forms call those above, a sanitizer's do not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size, 1); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { free_aligned(p); }
void operator delete[](void* p, std::align_val_t) noexcept { free_aligned(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { free_aligned(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { free_aligned(p); }

#ifdef ABUT_WRAPS_MALLOC
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* p, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** out, std::size_t alignment, std::size_t size);

void* __wrap_malloc(std::size_t size) {
    ++g_allocations;
    return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
    ++g_allocations;
    return __real_calloc(count, size);
}
void* __wrap_realloc(void* p, std::size_t size) {
    ++g_allocations;
    return __real_realloc(p, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
    ++g_allocations;
    return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    ++g_allocations;
    return __real_posix_memalign(out, alignment, size);
}
}
#endif

namespace {

// Columns of the caller's own.
struct Columns {
    std::vector<float> distance;
    std::vector<Vec3> normal, point_a, point_b;
    std::vector<Status> status;
    std::vector<std::uint32_t> bits, hits, first_manifold;
    std::vector<Manifold> manifolds;
    std::vector<Contact> contacts;

    explicit Columns(std::size_t pairs)
        : distance(pairs),
          normal(pairs),
          point_a(pairs),
          point_b(pairs),
          status(pairs),
          bits((pairs + 31) / 32),
          hits(pairs),
          first_manifold(pairs + 1),
          manifolds(pairs),
          contacts(4 * pairs) {}

    // Everything there is to ask; true where all calls ran.
    bool ask(NarrowPhase& narrow, const Frame& frame) {
        OverlapColumns overlaps{bits, status, hits, 0};
        ManifoldColumns manifold_columns{
            .first_manifold = first_manifold, .manifolds = manifolds, .contacts = contacts, .status = status};
        DistanceColumns distances{distance, normal, point_a, point_b, status};
        DistanceColumns separations{.signed_distance = distance};
        return narrow.distance(frame, distances) && narrow.distance(frame, separations, {.separation_only = true}) &&
               narrow.overlap(frame, overlaps) && narrow.collide(frame, manifold_columns);
    }
};

std::size_t allocations_of(Columns& columns, NarrowPhase& narrow, const Frame& frame) {
    const std::size_t before = g_allocations;
    const bool ran = columns.ask(narrow, frame);
    const std::size_t after = g_allocations;
    CHECK(ran);
    return after - before;
}

}  // namespace

TEST_CASE("quiet: allocations are counted at all", "[quiet]") {
    const std::size_t before = g_allocations;
    std::vector<int> some(100);
    CHECK(g_allocations > before);
    CHECK(some[99] == 0);
}

TEST_CASE("quiet: a warm call allocates nothing", "[quiet]") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind / 2);
    Columns columns(scene.pairs.size());
    for (const Isa isa : test::usable_isas()) {
        for (const DepthPath depth : {DepthPath::automatic, DepthPath::exact}) {
            NarrowPhase narrow({.executor = serial_executor(), .isa = isa, .depth = depth});
            REQUIRE(columns.ask(narrow, scene.frame()));
            INFO(to_string(isa));
            CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
            // A smaller frame, and back.
            Frame part = scene.frame();
            part.pairs = Strided<Pair>(scene.pairs.data(), scene.pairs.size() / 3);
            CHECK(allocations_of(columns, narrow, part) == 0);
            CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
        }
    }
}

TEST_CASE("quiet: a warm call allocates nothing, whatever the layout of the bodies", "[quiet]") {
    const scenes::Scene scene = scenes::make_row("mixed", 2000, 1, scenes::Keep::no);
    std::vector<ShapeId> shapes;
    std::vector<Vec3> positions;
    std::vector<DVec3> doubles;
    std::vector<Quat> orientations;
    for (const Body& body : scene.bodies) {
        shapes.push_back(body.shape), positions.push_back(body.position), orientations.push_back(body.orientation);
        doubles.push_back({body.position.x, body.position.y, body.position.z});
    }
    const std::vector<Mat44> transforms(scene.bodies.size());
    const std::vector<RelativePose> relative(scene.pairs.size());
    std::vector<Frame> frames(4, scene.frame());
    frames[0].bodies = BodyColumns{.shapes = shapes, .positions = positions, .orientations = orientations};
    frames[1].bodies = BodyColumns{.shapes = shapes, .double_positions = doubles, .orientations = orientations};
    frames[2].bodies = BodyColumns{.shapes = shapes, .transforms = transforms};
    frames[3].bodies = BodyColumns{.shapes = shapes}, frames[3].relative_poses = relative;
    Columns columns(scene.pairs.size());
    for (const Frame& frame : frames) {
        NarrowPhase narrow({.executor = serial_executor()});
        REQUIRE(columns.ask(narrow, frame));
        CHECK(allocations_of(columns, narrow, frame) == 0);
    }
}

TEST_CASE("quiet: a warm call with compounds allocates nothing, nor does a first one after reserve", "[quiet]") {
    const test::CompoundScene scene = test::make_compounds(300, 6, 7);
    Columns columns(scene.pairs.size());
    columns.manifolds.resize(8 * scene.pairs.size());
    columns.contacts.resize(32 * scene.pairs.size());
    NarrowPhase narrow({.executor = serial_executor()}), reserved({.executor = serial_executor()});
    REQUIRE(columns.ask(narrow, scene.frame()));
    CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
    Frame part = scene.frame();
    part.pairs = Strided<Pair>(scene.pairs.data(), scene.pairs.size() / 3);
    CHECK(allocations_of(columns, narrow, part) == 0);
    CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
    reserved.reserve(scene.pairs.size(), 20 * scene.pairs.size());
    CHECK(allocations_of(columns, reserved, scene.frame()) == 0);
}

TEST_CASE("quiet: a warm call with meshes and height fields allocates nothing", "[quiet]") {
    const test::SurfaceScene scene = test::make_surface_scene(300, 9, true);
    Columns columns(scene.pairs().size());
    columns.manifolds.resize(64 * scene.pairs().size());
    columns.contacts.resize(256 * scene.pairs().size());
    NarrowPhase narrow({.executor = serial_executor()});
    REQUIRE(columns.ask(narrow, scene.frame()));
    CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
    Frame part = scene.frame();
    part.pairs = Strided<Pair>(scene.pairs().data(), scene.pairs().size() / 3);
    CHECK(allocations_of(columns, narrow, part) == 0);
    CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
    NarrowPhase reserved({.executor = serial_executor()});
    CHECK(reserved.reserve(scene.pairs().size(), 64 * scene.pairs().size()) > 0);
    CHECK(allocations_of(columns, reserved, scene.frame()) == 0);
}

TEST_CASE("quiet: a warm cast allocates nothing", "[quiet]") {
    const scenes::Scene convex = scenes::make_medley(test::kPairsAKind / 10);
    const test::CompoundScene compounds = test::make_compounds(200, 6, 8);
    const test::SurfaceScene surfaces = test::make_surface_scene(100, 9);
    NarrowPhase narrow({.executor = serial_executor()});
    for (const Frame& frame : {convex.frame(), compounds.frame(), surfaces.frame()}) {
        std::vector<Body> turned(frame.bodies.size());
        for (std::size_t i = 0; i < turned.size(); ++i)
            turned[i] = {frame.bodies[i].position, frame.bodies[i].shape, {0, 0, 0, 1}};
        const Bodies ends[] = {turned};
        Casts casts;
        REQUIRE(narrow.cast(frame, {ends}, casts));
        Casts again = casts;
        const std::size_t before = g_allocations;
        REQUIRE(narrow.cast(frame, {ends}, again));
        CHECK(g_allocations == before);
    }
}

TEST_CASE("quiet: warm rays allocate nothing", "[quiet]") {
    const scenes::Scene convex = scenes::make_medley(test::kPairsAKind / 10);
    const test::CompoundScene compounds = test::make_compounds(200, 6, 8);
    const test::SurfaceScene surfaces = test::make_surface_scene(100, 9);
    NarrowPhase narrow({.executor = serial_executor()});
    for (const Frame& frame : {convex.frame(), compounds.frame(), surfaces.frame()}) {
        const std::vector<Vec3> origins(frame.bodies.size(), {1, 2, 3}), directions(frame.bodies.size(), {-2, -4, -6});
        for (const RayReduction reduction :
             {RayReduction::every_pair, RayReduction::first_of_ray, RayReduction::any_of_ray}) {
            RayHits hits;
            REQUIRE(narrow.raycast(frame, {.origins = origins, .directions = directions}, hits, {reduction}));
            RayHits again = hits;
            const std::size_t before = g_allocations;
            REQUIRE(narrow.raycast(frame, {.origins = origins, .directions = directions}, again, {reduction}));
            CHECK(g_allocations == before);
        }
    }
}

TEST_CASE("quiet: reserve makes the first call warm", "[quiet]") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind / 2);
    Columns columns(scene.pairs.size());
    NarrowPhase narrow({.executor = serial_executor()});
    const std::size_t bytes = narrow.reserve(scene.pairs.size());
    CHECK(bytes > 0);
    CHECK(narrow.reserve(10) >= bytes);
    CHECK(allocations_of(columns, narrow, scene.frame()) == 0);
    CHECK(narrow.reserve(scene.pairs.size()) == bytes);
}

TEST_CASE("quiet: owned results keep their memory", "[quiet]") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind / 5);
    NarrowPhase narrow({.executor = serial_executor()});
    Overlaps overlaps;
    Distances distances;
    Manifolds manifolds;
    const auto ask = [&] {
        return narrow.overlap(scene.frame(), overlaps) && narrow.distance(scene.frame(), distances) &&
               narrow.collide(scene.frame(), manifolds);
    };
    REQUIRE(ask());
    const std::size_t before = g_allocations;
    const bool ran = bool(ask());
    const std::size_t after = g_allocations;
    CHECK(ran);
    CHECK(after == before);
}

TEST_CASE("quiet: a warm table allocates nothing, through sleep, removal and rollback", "[quiet]") {
    const scenes::Scene scene = scenes::make_medley(test::kPairsAKind / 2);
    NarrowPhase narrow({.executor = serial_executor()});
    Manifolds manifolds;
    REQUIRE(narrow.collide(scene.frame(), manifolds));
    REQUIRE(!manifolds.contacts.empty());
    std::vector<std::uint32_t> same(scene.bodies.size());
    for (std::uint32_t i = 0; i < same.size(); ++i) same[i] = i;
    WarmTable reserved, table, copy;
    REQUIRE(reserved.reserve(scene.pairs.size(), manifolds.contacts.size()));
    bool carried = true;
    const Manifolds none{{0}, {}, {}, {}, {}};
    const auto run = [&](WarmTable& of) {
        const std::size_t before = g_allocations;
        for (int frame = 0; frame < 4; ++frame) {
            of.begin(scene.pairs);
            carried = carried && of.carry_over(scene.frame(), manifolds);
            carried = carried && of.keep(scene.pairs) && of.remap_bodies(same);
            of.begin({});
            carried = carried && of.kept() > 0 && of.carry_over({&scene.shapes, scene.bodies, {}}, none);
        }
        return std::size_t(g_allocations) - before;
    };
    run(table);
    CHECK(run(table) == 0);
    CHECK(run(reserved) == 0);
    table.begin(scene.pairs);
    copy = table;
    const std::size_t before = g_allocations;
    copy = table;
    table = copy;
    CHECK(std::size_t(g_allocations) == before);
    CHECK(carried);
}

TEST_CASE("quiet: a reserved warm table allocates nothing, for every number of pairs", "[quiet]") {
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 200; ++i) {
        pairs.push_back({i, i + 1});
        WarmTable table;
        REQUIRE(table.reserve(pairs.size(), 0));
        const std::size_t before = g_allocations;
        bool kept_all = true;
        for (int frame = 0; frame < 2; ++frame) {
            table.begin(pairs);
            kept_all = table.keep(pairs) && kept_all;
            table.begin({});
            kept_all = kept_all && table.kept() == pairs.size();
        }
        const std::size_t after = g_allocations;
        CAPTURE(pairs.size());
        CHECK(after == before);
        CHECK(kept_all);
    }
}

TEST_CASE("quiet: a table of about as many contacts from frame to frame allocates nothing", "[quiet]") {
    const scenes::Scene scene = scenes::make_medley(300);
    const std::size_t most = scene.pairs.size(), least = most - most / 50 - 2;
    NarrowPhase narrow({.executor = serial_executor()});
    Manifolds all;
    REQUIRE(narrow.collide(scene.frame(), all));
    REQUIRE(all.first_manifold[least - 1] < all.manifolds.size());
    WarmTable table;
    bool carried = true;
    const auto step = [&](std::size_t first, std::size_t count) {
        FrameContacts frame = frame_contacts(scene.frame(), all);
        frame.pairs = frame.pairs.subspan(0, count);
        frame.first_manifold = frame.first_manifold.first(count + 1);
        frame.manifolds = frame.manifolds.first(all.first_manifold[count]);
        const Manifold last = frame.manifolds.back();
        frame.contacts = frame.contacts.first(last.first_contact + last.contact_count);
        table.begin(frame.pairs.subspan(first, count - first));
        table.begin(frame.pairs);
        carried = table.carry_over(frame) && carried;
    };
    for (std::size_t frame = 0; frame < 4; ++frame) step(frame, least);
    const std::size_t before = g_allocations;
    for (std::size_t frame = 0; frame < 10000; ++frame) step(frame % 3, least + frame * 7919 % (most - least + 1));
    CHECK(std::size_t(g_allocations) == before);
    CHECK(carried);
}
