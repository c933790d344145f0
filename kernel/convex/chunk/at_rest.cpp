#include "convex/chunk/at_rest.hpp"

#include "convex/separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using motion_detail::PairPosesW, motion_detail::ChecksumW;

constexpr std::uint32_t kIsSwapped = 1u << 31;  // in a mark: A was the caller's b
constexpr int kMark = 0, kChecksum = 1, kFirstSealed = 3, kOffset = 3, kOrientationA = 6, kOrientationB = 10,
              kManifold = 14;
static_assert(offsetof(AtRestRecord, checksum) == 4 * kChecksum && offsetof(AtRestRecord, offset) == 4 * kOffset &&
              offsetof(AtRestRecord, orientation_a) == 4 * kOrientationA &&
              offsetof(AtRestRecord, orientation_b) == 4 * kOrientationB &&
              offsetof(AtRestRecord, manifold) == 4 * kManifold && sizeof(AtRestRecord) == 4 * kRecordWords);

// The records of a group, as one vector per word.
struct AtRestRecordW {
    FloatW word[kRecordWords];

    ABUT_INLINE explicit AtRestRecordW(const RecordRows& rows) { load_rows(rows.row, word); }

    ABUT_INLINE MaskW is_at(const PairPosesW& now) const {
        MaskW same =
            (word[kOffset] == now.offset.x) & (word[kOffset + 1] == now.offset.y) & (word[kOffset + 2] == now.offset.z);
        for (int k = 0; k < 4; ++k)
            same &= (word[kOrientationA + k] == now.raw_a[k]) & (word[kOrientationB + k] == now.raw_b[k]);
        return same;
    }
    ABUT_INLINE IntW checksum() const { return bits_of(word[kChecksum]); }
    // A checksum of the other words and of what else contacts depend on, except the order of the bodies.
    ABUT_INLINE IntW sum(const Chunk& chunk, const PairPosesW& now, FloatW reach) const {
        ChecksumW all;
        ABUT_UNROLL(40)
        for (int i = kFirstSealed; i < kRecordWords; ++i) all.add(word[i]);
        all.add(word[kMark]), all.add(now.content_a), all.add(now.content_b);
        all.add(reach), all.add(FloatW(chunk.parameters->contact_slack));
        return all.value();
    }
};

}  // namespace

std::uint32_t answer_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    const RecordRows rows(chunk, list, lanes);
    const AtRestRecordW record(rows);
    const PairPosesW now = motion_detail::load_pair_poses(chunk, list, lanes);
    const std::uint32_t good = now.good.bits() & lanes;
    const std::uint32_t sealed =
        MaskW((record.sum(chunk, now, reach) == record.checksum()) & record.is_at(now)).bits() & good;
    std::uint32_t answered = 0;
    for_each_lane(sealed, [&](int lane) {
        const std::uint32_t mark = rows.mark(lane);
        if (((mark & kIsSwapped) != 0) != chunk.is_swapped(list[lane])) return;
        const std::uint32_t pair = chunk.pair(list[lane]);
        chunk.out->contact_count[pair] = static_cast<std::uint8_t>(mark >> 16);
        std::memcpy(static_cast<void*>(&chunk.out->manifolds[pair]), rows.row[lane] + kManifold,
                    sizeof(ManifoldRecord));
        answered |= 1u << lane;
    });
    for_each_lane(good & ~answered, [&](int lane) { rows.set_mark(lane, 0); });
    return answered;
}

void store_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    const PairPosesW now = motion_detail::load_pair_poses(chunk, list, lanes);
    const std::uint32_t good = now.good.bits() & lanes;
    const RecordRows rows(chunk, list, good);
    for_each_lane(good, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]), count = chunk.out->contact_count[pair];
        const ManifoldRecord& manifold = chunk.out->manifolds[pair];
        AtRestRecord record = {};
        record.mark = kAtRestTag | count << 16 | (chunk.is_swapped(list[lane]) ? kIsSwapped : 0);
        record.manifold.normal = manifold.normal;
        for (std::uint32_t k = 0; k < count; ++k) record.manifold.contacts[k] = manifold.contacts[k];
        std::memcpy(rows.row[lane], &record, sizeof record);
    });
    const FloatW pose[] = {now.offset.x, now.offset.y, now.offset.z, now.raw_a[0], now.raw_a[1], now.raw_a[2],
                           now.raw_a[3], now.raw_b[0], now.raw_b[1], now.raw_b[2], now.raw_b[3]};
    store_rows(pose, std::size(pose), [&](int lane) { return rows.row[lane] + kOffset; });
    const LaneArray<std::int32_t> checksum = lanes_of(AtRestRecordW(rows).sum(chunk, now, reach));
    for_each_lane(good,
                  [&](int lane) { std::memcpy(rows.row[lane] + kChecksum, &checksum[lane], sizeof checksum[lane]); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
