// Finds the boxes at rest that are near a moving box; the others can be left out of the tree.
#pragma once

#include <cstdint>

#include <abut/properties.hpp>

#include "base/four_wide.hpp"
#include "base/memory.hpp"

namespace abut {

// A grid over the moving boxes, of at most 64 cells along each axis. A cell's bit is set if a moving box reaches it.
// The cell of a coordinate is a monotone function of it, so that overlapping boxes share a cell whatever the rounding.
class RestSieve {
public:
    // Clears the grid: cells of edge `cell` or longer in [low, high]. All arguments are finite.
    void start(const float (&low)[3], const float (&high)[3], float cell);
    void mark(const Bounds& box);
    bool reaches(const Bounds& box) const;

private:
    static constexpr std::int32_t kCells = 64;

    struct Cells {
        std::int32_t low[3], high[3];
    };
    Cells cells_of(const Bounds& box) const;
    // The rows of a layer, by y.
    std::uint64_t* layer(std::int32_t z) { return rows_.data() + std::size_t(z) * kCells; }
    const std::uint64_t* layer(std::int32_t z) const { return rows_.data() + std::size_t(z) * kCells; }

    Vector<std::uint64_t> rows_;  // along x
    float low_[3], scale_;
};

}  // namespace abut
