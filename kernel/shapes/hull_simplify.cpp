// Takes corners in, the farthest first, until the rest is within tolerance of all planes; takes out, in rounds of unconnected corners,
// what lies in a face or on an edge; and puts back what is too far from the hull after all: at a thin wedge a plane's tolerance is
// no bound.
#include "shapes/hull_simplify.hpp"

#include <algorithm>
#include <utility>

#include "shapes/exact_hull.hpp"
#include "shapes/hull_near.hpp"
#include "shapes/solid_hull.hpp"

namespace abut::cooking {
namespace {

constexpr int kMaxRestores = 32;
// Of the resolution: corners closer to the hull of the rest go even where they were put back, so that no face is too thin for its
// normal to be computed in double.
constexpr double kLeastHeight = 0x1p-8;

// Which corners are connected: neighbours of corner `i` (a position in Skin::corners) as such positions.
struct Links {
    Indices first, to;

    Links(const Skin& skin, std::size_t cloud_size) {
        Indices position(cloud_size);
        for (std::uint32_t i = 0; i < skin.corners.size(); ++i) position[skin.corners[i]] = i;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
        links.reserve(3 * skin.mesh.triangles.size() + 2 * skin.loop.size());
        for (const Triangle& t : skin.mesh.triangles)
            for (int e = 0; e < 3; ++e) links.emplace_back(position[t[e]], position[t[(e + 1) % 3]]);
        for (std::size_t i = 0; i < skin.loop.size(); ++i) {
            const std::uint32_t a = position[skin.loop[i]], b = position[skin.loop[(i + 1) % skin.loop.size()]];
            links.emplace_back(a, b);
            links.emplace_back(b, a);
        }
        first.assign(skin.corners.size() + 1, 0);
        for (const auto& link : links) ++first[link.first + 1];
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        to.resize(links.size());
        Indices at = first;
        for (const auto& link : links) to[at[link.first]++] = link.second;
    }

    std::span<const std::uint32_t> of(std::uint32_t i) const { return {to.data() + first[i], to.data() + first[i + 1]}; }
};

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
            while (remove_round(skin)) {}
            Indices subset = find_missing(skin, i < kMaxRestores / 4);
            if (subset.empty()) return skin;
            subset.insert(subset.end(), skin.corners.begin(), skin.corners.end());
            skin = skin_of(subset);
        }
        pinned_.assign(pinned_.size(), true);
        while (remove_round(exact_)) {}
        return exact_;
    }

    // No corners where the points make no hull of the extent's dimension.
    Skin skin_of(const Indices& subset, double ignored = 0.0) const {
        Skin skin;
        if (extent_.dimension == 3) {
            skin.mesh = ignored > 0.0 ? exact_hull(cloud_.grid, subset, ignored) : solid_hull(cloud_.grid, subset);
            mark_.assign(cloud_.grid.size(), false);
            for (const Triangle& t : skin.mesh.triangles)
                for (const std::uint32_t corner : t) mark_[corner] = true;
            for (const std::uint32_t i : subset)
                if (mark_[i]) skin.corners.push_back(i);
        } else {
            skin.loop = project_outline(cloud_, subset, extent_.along, extent_.across);
            if (skin.loop.size() >= 3) skin.corners = skin.loop;
        }
        std::sort(skin.corners.begin(), skin.corners.end());
        return skin;
    }

private:
    Double3 point(const Skin& skin, std::uint32_t position) const { return cloud_.grid[skin.corners[position]]; }

    // The hull of the corners that stand out most. Removing comes on top, which is why not all of the tolerance is used.
    Skin coarse() const {
        const double step = std::max(cloud_.tolerance - 2.0 * cloud_.resolution, 0.5 * cloud_.tolerance);
        if (extent_.dimension == 3) return skin_of(exact_.corners, step);
        return skin_of(coarse_loop(step));
    }

    // Recursive halving [Douglas, Peucker 1973] of the two chains between the first corner and the one farthest from it.
    Indices coarse_loop(double step) const {
        struct Chord {
            std::size_t first, last;
        };
        const std::size_t n = exact_.loop.size();
        const auto at = [&](std::size_t i) { return cloud_.grid[exact_.loop[i % n]]; };
        const auto farthest = [&](Chord chord, auto measure) {
            std::size_t best = chord.first;
            double most = 0;
            for (std::size_t i = chord.first + 1; i < chord.last; ++i) {
                const double value = measure(at(i));
                if (value > most) most = value, best = i;
            }
            return std::pair(best, std::sqrt(most));
        };
        const std::size_t middle = farthest({0, n}, [&](Double3 p) { return dot(p - at(0), p - at(0)); }).first;
        Indices taken = {exact_.loop[0], exact_.loop[middle]};
        std::vector<Chord> chords = {{0, middle}, {middle, n}};
        for (std::size_t c = 0; c < chords.size(); ++c) {
            const Chord chord = chords[c];
            const Double3 base = at(chord.first), along = at(chord.last) - base;
            const auto [best, height] = farthest(chord, [&](Double3 p) {
                const Double3 area = cross(along, p - base);
                return dot(area, area);
            });
            if (best == chord.first || (c >= 2 && height <= step * length(along))) continue;
            taken.push_back(exact_.loop[best]);
            chords.push_back({chord.first, best});
            chords.push_back({best, chord.last});
        }
        return taken;
    }

    // Distance of a corner to the hull of the rest: only its neighbours show once it is gone.
    double distance_to_rest(const Skin& skin, std::span<const std::uint32_t> neighbours, Double3 p, double tolerance) const {
        Double3 mean;
        for (const std::uint32_t n : neighbours) mean = mean + point(skin, n);
        mean = mean * (1.0 / double(neighbours.size()));
        return distance_within(p, mean, tolerance, [&](Double3 direction) {
            Double3 best = point(skin, neighbours[0]);
            for (const std::uint32_t n : neighbours.subspan(1))
                if (dot(direction, point(skin, n)) > dot(direction, best)) best = point(skin, n);
            return best;
        });
    }

    std::vector<Candidate> removable(const Skin& skin, const Links& links, double tolerance) const {
        std::vector<Candidate> candidates;
        for (std::uint32_t i = 0; i < skin.corners.size(); ++i) {
            const double allowed = pinned_[skin.corners[i]] ? cloud_.resolution * kLeastHeight : tolerance;
            const double distance = distance_to_rest(skin, links.of(i), point(skin, i), allowed);
            if (distance != kFar) candidates.push_back({distance, i});
        }
        return candidates;
    }

    // Removes what it can of corners that are not connected, the flattest first. False where nothing more can go.
    bool remove_round(Skin& skin) const {
        const Links links(skin, cloud_.grid.size());
        std::vector<Candidate> candidates = removable(skin, links, cloud_.resolution);
        if (candidates.empty()) return false;
        std::sort(candidates.begin(), candidates.end(), [](Candidate a, Candidate b) {
            return a.distance != b.distance ? a.distance < b.distance : a.position < b.position;
        });
        enum : char { kFree, kStays, kGoes };
        std::vector<char> fate(skin.corners.size(), kFree);
        for (const Candidate& candidate : candidates) {
            if (fate[candidate.position] != kFree) continue;
            fate[candidate.position] = kGoes;
            for (const std::uint32_t n : links.of(candidate.position)) fate[n] = kStays;
        }
        Indices left;
        for (std::uint32_t i = 0; i < skin.corners.size(); ++i)
            if (fate[i] != kGoes) left.push_back(skin.corners[i]);
        Skin smaller = skin_of(left);
        if (smaller.corners.empty()) return false;
        skin = std::move(smaller);
        return true;
    }

    // Corners of the exact hull that ended up too far outside, all or so that no two of them are connected; they are pinned.
    Indices find_missing(const Skin& skin, bool unconnected) {
        const Links links(skin, cloud_.grid.size()), before(exact_, cloud_.grid.size());
        std::vector<bool> restored(exact_.corners.size(), false);
        Indices missing;
        std::uint32_t at = 0;
        const auto climb = [&](Double3 direction) {  // convex: a corner above all its neighbours is the highest
            for (bool higher = true; higher;) {
                higher = false;
                for (const std::uint32_t n : links.of(at)) {
                    if (dot(direction, point(skin, n)) <= dot(direction, point(skin, at))) continue;
                    at = n;
                    higher = true;
                    break;
                }
            }
            return point(skin, at);
        };
        for (std::uint32_t i = 0; i < exact_.corners.size(); ++i) {
            if (std::binary_search(skin.corners.begin(), skin.corners.end(), exact_.corners[i])) continue;
            const auto neighbours = before.of(i);
            if (unconnected && std::any_of(neighbours.begin(), neighbours.end(), [&](std::uint32_t n) { return restored[n]; })) continue;
            if (distance_within(point(exact_, i), point(skin, at), cloud_.tolerance, climb) != kFar) continue;
            restored[i] = true;
            pinned_[exact_.corners[i]] = true;
            missing.push_back(exact_.corners[i]);
        }
        return missing;
    }

    const Cloud& cloud_;
    const Extent& extent_;
    Skin exact_;
    std::vector<bool> pinned_;
    mutable std::vector<bool> mark_;
};

}  // namespace

Skin make_skin(const Cloud& cloud, const Extent& extent) {
    return Simplifier(cloud, extent, {}).skin_of(all_of(cloud));
}

Skin simplify(const Cloud& cloud, const Extent& extent, Skin exact) {
    return Simplifier(cloud, extent, std::move(exact)).run();
}

}  // namespace abut::cooking
