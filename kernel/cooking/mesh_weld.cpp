// See mesh_weld.hpp. Hash tables with chains, filled in the order of the input: what is first wins, on every machine.
#include "cooking/mesh_weld.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geometry/double_math.hpp"
#include "tolerances.hpp"

namespace abut::cooking {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// Items by their hash, in a chain for each.
class Chains {
public:
    explicit Chains(std::size_t most) : heads_(std::bit_ceil(most + 1), kNone), next_(most, kNone) {}

    std::uint32_t first(std::uint64_t hash) const { return heads_[slot(hash)]; }
    std::uint32_t next(std::uint32_t item) const { return next_[item]; }
    void add(std::uint64_t hash, std::uint32_t item) {
        next_[item] = heads_[slot(hash)];
        heads_[slot(hash)] = item;
    }

private:
    std::size_t slot(std::uint64_t hash) const { return hash & (heads_.size() - 1); }

    Vector<std::uint32_t> heads_, next_;
};

// [MurmurHash3's finaliser]
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}
template <class A, class B, class C>
std::uint64_t hash_of(A a, B b, C c) {
    return mixed(mixed(mixed(std::uint64_t(a)) + std::uint64_t(b)) + std::uint64_t(c));
}
std::uint64_t bits(float x) { return std::bit_cast<std::uint32_t>(x + 0.0f); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }

Vector<std::uint32_t> weld_equal(std::span<const Vec3> vertices) {
    Vector<std::uint32_t> first_of(vertices.size());
    Chains chains(vertices.size());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        const Vec3 v = vertices[i];
        const std::uint64_t hash = hash_of(bits(v.x), bits(v.y), bits(v.z));
        std::uint32_t same = chains.first(hash);
        while (same != kNone && !(vertices[same] == v)) same = chains.next(same);
        if (same == kNone) chains.add(hash, i);
        first_of[i] = same == kNone ? i : same;
    }
    return first_of;
}

// Cells several tolerances wide: most vertices look into one alone.
struct Cells {
    double tolerance, side;

    double low(float x) const { return std::floor((x - tolerance) / side); }
    double high(float x) const { return std::floor((x + tolerance) / side); }
    double own(float x) const { return std::floor(double(x) / side); }
};

// The lowest of those within the tolerance.
std::uint32_t nearby(std::span<const Vec3> vertices, Vec3 v, const Cells& cells, const Chains& chains) {
    std::uint32_t found = kNone;
    const auto look = [&](double x, double y, double z) {
        for (std::uint32_t i = chains.first(hash_of(bits(x), bits(y), bits(z))); i != kNone; i = chains.next(i))
            if (i < found && exact::norm(exact::to_double(vertices[i]) - exact::to_double(v)) <= cells.tolerance) found = i;
    };
    const double low[3] = {cells.low(v.x), cells.low(v.y), cells.low(v.z)}, high[3] = {cells.high(v.x), cells.high(v.y), cells.high(v.z)};
    for (unsigned corner = 0; corner < 8; ++corner) {
        double at[3];
        bool is_new = true;
        for (int axis = 0; axis < 3; ++axis) {
            const bool is_high = (corner >> axis & 1u) != 0;
            at[axis] = is_high ? high[axis] : low[axis];
            is_new = is_new && (!is_high || high[axis] != low[axis]);
        }
        if (is_new) look(at[0], at[1], at[2]);
    }
    return found;
}

Vector<std::uint32_t> weld_near(std::span<const Vec3> vertices, float tolerance) {
    Vector<std::uint32_t> first_of(vertices.size());
    Chains chains(vertices.size());
    const Cells cells = {tolerance, 4.0 * tolerance};
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        const Vec3 v = vertices[i];
        const std::uint32_t near = nearby(vertices, v, cells, chains);
        first_of[i] = near == kNone ? i : near;
        if (near == kNone) chains.add(hash_of(bits(cells.own(v.x)), bits(cells.own(v.y)), bits(cells.own(v.z))), i);
    }
    return first_of;
}

// The triangle's height over its longest edge, in parts of that; 0 where corners are one.
double least_height(const Vec3* const corners[3]) {
    const exact::Vec3d a = exact::to_double(*corners[0]), b = exact::to_double(*corners[1]), c = exact::to_double(*corners[2]);
    const exact::Vec3d ab = b - a, ac = c - a, bc = c - b;
    const double longest = exact::most(exact::dot(ab, ab), exact::most(exact::dot(ac, ac), exact::dot(bc, bc)));
    return longest > 0 ? exact::norm(exact::cross(ab, ac)) / longest : 0;
}

// Equal for the same triangle: the lowest corner first; where fronts do not count, the others in order too.
KeptTriangle canonical(const KeptTriangle& t, MeshSides sides) {
    const std::uint32_t* const c = t.corners;
    const std::uint32_t low = c[0] < c[1] && c[0] < c[2] ? 0 : c[1] < c[2] ? 1 : 2;
    KeptTriangle out = {{c[low], c[(low + 1) % 3], c[(low + 2) % 3]}, t.input};
    if (sides == MeshSides::both && out.corners[1] > out.corners[2]) std::swap(out.corners[1], out.corners[2]);
    return out;
}

}  // namespace

Vector<std::uint32_t> weld(std::span<const Vec3> vertices, float tolerance) {
    return tolerance > 0 ? weld_near(vertices, tolerance) : weld_equal(vertices);
}

Vector<KeptTriangle> kept_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> first_of, std::span<const MeshTriangle> triangles,
                                    MeshSides sides, MeshReport& report) {
    Vector<KeptTriangle> kept;
    kept.reserve(triangles.size());
    Chains chains(triangles.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        KeptTriangle triangle = {{}, i};
        const Vec3* corners[3];
        for (int k = 0; k < 3; ++k) {
            triangle.corners[k] = first_of[triangles[i].corners[k]];
            corners[k] = &vertices[triangle.corners[k]];
        }
        const double height = least_height(corners);
        if (!(height > kDegenerateHeight)) {
            ++report.degenerate_triangles;
            continue;
        }
        const KeptTriangle key = canonical(triangle, sides);
        const std::uint64_t hash = hash_of(key.corners[0], key.corners[1], key.corners[2]);
        std::uint32_t same = chains.first(hash);
        while (same != kNone && !std::equal(key.corners, key.corners + 3, canonical(kept[same], sides).corners)) same = chains.next(same);
        if (same != kNone) {
            ++report.duplicate_triangles;
            continue;
        }
        chains.add(hash, std::uint32_t(kept.size()));
        kept.push_back(triangle);
        report.needles += height <= kNeedleHeight;
    }
    return kept;
}

}  // namespace abut::cooking
