// See sieve_chunk.hpp. One configuration per lane.
#include "queries/configurations/sieve_chunk.hpp"

#include <abut/frame.hpp>

#include "base/tolerances.hpp"
#include "simd/from_baseline.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

// Bounds on a signed distance.
struct GapW {
    FloatW low = -HUGE_VALF, high = HUGE_VALF;
};
ABUT_INLINE GapW exactly(FloatW gap) { return {gap, gap}; }

struct OutlineW {
    const Outline& shape;
    const float* rows;

    ABUT_INLINE Vec3W at(std::uint32_t row) const {
        const float* const from = rows + row * kLanes;
        return {FloatW::load(from), FloatW::load(from + kLanes), FloatW::load(from + 2 * kLanes)};
    }
    ABUT_INLINE Vec3W centre() const { return at(0); }
    ABUT_INLINE Vec3W axis(std::uint32_t i) const { return at(3 + 3 * i); }
    ABUT_INLINE FloatW half(int i) const { return shape.half[i]; }
    ABUT_INLINE Vec3W local(Vec3W v) const { return {dot(axis(0), v), dot(axis(1), v), dot(axis(2), v)}; }
    // How far the core reaches along a unit direction in world axes.
    ABUT_INLINE FloatW extent(Vec3W n) const {
        if (shape.kind == OutlineKind::ball) return 0.0f;
        const Vec3W l = abs(local(n));
        return l.x * half(0) + l.y * half(1) + l.z * half(2);
    }
};

ABUT_INLINE FloatW clamp(FloatW x, FloatW most) { return max(min(x, most), -most); }
ABUT_INLINE Vec3W clamp(Vec3W x, Vec3W most) { return {clamp(x.x, most.x), clamp(x.y, most.y), clamp(x.z, most.z)}; }
ABUT_INLINE Vec3W halves(const OutlineW& box) { return {box.half(0), box.half(1), box.half(2)}; }

ABUT_INLINE FloatW norm(Vec3W v) { return sqrt(dot(v, v)); }

ABUT_INLINE GapW ball_capsule(const OutlineW& ball, const OutlineW& capsule) {
    const Vec3W between = ball.centre() - capsule.centre(), axis = capsule.axis(1);
    return exactly(norm(between - axis * clamp(dot(between, axis), capsule.half(1))));
}

ABUT_INLINE GapW ball_box(const OutlineW& ball, const OutlineW& box) {
    const Vec3W local = box.local(ball.centre() - box.centre()), out = abs(local) - halves(box);
    const FloatW inside = max(max(out.x, out.y), out.z), outside = norm(local - clamp(local, halves(box)));
    return exactly(select(inside < FloatW(0.0f), inside, outside));
}

// The nearest points of two segments [Ericson 2004, 5.1.9]. Where the axes are nearly parallel the place is uncertain.
ABUT_INLINE GapW capsule_capsule(const OutlineW& a, const OutlineW& b) {
    const Vec3W between = a.centre() - b.centre(), u = a.axis(1), v = b.axis(1);
    const FloatW cosine = dot(u, v), of_u = dot(u, between), of_v = dot(v, between);
    const FloatW sine_squared = FloatW(1.0f) - cosine * cosine;
    FloatW s = clamp((cosine * of_v - of_u) / max(sine_squared, FloatW(1e-12f)), a.half(1));
    const FloatW t = clamp(cosine * s + of_v, b.half(1));
    s = clamp(cosine * t - of_u, a.half(1));
    const FloatW gap = norm(between + u * s - v * t), zero = 0.0f, uncertain = a.half(1) + b.half(1);
    return {gap - select(sine_squared < FloatW(1e-3f), uncertain * FloatW(1e-3f), zero), gap};
}

// Points that approach each other by turns are as near as the upper bound; the direction between them has the lower.
ABUT_INLINE GapW capsule_box(const OutlineW& capsule, const OutlineW& box) {
    const Vec3W middle = box.local(capsule.centre() - box.centre()), axis = box.local(capsule.axis(1));
    const FloatW half = capsule.half(1), zero = 0.0f;
    Vec3W on_segment = middle, on_box = clamp(middle, halves(box));
    for (int i = 0; i < 4; ++i) {
        on_segment = middle + axis * clamp(dot(on_box - middle, axis), half);
        on_box = clamp(on_segment, halves(box));
    }
    const Vec3W rest = on_segment - on_box, spread = abs(rest);
    const FloatW high = norm(rest);
    const FloatW reach =
        abs(dot(axis, rest)) * half + (spread.x * box.half(0) + spread.y * box.half(1) + spread.z * box.half(2));
    return {select(high > zero, (dot(middle, rest) - reach) / high, FloatW(-HUGE_VALF)), high};
}

// The greatest gap between two boxes along the axes that part boxes [Gottschalk, Lin, Manocha 1996]: their depth if they
// overlap. Short products of edges, which rounding makes, are left out; what they would add is small.
ABUT_INLINE GapW box_box(const OutlineW& a, const OutlineW& b) {
    constexpr float kShort = 1e-2f;
    const Vec3W between = a.local(b.centre() - a.centre());
    const Vec3W edge[3] = {a.local(b.axis(0)), a.local(b.axis(1)), a.local(b.axis(2))};
    const FloatW ha[3] = {a.half(0), a.half(1), a.half(2)}, hb[3] = {b.half(0), b.half(1), b.half(2)};
    const FloatW along[3] = {between.x, between.y, between.z}, zero = 0.0f;
    const auto part = [](const Vec3W& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    FloatW gap = -HUGE_VALF;
    for (int i = 0; i < 3; ++i) {
        FloatW of_a = ha[i], of_b = hb[i];
        for (int k = 0; k < 3; ++k) of_a += abs(part(edge[k], i)) * hb[k], of_b += abs(part(edge[i], k)) * ha[k];
        gap = max(gap, max(abs(along[i]) - of_a, abs(dot(edge[i], between)) - of_b));
    }
    MaskW has_short;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int m = 0; m < 3; ++m) {
            const FloatW n_j = -part(edge[m], k), n_k = part(edge[m], j), length = sqrt(n_j * n_j + n_k * n_k);
            FloatW reach = abs(n_j) * ha[j] + abs(n_k) * ha[k];
            for (int o = 1; o < 3; ++o) {
                const Vec3W& other = edge[(m + o) % 3];
                reach += abs(part(other, j) * n_j + part(other, k) * n_k) * hb[(m + o) % 3];
            }
            const MaskW is_short = length < FloatW(kShort);
            const FloatW by = (abs(along[j] * n_j + along[k] * n_k) - reach) / length;
            gap = select(is_short, gap, max(gap, by)), has_short |= is_short;
        }
    }
    const FloatW uncertain = select(has_short, FloatW(4 * kShort * (a.shape.bound + b.shape.bound)), zero);
    return {gap, select(gap < zero, gap + uncertain, FloatW(HUGE_VALF))};
}

// The radius of a half-space is its offset.
ABUT_INLINE GapW halfspace_any(const OutlineW& plane, const OutlineW& shape) {
    const Vec3W normal = plane.axis(0);
    return exactly(dot(normal, shape.centre() - plane.centre()) - shape.extent(normal));
}

ABUT_INLINE GapW gap_of_cores(const OutlineW& a, const OutlineW& b) {
    using enum OutlineKind;
    const OutlineKind ka = a.shape.kind, kb = b.shape.kind;
    if (kb == halfspace) return halfspace_any(b, a);
    if (kb == ball) return exactly(norm(a.centre() - b.centre()));
    if (kb == capsule) return ka == ball ? ball_capsule(a, b) : capsule_capsule(a, b);
    return ka == ball ? ball_box(a, b) : ka == capsule ? capsule_box(a, b) : box_box(a, b);
}

// Of the shapes that two outlines contain.
ABUT_NOINLINE GapW gap_of(const OutlineW& a, const OutlineW& b) {
    if (a.shape.kind > b.shape.kind) return gap_of(b, a);
    if (a.shape.kind == OutlineKind::none || a.shape.kind == OutlineKind::halfspace) return {};
    GapW out = gap_of_cores(a, b);
    const FloatW radius = a.shape.radius + b.shape.radius;
    out.low = out.low - radius;
    out.high = a.shape.is_exact && b.shape.is_exact ? out.high - radius : FloatW(HUGE_VALF);
    return out;
}

class Sieve {
public:
    explicit Sieve(SieveChunk& chunk) : chunk_(chunk) {}

    void find_overlaps() {
        load_bodies();
        // Copies, because the compiler takes what is stored below for them.
        const SievePair *const first = chunk_.pairs, *const end = first + chunk_.pair_count;
        const std::byte* const rows = rows_in_bytes();
        const float slack = slack_;
        std::uint32_t left = chunk_.lanes, undecided = 0;
        for (const SievePair* pair = first; pair != end; ++pair) {
            const Vec3W apart = between(rows, *pair);
            const FloatW squared = dot(apart, apart), far = pair->far + slack;
            std::uint32_t open = left & ~(squared > far * far).bits(), hits = 0;
            if (open == 0) continue;
            const auto at = static_cast<std::uint32_t>(pair - first);
            if (const FloatW sure = pair->near - slack; pair->near > slack)
                hits = open & (squared < sure * sure).bits(), open &= ~hits;
            if (!(pair->near > 0)) {
                const FloatW rounding = pair->slack + slack;
                const GapW gap = gap_of_bodies(*pair, rounding);
                hits = open & (gap.high < -rounding).bits();
                open &= ~hits & ~(gap.low > rounding).bits();
            }
            for_each_lane(hits, [&](int lane) { chunk_.first[lane] = at; });
            if (open != 0) chunk_.undecided[undecided++] = {at, open};
            if (hits != 0 && ((left &= ~hits) == 0 || chunk_.ends_at_hit)) break;
        }
        chunk_.undecided_count = undecided;
    }

    // First a bound on the least distance from centres, then the gaps of pairs whose outlines' balls are no farther.
    void bound_distances() {
        load_bodies();
        FloatW least = HUGE_VALF;
        for (std::uint32_t i = 0; i < chunk_.pair_count; ++i) {
            const SievePair& pair = chunk_.pairs[i];
            if (pair.inner == -HUGE_VALF) continue;
            const FloatW high = norm(between(rows_in_bytes(), pair)) - FloatW(pair.inner) + FloatW(pair.slack + slack_);
            lower(least, high, pair);
        }
        std::uint32_t undecided = 0;
        for (std::uint32_t i = 0; i < chunk_.pair_count; ++i) {
            const SievePair& pair = chunk_.pairs[i];
            const Vec3W v = between(rows_in_bytes(), pair);
            const FloatW rounding = pair.slack + slack_, limit = pair.limit, zero = 0.0f;
            const FloatW enough = min(least, limit), far = max(enough + FloatW(pair.far + slack_), zero);
            if ((chunk_.lanes & ~(dot(v, v) > far * far).bits()) == 0) continue;
            const GapW gap = gap_of_bodies(pair, enough + rounding);
            lower(least, gap.high + rounding, pair);
            const FloatW low = gap.low - rounding;
            const std::uint32_t open = chunk_.lanes & ~(low > min(least, limit)).bits();
            if (open == 0) continue;
            low.store_unaligned(chunk_.low + undecided * kLanes);
            chunk_.undecided[undecided++] = {i, open};
        }
        least.store_unaligned(chunk_.high);
        chunk_.undecided_count = undecided;
    }

private:
    // From the centre of B's outline to that of A's.
    ABUT_INLINE static Vec3W between(const std::byte* rows, const SievePair& pair) {
        const auto centre = [&](std::uint32_t row) {
            const auto* const from = reinterpret_cast<const float*>(rows + row);
            return Vec3W{FloatW::load(from), FloatW::load(from + kLanes), FloatW::load(from + 2 * kLanes)};
        };
        return centre(pair.row_a) - centre(pair.row_b);
    }
    ABUT_INLINE const std::byte* rows_in_bytes() const { return reinterpret_cast<const std::byte*>(chunk_.rows); }
    // Takes an upper bound of a pair's distance, which has an answer only within its limit. NaN is none.
    ABUT_INLINE void lower(FloatW& least, FloatW high, const SievePair& pair) const {
        const FloatW bound = chunk_.has_depths ? high : max(high, FloatW(0.0f));
        const MaskW is_number = high == high;
        least = select(is_number & (bound < least) & (bound <= FloatW(pair.limit)), bound, least);
    }

    ABUT_INLINE float* body_rows(std::uint32_t body) const { return chunk_.rows + body * kOutlineRows * kLanes; }
    ABUT_INLINE float* outline_rows(std::uint32_t outline) const { return body_rows(chunk_.body_count + outline); }
    OutlineW outline(std::uint32_t i) {
        const Outline& shape = chunk_.outlines[i];
        if (!shape.is_placed) return {shape, body_rows(shape.body)};
        if (chunk_.is_placed[i] == 0) place(i);
        return {shape, outline_rows(i)};
    }

    ABUT_INLINE static void store(float* rows, std::uint32_t row, const Vec3W& v) {
        v.x.store(rows + row * kLanes), v.y.store(rows + (row + 1) * kLanes), v.z.store(rows + (row + 2) * kLanes);
    }

    // Where the orientations of a body are rotations; `axes`: theirs, if they are wanted.
    ABUT_INLINE static MaskW load_quaternions(const float* const* rows, bool has_axes, Mat3W& axes) {
        FloatW q[4];
        transpose_records4(rows, q);
        const FloatW norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (has_axes) axes = to_matrix({q[0], q[1], q[2], q[3]}, norm);
        return (norm >= FloatW(kUnitSquaredLow)) & (norm <= FloatW(kUnitSquaredHigh));
    }
    // Matrices that are no rotations to rounding are left to other queries, which make them rotations or refuse them.
    ABUT_INLINE static MaskW load_matrices(const float* const* rows, Mat3W& axes) {
        FloatW column[3][4];
        for (int i = 0; i < 3; ++i) transpose_records4(rows, column[i], 4 * i);
        axes.x = {column[0][0], column[0][1], column[0][2]}, axes.y = {column[1][0], column[1][1], column[1][2]};
        axes.z = {column[2][0], column[2][1], column[2][2]};
        const Vec3W missing = cross(axes.x, axes.y) - axes.z;
        const FloatW one = 1.0f, rounding = 3e-6f;
        return (abs(dot(axes.x, axes.x) - one) < rounding) & (abs(dot(axes.y, axes.y) - one) < rounding) &
               (abs(dot(axes.x, axes.y)) < rounding) & (dot(missing, missing) < rounding * rounding);
    }

    // Bad poses become NaN, with which no comparison decides.
    void load_bodies() {
        FloatW farthest = 0.0f;
        const float *position[kLanes], *orientation[kLanes];
        for (std::uint32_t i = 0; i + 1 < chunk_.body_count; ++i) {
            for (int lane = 0; lane < kLanes; ++lane) {
                position[lane] = reinterpret_cast<const float*>(chunk_.positions[lane] + i * chunk_.position_stride);
                orientation[lane] =
                    reinterpret_cast<const float*>(chunk_.orientations[lane] + i * chunk_.orientation_stride);
            }
            FloatW p[4];
            transpose_records4(position, p);
            const bool has_axes = chunk_.bodies[i].has_axes;
            Mat3W axes;
            const MaskW is_turn =
                chunk_.has_matrices ? load_matrices(orientation, axes) : load_quaternions(orientation, has_axes, axes);
            const FloatW out = abs(p[0]) + abs(p[1]) + abs(p[2]), none = float_of(IntW(0x7fc00000));
            const MaskW is_valid = (out <= FloatW(kMostMetres)) & is_turn;
            farthest = max(select(is_valid, out, farthest), farthest);
            float* const rows = body_rows(i);
            store(rows, 0, {select(is_valid, p[0], none), select(is_valid, p[1], none), select(is_valid, p[2], none)});
            if (!has_axes) continue;
            store(rows, 3, axes.x), store(rows, 6, axes.y), store(rows, 9, axes.z);
            if (const std::uint32_t whole = chunk_.bodies[i].outline; chunk_.outlines[whole].is_placed) place(whole);
        }
        // Centres beside their body's origin are rounded as coordinates are.
        const LaneArray<float> lanes = lanes_of(farthest);
        for (int lane = 0; lane < kLanes; ++lane) slack_ = lanes[lane] > slack_ ? lanes[lane] : slack_;
        slack_ *= 1e-6f;
    }

    void place(std::uint32_t i) {
        const Outline& shape = chunk_.outlines[i];
        const OutlineW body = {shape, body_rows(shape.body)};
        float* const rows = outline_rows(i);
        const auto turned = [&](const float* v) {
            return body.axis(0) * FloatW(v[0]) + body.axis(1) * FloatW(v[1]) + body.axis(2) * FloatW(v[2]);
        };
        store(rows, 0, body.centre() + turned(shape.centre));
        for (std::uint32_t axis = 0; axis < 3 && shape.kind != OutlineKind::ball; ++axis)
            store(rows, 3 + 3 * axis, turned(shape.axes + 3 * axis));
        chunk_.is_placed[i] = 1;
    }

    // Of two bodies: that of their outlines, or of their parts where the outlines' does not exceed `enough`.
    ABUT_NOINLINE GapW gap_of_bodies(const SievePair& pair, FloatW enough) {
        const SieveBody &a = chunk_.bodies[pair.a], &b = chunk_.bodies[pair.b];
        const GapW whole = gap_of(outline(a.outline), outline(b.outline));
        const std::uint32_t first_a = a.parts != 0, first_b = b.parts != 0;
        if (first_a + first_b == 0 || all(whole.low > enough)) return whole;
        GapW least = {HUGE_VALF, HUGE_VALF};
        for (std::uint32_t i = first_a; i <= a.parts; ++i) {
            const OutlineW part = outline(a.outline + i);
            if (first_b != 0) {
                const FloatW low = gap_of(part, outline(b.outline)).low;
                if (all(low > enough)) {
                    least.low = min(least.low, low);
                    continue;
                }
            }
            for (std::uint32_t k = first_b; k <= b.parts; ++k) {
                const GapW one = gap_of(part, outline(b.outline + k));
                least = {min(least.low, one.low), min(one.high, least.high)};  // NaN stays in `low`
            }
        }
        return least;
    }

    SieveChunk& chunk_;
    float slack_ = 0;
};

void find_overlaps(SieveChunk& chunk) { Sieve(chunk).find_overlaps(); }
void bound_distances(SieveChunk& chunk) { Sieve(chunk).bound_distances(); }

}  // namespace

constexpr SieveKernels kSieveKernels = {FromBaseline<find_overlaps>::call, FromBaseline<bound_distances>::call, kLanes};

}  // namespace abut::ABUT_ISA_NAMESPACE
