// The pairs of a chunk in one state, with the payload of each: one column per value.
#pragma once

#include "convex/contract/chunk.hpp"
#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// No payload. Other payloads also list their values, as FloatW and IntW.
struct NoPayloadW {
    static constexpr int kValues = 0;
    template <class Self, class F>
    ABUT_INLINE static void each(Self&, F&&) {}
};

template <class Payload>
class StateList {
public:
    ABUT_INLINE std::uint32_t count() const { return count_; }
    // Indices of the pairs in the chunk.
    ABUT_INLINE const std::uint16_t* pairs() const { return pair_; }

    // Adds the pairs of `lanes`; `list` has the pair of every lane.
    ABUT_INLINE void append(const std::uint16_t* list, std::uint32_t lanes, const Payload& carried = {}) {
        if (lanes == 0) return;
        int value = 0;
        Payload::each(carried, [&](auto of_lanes) { store_lanes(bits(of_lanes), lanes, value_[value++] + count_); });
        pack_store_of(list, lanes, pair_ + count_);
        count_ += static_cast<std::uint32_t>(bit_count(lanes));
    }
    // Adds one pair if `wanted`, without a branch: half of the branches would be mispredicted.
    ABUT_INLINE void append_if(bool wanted, std::uint32_t pair) {
        pair_[count_] = static_cast<std::uint16_t>(pair);
        count_ += wanted;
    }
    void append_all(const Chunk& chunk) {
        std::uint16_t* const to = pair_ + count_;
        // Writes whole vectors, because they are read so: a load that spans several stores would wait for them.
        const std::uint32_t end = (chunk.count + kLanes - 1) / kLanes * kLanes;
        for (std::uint32_t i = 0; i < end; ++i) to[i] = static_cast<std::uint16_t>(i);
        count_ += chunk.count;
    }
    void clear() { count_ = 0; }

    // Empties the list, kLanes pairs at a time: step(list, lanes, payload). Beyond `lanes` the list repeats the final
    // pair, and payloads are undefined. A step may append lanes to this list once, because the new entries overwrite
    // only entries that were read.
    template <class Step>
    ABUT_INLINE void take(Step&& step) {
        const std::uint32_t all = count_;
        count_ = 0;
        for (std::uint32_t first = 0; first < all; first += kLanes) {
            std::uint16_t list[kLanes];
            std::memcpy(list, pair_ + first, sizeof list);
            for (std::uint32_t lane = all - first; lane < kLanes; ++lane) list[lane] = list[lane - 1];
            Payload carried;
            int value = 0;
            Payload::each(carried,
                          [&](auto& of_lanes) { set(of_lanes, IntW::load_unaligned(value_[value++] + first)); });
            step(list, lane_bits(all - first), carried);
        }
    }

private:
    static constexpr std::size_t kRoom = kChunkPairs + kLanes;  // whole vectors are read and written

    ABUT_INLINE static IntW bits(IntW x) { return x; }
    ABUT_INLINE static IntW bits(FloatW x) { return bits_of(x); }
    ABUT_INLINE static void set(IntW& to, IntW x) { to = x; }
    ABUT_INLINE static void set(FloatW& to, IntW x) { to = float_of(x); }

    std::uint32_t count_ = 0;
    std::uint16_t pair_[kRoom];
    std::int32_t value_[Payload::kValues == 0 ? 1 : Payload::kValues][kRoom];
};

// How a group is loaded. `inlined` is for steps that read little of a pair and pass it to no other function: the
// compiler then removes the unused loads.
enum class Load { by_call, inlined };
template <class CoreA, class CoreB>
inline constexpr Load kLoad =
    std::is_same_v<CoreA, PointCore> && !std::is_same_v<CoreB, HullCore> ? Load::inlined : Load::by_call;

// Visits the pairs of a list in groups of kLanes: step(pair, list, lanes, payload).
template <class CoreA, class CoreB, Load load = kLoad<CoreA, CoreB>, class Payload, class Step>
ABUT_INLINE void for_each_group(const Chunk& chunk, StateList<Payload>& waiting, Step&& step) {
    waiting.take([&](const std::uint16_t* list, std::uint32_t lanes, Payload& carried) {
        PairW<CoreA, CoreB> pair;
        if constexpr (load == Load::inlined)
            load_pairs_inline(chunk, list, pair);
        else
            load_pairs(chunk, list, pair);
        step(pair, list, lanes, carried);
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
