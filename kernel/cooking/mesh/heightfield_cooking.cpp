// See heightfield_cooking.hpp.
#include "cooking/mesh/heightfield_cooking.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/content_hash.hpp"
#include "base/message.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

constexpr HeightRange kNoRange = {INFINITY, -INFINITY};

HeightRange joined(HeightRange a, HeightRange b) {
    return {b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high};
}

std::optional<Error> check_cells(std::span<const std::uint8_t> cells, std::uint64_t count) {
    if (cells.size() > 1 && cells.size() != count)
        return bad_shape(message_of("cells has ", cells.size(), " flags, but the field has ", count,
                                    " cells: give none, one for all, or one for each"));
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] > (kCellHole | kCellOtherDiagonal))
            return bad_shape(message_of(numbered("cells", i), " is ", unsigned(cells[i]),
                                        ", expected 0, 1 (hole), 2 (other diagonal) or 3"));
    return std::nullopt;
}

std::optional<Error> check(std::span<const float> heights, std::uint32_t rows, std::uint32_t columns,
                           const HeightfieldOptions& options) {
    if (rows < 2) return bad_shape(message_of("rows must be at least 2, but is ", rows));
    if (columns < 2) return bad_shape(message_of("columns must be at least 2, but is ", columns));
    const std::uint64_t samples = std::uint64_t(rows) * columns;
    if (heights.size() != samples)
        return bad_shape(message_of("heights has ", heights.size(), " samples, but ", rows, " rows of ", columns,
                                    " columns have ", samples));
    if (samples > kMostSamples)
        return Error{ErrorCode::limit,
                     message_of("heights has ", samples, " samples, but a height field at most ", kMostSamples)};
    if (auto error = check_positive("spacing_x", options.spacing_x)) return error;
    if (auto error = check_positive("spacing_z", options.spacing_z)) return error;
    if (auto error = check_sides(options.sides)) return error;
    if (!(options.thickness >= 0))
        return bad_shape(message_of("thickness must be 0 or more, but is ", options.thickness));
    if (auto error = check_cells(options.cells, std::uint64_t(rows - 1) * (columns - 1))) return error;
    for (std::size_t i = 0; i < heights.size(); ++i)
        if (std::isinf(heights[i]))
            return bad_shape(
                message_of(numbered("heights", i), " must be finite, or NaN for a hole, but is ", heights[i]));
    return std::nullopt;
}

// The number of a cell's triangles, and their range of heights.
struct Cell {
    HeightRange range;
    std::uint32_t triangles;
};

Cell cell_at(const HeightfieldGeometry& field, std::uint32_t row, std::uint32_t column) {
    const std::uint32_t first = 2 * (row * (field.columns - 1) + column);
    Cell cell = {kNoRange, 0};
    for (const std::uint32_t triangle : {first, first + 1}) {
        if (!is_there(field, triangle)) continue;
        ++cell.triangles;
        for (const GridPoint p : field_triangle(field, triangle).corners) {
            const float h = field.height(p.row, p.column);
            cell.range = joined(cell.range, {h, h});
        }
    }
    return cell;
}

void add_level(HeightfieldGeometry& field, std::uint32_t rows, std::uint32_t columns) {
    const std::uint32_t level = field.levels++;
    field.level_first[level] = std::uint32_t(field.ranges.size());
    field.level_rows[level] = (rows + HeightfieldGeometry::kBlock - 1) / HeightfieldGeometry::kBlock;
    field.level_columns[level] = (columns + HeightfieldGeometry::kBlock - 1) / HeightfieldGeometry::kBlock;
    field.ranges.resize(field.ranges.size() + std::size_t(field.level_rows[level]) * field.level_columns[level],
                        kNoRange);
}

// Combines the ranges that `at(row, column)` gives for rows x columns into the blocks of the topmost level.
template <class At>
void fill_level(HeightfieldGeometry& field, std::uint32_t rows, std::uint32_t columns, At&& at) {
    const std::uint32_t level = field.levels - 1;
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t block =
                r / HeightfieldGeometry::kBlock * field.level_columns[level] + c / HeightfieldGeometry::kBlock;
            HeightRange& range = field.ranges[field.level_first[level] + block];
            range = joined(range, at(r, c));
        }
    }
}

void build_ranges(HeightfieldGeometry& field) {
    std::uint32_t rows = field.rows - 1, columns = field.columns - 1;
    add_level(field, rows, columns);
    fill_level(field, rows, columns, [&](std::uint32_t r, std::uint32_t c) {
        const Cell cell = cell_at(field, r, c);
        field.report.triangles += cell.triangles;
        return cell.range;
    });
    while (field.level_rows[field.levels - 1] * field.level_columns[field.levels - 1] > 1) {
        const std::uint32_t below = field.levels - 1;
        rows = field.level_rows[below], columns = field.level_columns[below];
        add_level(field, rows, columns);
        fill_level(field, rows, columns, [&](std::uint32_t r, std::uint32_t c) {
            return field.ranges[field.level_first[below] + r * columns + c];
        });
    }
}

std::uint32_t content_of(const HeightfieldGeometry& field) {
    ContentHash hash;
    for (const std::uint32_t word : {field.rows, field.columns, std::uint32_t(field.sides)}) hash.add(word);
    hash.add(field.spacing_x), hash.add(field.spacing_z);
    if (field.thickness > 0) hash.add(field.thickness);
    for (const float height : field.heights) hash.add(height);
    if (field.cells.empty() && field.every_cell == 0) return hash.value();  // the hash of a field without flags
    for (std::uint32_t cell = 0; cell < field.cell_count(); ++cell) hash.add(std::uint32_t(field.flags(cell)));
    return hash.value();
}

// Flags that are the same in all cells are kept once.
void set_cells(HeightfieldGeometry& field, std::span<const std::uint8_t> cells) {
    if (cells.empty()) return;
    field.every_cell = cells[0];
    if (std::any_of(cells.begin(), cells.end(), [&](std::uint8_t flags) { return flags != cells[0]; }))
        field.cells.assign(cells.begin(), cells.end());
    for (std::uint32_t cell = 0; cell < field.cell_count(); ++cell) {
        field.report.hole_cells += (field.flags(cell) & kCellHole) != 0;
        field.report.other_diagonals += (field.flags(cell) & kCellOtherDiagonal) != 0;
    }
}

}  // namespace

Expected<HeightfieldGeometry> cook_field(std::span<const float> heights, std::uint32_t rows, std::uint32_t columns,
                                         const HeightfieldOptions& options) {
    if (auto error = check(heights, rows, columns, options)) return *error;
    HeightfieldGeometry field;
    field.rows = rows, field.columns = columns;
    field.spacing_x = options.spacing_x, field.spacing_z = options.spacing_z;
    field.sides = options.sides, field.thickness = options.thickness + 0.0f;
    field.heights.reserve(heights.size());
    for (const float height : heights) {
        field.report.holes += std::isnan(height);
        field.heights.push_back(std::isnan(height) ? NAN : height + 0.0f);
    }
    set_cells(field, options.cells);
    build_ranges(field);
    if (field.report.triangles == 0)
        return bad_shape("heights has no triangle: each has a hole at one of its corners, or its cell is one");
    const HeightRange all = field.ranges.back();
    field.bounds_min = {0, all.low, 0};
    field.bounds_max = {float(columns - 1) * field.spacing_x, all.high, float(rows - 1) * field.spacing_z};
    field.content = content_of(field);
    field.report.rows = rows, field.report.columns = columns;
    field.report.spacing_x = field.spacing_x, field.report.spacing_z = field.spacing_z;
    field.report.sides = field.sides, field.report.thickness = field.thickness;
    field.report.bytes = sizeof field + field.heights.size() * sizeof(float) + field.cells.size() +
                         field.ranges.size() * sizeof(HeightRange);
    return field;
}

}  // namespace abut
