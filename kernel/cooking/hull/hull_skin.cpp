// See hull_skin.hpp.
#include "cooking/hull/hull_skin.hpp"

#include <algorithm>
#include <utility>

#include "base/memory.hpp"
#include "cooking/hull/solid_hull.hpp"

namespace abut::cooking {

Skin skin_from(Mesh mesh, std::size_t cloud_size) {
    Skin skin;
    Vector<bool> mark(cloud_size, false);
    for (const Triangle& t : mesh.triangles)
        for (const std::uint32_t corner : t) mark[corner] = true;
    for (std::uint32_t i = 0; i < cloud_size; ++i)
        if (mark[i]) skin.corners.push_back(i);
    skin.mesh = std::move(mesh);
    return skin;
}

Skin skin_of(const Cloud& cloud, const Extent& extent, const Indices& subset) {
    if (extent.dimension == 3) return skin_from(solid_hull(cloud.grid, subset), cloud.grid.size());
    Skin skin;
    skin.loop = project_outline(cloud, subset, extent.along, extent.across);
    if (skin.loop.size() >= 3) skin.corners = skin.loop;
    std::sort(skin.corners.begin(), skin.corners.end());
    return skin;
}

Skin make_skin(const Cloud& cloud, const Extent& extent) {
    if (extent.dimension >= 2) return skin_of(cloud, extent, all_of(cloud));
    Skin skin;
    skin.loop = {extent.ends[0], extent.ends[1]};
    if (extent.dimension == 0) skin.loop = {0};
    skin.corners = skin.loop;
    std::sort(skin.corners.begin(), skin.corners.end());
    return skin;
}

Links::Links(const Skin& skin, std::size_t cloud_size) {
    Indices position(cloud_size);
    for (std::uint32_t i = 0; i < skin.corners.size(); ++i) position[skin.corners[i]] = i;
    Vector<std::pair<std::uint32_t, std::uint32_t>> links;
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

Vec3d AroundCorner::middle() const {
    Vec3d sum{};
    for (const std::uint32_t n : neighbours_) sum = sum + point(n);
    return sum * (1.0 / double(neighbours_.size()));
}

Vec3d AroundCorner::operator()(Vec3d direction) const {
    Vec3d best = point(neighbours_[0]);
    for (const std::uint32_t n : neighbours_.subspan(1))
        if (dot(direction, point(n)) > dot(direction, best)) best = point(n);
    return best;
}

}  // namespace abut::cooking
