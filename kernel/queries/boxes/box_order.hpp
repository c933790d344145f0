// The boxes of a call, sorted for blocks: moving before resting, larger before smaller, then along a Morton curve.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <abut/broad_phase.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_tree.hpp"
#include "queries/boxes/rest_sieve.hpp"
#include "queries/boxes/workers.hpp"

namespace abut {

// Reads a call's boxes, widened by their margins.
class BoxReader {
public:
    explicit BoxReader(const Boxes& boxes) : boxes_(boxes), has_margins_(!boxes.margins.empty()) {}
    Bounds operator[](std::size_t i) const {
        const Bounds given = boxes_.bounds[i];
        const float margin = has_margins_ ? boxes_.margins[i] : boxes_.margin;
        return margin == 0.0f ? given : widened(given, margin);
    }
    // The number of moving boxes.
    std::size_t moving() const {
        if (boxes_.moving.empty()) return size();
        std::size_t count = 0;
        for (std::size_t i = 0; i < size(); ++i) count += boxes_.moving[i] != 0;
        return count;
    }
    bool moves(std::size_t i) const { return boxes_.moving.empty() || boxes_.moving[i] != 0; }
    std::size_t size() const { return boxes_.bounds.size(); }
    BoxColumns columns() const {
        return {boxes_.bounds.address(0),
                boxes_.bounds.stride(),
                has_margins_ ? boxes_.margins.address(0) : nullptr,
                boxes_.margins.stride(),
                boxes_.margin,
                boxes_.moving.empty() ? nullptr : boxes_.moving.address(0),
                boxes_.moving.stride()};
    }

private:
    static Bounds widened(const Bounds& box, float margin);

    const Boxes& boxes_;
    bool has_margins_;
};

class BoxOrder {
public:
    // `pairs_of_one_set`: the sort may leave out boxes at rest that no moving box is near.
    void sort(const BoxReader& boxes, bool pairs_of_one_set, const BoxKernels& kernels, const Workers& workers);

    // Group g has the entries [first[g], first[g + 1]).
    std::span<const BoxEntry> entries() const { return {entries_.data(), first_[kBoxGroups]}; }
    std::span<const std::uint32_t> first() const { return first_; }
    // The indices of bad boxes, ascending.
    std::span<const std::uint32_t> bad() const { return bad_; }

private:
    struct Part {
        CentreRange centres;
        std::size_t kept;  // the number of boxes that the sieve keeps
    };

    // The boxes to sort: all, or those of selected_.
    std::size_t size(const BoxReader& boxes) const { return is_selection_ ? selected_.size() : boxes.size(); }
    std::uint32_t id(std::size_t i) const { return is_selection_ ? selected_[i] : std::uint32_t(i); }

    bool select(const BoxReader& boxes, std::size_t moving, const Workers& workers);
    void list_few(const BoxReader& boxes, std::size_t count);
    CentreRange survey(const BoxReader& boxes, const BoxKernels& kernels, const Workers& workers);
    void find_keys(const BoxReader& boxes, const MortonCurve& curve, const BoxKernels& kernels, const Workers& workers);
    void sort_keys(std::size_t count, std::uint32_t digit_bits, std::uint32_t digits, const Workers& workers);
    void refine(const BoxColumns& boxes, const BoxKernels& kernels, std::size_t first, std::size_t end, int depth);
    void refine_runs(const BoxColumns& boxes, const BoxKernels& kernels, std::size_t first, std::size_t end, int depth);

    Vector<BoxEntry> entries_, other_;
    Vector<std::uint32_t> counts_, bad_;
    Vector<Part> parts_;
    Vector<std::uint32_t> selected_;
    bool is_selection_ = false;
    RestSieve sieve_;
    float median_ = 0.0f;
    std::uint32_t first_[kBoxGroups + 1] = {};
};

}  // namespace abut
