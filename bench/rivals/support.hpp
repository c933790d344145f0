// Support functions for the rivals that call back into their user's code (libccd, Bullet's header-only solvers):
// written to be fast, so that what is timed is the rival's algorithm. Compile with -O3; the dot products vectorise.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "rivals/plain_frame.hpp"

namespace abut::bench {

template <class S>
struct SupportShape {
    ShapeKind kind;
    S half_x = 0, half_y = 0,
      half_z = 0;           // of the core: a point, a segment along Y, a box; (radius, half height, radius); radii
    S radius = 0;           // around the core
    std::size_t count = 0;  // hull: x of all vertices, then y, then z
    std::vector<S> columns;
    S centre[3] = {0, 0, 0};

    explicit SupportShape(const PlainShape& shape) : kind(shape.view.kind), count(shape.vertices.size()) {
        radius = S(shape.view.radius) + S(shape.view.rounding);
        half_y = S(shape.view.half_height);
        if (kind == ShapeKind::cylinder || kind == ShapeKind::cone) {
            half_x = half_z = S(shape.view.radius);
            radius = S(shape.view.rounding);
        }
        if (kind == ShapeKind::box || kind == ShapeKind::ellipsoid) {
            half_x = S(shape.view.half_extents.x);
            half_y = S(shape.view.half_extents.y);
            half_z = S(shape.view.half_extents.z);
        }
        columns.resize(3 * count);
        for (std::size_t i = 0; i < count; ++i) {
            columns[i] = S(shape.vertices[i].x);
            columns[count + i] = S(shape.vertices[i].y);
            columns[2 * count + i] = S(shape.vertices[i].z);
            for (std::size_t axis = 0; axis < 3; ++axis) centre[axis] += columns[axis * count + i] / S(count);
        }
    }

    // The core's farthest point along (x, y, z), in the shape's own frame.
    void core(S x, S y, S z, S* out) const {
        switch (kind) {
            case ShapeKind::hull: return farthest_vertex(x, y, z, out);
            case ShapeKind::cylinder: return rim(x, z, std::copysign(half_y, y), out);
            case ShapeKind::cone:
                if (2 * half_y * y <= half_x * std::sqrt(x * x + z * z)) return rim(x, z, -half_y, out);
                out[0] = out[2] = 0, out[1] = half_y;
                return;
            case ShapeKind::ellipsoid: {
                const S length = std::sqrt(half_x * x * half_x * x + half_y * y * half_y * y + half_z * z * half_z * z);
                const S scale = length > 0 ? 1 / length : 0;
                out[0] = half_x * half_x * x * scale, out[1] = half_y * half_y * y * scale,
                out[2] = half_z * half_z * z * scale;
                return;
            }
            default:
                out[0] = std::copysign(half_x, x);
                out[1] = std::copysign(half_y, y);
                out[2] = std::copysign(half_z, z);
        }
    }

    // The whole shape's.
    void full(S x, S y, S z, S* out) const {
        core(x, y, z, out);
        if (radius == 0) return;
        const S square = x * x + y * y + z * z;
        if (!(square > 0)) return;
        const S scale = radius / std::sqrt(square);
        out[0] += scale * x;
        out[1] += scale * y;
        out[2] += scale * z;
    }

private:
    void rim(S x, S z, S height, S* out) const {
        const S aside = std::sqrt(x * x + z * z), scale = aside > 0 ? half_x / aside : 0;
        out[0] = x * scale, out[1] = height, out[2] = z * scale;
    }
    void farthest_vertex(S x, S y, S z, S* out) const {
        constexpr std::size_t kBlock = 64;
        const S *xs = columns.data(), *ys = xs + count, *zs = ys + count;
        std::size_t best = 0;
        S best_dot = x * xs[0] + y * ys[0] + z * zs[0];
        for (std::size_t begin = 0; begin < count; begin += kBlock) {
            const std::size_t n = count - begin < kBlock ? count - begin : kBlock;
            S dots[kBlock];
            for (std::size_t i = 0; i < n; ++i) dots[i] = x * xs[begin + i] + y * ys[begin + i] + z * zs[begin + i];
            for (std::size_t i = 0; i < n; ++i) {
                const bool better = dots[i] > best_dot;
                best = better ? begin + i : best;
                best_dot = better ? dots[i] : best_dot;
            }
        }
        out[0] = xs[best];
        out[1] = ys[best];
        out[2] = zs[best];
    }
};

}  // namespace abut::bench
