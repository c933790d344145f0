// The memory of a WarmTable: the contacts of a frame, in the frame's arrays, and those of sleeping pairs, pair by pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <abut/carry_over.hpp>
#include <abut/warm_table.hpp>

#include "base/memory.hpp"
#include "coherence/pair_index.hpp"

namespace abut {

// Makes room for `count` elements. If this needs memory, takes a quarter more, so that later frames with a few elements
// more need none. The elements are then lost.
template <class T>
void make_room(Vector<T>& items, std::size_t count) {
    if (count > items.capacity()) items.clear(), items.reserve(count + count / 4);
}

// An array to read: a copy of the table's own, or the caller's in place. A copy of it has its own.
template <class T>
class Kept {
public:
    using value_type = T;

    Kept() = default;
    Kept(const Kept& other) : own_(other.begin(), other.end()) {}
    Kept(Kept&&) noexcept = default;
    ~Kept() = default;
    Kept& operator=(const Kept& other) {
        if (this != &other) copy(other);
        return *this;
    }
    Kept& operator=(Kept&&) noexcept = default;

    const T* data() const { return is_in_place_ ? in_place_.data() : own_.data(); }
    std::size_t size() const { return is_in_place_ ? in_place_.size() : own_.size(); }
    bool empty() const { return size() == 0; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }

    void copy(std::span<const T> from) {
        is_in_place_ = false;
        make_room(own_, from.size());
        own_.assign(from.begin(), from.end());
    }
    void refer_to(std::span<const T> from) { in_place_ = from, is_in_place_ = true; }
    void end_reference() { is_in_place_ = false; }  // what there is now is not to be read
    // To change it.
    Vector<T>& own() {
        if (is_in_place_) copy(in_place_);
        return own_;
    }

private:
    Vector<T> own_;
    std::span<const T> in_place_;
    bool is_in_place_ = false;
};

// Floats of the caller's own (WarmTable::set_floats), at most kMostFloats of each.
inline constexpr std::size_t kMostFloats = 256;
struct FloatCounts {
    std::size_t per_contact = 0, per_manifold = 0;
    friend bool operator==(const FloatCounts&, const FloatCounts&) = default;
};

// The bodies of pair i are copies, at pairs[i], so that a remap of bodies does not change them. All bodies of the frame
// are copied; or two per pair in contact, if these are fewer (a frame of few contacts among many bodies is cheap to
// remember) or have poses relative to each other.
struct RememberedFrame {
    Kept<std::uint32_t> first_manifold;
    Kept<Manifold> manifolds;
    Kept<Contact> contacts;
    Vector<ContactImpulse> impulses;
    Vector<float> contact_floats, manifold_floats;
    Vector<Pair> pairs;
    Vector<Body> bodies;

    FrameContacts view() const { return {bodies, pairs, first_manifold, manifolds, contacts}; }
    void clear();
    // The caller's arrays may be gone from here on. Those of the frame are not to be read.
    void end_references() { first_manifold.end_reference(), manifolds.end_reference(), contacts.end_reference(); }
    void reserve(std::size_t pair_count, std::size_t contact_count, const FloatCounts& floats);
    // Zeros.
    void resize_floats(const FloatCounts& floats);
    // Without impulses and floats. Precondition: first_manifold has pairs + 1 entries or more.
    void assign(const FrameContacts& frame, bool in_place);
    // Extends the frame to `count` pairs; the new ones have no contacts.
    void extend(std::size_t count);

private:
    void assign_bodies(const FrameContacts& frame);
    void assign_bodies_of_pairs(const FrameContacts& frame, std::size_t most);
};

// `collide` gives at most 4 contacts per manifold. Of manifolds with more, the first are kept.
inline constexpr std::uint32_t kKeptContacts = 4;

inline bool is_removed(Pair pair) { return pair.a == kRemovedBody || pair.b == kRemovedBody; }

class KeptPairs {
    auto pair_at() const {
        return [this](std::size_t i) { return pairs_[i].known.pair; };
    }

public:
    std::size_t size() const { return live_; }
    bool empty() const { return live_ == 0; }
    // The pair's index, or kNoPair.
    std::uint32_t find(Pair pair) const { return index_.find(pair, pair_at()); }

    // What the table knows of a pair besides its contacts.
    struct Known {
        Pair pair;  // its bodies, in the order in which they were kept
        WarmCache cache;
        bool touched = false;
    };
    // Keeps pair `i` of the frame. Precondition: it is not kept already.
    void keep(const Known& known, const RememberedFrame& frame, std::size_t i);
    // Moves the kept pair with index `place` to the end of the frame.
    Known take_back(std::uint32_t place, RememberedFrame& frame);
    const Known& known(std::uint32_t place) const { return pairs_[place].known; }
    void drop(std::uint32_t place);
    // Zeros.
    void set_floats(const FloatCounts& floats);
    // Calls f(index) for each kept pair, ascending.
    template <class F>
    void for_each(F&& f) const {
        for (std::uint32_t i = 0; i < pairs_.size(); ++i)
            if (pairs_[i].live) f(i);
    }

    // `rename(known)` is the pair with its new indices, or kRemovedBody.
    template <class Rename>
    void rename(Rename rename);
    void clear();
    void reserve(std::size_t pairs, std::size_t contacts);

private:
    struct KeptPair {
        Known known;
        bool live = false;
        std::uint32_t first = kNoManifold;  // the head of its chain of manifolds; of a free pair: the next free pair
        Body a, b;
    };
    struct KeptManifold {
        Manifold manifold;
        std::uint32_t next = kNoManifold;
        Contact contacts[kKeptContacts];
        ContactImpulse impulses[kKeptContacts];
    };

    // The floats of manifold `at`: its own, then those of its contacts.
    std::size_t float_stride() const { return floats_.per_manifold + kKeptContacts * floats_.per_contact; }
    float* floats_of(std::uint32_t at) { return kept_floats_.data() + at * float_stride(); }
    void drop_removed();
    void forget(std::uint32_t place);
    std::uint32_t new_pair();
    std::uint32_t new_manifold();

    Vector<KeptPair> pairs_;
    Vector<KeptManifold> manifolds_;
    Vector<float> kept_floats_;  // float_stride() for each of manifolds_
    FloatCounts floats_;
    PairIndex index_;
    std::size_t live_ = 0;
    std::uint32_t free_pair_ = kNoPair, free_manifold_ = kNoManifold;
};

template <class Rename>
void KeptPairs::rename(Rename rename) {
    if (empty()) return;
    for (KeptPair& kept : pairs_)
        if (kept.live) kept.known.pair = rename(kept.known);
    drop_removed();
}

}  // namespace abut
