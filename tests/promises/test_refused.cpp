// Promise 5, "Contained", of arguments: what cannot be is refused by name, and a refused call changes nothing.
#include "support/catch.hpp"

#include <limits>
#include <string>
#include <vector>

#include "batch/frame_checks.hpp"
#include "simd/isa_choice.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

bool names(const CallResult& result, ErrorCode code, const std::string& what, const std::string& value) {
    INFO(result.error().message.c_str());
    const bool right = !result && result.error().code == code && result.error().message.contains(what) &&
                       result.error().message.contains(value);
    CHECK(right);
    return right;
}

struct TwoBoxes {
    ShapeStore store;
    ShapeId box = *store.add_box({0.5f, 0.5f, 0.5f});
    std::vector<Body> bodies{{{}, box, {}}, {{0.9f, 0, 0}, box, {}}};
    std::vector<Pair> pairs{{0, 1}};
    Frame frame() const { return {.shapes = &store, .bodies = bodies, .pairs = pairs}; }
};

// What a caller had from a frame before.
struct Held {
    Overlaps o;
    Distances d;
    Manifolds m;

    explicit Held(const Frame& frame) {
        NarrowPhase narrow;
        REQUIRE(narrow.overlap(frame, o));
        REQUIRE(narrow.distance(frame, d));
        REQUIRE(narrow.collide(frame, m));
    }
    bool is_as_in(const Held& other) const {
        return o.bits == other.o.bits && o.status == other.o.status && o.hits == other.o.hits &&
               d.signed_distance == other.d.signed_distance && d.normal == other.d.normal &&
               d.point_a == other.d.point_a && d.point_b == other.d.point_b && d.status == other.d.status &&
               m.first_manifold == other.m.first_manifold && m.manifolds.size() == other.m.manifolds.size() &&
               m.contacts.size() == other.m.contacts.size() && m.status == other.m.status;
    }
};

// Every query refuses the frame, naming `what` and `value`, and leaves containers as they were.
void check_refused(const Frame& frame, ErrorCode code, const std::string& what, const std::string& value) {
    const TwoBoxes boxes;
    Held held(boxes.frame());
    const Held before = held;
    NarrowPhase narrow;
    names(narrow.overlap(frame, held.o), code, what, value);
    names(narrow.distance(frame, held.d), code, what, value);
    names(narrow.collide(frame, held.m), code, what, value);
    CHECK(held.is_as_in(before));
}

}  // namespace

TEST_CASE("refused: too many pairs are refused before anything grows", "[refused]") {
    const TwoBoxes boxes;
    Frame frame = boxes.frame();
    frame.pairs = {boxes.pairs.data(), std::size_t(1) << 31};
    check_refused(frame, ErrorCode::limit, "2147483648 pairs", "2147483647");
}

TEST_CASE("refused: an index of a cache that does not exist", "[refused]") {
    const TwoBoxes boxes;
    std::vector<WarmCache> caches(3);
    std::vector<std::uint32_t> indices{3};
    Frame frame = boxes.frame();
    frame.cache_indices = indices;
    check_refused(frame, ErrorCode::bad_argument, "Frame::cache_indices[0] is 3", "Frame::caches has 0");
    frame.caches = caches;
    check_refused(frame, ErrorCode::bad_argument, "Frame::cache_indices[0] is 3", "Frame::caches has 3");
    frame.cache_indices = {static_cast<const std::uint32_t*>(nullptr), 1};
    check_refused(frame, ErrorCode::bad_argument, "Frame::cache_indices is null", "1");
    indices = {2};
    frame.cache_indices = indices;
    Manifolds m;
    CHECK(NarrowPhase().collide(frame, m));
}

TEST_CASE("refused: null data with a count", "[refused]") {
    const TwoBoxes boxes;
    Frame frame = boxes.frame();
    frame.bodies = {nullptr, 3};
    check_refused(frame, ErrorCode::bad_argument, "Frame::bodies is null", "3");
    frame = boxes.frame();
    frame.pairs = {nullptr, 5};
    check_refused(frame, ErrorCode::bad_argument, "Frame::pairs is null", "5");
    frame = boxes.frame();
    frame.caches = {static_cast<WarmCache*>(nullptr), 1};
    check_refused(frame, ErrorCode::bad_argument, "Frame::caches is null", "1");
    const std::uint32_t none = 0;
    frame.cache_indices = {&none, 1};
    check_refused(frame, ErrorCode::bad_argument, "Frame::caches is null", "1");
    frame = boxes.frame();
    frame.shapes = nullptr;
    check_refused(frame, ErrorCode::bad_argument, "Frame::shapes", "null");

    NarrowPhase narrow;
    Manifolds m;
    Distances d;
    frame = boxes.frame();
    frame.margins = {static_cast<const float*>(nullptr), 1};
    names(narrow.collide(frame, m), ErrorCode::bad_argument, "Frame::margins is null", "1");
    frame = boxes.frame();
    const std::span<const float> no_limits = {static_cast<const float*>(nullptr), 1};
    names(narrow.distance(frame, d, {.max_distances = no_limits}), ErrorCode::bad_argument,
          "DistanceOptions::max_distances is null", "1");

    ShapeStore store;
    const Expected<ShapeId> hull = store.add_hull({static_cast<const Vec3*>(nullptr), 4});
    names(CallResult(hull.error()), ErrorCode::bad_argument, "points is null", "4");
    const Expected<ShapeId> compound = store.add_compound({static_cast<const CompoundChild*>(nullptr), 2});
    names(CallResult(compound.error()), ErrorCode::bad_argument, "children is null", "2");
    const Vec3 point[] = {{1, 2, 3}};
    CHECK(store.hull_vertices(*store.add_hull(point), {static_cast<Vec3*>(nullptr), 1}) == 0);
}

TEST_CASE("refused: null and misaligned columns", "[refused]") {
    const TwoBoxes boxes;
    NarrowPhase narrow;
    alignas(8) std::byte memory[64] = {};
    const auto null = [](auto* type) { return std::span(static_cast<decltype(type)>(nullptr), std::size_t(2)); };
    const auto askew = [&](auto* type) {
        return std::span(reinterpret_cast<decltype(type)>(memory + 1), std::size_t(2));
    };
    std::uint32_t words[2] = {};
    float distance[1] = {7};
    Manifold manifolds[1];
    Contact contacts[4];
    constexpr std::uint32_t* kWords = nullptr;
    constexpr Vec3* kVectors = nullptr;
    constexpr float* kFloats = nullptr;
    const auto overlap = [&](OverlapColumns columns, const char* what, const char* value) {
        names(narrow.overlap(boxes.frame(), columns), ErrorCode::bad_argument, what, value);
    };
    overlap({null(kWords)}, "OverlapColumns::bits is null", "2");
    overlap({askew(kWords)}, "OverlapColumns::bits is not aligned", "1 past");
    overlap({words, {}, null(kWords)}, "OverlapColumns::hits is null", "2");
    overlap({words, null(static_cast<Status*>(nullptr))}, "OverlapColumns::status is null", "2");
    const auto distances = [&](DistanceColumns columns, const char* what, const char* value) {
        names(narrow.distance(boxes.frame(), columns), ErrorCode::bad_argument, what, value);
    };
    distances({null(kFloats)}, "DistanceColumns::signed_distance is null", "2");
    distances({askew(kFloats)}, "DistanceColumns::signed_distance is not aligned to 4", "1 past");
    distances({distance, null(kVectors)}, "DistanceColumns::normal is null", "2");
    distances({distance, {}, askew(kVectors)}, "DistanceColumns::point_a is not aligned to 4", "1 past");
    distances({distance, {}, {}, null(kVectors)}, "DistanceColumns::point_b is null", "2");
    const auto collide = [&](ManifoldColumns columns, const char* what, const char* value) {
        names(narrow.collide(boxes.frame(), columns), ErrorCode::bad_argument, what, value);
    };
    collide({null(kWords), manifolds, contacts}, "ManifoldColumns::first_manifold is null", "2");
    collide({words, null(static_cast<Manifold*>(nullptr)), contacts}, "ManifoldColumns::manifolds is null", "2");
    collide({words, manifolds, null(static_cast<Contact*>(nullptr))}, "ManifoldColumns::contacts is null", "2");
    CHECK(distance[0] == 7);
}

TEST_CASE("refused: strides and addresses that no record can have", "[refused]") {
    const TwoBoxes boxes;
    std::vector<Bounds> bounds(2);
    for (const std::size_t stride : {0, 2, 4, 28, 30, 33, 34}) {
        Frame frame = boxes.frame();
        frame.bodies = {boxes.bodies.data(), 2, stride};
        check_refused(frame, ErrorCode::bad_argument, "Frame::bodies has a stride of", std::to_string(stride));
        names(world_bounds(boxes.store, frame.bodies, bounds), ErrorCode::bad_argument,
              "world_bounds: bodies has a stride of", std::to_string(stride));
    }
    for (const std::size_t stride : {0, 2, 4, 9}) {
        Frame frame = boxes.frame();
        frame.pairs = {boxes.pairs.data(), 1, stride};
        check_refused(frame, ErrorCode::bad_argument, "Frame::pairs has a stride of", std::to_string(stride));
    }
    Frame frame = boxes.frame();
    frame.bodies = {reinterpret_cast<const Body*>(reinterpret_cast<const std::byte*>(boxes.bodies.data()) + 2), 1};
    check_refused(frame, ErrorCode::bad_argument, "Frame::bodies is not aligned to 4", "2 past");
    names(world_bounds(boxes.store, frame.bodies, bounds), ErrorCode::bad_argument,
          "world_bounds: bodies is not aligned to 4", "2 past");
    names(world_bounds(boxes.store, {nullptr, 2}, bounds), ErrorCode::bad_argument, "world_bounds: bodies is null",
          "2");
    names(world_bounds(boxes.store, boxes.bodies, {static_cast<Bounds*>(nullptr), 2}), ErrorCode::bad_argument,
          "world_bounds: bounds is null", "2");
    CHECK(bounds[0] == Bounds{});
    CHECK(world_bounds(boxes.store, {}, {}));
}

TEST_CASE("refused: more threads than any machine has", "[refused]") {
    const TwoBoxes boxes;
    for (const unsigned threads : {4097u, 2147483647u, 4294967295u}) {
        NarrowPhase narrow({.threads = threads});
        Distances d;
        names(narrow.distance(boxes.frame(), d), ErrorCode::bad_argument, "Settings::threads", std::to_string(threads));
    }
    NarrowPhase narrow({.threads = 64});
    Distances d;
    CHECK(narrow.distance(boxes.frame(), d));
}

TEST_CASE("refused: limits per pair that are none", "[refused]") {
    const TwoBoxes boxes;
    NarrowPhase narrow;
    Held held(boxes.frame());
    const Held before = held;
    for (const float limit :
         {-1.0f, -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const DistanceOptions options = {.max_distances = {&limit, 1}};
        names(narrow.distance(boxes.frame(), held.d, options), ErrorCode::bad_argument,
              "DistanceOptions::max_distances[0]", limit < 0 ? "-" : "nan");
    }
    std::vector<Pair> pairs{{0, 1}, {1, 0}};
    Frame frame = boxes.frame();
    frame.pairs = pairs;
    const float limit = 1;
    names(narrow.distance(frame, held.d, {.max_distances = {&limit, 1}}), ErrorCode::bad_size,
          "DistanceOptions::max_distances has room for 1", "2");
    CHECK(held.is_as_in(before));
}

TEST_CASE("refused: margins that are none, per pair and of the settings", "[refused]") {
    const TwoBoxes boxes;
    Manifolds manifolds;
    for (const float margin :
         {-1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const char* const text = margin < 0 ? "-1" : margin > 0 ? "inf" : "nan";
        Frame frame = boxes.frame();
        frame.margins = {&margin, 1};
        NarrowPhase narrow;
        names(narrow.collide(frame, manifolds), ErrorCode::bad_argument, "Frame::margins[0]", text);
        NarrowPhase wide({.speculative_margin = margin});
        names(wide.collide(boxes.frame(), manifolds), ErrorCode::bad_argument, "Settings::speculative_margin", text);
        NarrowPhase following({.follow_distance = margin});
        names(following.collide(boxes.frame(), manifolds), ErrorCode::bad_argument, "Settings::follow_distance", text);
    }
    const float greatest = std::numeric_limits<float>::max();
    Frame frame = boxes.frame();
    frame.margins = {&greatest, 1};
    NarrowPhase narrow;
    CHECK(narrow.collide(frame, manifolds));
}

TEST_CASE("refused: a refused call keeps the counts of manifolds, too", "[refused]") {
    const TwoBoxes boxes;
    ManifoldColumns columns;
    columns.manifold_count = columns.contacts_needed = 77;
    CHECK_FALSE(NarrowPhase().collide(boxes.frame(), columns));
    CHECK(columns.manifold_count == 77);
    CHECK(columns.contacts_needed == 77);
}

TEST_CASE("counters are those of the last frame, empty or not", "[refused]") {
    const TwoBoxes boxes;
    const Frame empty = {.shapes = &boxes.store, .bodies = {}, .pairs = {}};
    NarrowPhase narrow;
    Overlaps o;
    Distances d;
    Manifolds m;
    ManifoldColumns columns;
    DistanceColumns distances;
    OverlapColumns bits;
    const auto check = [&](auto&& ask) {
        REQUIRE(narrow.collide(boxes.frame(), m));
        REQUIRE(narrow.counters().pairs == 1);
        REQUIRE(ask());
        CHECK(narrow.counters().pairs == 0);
        CHECK(narrow.counters().wide == 0);
    };
    check([&] { return narrow.overlap(empty, o); });
    check([&] { return narrow.distance(empty, d); });
    check([&] { return narrow.collide(empty, m); });
    check([&] { return narrow.overlap(empty, bits); });
    check([&] { return narrow.distance(empty, distances); });
    check([&] { return narrow.collide(empty, columns); });
}

TEST_CASE("a bad pose on a pair that has no answer is a bad pose", "[refused]") {
    ShapeStore store;
    const ShapeId plane = *store.add_halfspace({0, 1, 0}, 0);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Body> bodies = {{{}, plane, {}}, {{nan, 0, 0}, plane, {}}, {{}, plane, {0, 0, 0, 2}}};
    const std::vector<Pair> pairs = {{0, 0}, {0, 1}, {1, 0}, {2, 2}, {0, 3}};
    const judge::Answers answers = judge::ask({.shapes = &store, .bodies = bodies, .pairs = pairs}, {});
    const std::vector<Status> expected = {Status::unsupported, Status::bad_pose, Status::bad_pose, Status::bad_pose,
                                          Status::bad_index};
    CHECK(answers.overlaps.status == expected);
    CHECK(answers.distances.status == expected);
    CHECK(answers.manifolds.status == expected);
}

TEST_CASE("a pair has an answer where its status is ok, and else none, whatever the caller's memory held",
          "[refused]") {
    TwoBoxes boxes;
    const ShapeId plane = *boxes.store.add_halfspace({0, 1, 0}, 0);
    const CompoundChild child = {boxes.box, {}, {}};
    const ShapeId compound = *boxes.store.add_compound(std::vector<CompoundChild>(3, child));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    boxes.bodies = {{{}, boxes.box, {}},
                    {{0.9f, 0, 0}, boxes.box, {}},
                    {{nan, 0, 0}, boxes.box, {}},
                    {{}, plane, {}},
                    {{}, compound, {}}};
    boxes.pairs = {{0, 1}, {0, 9}, {0, 2}, {2, 4}, {3, 3}, {4, 4}};
    const std::size_t count = boxes.pairs.size();
    std::vector<Status> expected = {Status::ok,       Status::bad_index,   Status::bad_pose,
                                    Status::bad_pose, Status::unsupported, Status::ok};
    NarrowPhase narrow({.max_child_pairs = 2});
    std::vector<Status> status(count, Status::no_room);

    std::vector<std::uint32_t> bits = {~0u};
    OverlapColumns o = {bits, status};
    REQUIRE(narrow.overlap(boxes.frame(), o));
    CHECK(status == expected);
    CHECK(bits[0] == 0b100001);

    std::vector<float> distance(count, nan);
    const Vec3 rubbish = {nan, nan, nan}, zero = {};
    std::vector<Vec3> normal(count, rubbish), on_a = normal, on_b = normal;
    DistanceColumns columns{distance, normal, on_a, on_b, status};
    REQUIRE(narrow.distance(boxes.frame(), columns));
    CHECK(status == expected);
    for (std::size_t i = 0; i < count; ++i) {
        INFO(i);
        const bool is_answered = expected[i] == Status::ok;
        CHECK((is_answered ? distance[i] < 0 : distance[i] == 0));
        CHECK((normal[i] == zero) != is_answered);
        CHECK((is_answered || (on_a[i] == zero && on_b[i] == zero)));
    }

    std::vector<std::uint32_t> first(count + 1, 77);
    std::vector<Manifold> manifolds(8);
    std::vector<Contact> contacts(32);
    ManifoldColumns m = {first, manifolds, contacts, status};
    REQUIRE(narrow.collide(boxes.frame(), m));
    expected[5] = Status::no_room;
    CHECK(status == expected);
    CHECK(first == std::vector<std::uint32_t>{0, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("an instruction set is chosen among those that are compiled and run, or there is an error", "[refused]") {
    const auto chosen = [](Isa wanted, const char* forced, const IsaChoices& choices) {
        const Expected<Isa> isa = choose_isa(wanted, forced, choices);
        return isa ? *isa : Isa::best;
    };
    const IsaChoices all = {{Isa::sse2, Isa::avx2, Isa::avx512}, {Isa::sse2, Isa::avx2, Isa::avx512}},
                     older = {all.compiled, {Isa::sse2, Isa::avx2}};
    CHECK(chosen(Isa::best, nullptr, all) == Isa::avx512);
    CHECK(chosen(Isa::best, "", older) == Isa::avx2);
    CHECK(chosen(Isa::best, "sse2", older) == Isa::sse2);
    CHECK(chosen(Isa::best, "auto", older) == Isa::avx2);
    CHECK(chosen(Isa::sse2, "avx2", older) == Isa::sse2);
    const auto refused = [](Isa wanted, const char* forced, const IsaChoices& choices, const char* what) {
        const Expected<Isa> isa = choose_isa(wanted, forced, choices);
        REQUIRE_FALSE(isa);
        names(CallResult(isa.error()),
              forced != nullptr && *forced == 'm' ? ErrorCode::bad_argument : ErrorCode::unsupported, what, "");
    };
    refused(Isa::avx512, nullptr, older, "avx512 is not supported by this machine");
    refused(Isa::neon, nullptr, older, "neon is not in this build");
    refused(Isa::best, "avx512", older, "ABUT_ISA=avx512");
    refused(Isa::best, "mmx", older, "ABUT_ISA");
    // A build for newer machines alone.
    const IsaChoices none = {{Isa::avx512}, {Isa::sse2, Isa::avx2}};
    refused(Isa::best, nullptr, none, "none of the instruction sets in this build: avx512");
    refused(Isa::best, "auto", none, "avx512");
    refused(Isa::best, nullptr, {}, "none of the instruction sets");
    CHECK_FALSE(is_supported(Isa(200)));
}
