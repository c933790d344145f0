// See ground_runs.hpp.
#include "batch/ground_runs.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"
#include "convex/contract/warm_marks.hpp"
#include "surfaces/walk/child_walk.hpp"

namespace abut {
namespace {

template <class T>
std::span<T> part_of(Vector<T>& items, const CompoundPair& compound_pair) {
    return {items.data() + compound_pair.first, compound_pair.count};
}

GroundPair pair_of(const Frame& frame, const CompoundPair& compound_pair, const QueryParameters& parameters,
                   std::span<ContactPair> contact_pairs) {
    return {frame, compound_pair.entry, parameters.reach_of(compound_pair.entry.pair()), parameters.ground_contacts,
            contact_pairs};
}

// True if the deepest contact has moved by no more than the body has. A contact with the same name may be another
// contact: both ends of a round edge have the name of one corner.
bool is_as_deep(const KeptContacts& kept, const MergedManifold* first, const MergedManifold* end) {
    if (first == end) return true;
    double deepest = INFINITY;
    for (; first != end; ++first) deepest = std::min(deepest, double(first->contact(0).separation));
    return std::fabs(deepest - kept.deepest) <= kept.moved + kReachSlack * std::fabs(deepest);
}

// Takes the manifolds of one body from its cache. Returns 1 + their number, or 0 if the manifolds must be computed.
std::uint8_t follow_contacts(const Frame& frame, const Entry& entry, const QueryParameters& parameters,
                             WarmCache& cache, MergedManifold* out) {
    const auto [a, b] = PairRecordBuilder(frame)(entry);
    if (!is_valid_parent_pose(a) || !is_valid_parent_pose(b)) return 0;
    KeptContacts kept;
    const SurfaceMemory::Contacts found = SurfaceMemory(frame, entry, a, b, parameters).recall(cache, kept);
    if (found == SurfaceMemory::Contacts::none) return 0;
    const GroundPair pair(frame, entry, parameters.reach_of(entry.pair()), parameters.ground_contacts, {});
    const bool is_placed = found == SurfaceMemory::Contacts::placed;
    const MergedManifold* const end = is_placed ? pair.restore(kept, out) : pair.follow(kept, out);
    if (end == nullptr || (!is_placed && !is_as_deep(kept, out, end))) return 0;
    if (!is_placed) SurfaceMemory::set_followed(cache);
    return static_cast<std::uint8_t>(end - out + 1);
}

bool comes_before(const ChildPair& x, const ChildPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

}  // namespace

void GroundRuns::add(const CompoundPair& part, const ChildPairs& children) {
    const PairBatch& from = children.batch;
    std::span<const ChildPair> known = part.known();
    const auto add_known_before = [&](const ChildPair* next) {
        for (; !known.empty() && (next == nullptr || comes_before(known.front(), *next)); known = known.subspan(1)) {
            ContactPair t = {};
            t.pair = known.front();
            contact_pairs_.push_back(t);
        }
    };
    for (std::uint32_t i = part.first; i < part.first + part.count; ++i) {
        if (from.flag[i] == 0) continue;
        add_known_before(&children.pairs[i]);
        ContactPair t = {};
        t.pair = children.pairs[i], t.count = from.flag[i], t.record = from.manifolds[i];
        contact_pairs_.push_back(t);
    }
    add_known_before(nullptr);
}

void GroundRuns::follow(const Frame& frame, std::span<const Entry> entries, const QueryParameters& parameters,
                        const Executor& executor) {
    has_contacts_.assign(entries.size(), 0);
    slot_.resize(entries.size());
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        slot_[i] = kept;
        kept += SurfaceMemory::keeps_contacts(cache_of(frame, entries[i].pair()));
    }
    grow(followed_, std::size_t(kept) * KeptContacts::kMostRecords);
    for_each_in_blocks(executor, entries.size(), kBlockCompoundPairs, [&](std::size_t i) {
        WarmCache& cache = cache_of(frame, entries[i].pair());
        if (SurfaceMemory::keeps_contacts(cache))
            has_contacts_[i] = follow_contacts(frame, entries[i], parameters, cache,
                                               &followed_[slot_[i] * KeptContacts::kMostRecords]);
    });
}

void GroundRuns::keep(const Frame& frame, const CompoundPair& compound_pair, const QueryParameters& parameters,
                      const KeptManifolds& from) const {
    const auto [a, b] = PairRecordBuilder(frame)(compound_pair.entry);
    KeptContacts contacts;
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i)
        if (!contacts.add(from.pairs[i].a, from.contact_count[i] & ~kContinues, from.records[i], from.triangles[i],
                          b.orientation))
            return;
    const SurfaceMemory memory(frame, compound_pair.entry, a, b, parameters);
    if (!memory.has_room(contacts)) return;
    contacts.may_follow =
        ChildWalk(tables_of(*frame.shapes), a, b).keeps_sides(compound_pair.reach, memory.room_of(contacts.deepest)) &&
        pair_of(frame, compound_pair, parameters, {}).may_follow(contacts);
    memory.keep(cache_of(frame, compound_pair.entry.pair()), contacts);
}

void GroundRuns::find_planes(const PairCall& call, std::span<const CompoundPair> compound_pairs) {
    grow(planes_, contact_pairs_.size());
    grow(merged_, contact_pairs_.size());
    grow(found_, compound_pairs.size());
    for_each_in_blocks(call.runner.executor, compound_pairs.size(), kBlockCompoundPairs, [&](std::size_t i) {
        const CompoundPair& compound_pair = compound_pairs[i];
        found_[i] = {};
        if (compound_pair.count != 0)
            found_[i].planes =
                pair_of(call.frame, compound_pair, call.parameters, part_of(contact_pairs_, compound_pair))
                    .find_planes(&planes_[compound_pair.first]);
    });
}

OutputView GroundRuns::ask_planes(const PairCall& call, std::span<const CompoundPair> compound_pairs) {
    std::uint32_t planes = 0;
    for (std::size_t i = 0; i < compound_pairs.size(); planes += found_[i++].planes) found_[i].first_plane = planes;
    on_planes_.make_room(planes, call.has_reaches());
    for_each_in_blocks(call.runner.executor, compound_pairs.size(), kBlockCompoundPairs, [&](std::size_t i) {
        for (std::uint32_t k = 0; k < found_[i].planes; ++k) {
            const std::uint32_t at = found_[i].first_plane + k;
            const GroundPlane& plane = planes_[compound_pairs[i].first + k];
            on_planes_.set_plane(at, {plane.body, plane.surface, plane.normal, plane.rounding});
            if (call.has_reaches()) on_planes_.reaches[at] = call.parameters.margins[compound_pairs[i].entry.pair()];
        }
    });
    return call.run(on_planes_, call.out);
}

void GroundRuns::run(const PairCall& call, std::span<CompoundPair> compound_pairs, KeptManifolds& kept) {
    find_planes(call, compound_pairs);
    const OutputView answers = ask_planes(call, compound_pairs);
    for_each_in_blocks(call.runner.executor, compound_pairs.size(), kBlockCompoundPairs, [&](std::size_t i) {
        const CompoundPair& compound_pair = compound_pairs[i];
        if (compound_pair.count == 0) return;
        const std::span<GroundPlane> planes = {planes_.data() + compound_pair.first, found_[i].planes};
        for (std::size_t k = 0, at = found_[i].first_plane; k < planes.size(); ++k, ++at)
            planes[k].count = answers.contact_count[at], planes[k].record = answers.manifolds[at];
        found_[i].merged = pair_of(call.frame, compound_pair, call.parameters, part_of(contact_pairs_, compound_pair))
                               .merge(planes, &merged_[compound_pair.first]);
    });
    for (std::size_t i = 0; i < compound_pairs.size(); ++i) {
        const std::uint32_t first = kept.size();
        for (std::uint32_t k = 0; k < found_[i].merged; ++k) kept.add(merged_[compound_pairs[i].first + k]);
        compound_pairs[i].first = first;
        compound_pairs[i].count = kept.size() - first;
    }
    contact_pairs_.clear();
}

void GroundRuns::reserve(std::size_t compound_pairs, std::size_t triangles) {
    reserve_all(compound_pairs, has_contacts_, slot_);
    followed_.reserve(compound_pairs * KeptContacts::kMostRecords);
    reserve_all(triangles, contact_pairs_, planes_, merged_, on_planes_);
    found_.reserve(compound_pairs);
}

std::size_t GroundRuns::bytes() const {
    return bytes_of(has_contacts_, slot_, followed_, contact_pairs_, planes_, merged_, found_, on_planes_);
}

}  // namespace abut
