// See child_results.hpp.
#include "batch/child_results.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

using maths::Vec3d;

Vec3 negative(Vec3 v) { return {-v.x, -v.y, -v.z}; }

// Transforms a child pair's answer to its compound pair: from the position of the child that is computed first to the
// position of the caller's A, in double, because either may be far from the point.
class WayBack {
public:
    WayBack(const PairCall& call, const Entry& entry, const ChildPair& child) {
        const auto [a, b] = call.bodies_of(entry);
        if (child.is_swapped)
            offset_ = maths::to_double(b.position) - maths::to_double(a.position) +
                      ChildPoses(call.tables(), b)[child.b].offset;
        else
            offset_ = ChildPoses(call.tables(), a)[child.a].offset;
        // Relative to the caller's A.
        if (entry.swapped()) offset_ = offset_ - (maths::to_double(b.position) - maths::to_double(a.position));
        is_swapped_ = child.is_swapped != entry.swapped();
    }

    // True if A and B are exchanged.
    bool is_swapped() const { return is_swapped_; }
    Vec3 normal(Vec3 n) const { return is_swapped_ ? negative(n) : n; }
    Vec3 point(Vec3 p) const { return finite_float(maths::to_double(p) + offset_); }
    std::uint32_t feature(std::uint32_t id) const { return is_swapped_ ? id << 16 | id >> 16 : id; }

private:
    Vec3d offset_;
    bool is_swapped_;
};

Status worst_of(const CompoundPair& compound_pair, const Status* status) {
    Status worst = Status::ok;
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i)
        worst = std::max(worst, status[i]);
    return worst;
}

}  // namespace

void KeptManifolds::add(const CompoundPair& compound_pair, const ChildPairs& children) {
    const PairBatch& from = children.batch;
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i) {
        if (from.flag[i] != 0) add(children.pairs[i], from.flag[i], from.manifolds[i]);
    }
}

void KeptManifolds::add(const ChildPair& pair, std::uint32_t contacts, const ManifoldRecord& record) {
    pairs.push_back(pair);
    contact_count.push_back(static_cast<std::uint8_t>(contacts));
    records.push_back(record);
}

void KeptManifolds::add(const MergedManifold& manifold) {
    for (std::uint32_t at = 0; at < manifold.count; at += kMaxContacts) {
        add(manifold.pair, std::min(manifold.count - at, kMaxContacts) | (at == 0 ? 0 : kContinues),
            manifold.records[at / kMaxContacts]);
        records[size() - 1].normal = manifold.normal;
        triangles.push_back(manifold.triangles[at / kMaxContacts]);
    }
}

void KeptManifolds::clear() {
    pairs.clear();
    contact_count.clear();
    records.clear();
    triangles.clear();
}

void KeptManifolds::resize(std::size_t manifolds, bool with_triangles) {
    pairs.resize(manifolds), contact_count.resize(manifolds), records.resize(manifolds);
    triangles.resize(with_triangles ? manifolds : 0);
}

void KeptManifolds::reserve(std::size_t child_pairs, bool with_triangles) {
    reserve_all(child_pairs, pairs, contact_count, records);
    if (with_triangles) triangles.reserve(child_pairs);
}

std::size_t KeptManifolds::bytes() const { return bytes_of(pairs, contact_count, records, triangles); }

void give_status(const PairCall& call, const CompoundPair& compound_pair, const ChildPairs& children) {
    Status& status = call.out.status[compound_pair.entry.pair()];
    if (status == Status::ok) status = worst_of(compound_pair, children.batch.status.data());
}

void place_manifolds(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds) {
    settle_seams(call, compound_pair, manifolds);
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i) {
        const std::uint32_t count = manifolds.contact_count[i];
        if (count == 0) continue;
        const WayBack back(call, compound_pair.entry, manifolds.pairs[i]);
        ManifoldRecord& record = manifolds.records[i];
        record.normal = back.normal(record.normal);
        for (std::uint32_t k = 0; k < count; ++k) {
            Contact& contact = record.contacts[k];
            contact = {back.point(contact.position), contact.separation, back.feature(contact.feature)};
        }
    }
}

void write_no_distance(const PairCall& call, const Entry& entry) {
    const OutputView& out = call.out;
    const std::uint32_t pair = entry.pair();
    out.signed_distance[pair] = std::numeric_limits<float>::infinity();
    for (Vec3* column : {out.normal, out.point_a, out.point_b})
        if (column != nullptr) column[pair] = {};
}

void write_distance(const PairCall& call, const Entry& entry, const ChildPairs& children, std::uint32_t i) {
    const PairBatch& batch = children.batch;
    const OutputView& out = call.out;
    const std::uint32_t pair = entry.pair();
    write_no_distance(call, entry);
    out.signed_distance[pair] = batch.signed_distance[i];
    if (call.parameters.separation_only && batch.signed_distance[i] <= 0.0f) return;  // an overlap has no depth
    const WayBack back(call, entry, children.pairs[i]);
    if (out.normal) out.normal[pair] = back.normal(batch.normal[i]);
    if (out.point_a) out.point_a[pair] = back.point(back.is_swapped() ? batch.point_b[i] : batch.point_a[i]);
    if (out.point_b) out.point_b[pair] = back.point(back.is_swapped() ? batch.point_a[i] : batch.point_b[i]);
}

}  // namespace abut
