// Adds corners, the farthest first, up to the limit. Then swaps: adds the corner that is farthest outside and removes
// the one that is least above the hull of the rest, as long as that reduces the largest distance. Rejected alternatives
// are in docs/decisions.md.
#include "cooking/hull/hull_limit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cooking/hull/exact_hull.hpp"
#include "cooking/hull/hull_coarse.hpp"
#include "cooking/hull/hull_near.hpp"
#include "cooking/hull/hull_skin.hpp"

namespace abut::cooking {
namespace {

// Most clouds need five to twenty swaps.
constexpr int kMaxSwaps = 64;

struct Farthest {
    std::uint32_t corner = 0;
    double distance = 0;
};

class Swapper {
public:
    Swapper(const Cloud& cloud, const Extent& extent, const Skin& whole)
        : cloud_(cloud), extent_(extent), whole_(whole) {}

    Skin run(Skin skin) const {
        Farthest farthest = farthest_from(skin, whole_.corners[0]);
        for (int i = 0; i < kMaxSwaps && farthest.distance > 0.0; ++i) {
            Skin other = swapped(skin, farthest.corner);
            if (other.corners.empty()) break;  // the rest of two thin sheets of points may be flat
            const Farthest left = farthest_from(other, farthest.corner);
            if (!(left.distance < farthest.distance)) break;
            skin = std::move(other);
            farthest = left;
        }
        return skin_of(cloud_, extent_, skin.corners);
    }

private:
    Vec3d point(const Skin& skin, std::uint32_t position) const { return cloud_.grid[skin.corners[position]]; }

    // As skin_of, by the exact quickhull alone: several times faster, with other triangles where four corners are in
    // one plane.
    Skin quick_skin(const Indices& subset) const {
        if (extent_.dimension == 3) return skin_from(exact_hull(cloud_.grid, subset), cloud_.grid.size());
        return skin_of(cloud_, extent_, subset);
    }

    // The corner of the whole hull that is farthest outside. `guess` is measured first: if it is far, the searches for
    // nearer corners end early.
    Farthest farthest_from(const Skin& skin, std::uint32_t guess) const {
        const Links links(skin, cloud_.grid.size());
        std::uint32_t at = 0;
        const auto position = [&](std::uint32_t i) { return point(skin, i); };
        const auto support = [&](Vec3d direction) { return point(skin, at = climb(links, at, direction, position)); };
        Farthest farthest;
        const auto look_at = [&](std::uint32_t corner) {
            if (std::binary_search(skin.corners.begin(), skin.corners.end(), corner)) return;
            const double distance = distance_above(cloud_.grid[corner], point(skin, at), farthest.distance, support);
            if (distance > farthest.distance) farthest = {corner, distance};
        };
        look_at(guess);
        for (const std::uint32_t corner : whole_.corners) look_at(corner);
        return farthest;
    }

    Skin swapped(const Skin& skin, std::uint32_t comes) const {
        Indices subset = skin.corners;
        subset.push_back(comes);
        const Skin larger = quick_skin(subset);
        const Links links(larger, cloud_.grid.size());
        std::uint32_t goes = 0;
        double least = INFINITY;
        for (std::uint32_t i = 0; i < larger.corners.size(); ++i) {
            if (larger.corners[i] == comes) continue;
            const AroundCorner rest(cloud_, larger, links, i);
            const double height = distance_above(point(larger, i), rest.middle(), 0.0, rest);
            if (height < least) least = height, goes = i;
        }
        subset = larger.corners;
        subset.erase(subset.begin() + goes);
        return quick_skin(subset);
    }

    const Cloud& cloud_;
    const Extent& extent_;
    const Skin& whole_;
};

}  // namespace

Skin limit_corners(const Cloud& cloud, const Extent& extent, const Skin& skin, std::uint32_t most) {
    return Swapper(cloud, extent, skin).run(coarse_skin(cloud, extent, skin, 0.0, most));
}

}  // namespace abut::cooking
