// Skins of parts of a cloud, and walks over them.
#pragma once

#include <span>

#include "cooking/cooking_types.hpp"
#include "cooking/hull/hull_cloud.hpp"

namespace abut::cooking {

// The exact hull of grid[subset]: a solid, or a polygon in the plane of `extent`. No corners if these points have a
// lower dimension than the extent.
Skin skin_of(const Cloud& cloud, const Extent& extent, const Indices& subset);

// The exact hull of the whole cloud; of a segment its ends, of a point itself.
Skin make_skin(const Cloud& cloud, const Extent& extent);

// The skin of a mesh, with the mesh's corners.
Skin skin_from(Mesh mesh, std::size_t cloud_size);

// The neighbours of corner `i`; corners are positions in Skin::corners.
struct Links {
    Indices first, to;

    Links(const Skin& skin, std::size_t cloud_size);
    std::span<const std::uint32_t> of(std::uint32_t i) const {
        return {to.data() + first[i], to.data() + first[i + 1]};
    }
};

// Finds a support by walking uphill from a corner: on a convex surface, a corner above all its neighbours is the
// highest.
template <class Position>
std::uint32_t climb(const Links& links, std::uint32_t at, Vec3d direction, Position position) {
    for (bool higher = true; higher;) {
        higher = false;
        for (const std::uint32_t n : links.of(at)) {
            if (dot(direction, position(n)) <= dot(direction, position(at))) continue;
            at = n;
            higher = true;
            break;
        }
    }
    return at;
}

// The hull of a corner's neighbours as a support function: removing the corner exposes no other part of the remaining
// corners' hull.
class AroundCorner {
public:
    AroundCorner(const Cloud& cloud, const Skin& skin, const Links& links, std::uint32_t corner)
        : cloud_(cloud), skin_(skin), neighbours_(links.of(corner)) {}

    Vec3d middle() const;
    Vec3d operator()(Vec3d direction) const;

private:
    Vec3d point(std::uint32_t position) const { return cloud_.grid[skin_.corners[position]]; }

    const Cloud& cloud_;
    const Skin& skin_;
    std::span<const std::uint32_t> neighbours_;
};

}  // namespace abut::cooking
