// The boxes of a call in the order of their blocks: what moves first, then the largest first, then along a Morton curve.
#pragma once

#include <cstdint>
#include <span>

#include <abut/broad_phase.hpp>

#include "broad/workers.hpp"
#include "host/memory.hpp"

namespace abut {

// A box by its place in the order. Entries are sorted by key.
struct BoxEntry {
    std::uint32_t key, id;
};

// Boxes of one group are contiguous. Bad boxes have none.
inline constexpr std::uint32_t kSizeClasses = 3, kBoxGroups = 2 * kSizeClasses;

// Reads a call's boxes, widened by their margins.
class BoxReader {
public:
    explicit BoxReader(const Boxes& boxes) : boxes_(boxes), has_margins_(!boxes.margins.empty()) {}
    Bounds operator[](std::size_t i) const {
        const Bounds given = boxes_.bounds[i];
        const float margin = has_margins_ ? boxes_.margins[i] : boxes_.margin;
        return margin == 0.0f ? given : widened(given, margin);
    }
    bool moves(std::size_t i) const { return boxes_.moving.empty() || boxes_.moving[i] != 0; }
    std::size_t size() const { return boxes_.bounds.size(); }

private:
    static Bounds widened(const Bounds& box, float margin);

    const Boxes& boxes_;
    bool has_margins_;
};

class BoxOrder {
public:
    void sort(const BoxReader& boxes, const Workers& workers);

    // Group g has the entries [first[g], first[g + 1]).
    std::span<const BoxEntry> entries() const { return {entries_.data(), first_[kBoxGroups]}; }
    std::span<const std::uint32_t> first() const { return first_; }
    // The indices of bad boxes, ascending.
    std::span<const std::uint32_t> bad() const { return bad_; }

private:
    struct Part {
        float low[3], high[3];  // of centres
    };

    void survey(const BoxReader& boxes, const Workers& workers);
    void sort_keys(std::size_t count, std::uint32_t digit_bits, std::uint32_t digits, const Workers& workers);
    void refine(const BoxReader& boxes, std::size_t first, std::size_t end, int depth);
    void refine_runs(const BoxReader& boxes, std::size_t first, std::size_t end, int depth);

    Vector<BoxEntry> entries_, other_;
    Vector<std::uint32_t> counts_, bad_;
    Vector<Part> parts_;
    float low_[3], high_[3], median_ = 0.0f;
    std::uint32_t first_[kBoxGroups + 1] = {};
};

}  // namespace abut
