// See cast_runs.hpp.
#include "queries/casts/cast_runs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/parallel/parallel_for.hpp"
#include "batch/seam_distances.hpp"
#include "convex/contract/valid_pose.hpp"
#include "queries/casts/cast_call.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/instance_pose.hpp"

namespace abut {
namespace {

// Transforms a point of the body's frame to the shape's.
maths::Vec3d seen_from_shape(const RelativePose& pose, const maths::Vec3d& point) {
    return transposed_times(maths::rotation(maths::to_double(pose.orientation)),
                            point - maths::to_double(pose.position));
}

void put_end(const Bodies& bodies, std::size_t i, double (&position)[3], float (&orientation)[4]) {
    const auto put = [&](const auto& at, const Quat& q) {
        position[0] = at.x, position[1] = at.y, position[2] = at.z;
        orientation[0] = q.x, orientation[1] = q.y, orientation[2] = q.z, orientation[3] = q.w;
    };
    if (bodies.records().empty()) return put(bodies.position(i), bodies[i].orientation);
    const Body& body = *reinterpret_cast<const Body*>(bodies.records().address(i));
    put(body.position, body.orientation);
}

// A shape with a pose moves like a body with that pose, about the centre of its own body.
void pose_ends(const ShapeTables& tables, ShapeId shape, MotionEnds& ends) {
    const RelativePose* const pose = instance_pose(tables, shape);
    if (pose == nullptr) return;
    const auto place = [&](double(&position)[3], float(&q)[4]) {
        Body body = {{}, shape, {q[0], q[1], q[2], q[3]}};
        const maths::Vec3d offset = apply_shape_pose(tables, body);
        position[0] += offset.x, position[1] += offset.y, position[2] += offset.z;
        q[0] = body.orientation.x, q[1] = body.orientation.y, q[2] = body.orientation.z, q[3] = body.orientation.w;
    };
    place(ends.from, ends.orientation), place(ends.to, ends.end_orientation);
    const maths::Vec3d centre = seen_from_shape(*pose, {ends.centre[0], ends.centre[1], ends.centre[2]});
    ends.centre[0] = float(centre.x), ends.centre[1] = float(centre.y), ends.centre[2] = float(centre.z);
}

// Pairs of one chunk have equal keys.
std::uint32_t chunk_order(const MotionPair& pair) {
    const std::uint32_t of_kinds = std::uint32_t(pair.a.kind) << 8 | std::uint32_t(pair.b.kind);
    return of_kinds << 2 | std::uint32_t(pair.a.part != nullptr) << 1 | std::uint32_t(pair.b.part != nullptr);
}

// The order of hits: the nearer first; equally near hits in the order of their lowest children.
bool is_nearer(const FirstHit& x, const FirstHit& y) {
    const auto order = [](const FirstHit& hit) {
        return hit.is_swapped ? std::make_tuple(hit.distance, hit.child_b, hit.child_a)
                              : std::make_tuple(hit.distance, hit.child_a, hit.child_b);
    };
    return order(x) < order(y);
}

}  // namespace

void CastRuns::answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    const ChunkRunner runner = context_.chunk_runner();
    Status* const status = context_.begin_statuses(pairs, out.status);
    const Call call = {frame, motions, options, context_.settings.max_child_pairs, runner, status};
    sort_pairs(frame, *runner.kernels, runner.executor, frame_pairs_, status);
    report_bad_pairs(frame, frame_pairs_.surface_pairs, status);
    move_bodies(call);
    const std::size_t bodies = frame.bodies.size();
    for (std::size_t i = 0; i < pairs; ++i) {
        if (status[i] != Status::ok) continue;
        const Pair pair = frame.pairs[i];
        for (std::size_t part = 0; part < call.parts(); ++part)
            if (!motions_[part * bodies + pair.a].is_valid || !motions_[part * bodies + pair.b].is_valid)
                status[i] = Status::bad_pose;
    }
    first_.assign(pairs, FirstHit{});
    body_time_.assign(options.reduction == CastReduction::first_of_body ? bodies : 1,
                      std::numeric_limits<double>::infinity());
    list_convex(call);
    const auto goes_on = [&] { return options.reduction != CastReduction::any || body_time_[0] > 1; };
    if (goes_on()) list_children(call, frame_pairs_.compounds);
    Call on_surfaces = call;
    on_surfaces.with_triangles = true;
    if (goes_on()) list_children(on_surfaces, frame_pairs_.surfaces);
    reduce(call);
    if (call.tables().has_poses) move_points(call);
    for (std::size_t i = 0; i < pairs; ++i)
        if (status[i] == Status::ok && first_[i].hits) status[i] = first_[i].status;
    write(call, out);
    context_.give_hits(pairs, out);
}

void CastRuns::move_bodies(const Call& call) {
    const std::size_t bodies = call.frame.bodies.size(), blocks = blocks_of(bodies, kCastBlock);
    const ShapeTables& tables = call.tables();
    if (motions_.size() < bodies * call.parts()) motions_.resize(bodies * call.parts());
    parallel_for(call.runner.executor, blocks * call.parts(), [&](std::size_t block) {
        const std::size_t part = block / blocks, first = block % blocks * kCastBlock,
                          count = std::min(kCastBlock, bodies - first);
        const Bodies &from = part == 0 ? call.frame.bodies : call.motions.ends[part - 1], &to = call.motions.ends[part];
        MotionEnds ends[kCastBlock];
        for (std::size_t i = 0; i < count; ++i) {
            put_end(from, first + i, ends[i].from, ends[i].orientation);
            put_end(to, first + i, ends[i].to, ends[i].end_orientation);
            const Vec3 centre = call.motions.centers.empty() ? Vec3{} : call.motions.centers[first + i];
            ends[i].centre[0] = centre.x, ends[i].centre[1] = centre.y, ends[i].centre[2] = centre.z;
            if (tables.has_poses) pose_ends(tables, call.frame.bodies.columns().shapes[first + i], ends[i]);
        }
        kernels_->start_motions({static_cast<std::uint32_t>(count), ends, &motions_[part * bodies + first]});
    });
}

void CastRuns::run_items(const Call& call) {
    if (found_.size() < items_.size()) found_.resize(items_.size());
    const bool are_convex = items_.empty() || items_[0].is_convex_pair();
    grow(placed_.bodies, 2 * items_.size());
    for (std::size_t i = 0; are_convex && i < items_.size(); ++i)
        placed_.bodies[2 * i].shape = items_[i].shape_a, placed_.bodies[2 * i + 1].shape = items_[i].shape_b;
    initial_contacts_.clear(), waiting_.clear();
    live_.resize(items_.size());
    std::iota(live_.begin(), live_.end(), 0u);
    // Items are removed; the remaining ones keep this order.
    const auto in_order = [](const Item& x, const Item& y) { return chunk_order(x.moving) < chunk_order(y.moving); };
    if (!are_convex && !std::is_sorted(items_.begin(), items_.end(), in_order))
        std::sort(live_.begin(), live_.end(), [&](std::uint32_t i, std::uint32_t k) {
            const std::uint32_t first = chunk_order(items_[i].moving), second = chunk_order(items_[k].moving);
            return first != second ? first < second : i < k;
        });
    while (!live_.empty()) {
        advance(call);
        ask(call);
        for_each_in_blocks(call.runner.executor, live_.size(), kCastBlock,
                           [&](std::size_t i) { judge(call, static_cast<std::uint32_t>(i)); });
        settle(call);
        for (const std::uint32_t i : live_)
            if (items_[i].is_decided) keep_first(call, items_[i].pair(), found_[i]);
        std::erase_if(live_, [&](std::uint32_t i) { return items_[i].waits || is_done(call, items_[i]); });
        settle_waiting(call);
    }
}

// Computes the distances of the live items, each at its own time.
void CastRuns::ask(const Call& call) {
    float distance = 0;
    Vec3 vector;
    OutputView wanted = {};
    wanted.signed_distance = &distance, wanted.normal = wanted.point_a = wanted.point_b = &vector;
    const QueryParameters parameters = {
        Query::distance, false, false, std::numeric_limits<float>::infinity(), {}, 0.0f, 0.0f};
    const std::size_t count = live_.size();
    if (count == 0) return;
    placed_.made = call.with_triangles ? Made::triangles : Made::none;
    placed_.make_room(count, false);
    for_each_in_blocks(call.runner.executor, count, kCastBlock,
                       [&](std::size_t i) { place(call, static_cast<std::uint32_t>(i)); });
    answers_ = call.runner.run(call.tables(), placed_, parameters, wanted);
}

// Replaces the answers of a compound's joined children that touch or overlap, as `distance` does.
void CastRuns::settle_joined(const Call& call, bool at_covered_faces, std::uint32_t asked) {
    const Item& item = items_[live_[asked]];
    if (call.with_triangles || answers_.status[asked] != Status::ok ||
        (!is_joined(call.tables(), item.shape_a, item.child_a) &&
         !is_joined(call.tables(), item.shape_b, item.child_b)))
        return;
    const TwoBodies bodies = bodies_at(call, item.entry, item.part, item.moving.time);
    SeamAnswer answer = {answers_.signed_distance[asked], answers_.normal[asked], answers_.point_a[asked],
                         answers_.point_b[asked]};
    settle_distance({call.tables(), bodies.a, bodies.b, item.entry.a == item.entry.b},
                    {item.child_a, item.child_b, item.is_swapped, TriangleContact::unknown}, at_covered_faces, answer);
    answers_.signed_distance[asked] = answer.distance, answers_.normal[asked] = answer.normal;
    answers_.point_a[asked] = answer.point_a, answers_.point_b[asked] = answer.point_b;
}

// Records the pairs of the items that hit.
void CastRuns::note_hits(const Call& call) {
    hits_.clear(), ignored_.clear();
    for (std::size_t first = 0, end = 0; first < items_.size(); first = end) {
        const FirstHit& hit = first_[items_[first].pair()];
        const std::size_t ignored = ignored_.size();
        for (end = first; end < items_.size() && items_[end].pair() == items_[first].pair(); ++end)
            if (hit.hits && hit.time < items_[end].ignored_until)
                ignored_.push_back({items_[end].child_a, items_[end].child_b, false, TriangleContact::unknown});
        if (hit.hits) note_hit(call, items_[first].entry, ignored);
    }
}

void CastRuns::note_hit(const Call& call, const Entry& entry, std::size_t first_ignored) {
    if (first_[entry.pair()].status != Status::ok) return;
    const double at = first_[entry.pair()].time * double(call.parts());
    const auto part = static_cast<std::uint32_t>(std::min(std::size_t(at), call.parts() - 1));
    hits_.push_back({entry, part, at - part, first_ignored, ignored_.size()});
}

// A child that is reported early, by its share of the tolerance, may be the first in time but not the nearest. The
// answer of a pair is that of its nearest child at the time of its hit, except for children that are ignored then.
void CastRuns::answer_hits(const Call& call) {
    items_.clear();
    for (const Hit& hit : hits_) {
        const FacingTriangles facing = facing_triangles(call, hit.entry);
        const double reach = maths::max(0, first_[hit.entry.pair()].distance);
        listed_.clear();
        list_near(call, bodies_at(call, hit.entry, hit.part, hit.time), reach, facing);
        const std::span ignored = std::span(ignored_).subspan(hit.first_ignored, hit.end_ignored - hit.first_ignored);
        for (const ChildPair& child : listed_) {
            const auto is_same = [&](const ChildPair& other) { return child.a == other.a && child.b == other.b; };
            if (std::any_of(ignored.begin(), ignored.end(), is_same)) continue;
            add_item(call, hit.entry, child.a, child.b, hit.time, hit.part);
        }
    }
    if (items_.empty()) return;
    if (found_.size() < items_.size()) found_.resize(items_.size());
    live_.resize(items_.size());
    std::iota(live_.begin(), live_.end(), 0u);
    ask(call);
    for (std::uint32_t i = 0; i < live_.size(); ++i) {
        settle_joined(call, false, i);
        finish(call, i, answers_.status[i]);
        items_[i].moving.normal = answers_.normal[i];
        const maths::Vec3d n = normal_of(call, items_[i]);
        found_[i].normal = finite_float(items_[i].entry.swapped() ? -n : n);
    }
    // An ignored contact may continue in a part that is not met yet: such a part does not close, and comes last.
    const auto may_continue = [&](std::size_t i) {
        const FirstHit& found = found_[i];
        const maths::Vec3d normal = maths::to_double(found.normal);
        return call.options.start == CastStart::closing_only &&
               !closes_gap(call, static_cast<std::uint32_t>(i), found.is_swapped ? -normal : normal, found.distance);
    };
    const auto comes_before = [&](std::size_t i, std::size_t k) {
        const bool is_last = may_continue(i);
        return is_last == may_continue(k) ? is_nearer(found_[i], found_[k]) : !is_last;
    };
    for (std::size_t first = 0, end = 0; first < items_.size(); first = end) {
        std::size_t nearest = first;
        for (end = first; end < items_.size() && items_[end].pair() == items_[first].pair(); ++end)
            if (end != first && comes_before(end, nearest)) nearest = end;
        FirstHit& hit = first_[items_[first].pair()];
        const double time = hit.time;
        hit = found_[nearest], hit.time = time;
    }
    items_.clear();
}

// Advances each live item until it is decided or needs a distance; live_ then holds the items that need one.
void CastRuns::advance(const Call& call) {
    pending_.assign(live_.begin(), live_.end());
    while (!pending_.empty()) {
        const std::span<const std::uint32_t> all = pending_;
        for_each_block(call.runner.executor, all.size(), kCastBlock,
                       [&](std::size_t first, std::size_t end) { advance_some(all.subspan(first, end - first)); });
        std::erase_if(pending_, [&](std::uint32_t i) {
            Item& item = items_[i];
            if (item.moving.needs_distance) return true;
            item.is_decided = !(item.moving.time < item.moving.latest) && !goes_on(call, item);
            if (!item.is_decided && ++item.rounds > kMostRounds) item.moving.needs_distance = true;
            return item.is_decided;
        });
    }
    std::erase_if(live_, [&](std::uint32_t i) { return items_[i].is_decided; });
}

void CastRuns::advance_some(std::span<const std::uint32_t> some) {
    MotionChunk chunk;
    for (std::size_t i = 0; i < some.size();) {
        const auto first = chunk_order(items_[some[i]].moving);
        chunk.count = 0;
        for (; i < some.size() && chunk.count < kMotionPairs; ++i) {
            Item& item = items_[some[i]];
            if (chunk_order(item.moving) != first) break;
            chunk.pairs[chunk.count] = &item.moving, chunk.bodies[chunk.count++] = placed_.bodies_of(some[i]);
        }
        kernels_->advance_motions(chunk);
    }
}

// At the end of a step: asks for the distance of an ignored item, or starts the next part of the path. False at the end
// of the path.
bool CastRuns::goes_on(const Call& call, Item& item) const {
    if (!(item.moving.latest < end_of_part(call, item))) return end_part(call, item);
    return item.moving.needs_distance = true;
}

// Starts the next part of the path. False at the end of the path.
bool CastRuns::end_part(const Call& call, Item& item) const {
    ++item.part, item.rounds = 0;
    if (item.part >= call.parts() || item.part >= call.latest(item.pair()) * double(call.parts())) return false;
    begin_part(call, item);
    return true;
}

// True if the item is decided, or cannot come first any more.
bool CastRuns::is_done(const Call& call, const Item& item) const {
    if (item.is_decided) return true;
    const double time = item.time_of(call.parts());
    if (first_[item.pair()].hits && time > first_[item.pair()].time) return true;
    switch (call.options.reduction) {
        case CastReduction::every_pair: return false;
        case CastReduction::first_of_body: return time > body_time_[call.body_of(item.pair())];
        case CastReduction::any: return body_time_[0] <= 1;
    }
    return false;
}

void CastRuns::keep_first(const Call& call, std::uint32_t pair, const FirstHit& hit) {
    if (!hit.hits) return;
    FirstHit& first = first_[pair];
    if (!first.hits || hit.time < first.time) first = hit;
    if (call.options.reduction == CastReduction::every_pair) return;
    double& time = body_time_[call.options.reduction == CastReduction::any ? 0 : call.body_of(pair)];
    time = maths::min(time, hit.time);
}

// Only the first hit of each body counts.
void CastRuns::reduce(const Call& call) {
    if (call.options.reduction != CastReduction::first_of_body) return;
    for (std::uint32_t pair = 0; pair < first_.size(); ++pair) {
        FirstHit& hit = first_[pair];
        if (!hit.hits) continue;
        double& time = body_time_[call.body_of(pair)];
        if (hit.time > time)
            hit.hits = false;
        else
            time = -1;  // the body's remaining hits are later, or equal with a higher pair index
    }
}

// Moves points from A's shape to its body.
void CastRuns::move_points(const Call& call) {
    for (std::uint32_t pair = 0; pair < first_.size(); ++pair) {
        FirstHit& hit = first_[pair];
        const std::uint32_t body = call.body_of(pair);
        const RelativePose* const pose =
            hit.hits ? instance_pose(call.tables(), call.frame.bodies.columns().shapes[body]) : nullptr;
        if (pose == nullptr) continue;
        const double at = hit.time * double(call.parts());
        const std::size_t part = std::min(std::size_t(at), call.parts() - 1);
        const maths::Mat3 axes = motions_[part * call.frame.bodies.size() + body].axes_at(at - double(part));
        const maths::Vec3d offset = axes * -seen_from_shape(*pose, {0, 0, 0});
        for (Vec3* point : {&hit.point_a, &hit.point_b}) *point = finite_float(maths::to_double(*point) + offset);
    }
}

void CastRuns::write(const Call& call, const CastColumns& out) const {
    Vector<std::uint8_t>& hit = context_.scratch.flag;
    hit.resize(first_.size());
    for (std::size_t pair = 0; pair < first_.size(); ++pair) {
        const bool is_answered = call.status[pair] == Status::ok || call.status[pair] == Status::not_converged;
        hit[pair] = is_answered && first_[pair].hits;
        FirstHit answer = {};
        if (hit[pair] != 0) {
            answer = first_[pair];
        } else if (is_answered) {
            answer.time = call.latest(std::uint32_t(pair));
            answer.distance = std::numeric_limits<float>::infinity();
        }
        const auto put = [&](auto column, const auto& value) {
            if (!column.empty()) column[pair] = value;
        };
        put(out.time, answer.time), put(out.signed_distance, answer.distance);
        put(out.normal, answer.normal), put(out.point_a, answer.point_a), put(out.point_b, answer.point_b);
        put(out.child_a, answer.child_a), put(out.child_b, answer.child_b);
    }
}

}  // namespace abut
