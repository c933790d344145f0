// Only the support function of a custom shape is known. The surface is triangulated over the sphere of directions: an
// edge between two directions is halved while the support function between them may rise above its chord by more than
// the tolerance. That depends on the edge alone, so that the triangles on both sides agree. For any direction between u
// and v, by the support function's convexity, h(u + v) <= h(u) + h(v).
#include <array>
#include <cmath>

#include "shapes/custom_support.hpp"
#include "store/mass/moments.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr double kTolerance = 2e-4;                  // of the shortest side of the bounds
constexpr double kLongest = 0.12, kShortest = 1e-4;  // radians: longer edges are halved, shorter ones are not

struct Corner {
    Vec3d direction;  // unit
    Vec3d point;      // the support point in that direction
    double height;    // direction . point
};

class SupportSurface {
public:
    SupportSurface(const CustomShape& shape, const Vec3d& lengths, double radius)
        : shape_(shape), lengths_(lengths), radius_(radius) {
        const auto side = [&](const Vec3d& d) { return corner(d).height + corner(-d).height; };
        const double x = side({1, 0, 0}), y = side({0, 1, 0}), z = side({0, 0, 1});
        const double longest = maths::max(maths::max(x, y), z), shortest = maths::min(maths::min(x, y), z);
        tolerance_ = kTolerance * maths::max(shortest, 1e-3 * longest);
        centre_ = (corner({1, 0, 0}).point + corner({-1, 0, 0}).point) * 0.5;
    }

    Moments run() {
        for (int octant = 0; octant < 8; ++octant) {
            const Corner x = corner({octant & 1 ? -1.0 : 1.0, 0, 0}), y = corner({0, octant & 2 ? -1.0 : 1.0, 0}),
                         z = corner({0, 0, octant & 4 ? -1.0 : 1.0});
            const bool is_mirrored = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2)) % 2 != 0;
            if (is_mirrored)
                split({x, z, y});
            else
                split({x, y, z});
        }
        return moved(moments_, centre_);
    }

private:
    Corner corner(const Vec3d& d) const {
        const Vec3d point = custom_support(shape_, lengths_, d) + d * radius_;
        return {d, point, maths::dot(d, point)};
    }

    bool must_split(const Corner& a, const Corner& b) const {
        const double apart = maths::norm(a.direction - b.direction);
        if (apart > kLongest || apart < kShortest) return apart > kLongest;
        const Vec3d sum = a.direction + b.direction;
        const double chord = maths::max(maths::dot(sum, a.point), maths::dot(sum, b.point));
        return a.height + b.height - chord > tolerance_ * maths::norm(sum);
    }

    void split(const std::array<Corner, 3>& c) {
        bool halved[3];
        int count = 0;
        for (std::size_t i = 0; i < 3; ++i) count += halved[i] = must_split(c[i], c[(i + 1) % 3]);
        if (count == 0)
            return moments_.add_tetrahedron(c[0].point - centre_, c[1].point - centre_, c[2].point - centre_);
        const auto middle = [&](std::size_t i) {
            return corner(maths::unit(c[i].direction + c[(i + 1) % 3].direction));
        };
        std::size_t first = 0;  // if one edge is halved: that edge; if two: the edge after the one that is not halved
        while (!halved[first] || (count == 2 && !halved[(first + 1) % 3])) ++first;
        const std::size_t second = (first + 1) % 3, third = (first + 2) % 3;
        const Corner m = middle(first);
        if (count == 1) {
            split({c[first], m, c[third]});
            split({m, c[second], c[third]});
            return;
        }
        const Corner n = middle(second);
        split({m, c[second], n});
        if (count == 2) {
            split({c[first], m, n});
            split({c[first], n, c[third]});
            return;
        }
        const Corner o = middle(third);
        split({c[first], m, o});
        split({m, n, o});
        split({o, n, c[third]});
    }

    const CustomShape& shape_;
    Vec3d lengths_;
    double radius_, tolerance_ = 0;
    Vec3d centre_ = {0, 0, 0};
    Moments moments_;
};

}  // namespace

Moments swept_custom(const CustomShape& shape, const Vec3d& lengths, double radius) {
    return SupportSurface(shape, lengths, radius).run();
}

}  // namespace abut
