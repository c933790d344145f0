#include "query_batch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files.hpp"

namespace abut::tools {
namespace {

template <class Space>
bool add_body(Batch<Space>& batch, SharedShapes<Space>& shapes, const Posed<Space>& posed, const char* side, Row& row) {
    const auto id = shapes.add(posed.shape);
    if (!id) {
        row.refused = "bad_shape";
        row.message = fmt::format("{}: {}", side, id.error().message.view());
        return false;
    }
    batch.bodies.push_back(Space::body(posed.position, posed.orientation, *id));
    batch.ends.push_back(Space::body(posed.end_position, posed.end_orientation, *id));
    return true;
}

void require(const CallResult& result) {
    if (!result) throw InputError(result.error().message);
}

template <class Space>
auto frame_of(const Batch<Space>& batch, const SharedShapes<Space>& shapes) {
    return Space::frame(shapes.store(), batch.bodies, batch.pairs);
}

template <class Space>
void ask_distances(Batch<Space>& batch, const SharedShapes<Space>& shapes, typename Space::NarrowPhase& narrow,
                   bool trace) {
    auto frame = frame_of(batch, shapes);
    const auto to = [&](std::vector<PairTrace>& traces) {
        if (trace) traces.resize(batch.pairs.size());
        if constexpr (Space::kHasTraces) frame.traces = traces;
    };
    to(batch.distance_traces);
    require(narrow.distance(frame, batch.distances));
    to(batch.manifold_traces);
    require(narrow.collide(frame, batch.manifolds));
}

// All pairs once for each start mode that some pair has.
template <class Space>
void ask_casts(Batch<Space>& batch, const SharedShapes<Space>& shapes, typename Space::NarrowPhase& narrow) {
    const auto ends = Space::bodies(batch.ends);
    for (const CastStart start : {CastStart::stop, CastStart::closing_only, CastStart::ignore}) {
        if (std::find(batch.starts.begin(), batch.starts.end(), start) == batch.starts.end()) continue;
        CastOptions options;
        options.targets = batch.targets;
        options.start = start;
        require(narrow.cast(frame_of(batch, shapes), Space::motions(ends), batch.casts[int(start)], options));
    }
}

template <class Space>
void ask_rays(Batch<Space>& batch, const SharedShapes<Space>& shapes, typename Space::NarrowPhase& narrow) {
    typename Space::Rays rays;
    rays.origins = batch.origins, rays.directions = batch.directions;
    require(narrow.raycast(frame_of(batch, shapes), rays, batch.rays));
}

}  // namespace

template <class Space>
void add_row(Batch<Space>& batch, SharedShapes<Space>& shapes, QuestionIn<Space> question, QuestionKind kind,
             std::size_t line) {
    Row row{std::move(question.id), line, kNoPair, question.refused, std::move(question.message)};
    if (!row.refused && (kind == QuestionKind::ray || kind == QuestionKind::point)) {
        if (add_body(batch, shapes, question.b, "b", row)) {
            row.pair = std::uint32_t(batch.pairs.size());
            batch.pairs.push_back({row.pair, std::uint32_t(batch.bodies.size() - 1)});
            batch.origins.push_back(question.origin);
            batch.directions.push_back(question.direction);
        }
    } else if (!row.refused) {
        const auto first = std::uint32_t(batch.bodies.size());
        if (add_body(batch, shapes, question.a, "a", row) && add_body(batch, shapes, question.b, "b", row)) {
            row.pair = std::uint32_t(batch.pairs.size());
            batch.pairs.push_back({first, first + 1});
            batch.targets.push_back(question.target);
            batch.starts.push_back(question.start);
        }
    }
    batch.rows.push_back(std::move(row));
}

template <class Space>
void ask(Batch<Space>& batch, const SharedShapes<Space>& shapes, typename Space::NarrowPhase& narrow, QuestionKind kind,
         bool trace) {
    switch (kind) {
        case QuestionKind::distance: return ask_distances(batch, shapes, narrow, trace);
        case QuestionKind::cast: return ask_casts(batch, shapes, narrow);
        case QuestionKind::ray: return ask_rays(batch, shapes, narrow);
        case QuestionKind::point:
            return require(narrow.measure(frame_of(batch, shapes), {batch.origins, {}}, batch.points));
    }
}

#define ABUT_QUERY_IN(Space)                                                                                  \
    template void add_row(Batch<Space>&, SharedShapes<Space>&, QuestionIn<Space>, QuestionKind, std::size_t); \
    template void ask(Batch<Space>&, const SharedShapes<Space>&, Space::NarrowPhase&, QuestionKind, bool);
ABUT_QUERY_IN(Space3D)
ABUT_QUERY_IN(Plane)
#undef ABUT_QUERY_IN

}  // namespace abut::tools
