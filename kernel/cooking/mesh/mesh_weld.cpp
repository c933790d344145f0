// See mesh_weld.hpp. Hash tables with chains, filled in the order of the input, so that the first item wins on every
// machine.
#include "cooking/mesh/mesh_weld.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/double_math.hpp"
#include "cooking/cooking_tolerances.hpp"

namespace abut::cooking {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// A hash table: items with one hash are in one chain.
class Chains {
public:
    explicit Chains(std::size_t most) : heads_(std::bit_ceil(most + 1), kNone), next_(most, kNone) {}

    std::uint32_t first(std::uint64_t hash) const { return heads_[slot(hash)]; }
    std::uint32_t next(std::uint32_t item) const { return next_[item]; }
    // Loads the chain's head into the cache. No computation depends on it, so the cache misses of a batch overlap.
    void prefetch(std::uint64_t hash) const {
        const volatile std::uint32_t& head = heads_[slot(hash)];
        [[maybe_unused]] const std::uint32_t unused = head;
    }
    void add(std::uint64_t hash, std::uint32_t item) {
        next_[item] = heads_[slot(hash)];
        heads_[slot(hash)] = item;
    }

private:
    std::size_t slot(std::uint64_t hash) const { return hash & (heads_.size() - 1); }

    Vector<std::uint32_t> heads_, next_;
};

// About the number of cache misses that a core can have in flight.
constexpr std::uint32_t kBatch = 16;

// Calls visit(i, hash(i)) in order; prefetches the chains of a batch before its first visit.
template <class Hash, class Visit>
void for_each_hashed(const Chains& chains, std::size_t count, Hash&& hash, Visit&& visit) {
    std::uint64_t hashes[kBatch];
    for (std::size_t first = 0; first < count; first += kBatch) {
        const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(kBatch, count - first)),
                   start = static_cast<std::uint32_t>(first);
        for (std::uint32_t k = 0; k < size; ++k) chains.prefetch(hashes[k] = hash(start + k));
        for (std::uint32_t k = 0; k < size; ++k) visit(start + k, hashes[k]);
    }
}

// Mixes the bits of a word [MurmurHash3's finaliser].
std::uint64_t mixed_bits(std::uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}
template <class A, class B, class C>
std::uint64_t hash_of(A a, B b, C c) {
    return mixed_bits(mixed_bits(mixed_bits(std::uint64_t(a)) + std::uint64_t(b)) + std::uint64_t(c));
}
std::uint64_t bits(float x) { return std::bit_cast<std::uint32_t>(x + 0.0f); }
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }

Vector<std::uint32_t> weld_equal(std::span<const Vec3> vertices) {
    Vector<std::uint32_t> first_of(vertices.size());
    Chains chains(vertices.size());
    const auto hash_at = [&](std::uint32_t i) {
        return hash_of(bits(vertices[i].x), bits(vertices[i].y), bits(vertices[i].z));
    };
    for_each_hashed(chains, vertices.size(), hash_at, [&](std::uint32_t i, std::uint64_t hash) {
        std::uint32_t same = chains.first(hash);
        while (same != kNone && !(vertices[same] == vertices[i])) same = chains.next(same);
        if (same == kNone) chains.add(hash, i);
        first_of[i] = same == kNone ? i : same;
    });
    return first_of;
}

// Cells are several tolerances wide, so that most vertices need only one.
struct Cells {
    double tolerance, side;

    double low(float x) const { return std::floor((x - tolerance) / side); }
    double high(float x) const { return std::floor((x + tolerance) / side); }
    double own(float x) const { return std::floor(double(x) / side); }
};

// The lowest index of a vertex within the tolerance of v, or kNone.
std::uint32_t vertex_nearby(std::span<const Vec3> vertices, Vec3 v, const Cells& cells, const Chains& chains) {
    std::uint32_t found = kNone;
    const auto look = [&](double x, double y, double z) {
        for (std::uint32_t i = chains.first(hash_of(bits(x), bits(y), bits(z))); i != kNone; i = chains.next(i))
            if (i < found && maths::norm(maths::to_double(vertices[i]) - maths::to_double(v)) <= cells.tolerance)
                found = i;
    };
    const double low[3] = {cells.low(v.x), cells.low(v.y), cells.low(v.z)},
                 high[3] = {cells.high(v.x), cells.high(v.y), cells.high(v.z)};
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
        const std::uint32_t near = vertex_nearby(vertices, v, cells, chains);
        first_of[i] = near == kNone ? i : near;
        if (near == kNone) chains.add(hash_of(bits(cells.own(v.x)), bits(cells.own(v.y)), bits(cells.own(v.z))), i);
    }
    return first_of;
}

// The canonical form of a triangle: the lowest corner first; if the triangle has two sides, the other two corners in
// ascending order.
KeptTriangle canonical(const KeptTriangle& t, MeshSides sides) {
    const std::uint32_t* const c = t.corners;
    const std::uint32_t low = c[0] < c[1] && c[0] < c[2] ? 0 : c[1] < c[2] ? 1 : 2;
    KeptTriangle out = {{c[low], c[(low + 1) % 3], c[(low + 2) % 3]}, t.input};
    if (sides == MeshSides::both && out.corners[1] > out.corners[2]) std::swap(out.corners[1], out.corners[2]);
    return out;
}

}  // namespace

double least_height(Vec3 corner, Vec3 second, Vec3 third) {
    const maths::Vec3d a = maths::to_double(corner), b = maths::to_double(second), c = maths::to_double(third);
    const maths::Vec3d ab = b - a, ac = c - a, bc = c - b;
    const double longest = maths::max(maths::dot(ab, ab), maths::max(maths::dot(ac, ac), maths::dot(bc, bc)));
    return longest > 0 ? maths::norm(maths::cross(ab, ac)) / longest : 0;
}

Vector<std::uint32_t> weld(std::span<const Vec3> vertices, float tolerance) {
    return tolerance > 0 ? weld_near(vertices, tolerance) : weld_equal(vertices);
}

Vector<KeptTriangle> kept_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> first_of,
                                    std::span<const MeshTriangle> triangles, MeshSides sides, MeshReport& report) {
    Vector<KeptTriangle> kept;
    kept.reserve(triangles.size());
    Chains chains(triangles.size());
    const auto welded = [&](std::uint32_t i) {
        const std::uint32_t* const c = triangles[i].corners;
        return KeptTriangle{{first_of[c[0]], first_of[c[1]], first_of[c[2]]}, i};
    };
    const auto hash_at = [&](std::uint32_t i) {
        const KeptTriangle key = canonical(welded(i), sides);
        return hash_of(key.corners[0], key.corners[1], key.corners[2]);
    };
    for_each_hashed(chains, triangles.size(), hash_at, [&](std::uint32_t i, std::uint64_t hash) {
        const KeptTriangle triangle = welded(i), key = canonical(triangle, sides);
        const double height =
            least_height(vertices[triangle.corners[0]], vertices[triangle.corners[1]], vertices[triangle.corners[2]]);
        if (!(height > kDegenerateHeight)) {
            ++report.degenerate_triangles;
            return;
        }
        std::uint32_t same = chains.first(hash);
        while (same != kNone && !std::equal(key.corners, key.corners + 3, canonical(kept[same], sides).corners))
            same = chains.next(same);
        if (same != kNone) {
            ++report.duplicate_triangles;
            return;
        }
        chains.add(hash, std::uint32_t(kept.size()));
        kept.push_back(triangle);
        report.needles += height <= kNeedleHeight;
    });
    return kept;
}

}  // namespace abut::cooking
