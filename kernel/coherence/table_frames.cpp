// What a table does with a frame: follows pairs by their bodies, and matches contacts.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/message.hpp"
#include "batch/frame_checks.hpp"
#include "coherence/impulse_carrier.hpp"
#include "coherence/warm_table_impl.hpp"
#include "convex/contract/warm_marks.hpp"

namespace abut {

namespace {

// Grows the columns. The new elements are not set.
template <class... T>
void resize_all(std::size_t count, Vector<T>&... columns) {
    (make_room(columns, count), ...);
    (columns.resize(count), ...);
}

bool are_equal(std::span<const Pair> names, const Strided<Pair>& pairs) {
    return names.size() == pairs.size() && pairs.stride() == sizeof(Pair) &&
           (names.empty() || std::memcmp(names.data(), pairs.address(0), names.size_bytes()) == 0);
}

CallResult check_pairs(std::span<const Pair> names, const Strided<Pair>& pairs) {
    if (names.size() != pairs.size())
        return Error{ErrorCode::bad_size, message_of("WarmTable::carry_over: the frame has ", pairs.size(),
                                                     " pairs, the last begin() had ", names.size())};
    if (are_equal(names, pairs)) return {};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const Pair pair = pairs[i]; pair != names[i])
            return bad_argument(message_of("WarmTable::carry_over: pair ", i, " of the frame is (", pair.a, ", ",
                                           pair.b, "), in the last begin() it was (", names[i].a, ", ", names[i].b,
                                           ")"));
    return {};
}

// Copies `floats` floats for each present item: those of the item before at index_of(its previous one), or zeros.
template <class Previous, class IndexOf>
void carry_floats(const Vector<Previous>& previous, IndexOf index_of, const Vector<float>& before, Vector<float>& now,
                  std::size_t floats) {
    resize_all(previous.size() * floats, now);
    if (floats == 0) return;
    float* to = now.data();
    for (const Previous& item : previous) {
        const std::size_t from = index_of(item) * floats;
        to = from < before.size() ? std::copy_n(before.data() + from, floats, to) : std::fill_n(to, floats, 0.0f);
    }
}

}  // namespace

// Follows the leading pairs that are equal to those of the frame before. Returns their number.
std::size_t WarmTable::Impl::follow_same(Strided<Pair> pairs) {
    if (identical_ >= pairs.size() && !has_new_names && are_equal(names, pairs)) return pairs.size();
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
    if (!is_indexed_) index_.build(names.size(), name_at, [&](std::size_t i) { return !is_removed(names[i]); });
    is_indexed_ = true;
    return is_removed(pair) ? kNoPair : index_.find(pair, name_at);
}

// Returns whether the pair touched when it was kept.
bool WarmTable::Impl::bring_back(std::size_t i, Pair pair, std::size_t pairs_before) {
    const std::uint32_t place = kept.find(pair);
    if (place == kNoPair) return false;
    if (before.first_manifold.size() <= pairs_before) before.extend(pairs_before);
    const auto index_before = std::uint32_t(before.pairs.size());
    const KeptPairs::Known known = kept.take_back(place, before);
    next_caches_[i] = known.cache;
    previous[i] = {index_before, known.pair.a != pair.a};
    return known.touched;
}

void WarmTable::Impl::keep_requested() {
    for (const std::uint32_t i : keep_requests)
        if (!taken_[i] && !is_removed(names[i]) && kept.find(names[i]) == kNoPair)
            kept.keep({names[i], caches[i], touches.touched(i)}, before, i);
    keep_requests.clear();
}

// Records the pairs that touched and have left the frames while awake.
void WarmTable::Impl::lose_touches() {
    for (std::size_t i = 0; touches.is_used && i < names.size(); ++i) {
        if (taken_[i] || !touches.touched(i) || is_removed(names[i])) continue;
        // If a pair is listed twice, only the first entry is taken or kept.
        if (find(names[i]) == i && kept.find(names[i]) == kNoPair) touches.lost.push_back({names[i], kNoPair, 0});
    }
}

std::span<WarmCache> WarmTable::Impl::begin(Strided<Pair> pairs) {
    const std::size_t count = pairs.size(), count_before = names.size();
    std::swap(before, now);
    now.end_references();
    if (!has_contacts) before.clear();
    has_contacts = false;
    touches.begin();
    resize_all(count, previous);
    // Most frames have the pairs of the frame before, or begin with them.
    const std::size_t same = follow_same(pairs);
    identical_ = same;
    if (same == count && count == count_before)
        keep_requests.clear();
    else
        follow_others(pairs, same);
    is_begun = true;
    has_new_names = false;
    return caches;
}

// Follows the pairs from `same` on. Earlier pairs have the same index as in the frame before.
void WarmTable::Impl::follow_others(Strided<Pair> pairs, std::size_t same) {
    const std::size_t count = pairs.size(), count_before = names.size();
    resize_all(count, next_names_, next_caches_);
    resize_all(touches.is_used ? count : 0, next_touches_);
    resize_all(count_before, taken_);
    std::fill_n(taken_.begin(), same, std::uint8_t(1));
    std::fill(taken_.begin() + std::ptrdiff_t(same), taken_.end(), std::uint8_t(0));
    std::copy_n(names.begin(), same, next_names_.begin());
    std::copy_n(caches.begin(), same, next_caches_.begin());
    if (touches.is_used) std::copy_n(touches.before.begin(), same, next_touches_.begin());
    // Local copies, because the compiler must assume that a store to a byte changes any member.
    const Pair* const old_names = names.data();
    Pair* const new_names = next_names_.data();
    const WarmCache* const old_caches = caches.data();
    WarmCache* const new_caches = next_caches_.data();
    PreviousPair* const out = previous.data();
    std::uint8_t* const is_taken = taken_.data();
    const std::uint8_t* const old_touches = touches.is_used ? touches.before.data() : nullptr;
    // Most pairs follow the pair after the one that their predecessor followed. Only the others are looked up.
    std::size_t expected = same;
    for (std::size_t i = same; i < count; ++i) {
        const Pair pair = new_names[i] = pairs[i];
        const bool is_expected = expected < count_before && old_names[expected] == pair && !is_removed(pair);
        const std::uint32_t found = is_expected ? std::uint32_t(expected) : find(pair);
        if (found == kNoPair) {
            new_caches[i] = {};
            out[i] = {};
            const bool touched = !kept.empty() && bring_back(i, pair, count_before);
            if (old_touches) next_touches_[i] = touched;
            continue;
        }
        copy_cache(new_caches[i], old_caches[found]);
        out[i] = {is_taken[found] ? kNoPair : found, old_names[found].a != pair.a};
        if (old_touches) next_touches_[i] = old_touches[found];
        is_taken[found] = 1;
        expected = found + 1;
    }
    keep_requested();
    lose_touches();
    caches.swap(next_caches_);
    names.swap(next_names_);
    touches.before.swap(next_touches_);
    is_indexed_ = false;
    index_.reserve(count);
}

CallResult WarmTable::Impl::check_begun(const char* call) const {
    return is_begun ? CallResult{} : bad_argument(message_of("WarmTable::", call, ": begin() comes first"));
}

CallResult WarmTable::Impl::check_named(const char* call) const {
    if (CallResult result = check_begun(call); !result) return result;
    if (has_new_names)
        return bad_argument(
            message_of("WarmTable::", call, ": bodies were renamed or pairs dropped since the last begin()"));
    return {};
}

CallResult WarmTable::Impl::check(const FrameContacts& frame, const CarryOverOptions& options) const {
    if (CallResult result = check_named("carry_over"); !result) return result;
    if (CallResult result = check_frames(before.view(), frame, options); !result) return result;
    if (CallResult result = check_pairs(names, frame.pairs); !result) return result;
    if (CallResult result = check_size("FrameContacts::first_manifold", frame.first_manifold, names.size() + 1, false);
        !result)
        return result;
    if (!frame.manifolds.empty() && frame.manifolds.back().pair >= names.size())
        return bad_argument(message_of("WarmTable::carry_over: a manifold is of pair ", frame.manifolds.back().pair,
                                       ", but the frame has ", names.size()));
    return {};
}

CallResult WarmTable::Impl::carry_over(const FrameContacts& frame, const CarryOverOptions& options) {
    if (CallResult result = check(frame, options); !result) return result;
    has_contacts = false;
    resize_all(frame.contacts.size(), previous_contacts, by, now.impulses);
    resize_all(frame.manifolds.size(), previous_manifolds);
    resize_all(before.manifolds.size(), next_manifolds);
    carry_over_with_impulses(before.view(), frame, previous,
                             {previous_contacts, previous_manifolds, next_manifolds, by},
                             {before.impulses, now.impulses}, options);
    carry_floats(
        previous_contacts, [](std::uint32_t index) { return index; }, before.contact_floats, now.contact_floats,
        floats.per_contact);
    carry_floats(
        previous_manifolds, [](const PreviousManifold& manifold) { return manifold.index; }, before.manifold_floats,
        now.manifold_floats, floats.per_manifold);
    now.assign(frame, options.in_place);
    has_contacts = true;
    return {};
}

void WarmTable::Impl::set_floats(const FloatCounts& counts) {
    if (counts == floats) return;
    floats = counts;
    before.resize_floats(counts);
    now.resize_floats(counts);
    kept.set_floats(counts);
}

TouchChanges WarmTable::Impl::touch_changes(const TouchOptions& options) {
    touches.use(names.size());
    find_touching_pairs(now.view(), options, touches.before, touches.now);
    return touches.list(names);
}

TouchChanges WarmTable::Impl::overlap_changes(std::span<const std::uint32_t> bits) {
    touches.use(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) touches.now[i] = bits[i / 32] >> (i % 32) & 1;
    return touches.list(names);
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
    has_new_names = true;
    is_indexed_ = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (dropped.find(names[i], dropped_at) == kNoPair) continue;
        if (touches.touched(i) && !is_removed(names[i])) touches.lost.push_back({names[i], kNoPair, 0});
        names[i] = {kRemovedBody, kRemovedBody};
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::uint32_t place = kept.find(pairs[i]);
        if (place == kNoPair) continue;
        if (kept.known(place).touched) touches.lost.push_back({kept.known(place).pair, kNoPair, 0});
        kept.drop(place);
    }
}

void WarmTable::Impl::clear() {
    index_.clear();
    is_indexed_ = is_begun = has_new_names = has_contacts = false;
    identical_ = 0;
    names.clear();
    next_names_.clear();
    caches.clear();
    next_caches_.clear();
    previous.clear();
    taken_.clear();
    keep_requests.clear();
    before.clear();
    now.end_references();
    touches.clear();
    kept.clear();
}

void WarmTable::Impl::reserve(std::size_t pairs, std::size_t contacts) {
    index_.reserve(pairs);
    names.reserve(pairs);
    next_names_.reserve(pairs);
    caches.reserve(pairs);
    next_caches_.reserve(pairs);
    previous.reserve(pairs);
    taken_.reserve(pairs);
    keep_requests.reserve(pairs);
    before.reserve(pairs, contacts, floats);
    now.reserve(pairs, contacts, floats);
    previous_contacts.reserve(contacts);
    previous_manifolds.reserve(contacts);
    next_manifolds.reserve(contacts);
    by.reserve(contacts);
    if (touches.is_used) touches.reserve(pairs), next_touches_.reserve(pairs);
    kept.reserve(pairs, contacts);
}

}  // namespace abut
