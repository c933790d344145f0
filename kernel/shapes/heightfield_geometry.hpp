// A height field: samples, and a tree of minimum and maximum heights. Neighbours of triangles are computed on demand.
#pragma once

#include <cmath>
#include <cstdint>

#include <abut/cooking.hpp>
#include <abut/math.hpp>

#include "base/memory.hpp"

namespace abut {

inline constexpr std::uint32_t kMostSamples = 1u << 28;

// A range of heights; low is above high if there is no triangle.
struct HeightRange {
    float low, high;
};

struct HeightfieldGeometry {
    static constexpr std::uint32_t kBlock = 4;        // cells, or blocks of the level below, per edge of a block
    static constexpr std::uint32_t kMostLevels = 16;  // 4^16 cells per edge

    Vector<float> heights;  // row by row; NaN where there is a hole
    std::uint32_t rows = 0, columns = 0;
    float spacing_x = 1, spacing_z = 1;
    MeshSides sides = MeshSides::front;
    float thickness = 0;         // as HeightfieldOptions::thickness
    Vector<HeightRange> ranges;  // level by level, the blocks of cells first, row by row, the root last
    std::uint32_t level_first[kMostLevels] = {}, level_rows[kMostLevels] = {}, level_columns[kMostLevels] = {};
    std::uint32_t levels = 0;
    Vec3 bounds_min, bounds_max;
    std::uint32_t content = 0;
    Vector<std::uint8_t> cells;  // flags of the cells, row by row; empty if all cells have those of `every_cell`
    std::uint8_t every_cell = 0;
    HeightfieldReport report;

    std::uint32_t cell_count() const { return (rows - 1) * (columns - 1); }
    std::uint8_t flags(std::uint32_t cell) const { return cells.empty() ? every_cell : cells[cell]; }
    std::uint32_t triangle_count() const { return 2 * cell_count(); }  // including those of holes
    float height(std::uint32_t row, std::uint32_t column) const { return heights[std::size_t(row) * columns + column]; }
    Vec3 sample(std::uint32_t row, std::uint32_t column) const {
        return {float(column) * spacing_x, height(row, column), float(row) * spacing_z};
    }
};

struct GridPoint {
    std::uint32_t row, column;
};

struct FieldTriangle {
    GridPoint corners[3];
};

// The corners of a triangle, even if it is in a hole.
inline FieldTriangle field_triangle(const HeightfieldGeometry& field, std::uint32_t triangle) {
    const std::uint32_t cell = triangle / 2, r = cell / (field.columns - 1), c = cell % (field.columns - 1);
    const bool is_second = triangle % 2 != 0;
    if ((field.flags(cell) & kCellOtherDiagonal) != 0) {
        if (is_second) return {{{r + 1, c}, {r + 1, c + 1}, {r, c + 1}}};
        return {{{r, c}, {r + 1, c}, {r, c + 1}}};
    }
    if (is_second) return {{{r, c}, {r + 1, c + 1}, {r, c + 1}}};
    return {{{r, c}, {r + 1, c}, {r + 1, c + 1}}};
}

inline bool is_there(const HeightfieldGeometry& field, std::uint32_t triangle) {
    if ((field.flags(triangle / 2) & kCellHole) != 0) return false;
    for (const GridPoint p : field_triangle(field, triangle).corners)
        if (std::isnan(field.height(p.row, p.column))) return false;
    return true;
}

}  // namespace abut
