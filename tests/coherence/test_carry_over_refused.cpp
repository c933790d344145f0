// Carry over: numbers that are none, indices past the end, and columns of a wrong length.
#include "support/catch.hpp"

#include <limits>

#include <abut/abut.hpp>

#include "support/contact_frame.hpp"

using namespace abut;
using test::ContactFrame, test::kFloats, test::move_impulses, test::same_pairs;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("carry over: what is not finite matches nothing by place and is not shared", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{kNan, 0, 0}, 0, 1}, {{1, 0, 0}, kNan, 2}, {{0, 0, 0}, 0, 3}});
    now.add({0, 1}, {{{kNan, 0, 0}, 0, 11}, {{1, 0, 0}, kNan, 12}});
    before.number_impulses();
    before.impulses[1].friction.y = std::numeric_limits<float>::infinity();
    Carried carried;
    auto impulses = move_impulses(before, now, same_pairs(1), carried, 1e6f);
    CHECK(carried.previous == std::vector<std::uint32_t>{kNewContact, kNewContact});
    CHECK(impulses[0].normal == 2);  // (1 + 3) / 2
    // Bodies of no pose, and of no place at all.
    for (const Body& body :
         {Body{{kNan, 0, 0}, {}, {}}, Body{{}, {}, {0, 0, 0, 0}}, Body{{1e38f, 0, 0}, {}, {kNan, 0, 0, 1}}}) {
        ContactFrame bad = before, good = now;
        bad.manifolds.contacts[0].position = good.manifolds.contacts[0].position = {0, 0, 0};
        bad.bodies[1] = body;
        move_impulses(bad, good, same_pairs(1), carried);
        CHECK(carried.previous[0] == kNewContact);
    }
    before.bodies.clear();
    now.manifolds.contacts[0].position = {0, 0, 0};
    move_impulses(before, now, same_pairs(1), carried);
    CHECK(carried.previous[0] == kNewContact);
}

TEST_CASE("carry over: indices past the end count as none", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}});
    now.add({0, 1}, {{{0, 0, 0}, 0, 1}});
    before.number_impulses();
    Carried carried;
    const auto is_new = [&](const ContactFrame& from, const ContactFrame& to, const std::vector<PreviousPair>& pairs) {
        const auto impulses = move_impulses(from, to, pairs, carried);
        return carried.previous[0] == kNewContact && impulses[0].normal == 0;
    };
    CHECK(!is_new(before, now, {{0, false}}));
    CHECK(is_new(before, now, {}));
    for (const std::uint32_t index : {1u, 0x7fffffffu, 0xfffffffeu, kNoPair})
        CHECK(is_new(before, now, {{index, false}}));
    ContactFrame bad = before;
    bad.manifolds.manifolds[0].first_contact = 0xfffffff0;
    CHECK(is_new(bad, now, same_pairs(1)));
    bad = before;
    bad.manifolds.first_manifold = {0xffffffff, 0xffffffff};
    CHECK(is_new(bad, now, same_pairs(1)));
    bad.manifolds.first_manifold = {5, 0};
    CHECK(is_new(bad, now, same_pairs(1)));
    bad = before;
    bad.manifolds.first_manifold.clear();
    CHECK(is_new(bad, now, same_pairs(1)));
    bad = before;
    bad.manifolds.manifolds[0].contact_count = 0xffffffff;  // cut off where the contacts end
    CHECK(!is_new(bad, now, same_pairs(1)));
    bad = now;
    bad.manifolds.manifolds[0].pair = 0xffffffff;
    CHECK(is_new(before, bad, same_pairs(1)));
    bad = now;
    bad.manifolds.contacts[0].feature = 2;
    bad.bodies.clear();
    move_impulses(before, bad, same_pairs(1), carried);
    CHECK(carried.by[0] == CarriedBy::nothing);
    bad = now;
    bad.manifolds.manifolds[0].first_contact = 1;
    CHECK(is_new(before, bad, same_pairs(1)));
}

TEST_CASE("carry over: a column of a wrong length or a bad distance is an error, and nothing is written", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}});
    now.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}});
    before.number_impulses();
    const auto pairs = same_pairs(1);
    Carried carried;
    REQUIRE(carry_over(before.contacts(), now.contacts(), pairs, carried));
    const Carried good = carried;
    const auto refused = [&](CarriedColumns columns, const char* what) {
        const CallResult result = carry_over(before.contacts(), now.contacts(), pairs, columns);
        return !result && result.error().code == ErrorCode::bad_size && result.error().message.contains(what);
    };
    CarriedColumns columns = columns_of(carried);
    columns.previous = columns.previous.first(1);
    CHECK(refused(columns, "previous has 1 entries, expected 2"));
    columns = columns_of(carried);
    columns.manifolds = {};
    CHECK(refused(columns, "manifolds has 0"));
    columns = columns_of(carried);
    columns.next_manifolds = {};
    CHECK(refused(columns, "next_manifolds has 0"));
    columns = columns_of(carried);
    columns.by = columns.by.first(1);
    CHECK(refused(columns, "by has 1"));
    for (const float distance : {-1.0f, kNan, std::numeric_limits<float>::infinity()}) {
        CarriedColumns all = columns_of(carried);
        const CallResult result =
            carry_over(before.contacts(), now.contacts(), pairs, all, {.match_distance = distance});
        REQUIRE(!result);
        CHECK(result.error().message.contains("match_distance is "));
    }
    FrameContacts null = now.contacts();
    null.bodies = Strided<Body>(nullptr, 2);
    columns = columns_of(carried);
    CHECK(!carry_over(before.contacts(), null, pairs, columns));
    CHECK(carried.previous == good.previous);

    std::vector<float> from(kFloats), to(2 * kFloats, 3.0f);
    const auto moves = [&](std::size_t f, std::size_t t, std::size_t floats) {
        return bool(carry_impulses(before.contacts(), now.contacts(), columns_of(carried), std::span(from).first(f),
                                   std::span(to).first(t), floats));
    };
    CHECK(!moves(kFloats, 2 * kFloats, 0));
    CHECK(!moves(kFloats - 1, 2 * kFloats, kFloats));
    CHECK(!moves(kFloats, kFloats, kFloats));
    CHECK(!moves(kFloats, 2 * kFloats, std::numeric_limits<std::size_t>::max()));
    CHECK(to[0] == 3.0f);
    CHECK(moves(kFloats, 2 * kFloats, kFloats));
    // A table of matches that is not the library's own.
    carried.previous = {0, 0};
    from[0] = 1;
    REQUIRE(moves(kFloats, 2 * kFloats, kFloats));
    CHECK(to[0] + to[kFloats] == 1);
    carried.previous = {77, 0xfffffffe};
    carried.manifolds[0].index = 77;
    CHECK(moves(kFloats, 2 * kFloats, kFloats));
}

TEST_CASE("carry over: contacts past the limit are left alone", "[carry]") {
    std::vector<ContactAnchor> anchors(3 * kMaxCarriedContacts);
    for (std::size_t i = 0; i < anchors.size(); ++i)
        anchors[i] = {{float(i), 0, 0}, {float(i), 0, 0}, std::uint32_t(i)};
    std::vector<std::uint32_t> previous(anchors.size());
    REQUIRE(carry_over(anchors, anchors, previous));
    for (std::size_t i = 0; i < anchors.size(); ++i) CHECK(previous[i] == (i < kMaxCarriedContacts ? i : kNewContact));
    std::vector<float> impulses(anchors.size(), 1.0f), moved(anchors.size());
    REQUIRE(carry_impulses(previous, impulses, moved, 1));
    CHECK(moved == impulses);
}
