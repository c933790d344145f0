// Two frames in turn: that of the last begin() and the one before, each with what was known of it; and the pairs that are asleep. A pair that comes
// back is appended to the frame before, so that from there on it is a pair like any other.
#include <abut/warm_table.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "frame/frame_checks.hpp"
#include "warm/pair_index.hpp"
#include "warm/remembered.hpp"

namespace abut {

struct WarmTable::Impl {
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
    std::vector<Pair> names;  // of the last begin()'s pairs, by the indices that bodies have now; a removed body among them where forgotten
    std::vector<Pair> next_names;
    std::vector<WarmCache> caches, next_caches;
    std::vector<PreviousPair> previous;
    std::vector<std::uint8_t> taken;           // a pair before: another has followed it
    std::vector<std::uint32_t> keep_requests;  // indices into names
    RememberedFrame before, now;
    Carried carried;
    KeptPairs kept;

private:
    std::uint32_t find(Pair pair);
    void bring_back(std::size_t i, Pair pair, std::size_t pairs_before);
    void keep_requested();
};

// In the frame before; the first of equal ones, or kNoPair.
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
        if (!taken[i] && !is_removed(names[i]) && kept.find(names[i]) == kNoPair) kept.keep(names[i], caches[i], before, i);
    keep_requests.clear();
}

std::span<WarmCache> WarmTable::Impl::begin(Strided<Pair> pairs) {
    const std::size_t count = pairs.size(), count_before = names.size();
    std::swap(before, now);
    now.clear();
    carried.by.clear();
    next_names.resize(count);
    next_caches.resize(count);
    previous.resize(count);
    taken.assign(count_before, 0);
    // Locals, since a store to a byte may change any member.
    const Pair* const old_names = names.data();
    Pair* const new_names = next_names.data();
    const WarmCache* const old_caches = caches.data();
    WarmCache* const new_caches = next_caches.data();
    PreviousPair* const out = previous.data();
    std::uint8_t* const is_taken = taken.data();
    // Most pairs follow the one that they followed in the frame before: only where one does not are the pairs looked for.
    std::size_t expected = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Pair pair = new_names[i] = pairs[i];
        const bool is_expected = expected < count_before && old_names[expected] == pair && !is_removed(pair);
        const std::uint32_t found = is_expected ? std::uint32_t(expected) : find(pair);
        if (found == kNoPair) {
            new_caches[i] = {};
            out[i] = {};
            if (!kept.empty()) bring_back(i, pair, count_before);
            continue;
        }
        new_caches[i] = old_caches[found];
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
    now.clear();
    carried.by.clear();
    if (frame.pairs.size() != names.size())
        return Error{ErrorCode::bad_size, "WarmTable::carry_over: the frame has " + std::to_string(frame.pairs.size()) +
                                              " pairs, the last begin() had " + std::to_string(names.size())};
    if (CallResult result = check_size("FrameContacts::first_manifold", frame.first_manifold, names.size() + 1, false); !result) return result;
    if (CallResult result = abut::carry_over(before.view(), frame, previous, carried, options); !result) {
        carried.by.clear();
        return result;
    }
    now.assign(frame);
    now.impulses.resize(frame.contacts.size());
    return carry_impulses(before.view(), frame, columns_of(carried), floats_of(std::span<const ContactImpulse>(before.impulses)),
                          floats_of(std::span<ContactImpulse>(now.impulses)), sizeof(ContactImpulse) / sizeof(float));
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
    now.clear();
    carried.by.clear();
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
    carried.previous.reserve(contacts);
    carried.next_manifolds.reserve(contacts);
    carried.manifolds.reserve(contacts);
    carried.by.reserve(contacts);
    kept.reserve(pairs, contacts);
}

namespace {

// A view of no memory has no pairs; `collide` says so.
Strided<Pair> readable(Strided<Pair> pairs) { return pairs.size() > 0 && pairs.address(0) == nullptr ? Strided<Pair>{} : pairs; }

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

std::span<WarmCache> WarmTable::begin(Strided<Pair> pairs) {
    try {
        if (!impl_) impl_ = std::make_unique<Impl>();
        return impl_->begin(readable(pairs));
    } catch (const std::exception&) {
        clear();
        return {};
    }
}

std::span<const PreviousPair> WarmTable::previous_pairs() const {
    return impl_ ? std::span<const PreviousPair>(impl_->previous) : std::span<const PreviousPair>{};
}

CallResult WarmTable::carry_over(const FrameContacts& now, const CarryOverOptions& options) {
    try {
        if (!impl_) impl_ = std::make_unique<Impl>();
        return impl_->carry_over(now, options);
    } catch (const std::exception&) {
        clear();
        return Error{ErrorCode::limit, "no memory"};
    }
}

std::span<ContactImpulse> WarmTable::impulses() { return impl_ ? std::span<ContactImpulse>(impl_->now.impulses) : std::span<ContactImpulse>{}; }
std::span<const CarriedBy> WarmTable::carried_by() const {
    return impl_ ? std::span<const CarriedBy>(impl_->carried.by) : std::span<const CarriedBy>{};
}

std::size_t WarmTable::keep(Strided<Pair> pairs) {
    try {
        return impl_ ? impl_->keep(readable(pairs)) : 0;
    } catch (const std::exception&) {
        clear();
        return 0;
    }
}

void WarmTable::drop(Strided<Pair> pairs) {
    try {
        if (impl_) impl_->drop(readable(pairs));
    } catch (const std::exception&) {
        clear();
    }
}

std::size_t WarmTable::kept() const { return impl_ ? impl_->kept.size() : 0; }

void WarmTable::remap_bodies(std::span<const std::uint32_t> new_index) {
    try {
        if (impl_) impl_->rename([&](std::uint32_t body) { return body < new_index.size() ? new_index[body] : kRemovedBody; });
    } catch (const std::exception&) {
        clear();
    }
}

void WarmTable::swap_remove(std::uint32_t body, std::uint32_t last) {
    try {
        if (impl_) impl_->rename([&](std::uint32_t i) { return i == body ? kRemovedBody : i == last ? body : i; });
    } catch (const std::exception&) {
        clear();
    }
}

void WarmTable::clear() {
    if (impl_) impl_->clear();
}

bool WarmTable::reserve(std::size_t pairs, std::size_t contacts) {
    try {
        if (!impl_) impl_ = std::make_unique<Impl>();
        impl_->reserve(pairs, contacts);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace abut
