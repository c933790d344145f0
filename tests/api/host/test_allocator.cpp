// The allocator hook: all memory of the library is the host's, it goes back as it came, and where it ends a call is an
// error.
#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <abut/abut.hpp>

#include "api/host/host_memory.hpp"

using namespace abut;

namespace {

using test::HostMemory;

// The caller's own memory, there before the library is called.
struct Columns {
    static constexpr std::size_t kBodies = 120, kPairs = 700;

    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> bits = std::vector<std::uint32_t>((kPairs + 31) / 32),
                               hits = std::vector<std::uint32_t>(kPairs),
                               first_manifold = std::vector<std::uint32_t>(kPairs + 1);
    std::vector<float> distance = std::vector<float>(kPairs);
    std::vector<Vec3> normal = std::vector<Vec3>(kPairs), point_a = normal, point_b = normal;
    std::vector<Status> status = std::vector<Status>(kPairs);
    std::vector<Manifold> manifolds = std::vector<Manifold>(20 * kPairs);
    std::vector<Contact> contacts = std::vector<Contact>(80 * kPairs);
    std::vector<Bounds> bounds = std::vector<Bounds>(kBodies);
    std::vector<Vec3> cloud;
    std::vector<CompoundChild> children = std::vector<CompoundChild>(3);
    std::vector<std::byte> bytes = std::vector<std::byte>(8192), snapshot = std::vector<std::byte>(1 << 20);
    std::vector<std::uint32_t> new_index;

    Columns() {
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            const auto at = [&](std::uint32_t of) { return float(i * of % 31) * 0.1f; };
            const float angle = 0.1f * float(i);
            bodies.push_back({{at(7), at(13), at(29)}, {}, {std::sin(angle), 0, 0, std::cos(angle)}});
            new_index.push_back(i == 5 ? kRemovedBody : i - (i > 5));
        }
        for (std::uint32_t i = 0; pairs.size() < kPairs; ++i)
            pairs.push_back({i * 7 % std::uint32_t(kBodies), i * 11 / 3 % std::uint32_t(kBodies)});
        for (int i = 0; i < 40; ++i)
            cloud.push_back({std::sin(1.7f * float(i)), std::cos(2.3f * float(i)), std::sin(3.1f * float(i) + 1)});
    }
};

// The first call that failed, if one did.
using Failure = std::optional<ErrorCode>;

// Everything that the library keeps memory for, as a host calls it; ends at the first error.
class World {
public:
    explicit World(Columns& columns) : c_(columns) {}

    Failure run() {
        if (const Failure failure = add_shapes()) return failure;
        for (std::size_t i = 0; i < c_.bodies.size(); ++i) c_.bodies[i].shape = ids_[i % ids_.size()];
        if (const Failure failure = read_shapes()) return failure;
        if (const Failure failure = ask()) return failure;
        return follow();
    }

private:
    template <class Result>
    bool failed(const Result& result) {
        if (!result) failure_ = result.error().code;
        return !result;
    }
    bool add(const Expected<ShapeId>& id) {
        if (failed(id)) return false;
        ids_[count_++] = *id;
        return true;
    }

    Failure add_shapes() {
        const Expected<CookedHull> cooked = cook_hull(c_.cloud, {.max_vertices = 20});
        if (failed(cooked)) return failure_;
        const std::size_t written = cooked->write(c_.bytes);
        const Expected<CookedHull> read = CookedHull::read(std::span(c_.bytes).first(written));
        if (failed(read)) return failure_;
        const bool added = add(store_.add_sphere(0.5f)) && add(store_.add_capsule(0.3f, 0.4f)) &&
                           add(store_.add_box({0.4f, 0.5f, 0.6f})) && add(store_.add_cylinder(0.4f, 0.5f)) &&
                           add(store_.add_cone(0.4f, 0.5f)) && add(store_.add_ellipsoid({0.3f, 0.4f, 0.5f})) &&
                           add(store_.add_hull(c_.cloud)) && add(store_.add_hull(*read, {.rounding = 0.1f})) &&
                           add(store_.add_instance(ids_[6], {.rounding = 0, .scale = {1, 2, 0.5f}})) &&
                           add(store_.add_halfspace({0, 1, 0}, -1));
        if (!added) return failure_;
        for (std::size_t i = 0; i < c_.children.size(); ++i)
            c_.children[i] = {ids_[2 * i + 1], {0.5f * float(i), 0, 0}, {}};
        if (!add(store_.add_compound(c_.children))) return failure_;
        if (failed(store_.set_instance(ids_[10], {.rounding = 0.05f, .scale = {2, 2, 2}}))) return failure_;
        return {};
    }

    Failure read_shapes() {
        for (const ShapeId id : ids_) {
            const Expected<MassProperties> mass = mass_properties(store_, id);
            if (!mass && mass.error().code == ErrorCode::unsupported) continue;  // a half-space has none
            if (failed(mass)) return failure_;
        }
        if (failed(world_bounds(store_, c_.bodies, c_.bounds))) return failure_;
        const std::size_t written = store_.write(c_.snapshot);
        if (written == 0) return ErrorCode::out_of_memory;
        Expected<ShapeStore> read = ShapeStore::read(std::span(c_.snapshot).first(written));
        if (failed(read)) return failure_;
        store_ = std::move(*read);  // the calls that follow are of the copy
        return {};
    }

    Frame frame() { return {&store_, c_.bodies, c_.pairs}; }
    ManifoldColumns columns() {
        return {.first_manifold = c_.first_manifold,
                .manifolds = c_.manifolds,
                .contacts = c_.contacts,
                .status = c_.status};
    }

    Failure ask() {
        NarrowPhase narrow({.executor = serial_executor()});
        OverlapColumns overlaps{c_.bits, c_.status, c_.hits, 0};
        if (failed(narrow.overlap(frame(), overlaps))) return failure_;
        DistanceColumns distances{c_.distance, c_.normal, c_.point_a, c_.point_b, c_.status};
        if (failed(narrow.distance(frame(), distances))) return failure_;
        ManifoldColumns out = columns();
        if (failed(narrow.collide(frame(), out))) return failure_;
        Settings bad;
        bad.threads = 1u << 20;
        if (NarrowPhase(bad).overlap(frame(), overlaps)) return ErrorCode::none;
        return {};
    }

    Failure follow() {
        NarrowPhase narrow({.executor = serial_executor()});
        WarmTable table, copy;
        if (failed(table.reserve(c_.pairs.size() / 2, 10))) return failure_;
        for (int round = 0; round < 3; ++round) {
            Frame now = frame();
            now.caches = table.begin(now.pairs);
            if (now.caches.empty()) return ErrorCode::out_of_memory;
            ManifoldColumns out = columns();
            if (failed(narrow.collide(now, out))) return failure_;
            if (failed(table.carry_over(frame_contacts(now, out)))) return failure_;
            if (failed(table.keep(std::span(c_.pairs).first(10)))) return failure_;
            if (failed(table.drop(std::span(c_.pairs).first(5)))) return failure_;
            if (failed(table.swap_remove(3, std::uint32_t(c_.bodies.size() - 1)))) return failure_;
            if (failed(table.remap_bodies(c_.new_index))) return failure_;
            if (failed(copy.assign(table))) return failure_;
            const std::size_t written = table.write(c_.snapshot);
            if (written == 0) return ErrorCode::out_of_memory;
            Expected<WarmTable> read = WarmTable::read(std::span(c_.snapshot).first(written));
            if (failed(read)) return failure_;
            table = std::move(*read);
        }
        return {};
    }

    Columns& c_;
    ShapeStore store_;
    std::array<ShapeId, 11> ids_;
    std::size_t count_ = 0;
    Failure failure_;
};

// The library takes its memory from `memory` for as long as this lives.
class Hosted {
public:
    explicit Hosted(HostMemory& memory) { REQUIRE(set_allocator(memory.allocator())); }
    Hosted(const Hosted&) = delete;
    Hosted& operator=(const Hosted&) = delete;
    ~Hosted() { CHECK(set_allocator({})); }
};

}  // namespace

TEST_CASE("allocator: all memory of the library is the host's, and all of it goes back as it came", "[allocator]") {
    Columns columns;
    HostMemory memory;
    const Hosted hosted(memory);
    const std::size_t before = test::operator_new_calls();
    {
        World world(columns);
        const Failure failure = world.run();
        const std::size_t after = test::operator_new_calls();  // before a CHECK, which allocates
        CHECK(after == before);
        CHECK_FALSE(failure);
        CHECK(memory.live() > 20);
        CHECK(memory_in_use().blocks == memory.live());
        CHECK(memory_in_use().bytes > 10000);
    }
    CHECK(memory.allocations() > 300);
    CHECK(memory.live() == 0);
    CHECK(memory.mistakes() == 0);
    CHECK(memory_in_use().blocks == 0);
    CHECK(memory_in_use().bytes == 0);
}

TEST_CASE("allocator: where the host's memory ends, at any allocation, a call is an error and nothing is lost",
          "[allocator]") {
    Columns columns;
    HostMemory memory;
    const Hosted hosted(memory);
    std::size_t failures = 0;
    for (std::size_t n = 1;; ++n) {
        memory.fail(n);
        Failure failure;
        {
            World world(columns);
            failure = world.run();
        }
        if (!memory.has_failed()) {
            CHECK_FALSE(failure);
            break;
        }
        INFO("allocation " << n);
        REQUIRE(failure);
        REQUIRE(*failure == ErrorCode::out_of_memory);
        REQUIRE(memory.live() == 0);
        REQUIRE(memory.mistakes() == 0);
        ++failures;
    }
    CHECK(failures > 300);
    memory.fail(0);
    CHECK_FALSE(World(columns).run());
}

TEST_CASE("allocator: another one is refused while the library holds memory, and half of one always", "[allocator]") {
    HostMemory memory, other;
    const Hosted hosted(memory);
    {
        ShapeStore store;
        REQUIRE(store.add_sphere(1));
        const CallResult refused = set_allocator(other.allocator());
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::bad_argument);
        CHECK(refused.error().message.contains("blocks of memory"));
        REQUIRE(store.add_box({1, 1, 1}));
    }
    CHECK(other.allocations() == 0);
    Allocator half = other.allocator();
    half.release = nullptr;
    CHECK_FALSE(set_allocator(half));
    half = {nullptr, other.allocator().release, nullptr};
    CHECK_FALSE(set_allocator(half));
    REQUIRE(ShapeStore().add_sphere(1));
    CHECK(other.allocations() == 0);
    CHECK(memory.live() == 0);
}
