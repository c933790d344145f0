#include "queries/boxes/rest_sieve.hpp"

#include <algorithm>

namespace abut {

namespace {

// A word in which bits `low` to `high` are set.
std::uint64_t bits_between(std::int32_t low, std::int32_t high) {
    return (~std::uint64_t(0) << low) & (~std::uint64_t(0) >> (63 - high));
}

}  // namespace

void RestSieve::start(const float (&low)[3], const float (&high)[3], float cell) {
    rows_.assign(std::size_t(kCells) * kCells, 0);
    double edge = cell;
    for (int axis = 0; axis < 3; ++axis) edge = std::max(edge, (double(high[axis]) - low[axis]) / kCells);
    const float scale = edge > 0 ? float(std::min(1.0 / edge, 1e30)) : 1.0f;
    std::copy(low, low + 3, low_);
    scale_ = scale;
}

RestSieve::Cells RestSieve::cells_of(const Bounds& box) const {
    const auto cell = [&](float x, int axis) {
        return std::int32_t(lesser(greater((x - low_[axis]) * scale_, 0.0f), float(kCells - 1)));
    };
    return {{cell(box.min.x, 0), cell(box.min.y, 1), cell(box.min.z, 2)},
            {cell(box.max.x, 0), cell(box.max.y, 1), cell(box.max.z, 2)}};
}

void RestSieve::mark(const Bounds& box) {
    const Cells cells = cells_of(box);
    const std::uint64_t bits = bits_between(cells.low[0], cells.high[0]);
    for (std::int32_t z = cells.low[2]; z <= cells.high[2]; ++z)
        for (std::int32_t y = cells.low[1]; y <= cells.high[1]; ++y) layer(z)[y] |= bits;
}

bool RestSieve::reaches(const Bounds& box) const {
    const Cells cells = cells_of(box);
    const std::uint64_t bits = bits_between(cells.low[0], cells.high[0]);
    // Most boxes span one or two cells.
    const bool is_narrow = ((cells.high[1] - cells.low[1]) | (cells.high[2] - cells.low[2])) <= 1;
    if (is_narrow) {
        const std::uint64_t *near = layer(cells.low[2]), *far = layer(cells.high[2]);
        return ((near[cells.low[1]] | near[cells.high[1]] | far[cells.low[1]] | far[cells.high[1]]) & bits) != 0;
    }
    std::uint64_t found = 0;
    for (std::int32_t z = cells.low[2]; z <= cells.high[2]; ++z)
        for (std::int32_t y = cells.low[1]; y <= cells.high[1]; ++y) found |= layer(z)[y] & bits;
    return found != 0;
}

}  // namespace abut
