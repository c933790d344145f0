// The manifolds of one pair in the frame before, among which the pair's present manifolds are found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/carry_over.hpp>

#include "base/compiler_support.hpp"

namespace abut {

inline std::uint64_t key_of(std::uint32_t major, std::uint32_t minor) { return std::uint64_t(major) << 32 | minor; }

// Normals of one manifold in two frames are within ten degrees.
inline constexpr float kLeastCosine = 0.985f;
inline float cosine(Vec3 n, Vec3 m) { return n.x * m.x + n.y * m.y + n.z * m.z; }

// Finds the previous manifolds of one pair by their children, which usually come in the same order again.
class Siblings {
public:
    explicit Siblings(const FrameContacts& before) : manifolds_(before.manifolds), firsts_(before.first_manifold) {}

    void set_pair(PreviousPair pair) {
        pair_ = pair.index;
        swapped_ = pair.swapped;
        order_ = Order::unknown;
        next_ = first_ = last_ = 0;
        if (pair_ == kNoPair || std::size_t(pair_) + 1 >= firsts_.size()) return;
        last_ = std::min<std::size_t>(firsts_[pair_ + 1], manifolds_.size());
        next_ = first_ = std::min<std::size_t>(firsts_[pair_], last_);
    }
    bool swapped() const { return swapped_; }
    std::uint32_t first() const { return std::uint32_t(first_); }
    // The index of the next manifold if the order is as before; past the end of all manifolds if the pair has no more.
    std::size_t expected() const { return next_ < last_ ? next_ : manifolds_.size(); }
    void expect(std::size_t i) {
        if (first_ <= i && i < last_) next_ = i;
    }

    // True if first() was the pair's only manifold, and has the same children and nearly the same normal. It is then
    // the previous manifold for shapes of any kind.
    bool is_only_child(const Manifold& now) const {
        return last_ - first_ == 1 && !swapped_ && is_of(first_, now.child_a, now.child_b) &&
               cosine(manifolds_[first_].normal, now.normal) > kLeastCosine;
    }

    // Finds the manifold for which may_be(its index, its children in the present order) is true, with the nearest
    // normal, within ten degrees. While a body slides, the child or triangle that a manifold names changes, but its
    // normal does not.
    template <class MayBe>
    std::uint32_t find_by_normal(const Manifold& now, const MayBe& may_be) const {
        const Vec3 n = swapped_ ? Vec3{-now.normal.x, -now.normal.y, -now.normal.z} : now.normal;
        float most = kLeastCosine;
        std::uint32_t nearest = kNoManifold;
        for (std::size_t i = first_; i < last_; ++i) {
            const Manifold& m = manifolds_[i];
            if (!may_be(i, swapped_ ? m.child_b : m.child_a, swapped_ ? m.child_a : m.child_b)) continue;
            if (const float near = cosine(m.normal, n); near > most) most = near, nearest = std::uint32_t(i);
        }
        return nearest;
    }

    // The index of the manifold with these children, or kNoManifold.
    std::uint32_t find(const Manifold& now) {
        const std::uint32_t a = swapped_ ? now.child_b : now.child_a, b = swapped_ ? now.child_a : now.child_b;
        const std::size_t found = next_ < last_ && is_of(next_, a, b) ? next_ : search(a, b);
        if (found == last_) return kNoManifold;
        next_ = found + 1;
        return std::uint32_t(found);
    }

private:
    bool is_of(std::size_t i, std::uint32_t a, std::uint32_t b) const {
        return manifolds_[i].child_a == a && manifolds_[i].child_b == b;
    }

    ABUT_NOINLINE std::size_t search(std::uint32_t a, std::uint32_t b) {
        std::size_t i = first_;
        if (last_ - first_ > kFew && order() != Order::none) {
            i = bisect(a, b);
            return i < last_ && is_of(i, a, b) ? i : last_;
        }
        while (i < last_ && !is_of(i, a, b)) ++i;
        return i;
    }

    // `collide` sorts manifolds by the children of one body, then by the other's.
    enum class Order { unknown, a_first, b_first, none };
    static constexpr std::size_t kFew = 16;  // up to this many are searched one by one

    Order order() {
        if (order_ != Order::unknown) return order_;
        const auto begin = manifolds_.begin() + std::ptrdiff_t(first_),
                   end = manifolds_.begin() + std::ptrdiff_t(last_);
        const auto is_sorted = [&](auto key) {
            return std::is_sorted(begin, end, [&](const Manifold& p, const Manifold& q) { return key(p) < key(q); });
        };
        if (is_sorted(a_first)) return order_ = Order::a_first;
        return order_ = is_sorted(b_first) ? Order::b_first : Order::none;
    }
    static std::uint64_t a_first(const Manifold& m) { return key_of(m.child_a, m.child_b); }
    static std::uint64_t b_first(const Manifold& m) { return key_of(m.child_b, m.child_a); }

    std::size_t bisect(std::uint32_t a, std::uint32_t b) const {
        const bool by_a = order_ == Order::a_first;
        const std::uint64_t key = by_a ? key_of(a, b) : key_of(b, a);
        const auto begin = manifolds_.begin() + std::ptrdiff_t(first_),
                   end = manifolds_.begin() + std::ptrdiff_t(last_);
        const auto at = std::lower_bound(
            begin, end, key, [&](const Manifold& m, std::uint64_t k) { return (by_a ? a_first(m) : b_first(m)) < k; });
        return std::size_t(at - manifolds_.begin());
    }

    std::span<const Manifold> manifolds_;
    std::span<const std::uint32_t> firsts_;
    std::uint32_t pair_ = kNoPair;
    bool swapped_ = false;
    std::size_t first_ = 0, last_ = 0, next_ = 0;
    Order order_ = Order::unknown;
};

}  // namespace abut
