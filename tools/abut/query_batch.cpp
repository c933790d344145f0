#include "query_batch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "files.hpp"

namespace abut::tools {
namespace {

bool add_body(Batch& batch, SharedShapes& shapes, const PosedShape& posed, const char* side, Row& row) {
    const Expected<ShapeId> id = shapes.add(posed.shape);
    if (!id) {
        row.refused = "bad_shape";
        row.message = fmt::format("{}: {}", side, id.error().message.view());
        return false;
    }
    batch.bodies.push_back({posed.position, *id, posed.orientation});
    batch.ends.push_back({posed.end_position, *id, posed.end_orientation});
    return true;
}

void ask_distances(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow, bool trace) {
    const auto frame = [&](std::vector<PairTrace>& traces) {
        if (trace) traces.resize(batch.pairs.size());
        Frame of_batch;
        of_batch.shapes = &shapes.store();
        of_batch.bodies = batch.bodies;
        of_batch.pairs = batch.pairs;
        of_batch.traces = traces;
        return of_batch;
    };
    const CallResult distances = narrow.distance(frame(batch.distance_traces), batch.distances);
    if (!distances) throw InputError(distances.error().message);
    const CallResult manifolds = narrow.collide(frame(batch.manifold_traces), batch.manifolds);
    if (!manifolds) throw InputError(manifolds.error().message);
}

// All pairs once for each start mode that some pair has.
void ask_casts(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow) {
    const Bodies ends[] = {batch.ends};
    for (const CastStart start : {CastStart::stop, CastStart::closing_only, CastStart::ignore}) {
        if (std::find(batch.starts.begin(), batch.starts.end(), start) == batch.starts.end()) continue;
        CastOptions options;
        options.targets = batch.targets;
        options.start = start;
        const CallResult result =
            narrow.cast({&shapes.store(), batch.bodies, batch.pairs}, {ends}, batch.casts[int(start)], options);
        if (!result) throw InputError(result.error().message);
    }
}

void ask_rays(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow) {
    Rays rays;
    rays.origins = batch.origins, rays.directions = batch.directions;
    const CallResult result = narrow.raycast({&shapes.store(), batch.bodies, batch.pairs}, rays, batch.rays);
    if (!result) throw InputError(result.error().message);
}

void ask_points(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow) {
    const CallResult result =
        narrow.measure({&shapes.store(), batch.bodies, batch.pairs}, {batch.origins, {}}, batch.points);
    if (!result) throw InputError(result.error().message);
}

}  // namespace

void add_row(Batch& batch, SharedShapes& shapes, Question question, QuestionKind kind, std::size_t line) {
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

void ask(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow, QuestionKind kind, bool trace) {
    switch (kind) {
        case QuestionKind::distance: return ask_distances(batch, shapes, narrow, trace);
        case QuestionKind::cast: return ask_casts(batch, shapes, narrow);
        case QuestionKind::ray: return ask_rays(batch, shapes, narrow);
        case QuestionKind::point: return ask_points(batch, shapes, narrow);
    }
}

}  // namespace abut::tools
