// Adds corners, the farthest first, until the remaining points are within tolerance of all planes. Removes corners in a
// face or on an edge, in rounds of unconnected corners. Restores corners that are too far from the hull: at a thin
// wedge, the distance from the planes does not bound the distance from the hull.
#include "cooking/hull/hull_simplify.hpp"

#include <algorithm>
#include <utility>

#include "base/memory.hpp"
#include "cooking/cooking_tolerances.hpp"
#include "cooking/hull/hull_coarse.hpp"
#include "cooking/hull/hull_near.hpp"
#include "cooking/hull/hull_skin.hpp"

namespace abut::cooking {
namespace {

constexpr int kMaxRestores = 32;

struct Candidate {
    double distance;
    std::uint32_t position;
};

class Simplifier {
public:
    Simplifier(const Cloud& cloud, const Extent& extent, Skin exact)
        : cloud_(cloud), extent_(extent), exact_(std::move(exact)), pinned_(cloud.grid.size(), false) {}

    Skin run() {
        if (removable(exact_, Links(exact_, cloud_.grid.size()), cloud_.tolerance).empty()) return exact_;
        Skin skin = coarse();
        for (int i = 0; i < kMaxRestores; ++i) {
            while (remove_round(skin)) {
            }
            Indices subset = find_missing(skin, i < kMaxRestores / 4);
            if (subset.empty()) return skin;
            subset.insert(subset.end(), skin.corners.begin(), skin.corners.end());
            skin = skin_of(cloud_, extent_, subset);
        }
        pinned_.assign(pinned_.size(), true);
        while (remove_round(exact_)) {
        }
        return exact_;
    }

private:
    Vec3d point(const Skin& skin, std::uint32_t position) const { return cloud_.grid[skin.corners[position]]; }

    // Leaves a part of the tolerance for remove_round, which adds its own error.
    Skin coarse() const {
        const double step = std::max(cloud_.tolerance - 2.0 * cloud_.resolution, 0.5 * cloud_.tolerance);
        return coarse_skin(cloud_, extent_, exact_, step);
    }

    Vector<Candidate> removable(const Skin& skin, const Links& links, double tolerance) const {
        Vector<Candidate> candidates;
        for (std::uint32_t i = 0; i < skin.corners.size(); ++i) {
            const double allowed = pinned_[skin.corners[i]] ? cloud_.resolution * kLeastHeight : tolerance;
            const AroundCorner rest(cloud_, skin, links, i);
            const double distance = distance_within(point(skin, i), rest.middle(), allowed, rest);
            if (distance != kFar) candidates.push_back({distance, i});
        }
        return candidates;
    }

    // Removes flat corners of which no two are connected, the flattest first. False if none can be removed.
    bool remove_round(Skin& skin) const {
        const Links links(skin, cloud_.grid.size());
        Vector<Candidate> candidates = removable(skin, links, cloud_.resolution);
        if (candidates.empty()) return false;
        std::sort(candidates.begin(), candidates.end(), [](Candidate a, Candidate b) {
            return a.distance != b.distance ? a.distance < b.distance : a.position < b.position;
        });
        enum : char { free, stays, goes };
        Vector<char> fate(skin.corners.size(), free);
        for (const Candidate& candidate : candidates) {
            if (fate[candidate.position] != free) continue;
            fate[candidate.position] = goes;
            for (const std::uint32_t n : links.of(candidate.position)) fate[n] = stays;
        }
        Indices left;
        for (std::uint32_t i = 0; i < skin.corners.size(); ++i)
            if (fate[i] != goes) left.push_back(skin.corners[i]);
        Skin smaller = skin_of(cloud_, extent_, left);
        if (smaller.corners.empty()) return false;
        skin = std::move(smaller);
        return true;
    }

    // Pins and returns the corners of the exact hull that are outside `skin` by more than the tolerance; with
    // `unconnected`, only corners of which no two share an edge.
    Indices find_missing(const Skin& skin, bool unconnected) {
        const Links links(skin, cloud_.grid.size()), before(exact_, cloud_.grid.size());
        Vector<bool> restored(exact_.corners.size(), false);
        Indices missing;
        std::uint32_t at = 0;
        const auto position = [&](std::uint32_t i) { return point(skin, i); };
        const auto support = [&](Vec3d direction) { return point(skin, at = climb(links, at, direction, position)); };
        for (std::uint32_t i = 0; i < exact_.corners.size(); ++i) {
            if (std::binary_search(skin.corners.begin(), skin.corners.end(), exact_.corners[i])) continue;
            const auto neighbours = before.of(i);
            if (unconnected &&
                std::any_of(neighbours.begin(), neighbours.end(), [&](std::uint32_t n) { return restored[n]; }))
                continue;
            if (distance_within(point(exact_, i), point(skin, at), cloud_.tolerance, support) != kFar) continue;
            restored[i] = true;
            pinned_[exact_.corners[i]] = true;
            missing.push_back(exact_.corners[i]);
        }
        return missing;
    }

    const Cloud& cloud_;
    const Extent& extent_;
    Skin exact_;
    Vector<bool> pinned_;
};

}  // namespace

Skin simplify(const Cloud& cloud, const Extent& extent, Skin exact) {
    if (extent.dimension < 2) return exact;
    return Simplifier(cloud, extent, std::move(exact)).run();
}

}  // namespace abut::cooking
