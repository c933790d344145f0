// See world_rays.hpp.
#include "queries/world/world_rays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "queries/boxes/ray_lines.hpp"
#include "queries/boxes/world_boxes.hpp"
#include "queries/rays/ray_meets.hpp"

namespace abut {
namespace {

// Rays in progress at the same time: their pairs fill the lanes, and their entries fit the second-level cache.
constexpr std::uint32_t kSlots = 256;
// Pairs of a round, if rays end at their hits: few rays compute several pairs each, so that their lanes are not empty.
constexpr std::uint32_t kFewPairs = 32;
constexpr std::uint32_t kMostOfRay = 2;
// The least number of rays per task.
constexpr std::size_t kLeastRays = 512;
// Covers the rounding of a fraction and of RayLine::length.
constexpr double kLimitExcess = 1 + 0x1p-20;

float limit_of(const BoxWalk& walk, double fraction) {
    return round_up(double(walk.line.length) * fraction * kLimitExcess);
}

}  // namespace

struct WorldRays::Call {
    const WorldBodies& world;
    const WorldRayOptions& options;
    const WorldRayColumns& out;
    const WorldBoxes& boxes;
    const BoxRays lines;
    const BoxFilter rays_see, bodies;
    const RayMeets meets;
    RayBest* best;

    // True if a ray ends as soon as its list of hits cannot change any more.
    bool ends_early() const { return !options.count_left_out; }
    void write(const Slot& slot, Status status) const;
};

void WorldRays::Call::write(const Slot& slot, Status status) const {
    const auto put = [](auto column, std::size_t at, const auto& value) {
        if (!column.empty()) column[at] = value;
    };
    put(out.left_out, slot.ray, slot.left_out);
    const Hit none = {1, kNoBody, {}, {}, 0, kNoFace, 0, status};
    for (std::uint32_t i = 0; i < options.max_hits; ++i) {
        const Hit& hit = i < slot.hits.size() ? slot.hits[i] : none;
        const std::size_t at = std::size_t(slot.ray) * options.max_hits + i;
        put(out.body, at, hit.body), put(out.fraction, at, hit.fraction), put(out.point, at, hit.point),
            put(out.normal, at, hit.normal);
        put(out.child, at, hit.child), put(out.inside, at, hit.inside), put(out.status, at, hit.status);
        put(out.face, at, hit.face);
    }
}

void WorldRays::answer(WorldRayColumns& out, const WorldBodies& world, const Rays& rays,
                       const WorldRayOptions& options) {
    const std::size_t count = rays.size(), threads = context_.tasks();
    const std::size_t parts =
        threads <= 1 ? 1 : std::clamp<std::size_t>(count / kLeastRays, 1, threads * std::size_t(8));
    best_.assign(count, {std::numeric_limits<double>::infinity(), kNoRayPair});
    if (tasks_.size() < parts) tasks_.resize(parts);
    const WorldBoxes& boxes = *boxes_of(*world.tree);
    const MeetOptions wanted = {kernels_for<RayKernels>(context_.isa), options.any, options.solid_meshes,
                                options.sides};
    BoxRays lines;
    lines.origins = rays.origins, lines.double_origins = rays.double_origins;
    lines.directions = rays.directions, lines.lengths = rays.lengths;
    lines.boxes_origin = boxes.origin;
    const WorldFilter& filter = options.filter;
    const Call call = {world,
                       options,
                       out,
                       boxes,
                       lines,
                       {filter.groups, filter.masks, filter.ignored},
                       boxes.filter(),
                       RayMeets(*world.shapes, world.bodies, rays, wanted),
                       best_.data()};
    parallel_for(context_.executor, parts, [&](std::size_t part) {
        run(call, tasks_[part], std::uint32_t(count * part / parts), std::uint32_t(count * (part + 1) / parts));
    });
    for (std::size_t part = 0; part < parts; ++part) context_.counters.pairs += tasks_[part].pairs;
    context_.counters.exact = context_.counters.pairs;
}

// Casts the rays [first, end).
void WorldRays::run(const Call& call, Task& task, std::uint32_t first, std::uint32_t end) {
    if (task.round.empty()) task.round.resize(1);
    const std::uint32_t slots = std::min(kSlots, end - first);
    if (task.slots.size() < slots) task.slots.resize(slots);
    task.active.clear(), task.pairs = 0;
    for (std::uint32_t i = 0; i < slots; ++i) task.slots[i].is_used = false, task.active.push_back(i);
    Round& round = task.round[0];
    Frame frame;
    frame.shapes = call.world.shapes, frame.bodies = call.world.bodies;
    const BodyBlocks blocks(frame, call.meets.rays.size());
    RayAnswers answers;
    answers.best = call.best;
    answers.hit = round.hit, answers.status = round.status, answers.fraction = round.fraction;
    answers.point = round.point, answers.normal = round.normal;
    answers.child = round.child, answers.inside = round.inside;
    answers.face = call.out.face.empty() ? nullptr : round.face;
    for (std::uint32_t next = first; !task.active.empty();) {
        round.size = 0;
        const auto active = static_cast<std::uint32_t>(task.active.size());
        const std::uint32_t wanted = call.ends_early() ? kFewPairs : kMostPairs,
                            most = std::clamp(wanted / active, 1u, kMostOfRay);
        std::uint32_t kept = 0;
        for (const std::uint32_t i : task.active) {
            advance(call, task.slots[i], most, round, next, end);
            task.active[kept] = i, kept += task.slots[i].pairs != 0;
        }
        task.active.resize(kept), task.pairs += round.size;
        frame.pairs = answers.pairs = Strided<Pair>(round.pairs, round.size);
        blocks.run_block(
            0, round.size, [](ShapeKind) { return true; }, [&](std::uint32_t pair) { round.hit[pair] = 0; },
            [&](ShapeKind kind, std::span<const std::uint32_t> pairs) { call.meets.meet_kind(answers, kind, pairs); });
        for (const std::uint32_t i : task.active) take_hits(call, task.slots[i], round);
    }
}

// Finds the next pairs of the slot's ray, or of the next ray that has pairs; rays before it are finished.
void WorldRays::advance(const Call& call, Slot& slot, std::uint32_t most, Round& round, std::uint32_t& next,
                        std::uint32_t end) const {
    for (;;) {
        if (slot.is_used) {
            find_pairs(call, slot, most, round);
            if (slot.pairs != 0) return;
            call.write(slot, Status::ok);
        }
        slot.pairs = 0, slot.is_used = next < end;
        if (next == end) return;
        if (!start(call, slot, next++)) call.write(slot, Status::bad_pose), slot.is_used = false;
    }
}

// Starts a ray. False if the ray is bad.
bool WorldRays::start(const Call& call, Slot& slot, std::uint32_t ray) const {
    slot.ray = ray, slot.left_out = 0, slot.hits.clear();
    const Vec3 direction = call.lines.directions[ray];
    const float farthest = std::max(std::max(std::abs(direction.x), std::abs(direction.y)), std::abs(direction.z));
    if (!read_line(call.lines, ray, slot.walk.line) || !(farthest <= kFarthestMetres)) return false;
    if (!call.lines.lengths.empty()) {
        const float length = call.lines.lengths[ray];
        if (!(length > 0.0f && length <= 2 * kFarthestMetres)) return false;
    }
    slot.walk.start(call.boxes.blocks.tree());
    slot.walk.limit = limit_of(slot.walk, 1);
    return true;
}

void WorldRays::find_pairs(const Call& call, Slot& slot, std::uint32_t most, Round& round) const {
    std::uint32_t ids[kMostOfRay];
    slot.first_pair = round.size, slot.pairs = 0;
    while (slot.pairs == 0) {
        const std::uint32_t found = kernels_->find_next_boxes(call.boxes.blocks.tree(), slot.walk, most, ids);
        if (found == 0) return;
        for (std::uint32_t i = 0; i < found; ++i) {
            round.pairs[round.size] = {slot.ray, ids[i]};
            const bool is_seen = may_pair(call.rays_see, slot.ray, call.bodies, ids[i]);
            round.size += is_seen, slot.pairs += is_seen;
        }
    }
}

void WorldRays::take_hits(const Call& call, Slot& slot, const Round& round) const {
    const std::size_t most = call.options.max_hits;
    for (std::uint32_t pair = slot.first_pair; pair < slot.first_pair + slot.pairs; ++pair) {
        if (round.hit[pair] == 0) continue;
        if (slot.hits.size() == most && call.options.any) {
            ++slot.left_out;
            continue;
        }
        const Hit hit = {round.fraction[pair], round.pairs[pair].b, round.point[pair],  round.normal[pair],
                         round.child[pair],    round.face[pair],    round.inside[pair], round.status[pair]};
        const auto at = std::upper_bound(slot.hits.begin(), slot.hits.end(), hit,
                                         [](const Hit& a, const Hit& b) { return a.comes_before(b); });
        const auto index = at - slot.hits.begin();
        if (slot.hits.size() == most) {
            ++slot.left_out;
            if (at == slot.hits.end()) continue;
            slot.hits.pop_back();
        }
        slot.hits.insert(slot.hits.begin() + index, hit);
    }
    if (!call.ends_early()) return;
    slot.left_out = 0;
    if (slot.hits.size() < most) return;
    if (call.options.any) {
        slot.walk.size = 0;
        return;
    }
    const double fraction = slot.hits.back().fraction;
    call.best[slot.ray] = {fraction, 0};
    slot.walk.limit = limit_of(slot.walk, fraction);
}

}  // namespace abut
