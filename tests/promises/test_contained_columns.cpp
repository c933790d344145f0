// Promise 5, "Contained": frames, columns and settings that cannot be are refused, nothing is written then, nor past a
// column's end.
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "scenes/resting.hpp"
#include "support/contained_scene.hpp"
#include "support/count.hpp"

using namespace abut;
using test::kInf;
using test::kNan;
using test::TwoBoxes;

namespace {

constexpr std::size_t kPairs = test::kContained;

const scenes::Scene& scene() { return test::contained_scene(); }

}  // namespace

TEST_CASE("contained: frames that cannot be are refused", "[contained]") {
    const TwoBoxes boxes;
    NarrowPhase narrow;
    Distances d;
    Frame frame = boxes.frame();
    frame.shapes = nullptr;
    CHECK_FALSE(narrow.distance(frame, d));
    frame = boxes.frame();
    frame.bodies = {reinterpret_cast<const Body*>(reinterpret_cast<const char*>(boxes.bodies.data()) + 2), 1,
                    sizeof(Body)};
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
    const auto refuse_distances = [&](DistanceColumns columns) { refuse(narrow.distance(frame, columns)); };
    refuse_distances({.signed_distance = floats(kPairs - 1)});
    refuse_distances({.signed_distance = {}});
    refuse_distances({.signed_distance = distance, .normal = vectors(kPairs - 1)});
    refuse_distances({.signed_distance = distance, .point_a = vectors(1)});
    refuse_distances({.signed_distance = distance, .point_b = vectors(kPairs - 1)});
    refuse_distances({.signed_distance = distance, .status = std::span(statuses).first(kPairs - 1)});
    OverlapColumns overlaps{.bits = std::span(words).first((kPairs + 31) / 32 - 1)};
    refuse(narrow.overlap(frame, overlaps));
    overlaps = {.bits = words, .status = std::span(statuses).first(1)};
    refuse(narrow.overlap(frame, overlaps));
    std::vector<Manifold> manifolds(kPairs);
    std::vector<Contact> contacts(kPairs);
    ManifoldColumns columns{
        .first_manifold = std::span(words).first(kPairs), .manifolds = manifolds, .contacts = contacts};
    refuse(narrow.collide(frame, columns));
    columns = {.first_manifold = words,
               .manifolds = manifolds,
               .contacts = contacts,
               .status = std::span(statuses).first(kPairs - 1)};
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
        std::vector<std::uint32_t> distance(kPairs + kSpare, kGuard), normal(3 * kPairs + kSpare, kGuard),
            point_a = normal, point_b = normal;
        std::vector<Status> status(kPairs + kSpare, Status(0xee));
        const auto vectors = [](std::vector<std::uint32_t>& words) {
            return std::span(reinterpret_cast<Vec3*>(words.data()), kPairs);
        };
        DistanceColumns distances{std::span(reinterpret_cast<float*>(distance.data()), kPairs), vectors(normal),
                                  vectors(point_a), vectors(point_b), std::span(status).first(kPairs)};
        REQUIRE(narrow.distance(frame, distances));
        std::vector<std::uint32_t> bits((kPairs + 31) / 32 + kSpare, kGuard), hits(kPairs + kSpare, kGuard);
        OverlapColumns overlaps{std::span(bits).first((kPairs + 31) / 32), std::span(status).first(kPairs),
                                std::span(hits).first(10), 0};
        REQUIRE(narrow.overlap(frame, overlaps));
        REQUIRE(overlaps.hit_count > 10);
        const auto untouched = [](const std::vector<std::uint32_t>& words, std::size_t from) {
            return std::all_of(words.begin() + std::ptrdiff_t(from), words.end(),
                               [](std::uint32_t w) { return w == kGuard; });
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

// `collide` into columns of this room gives the whole manifolds of `all` that fit, no_room to the other pairs that have
// one, the counts needed, and nothing past the end.
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
    std::size_t without_room = 0, kept = 0, kept_contacts = 0;
    test::Count wrong;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::span<const Contact> wanted = test::contacts_of(all, i);
        without_room += status[i] == Status::no_room;
        if (status[i] == Status::no_room || wanted.empty()) {
            wrong += (status[i] == Status::no_room && wanted.empty()) || first[i] != first[i + 1];
            continue;
        }
        ++kept, kept_contacts += wanted.size();
        const Manifold &x = manifolds[first[i]], &y = all.manifolds[all.first_manifold[i]];
        wrong += first[i + 1] != first[i] + 1 || x.pair != i || x.normal != y.normal ||
                 x.contact_count != wanted.size() || x.first_contact + x.contact_count > columns.contact_count ||
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
