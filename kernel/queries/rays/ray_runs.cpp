// See ray_runs.hpp. With a reduction, convex bodies are computed first: their hits shorten or remove rays for compounds
// and surfaces.
#include "queries/rays/ray_runs.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "queries/rays/body_blocks.hpp"
#include "queries/rays/ray_meets.hpp"
#include "shapes/kinds.hpp"

namespace abut {
namespace {

// Writes the fraction, no face, and zeros to the other columns.
void write_miss(const RayAnswers& out, std::size_t pair, double fraction) {
    out.fraction[pair] = fraction;
    if (out.point != nullptr) out.point[pair] = {};
    if (out.normal != nullptr) out.normal[pair] = {};
    if (out.child != nullptr) out.child[pair] = 0;
    if (out.inside != nullptr) out.inside[pair] = 0;
    if (out.face != nullptr) out.face[pair] = kNoFace;
}

}  // namespace

struct RayRuns::Call {
    const Frame& frame;
    const RayMeets meets;
    const RayReduction reduction;
    RayAnswers answers;

    bool reduces() const { return reduction != RayReduction::every_pair; }
    bool any() const { return meets.options.any; }
};

void RayRuns::answer(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    if (context_.scratch.flag.size() < pairs) context_.scratch.flag.resize(pairs);
    const MeetOptions wanted = {kernels_for<RayKernels>(context_.isa), options.reduction == RayReduction::any_of_ray,
                                options.solid_meshes, options.sides};
    RayAnswers answers = {frame.pairs};
    answers.hit = context_.scratch.flag.data(), answers.status = context_.begin_statuses(pairs, out.status);
    answers.fraction = out.fraction.data();
    answers.point = data_or_null(out.point), answers.normal = data_or_null(out.normal);
    answers.child = data_or_null(out.child), answers.inside = data_or_null(out.inside),
    answers.face = data_or_null(out.face);
    find_hits({frame, RayMeets(*frame.shapes, frame.bodies, rays, wanted), options.reduction, answers});
    context_.counters = {pairs, 0, pairs};
    context_.give_hits(pairs, out);
}

void RayRuns::find_hits(const Call& call) {
    const BodyBlocks blocks(call.frame, call.meets.rays.size());
    const auto missing = [&](std::uint32_t pair) {
        call.answers.status[pair] = Status::bad_index, call.answers.hit[pair] = 0;
        write_miss(call.answers, pair, 0);
    };
    const auto run_kinds = [&](const RayAnswers& answers, const auto& wanted) {
        blocks.run(context_.executor, wanted, missing, [&](ShapeKind kind, std::span<const std::uint32_t> pairs) {
            call.meets.meet_kind(answers, kind, pairs);
        });
    };
    if (!call.reduces()) return run_kinds(call.answers, [](ShapeKind) { return true; });
    best_.assign(call.meets.rays.size(), {std::numeric_limits<double>::infinity(), kNoRayPair});
    std::fill_n(call.answers.hit, call.frame.pairs.size(), std::uint8_t{0});
    std::atomic<bool> has_others = false;
    run_kinds(call.answers, [&](ShapeKind kind) {
        if (!is_convex(kind)) has_others.store(true, std::memory_order_relaxed);
        return is_convex(kind);
    });
    keep_best(call);
    if (has_others.load()) {
        RayAnswers limited = call.answers;
        limited.best = best_.data();
        run_kinds(limited, [](ShapeKind kind) { return !is_convex(kind); });
        keep_best(call);
    }
    clear_all_but_best(call);
}

void RayRuns::keep_best(const Call& call) {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.answers.hit[pair] == 0) continue;
        RayBest& best = best_[call.frame.pairs[pair].a];
        const double fraction = call.answers.fraction[pair];
        const bool is_first =
            best.pair == kNoRayPair || fraction < best.fraction || (fraction == best.fraction && pair < best.pair);
        if (call.any() ? best.pair == kNoRayPair || pair < best.pair : is_first) best = {fraction, pair};
    }
}

void RayRuns::clear_all_but_best(const Call& call) const {
    for (std::uint32_t pair = 0; pair < call.frame.pairs.size(); ++pair) {
        if (call.answers.hit[pair] == 0 || best_[call.frame.pairs[pair].a].pair == pair) continue;
        call.answers.hit[pair] = 0;
        write_miss(call.answers, pair, 1);
    }
}

}  // namespace abut
