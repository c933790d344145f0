#include "batch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace abut::mujoco {
namespace {

static_assert(std::is_same_v<mjtNum, double>, "MuJoCo in single precision is not supported");

constexpr std::size_t kLeastSlots = 64;
// A pair that MuJoCo did not ask for in this many batches leaves them: bodies at the limit of the broad phase come and
// go.
constexpr std::uint32_t kBatchesKept = 2;

// mju_mat2Quat has the real part first. Rotating by 90 degrees about X takes Y to Z.
Quat orientation_of(const mjtNum* matrix, bool along_z) {
    constexpr double kHalf = 0.70710678118654752440;
    mjtNum q[4];
    mju_mat2Quat(q, matrix);
    if (!along_z) return {float(q[1]), float(q[2]), float(q[3]), float(q[0])};
    return {float(kHalf * (q[0] + q[1])), float(kHalf * (q[2] + q[3])), float(kHalf * (q[3] - q[2])),
            float(kHalf * (q[0] - q[1]))};
}

}  // namespace

Batch::Batch(const Cooked& cooked, const Options& options)
    : cooked_(&cooked),
      keeps_pairs_(options.batch),
      keeps_caches_(options.warm_caches),
      poses_(cooked.known.size()),
      slots_(kLeastSlots, 0) {}

bool Batch::has_moved(const mjData& data, std::uint32_t geom) const {
    const GeomPose& pose = poses_[geom];
    return std::memcmp(pose.position, data.geom_xpos + 3 * std::size_t(geom), sizeof pose.position) != 0 ||
           std::memcmp(pose.matrix, data.geom_xmat + 9 * std::size_t(geom), sizeof pose.matrix) != 0;
}

void Batch::read_pose(const mjData& data, std::uint32_t geom) {
    GeomPose& pose = poses_[geom];
    if (pose.batch != 0 && !has_moved(data, geom)) {
        pose.batch = batch_;
        return;
    }
    std::memcpy(pose.position, data.geom_xpos + 3 * std::size_t(geom), sizeof pose.position);
    std::memcpy(pose.matrix, data.geom_xmat + 9 * std::size_t(geom), sizeof pose.matrix);
    pose.orientation = orientation_of(pose.matrix, cooked_->along_z[geom] != 0);
    pose.batch = batch_;
}

// The slot of the pair, or the free one where it belongs.
std::size_t Batch::slot_of(Pair pair) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = (std::uint64_t(pair.a) << 32 | pair.b) * 0x9e3779b97f4a7c15u;
    std::size_t slot = std::size_t(hash >> 32) & mask;
    while (slots_[slot] != 0 && !(entries_[slots_[slot] - 1].pair == pair)) slot = (slot + 1) & mask;
    return slot;
}

void Batch::index_entries() {
    std::size_t slots = slots_.size();
    while (slots < 2 * entries_.size()) slots *= 2;
    slots_.assign(slots, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) slots_[slot_of(entries_[i].pair)] = std::uint32_t(i + 1);
}

std::uint32_t Batch::add(Pair pair, float margin) {
    entries_.push_back({pair, margin, batch_, {}});
    if (keeps_caches_) caches_.emplace_back();
    const std::uint32_t index = std::uint32_t(entries_.size() - 1);
    if (2 * entries_.size() > slots_.size()) {
        index_entries();
    } else {
        slots_[slot_of(pair)] = index + 1;
    }
    return index;
}

// Keeps the pairs that are likely to be asked for.
void Batch::begin_batch() {
    std::size_t kept = 0;
    for (std::size_t i = 0; keeps_pairs_ && i < entries_.size(); ++i) {
        if (entries_[i].asked + kBatchesKept <= batch_) continue;
        entries_[kept] = entries_[i];
        if (keeps_caches_) caches_[kept] = caches_[i];
        ++kept;
    }
    entries_.resize(kept);
    if (keeps_caches_) caches_.resize(kept);
    index_entries();
    ++batch_;
}

bool Batch::compute(NarrowPhase& narrow, std::size_t first, std::size_t count) {
    const Strided<Entry> entries(std::span<const Entry>(entries_).subspan(first, count));
    const Strided<GeomPose> poses(poses_);
    Frame frame;
    frame.shapes = &cooked_->store;
    frame.bodies = BodyColumns{.shapes = cooked_->shapes,
                               .double_positions = poses.member<DVec3>(offsetof(GeomPose, position)),
                               .orientations = poses.member<Quat>(offsetof(GeomPose, orientation))};
    frame.pairs = entries.member<Pair>(offsetof(Entry, pair));
    frame.margins = entries.member<float>(offsetof(Entry, margin));
    if (keeps_caches_) frame.caches = std::span<WarmCache>(caches_).subspan(first, count);
    if (!narrow.collide(frame, manifolds_)) return false;
    for (std::size_t i = 0; i < count; ++i) {
        Answer& answer = entries_[first + i].answer;
        answer.status = manifolds_.status[i];
        answer.count = 0;
        if (manifolds_.first_manifold[i] == manifolds_.first_manifold[i + 1]) continue;
        const Manifold& manifold = manifolds_.manifolds[manifolds_.first_manifold[i]];
        answer.normal = manifold.normal;
        answer.count = manifold.contact_count;
        std::copy_n(manifolds_.contacts.data() + manifold.first_contact, answer.count, answer.contacts.data());
    }
    return true;
}

const Answer* Batch::find(NarrowPhase& narrow, const mjData& data, std::uint32_t geom1, std::uint32_t geom2,
                          float margin) {
    const Pair pair{geom1, geom2};
    // A pose that has not been read in this batch says nothing about a new step.
    const auto shows_new_step = [&](std::uint32_t geom) {
        return poses_[geom].batch == batch_ && has_moved(data, geom);
    };
    const bool is_new_step = shows_new_step(geom1) || shows_new_step(geom2);
    if (is_new_step) begin_batch();
    const std::uint32_t slot = slots_[slot_of(pair)];
    const std::uint32_t index = slot != 0 ? slot - 1 : add(pair, margin);
    Entry& entry = entries_[index];
    const bool is_answered = !is_new_step && slot != 0 && entry.margin == margin;
    entry.asked = batch_;
    if (is_answered) return &entry.answer;

    entry.margin = margin;
    const std::size_t first = is_new_step ? 0 : index, count = is_new_step ? entries_.size() : 1;
    for (std::size_t i = first; i < first + count; ++i)
        read_pose(data, entries_[i].pair.a), read_pose(data, entries_[i].pair.b);
    if (is_new_step) {
        ++work.batches, work.computed += count;
    } else {
        ++work.alone;
    }
    if (compute(narrow, first, count)) return &entries_[index].answer;
    entries_.clear(), caches_.clear();
    index_entries();
    return nullptr;
}

}  // namespace abut::mujoco
