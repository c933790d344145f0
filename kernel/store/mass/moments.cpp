// See moments.hpp.
#include "store/mass/moments.hpp"

namespace abut {

using maths::Vec3d;

Moments moved(const Moments& m, const Vec3d& by) {
    return {m.volume, m.first + by * m.volume, m.second + twice_product(m.first, by) + square(by) * m.volume};
}

Moments turned(const Moments& m, const maths::Mat3& axes) {
    const Symmetric& s = m.second;
    const maths::Mat3 matrix = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    const maths::Mat3 r = axes * matrix * maths::transposed(axes);
    return {m.volume, axes * m.first, {r.row_x.x, r.row_y.y, r.row_z.z, r.row_x.y, r.row_x.z, r.row_y.z}};
}

}  // namespace abut
