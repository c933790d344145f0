// A table holds two frames, that of the last begin() and the one before, and the sleeping pairs. A sleeping pair that
// comes back is appended to the frame before, so that it is then treated like any other pair.
#include <abut/warm_table.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "batch/frame_checks.hpp"
#include "coherence/impulse_carrier.hpp"
#include "coherence/pair_index.hpp"
#include "coherence/table_bytes.hpp"
#include "convex/contract/warm_marks.hpp"

namespace abut {

// The elements are not set.
template <class... T>
void resize_all(std::size_t count, Vector<T>&... columns) {
    (make_room(columns, count), ...);
    (columns.resize(count), ...);
}

// `names`: the pairs of the last begin(), with the present indices of bodies; a forgotten pair has a removed body.
// `keep_requests`: indices into `names`.
struct WarmTable::Impl : HostAllocated<WarmTable::Impl>, TableContent {
    std::span<WarmCache> begin(Strided<Pair> pairs);
    CallResult carry_over(const FrameContacts& frame, const CarryOverOptions& options);
    std::size_t keep(Strided<Pair> pairs);
    void drop(Strided<Pair> pairs);
    template <class Rename>
    void rename(Rename rename);
    void clear();
    void reserve(std::size_t pairs, std::size_t contacts);

    PairIndex index;  // of names, while is_indexed
    bool is_indexed = false;
    Vector<Pair> next_names;
    Vector<WarmCache> next_caches;
    Vector<std::uint8_t> taken;  // by pair before: 1 if a pair has taken its cache
    Vector<std::uint32_t> previous_contacts, next_manifolds;

private:
    std::size_t follow_same(Strided<Pair> pairs);
    std::uint32_t find(Pair pair);
    void bring_back(std::size_t i, Pair pair, std::size_t pairs_before);
    void keep_requested();
};

// Follows the leading pairs that are equal to those of the frame before. Returns their number.
std::size_t WarmTable::Impl::follow_same(Strided<Pair> pairs) {
    const std::size_t most = std::min(pairs.size(), names.size());
    const Pair* const old_names = names.data();
    PreviousPair* const out = previous.data();
    std::size_t same = 0;
    for (; same < most; ++same) {
        if (std::memcmp(old_names + same, pairs.address(same), sizeof(Pair)) != 0 || is_removed(old_names[same])) break;
        out[same] = {std::uint32_t(same), false};
    }
    return same;
}

// The index of a pair in the frame before (the first of equal pairs), or kNoPair.
std::uint32_t WarmTable::Impl::find(Pair pair) {
    const auto name_at = [&](std::size_t i) { return names[i]; };
    if (!is_indexed) index.build(names.size(), name_at, [&](std::size_t i) { return !is_removed(names[i]); });
    is_indexed = true;
    return is_removed(pair) ? kNoPair : index.find(pair, name_at);
}

void WarmTable::Impl::bring_back(std::size_t i, Pair pair, std::size_t pairs_before) {
    const std::uint32_t place = kept.find(pair);
    if (place == kNoPair) return;
    if (before.first_manifold.size() <= pairs_before) before.extend(pairs_before);
    const auto index_before = std::uint32_t(before.pairs.size());
    const auto [cache, name] = kept.take_back(place, before);
    next_caches[i] = cache;
    previous[i] = {index_before, name.a != pair.a};
}

void WarmTable::Impl::keep_requested() {
    for (const std::uint32_t i : keep_requests)
        if (!taken[i] && !is_removed(names[i]) && kept.find(names[i]) == kNoPair)
            kept.keep(names[i], caches[i], before, i);
    keep_requests.clear();
}

std::span<WarmCache> WarmTable::Impl::begin(Strided<Pair> pairs) {
    const std::size_t count = pairs.size(), count_before = names.size();
    std::swap(before, now);
    if (!has_contacts) before.clear();
    has_contacts = false;
    resize_all(count, next_names, next_caches, previous);
    // Most frames have the pairs of the frame before, or begin with them.
    const std::size_t same = follow_same(pairs);
    const bool is_same_frame = same == count && count == count_before;
    resize_all(count_before, taken);
    std::fill_n(taken.begin(), same, std::uint8_t(1));
    std::fill(taken.begin() + std::ptrdiff_t(same), taken.end(), std::uint8_t(0));
    if (is_same_frame) {
        keep_requests.clear();
        return caches;
    }
    std::copy_n(names.begin(), same, next_names.begin());
    std::copy_n(caches.begin(), same, next_caches.begin());
    // Local copies, because the compiler must assume that a store to a byte changes any member.
    const Pair* const old_names = names.data();
    Pair* const new_names = next_names.data();
    const WarmCache* const old_caches = caches.data();
    WarmCache* const new_caches = next_caches.data();
    PreviousPair* const out = previous.data();
    std::uint8_t* const is_taken = taken.data();
    // Most pairs follow the same pair as in the frame before. Only the others are looked up.
    std::size_t expected = same;
    for (std::size_t i = same; i < count; ++i) {
        const Pair pair = new_names[i] = pairs[i];
        const bool is_expected = expected < count_before && old_names[expected] == pair && !is_removed(pair);
        const std::uint32_t found = is_expected ? std::uint32_t(expected) : find(pair);
        if (found == kNoPair) {
            new_caches[i] = {};
            out[i] = {};
            if (!kept.empty()) bring_back(i, pair, count_before);
            continue;
        }
        copy_cache(new_caches[i], old_caches[found]);
        out[i] = {is_taken[found] ? kNoPair : found, old_names[found].a != pair.a};
        is_taken[found] = 1;
        expected = found + 1;
    }
    keep_requested();
    caches.swap(next_caches);
    names.swap(next_names);
    is_indexed = false;
    index.reserve(count);
    return caches;
}

CallResult WarmTable::Impl::carry_over(const FrameContacts& frame, const CarryOverOptions& options) {
    has_contacts = false;
    if (frame.pairs.size() != names.size())
        return Error{ErrorCode::bad_size, message_of("WarmTable::carry_over: the frame has ", frame.pairs.size(),
                                                     " pairs, the last begin() had ", names.size())};
    if (CallResult result = check_size("FrameContacts::first_manifold", frame.first_manifold, names.size() + 1, false);
        !result)
        return result;
    resize_all(frame.contacts.size(), previous_contacts, by, now.impulses);
    resize_all(before.manifolds.size(), next_manifolds);
    CallResult result =
        carry_over_with_impulses(before.view(), frame, previous, {previous_contacts, {}, next_manifolds, by},
                                 {before.impulses, now.impulses}, options);
    if (!result) return result;
    now.assign(frame);
    has_contacts = true;
    return {};
}

std::size_t WarmTable::Impl::keep(Strided<Pair> pairs) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::uint32_t at = find(pairs[i]);
        if (at == kNoPair) continue;
        keep_requests.push_back(at);
        ++found;
    }
    return found;
}

void WarmTable::Impl::drop(Strided<Pair> pairs) {
    const auto dropped_at = [&](std::size_t i) { return pairs[i]; };
    PairIndex dropped;
    dropped.build(pairs.size(), dropped_at, [](std::size_t) { return true; });
    for (Pair& name : names)
        if (dropped.find(name, dropped_at) != kNoPair) name = {kRemovedBody, kRemovedBody};
    is_indexed = false;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (const std::uint32_t place = kept.find(pairs[i]); place != kNoPair) kept.drop(place);
}

template <class Rename>
void WarmTable::Impl::rename(Rename rename) {
    for (Pair& name : names) name = {rename(name.a), rename(name.b)};
    is_indexed = false;
    kept.rename(rename);
}

void WarmTable::Impl::clear() {
    index.clear();
    is_indexed = false;
    names.clear();
    next_names.clear();
    caches.clear();
    next_caches.clear();
    previous.clear();
    taken.clear();
    keep_requests.clear();
    before.clear();
    has_contacts = false;
    kept.clear();
}

void WarmTable::Impl::reserve(std::size_t pairs, std::size_t contacts) {
    index.reserve(pairs);
    names.reserve(pairs);
    next_names.reserve(pairs);
    caches.reserve(pairs);
    next_caches.reserve(pairs);
    previous.reserve(pairs);
    taken.reserve(pairs);
    keep_requests.reserve(pairs);
    before.reserve(pairs, contacts);
    now.reserve(pairs, contacts);
    previous_contacts.reserve(contacts);
    next_manifolds.reserve(contacts);
    by.reserve(contacts);
    kept.reserve(pairs, contacts);
}

namespace {

// A view without memory counts as empty; `collide` reports the error.
Strided<Pair> readable(Strided<Pair> pairs) {
    return pairs.size() > 0 && pairs.address(0) == nullptr ? Strided<Pair>{} : pairs;
}

}  // namespace

WarmTable::WarmTable() noexcept = default;
WarmTable::~WarmTable() = default;
WarmTable::WarmTable(WarmTable&&) noexcept = default;
WarmTable& WarmTable::operator=(WarmTable&&) noexcept = default;
WarmTable::WarmTable(const WarmTable& other) : impl_(other.impl_ ? std::make_unique<Impl>(*other.impl_) : nullptr) {}

WarmTable& WarmTable::operator=(const WarmTable& other) {
    if (!other.impl_)
        clear();
    else if (impl_)
        *impl_ = *other.impl_;  // keeps the memory that it has
    else
        impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}

namespace {

// If memory ends in `call`, clears the table.
template <class Call>
CallResult within_memory(WarmTable& table, Call&& call) {
    CallResult result = guarded_call(call);
    if (result.error().code == ErrorCode::out_of_memory) table.clear();
    return result;
}

}  // namespace

CallResult WarmTable::assign(const WarmTable& other) {
    return within_memory(*this, [&]() -> CallResult {
        *this = other;
        return {};
    });
}

std::span<WarmCache> WarmTable::begin(Strided<Pair> pairs) {
    std::span<WarmCache> caches;
    (void)within_memory(*this, [&]() -> CallResult {
        if (!impl_) impl_ = std::make_unique<Impl>();
        caches = impl_->begin(readable(pairs));
        return {};
    });
    return caches;
}

std::span<const PreviousPair> WarmTable::previous_pairs() const {
    return impl_ ? std::span<const PreviousPair>(impl_->previous) : std::span<const PreviousPair>{};
}

CallResult WarmTable::carry_over(const FrameContacts& now, const CarryOverOptions& options) {
    return within_memory(*this, [&]() -> CallResult {
        if (!impl_) impl_ = std::make_unique<Impl>();
        return impl_->carry_over(now, options);
    });
}

std::span<ContactImpulse> WarmTable::impulses() {
    return impl_ && impl_->has_contacts ? std::span<ContactImpulse>(impl_->now.impulses) : std::span<ContactImpulse>{};
}
std::span<const CarriedBy> WarmTable::carried_by() const {
    return impl_ && impl_->has_contacts ? std::span<const CarriedBy>(impl_->by) : std::span<const CarriedBy>{};
}

Expected<std::size_t> WarmTable::keep(Strided<Pair> pairs) {
    std::size_t count = 0;
    const CallResult result = within_memory(*this, [&]() -> CallResult {
        if (CallResult readable = check_strided("WarmTable::keep: pairs", pairs); !readable) return readable;
        if (impl_) count = impl_->keep(pairs);
        return {};
    });
    if (!result) return result.error();
    return count;
}

CallResult WarmTable::drop(Strided<Pair> pairs) {
    return within_memory(*this, [&]() -> CallResult {
        if (CallResult readable = check_strided("WarmTable::drop: pairs", pairs); !readable) return readable;
        if (impl_) impl_->drop(pairs);
        return {};
    });
}

std::size_t WarmTable::kept() const { return impl_ ? impl_->kept.size() : 0; }

CallResult WarmTable::remap_bodies(std::span<const std::uint32_t> new_index) {
    return within_memory(*this, [&]() -> CallResult {
        if (impl_)
            impl_->rename([&](std::uint32_t body) { return body < new_index.size() ? new_index[body] : kRemovedBody; });
        return {};
    });
}

CallResult WarmTable::swap_remove(std::uint32_t body, std::uint32_t last) {
    return within_memory(*this, [&]() -> CallResult {
        if (impl_) impl_->rename([&](std::uint32_t i) { return i == body ? kRemovedBody : i == last ? body : i; });
        return {};
    });
}

void WarmTable::clear() {
    if (impl_) impl_->clear();
}

CallResult WarmTable::reserve(std::size_t pairs, std::size_t contacts) {
    return guarded_call([&]() -> CallResult {
        if (!impl_) impl_ = std::make_unique<Impl>();
        impl_->reserve(pairs, contacts);
        return {};
    });
}

std::size_t WarmTable::byte_count() const {
    const auto count = guarded_call(
        [&]() -> Expected<std::size_t> { return impl_ ? table_byte_count(*impl_) : table_byte_count({}); });
    return count ? *count : 0;
}

std::size_t WarmTable::write(std::span<std::byte> out) const {
    const std::size_t count = byte_count();
    if (count == 0 || out.size() < count || out.data() == nullptr) return 0;
    const CallResult result = guarded_call([&]() -> CallResult {
        impl_ ? write_table(*impl_, out.first(count)) : write_table({}, out.first(count));
        return {};
    });
    return result ? count : 0;
}

Expected<WarmTable> WarmTable::read(std::span<const std::byte> bytes) {
    if (bytes.data() == nullptr && !bytes.empty())
        return bad_argument(message_of("bytes is null, with a count of ", bytes.size()));
    return guarded_call([&]() -> Expected<WarmTable> {
        WarmTable table;
        table.impl_ = std::make_unique<Impl>();
        if (auto error = read_table(bytes, *table.impl_)) return *error;
        return table;
    });
}

}  // namespace abut
