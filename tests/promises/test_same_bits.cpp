// Promise 2, "Same bits": on every instruction set, thread count, executor, lane, pair order, batch size and
// repetition.
#include "support/catch.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using test::words_of;

namespace {

constexpr std::size_t kPairs = test::kPairsAKind;

// Random pairs of every kind, and hard ones: some for each path through the kernels.
const scenes::Scene& scene() {
    static const scenes::Scene made = scenes::make_medley(kPairs);
    return made;
}

const judge::Answers& expected() {
    static const judge::Answers made = judge::ask(scene().frame(), {.executor = serial_executor()});
    return made;
}

const judge::Answers& expected_exact() {
    static const judge::Answers made =
        judge::ask(scene().frame(), {.executor = serial_executor(), .depth = DepthPath::exact});
    return made;
}

// Their manifolds have many contacts.
const scenes::Scene& resting() {
    static const scenes::Scene made = scenes::make_resting_medley(kPairs);
    return made;
}

const judge::Answers& expected_resting() {
    static const judge::Answers made = judge::ask(resting().frame(), {.executor = serial_executor()});
    return made;
}

Frame with_pairs(const std::vector<Pair>& pairs) {
    Frame frame = scene().frame();
    frame.pairs = pairs;
    return frame;
}

// The pairs `which` of the scene in a frame of their own: how many differ from `wanted`, what the whole scene gave?
std::size_t differing(const scenes::Scene& of, const judge::Answers& wanted, const std::vector<std::size_t>& which,
                      const Settings& settings = {}) {
    std::vector<Pair> pairs;
    std::vector<float> margins;
    for (const std::size_t i : which) {
        pairs.push_back(of.pairs[i]);
        if (!of.margins.empty()) margins.push_back(of.margins[i]);
    }
    Frame frame = of.frame();
    frame.pairs = pairs;
    frame.margins = margins;
    const judge::Answers answers = judge::ask(frame, settings);
    std::size_t count = 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (words_of(answers, i) == words_of(wanted, which[i])) continue;
        if (count++ == 0) UNSCOPED_INFO("the first: " << of.family[which[i]] << ", " << of.query_line(which[i]));
    }
    return count;
}

std::size_t differing(const std::vector<std::size_t>& which, const Settings& settings = {}) {
    return differing(scene(), expected(), which, settings);
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    scenes::Random random(seed);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(std::uint32_t(i))]);
    return order;
}

std::vector<std::size_t> everything() {
    std::vector<std::size_t> order(kPairs);
    std::iota(order.begin(), order.end(), std::size_t(0));
    return order;
}

void run_backwards(void*, std::size_t count, Executor::Task task, void* task_context) {
    while (count-- > 0) task(task_context, count);
}

// Three threads that take every third task each: chunks interleave as they never would on a pool.
void run_in_strides(void*, std::size_t count, Executor::Task task, void* task_context) {
    std::vector<std::thread> threads;
    for (std::size_t first = 0; first < 3; ++first)
        threads.emplace_back([=] {
            for (std::size_t i = first; i < count; i += 3) task(task_context, i);
        });
    for (std::thread& thread : threads) thread.join();
}

// Leaves `byte` all over the stack where the next call will have its scratch.
[[gnu::noinline]] void soil_stack(unsigned char byte) {
    volatile unsigned char scratch[512 * 1024];
    for (volatile unsigned char& b : scratch) b = byte;
}

void run_on_soiled_stack(void* byte, std::size_t count, Executor::Task task, void* task_context) {
    for (std::size_t i = 0; i < count; ++i) {
        soil_stack(*static_cast<const unsigned char*>(byte));
        task(task_context, i);
    }
}

}  // namespace

TEST_CASE("same bits: every instruction set", "[same_bits]") {
    for (const Isa isa : test::usable_isas()) {
        INFO(to_string(isa));
        CHECK(differing(everything(), {.isa = isa}) == 0);
        CHECK(differing(scene(), expected_exact(), everything(), {.isa = isa, .depth = DepthPath::exact}) == 0);
    }
}

TEST_CASE("same bits: any number of threads", "[same_bits]") {
    for (const unsigned threads : {1u, 2u, 5u}) {
        INFO(threads);
        CHECK(differing(everything(), {.threads = threads}) == 0);
    }
}

TEST_CASE("same bits: any executor", "[same_bits]") {
    CHECK(differing(everything(), {.executor = {run_backwards, nullptr}}) == 0);
    CHECK(differing(everything(), {.executor = {run_in_strides, nullptr}}) == 0);
}

// Lanes without a pair may read it.
TEST_CASE("same bits: whatever the stack held", "[same_bits]") {
    for (const Isa isa : test::usable_isas()) {
        for (unsigned char byte : {0xff, 0x7f, 0x55}) {
            INFO(to_string(isa) << ", " << int(byte));
            CHECK(differing(everything(), {.executor = {run_on_soiled_stack, &byte}, .isa = isa}) == 0);
        }
    }
}

TEST_CASE("same bits: any order of the pairs", "[same_bits]") {
    for (const std::uint64_t seed : {1u, 2u}) CHECK(differing(shuffled(kPairs, seed)) == 0);
}

TEST_CASE("same bits: any company in a batch", "[same_bits]") {
    // Alone, and in batches that end before, at and after the ends of vectors and chunks.
    const std::vector<std::size_t> order = shuffled(kPairs, 3);
    for (std::size_t i = 0; i < kPairs / 20; ++i) CHECK(differing({order[i]}) == 0);
    // Isa::best may run small chunks on another set than large ones.
    std::vector<Isa> isas = test::usable_isas();
    isas.push_back(Isa::best);
    for (const Isa isa : isas) {
        for (const std::size_t size : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 33u, 255u, 256u, 257u, 700u}) {
            INFO(to_string(isa) << ", " << size);
            CHECK(differing({order.begin(), order.begin() + std::ptrdiff_t(size)}, {.isa = isa}) == 0);
        }
    }
}

TEST_CASE("same bits: manifolds of many contacts on every instruction set, in any number of threads, in any order",
          "[same_bits]") {
    for (const Isa isa : test::usable_isas()) {
        for (const unsigned threads : {1u, 3u}) {
            INFO(to_string(isa) << ", " << threads << " threads");
            CHECK(differing(resting(), expected_resting(), everything(), {.threads = threads, .isa = isa}) == 0);
            CHECK(differing(resting(), expected_resting(), shuffled(kPairs, threads),
                            {.threads = threads, .isa = isa}) == 0);
        }
    }
    const std::vector<std::size_t> order = shuffled(kPairs, 4);
    for (const std::size_t size : {1u, 5u, 17u, 257u})
        CHECK(differing(resting(), expected_resting(), {order.begin(), order.begin() + std::ptrdiff_t(size)}) == 0);
}

TEST_CASE("same bits: duplicated pairs", "[same_bits]") {
    std::vector<std::size_t> which;
    for (const std::size_t i : shuffled(kPairs / 2, 4)) which.insert(which.end(), {i, i, (i + 1) % kPairs, i});
    CHECK(differing(which) == 0);
}

TEST_CASE("same bits: repetition, and after other frames", "[same_bits]") {
    NarrowPhase narrow;
    Distances first, again;
    const std::vector<Pair> few(scene().pairs.begin(), scene().pairs.begin() + 37);
    REQUIRE(narrow.distance(scene().frame(), first));
    REQUIRE(narrow.distance(with_pairs(few), again));
    Manifolds manifolds;
    REQUIRE(narrow.collide(scene().frame(), manifolds));
    REQUIRE(narrow.distance(scene().frame(), again));
    test::Count different;
    for (std::size_t i = 0; i < kPairs; ++i) {
        test::Words x, y;
        test::append(x, first, i), test::append(y, again, i);
        different += x != y;
    }
    CHECK(different == 0);
}

TEST_CASE("same bits: whichever columns are asked for", "[same_bits]") {
    NarrowPhase narrow;
    std::vector<float> distance(kPairs);
    DistanceColumns columns{.signed_distance = distance};
    REQUIRE(narrow.distance(scene().frame(), columns));
    CHECK(distance == expected().distances.signed_distance);
    std::vector<Vec3> normal(kPairs);
    columns.normal = normal;
    REQUIRE(narrow.distance(scene().frame(), columns));
    CHECK(distance == expected().distances.signed_distance);
    CHECK(normal == expected().distances.normal);
}

TEST_CASE("same bits: bodies wherever they lie in memory", "[same_bits]") {
    struct Entity {
        float mass;
        Body body;
        std::uint32_t flags[3];
    };
    struct Candidate {
        Pair pair;
        std::uint32_t key;
    };
    std::vector<Entity> entities;
    for (const Body& body : scene().bodies) entities.push_back({1, body, {7, 7, 7}});
    std::vector<Candidate> candidates;
    for (const Pair& pair : scene().pairs) candidates.push_back({pair, 0xffffffffu});
    Frame frame = scene().frame();
    frame.bodies = {&entities[0].body, entities.size(), sizeof(Entity)};
    frame.pairs = {&candidates[0].pair, candidates.size(), sizeof(Candidate)};
    CHECK(judge::same_bits(judge::ask(frame, {}), expected()));
}

TEST_CASE("same bits: the signs of zeros decide nothing", "[same_bits]") {
    ShapeStore shapes;
    std::vector<Vec3> cube, triangle = {{1, 0, -1}, {-1, 0, -1}, {0, 0, 2}}, segment = {{0, 1, 0}, {0, -1, 0}};
    for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f});
    const ShapeId ids[] = {*shapes.add_sphere(1),
                           *shapes.add_capsule(0.5f, 1),
                           *shapes.add_box({1, 2, 3}),
                           *shapes.add_box({0, 1, 1}),
                           *shapes.add_cylinder(1, 1),
                           *shapes.add_cone(1, 1),
                           *shapes.add_ellipsoid({1, 2, 3}),
                           *shapes.add_hull(cube),
                           *shapes.add_hull(triangle),
                           *shapes.add_hull(segment),
                           *shapes.add_halfspace({0, 1, 0}, 0)};
    const float half = std::sqrt(0.5f);
    const Quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, half, 0, half}, {0.5f, 0.5f, 0.5f, 0.5f}};
    const Vec3 offsets[] = {{0, 0, 0}, {0, 0.5f, 0}, {3, 0, 0}, {0, 0, 3}};
    const auto negated = [](float x) { return x == 0 ? -0.0f : x; };
    const auto with_zeros_negated = [&](Body body, bool position, bool orientation) {
        Vec3& p = body.position;
        Quat& q = body.orientation;
        if (position) p = {negated(p.x), negated(p.y), negated(p.z)};
        if (orientation) q = {negated(q.x), negated(q.y), negated(q.z), negated(q.w)};
        return body;
    };
    constexpr std::size_t kSigns = 16;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    for (const ShapeId a : ids)
        for (const ShapeId b : ids)
            for (const Quat& turn_a : turns)
                for (const Quat& turn_b : turns)
                    for (const Vec3 offset : offsets)
                        for (std::uint32_t signs = 0; signs < kSigns; ++signs) {
                            pairs.push_back({std::uint32_t(bodies.size()), std::uint32_t(bodies.size()) + 1});
                            bodies.push_back(with_zeros_negated({{0, 0, 0}, a, turn_a}, signs & 1, signs & 2));
                            bodies.push_back(with_zeros_negated({offset, b, turn_b}, signs & 4, signs & 8));
                        }
    const judge::Answers answers = judge::ask({&shapes, bodies, pairs}, {});
    test::Count different;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        different += test::words_of(answers, i) != test::words_of(answers, i / kSigns * kSigns);
    CHECK(different == 0);
}
