// Answers that do not depend on the instruction set, the threads, the order of the pairs or their company; and those of
// swapped pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "pair_answer.hpp"

namespace abut::test {

// Asks for the pairs of a frame in other orders and numbers: each has the words of `ask(whole, settings)`.
template <class Ask>
void check_any_company(const Frame& whole, const Ask& ask) {
    const std::size_t pairs = whole.pairs.size();
    const auto expected = ask(whole, Settings{.executor = serial_executor()});
    const auto differing = [&](const std::vector<std::size_t>& which, const Settings& settings) {
        std::vector<Pair> some;
        for (const std::size_t i : which) some.push_back(whole.pairs[i]);
        Frame frame = whole;
        frame.pairs = some;
        const auto answers = ask(frame, settings);
        std::size_t count = 0;
        for (std::size_t i = 0; i < which.size(); ++i) count += words_of(answers, i) != words_of(expected, which[i]);
        return count;
    };
    std::vector<std::size_t> order(pairs), odd;
    for (std::size_t i = 0; i < pairs; ++i) order[i] = i;
    const std::vector<std::size_t> backwards(order.rbegin(), order.rend());
    for (std::size_t i = 1; i < pairs; i += 7) odd.insert(odd.end(), {i, i, i / 2});
    for (const Isa isa : usable_isas()) {
        INFO(to_string(isa));
        CHECK(differing(order, {.isa = isa}) == 0);
        CHECK(differing(backwards, {.threads = 3, .isa = isa}) == 0);
        CHECK(differing(odd, {.threads = 1, .isa = isa}) == 0);
    }
    for (std::size_t i = 0; i < pairs; i += 20) CHECK(differing({i}, {}) == 0);
}

// How many values of pair j, which is (b, a), do not mirror those of pair i, (a, b)? `between`: from a's position to
// b's.
inline std::size_t wrongly_mirrored(const judge::Answers& answers, std::size_t i, std::size_t j, Vec3 between) {
    const Distances& d = answers.distances;
    const Manifolds& m = answers.manifolds;
    const auto negated = [](Vec3 v) { return Vec3{-v.x, -v.y, -v.z}; };
    const auto mirrored = [&](Vec3 from_a, Vec3 from_b) {
        const Vec3 off = {from_a.x - between.x - from_b.x, from_a.y - between.y - from_b.y,
                          from_a.z - between.z - from_b.z};
        return std::max({std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)}) <= 1e-6f;
    };
    std::size_t wrong =
        !same(d.signed_distance[i], d.signed_distance[j]) || answers.overlaps.hit(i) != answers.overlaps.hit(j);
    if (d.signed_distance[i] != std::numeric_limits<float>::infinity())
        wrong += !same(d.normal[j], negated(d.normal[i])) || !mirrored(d.point_a[i], d.point_b[j]) ||
                 !mirrored(d.point_b[i], d.point_a[j]);
    const std::uint32_t count = m.first_manifold[i + 1] - m.first_manifold[i];
    REQUIRE(m.first_manifold[j + 1] - m.first_manifold[j] == count);
    for (std::uint32_t k = 0; k < count; ++k) {
        const Manifold &x = m.manifolds[m.first_manifold[i] + k], &y = m.manifolds[m.first_manifold[j] + k];
        wrong += x.child_a != y.child_b || x.child_b != y.child_a || !same(x.normal, negated(y.normal));
        REQUIRE(x.contact_count == y.contact_count);
        for (std::uint32_t c = 0; c < x.contact_count; ++c) {
            const Contact &p = m.contacts[x.first_contact + c], &q = m.contacts[y.first_contact + c];
            wrong += !same(p.separation, q.separation) || p.feature != (q.feature << 16 | q.feature >> 16) ||
                     !mirrored(p.position, q.position);
        }
    }
    return wrong;
}

}  // namespace abut::test
