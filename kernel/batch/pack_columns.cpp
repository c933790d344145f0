// Packing of bits, hit lists and manifold columns.
#include "batch/pack_columns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/memory.hpp"
#include "base/parallel/parallel_for.hpp"
#include "base/scratch_columns.hpp"

namespace abut {

namespace {

// The indices of the set bits of each byte, ascending, and their count.
struct BitNumbers {
    std::uint8_t of[256][8] = {};
    std::uint8_t count[256] = {};
    constexpr BitNumbers() {
        for (int byte = 0; byte < 256; ++byte)
            for (std::uint8_t bit = 0; bit < 8; ++bit)
                if ((byte >> bit & 1) != 0) of[byte][count[byte]++] = bit;
    }
};
constexpr BitNumbers kBitNumbers;

// Packs `count` (up to 32) bytes of 0 or 1 into bits.
std::uint32_t bits_of(const std::uint8_t* bytes, std::size_t count) {
    std::uint32_t packed = 0;
    if constexpr (std::endian::native == std::endian::little) {
        if (count == 32) {
            // Byte i times 2^(56 - 7 i) is bit 56 + i. No other product carries into the highest byte.
            for (std::size_t eight = 0; eight < 4; ++eight) {
                std::uint64_t word;
                std::memcpy(&word, bytes + 8 * eight, sizeof word);
                packed |= static_cast<std::uint32_t>(word * 0x0102040810204080u >> 56) << (8 * eight);
            }
            return packed;
        }
    }
    for (std::size_t i = 0; i < count; ++i) packed |= static_cast<std::uint32_t>(bytes[i]) << i;
    return packed;
}

}  // namespace

std::size_t pack_bits(std::span<const std::uint8_t> hit, const Executor& executor, std::span<std::uint32_t> bits) {
    constexpr std::size_t kBlockWords = 2048;
    const std::size_t pairs = hit.size(), words = (pairs + 31) / 32;
    parallel_for(executor, blocks_of(words, kBlockWords), [&](std::size_t block) {
        const std::size_t end = std::min(words, (block + 1) * kBlockWords);
        for (std::size_t word = block * kBlockWords; word < end; ++word)
            bits[word] = bits_of(hit.data() + word * 32, std::min<std::size_t>(32, pairs - word * 32));
    });
    std::size_t count = 0;
    for (std::size_t word = 0; word < words; ++word)
        for (std::uint32_t left = bits[word]; left != 0; left >>= 8) count += kBitNumbers.count[left & 0xff];
    return count;
}

// Works one byte at a time and without branches, because the number of bits is unpredictable. Later bytes overwrite
// entries beyond the count.
void list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits) {
    std::size_t count = 0, word = 0;
    for (; word < bits.size() && count + 32 <= hits.size(); ++word) {
        for (std::uint32_t at = 0; at < 32; at += 8) {
            const std::uint32_t byte = bits[word] >> at & 0xff, base = static_cast<std::uint32_t>(word * 32) + at;
            std::uint32_t* const to = hits.data() + count;
            for (int i = 0; i < 8; ++i) to[i] = base + kBitNumbers.of[byte][i];
            count += kBitNumbers.count[byte];
        }
    }
    for (; word < bits.size() && count < hits.size(); ++word)
        for (std::uint32_t left = bits[word]; left != 0 && count < hits.size(); left &= left - 1)
            hits[count++] = static_cast<std::uint32_t>(word * 32) + static_cast<std::uint32_t>(std::countr_zero(left));
}

namespace {

// Manifolds are packed in blocks of this many pairs.
constexpr std::size_t kPackedPairs = 4096;

ManifoldNeeds operator+(ManifoldNeeds a, ManifoldNeeds b) {
    return {a.manifolds + b.manifolds, a.contacts + b.contacts};
}

ManifoldNeeds count_of(const std::uint8_t* contact_count, std::size_t count) {
    ManifoldNeeds needs;
    for (std::size_t i = 0; i < count; ++i) {
        needs.manifolds += contact_count[i] != 0;
        needs.contacts += contact_count[i];
    }
    return needs;
}

ManifoldNeeds count_of_children(const ChildManifolds& of, const CompoundPair& compound_pair) {
    ManifoldNeeds needs;
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i) {
        needs.manifolds += of.contact_count[i] != 0 && (of.contact_count[i] & kContinues) == 0;
        needs.contacts += of.contact_count[i] & ~kContinues;
    }
    return needs;
}

// The compound pairs whose indices are in [first, end).
std::span<const CompoundPair> compound_pairs_among(const ChildManifolds& of, std::size_t first, std::size_t end) {
    const std::span<const CompoundPair> all = of.compound_pairs;
    if (all.empty()) return {};
    const auto at = [&](std::size_t pair) {
        return std::lower_bound(all.begin(), all.end(), pair, [](const CompoundPair& compound_pair, std::size_t p) {
            return compound_pair.entry.pair() < p;
        });
    };
    return {at(first), at(end)};
}

ManifoldNeeds count_block(const ManifoldSources& sources, std::size_t first, std::size_t end) {
    ManifoldNeeds needs = count_of(sources.contact_count.data() + first, end - first);
    for (const ChildManifolds* of : {&sources.compounds, &sources.surfaces})
        for (const CompoundPair& compound_pair : compound_pairs_among(*of, first, end))
            needs = needs + count_of_children(*of, compound_pair);
    return needs;
}

constexpr ContactTriangles kNoTriangles = {};

template <class T>
void copy(const T* from, std::size_t count, T* to) {
    if (count == kMaxContacts)
        std::memcpy(static_cast<void*>(to), from, kMaxContacts * sizeof(T));
    else
        std::copy_n(from, count, to);
}

// Packs pairs one after the other. `filled`: the number of contacts that will certainly be written; 0 if some may not
// fit.
class Packer {
public:
    Packer(std::span<Status> status, const ManifoldColumns& out, ManifoldNeeds from, ManifoldNeeds end,
           std::size_t filled)
        : status_(status.data()),
          first_manifold_(out.first_manifold.data()),
          manifolds_(out.manifolds.data()),
          contacts_(out.contacts.data()),
          triangles_(out.triangles.empty() ? nullptr : out.triangles.data()),
          at_(from),
          end_(end),
          filled_(filled) {}

    bool start(std::size_t pair, ManifoldNeeds needs) {
        first_manifold_[pair] = static_cast<std::uint32_t>(at_.manifolds);
        if (at_.manifolds + needs.manifolds <= end_.manifolds && at_.contacts + needs.contacts <= end_.contacts)
            return true;
        status_[pair] = Status::no_room;
        return false;
    }
    void add(std::size_t pair, std::uint32_t child_a, std::uint32_t child_b, const ManifoldRecord& record,
             std::uint32_t count, const ContactTriangles* triangles = nullptr) {
        const auto index = static_cast<std::uint32_t>(pair), first = static_cast<std::uint32_t>(at_.contacts);
        manifolds_[at_.manifolds++] = {index, child_a, child_b, record.normal, first, count};
        add_contacts(record, count, triangles);
    }
    // Adds contacts to the latest manifold.
    void continue_with(const ManifoldRecord& record, std::uint32_t count, const ContactTriangles* triangles) {
        manifolds_[at_.manifolds - 1].contact_count += count;
        add_contacts(record, count, triangles);
    }
    // Packs the pairs [first, end), at most kPackedPairs, which must fit. It is unpredictable whether a pair has
    // contacts, so pairs with contacts are listed first, without branches.
    void add_all(std::span<const std::uint8_t> contact_count, const ManifoldRecord* records, std::size_t first,
                 std::size_t end) {
        std::uint32_t contact_pairs[kPackedPairs];
        std::size_t count = 0;
        for (std::size_t pair = first; pair < end; ++pair) {
            first_manifold_[pair] = static_cast<std::uint32_t>(at_.manifolds + count);
            contact_pairs[count] = static_cast<std::uint32_t>(pair);
            count += contact_count[pair] != 0;
        }
        for (std::size_t i = 0; i < count; ++i)
            add(contact_pairs[i], 0, 0, records[contact_pairs[i]], contact_count[contact_pairs[i]]);
    }
    bool has_room_for_all() const { return filled_ != 0; }
    ManifoldNeeds at() const { return at_; }

private:
    void add_contacts(const ManifoldRecord& record, std::uint32_t count, const ContactTriangles* triangles) {
        // Copying a fixed size is faster; the next contacts overwrite the surplus.
        const std::size_t copied = at_.contacts + kMaxContacts <= filled_ ? kMaxContacts : count;
        copy(record.contacts, copied, contacts_ + at_.contacts);
        if (triangles_ != nullptr)
            copy((triangles != nullptr ? *triangles : kNoTriangles).input.data(), copied, triangles_ + at_.contacts);
        at_.contacts += count;
    }

    Status* status_;
    std::uint32_t* first_manifold_;
    Manifold* manifolds_;
    Contact* contacts_;
    std::uint32_t* triangles_;
    ManifoldNeeds at_, end_;
    std::size_t filled_;
};

void pack_convex(const ManifoldSources& sources, std::size_t first, std::size_t end, Packer& packer) {
    if (packer.has_room_for_all()) return packer.add_all(sources.contact_count, sources.records, first, end);
    for (std::size_t pair = first; pair < end; ++pair) {
        const std::uint32_t count = sources.contact_count[pair];
        if (packer.start(pair, {count != 0, count}) && count != 0) packer.add(pair, 0, 0, sources.records[pair], count);
    }
}

void pack_children(const ChildManifolds& of, const CompoundPair& compound_pair, Packer& packer) {
    const std::uint32_t pair = compound_pair.entry.pair();
    if (!packer.start(pair, count_of_children(of, compound_pair))) return;
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i) {
        if (of.contact_count[i] == 0) continue;
        const ContactTriangles* const triangles = of.triangles != nullptr ? &of.triangles[i] : nullptr;
        if ((of.contact_count[i] & kContinues) != 0) {
            packer.continue_with(of.records[i], of.contact_count[i] & ~kContinues, triangles);
            continue;
        }
        const ChildPair& child = of.pairs[i];
        const bool swapped = compound_pair.entry.swapped();
        packer.add(pair, swapped ? child.b : child.a, swapped ? child.a : child.b, of.records[i], of.contact_count[i],
                   triangles);
    }
}

// The packer is passed by value so that it stays in registers: nothing written can alias it.
ManifoldNeeds pack_block(const ManifoldSources& sources, std::size_t first, std::size_t end, Packer packer) {
    std::span<const CompoundPair> compounds = compound_pairs_among(sources.compounds, first, end),
                                  surfaces = compound_pairs_among(sources.surfaces, first, end);
    while (!compounds.empty() || !surfaces.empty()) {
        const bool is_surface =
            compounds.empty() || (!surfaces.empty() && surfaces[0].entry.pair() < compounds[0].entry.pair());
        std::span<const CompoundPair>& from = is_surface ? surfaces : compounds;
        const CompoundPair& compound_pair = from[0];
        from = from.subspan(1);
        pack_convex(sources, first, compound_pair.entry.pair(), packer);
        pack_children(is_surface ? sources.surfaces : sources.compounds, compound_pair, packer);
        first = compound_pair.entry.pair() + 1;
    }
    pack_convex(sources, first, end, packer);
    return packer.at();
}

}  // namespace

void PairScratch::reserve(std::size_t pairs) {
    reserve_all(pairs, status, flag, manifolds);
    packed.reserve(blocks_of(pairs, kPackedPairs));
}

ManifoldNeeds count_manifolds(const ManifoldSources& sources, const Executor& executor, Vector<ManifoldNeeds>& blocks) {
    const std::size_t pairs = sources.contact_count.size();
    blocks.resize(blocks_of(pairs, kPackedPairs));
    parallel_for(executor, blocks.size(), [&](std::size_t i) {
        blocks[i] = count_block(sources, i * kPackedPairs, std::min(pairs, (i + 1) * kPackedPairs));
    });
    // Prefix sums: the blocks' sizes become start positions.
    ManifoldNeeds needs;
    for (ManifoldNeeds& block : blocks) {
        const ManifoldNeeds next = needs + block;
        block = needs;
        needs = next;
    }
    return needs;
}

void pack_manifolds(const ManifoldSources& sources, std::span<const ManifoldNeeds> blocks, ManifoldNeeds needs,
                    const Executor& executor, std::span<Status> status, ManifoldColumns& out) {
    const std::size_t pairs = sources.contact_count.size();
    const ManifoldNeeds room = {out.manifolds.size(), out.contacts.size()};
    ManifoldNeeds packed = needs;
    if (needs.manifolds <= room.manifolds && needs.contacts <= room.contacts) {
        parallel_for(executor, blocks.size(), [&](std::size_t i) {
            const ManifoldNeeds end = i + 1 < blocks.size() ? blocks[i + 1] : needs;
            pack_block(sources, i * kPackedPairs, std::min(pairs, (i + 1) * kPackedPairs),
                       Packer(status, out, blocks[i], end, end.contacts));
        });
    } else {
        // A pair that does not fit may precede one that does, so pairs are packed one by one.
        packed = pack_block(sources, 0, pairs, Packer(status, out, {}, room, 0));
    }
    out.first_manifold[pairs] = static_cast<std::uint32_t>(packed.manifolds);
    out.manifold_count = packed.manifolds;
    out.contact_count = packed.contacts;
    out.manifolds_needed = needs.manifolds;
    out.contacts_needed = needs.contacts;
}

}  // namespace abut
