// What WarmTable remembers: the contacts of a frame, in arrays as the frame had them; and those of pairs that are asleep, each on its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <abut/carry_over.hpp>
#include <abut/warm_table.hpp>

#include "host/memory.hpp"
#include "warm/pair_index.hpp"

namespace abut {

// The poses are copied a pair, not a body, so that a frame of few contacts among many bodies is cheap to remember, and that no
// remap of bodies concerns them: the bodies of pair i are those at pairs[i].
struct RememberedFrame {
    Vector<std::uint32_t> first_manifold;
    Vector<Manifold> manifolds;
    Vector<Contact> contacts;
    Vector<ContactImpulse> impulses;
    Vector<Pair> pairs;
    Vector<Body> bodies;

    FrameContacts view() const { return {bodies, pairs, first_manifold, manifolds, contacts}; }
    void clear();
    void reserve(std::size_t pair_count, std::size_t contact_count);
    // Without impulses. Precondition: first_manifold has pairs + 1 entries or more.
    void assign(const FrameContacts& frame);
    // Makes it a frame of `count` pairs, the new ones without contacts.
    void extend(std::size_t count);
};

// `collide` gives at most 4; of what has more the first are kept.
inline constexpr std::uint32_t kKeptContacts = 4;

inline bool is_removed(Pair pair) { return pair.a == kRemovedBody || pair.b == kRemovedBody; }

class KeptPairs {
    auto pair_at() const {
        return [this](std::size_t i) { return pairs_[i].pair; };
    }

public:
    std::size_t size() const { return live_; }
    bool empty() const { return live_ == 0; }
    // The pair's place here, or kNoPair.
    std::uint32_t find(Pair pair) const { return index_.find(pair, pair_at()); }

    // Pair `i` of the frame. Precondition: it is not here.
    void keep(Pair pair, const WarmCache& cache, const RememberedFrame& frame, std::size_t i);
    // Appends what is at `place` to the frame as a pair of its own, and forgets it here. Returns its cache and the order it had its bodies in.
    std::pair<WarmCache, Pair> take_back(std::uint32_t place, RememberedFrame& frame);
    void drop(std::uint32_t place);
    // f(place) of each, ascending.
    template <class F>
    void for_each(F&& f) const {
        for (std::uint32_t i = 0; i < pairs_.size(); ++i)
            if (pairs_[i].live) f(i);
    }

    // `rename(body)` is its new index, or kRemovedBody.
    template <class Rename>
    void rename(Rename rename);
    void clear();
    void reserve(std::size_t pairs, std::size_t contacts);

private:
    struct KeptPair {
        Pair pair;
        bool live = false;
        std::uint32_t first = kNoManifold;  // of a chain of manifolds; of free pairs and manifolds likewise
        WarmCache cache;
        Body a, b;
    };
    struct KeptManifold {
        Manifold manifold;
        std::uint32_t next = kNoManifold;
        Contact contacts[kKeptContacts];
        ContactImpulse impulses[kKeptContacts];
    };

    void drop_removed();
    void forget(std::uint32_t place);
    std::uint32_t new_pair();
    std::uint32_t new_manifold();

    Vector<KeptPair> pairs_;
    Vector<KeptManifold> manifolds_;
    PairIndex index_;
    std::size_t live_ = 0;
    std::uint32_t free_pair_ = kNoPair, free_manifold_ = kNoManifold;
};

template <class Rename>
void KeptPairs::rename(Rename rename) {
    if (empty()) return;
    for (KeptPair& kept : pairs_)
        if (kept.live) kept.pair = {rename(kept.pair.a), rename(kept.pair.b)};
    drop_removed();
}

}  // namespace abut
