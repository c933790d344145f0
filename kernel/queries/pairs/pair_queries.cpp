// The queries on pairs of a frame, stage by stage: check and sort the pairs, run the chunks (load, separation, depth,
// store), pack the columns.
#include "queries/pairs/pair_queries.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"

namespace abut {
namespace {

constexpr std::size_t kBlockMoved = 4096;

void move_point(Vec3& point, const Vec3& by) { point = {point.x + by.x, point.y + by.y, point.z + by.z}; }

}  // namespace

// Sets each field: gcc would clear the whole by an instruction that takes 30 cycles to start.
OutputView no_columns() {
    OutputView view;
    view.status = nullptr;
    view.hit = nullptr, view.contact_count = nullptr;
    view.signed_distance = nullptr;
    view.normal = nullptr, view.point_a = nullptr, view.point_b = nullptr;
    view.manifolds = nullptr;
    view.traces = nullptr;
    return view;
}

void clear_unanswered(std::span<const Status> status, const OutputView& view) {
    // One pass without branches checks whether every pair has an answer, which is usual.
    unsigned any = 0;
    for (const Status one : status) any |= static_cast<unsigned>(one);
    if (any == static_cast<unsigned>(Status::ok)) return;
    for (std::size_t i = 0; i < status.size(); ++i) {
        if (status[i] == Status::ok || status[i] == Status::not_converged) continue;
        view.signed_distance[i] = 0.0f;
        if (view.normal) view.normal[i] = {};
        if (view.point_a) view.point_a[i] = {};
        if (view.point_b) view.point_b[i] = {};
    }
}

PairQueries::PairQueries(QueryContext& shared) : context(shared) {
    surface_pairs.set_kernels(kernels_for<SurfaceKernels>(context.isa));
}

void PairQueries::reserve(std::size_t pairs, std::size_t child_pairs) {
    const std::size_t compound_pairs = child_pairs == 0 ? 0 : pairs;
    sorted.reserve(pairs);
    sorted.compounds.reserve(compound_pairs), sorted.surfaces.reserve(compound_pairs),
        sorted.surface_pairs.reserve(compound_pairs);
    context.scratch.reserve(pairs);
    compounds.reserve(compound_pairs, child_pairs), surfaces.reserve(compound_pairs, child_pairs);
    surface_pairs.reserve(compound_pairs);
    if (child_pairs != 0) context.triangles.reserve(context.tasks(), 2 * kChunkPairs);
}

std::size_t PairQueries::bytes() const {
    return bytes_of(bodies, sorted, context.scratch, context.triangles, compounds, surfaces, surface_pairs);
}

void PairQueries::answer(OverlapColumns& out, const Frame& frame) {
    const std::size_t pairs = frame.pairs.size();
    context.scratch.flag.assign(pairs, 0);
    OutputView view = no_columns();
    view.status = context.begin_statuses(pairs, out.status);
    view.hit = context.scratch.flag.data();
    run_frame(frame, parameters(Query::overlap, 0.0f), view);
    context.give_hits(pairs, out);
}

void PairQueries::answer(DistanceColumns& out, const Frame& frame, const DistanceOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    OutputView view = no_columns();
    view.status = context.begin_statuses(pairs, out.status);
    view.signed_distance = out.signed_distance.data();
    view.normal = data_or_null(out.normal), view.point_a = data_or_null(out.point_a),
    view.point_b = data_or_null(out.point_b);
    QueryParameters wanted = distance_parameters(options);
    if (!options.max_distances.empty()) {
        wanted.margins = options.max_distances;
        wanted.reach = 0.0f;
        for (std::size_t i = 0; i < pairs; ++i) wanted.reach = std::max(wanted.reach, options.max_distances[i]);
    }
    run_frame(frame, wanted, view);
    const TimedStage timed(context.times, CallTimes::pack, pairs);
    clear_unanswered({view.status, pairs}, view);
}

ManifoldNeeds PairQueries::collide(const Frame& frame) {
    const Busy one(context.busy);
    const std::size_t pairs = frame.pairs.size();
    context.begin();
    if (pairs == 0) return needs = {};
    context.scratch.flag.assign(pairs, 0);
    if (context.scratch.manifolds.size() < pairs) context.scratch.manifolds.resize(pairs);
    OutputView view = no_columns();
    view.status = context.begin_statuses(pairs);
    view.contact_count = context.scratch.flag.data();
    view.manifolds = context.scratch.manifolds.data();
    QueryParameters wanted = parameters(Query::collide, context.settings.speculative_margin);
    wanted.margins = frame.margins;
    run_frame(frame, wanted, view);
    return needs = count_manifolds(manifold_sources(frame), context.executor, context.scratch.packed);
}

void PairQueries::pack(const Frame& frame, ManifoldColumns& out) {
    const std::size_t pairs = frame.pairs.size();
    if (pairs == 0) {
        out.manifold_count = out.contact_count = out.manifolds_needed = out.contacts_needed = 0;
        if (!out.first_manifold.empty()) out.first_manifold[0] = 0;
        return;
    }
    const TimedStage timed(context.times, CallTimes::pack, pairs);
    pack_manifolds(manifold_sources(frame), context.scratch.packed, needs, context.executor, context.statuses(pairs),
                   out);
    if (tables_of(*frame.shapes).has_poses) move_contacts_to_bodies(out);
    if (!out.status.empty()) std::copy_n(context.scratch.status.data(), pairs, out.status.data());
}

ManifoldSources PairQueries::manifold_sources(const Frame& frame) const {
    ManifoldSources sources = {{context.scratch.flag.data(), frame.pairs.size()}, context.scratch.manifolds.data()};
    compounds.add_to(sources.compounds);
    surfaces.add_to(sources.surfaces);
    return sources;
}

QueryParameters PairQueries::parameters(Query query, float reach) const {
    return {query,
            false,
            context.settings.depth == DepthPath::exact,
            reach,
            {},
            context.settings.contact_slack,
            context.settings.follow_distance,
            context.settings.ground_contacts,
            context.settings.manifold_angle};
}

QueryParameters PairQueries::distance_parameters(const DistanceOptions& options) const {
    QueryParameters wanted = parameters(Query::distance, options.max_distance);
    wanted.separation_only = options.separation_only;
    return wanted;
}

void PairQueries::run_frame(const Frame& wanted, const QueryParameters& asked, OutputView& out) {
    const std::optional<Frame> with_records = bodies.with_records(wanted, *context.kernels, context.executor);
    const Frame& frame = with_records ? *with_records : wanted;
    const std::size_t pairs = frame.pairs.size();
    out.traces = data_or_null(frame.traces);
    {
        const TimedStage timed(context.times, CallTimes::sort, pairs);
        sort_pairs(frame, *context.kernels, context.executor, sorted, out.status);
    }
    if (out.traces) begin_traces({out.traces, pairs});
    run_sorted(frame, sorted, asked, out);
}

void PairQueries::run_sorted(const Frame& frame, const SortedPairs& some, const QueryParameters& asked,
                             const OutputView& out) {
    compounds.clear();
    surfaces.clear();
    const ChunkRunner runner = context.chunk_runner();
    const PairCall call = {frame, asked, context.settings.max_child_pairs, runner, out};
    runner.run(frame, some, asked, out, bodies.placed());
    if (!some.compounds.empty()) compounds.run(call, some.compounds);
    if (!some.surfaces.empty()) surfaces.run(call, some.surfaces);
    if (!some.surface_pairs.empty()) surface_pairs.run(call, some.surface_pairs);
    if (tables_of(*frame.shapes).has_poses && asked.query == Query::distance)
        move_points(frame.pairs.size(), asked, out);
}

void PairQueries::move_points(std::size_t pairs, const QueryParameters& asked, const OutputView& columns) const {
    for_each_block(context.executor, pairs, kBlockMoved, [&](std::size_t first, std::size_t end) {
        const OutputView out = columns;
        const ShapeOffsets offsets = bodies.offsets();
        const float least =
            asked.separation_only ? 0.0f : -INFINITY;  // pairs with at most this distance have no points to move
        for (std::size_t i = first; i < end; ++i) {
            const float distance = out.signed_distance[i];
            const bool is_answered = out.status[i] == Status::ok || out.status[i] == Status::not_converged;
            if (!is_answered || !(distance < INFINITY) || !(distance > least)) continue;
            const Vec3 offset = offsets[i];
            if (out.point_a) move_point(out.point_a[i], offset);
            if (out.point_b) move_point(out.point_b[i], offset);
        }
    });
}

void PairQueries::move_contacts_to_bodies(const ManifoldColumns& out) const {
    for_each_block(context.executor, out.manifold_count, kBlockMoved, [&](std::size_t first, std::size_t end) {
        const ShapeOffsets offsets = bodies.offsets();
        for (const Manifold& manifold : out.manifolds.subspan(first, end - first)) {
            const Vec3 offset = offsets[manifold.pair];
            for (Contact& contact : out.contacts.subspan(manifold.first_contact, manifold.contact_count))
                move_point(contact.position, offset);
        }
    });
}

// Pairs with a compound or a surface are in no chunk.
void PairQueries::begin_traces(std::span<PairTrace> traces) const {
    std::fill(traces.begin(), traces.end(), PairTrace());
    for (const auto* entries : {&sorted.compounds, &sorted.surfaces, &sorted.surface_pairs}) {
        for (const Entry& entry : *entries) {
            PairTrace& trace = traces[entry.pair()];
            trace.states[trace.count++] = PairState::children;
        }
    }
}

}  // namespace abut
