// Which pairs of cores the lanes answer: one function for each two kinds in canonical order.
#pragma once

#include "d2/convex/plane_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// `next` and later kinds can be B.
template <class Run, class A, class B, class... Next, class Argument>
auto run_with(std::uint32_t kind_b, std::uint32_t next, const Argument& argument) {
    if constexpr (sizeof...(Next) != 0)
        if (kind_b != next) return run_with<Run, A, Next...>(kind_b, next + 1, argument);
    return Run::template run<A, B>(argument);
}
template <class Run, class A, class... Next, class Argument>
auto run_from(std::uint32_t kind_a, std::uint32_t kind_b, std::uint32_t next, const Argument& argument) {
    if constexpr (sizeof...(Next) != 0)
        if (kind_a != next) return run_from<Run, Next...>(kind_a, kind_b, next + 1, argument);
    return run_with<Run, A, A, Next...>(kind_b, next, argument);
}

// Calls Run::run<A, B>(argument) with the cores of the two kinds.
template <class Run, class Argument>
auto run_kinds(abut::d2::ShapeKind kind_a, abut::d2::ShapeKind kind_b, const Argument& argument) {
    return run_from<Run, PointCoreW, SegmentCoreW, BoxCoreW<false>, PolygonCoreW<4, false>, PolygonCoreW<8, false>>(
        std::uint32_t(kind_a), std::uint32_t(kind_b), 0, argument);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
