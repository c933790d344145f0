// Exact orientation tests, see predicates.hpp. A difference of two floats is nearly always exact in double. A product
// of two doubles is a sum of two.
#include "support/oracle/predicates.hpp"

#include <cmath>
#include <initializer_list>

namespace abut::oracle {
namespace {

// A product or a difference of two doubles: value + error.
struct Exact {
    double value, error;
};

double high_half(double u) {
    const double shifted = u * 134217729.0;  // 2^27 + 1 [Dekker 1971]
    return shifted - (shifted - u);
}

Exact multiply(double u, double v) {
    const double value = u * v, u1 = high_half(u), v1 = high_half(v), u2 = u - u1, v2 = v - v1;
    return {value, ((u1 * v1 - value) + u1 * v2 + u2 * v1) + u2 * v2};
}

// A sum of doubles kept without error: components of increasing magnitude that do not overlap.
class Expansion {
public:
    void add(double value) {
        if (value == 0) return;
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
    void add_product(double u, double v) {
        const Exact product = multiply(u, v);
        add(product.error);
        add(product.value);
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

// u - v = value + error [Knuth 1969].
Exact subtract(double u, double v) {
    const double value = u - v, v1 = u - value, u1 = value + v1;
    return {value, (v1 - v) + (u - u1)};
}

struct Difference {
    Exact x, y, z;

    Difference(const Vec3& u, const Vec3& v) : x(subtract(u.x, v.x)), y(subtract(u.y, v.y)), z(subtract(u.z, v.z)) {}
    int inexact() const { return (x.error != 0) + (y.error != 0) + (z.error != 0); }
};

// Sign of u x v . w.
int volume_sign(const Difference& u, const Difference& v, const Difference& w) {
    Expansion sum;
    const auto add = [&](double sign, const Exact& p, const Exact& q, const Exact& r) {
        for (const double a : {p.error, p.value})
            for (const double b : {q.error, q.value})
                for (const double c : {r.error, r.value}) {
                    if (a == 0 || b == 0 || c == 0) continue;
                    const Exact product = multiply(sign * a, b);
                    sum.add_product(product.error, c);
                    sum.add_product(product.value, c);
                }
    };
    add(1, u.y, v.z, w.x), add(-1, u.z, v.y, w.x);
    add(1, u.z, v.x, w.y), add(-1, u.x, v.z, w.y);
    add(1, u.x, v.y, w.z), add(-1, u.y, v.x, w.z);
    return sum.sign();
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    // One determinant of differences, most of whose terms are 0 where few differences are rounded. Three of them give 64
    // terms at most.
    const Difference u(b, a), v(c, a), w(d, a);
    if (u.inexact() + v.inexact() + w.inexact() <= 3) return volume_sign(u, v, w);
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
