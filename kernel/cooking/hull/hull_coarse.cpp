// A partial quickhull for a solid. For a polygon, recursive halving [Douglas, Peucker 1973] of the two chains between
// the first corner and the corner farthest from it; the chain with the corner farthest from its chord is halved next.
#include "cooking/hull/hull_coarse.hpp"

#include <cmath>
#include <queue>

#include "base/memory.hpp"
#include "cooking/hull/exact_hull.hpp"
#include "cooking/hull/hull_skin.hpp"

namespace abut::cooking {
namespace {

struct Chord {
    std::size_t first, last;  // positions in the loop; the corners between them are above the chord
    std::size_t farthest = 0;
    double height = 0;  // of the farthest corner, in grid steps
};

class LoopHalver {
public:
    LoopHalver(const Cloud& cloud, const Indices& loop) : cloud_(cloud), loop_(loop) {}

    Indices run(double step, std::uint32_t most) {
        const std::size_t middle = farthest_from_first(), n = loop_.size();
        Indices taken = {loop_[0], loop_[middle]};
        const auto lower = [](const Chord& a, const Chord& b) {
            return a.height != b.height ? a.height < b.height : a.first > b.first;
        };
        std::priority_queue<Chord, Vector<Chord>, decltype(lower)> chords(lower);
        chords.push(measured(0, middle));
        chords.push(measured(middle, n));
        while (!chords.empty() && taken.size() < most) {
            const Chord chord = chords.top();
            chords.pop();
            if (chord.height <= (taken.size() < 3 ? 0.0 : step)) break;
            taken.push_back(loop_[chord.farthest]);
            chords.push(measured(chord.first, chord.farthest));
            chords.push(measured(chord.farthest, chord.last));
        }
        return taken;
    }

private:
    Vec3d at(std::size_t i) const { return cloud_.grid[loop_[i % loop_.size()]]; }

    std::size_t farthest_from_first() const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < loop_.size(); ++i)
            if (norm(at(i) - at(0)) > norm(at(best) - at(0))) best = i;
        return best;
    }

    Chord measured(std::size_t first, std::size_t last) const {
        Chord chord{first, last};
        const Vec3d base = at(first), along = at(last) - base;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double height = norm(cross(along, at(i) - base)) / norm(along);
            if (height > chord.height) chord.height = height, chord.farthest = i;
        }
        return chord;
    }

    const Cloud& cloud_;
    const Indices& loop_;
};

}  // namespace

Skin coarse_skin(const Cloud& cloud, const Extent& extent, const Skin& skin, double step, std::uint32_t most) {
    if (extent.dimension == 2) return skin_of(cloud, extent, LoopHalver(cloud, skin.loop).run(step, most));
    if (most == kAnyNumber) return skin_from(exact_hull(cloud.grid, skin.corners, step), cloud.grid.size());
    return skin_from(farthest_hull(cloud.grid, skin.corners, most), cloud.grid.size());
}

}  // namespace abut::cooking
