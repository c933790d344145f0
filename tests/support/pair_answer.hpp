// One pair's part of the columns, to compare bit for bit whatever the order and company it was computed in.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "judge.hpp"

namespace abut::test {

// Words, not floats: a NaN equals itself, and 0 is not -0.
using Words = std::vector<std::uint32_t>;

template <class T>
void append(Words& words, const T& value) {
    static_assert(sizeof(T) % 4 == 0);
    words.resize(words.size() + sizeof(T) / 4);
    std::memcpy(words.data() + words.size() - sizeof(T) / 4, &value, sizeof(T));
}

inline void append(Words& words, const Distances& d, std::size_t pair) {
    append(words, d.signed_distance[pair]);
    append(words, d.normal[pair]);
    append(words, d.point_a[pair]);
    append(words, d.point_b[pair]);
    append(words, std::uint32_t(d.status[pair]));
}

// Without the indices that say where in the frame the pair was.
inline Words words_of(const judge::Answers& answers, std::size_t pair) {
    Words words{std::uint32_t(answers.overlaps.hit(pair)), std::uint32_t(answers.overlaps.status[pair])};
    append(words, answers.distances, pair);
    append(words, answers.separations, pair);
    const Manifolds& m = answers.manifolds;
    words.push_back(std::uint32_t(m.status[pair]));
    for (std::uint32_t i = m.first_manifold[pair]; i < m.first_manifold[pair + 1]; ++i) {
        append(words, m.manifolds[i].normal);
        words.insert(words.end(), {m.manifolds[i].child_a, m.manifolds[i].child_b, m.manifolds[i].contact_count});
        for (std::uint32_t k = 0; k < m.manifolds[i].contact_count; ++k)
            append(words, m.contacts[m.manifolds[i].first_contact + k]);
    }
    return words;
}

template <class T>
bool same(const T& x, const T& y) {
    return std::memcmp(&x, &y, sizeof(T)) == 0;
}

// None where the pair has no manifold.
inline std::span<const Contact> contacts_of(const Manifolds& m, std::size_t pair) {
    const std::uint32_t at = m.first_manifold[pair];
    if (at == m.first_manifold[pair + 1]) return {};
    return std::span(m.contacts).subspan(m.manifolds[at].first_contact, m.manifolds[at].contact_count);
}

inline std::vector<Isa> usable_isas() {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(isa);
    return isas;
}

// X(a, b) for every two kinds that can make a pair. The list is one for all tests: what is missing here is not tested.
// clang-format off
#define ABUT_EACH_CURVED_WITH(X, kind) X(sphere, kind) X(capsule, kind) X(box, kind) X(hull, kind)
#define ABUT_EACH_POLYTOPE_PAIR(X)                                                                                        \
    X(sphere, sphere) X(sphere, capsule) X(sphere, box) X(sphere, hull) X(capsule, capsule) X(capsule, box) X(capsule, hull) \
    X(box, box) X(box, hull) X(hull, hull)
#define ABUT_EACH_CURVED_PAIR(X)                                                                                          \
    ABUT_EACH_CURVED_WITH(X, cylinder) X(cylinder, cylinder)                                                              \
    ABUT_EACH_CURVED_WITH(X, cone) X(cylinder, cone) X(cone, cone)                                                        \
    ABUT_EACH_CURVED_WITH(X, ellipsoid) X(cylinder, ellipsoid) X(cone, ellipsoid) X(ellipsoid, ellipsoid)                 \
    ABUT_EACH_CURVED_WITH(X, halfspace) X(cylinder, halfspace) X(cone, halfspace) X(ellipsoid, halfspace)
#define ABUT_EACH_KIND_OF_PAIR(X) ABUT_EACH_POLYTOPE_PAIR(X) ABUT_EACH_CURVED_PAIR(X)
// clang-format on

// Unoptimised builds, and those under sanitizers, get a tenth of the pairs.
#ifdef NDEBUG
inline constexpr std::size_t kPairsAKind = 10000;
#else
inline constexpr std::size_t kPairsAKind = 1000;
#endif

}  // namespace abut::test
