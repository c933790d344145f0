// Calls of a warm table out of order, or with other pairs than those of begin(): an error, and nothing changes.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <abut/abut.hpp>

#include "support/contact_frame.hpp"

using namespace abut;
using test::ContactFrame;

namespace {

// Pair i has a contact with the id of its bodies.
ContactFrame frame_of(const std::vector<Pair>& pairs) {
    ContactFrame frame;
    for (const Pair pair : pairs) frame.add(pair, {{{float(pair.b), 0, 0}, 0, 0x00010001}});
    return frame;
}

CallResult carry(WarmTable& table, const ContactFrame& frame) {
    return table.carry_over(frame.frame(), frame.manifolds);
}

// Begins, carries over and numbers the impulses: 1, 2, ...
void step(WarmTable& table, const ContactFrame& frame) {
    REQUIRE(table.begin(frame.frame().pairs).size() == frame.pairs.size());
    REQUIRE(carry(table, frame));
    for (std::size_t i = 0; i < table.impulses().size(); ++i) table.impulses()[i].normal = float(i + 1);
}

std::vector<std::byte> bytes_of(const WarmTable& table) {
    std::vector<std::byte> bytes(table.byte_count());
    REQUIRE(table.write(bytes) == bytes.size());
    return bytes;
}

// The call is refused with a message that has `text`, and the table is as it was.
template <class Call>
void check_refused(WarmTable& table, const char* text, Call&& call) {
    const auto before = bytes_of(table);
    const auto result = call();
    INFO(text);
    REQUIRE(!result);
    const std::string message(result.error().message.view());
    INFO(message);
    CHECK(message.find(text) != std::string::npos);
    CHECK(bytes_of(table) == before);
}

}  // namespace

TEST_CASE("warm table: a frame with other pairs than begin() is refused", "[warm]") {
    const ContactFrame frame = frame_of({{0, 1}, {0, 2}}), reordered = frame_of({{0, 2}, {0, 1}}),
                       swapped = frame_of({{0, 1}, {2, 0}}), part = frame_of({{0, 1}}),
                       more = frame_of({{0, 1}, {0, 2}, {0, 3}});
    WarmTable table;
    step(table, frame);
    table.begin(frame.pairs);
    check_refused(table, "pair 0 of the frame is (0, 2), in the last begin() it was (0, 1)",
                  [&] { return carry(table, reordered); });
    check_refused(table, "pair 1 of the frame is (2, 0)", [&] { return carry(table, swapped); });
    check_refused(table, "the frame has 1 pairs, the last begin() had 2", [&] { return carry(table, part); });
    check_refused(table, "the frame has 3 pairs, the last begin() had 2", [&] { return carry(table, more); });
    // Answers to frames with fewer and with more pairs.
    const auto answer = [&](const Manifolds& manifolds) { return table.carry_over(frame.frame(), manifolds); };
    check_refused(table, "first_manifold", [&] { return answer({}); });
    check_refused(table, "first_manifold", [&] { return answer(part.manifolds); });
    check_refused(table, "a manifold is of pair 2, but the frame has 2", [&] { return answer(more.manifolds); });
    check_refused(table, "match_distance", [&] { return table.carry_over(frame.frame(), frame.manifolds, {-1.0f}); });
    CHECK(table.impulses().empty());
    // After all of this the frame is taken, also with a stride.
    REQUIRE(carry(table, frame));
    CHECK(table.impulses()[0].normal == 1);
    CHECK(table.impulses()[1].normal == 2);
    struct Named {
        Pair pair;
        std::uint32_t name;
    };
    const std::vector<Named> named = {{{0, 1}, 7}, {{0, 2}, 8}}, other = {{{0, 1}, 7}, {{0, 3}, 8}};
    Frame strided = frame.frame();
    strided.pairs = {&named[0].pair, 2, sizeof(Named)};
    table.begin(strided.pairs);
    Frame wrong = strided;
    wrong.pairs = {&other[0].pair, 2, sizeof(Named)};
    check_refused(table, "pair 1 of the frame is (0, 3)", [&] { return table.carry_over(wrong, frame.manifolds); });
    REQUIRE(table.carry_over(strided, frame.manifolds));
    CHECK(table.impulses()[1].normal == 2);
    // What is refused after a carry_over leaves its impulses.
    check_refused(table, "pair 0", [&] { return carry(table, reordered); });
    CHECK(table.impulses().size() == 2);
}

TEST_CASE("warm table: calls out of order are refused", "[warm]") {
    const ContactFrame frame = frame_of({{0, 1}, {0, 2}}), none;
    const std::vector<std::uint32_t> bits = {3};
    WarmTable table;
    const auto check_before_begin = [&] {
        check_refused(table, "carry_over: begin() comes first", [&] { return carry(table, frame); });
        check_refused(table, "carry_over: begin() comes first", [&] { return carry(table, none); });
        check_refused(table, "keep: begin() comes first", [&] { return table.keep(frame.pairs); });
        check_refused(table, "touch_changes: begin() comes first", [&] { return table.touch_changes(); });
        check_refused(table, "overlap_changes: begin() comes first", [&] { return table.overlap_changes(bits); });
    };
    check_before_begin();
    table.begin(frame.pairs);
    check_refused(table, "touch_changes: carry_over() comes first", [&] { return table.touch_changes(); });
    check_refused(table, "overlap_changes: bits", [&] { return table.overlap_changes({}); });
    // Indices of bodies change between a frame's carry_over and the next begin.
    REQUIRE(table.swap_remove(1, 2));
    check_refused(table, "bodies were renamed or pairs dropped", [&] { return carry(table, frame); });
    check_refused(table, "bodies were renamed or pairs dropped", [&] { return table.overlap_changes(bits); });
    step(table, frame);
    REQUIRE(table.drop(std::vector<Pair>{{0, 1}}));
    check_refused(table, "bodies were renamed or pairs dropped", [&] { return carry(table, frame); });
    check_refused(table, "bodies were renamed or pairs dropped", [&] { return table.touch_changes(); });
    step(table, frame);
    REQUIRE(table.remap_bodies(std::vector<std::uint32_t>{0, 1, 2}));
    check_refused(table, "bodies were renamed or pairs dropped", [&] { return carry(table, frame); });
    step(table, frame);
    table.clear();
    check_before_begin();
}

TEST_CASE("warm table: arguments out of their domain are refused", "[warm]") {
    const ContactFrame frame = frame_of({{0, 1}, {0, 2}});
    WarmTable table;
    step(table, frame);
    check_refused(table, "body is 9, last is 1", [&] { return table.swap_remove(9, 1); });
    check_refused(table, "kRemovedBody", [&] { return table.swap_remove(1, kRemovedBody); });
    check_refused(table, "kRemovedBody", [&] { return table.swap_remove(kRemovedBody, kRemovedBody); });
    check_refused(table, "pairs", [&] { return table.keep(Strided<Pair>(nullptr, 5)); });
    check_refused(table, "pairs", [&] { return table.drop(Strided<Pair>(nullptr, 5)); });
    check_refused(table, "257", [&] { return table.set_floats(257, 0); });
    check_refused(table, "300", [&] { return table.set_floats(0, 300); });
    const auto touch = [&](float begins, float ends) { return table.touch_changes({begins, ends}); };
    check_refused(table, "end_distance", [&] { return touch(0.1f, 0.05f); });
    check_refused(table, "end_distance", [&] { return touch(std::numeric_limits<float>::quiet_NaN(), 1); });
    check_refused(table, "end_distance", [&] { return touch(0, std::numeric_limits<float>::quiet_NaN()); });
    const auto before = bytes_of(table);
    CHECK(table.begin(Strided<Pair>(nullptr, 5)).empty());
    CHECK(bytes_of(table) == before);
    CHECK(table.impulses().size() == 2);
}
