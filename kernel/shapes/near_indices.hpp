// Indices close to an anchor, in two bytes each; the few others are in a sorted table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/memory.hpp"

namespace abut {

struct NearIndices {
    static constexpr std::int16_t kFar = -32768, kAbsent = -32767;
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Far {
        std::uint32_t at, index;
    };
    Vector<std::int16_t> offsets;
    Vector<Far> far;  // ascending by `at`

    void append(std::uint32_t index, std::uint32_t anchor) {
        const std::int64_t offset = std::int64_t(index) - anchor;
        if (index == kNone) return offsets.push_back(kAbsent);
        const bool is_near = offset > kAbsent && offset <= 32767;
        if (!is_near) far.push_back({std::uint32_t(offsets.size()), index});
        offsets.push_back(is_near ? std::int16_t(offset) : kFar);
    }

    std::uint32_t at(std::uint32_t position, std::uint32_t anchor) const {
        const std::int16_t offset = offsets[position];
        if (offset > kAbsent) return anchor + std::uint32_t(std::int32_t(offset));
        return offset == kAbsent ? kNone : far_at(position);
    }

    std::size_t bytes() const { return offsets.size() * sizeof(offsets[0]) + far.size() * sizeof(Far); }

private:
    std::uint32_t far_at(std::uint32_t position) const {
        return std::lower_bound(far.begin(), far.end(), position,
                                [](const Far& f, std::uint32_t p) { return f.at < p; })
            ->index;
    }
};

}  // namespace abut
