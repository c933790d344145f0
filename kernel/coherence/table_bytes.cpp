// Lists, each with its length: "abutwarm", version, 0, a checksum; names, caches, previous pairs, keep requests, the
// frame before, the last frame, the rules of its contacts; then kept pairs as names, caches and a frame of theirs.
// Caches hold a checksum of their own, and a query that does not know one starts cold: nothing else in them is checked
// here.
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
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kChecksumAt = 16, kHeader = 24;

template <class T>
void put(ByteOutput& out, const Vector<T>& items) {
    out.put_items(std::span<const T>(items));
}

void put_frame(ByteOutput& out, const RememberedFrame& frame) {
    put(out, frame.first_manifold), put(out, frame.manifolds), put(out, frame.contacts), put(out, frame.impulses);
    put(out, frame.pairs), put(out, frame.bodies);
}

// Writes the kept pairs as a frame; `kept` is a copy, because moving them into the frame empties it.
void put_kept(ByteOutput& out, KeptPairs kept) {
    Vector<Pair> names;
    Vector<WarmCache> caches;
    RememberedFrame frame;
    frame.extend(0);
    Vector<std::uint32_t> places;
    kept.for_each([&](std::uint32_t place) { places.push_back(place); });
    for (const std::uint32_t place : places) {
        const auto [cache, name] = kept.take_back(place, frame);
        names.push_back(name);
        caches.push_back(cache);
    }
    put(out, names), put(out, caches);
    put_frame(out, frame);
}

std::size_t put_table(ByteOutput&& out, const TableContent& content) {
    out.put_magic(kMagic);
    out.put(kVersion), out.put(std::uint32_t(0)), out.put(std::uint64_t(0));
    put(out, content.names), put(out, content.caches);
    out.put(std::uint32_t(content.previous.size()));
    for (const PreviousPair pair : content.previous) out.put(pair.index), out.put(std::uint32_t(pair.swapped));
    put(out, content.keep_requests);
    put_frame(out, content.before), put_frame(out, content.has_contacts ? content.now : RememberedFrame());
    put(out, content.has_contacts ? content.by : Vector<CarriedBy>());
    put_kept(out, content.kept);
    return out.count();
}

// True if the arrays of a frame have the sizes and indices that are later read without a check.
bool is_whole(const RememberedFrame& frame) {
    const bool is_empty = frame.first_manifold.empty() && frame.pairs.empty();
    if (!is_empty && frame.first_manifold.size() != frame.pairs.size() + 1) return false;
    if (frame.impulses.size() != frame.contacts.size()) return false;
    for (const Pair pair : frame.pairs) {
        const bool has_none = is_removed(pair);
        if (!has_none && (pair.a >= frame.bodies.size() || pair.b >= frame.bodies.size())) return false;
        if (has_none && pair != Pair{kRemovedBody, kRemovedBody}) return false;
    }
    return true;
}

void take_frame(ByteInput& in, RememberedFrame& frame) {
    in.take_items(frame.first_manifold), in.take_items(frame.manifolds), in.take_items(frame.contacts),
        in.take_items(frame.impulses);
    in.take_items(frame.pairs), in.take_items(frame.bodies);
}

// False if the bytes are not the kept pairs of a table.
bool take_kept(ByteInput& in, KeptPairs& kept) {
    Vector<Pair> names;
    Vector<WarmCache> caches;
    RememberedFrame frame;
    in.take_items(names), in.take_items(caches);
    take_frame(in, frame);
    if (in.has_failed() || caches.size() != names.size() || frame.pairs.size() != names.size() || !is_whole(frame))
        return false;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        if (is_removed(names[i]) || kept.find(names[i]) != kNoPair) return false;
        kept.keep(names[i], caches[i], frame, i);
    }
    return true;
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
    ByteInput in(bytes.subspan(kHeader));
    in.take_items(content.names), in.take_items(content.caches);
    content.previous.resize(in.take_length(8));
    for (PreviousPair& pair : content.previous) pair.index = in.take_word(), pair.swapped = in.take_word() != 0;
    in.take_items(content.keep_requests);
    take_frame(in, content.before), take_frame(in, content.now);
    in.take_items(content.by);
    content.has_contacts = !content.now.first_manifold.empty();
    const std::size_t pairs = content.names.size();
    const bool is_kept_good = take_kept(in, content.kept);
    if (in.has_failed() || !in.is_at_end()) return bad_table("the bytes are more or fewer than its lists take");
    const bool is_good = content.caches.size() == pairs && content.previous.size() == pairs &&
                         is_whole(content.before) && is_whole(content.now) &&
                         (content.now.pairs.empty() || content.now.pairs.size() == pairs) &&
                         (content.by.empty() || content.by.size() == content.now.contacts.size()) && is_kept_good;
    if (!is_good) return bad_table("its lists do not fit each other");
    if (std::any_of(content.keep_requests.begin(), content.keep_requests.end(),
                    [&](std::uint32_t i) { return i >= pairs; }))
        return bad_table("it keeps a pair that it does not have");
    if (std::any_of(content.by.begin(), content.by.end(), [](CarriedBy by) { return by > CarriedBy::place; }))
        return bad_table("a contact was carried by no rule");
    return std::nullopt;
}

}  // namespace abut
