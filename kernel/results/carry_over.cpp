// Contacts from frame to frame.
#include <abut/carry_over.hpp>

#include <abut/warm_table.hpp>

namespace abut {

namespace {

std::span<const Contact> contacts_of(const Manifolds& m, const Manifold& manifold) {
    return {m.contacts.data() + manifold.first_contact, manifold.contact_count};
}

// The manifold of `pair` with the same children, or null.
const Manifold* find_manifold(const Manifolds& m, std::uint32_t pair, const Manifold& like) {
    for (std::uint32_t i = m.first_manifold[pair]; i < m.first_manifold[pair + 1]; ++i)
        if (m.manifolds[i].child_a == like.child_a && m.manifolds[i].child_b == like.child_b) return &m.manifolds[i];
    return nullptr;
}

}  // namespace

void carry_over(const Manifolds& before, const Manifolds& now, std::span<const std::uint32_t> previous_pairs,
                std::vector<std::uint32_t>& previous) {
    previous.assign(now.contacts.size(), kNewContact);
    for (const Manifold& manifold : now.manifolds) {
        const std::uint32_t pair = manifold.pair < previous_pairs.size() ? previous_pairs[manifold.pair] : kNoPair;
        if (pair == kNoPair || std::size_t(pair) + 1 >= before.first_manifold.size()) continue;
        const Manifold* old = find_manifold(before, pair, manifold);
        if (old == nullptr) continue;
        const std::span<std::uint32_t> out(previous.data() + manifold.first_contact, manifold.contact_count);
        carry_over(contacts_of(before, *old), contacts_of(now, manifold), out);
        for (std::uint32_t& index : out)
            if (index != kNewContact) index += old->first_contact;
    }
}

}  // namespace abut
