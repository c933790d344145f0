// The first of a pair's children in some order: by a lower bound on their distance, or by the time from which on they
// may be met. Children are computed a few at a time in this order, until the answer comes before the next child.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace abut {

struct OrderedChild {
    double key;
    std::uint32_t a, b;      // children of the bodies in canonical order
    bool is_inside = false;  // the child's centre is in the surface's solid

    bool operator<(const OrderedChild& other) const {
        return std::tie(key, a, b) < std::tie(other.key, other.a, other.b);
    }
};
// A key that comes before those of all children.
inline constexpr OrderedChild kBeforeAll = {-HUGE_VAL, 0, 0};

// The progress of one pair.
struct ChildOrder {
    OrderedChild last = kBeforeAll;  // all children up to this one are computed
    std::uint32_t listed = 0;        // children listed now
    std::size_t all = 0;             // children listed now and before
    bool has_more = true;
};

// Keeps the first `most` of the children that come after ChildOrder::last but not after `limit`, as a heap with the
// last of them in front.
class FirstChildren {
public:
    FirstChildren(ChildOrder& order, OrderedChild* heap, std::uint32_t most, double limit)
        : order_(order), heap_(heap), most_(most), limit_(limit) {}

    void add(const OrderedChild& child) {
        if (!(order_.last < child) || child.key > limit_ || (is_full() && !(child < heap_[0]))) return;
        if (is_full()) std::pop_heap(heap_, heap_ + size_--);
        heap_[size_++] = child;
        std::push_heap(heap_, heap_ + size_);
    }
    // Excludes children with larger keys from now on.
    void shorten(double limit) { limit_ = limit < limit_ ? limit : limit_; }
    // No child with a larger key is kept.
    double limit() const { return is_full() && heap_[0].key < limit_ ? heap_[0].key : limit_; }
    // Sorts the children, and removes those beyond a limit that was shortened meanwhile.
    void finish() {
        std::sort_heap(heap_, heap_ + size_);
        while (size_ != 0 && heap_[size_ - 1].key > limit_) --size_;
        order_.listed = size_, order_.all += size_;
        order_.has_more = is_full();
        if (size_ != 0) order_.last = heap_[size_ - 1];
    }

    bool is_full() const { return size_ == most_; }

private:
    ChildOrder& order_;
    OrderedChild* heap_;
    std::uint32_t most_, size_ = 0;
    double limit_;
};

}  // namespace abut
