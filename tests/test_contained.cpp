// Promise 5, "Contained": bad data gets its own pair a status and harms nothing else. A row of the table of bad inputs each.
#include "catch.hpp"

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "pair_answer.hpp"
#include "scenes/random.hpp"
#include "scenes/resting.hpp"

using namespace abut;
using test::words_of;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kPairs = test::kPairsAKind / 5;

const scenes::Scene& scene() {
    static const scenes::Scene made = scenes::make_medley(kPairs);
    return made;
}

bool is_zero(const Distances& d, std::size_t pair) {
    const Vec3 zero;
    return d.signed_distance[pair] == 0 && d.normal[pair] == zero && d.point_a[pair] == zero && d.point_b[pair] == zero;
}

// Every query gives pair `pair` this status and no answer.
bool refused(const judge::Answers& answers, std::size_t pair, Status status) {
    return answers.distances.status[pair] == status && is_zero(answers.distances, pair) && answers.separations.status[pair] == status &&
           is_zero(answers.separations, pair) && answers.overlaps.status[pair] == status && !answers.overlaps.hit(pair) &&
           answers.manifolds.status[pair] == status && answers.manifolds.first_manifold[pair] == answers.manifolds.first_manifold[pair + 1];
}

// Every ninth pair of the scene with its bodies changed for the worse; all others must keep their bits, on every instruction set.
template <class Spoil>
void check_contained(Status status, Spoil spoil) {
    std::vector<Body> bodies = scene().bodies;
    std::vector<Pair> pairs = scene().pairs;
    for (std::size_t i = 4; i < kPairs; i += 9) spoil(i, bodies, pairs);
    Frame frame = scene().frame();
    frame.bodies = bodies;
    frame.pairs = pairs;
    for (const Isa isa : test::usable_isas()) {
        INFO(to_string(isa));
        const judge::Answers expected = judge::ask(scene().frame(), {.isa = isa}), answers = judge::ask(frame, {.isa = isa});
        std::size_t harmed = 0, accepted = 0;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (i % 9 == 4) accepted += !refused(answers, i, status);
            else harmed += words_of(answers, i) != words_of(expected, i);
        }
        CHECK(accepted == 0);
        CHECK(harmed == 0);
    }
}

void check_bad_pose(void (*spoil)(Body& body)) {
    check_contained(Status::bad_pose, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
        spoil(bodies[i % 2 ? pairs[i].a : pairs[i].b]);
    });
}

// A box a metre wide at `x`.
struct TwoBoxes {
    ShapeStore store;
    std::vector<Body> bodies;
    std::vector<Pair> pairs{{0, 1}};
    explicit TwoBoxes(float x = 1.25f) {
        const ShapeId box = *store.add_box({0.5f, 0.5f, 0.5f});
        bodies = {{{}, box, {}}, {{x, 0, 0}, box, {}}};
    }
    Frame frame() const { return {.shapes = &store, .bodies = bodies, .pairs = pairs}; }
};

}  // namespace

TEST_CASE("contained: poses that are not finite", "[contained]") {
    check_bad_pose([](Body& b) { b.position.x = kNan; });
    check_bad_pose([](Body& b) { b.position.y = -kInf; });
    check_bad_pose([](Body& b) { b.position.z = kInf; });
    check_bad_pose([](Body& b) { b.orientation.x = kNan; });
    check_bad_pose([](Body& b) { b.orientation.w = kInf; });
    check_bad_pose([](Body& b) { b = {{kNan, kNan, kNan}, b.shape, {kNan, kNan, kNan, kNan}}; });
}

TEST_CASE("contained: quaternions far off unit length", "[contained]") {
    check_bad_pose([](Body& b) { b.orientation = {0, 0, 0, 0}; });
    check_bad_pose([](Body& b) { b.orientation = {0, 0, 0, 1.02f}; });
    check_bad_pose([](Body& b) { b.orientation = {0, 0.98f, 0, 0}; });
    check_bad_pose([](Body& b) { b.orientation = {1e30f, 0, 0, 1e30f}; });
    check_bad_pose([](Body& b) { b.orientation = {1e-30f, 0, 0, 1e-30f}; });
}

TEST_CASE("contained: quaternions slightly off unit length are normalised", "[contained]") {
    scenes::Random random(11);
    scenes::Scene off = scenes::make_row("mixed", kPairs);
    for (Body& body : off.bodies) {
        const float length = float(random.uniform(0.9905, 1.0095));
        Quat& q = body.orientation;
        q = {q.x * length, q.y * length, q.z * length, q.w * length};
    }
    off.compute_reference();
    const judge::Report report = judge::judge(off, judge::ask(off.frame(), {}), Settings().speculative_margin);
    INFO(report.worst << ", " << report.worst_what);
    CHECK(report.wrong == 0);
}

TEST_CASE("contained: q and -q turn alike", "[contained]") {
    scenes::Scene other = scenes::make_row("mixed", kPairs);
    for (Body& body : other.bodies) body.orientation = {-body.orientation.x, -body.orientation.y, -body.orientation.z, -body.orientation.w};
    const judge::Report report = judge::judge(other, judge::ask(other.frame(), {}), Settings().speculative_margin);
    CHECK(report.wrong == 0);
}

TEST_CASE("contained: body indices past the end", "[contained]") {
    for (const std::uint32_t past : {0u, 1u, 1000u, 0x7ffffff0u, 0xffffffffu}) {
        check_contained(Status::bad_index, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
            const std::uint32_t index = std::max(std::uint32_t(bodies.size()), std::uint32_t(bodies.size()) + past);  // no wrapping round
            (i % 2 ? pairs[i].a : pairs[i].b) = index;
        });
    }
    check_contained(Status::bad_index, [](std::size_t i, std::vector<Body>&, std::vector<Pair>& pairs) { pairs[i] = {~0u, ~0u}; });
}

TEST_CASE("contained: shape ids that name no living shape", "[contained]") {
    const auto check_id = [](ShapeId (*spoil)(ShapeId id)) {
        check_contained(Status::bad_index, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
            Body& body = bodies[i % 2 ? pairs[i].a : pairs[i].b];
            body.shape = spoil(body.shape);
        });
    };
    check_id([](ShapeId) { return ShapeId(); });
    check_id([](ShapeId id) { return ShapeId::make(id.kind(), id.slot(), id.generation() + 1); });
    check_id([](ShapeId id) { return ShapeId::make(id.kind(), id.slot(), 255); });
    check_id([](ShapeId id) { return ShapeId::make(id.kind(), ShapeId::kMaxSlots - 1, 0); });
    for (std::uint32_t kind = 4; kind < 16; ++kind) {
        check_contained(Status::bad_index, [&](std::size_t i, std::vector<Body>& bodies, std::vector<Pair>& pairs) {
            bodies[pairs[i].a].shape = ShapeId::make(ShapeKind(kind), ShapeId::kMaxSlots - 1, 0);
        });
    }
}

TEST_CASE("contained: removed shapes are stale, their slot's next owner is not", "[contained]") {
    TwoBoxes boxes;
    const ShapeId old = *boxes.store.add_sphere(1);
    boxes.bodies[1].shape = old;
    REQUIRE(boxes.store.remove(old));
    CHECK(refused(judge::ask(boxes.frame(), {}), 0, Status::bad_index));
    const ShapeId fresh = *boxes.store.add_sphere(0.5f);
    CHECK(fresh.slot() == old.slot());
    CHECK(refused(judge::ask(boxes.frame(), {}), 0, Status::bad_index));
    boxes.bodies[1].shape = fresh;
    CHECK(judge::ask(boxes.frame(), {}).distances.signed_distance[0] == 0.25f);
}

TEST_CASE("contained: nothing to do", "[contained]") {
    const TwoBoxes boxes;
    Frame no_pairs = boxes.frame();
    no_pairs.pairs = {};
    for (const Frame& frame : {no_pairs, Frame{}}) {
        NarrowPhase narrow;
        OverlapColumns overlaps{};
        ManifoldColumns manifolds{};
        CHECK(narrow.overlap(frame, overlaps));
        CHECK(narrow.distance(frame, DistanceColumns{}));
        CHECK(narrow.collide(frame, manifolds));
        CHECK(overlaps.hit_count == 0);
        CHECK(manifolds.manifolds_needed == 0);
        Overlaps o;
        Distances d;
        Manifolds m;
        CHECK(narrow.overlap(frame, o));
        CHECK(narrow.distance(frame, d));
        CHECK(narrow.collide(frame, m));
        CHECK(m.first_manifold == std::vector<std::uint32_t>{0});
    }
    Frame no_bodies = boxes.frame();
    no_bodies.bodies = {};
    CHECK(refused(judge::ask(no_bodies, {}), 0, Status::bad_index));
}

TEST_CASE("contained: frames that cannot be are refused", "[contained]") {
    const TwoBoxes boxes;
    NarrowPhase narrow;
    Distances d;
    Frame frame = boxes.frame();
    frame.shapes = nullptr;
    CHECK_FALSE(narrow.distance(frame, d));
    frame = boxes.frame();
    frame.bodies = {reinterpret_cast<const Body*>(reinterpret_cast<const char*>(boxes.bodies.data()) + 2), 1, sizeof(Body)};
    CHECK_FALSE(narrow.distance(frame, d));
    frame = boxes.frame();
    frame.bodies = {boxes.bodies.data(), 2, 30};
    CHECK_FALSE(narrow.distance(frame, d));
    frame.bodies = {boxes.bodies.data(), 2, 16};
    CHECK_FALSE(narrow.distance(frame, d));
}

TEST_CASE("contained: columns too short are refused, and nothing is written", "[contained]") {
    const Frame frame = scene().frame();
    NarrowPhase narrow;
    const std::uint32_t kGuard = 0xdeadbeef;
    // Room for all, but one less is shown.
    std::vector<std::uint32_t> words(kPairs * 3, kGuard);
    const auto floats = [&](std::size_t n) { return std::span(reinterpret_cast<float*>(words.data()), n); };
    const auto vectors = [&](std::size_t n) { return std::span(reinterpret_cast<Vec3*>(words.data()), n); };
    std::vector<Status> statuses(kPairs, Status(0xee));
    std::vector<float> distance(kPairs, 7.0f);

    const auto refuse = [](const CallResult& result) {
        CHECK_FALSE(result);
        CHECK(result.error().code == ErrorCode::bad_size);
        CHECK_FALSE(result.error().message.empty());
    };
    refuse(narrow.distance(frame, DistanceColumns{.signed_distance = floats(kPairs - 1)}));
    refuse(narrow.distance(frame, DistanceColumns{.signed_distance = {}}));
    refuse(narrow.distance(frame, DistanceColumns{.signed_distance = distance, .normal = vectors(kPairs - 1)}));
    refuse(narrow.distance(frame, DistanceColumns{.signed_distance = distance, .point_a = vectors(1)}));
    refuse(narrow.distance(frame, DistanceColumns{.signed_distance = distance, .point_b = vectors(kPairs - 1)}));
    refuse(narrow.distance(frame, DistanceColumns{.signed_distance = distance, .status = std::span(statuses).first(kPairs - 1)}));
    OverlapColumns overlaps{.bits = std::span(words).first((kPairs + 31) / 32 - 1)};
    refuse(narrow.overlap(frame, overlaps));
    overlaps = {.bits = words, .status = std::span(statuses).first(1)};
    refuse(narrow.overlap(frame, overlaps));
    std::vector<Manifold> manifolds(kPairs);
    std::vector<Contact> contacts(kPairs);
    ManifoldColumns columns{.first_manifold = std::span(words).first(kPairs), .manifolds = manifolds, .contacts = contacts};
    refuse(narrow.collide(frame, columns));
    columns = {.first_manifold = words, .manifolds = manifolds, .contacts = contacts, .status = std::span(statuses).first(kPairs - 1)};
    refuse(narrow.collide(frame, columns));
    std::vector<float> margins(kPairs - 1, 0.0f);
    Frame short_margins = frame;
    short_margins.margins = margins;
    columns = {.first_manifold = words, .manifolds = manifolds, .contacts = contacts};
    refuse(narrow.collide(short_margins, columns));

    CHECK(std::ranges::all_of(words, [&](std::uint32_t w) { return w == kGuard; }));
    CHECK(std::ranges::all_of(statuses, [](Status s) { return s == Status(0xee); }));
    CHECK(std::ranges::all_of(distance, [](float x) { return x == 7.0f; }));
}

TEST_CASE("contained: nothing is written past a column's end", "[contained]") {
    const Frame frame = scene().frame();
    constexpr std::size_t kSpare = 64;
    constexpr std::uint32_t kGuard = 0xdeadbeef;
    for (const Isa isa : test::usable_isas()) {
        NarrowPhase narrow({.isa = isa});
        std::vector<std::uint32_t> distance(kPairs + kSpare, kGuard), normal(3 * kPairs + kSpare, kGuard), point_a = normal, point_b = normal;
        std::vector<Status> status(kPairs + kSpare, Status(0xee));
        const auto vectors = [](std::vector<std::uint32_t>& words) { return std::span(reinterpret_cast<Vec3*>(words.data()), kPairs); };
        REQUIRE(narrow.distance(frame, {std::span(reinterpret_cast<float*>(distance.data()), kPairs), vectors(normal), vectors(point_a),
                                        vectors(point_b), std::span(status).first(kPairs)}));
        std::vector<std::uint32_t> bits((kPairs + 31) / 32 + kSpare, kGuard), hits(kPairs + kSpare, kGuard);
        OverlapColumns overlaps{std::span(bits).first((kPairs + 31) / 32), std::span(status).first(kPairs), std::span(hits).first(10), 0};
        REQUIRE(narrow.overlap(frame, overlaps));
        REQUIRE(overlaps.hit_count > 10);
        const auto untouched = [](const std::vector<std::uint32_t>& words, std::size_t from) {
            return std::all_of(words.begin() + std::ptrdiff_t(from), words.end(), [](std::uint32_t w) { return w == kGuard; });
        };
        CHECK(untouched(distance, kPairs));
        CHECK(untouched(normal, 3 * kPairs));
        CHECK(untouched(point_a, 3 * kPairs));
        CHECK(untouched(point_b, 3 * kPairs));
        CHECK(untouched(bits, (kPairs + 31) / 32));
        CHECK(untouched(hits, 10));
        CHECK(std::all_of(status.begin() + kPairs, status.end(), [](Status s) { return s == Status(0xee); }));
        // The first ten hits are there.
        const Overlaps all = judge::ask(frame, {.isa = isa}).overlaps;
        CHECK(all.hits.size() == overlaps.hit_count);
        CHECK(std::equal(hits.begin(), hits.begin() + 10, all.hits.begin()));
        // Bits past the last pair are zero.
        CHECK((kPairs % 32 == 0 || bits[kPairs / 32] >> kPairs % 32 == 0));
    }
}

namespace {

template <class T>
std::vector<T> filled_with(unsigned char byte, std::size_t count) {
    std::vector<T> items(count);
    std::memset(static_cast<void*>(items.data()), byte, count * sizeof(T));
    return items;
}

template <class T>
bool untouched(const std::vector<T>& items, std::size_t from, unsigned char byte) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(items.data() + from);
    return std::all_of(bytes, bytes + (items.size() - from) * sizeof(T), [byte](unsigned char b) { return b == byte; });
}

// `collide` into columns of this room gives the whole manifolds of `all` that fit, no_room to the other pairs that have one, the
// counts needed, and nothing past the end.
void check_room(const Frame& frame, const Manifolds& all, std::size_t manifold_room, std::size_t contact_room) {
    constexpr unsigned char kByte = 0xab;
    constexpr std::size_t kSpare = 8;
    INFO(manifold_room << " manifolds, " << contact_room << " contacts");
    const std::size_t pairs = frame.pairs.size();
    auto first = filled_with<std::uint32_t>(kByte, pairs + 1 + kSpare);
    auto manifolds = filled_with<Manifold>(kByte, manifold_room + kSpare);
    auto contacts = filled_with<Contact>(kByte, contact_room + kSpare);
    auto status = filled_with<Status>(kByte, pairs + kSpare);
    ManifoldColumns columns{std::span(first).first(pairs + 1), std::span(manifolds).first(manifold_room),
                            std::span(contacts).first(contact_room), std::span(status).first(pairs)};
    NarrowPhase narrow;
    REQUIRE(narrow.collide(frame, columns));
    CHECK(columns.manifolds_needed == all.manifolds.size());
    CHECK(columns.contacts_needed == all.contacts.size());
    REQUIRE(columns.manifold_count <= manifold_room);
    REQUIRE(columns.contact_count <= contact_room);
    CHECK(first[pairs] == columns.manifold_count);
    std::size_t wrong = 0, without_room = 0, kept = 0, kept_contacts = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::span<const Contact> wanted = test::contacts_of(all, i);
        without_room += status[i] == Status::no_room;
        if (status[i] == Status::no_room || wanted.empty()) {
            wrong += (status[i] == Status::no_room && wanted.empty()) || first[i] != first[i + 1];
            continue;
        }
        ++kept, kept_contacts += wanted.size();
        const Manifold &x = manifolds[first[i]], &y = all.manifolds[all.first_manifold[i]];
        wrong += first[i + 1] != first[i] + 1 || x.pair != i || x.normal != y.normal || x.contact_count != wanted.size() ||
                 x.first_contact + x.contact_count > columns.contact_count ||
                 std::memcmp(&contacts[x.first_contact], wanted.data(), wanted.size_bytes()) != 0;
    }
    CHECK(wrong == 0);
    CHECK(kept == columns.manifold_count);
    CHECK(kept_contacts == columns.contact_count);
    CHECK(kept + without_room == all.manifolds.size());
    CHECK(untouched(first, pairs + 1, kByte));
    CHECK(untouched(manifolds, columns.manifold_count, kByte));
    CHECK(untouched(contacts, columns.contact_count, kByte));
    CHECK(untouched(status, pairs, kByte));
}

}  // namespace

TEST_CASE("contained: manifold columns too small for all", "[contained]") {
    const scenes::Scene piled = scenes::make_resting_medley(kPairs);
    for (const Frame& frame : {scene().frame(), piled.frame()}) {
        const Manifolds all = judge::ask(frame, {}).manifolds;
        REQUIRE(all.manifolds.size() > 20);
        check_room(frame, all, 0, 0);
        check_room(frame, all, 0, all.contacts.size());
        check_room(frame, all, all.manifolds.size(), 0);
        check_room(frame, all, 10, all.contacts.size());
        // Contacts end within, at and after a manifold.
        for (std::size_t contact_room = 1; contact_room <= 10; ++contact_room)
            check_room(frame, all, all.manifolds.size(), contact_room);
        check_room(frame, all, all.manifolds.size() - 1, all.contacts.size());
        check_room(frame, all, all.manifolds.size(), all.contacts.size() - 1);
        check_room(frame, all, all.manifolds.size(), all.contacts.size());
    }
}

TEST_CASE("contained: bad margins are refused, and nothing is written", "[contained]") {
    const TwoBoxes boxes;
    std::vector<std::uint32_t> first(2, 0xdeadbeef);
    std::vector<Manifold> manifolds(1);
    std::vector<Contact> contacts(4);
    manifolds[0].pair = 77;
    for (const float margin : {-1e-3f, -kInf, kInf, kNan}) {
        NarrowPhase narrow({.speculative_margin = margin});
        ManifoldColumns columns{.first_manifold = first, .manifolds = manifolds, .contacts = contacts};
        CHECK_FALSE(narrow.collide(boxes.frame(), columns));
        Distances d;
        CHECK_FALSE(narrow.distance(boxes.frame(), d));

        NarrowPhase good;
        Frame frame = boxes.frame();
        frame.margins = std::span(&margin, 1);
        const CallResult result = good.collide(frame, columns);
        CHECK_FALSE(result);
        CHECK(result.error().code == ErrorCode::bad_argument);
        CHECK(columns.manifold_count == 0);
        Manifolds grown;
        CHECK_FALSE(good.collide(frame, grown));
    }
    CHECK(first == std::vector<std::uint32_t>(2, 0xdeadbeef));
    CHECK(manifolds[0].pair == 77);
    for (const float max_distance : {-1.0f, kNan}) {
        NarrowPhase narrow;
        Distances d;
        CHECK_FALSE(narrow.distance(boxes.frame(), d, {.max_distance = max_distance}));
    }
}

TEST_CASE("contained: an instruction set that is not there", "[contained]") {
    const TwoBoxes boxes;
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512, Isa::neon}) {
        NarrowPhase narrow({.isa = isa});
        Distances d;
        const CallResult result = narrow.distance(boxes.frame(), d);
        CHECK(bool(result) == is_supported(isa));
        if (result) CHECK(narrow.isa() == isa);
        else CHECK(result.error().message.find(to_string(isa)) != std::string::npos);
    }
    CHECK(is_supported(NarrowPhase().isa()));
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("contained: ABUT_ISA names the instruction set, or is an error", "[contained]") {
    const TwoBoxes boxes;
    const char* before = std::getenv("ABUT_ISA");
    const std::string kept = before ? before : "";
    Distances d;
    for (const Isa isa : test::usable_isas()) {
        setenv("ABUT_ISA", to_string(isa), 1);
        NarrowPhase narrow;
        CHECK(narrow.isa() == isa);
        CHECK(narrow.distance(boxes.frame(), d));
        CHECK(best_isa() == isa);
        // A setting goes first.
        CHECK(NarrowPhase({.isa = test::usable_isas().front()}).isa() == test::usable_isas().front());
    }
    for (const char* bad : {"mmx", "neon", "sse2 "}) {
        const Expected<Isa> named = parse_isa(bad);
        if (named && is_supported(*named)) continue;
        setenv("ABUT_ISA", bad, 1);
        NarrowPhase narrow;
        const CallResult result = narrow.distance(boxes.frame(), d);
        CHECK_FALSE(result);
        CHECK(result.error().message.find("ABUT_ISA") != std::string::npos);
    }
    if (before) setenv("ABUT_ISA", kept.c_str(), 1);
    else unsetenv("ABUT_ISA");
}
#endif

TEST_CASE("contained: two narrow phases on one store at once", "[contained]") {
    const judge::Answers expected = judge::ask(scene().frame(), {});
    judge::Answers answers[2];
    std::thread threads[2];
    for (int i = 0; i < 2; ++i) threads[i] = std::thread([&, i] { answers[i] = judge::ask(scene().frame(), {.executor = serial_executor()}); });
    for (std::thread& thread : threads) thread.join();
    CHECK(judge::same_bits(answers[0], expected));
    CHECK(judge::same_bits(answers[1], expected));
}

#if defined(__SSE2__)
TEST_CASE("contained: the host's floating-point environment changes no bit and comes back", "[contained]") {
    // FTZ and DAZ; each rounding mode; all exceptions unmasked; flags already raised.
    constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040, kMasks = 0x1f80, kFlags = 0x003f;
    const Frame frame = scene().frame();
    const judge::Answers expected = judge::ask(frame, {});
    for (const unsigned hostile : {kMasks | kFlushToZero | kDenormalsAreZero, kMasks | 0x2000u, kMasks | 0x4000u, kMasks | 0x6000u, 0u,
                                   kFlushToZero | 0x6000u, kMasks | kFlags}) {
        for (const Executor executor : {serial_executor(), Executor{}}) {
            NarrowPhase narrow({.executor = executor});
            Distances d;
            Overlaps o;
            Manifolds m;
            REQUIRE(narrow.distance(frame, d));  // grows everything: only the queries themselves run below
            REQUIRE(narrow.overlap(frame, o));
            REQUIRE(narrow.collide(frame, m));
            const unsigned before = _mm_getcsr();
            _mm_setcsr(hostile);
            const bool distance = bool(narrow.distance(frame, d));
            const unsigned after_distance = _mm_getcsr();
            const bool overlap = bool(narrow.overlap(frame, o));
            const unsigned after_overlap = _mm_getcsr();
            const bool collide = bool(narrow.collide(frame, m));
            const unsigned after_collide = _mm_getcsr();
            _mm_setcsr(before);
            INFO("MXCSR " << hostile);
            CHECK((distance && overlap && collide));
            CHECK(after_distance == hostile);
            CHECK(after_overlap == hostile);
            CHECK(after_collide == hostile);
            CHECK(judge::same_bits({o, d, expected.separations, m, 0}, expected));
        }
    }
}
#endif
