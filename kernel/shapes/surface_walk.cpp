// See surface_walk.hpp.
#include "shapes/surface_walk.hpp"

#include <algorithm>
#include <cstring>

#include <abut/compiler.hpp>

#include "base/four_wide.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kChildren = SurfaceChildren::kWidth;

// Scales one axis of a node's boxes; a negative scale exchanges low and high.
void scale_box_axis(const MeshNode& node, int axis, float scale, SixteenBoxes& out) {
    const float low = node.low[axis] * scale, step = node.step[axis] * scale;
    const std::uint8_t* const low_cells = scale < 0 ? node.high_cells[axis] : node.low_cells[axis];
    const std::uint8_t* const high_cells = scale < 0 ? node.low_cells[axis] : node.high_cells[axis];
    for (std::uint32_t lane = 0; lane < kChildren; ++lane) {
        out.low[axis][lane] = low + float(low_cells[lane]) * step;
        out.high[axis][lane] = low + float(high_cells[lane]) * step;
    }
}

void mesh_children(const Surface& surface, SurfaceItem item, SixteenBoxes& boxes, SurfaceChildren& out) {
    const MeshGeometry& mesh = *surface.mesh;
    const MeshNode& node = mesh.nodes[mesh.level_first[item.level] + item.index];
    scale_box_axis(node, 0, surface.scale.x, boxes);
    scale_box_axis(node, 1, surface.scale.y, boxes);
    scale_box_axis(node, 2, surface.scale.z, boxes);
    out.count = node.count;
    for (std::uint32_t lane = 0; lane < kChildren; ++lane)
        out.items[lane] = {item.index * kChildren + lane, item.level - 1};
}

void set_lane(SixteenBoxes& boxes, std::uint32_t lane, int axis, float a, float b, float scale) {
    boxes.low[axis][lane] = (scale < 0 ? b : a) * scale;
    boxes.high[axis][lane] = (scale < 0 ? a : b) * scale;
}

// The range of the heights at a cell's corners; empty for a hole.
HeightRange range_of_cell(const HeightfieldGeometry& field, std::uint32_t row, std::uint32_t column) {
    HeightRange range = {INFINITY, -INFINITY};
    if ((field.flags(row * (field.columns - 1) + column) & kCellHole) != 0) return range;
    for (const float h : {field.height(row, column), field.height(row + 1, column), field.height(row, column + 1),
                          field.height(row + 1, column + 1)}) {
        if (h < range.low) range.low = h;
        if (h > range.high) range.high = h;
    }
    return range;
}

void field_children(const Surface& surface, SurfaceItem item, SixteenBoxes& boxes, SurfaceChildren& out) {
    constexpr std::uint32_t kBlock = HeightfieldGeometry::kBlock;
    const HeightfieldGeometry& field = *surface.field;
    const std::int32_t below = item.level - 1;
    const std::uint32_t cell_rows = field.rows - 1, cell_columns = field.columns - 1;
    const std::uint32_t rows = below < 0 ? cell_rows : field.level_rows[below],
                        columns = below < 0 ? cell_columns : field.level_columns[below];
    const std::uint32_t shift = 2 * std::uint32_t(item.level);  // a child has 2^shift by 2^shift cells
    const std::uint32_t first_row = item.index / field.level_columns[item.level] * kBlock,
                        first_column = item.index % field.level_columns[item.level] * kBlock;
    out.count = 0;
    for (std::uint32_t r = first_row; r < rows && r < first_row + kBlock; ++r) {
        for (std::uint32_t c = first_column; c < columns && c < first_column + kBlock; ++c) {
            const std::uint32_t index = r * columns + c;
            const HeightRange range =
                below < 0 ? range_of_cell(field, r, c) : field.ranges[field.level_first[below] + index];
            if (!(range.low <= range.high)) continue;
            const std::uint32_t lane = out.count++, end_row = std::min((r + 1) << shift, cell_rows),
                                end_column = std::min((c + 1) << shift, cell_columns);
            set_lane(boxes, lane, 0, float(c << shift) * field.spacing_x, float(end_column) * field.spacing_x,
                     surface.scale.x);
            set_lane(boxes, lane, 1, range.low, range.high, surface.scale.y);
            set_lane(boxes, lane, 2, float(r << shift) * field.spacing_z, float(end_row) * field.spacing_z,
                     surface.scale.z);
            out.items[lane] = {index, below};
        }
    }
}

using Cells = std::uint8_t[kChildren];

#if defined(ABUT_GNU_EXTENSIONS)
ABUT_VECTOR(Byte16, unsigned char, 16);

// A bit mask of the lanes with `low` at most `last` and `high` at least `first`.
std::uint32_t lanes_between(const Cells& low, const Cells& high, std::uint8_t first, std::uint8_t last) {
    Byte16 l, h;
    std::memcpy(&l, low, sizeof l);
    std::memcpy(&h, high, sizeof h);
    const auto meets = (l <= last) & (h >= first);
    std::uint64_t halves[2];
    std::memcpy(halves, &meets, sizeof halves);
    // Gathers the lowest bits of eight bytes in the highest byte.
    const auto bits = [](std::uint64_t bytes) {
        return std::uint32_t((bytes & 0x0101010101010101u) * 0x0102040810204080u >> 56);
    };
    return bits(halves[0]) | bits(halves[1]) << 8;
}
#else
std::uint32_t lanes_between(const Cells& low, const Cells& high, std::uint8_t first, std::uint8_t last) {
    std::uint32_t meets = 0;
    for (std::uint32_t lane = 0; lane < kChildren; ++lane)
        meets |= std::uint32_t(low[lane] <= last && high[lane] >= first) << lane;
    return meets;
}
#endif

}  // namespace

NearBox near_box(const Surface& surface, const Volume& volume, double reach) {
    const Volume wide = widened(surface, volume);
    const float scale[3] = {surface.scale.x, surface.scale.y, surface.scale.z};
    NearBox box;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = (wide.low[axis] - reach) / scale[axis], high = (wide.high[axis] + reach) / scale[axis];
        box.low[axis] = maths::min(low, high), box.high[axis] = maths::max(low, high);
    }
    return box;
}

NearCells cells_near(const HeightfieldGeometry& field, const NearBox& box) {
    const auto range =
        [](double low, double high, float spacing, std::uint32_t count, std::uint32_t& first, std::uint32_t& end) {
        const double from = std::ceil(low / spacing) - 1, to = std::floor(high / spacing) + 1;
        first = from > 0 ? std::uint32_t(maths::min(from, count)) : 0;
        end = to > first ? std::uint32_t(maths::min(to, count)) : first;
    };
    NearCells cells;
    range(box.low[2], box.high[2], field.spacing_z, field.rows - 1, cells.first_row, cells.end_row);
    range(box.low[0], box.high[0], field.spacing_x, field.columns - 1, cells.first_column, cells.end_column);
    return cells;
}

bool is_cell_near(const HeightfieldGeometry& field, std::uint32_t row, std::uint32_t column, const NearBox& box) {
    const HeightRange range = range_of_cell(field, row, column);
    return range.low <= box.high[1] && range.high >= box.low[1];
}

std::uint32_t children_near(const MeshNode& node, const NearBox& box) {
    std::uint32_t near = (1u << node.count) - 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = box.low[axis] - node.low[axis], high = box.high[axis] - node.low[axis],
                     step = node.step[axis];
        // A step of zero gives infinities, which compare correctly. It gives NaN if the query's plane is on a face of
        // the node's box: NaN excludes no child.
        const double first = low / step, last = high / step;
        if (last < 0 || first > 255) return 0;
        const auto below = first > 0 ? std::uint32_t(first) : 0u;
        near &= lanes_between(node.low_cells[axis], node.high_cells[axis], std::uint8_t(below + (below < first)),
                              last < 255 ? std::uint8_t(last) : std::uint8_t(255));
    }
    return near;
}

SurfaceItem root_of(const Surface& surface) {
    const std::uint32_t levels = surface.mesh != nullptr ? surface.mesh->levels : surface.field->levels;
    return {0, std::int32_t(levels) - 1};
}

std::uint32_t some_triangle_near(const Surface& surface, const maths::Vec3d& point) {
    const Volume at_point = box_volume({point, point});
    SurfaceItem item = root_of(surface);
    while (item.level >= 0) {
        SixteenBoxes boxes = {};
        SurfaceChildren children;
        children_of(surface, item, boxes, children);
        if (children.count == 0) return kNoTriangle;
        lower_bounds(boxes, at_point, children.bounds);
        item = children.items[std::min_element(children.bounds, children.bounds + children.count) - children.bounds];
    }
    if (surface.mesh != nullptr) return item.index;
    for (const std::uint32_t triangle : {2 * item.index, 2 * item.index + 1})
        if (has_triangle(surface, triangle)) return triangle;
    return kNoTriangle;
}

void children_of(const Surface& surface, SurfaceItem item, SixteenBoxes& boxes, SurfaceChildren& out) {
    surface.mesh != nullptr ? mesh_children(surface, item, boxes, out) : field_children(surface, item, boxes, out);
}

float box_slack(const Surface& surface) { return kSurfaceSlack * static_cast<float>(largest_coordinate(surface)); }

Volume widened(const Surface& surface, const Volume& volume) {
    const float slack = box_slack(surface);
    Volume wide = volume;
    for (int axis = 0; axis < 3; ++axis) wide.low[axis] -= slack, wide.high[axis] += slack;
    wide.turned.slack += slack;
    // A plane's bound is a sum of three products.
    wide.offset += 3 * slack + kSurfaceSlack * std::fabs(volume.offset);
    return wide;
}

}  // namespace abut
