// Exact orientation tests, see predicates.hpp. The product of two floats is exact in double, that of three is a sum of
// two doubles.
#include "support/oracle/predicates.hpp"

#include <cmath>

namespace abut::oracle {
namespace {

// A sum of doubles kept without error: components of increasing magnitude that do not overlap.
class Expansion {
public:
    void add(double value) {
        int kept = 0;
        for (int i = 0; i < count_; ++i) {
            const double sum = value + parts_[i];
            const double other = sum - value;
            const double error = (value - (sum - other)) + (parts_[i] - other);
            if (error != 0) parts_[kept++] = error;
            value = sum;
        }
        if (value != 0) parts_[kept++] = value;
        count_ = kept;
    }
    // u is the exact product of two floats: 48 bits, so that its halves times a float are exact.
    void add_product(double u, double v) {
        const double shifted = u * 134217729.0;  // 2^27 + 1 [Dekker 1971]
        const double high = shifted - (shifted - u);
        add((u - high) * v);
        add(high * v);
    }
    int sign() const { return count_ == 0 ? 0 : parts_[count_ - 1] > 0 ? 1 : -1; }

private:
    double parts_[64] = {};
    int count_ = 0;
};

void add_determinant(Expansion& sum, const Vec3& p, const Vec3& q, const Vec3& r, double sign) {
    const double px = sign * p.x, py = sign * p.y, pz = sign * p.z;
    sum.add_product(double(q.y) * r.z, px);
    sum.add_product(double(q.z) * r.y, -px);
    sum.add_product(double(q.z) * r.x, py);
    sum.add_product(double(q.x) * r.z, -py);
    sum.add_product(double(q.x) * r.y, pz);
    sum.add_product(double(q.y) * r.x, -pz);
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    Expansion sum;
    add_determinant(sum, b, c, d, 1);
    add_determinant(sum, a, c, d, -1);
    add_determinant(sum, a, b, d, 1);
    add_determinant(sum, a, b, c, -1);
    return sum.sign();
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double ux = double(b.x) - a.x, uy = double(b.y) - a.y, uz = double(b.z) - a.z;
    const double vx = double(c.x) - a.x, vy = double(c.y) - a.y, vz = double(c.z) - a.z;
    const double wx = double(d.x) - a.x, wy = double(d.y) - a.y, wz = double(d.z) - a.z;
    const double volume = (uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz;
    const double bound = (std::fabs(uy * vz) + std::fabs(uz * vy)) * std::fabs(wx) +
                         (std::fabs(uz * vx) + std::fabs(ux * vz)) * std::fabs(wy) +
                         (std::fabs(ux * vy) + std::fabs(uy * vx)) * std::fabs(wz);
    const double error = bound * 8e-16;  // Shewchuk's bound A is (7 + 56 u) u, u = 2^-53
    if (volume > error) return 1;
    if (volume < -error) return -1;
    return exact_orientation(a, b, c, d);
}

int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
    const auto p = [axis](const Vec3& v) { return double(axis == 0 ? v.y : axis == 1 ? v.z : v.x); };
    const auto q = [axis](const Vec3& v) { return double(axis == 0 ? v.z : axis == 1 ? v.x : v.y); };
    Expansion sum;
    sum.add(p(b) * q(c));
    sum.add(-p(b) * q(a));
    sum.add(-p(a) * q(c));
    sum.add(-q(b) * p(c));
    sum.add(q(b) * p(a));
    sum.add(q(a) * p(c));
    return sum.sign();
}

}  // namespace abut::oracle
