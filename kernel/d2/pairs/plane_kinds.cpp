// See plane_kinds.hpp.
#include "d2/pairs/plane_kinds.hpp"

#include <algorithm>

#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {
namespace {

// The numbers of kinds are their canonical order.
constexpr abut::PairKind pair_kind(const abut::PairKinds& kinds, std::uint32_t a, std::uint32_t b) {
    const auto none = static_cast<std::uint32_t>(ShapeKind::none);
    if (a == none || b == none) return {SortedPairs::kNoKind, Status::bad_index};
    const std::uint32_t first = std::min(a, b), second = std::max(a, b);
    const auto is_ground = [](std::uint32_t kind) {
        return ShapeKind(kind) == ShapeKind::halfplane || ShapeKind(kind) == ShapeKind::chain;
    };
    if (second >= kKinds || (is_ground(a) && is_ground(b))) return {SortedPairs::kNoKind, Status::unsupported};
    std::uint32_t number = SortedPairs::kWithCompound;
    if (second < kConvexKinds)
        for (number = 0;
             std::uint32_t(kinds.by_number[number].a) != first || std::uint32_t(kinds.by_number[number].b) != second;)
            ++number;
    return {static_cast<std::uint8_t>(number | (a > b ? SortedPairs::kSwapped : 0)), Status::ok};
}

constexpr abut::PairKinds kPlanePairKinds = [] {
    abut::PairKinds kinds = {};
    std::uint32_t next = 0;
    for (std::uint32_t a = 0; a < kConvexKinds; ++a)
        for (std::uint32_t b = a; b < kConvexKinds; ++b)
            kinds.by_number[next++] = {static_cast<abut::ShapeKind>(a), static_cast<abut::ShapeKind>(b)};
    for (std::uint32_t i = 0; i < kinds.of.size(); ++i) {
        kinds.of[i] = pair_kind(kinds, i / kIdKinds, i % kIdKinds);
        kinds.numbers[i] = kinds.of[i].number;
    }
    return kinds;
}();

}  // namespace

void sort_plane_pairs(const Frame& frame, const Kernels& kernels, const Executor& executor, SortedPairs& sorted,
                      Status* status) {
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    sort_pairs({frame.pairs, shapes.address(0), shapes.size(), shapes.stride(),
                living_ids(ShapeTables::of(*frame.shapes).kinds), kPlanePairKinds},
               kernels, executor, sorted, status);
}

}  // namespace abut::d2
