#include "coherence/remembered.hpp"

#include <algorithm>
#include <cstring>

#include "convex/contract/pair_records.hpp"

namespace abut {

namespace {

constexpr Pair kNoBodies = {kRemovedBody, kRemovedBody};
constexpr Body kNoBody = {
    {}, {}, {0, 0, 0, 0}};  // a zero orientation gives NaN, so that no contact matches by position

template <class T>
void copy_to(Vector<T>& to, std::span<const T> from) {
    make_room(to, from.size());
    to.assign(from.begin(), from.end());
}

}  // namespace

void RememberedFrame::clear() {
    first_manifold.copy({});
    manifolds.copy({});
    contacts.copy({});
    impulses.clear();
    contact_floats.clear();
    manifold_floats.clear();
    pairs.clear();
    bodies.clear();
}

void RememberedFrame::reserve(std::size_t pair_count, std::size_t contact_count, const FloatCounts& floats) {
    first_manifold.own().reserve(pair_count + 1);
    manifolds.own().reserve(contact_count);
    contacts.own().reserve(contact_count);
    impulses.reserve(contact_count);
    contact_floats.reserve(contact_count * floats.per_contact);
    manifold_floats.reserve(contact_count * floats.per_manifold);
    pairs.reserve(pair_count);
    bodies.reserve(2 * pair_count);
}

void RememberedFrame::resize_floats(const FloatCounts& floats) {
    contact_floats.assign(contacts.size() * floats.per_contact, 0.0f);
    manifold_floats.assign(manifolds.size() * floats.per_manifold, 0.0f);
}

void RememberedFrame::assign(const FrameContacts& frame, bool in_place) {
    const std::span<const std::uint32_t> first = frame.first_manifold.first(frame.pairs.size() + 1);
    const auto remember = [in_place](auto& to, auto from) { in_place ? to.refer_to(from) : to.copy(from); };
    remember(first_manifold, first);
    remember(manifolds, frame.manifolds);
    remember(contacts, frame.contacts);
    make_room(pairs, frame.pairs.size());
    pairs.resize(frame.pairs.size());
    const std::size_t most = 2 * std::min(pairs.size(), manifolds.size());
    const bool has_poses_of_pairs = !frame.relative_poses.empty() || !frame.bodies.columns().double_positions.empty();
    if (frame.bodies.size() <= most && !has_poses_of_pairs)
        assign_bodies(frame);
    else
        assign_bodies_of_pairs(frame, most);
}

void RememberedFrame::assign_bodies(const FrameContacts& frame) {
    const Strided<Pair> named = frame.pairs;
    const Strided<Body> records = frame.bodies.records();
    const std::size_t count = frame.bodies.size();
    Pair* out = pairs.data();
    for (std::size_t i = 0; i < named.size(); ++i) {
        const Pair pair = named[i];
        out[i] = pair.a < count && pair.b < count ? pair : kNoBodies;
    }
    if (!records.empty() && records.stride() == sizeof(Body)) {
        copy_to(bodies, std::span(reinterpret_cast<const Body*>(records.address(0)), count));
        return;
    }
    make_room(bodies, count);
    bodies.resize(count);
    const PairRecordBuilder record_of(frame.bodies, frame.relative_poses);
    for (std::uint32_t i = 0; i < count; ++i)
        if (records.empty())
            record_of.put_body(i, bodies[i]);
        else
            std::memcpy(&bodies[i], records.address(i), sizeof(Body));
}

void RememberedFrame::assign_bodies_of_pairs(const FrameContacts& frame, std::size_t most) {
    std::fill(pairs.begin(), pairs.end(), kNoBodies);
    make_room(bodies, most);
    bodies.resize(most);
    const PairRecordBuilder place(frame.bodies, frame.relative_poses);
    std::uint32_t last = kNoPair, count = 0;
    for (const Manifold& manifold : manifolds) {
        if (manifold.pair == last || manifold.pair >= pairs.size()) continue;
        last = manifold.pair;
        const Pair indices = frame.pairs[last];
        if (indices.a >= frame.bodies.size() || indices.b >= frame.bodies.size()) continue;
        pairs[last] = {count, count + 1};
        place.put({last, indices.a, indices.b}, bodies[count], bodies[count + 1]);
        count += 2;
    }
    bodies.resize(count);
}

void RememberedFrame::extend(std::size_t count) {
    pairs.resize(count, kNoBodies);
    first_manifold.own().resize(count + 1, std::uint32_t(manifolds.size()));
}

void KeptPairs::keep(const Known& known, const RememberedFrame& frame, std::size_t i) {
    if (!index_.has_room_for(live_ + 1)) {
        const auto counts = [&](std::size_t k) { return k < pairs_.size() && pairs_[k].live; };
        index_.build(std::max(pairs_.size(), 2 * (live_ + 1)), pair_at(), counts);
    }
    const std::uint32_t place = new_pair();
    KeptPair& kept = pairs_[place];
    kept = {.known = known, .live = true, .first = kNoManifold, .a = kNoBody, .b = kNoBody};
    ++live_;
    index_.insert(place, pair_at());
    if (i >= frame.pairs.size()) return;  // contacts were not carried over in that frame
    if (frame.pairs[i] != kNoBodies) {
        kept.a = frame.bodies[frame.pairs[i].a];
        kept.b = frame.bodies[frame.pairs[i].b];
    }
    const std::size_t first = frame.first_manifold[i],
                      last = std::min<std::size_t>(frame.first_manifold[i + 1], frame.manifolds.size());
    for (std::size_t m = last; m-- > first;) {  // backwards, since each goes to the head of the chain
        const Manifold& manifold = frame.manifolds[m];
        const std::uint32_t at = new_manifold();
        KeptManifold& node = manifolds_[at];
        node.manifold = manifold;
        node.next = kept.first;
        kept.first = at;
        const std::size_t from = std::min<std::size_t>(manifold.first_contact, frame.contacts.size());
        const std::size_t count =
            std::min<std::size_t>({manifold.contact_count, kKeptContacts, frame.contacts.size() - from});
        node.manifold.contact_count = std::uint32_t(count);
        std::copy_n(frame.contacts.data() + from, count, node.contacts);
        std::copy_n(frame.impulses.data() + from, count, node.impulses);
        float* const own =
            std::copy_n(frame.manifold_floats.data() + m * floats_.per_manifold, floats_.per_manifold, floats_of(at));
        std::copy_n(frame.contact_floats.data() + from * floats_.per_contact, count * floats_.per_contact, own);
    }
}

KeptPairs::Known KeptPairs::take_back(std::uint32_t place, RememberedFrame& frame) {
    const KeptPair kept = pairs_[place];
    const auto pair = std::uint32_t(frame.pairs.size()), body = std::uint32_t(frame.bodies.size());
    frame.pairs.push_back({body, body + 1});
    frame.bodies.push_back(kept.a);
    frame.bodies.push_back(kept.b);
    const auto append = [](auto& to, const auto* from, std::size_t count) { to.insert(to.end(), from, from + count); };
    Vector<Manifold>& manifolds = frame.manifolds.own();
    Vector<Contact>& contacts = frame.contacts.own();
    for (std::uint32_t at = kept.first; at != kNoManifold; at = manifolds_[at].next) {
        const KeptManifold& node = manifolds_[at];
        const std::size_t count = node.manifold.contact_count;
        manifolds.push_back(node.manifold);
        manifolds.back().pair = pair;
        manifolds.back().first_contact = std::uint32_t(contacts.size());
        append(contacts, node.contacts, count);
        append(frame.impulses, node.impulses, count);
        append(frame.manifold_floats, floats_of(at), floats_.per_manifold);
        append(frame.contact_floats, floats_of(at) + floats_.per_manifold, count * floats_.per_contact);
    }
    frame.first_manifold.own().push_back(std::uint32_t(manifolds.size()));
    drop(place);
    return kept.known;
}

void KeptPairs::set_floats(const FloatCounts& floats) {
    floats_ = floats;
    kept_floats_.assign(manifolds_.size() * float_stride(), 0.0f);
}

void KeptPairs::drop(std::uint32_t place) {
    index_.erase(known(place).pair, pair_at());
    forget(place);
}

// Frees the pair and its manifolds, but does not remove it from the index.
void KeptPairs::forget(std::uint32_t place) {
    KeptPair& kept = pairs_[place];
    while (kept.first != kNoManifold) {
        const std::uint32_t at = kept.first;
        kept.first = manifolds_[at].next;
        manifolds_[at].next = free_manifold_;
        free_manifold_ = at;
    }
    kept.live = false;
    kept.first = free_pair_;
    free_pair_ = place;
    --live_;
}

// Drops the pairs whose bodies a remap has removed, and rebuilds the index. If the remap gave two pairs the same
// bodies, the first one stays.
void KeptPairs::drop_removed() {
    index_.build(pairs_.size(), pair_at(),
                 [&](std::size_t i) { return pairs_[i].live && !is_removed(pairs_[i].known.pair); });
    for (std::uint32_t i = 0; i < pairs_.size(); ++i)
        if (pairs_[i].live && find(known(i).pair) != i) forget(i);
}

std::uint32_t KeptPairs::new_pair() {
    if (free_pair_ == kNoPair) {
        pairs_.emplace_back();
        return std::uint32_t(pairs_.size() - 1);
    }
    const std::uint32_t place = free_pair_;
    free_pair_ = pairs_[place].first;
    return place;
}

std::uint32_t KeptPairs::new_manifold() {
    if (free_manifold_ == kNoManifold) {
        kept_floats_.resize(kept_floats_.size() + float_stride());
        manifolds_.emplace_back();
        return std::uint32_t(manifolds_.size() - 1);
    }
    const std::uint32_t at = free_manifold_;
    free_manifold_ = manifolds_[at].next;
    return at;
}

void KeptPairs::clear() {
    pairs_.clear();
    manifolds_.clear();
    kept_floats_.clear();
    index_.clear();
    live_ = 0;
    free_pair_ = kNoPair;
    free_manifold_ = kNoManifold;
}

void KeptPairs::reserve(std::size_t pairs, std::size_t contacts) {
    pairs_.reserve(pairs);
    manifolds_.reserve(contacts);
    kept_floats_.reserve(contacts * float_stride());
    index_.reserve(2 * pairs + 2);
}

}  // namespace abut
