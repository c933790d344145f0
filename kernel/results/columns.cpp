// Packing of bits, hit lists and manifold columns.
#include "results/columns.hpp"

#include <algorithm>
#include <bit>

#include "parallel/parallel_for.hpp"

namespace abut {

std::size_t pack_bits(std::span<const std::uint8_t> hit, const Executor& executor, std::span<std::uint32_t> bits) {
    constexpr std::size_t kBlockWords = 2048;
    const std::size_t pairs = hit.size(), words = (pairs + 31) / 32;
    parallel_for(executor, (words + kBlockWords - 1) / kBlockWords, [&](std::size_t block) {
        const std::size_t end = std::min(words, (block + 1) * kBlockWords);
        for (std::size_t word = block * kBlockWords; word < end; ++word) {
            std::uint32_t packed = 0;
            const std::size_t first = word * 32, count = std::min<std::size_t>(32, pairs - first);
            for (std::size_t i = 0; i < count; ++i) packed |= static_cast<std::uint32_t>(hit[first + i]) << i;
            bits[word] = packed;
        }
    });
    std::size_t count = 0;
    for (std::size_t word = 0; word < words; ++word) count += static_cast<std::size_t>(std::popcount(bits[word]));
    return count;
}

void list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits) {
    std::size_t count = 0;
    for (std::size_t word = 0; word < bits.size() && count < hits.size(); ++word)
        for (std::uint32_t left = bits[word]; left != 0 && count < hits.size(); left &= left - 1)
            hits[count++] = static_cast<std::uint32_t>(word * 32) + static_cast<std::uint32_t>(std::countr_zero(left));
}

namespace {

ManifoldNeeds count_of(const std::uint8_t* contact_count, std::size_t count) {
    ManifoldNeeds needs;
    for (std::size_t i = 0; i < count; ++i) {
        needs.manifolds += contact_count[i] != 0;
        needs.contacts += contact_count[i];
    }
    return needs;
}

// Packs pairs one after the other.
class Packer {
public:
    Packer(std::span<Status> status, ManifoldColumns& out) : status_(status), out_(out) {
        out.manifold_count = out.contact_count = 0;
    }

    bool start(std::size_t pair, const ManifoldNeeds& needs) {
        out_.first_manifold[pair] = static_cast<std::uint32_t>(out_.manifold_count);
        if (out_.manifold_count + needs.manifolds <= out_.manifolds.size() && out_.contact_count + needs.contacts <= out_.contacts.size())
            return true;
        status_[pair] = Status::no_room;
        return false;
    }
    void add(std::size_t pair, std::uint32_t child_a, std::uint32_t child_b, const ManifoldRecord& record, std::uint32_t count) {
        const auto index = static_cast<std::uint32_t>(pair), first = static_cast<std::uint32_t>(out_.contact_count);
        out_.manifolds[out_.manifold_count++] = {index, child_a, child_b, record.normal, first, count};
        std::copy_n(record.contacts, count, out_.contacts.begin() + static_cast<std::ptrdiff_t>(out_.contact_count));
        out_.contact_count += count;
    }

private:
    std::span<Status> status_;
    ManifoldColumns& out_;
};

void pack_convex(const ManifoldSources& sources, std::size_t first, std::size_t end, Packer& packer) {
    for (std::size_t pair = first; pair < end; ++pair) {
        const std::uint32_t count = sources.contact_count[pair];
        if (packer.start(pair, {count != 0, count}) && count != 0) packer.add(pair, 0, 0, sources.records[pair], count);
    }
}

void pack_compound(const ManifoldSources& sources, const CompoundPair& owner, Packer& packer) {
    const std::uint8_t* contact_count = sources.child_contact_count;
    const std::uint32_t pair = owner.entry.pair();
    if (!packer.start(pair, count_of(contact_count + owner.first, owner.count))) return;
    for (std::uint32_t i = owner.first; i < owner.first + owner.count; ++i) {
        if (contact_count[i] == 0) continue;
        const ChildPair& child = sources.children->pairs[i];
        const bool swapped = owner.entry.swapped();
        packer.add(pair, swapped ? child.b : child.a, swapped ? child.a : child.b, sources.child_records[i], contact_count[i]);
    }
}

}  // namespace

ManifoldNeeds count_manifolds(const ManifoldSources& sources) {
    ManifoldNeeds needs = count_of(sources.contact_count.data(), sources.contact_count.size());
    for (const CompoundPair& owner : sources.owners()) {
        const ManifoldNeeds more = count_of(sources.child_contact_count + owner.first, owner.count);
        needs.manifolds += more.manifolds;
        needs.contacts += more.contacts;
    }
    return needs;
}

void pack_manifolds(const ManifoldSources& sources, std::span<Status> status, ManifoldColumns& out) {
    const std::size_t pairs = sources.contact_count.size();
    Packer packer(status, out);
    std::size_t next = 0;
    for (const CompoundPair& owner : sources.owners()) {
        pack_convex(sources, next, owner.entry.pair(), packer);
        pack_compound(sources, owner, packer);
        next = owner.entry.pair() + 1;
    }
    pack_convex(sources, next, pairs, packer);
    out.first_manifold[pairs] = static_cast<std::uint32_t>(out.manifold_count);
    const ManifoldNeeds needs = count_manifolds(sources);
    out.manifolds_needed = needs.manifolds;
    out.contacts_needed = needs.contacts;
}

}  // namespace abut
