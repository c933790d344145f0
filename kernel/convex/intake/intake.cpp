// Kinds of pairs, and a chunk's pairs in canonical order, one pair per lane. It is unpredictable which of two bodies
// comes first and which kind comes next, so no branch depends on either.
#include "convex/intake/intake.hpp"

#include "simd/doubles.hpp"
#include "simd/gather_tables.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

constexpr auto kNone = static_cast<std::int32_t>(ShapeKind::none);
constexpr int kKindShift = ShapeId::kSlotBits + ShapeId::kGenerationBits;

// The numbers 0, 1, ..., one per lane; lanes from `count` on repeat count - 1.
ABUT_INLINE IntW numbers_below(std::uint32_t count) {
    return count >= kLanes ? lane_numbers()
                           : least_unsigned(lane_numbers(), IntW(static_cast<std::int32_t>(count - 1)));
}

// Finds the kind of ids; kNone for an id that names no living shape.
ABUT_INLINE IntW find_kinds(IntW id, const LivingIds* living) {
    const IntW kind = id >> kKindShift, slot = id & IntW(static_cast<std::int32_t>(ShapeId::kMaxSlots - 1));
    if (living == nullptr) return kind;
    // An id with a slot out of range is compared with the id in slot 0, from which it differs.
    const std::int32_t first = lanes_of(kind)[0];
    if (all(kind == IntW(first))) {
        const IntW in_range = sign_of(slot - IntW(static_cast<std::int32_t>(living->slots[first])));
        return select(gather<4>(living->of_slot[first], slot & in_range) == id, kind, IntW(kNone));
    }
    const IntW in_range = sign_of(slot - gather<4>(living->slots, kind));
    return select(gather_from(living->of_slot, kind, slot & in_range) == id, kind, IntW(kNone));
}

struct TwoBodiesW {
    IntW a, b;
};

// Loads the pairs with these indices.
ABUT_INLINE TwoBodiesW pairs_at(const PairsInMemory& pairs, IntW number) {
#if ABUT_ISA_LANES >= 8
    if (pairs.stride == sizeof(Pair))
        return {gather<8>(pairs.first, number), gather<8>(pairs.first + sizeof(std::uint32_t), number)};
#endif
    const LaneArray<std::int32_t> at = lanes_of(number);
    LaneArray<std::int32_t> a, b;
    for (int lane = 0; lane < kLanes; ++lane) {
        std::int32_t pair[2];
        std::memcpy(pair, pairs.first + static_cast<std::size_t>(at[lane]) * pairs.stride, sizeof pair);
        a[lane] = pair[0], b[lane] = pair[1];
    }
    return {load(a), load(b)};
}

// Loads the pairs first, first + 1, ..., of which `left` remain.
ABUT_INLINE TwoBodiesW pairs_from(const PairsInMemory& pairs, std::uint32_t first, std::uint32_t left) {
    if (pairs.stride != sizeof(Pair) || left < kLanes)
        return pairs_at(pairs, numbers_below(left) + IntW(static_cast<std::int32_t>(first)));
    TwoBodiesW out;
    load_twos(pairs.first + sizeof(Pair) * first, out.a, out.b);
    return out;
}

// Finds the kinds of the bodies with the given numbers, ShapeKind::none for a body that does not exist.
ABUT_INLINE IntW find_kinds_at(const PairKindsTask& task, IntW number) {
    const auto count = static_cast<std::int32_t>(task.bodies.count);
    if (task.body_kinds != nullptr) return gather_bytes(task.body_kinds, least_unsigned(number, IntW(count)));
    const IntW body = least_unsigned(number, IntW(count - 1));
    const IntW kind = find_kinds(gather<1>(task.bodies.first, times(body, task.bodies.stride)), task.bodies.living);
    return select(body == number, kind, IntW(kNone));
}

// Makes records of pairs of placed shapes: B's position is its offset from A's position, rounded; A's position is the
// rounding error.
ABUT_INLINE void make_records(const Body** a, const Body** b, Body* records) {
    DoubleW from[4] = {0.0, 0.0, 0.0, 0.0}, to[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(a, from), transpose_doubles4(b, to);  // the fourth double is not used
    const DVec3W offset = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const Vec3W rounded = narrow(offset), more = narrow(widen(rounded) - offset);
    store_records4(more.x, more.y, more.z, more.z, [&](int lane) { return &records[2 * lane].position.x; });
    store_records4(rounded.x, rounded.y, rounded.z, rounded.z,
                   [&](int lane) { return &records[2 * lane + 1].position.x; });
    const auto put = [](const Body* from_shape, Body& record) {
        const auto& shape = *reinterpret_cast<const PlacedShape*>(from_shape);
        record.shape = shape.shape, record.orientation = shape.orientation;
    };
    for (int lane = 0; lane < kLanes; ++lane) {
        const bool is_self = a[lane] == b[lane];
        put(a[lane], records[2 * lane]), put(b[lane], records[2 * lane + 1]);
        a[lane] = records + 2 * lane, b[lane] = records + 2 * lane + (is_self ? 0 : 1);
    }
}

}  // namespace

// The task is copied, because the compiler cannot know that the stores do not change it.
PairKindsFound find_pair_kinds(const PairKindsTask& wanted) {
    const PairKindsTask task = wanted;
    IntW some = 0, every = -1;
    for (std::uint32_t i = 0; i < task.count; i += kLanes) {
        const TwoBodiesW pair = pairs_from(task.pairs, i, task.count - i);
        const IntW a = find_kinds_at(task, pair.a), b = find_kinds_at(task, pair.b);
        const IntW number = gather<4>(task.numbers, (a << 4) | b);
        some = some | number;
        every = every & number;
        number.store_bytes(task.kinds + i);
    }
    const LaneArray<std::int32_t> any_of = lanes_of(some), all_of = lanes_of(every);
    std::int32_t set = 0, common = -1;
    for (int lane = 0; lane < kLanes; ++lane) set |= any_of[lane], common &= all_of[lane];
    return {task.count, task.count == 0 ? 0 : static_cast<std::uint32_t>(set ^ common)};
}

void place_chunk_pairs(const ChunkPairsTask& wanted, ChunkPairs& out) {
    const ChunkPairsTask task = wanted;
    MaskW self;
    for (std::uint32_t i = 0; i < task.count; i += kLanes) {
        const std::uint32_t first = task.first + i, left = task.count - i;
        IntW pair, swapped;
        TwoBodiesW body;
        if (task.order == nullptr) {
            body = pairs_from(task.pairs, first, left);
            pair = lane_numbers() + IntW(static_cast<std::int32_t>(first));
            swapped = load_bytes(task.kinds + first) << 24;
        } else {
            swapped = gather<4>(task.order + first, numbers_below(left));
            pair = swapped & IntW(INT32_MAX);
            body = pairs_at(task.pairs, pair);
        }
        if (task.are_of_one_kind) swapped = body.b - body.a;
        const IntW exchange = (body.a ^ body.b) & sign_of(swapped);
        const IntW a = body.a ^ exchange, b = body.b ^ exchange;
        (pair | (swapped & IntW(kSignBit))).store_unaligned(reinterpret_cast<std::int32_t*>(out.pair_and_swap) + i);
        store_addresses(task.bodies, a, task.body_stride, out.a + i);
        store_addresses(task.bodies, b, task.body_stride, out.b + i);
        self = self | (a == b);
    }
    out.has_self = any(self);
    if (task.records == nullptr) return;
    for (std::uint32_t i = 0; i < task.count; i += kLanes) make_records(out.a + i, out.b + i, task.records + 2 * i);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
