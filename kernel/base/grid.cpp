// The integer parts of the grid predicates: rarely needed, so out of line.
#include "base/grid.hpp"

namespace abut::maths {
namespace {

struct Int3 {
    std::int64_t x, y, z;
};

struct WideInt3 {
    Int128 x, y, z;
};

Int3 to_int(const Vec3d& a) {
    return {static_cast<std::int64_t>(a.x), static_cast<std::int64_t>(a.y), static_cast<std::int64_t>(a.z)};
}

Int128 product(std::int64_t a, std::int64_t b) { return static_cast<Int128>(a) * b; }

// Factors below 2^53: results below 2^107.
WideInt3 cross(const Int3& a, const Int3& b) {
    return {product(a.y, b.z) - product(a.z, b.y), product(a.z, b.x) - product(a.x, b.z),
            product(a.x, b.y) - product(a.y, b.x)};
}

}  // namespace

Vec3d integer_cross(const Vec3d& a, const Vec3d& b) {
    const WideInt3 c = cross(to_int(a), to_int(b));
    return {static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)};
}

double integer_triple(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    constexpr int kLowBits = 53;
    constexpr Int128 kLowMask = (Int128{1} << kLowBits) - 1;
    const WideInt3 n = cross(to_int(a), to_int(b));
    const Int3 v = to_int(c);
    // n = high * 2^53 + low with 0 <= low < 2^53: all partial sums stay below 2^110, and the last sum's sign is right.
    Int128 high = (n.x >> kLowBits) * v.x + (n.y >> kLowBits) * v.y + (n.z >> kLowBits) * v.z;
    Int128 low = (n.x & kLowMask) * v.x + (n.y & kLowMask) * v.y + (n.z & kLowMask) * v.z;
    high += low >> kLowBits;
    low &= kLowMask;
    // `high` mostly fits 64 bits, whose conversion is cheaper.
    const auto narrow = static_cast<std::int64_t>(high);
    const double upper = narrow == high ? static_cast<double>(narrow) : static_cast<double>(high);
    return upper * 0x1p53 + static_cast<double>(static_cast<std::int64_t>(low));
}

}  // namespace abut::maths
