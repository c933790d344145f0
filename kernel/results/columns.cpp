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

ManifoldNeeds count_manifolds(std::span<const std::uint8_t> contact_count) {
    ManifoldNeeds needs;
    for (const std::uint8_t count : contact_count) {
        needs.manifolds += count != 0;
        needs.contacts += count;
    }
    return needs;
}

void pack_manifolds(std::span<const std::uint8_t> contact_count, std::span<const ManifoldRecord> records, std::span<Status> status,
                    ManifoldColumns& out) {
    std::size_t manifolds = 0, contacts = 0;
    const std::size_t pairs = contact_count.size();
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        out.first_manifold[pair] = static_cast<std::uint32_t>(manifolds);
        const std::uint32_t count = contact_count[pair];
        if (count == 0) continue;
        if (manifolds + 1 > out.manifolds.size() || contacts + count > out.contacts.size()) {
            status[pair] = Status::no_room;
            continue;
        }
        const auto index = static_cast<std::uint32_t>(pair), first = static_cast<std::uint32_t>(contacts);
        out.manifolds[manifolds++] = {index, 0, 0, records[pair].normal, first, count};
        std::copy_n(records[pair].contacts, count, out.contacts.begin() + static_cast<std::ptrdiff_t>(contacts));
        contacts += count;
    }
    out.first_manifold[pairs] = static_cast<std::uint32_t>(manifolds);
    out.manifold_count = manifolds;
    out.contact_count = contacts;
    const ManifoldNeeds needs = count_manifolds(contact_count);
    out.manifolds_needed = needs.manifolds;
    out.contacts_needed = needs.contacts;
}

}  // namespace abut
