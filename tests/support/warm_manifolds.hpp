// Contacts with caches beside those without: calls, their words, and how far they differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "support/catch.hpp"
#include "support/pair_answer.hpp"

namespace abut::test::warm {

using Caches = std::vector<WarmCache>;

struct Calls {
    Manifolds manifolds;
    std::size_t triangles = 0;
};

inline Calls collide(const Frame& frame, const Settings& settings = {}) {
    NarrowPhase narrow(settings);
    Calls calls;
    REQUIRE(narrow.collide(frame, calls.manifolds));
    calls.triangles = narrow.counters().child_pairs;
    return calls;
}
inline Calls collide(Frame frame, Caches& caches) {
    frame.caches = caches;
    return collide(frame);
}

inline Words words_of(const Manifolds& m, std::size_t pair) {
    Words out{std::uint32_t(m.status[pair])};
    for (std::uint32_t i = m.first_manifold[pair]; i < m.first_manifold[pair + 1]; ++i) {
        Manifold manifold = m.manifolds[i];
        manifold.first_contact -= m.manifolds[m.first_manifold[pair]].first_contact;
        test::append(out, manifold);
        for (std::uint32_t k = m.manifolds[i].first_contact;
             k < m.manifolds[i].first_contact + m.manifolds[i].contact_count; ++k) {
            test::append(out, m.contacts[k]);
            out.push_back(m.triangles[k]);
        }
    }
    return out;
}
inline std::size_t differing(const Manifolds& x, const Manifolds& y) {
    std::size_t count = 0;
    for (std::size_t pair = 0; pair < x.status.size(); ++pair) count += words_of(x, pair) != words_of(y, pair);
    return count;
}

// Answers with caches beside those without.
struct Beside {
    std::size_t contacts = 0,
                other_features = 0;  // of the answers with caches; those whose features are not in contact without
    double farthest = 0;             // between contacts of the same features, metres
    double deeper = 0;               // the largest difference between the deepest separations of a pair, metres
    std::size_t much_deeper = 0;     // pairs in which that exceeds 1/32 of the contact slack
    std::size_t wrong = 0;           // pairs with another status, or with contacts in one answer alone

    void add(const Manifolds& warm, const Manifolds& cold) {
        for (std::size_t pair = 0; pair < warm.status.size(); ++pair) add_pair(warm, cold, pair);
    }

private:
    template <class Visit>
    static void each(const Manifolds& m, std::size_t pair, const Visit& visit) {
        for (std::uint32_t i = m.first_manifold[pair]; i < m.first_manifold[pair + 1]; ++i)
            for (std::uint32_t k = 0; k < m.manifolds[i].contact_count; ++k)
                visit(m.manifolds[i].normal, m.contacts[m.manifolds[i].first_contact + k]);
    }
    void add_pair(const Manifolds& warm, const Manifolds& cold, std::size_t pair) {
        double deepest[2] = {1e9, 1e9};
        each(cold, pair,
             [&](const Vec3&, const Contact& c) { deepest[1] = std::min(deepest[1], double(c.separation)); });
        each(warm, pair, [&](const Vec3& n, const Contact& c) {
            deepest[0] = std::min(deepest[0], double(c.separation));
            double nearest = 1e9;
            each(cold, pair, [&](const Vec3& m, const Contact& d) {
                const double cosine = double(n.x) * m.x + double(n.y) * m.y + double(n.z) * m.z;
                if (c.feature != d.feature || cosine < 1 - 1e-6) return;
                const double dx = double(c.position.x) - d.position.x, dy = double(c.position.y) - d.position.y,
                             dz = double(c.position.z) - d.position.z;
                nearest = std::min(nearest, std::max(std::sqrt(dx * dx + dy * dy + dz * dz),
                                                     std::fabs(double(c.separation) - d.separation)));
            });
            ++contacts;
            if (nearest < 1e9)
                farthest = std::max(farthest, nearest);
            else
                ++other_features;
        });
        const double difference = std::fabs(deepest[0] - deepest[1]);
        if (warm.status[pair] != cold.status[pair] || (deepest[0] < 1e9) != (deepest[1] < 1e9))
            ++wrong;
        else if (deepest[0] < 1e9)
            deeper = std::max(deeper, difference), much_deeper += difference > double(Settings().contact_slack) / 32;
    }
};
inline constexpr double kMetre =
    1e-6;  // what rounding does to contacts of the same features; bodies are about a metre large

// True if the answers have the same contacts to within rounding.
inline bool agree(const Manifolds& warm, const Manifolds& cold) {
    Beside beside;
    beside.add(warm, cold);
    return beside.wrong == 0 && beside.other_features == 0 && beside.farthest < kMetre &&
           warm.contacts.size() == cold.contacts.size();
}

}  // namespace abut::test::warm
