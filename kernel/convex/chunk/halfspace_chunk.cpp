// Pairs with a half-space, by a closed form. The group that finds a pair within the margin also computes its manifold.
#include "convex/chunk/families.hpp"
#include "convex/chunk/final_states.hpp"
#include "convex/manifold/plane_manifold.hpp"
#include "convex/separation/over_plane.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

template <class CoreA>
inline void answer_group(Run& run, const OverPlaneW<CoreA>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const FloatW support = support_down(pair, lanes), distance = distance_over_plane(pair, support);
    const std::uint32_t asked = run.writer.point_lanes(list, lanes, distance * pair.to_world.unit);
    // The lowest vertex of a hull is one of its contacts.
    constexpr bool has_vertices = std::is_same_v<CoreA, HullCore>;
    const bool needs_no_point = asked == 0 || (has_vertices && run.writer.needs_contacts());
    const AnswerW lowest =
        needs_no_point ? AnswerW{distance, -pair.b.normal, splat(0.0f)} : answer_over_plane(pair, support, asked);
    if (const std::uint32_t touching = run.writer.take(pair, list, lanes, lowest); touching != 0)
        store_manifold(run, pair, list, touching, {lowest, IntW(0)});
}

template <class CoreA>
void run_over_plane(Run& run) {
    run.begin_all(run.direct);
    run_states(run, [&](State state) {
        if (state != State::direct) return run_exact<CoreA, PlaneCore>(run);
        for_each_group<CoreA, PlaneCore>(
            run.chunk, run.direct, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
                if ((lanes = run.admit(pair, list, lanes)) != 0) answer_group(run, pair, list, lanes);
            });
    });
}

}  // namespace

void run_halfspace(Run& run) {
    if (run.chunk.kind_a == ShapeKind::custom) return run_over_plane<CustomCore>(run);
    with_core_of<CurvedCore>(run.chunk.kind_a, [&](auto core) { run_over_plane<typename decltype(core)::Type>(run); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
