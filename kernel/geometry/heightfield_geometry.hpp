// A height field: samples, and a tree of minimum and maximum heights. Neighbours of triangles are computed on demand.
#pragma once

#include <cmath>
#include <cstdint>

#include <abut/heightfield.hpp>
#include <abut/math.hpp>

#include "host/memory.hpp"

namespace abut {

inline constexpr std::uint32_t kMostSamples = 1u << 28;

// A range of heights; low is above high if there is no triangle.
struct HeightRange {
    float low, high;
};

struct HeightfieldGeometry {
    static constexpr std::uint32_t kBlock = 4;        // a block is so many cells, or blocks of the level below, on a side
    static constexpr std::uint32_t kMostLevels = 16;  // 4^16 cells on a side

    Vector<float> heights;  // row by row; NaN where there is a hole
    std::uint32_t rows = 0, columns = 0;
    float spacing_x = 1, spacing_z = 1;
    MeshSides sides = MeshSides::front;
    Vector<HeightRange> ranges;  // level by level, the blocks of cells first, row by row, the root last
    std::uint32_t level_first[kMostLevels] = {}, level_rows[kMostLevels] = {}, level_columns[kMostLevels] = {};
    std::uint32_t levels = 0;
    Vec3 bounds_min, bounds_max;
    std::uint32_t content = 0;
    HeightfieldReport report;

    std::uint32_t triangle_count() const { return 2 * (rows - 1) * (columns - 1); }  // those with holes counted
    float height(std::uint32_t row, std::uint32_t column) const { return heights[std::size_t(row) * columns + column]; }
    Vec3 sample(std::uint32_t row, std::uint32_t column) const { return {float(column) * spacing_x, height(row, column), float(row) * spacing_z}; }
};

}  // namespace abut
