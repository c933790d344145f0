// Lists, each with its length: "abutwarm", version, flags, a checksum; the numbers of the caller's floats; names,
// caches, previous pairs, keep requests, the frame before, the last frame; the rules, previous contacts and previous
// manifolds of the last frame; which pairs touch; then kept pairs as names, caches, touches and a frame of their own.
// Caches hold their own checksum, and a query starts cold if the checksum is wrong, so nothing else in caches is
// checked here.
#include "coherence/table_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/byte_stream.hpp"
#include "base/message.hpp"

namespace abut {
namespace {

using cooking::ByteInput, cooking::ByteOutput;

constexpr char kMagic[9] = "abutwarm";
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kBegun = 1, kNewNames = 2, kContacts = 4, kTouchesUsed = 8, kTouchesFound = 16;  // flags
constexpr std::size_t kChecksumAt = 16, kHeader = 24;

template <class Items>
void put(ByteOutput& out, const Items& items) {
    out.put_items(std::span<const typename Items::value_type>(items));
}

void put_frame(ByteOutput& out, const RememberedFrame& frame) {
    put(out, frame.first_manifold), put(out, frame.manifolds), put(out, frame.contacts), put(out, frame.impulses);
    put(out, frame.contact_floats), put(out, frame.manifold_floats);
    put(out, frame.pairs), put(out, frame.bodies);
}

// Writes the kept pairs as a frame; `kept` is a copy, because moving them into the frame empties it.
void put_kept(ByteOutput& out, KeptPairs kept) {
    Vector<Pair> names;
    Vector<WarmCache> caches;
    Vector<std::uint8_t> touched;
    RememberedFrame frame;
    frame.extend(0);
    Vector<std::uint32_t> places;
    kept.for_each([&](std::uint32_t place) { places.push_back(place); });
    for (const std::uint32_t place : places) {
        const KeptPairs::Known known = kept.take_back(place, frame);
        names.push_back(known.pair);
        caches.push_back(known.cache);
        touched.push_back(known.touched);
    }
    put(out, names), put(out, caches), put(out, touched);
    put_frame(out, frame);
}

// Writes a list of indices that may be swapped. Bools of unknown origin are never read into memory.
template <class Previous>
void put_previous(ByteOutput& out, const Vector<Previous>& items) {
    out.put(std::uint32_t(items.size()));
    for (const Previous& item : items) out.put(item.index), out.put(std::uint32_t(item.swapped));
}
template <class Previous>
void take_previous(ByteInput& in, Vector<Previous>& items) {
    items.resize(in.take_length(8));
    for (Previous& item : items) item.index = in.take_word(), item.swapped = in.take_word() != 0;
}

std::uint32_t flags_of(const TableContent& content) {
    return content.is_begun * kBegun | content.has_new_names * kNewNames | content.has_contacts * kContacts |
           content.touches.is_used * kTouchesUsed | content.touches.is_found * kTouchesFound;
}

std::size_t put_table(ByteOutput&& out, const TableContent& content) {
    const TableContent none;
    const TableContent& carried = content.has_contacts ? content : none;  // else its columns are of an older frame
    out.put_magic(kMagic);
    out.put(kVersion), out.put(flags_of(content)), out.put(std::uint64_t(0));
    out.put(std::uint32_t(content.floats.per_contact)), out.put(std::uint32_t(content.floats.per_manifold));
    put(out, content.names), put(out, content.caches);
    put_previous(out, content.previous);
    put(out, content.keep_requests);
    put_frame(out, content.before), put_frame(out, carried.now);
    put(out, carried.by), put(out, carried.previous_contacts);
    put_previous(out, carried.previous_manifolds);
    put(out, content.touches.before), put(out, content.touches.is_found ? content.touches.now : none.touches.now);
    put(out, content.touches.lost), out.put(content.touches.listed);
    put_kept(out, content.kept);
    return out.count();
}

// True if the arrays of a frame have sizes and indices that can be read later without a check.
bool is_whole(const RememberedFrame& frame, const FloatCounts& floats) {
    const bool is_empty = frame.first_manifold.empty() && frame.pairs.empty();
    if (!is_empty && frame.first_manifold.size() != frame.pairs.size() + 1) return false;
    if (frame.impulses.size() != frame.contacts.size() ||
        frame.contact_floats.size() != frame.contacts.size() * floats.per_contact ||
        frame.manifold_floats.size() != frame.manifolds.size() * floats.per_manifold)
        return false;
    for (const Pair pair : frame.pairs) {
        const bool has_none = is_removed(pair);
        if (!has_none && (pair.a >= frame.bodies.size() || pair.b >= frame.bodies.size())) return false;
        if (has_none && pair != Pair{kRemovedBody, kRemovedBody}) return false;
    }
    return true;
}

void take_frame(ByteInput& in, RememberedFrame& frame) {
    in.take_items(frame.first_manifold.own()), in.take_items(frame.manifolds.own());
    in.take_items(frame.contacts.own()), in.take_items(frame.impulses);
    in.take_items(frame.contact_floats), in.take_items(frame.manifold_floats);
    in.take_items(frame.pairs), in.take_items(frame.bodies);
}

bool are_bits(std::span<const std::uint8_t> items) {
    return std::all_of(items.begin(), items.end(), [](std::uint8_t item) { return item <= 1; });
}

// Reads the kept pairs. False if the bytes are not those of a table.
bool take_kept(ByteInput& in, const FloatCounts& floats, KeptPairs& kept) {
    Vector<Pair> names;
    Vector<WarmCache> caches;
    Vector<std::uint8_t> touched;
    RememberedFrame frame;
    in.take_items(names), in.take_items(caches), in.take_items(touched);
    take_frame(in, frame);
    if (in.has_failed() || caches.size() != names.size() || touched.size() != names.size() ||
        frame.pairs.size() != names.size() || !is_whole(frame, floats))
        return false;
    kept.set_floats(floats);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        if (is_removed(names[i]) || kept.find(names[i]) != kNoPair) return false;
        kept.keep({names[i], caches[i], touched[i] != 0}, frame, i);
    }
    return are_bits(touched);
}

// True if the columns of the last carry_over fit its frame, and the frame fits the pairs. All are empty if there was no
// carry_over.
bool are_columns_whole(const TableContent& content) {
    const RememberedFrame& now = content.now;
    const std::size_t contacts = now.contacts.size(), manifolds = now.manifolds.size();
    if (content.has_contacts ? now.first_manifold.size() != content.names.size() + 1
                             : contacts + manifolds + now.pairs.size() != 0)
        return false;
    return content.by.size() == contacts && content.previous_contacts.size() == contacts &&
           content.previous_manifolds.size() == manifolds;
}

bool is_touch_state_complete(const TouchState& touches, std::size_t pairs) {
    return touches.before.size() == (touches.is_used ? pairs : 0) &&
           touches.now.size() == (touches.is_found ? pairs : 0) && (touches.is_used || !touches.is_found) &&
           touches.listed <= touches.lost.size() && are_bits(touches.before) && are_bits(touches.now);
}

// Fills the inverse of previous_manifolds. False if previous manifolds or contacts name one that the frame before
// lacks.
bool find_next_manifolds(TableContent& content) {
    content.next_manifolds.assign(content.before.manifolds.size(), kNoManifold);
    for (std::size_t i = 0; i < content.previous_manifolds.size(); ++i) {
        const std::uint32_t index = content.previous_manifolds[i].index;
        if (index == kNoManifold) continue;
        if (index >= content.next_manifolds.size()) return false;
        content.next_manifolds[index] = std::uint32_t(i);
    }
    return std::all_of(content.previous_contacts.begin(), content.previous_contacts.end(), [&](std::uint32_t index) {
        return index == kNewContact || index < content.before.contacts.size();
    });
}

Error bad_table(const Message& message) { return bad_argument(message_of("stored warm table: ", message)); }

}  // namespace

std::size_t table_byte_count(const TableContent& content) { return put_table(ByteOutput(nullptr), content); }

void write_table(const TableContent& content, std::span<std::byte> out) {
    put_table(ByteOutput(out.data()), content);
    ByteOutput(out.data() + kChecksumAt).put(cooking::byte_checksum(out, kChecksumAt));
}

std::optional<Error> read_table(std::span<const std::byte> bytes, TableContent& content) {
    if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic, 8) != 0)
        return bad_table(message_of("these ", bytes.size(),
                                    " bytes are none: they begin with \"abutwarm\" and a header of 24 bytes"));
    const auto version = ByteInput(bytes.subspan(8)).take<std::uint32_t>();
    if (version != kVersion)
        return bad_table(message_of("version is ", version, ", but this library reads ", kVersion));
    if (ByteInput(bytes.subspan(kChecksumAt)).take<std::uint64_t>() != cooking::byte_checksum(bytes, kChecksumAt))
        return bad_table("the checksum is not that of the other bytes: these were changed");
    const auto flags = ByteInput(bytes.subspan(12)).take<std::uint32_t>();
    content.is_begun = flags & kBegun, content.has_new_names = flags & kNewNames;
    content.has_contacts = flags & kContacts;
    content.touches.is_used = flags & kTouchesUsed, content.touches.is_found = flags & kTouchesFound;
    ByteInput in(bytes.subspan(kHeader));
    content.floats.per_contact = in.take_word(), content.floats.per_manifold = in.take_word();
    if (content.floats.per_contact > kMostFloats || content.floats.per_manifold > kMostFloats)
        return bad_table("it has more floats than a table may have");
    in.take_items(content.names), in.take_items(content.caches);
    take_previous(in, content.previous);
    in.take_items(content.keep_requests);
    take_frame(in, content.before), take_frame(in, content.now);
    in.take_items(content.by), in.take_items(content.previous_contacts);
    take_previous(in, content.previous_manifolds);
    in.take_items(content.touches.before), in.take_items(content.touches.now), in.take_items(content.touches.lost);
    content.touches.listed = in.take_word();
    const std::size_t pairs = content.names.size();
    const bool is_kept_good = take_kept(in, content.floats, content.kept);
    if (in.has_failed() || !in.is_at_end()) return bad_table("the bytes are more or fewer than its lists take");
    const bool is_good = content.caches.size() == pairs && content.previous.size() == pairs &&
                         is_whole(content.before, content.floats) && is_whole(content.now, content.floats) &&
                         are_columns_whole(content) && is_touch_state_complete(content.touches, pairs) && is_kept_good;
    if (!is_good || !find_next_manifolds(content)) return bad_table("its lists do not fit each other");
    if (std::any_of(content.keep_requests.begin(), content.keep_requests.end(),
                    [&](std::uint32_t i) { return i >= pairs; }))
        return bad_table("it keeps a pair that it does not have");
    if (std::any_of(content.by.begin(), content.by.end(), [](CarriedBy by) { return by > CarriedBy::place; }))
        return bad_table("a contact was carried by no rule");
    return std::nullopt;
}

}  // namespace abut
