// Poses of nodes in mesh files.
#pragma once

#include <cstddef>

#include "triangle_file.hpp"

namespace abut::tools {

// Rows of an affine map.
struct Pose {
    double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

    Pose operator*(const Pose& b) const {
        Pose out;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 4; ++j) {
                out.m[i][j] = j == 3 ? m[i][3] : 0.0;
                for (int k = 0; k < 3; ++k) out.m[i][j] += m[i][k] * b.m[k][j];
            }
        return out;
    }
    Position operator*(const Position& p) const {
        Position out;
        for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3];
        return out;
    }
    bool is_mirrored() const {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                   m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
               0;
    }
};

}  // namespace abut::tools
