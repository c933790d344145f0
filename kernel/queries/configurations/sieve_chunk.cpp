// See sieve_chunk.hpp. One configuration per lane.
#include "queries/configurations/sieve_chunk.hpp"

#include <abut/frame.hpp>

#include "base/tolerances.hpp"
#include "simd/from_baseline.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

// Lanes in which two outlines are apart, and those in which they overlap; neither where rounding may decide.
struct VerdictW {
    MaskW apart, overlaps;
};

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
    // How far the shape reaches along a unit direction in world axes.
    ABUT_INLINE FloatW reach(Vec3W n) const {
        const FloatW radius = shape.radius;
        switch (shape.kind) {
            case OutlineKind::capsule: return radius + abs(dot(axis(1), n)) * half(1);
            case OutlineKind::box: {
                const Vec3W l = abs(local(n));
                return radius + (l.x * half(0) + l.y * half(1) + l.z * half(2));
            }
            default: return radius;
        }
    }
};

ABUT_INLINE FloatW clamp(FloatW x, FloatW most) { return max(min(x, most), -most); }
ABUT_INLINE Vec3W clamp(Vec3W x, Vec3W most) { return {clamp(x.x, most.x), clamp(x.y, most.y), clamp(x.z, most.z)}; }
ABUT_INLINE Vec3W halves(const OutlineW& box) { return {box.half(0), box.half(1), box.half(2)}; }

// By the squared distance of two points of the cores; that of the nearest ones is at most `error` less.
ABUT_INLINE VerdictW by_distance(FloatW squared, float radius, FloatW error, float slack) {
    const FloatW far = FloatW(radius + slack) + error, near = radius - slack;
    return {squared > far * far, (squared < near * near) & (near > FloatW(0.0f))};
}

ABUT_INLINE VerdictW ball_capsule(const OutlineW& ball, const OutlineW& capsule, float slack) {
    const Vec3W between = ball.centre() - capsule.centre(), axis = capsule.axis(1);
    const Vec3W rest = between - axis * clamp(dot(between, axis), capsule.half(1));
    return by_distance(dot(rest, rest), ball.shape.radius + capsule.shape.radius, 0.0f, slack);
}

ABUT_INLINE VerdictW ball_box(const OutlineW& ball, const OutlineW& box, float slack) {
    const Vec3W local = box.local(ball.centre() - box.centre()), rest = local - clamp(local, halves(box));
    return by_distance(dot(rest, rest), ball.shape.radius + box.shape.radius, 0.0f, slack);
}

// The nearest points of two segments [Ericson 2004, 5.1.9]. Where the axes are nearly parallel the place is uncertain.
ABUT_INLINE VerdictW capsule_capsule(const OutlineW& a, const OutlineW& b, float slack) {
    const Vec3W between = a.centre() - b.centre(), u = a.axis(1), v = b.axis(1);
    const FloatW cosine = dot(u, v), of_u = dot(u, between), of_v = dot(v, between);
    const FloatW sine_squared = FloatW(1.0f) - cosine * cosine;
    FloatW s = clamp((cosine * of_v - of_u) / max(sine_squared, FloatW(1e-12f)), a.half(1));
    const FloatW t = clamp(cosine * s + of_v, b.half(1));
    s = clamp(cosine * t - of_u, a.half(1));
    const Vec3W rest = between + u * s - v * t;
    const FloatW length = a.shape.half[1] + b.shape.half[1], zero = 0.0f;
    const FloatW error = select(sine_squared < FloatW(1e-3f), length * FloatW(1e-3f), zero);
    return by_distance(dot(rest, rest), a.shape.radius + b.shape.radius, error, slack);
}

// Points that approach each other by turns are near enough to show an overlap; the direction between them shows a gap.
ABUT_INLINE VerdictW capsule_box(const OutlineW& capsule, const OutlineW& box, float slack) {
    const Vec3W middle = box.local(capsule.centre() - box.centre()), axis = box.local(capsule.axis(1));
    const FloatW half = capsule.half(1);
    Vec3W on_segment = middle, on_box = clamp(middle, halves(box));
    for (int i = 0; i < 4; ++i) {
        on_segment = middle + axis * clamp(dot(on_box - middle, axis), half);
        on_box = clamp(on_segment, halves(box));
    }
    const Vec3W rest = on_segment - on_box;
    const FloatW squared = dot(rest, rest), length = sqrt(squared), radius = capsule.shape.radius + box.shape.radius;
    const Vec3W spread = abs(rest);
    const FloatW reach =
        abs(dot(axis, rest)) * half + (spread.x * box.half(0) + spread.y * box.half(1) + spread.z * box.half(2));
    VerdictW out = by_distance(squared, capsule.shape.radius + box.shape.radius, 0.0f, slack);
    out.apart = dot(middle, rest) - reach > (radius + FloatW(slack)) * length;
    return out;
}

// The greatest gap between two boxes along the axes that part boxes [Gottschalk, Lin, Manocha 1996]. Gaps along short
// products of edges, which rounding makes, are not taken.
ABUT_INLINE VerdictW box_box(const OutlineW& a, const OutlineW& b, float slack) {
    const Vec3W between = a.local(b.centre() - a.centre());
    const Vec3W edge[3] = {a.local(b.axis(0)), a.local(b.axis(1)), a.local(b.axis(2))};
    const FloatW ha[3] = {a.half(0), a.half(1), a.half(2)}, hb[3] = {b.half(0), b.half(1), b.half(2)};
    const FloatW radius = a.shape.radius + b.shape.radius, allowed = radius + FloatW(slack);
    FloatW gap = -HUGE_VALF;
    const auto offer = [&](FloatW by) { gap = max(gap, by); };
    const FloatW along[3] = {between.x, between.y, between.z};
    const auto part = [](const Vec3W& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    for (int i = 0; i < 3; ++i) {
        FloatW of_b = 0.0f;
        for (int k = 0; k < 3; ++k) of_b = of_b + abs(part(edge[k], i)) * hb[k];
        offer(abs(along[i]) - ha[i] - of_b);
        FloatW of_a = 0.0f;
        for (int k = 0; k < 3; ++k) of_a = of_a + abs(part(edge[i], k)) * ha[k];
        offer(abs(dot(edge[i], between)) - hb[i] - of_a);
    }
    MaskW apart = gap > allowed;
    // Along a product n of edges, of length l < 1: a gap of n * l.
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int m = 0; m < 3; ++m) {
            const FloatW n_j = -part(edge[m], k), n_k = part(edge[m], j);
            const FloatW length_squared = n_j * n_j + n_k * n_k;
            FloatW reach = abs(n_j) * ha[j] + abs(n_k) * ha[k];
            for (int o = 1; o < 3; ++o) {
                const Vec3W& other = edge[(m + o) % 3];
                reach = reach + abs(part(other, j) * n_j + part(other, k) * n_k) * hb[(m + o) % 3];
            }
            const FloatW by = abs(along[j] * n_j + along[k] * n_k) - reach;
            const MaskW is_long = length_squared > FloatW(1e-4f);
            apart |= is_long & (by > FloatW(0.0f)) & (by * by > allowed * allowed * length_squared);
            offer(select(is_long, by, FloatW(-HUGE_VALF)));
        }
    }
    return {apart, gap < FloatW(-slack)};
}

ABUT_INLINE VerdictW halfspace_any(const OutlineW& plane, const OutlineW& shape, float slack) {
    const Vec3W normal = plane.axis(0);
    const FloatW gap = dot(normal, shape.centre() - plane.centre()) - FloatW(plane.shape.radius) - shape.reach(normal);
    return {gap > FloatW(slack), gap < FloatW(-slack)};
}

// A call per kind: only balls are inline, where the list is walked.
VerdictW judge(const OutlineW& a, const OutlineW& b, float slack) {
    using enum OutlineKind;
    const OutlineKind ka = a.shape.kind, kb = b.shape.kind;
    if (ka > kb) return judge(b, a, slack);
    VerdictW out;
    if (ka == none || ka == halfspace) return out;
    if (kb == halfspace) {
        out = halfspace_any(b, a, slack);
    } else if (kb == ball) {
        const Vec3W between = a.centre() - b.centre();
        out = by_distance(dot(between, between), a.shape.radius + b.shape.radius, 0.0f, slack);
    } else if (kb == capsule) {
        out = ka == ball ? ball_capsule(a, b, slack) : capsule_capsule(a, b, slack);
    } else {
        out = ka == ball ? ball_box(a, b, slack) : ka == capsule ? capsule_box(a, b, slack) : box_box(a, b, slack);
    }
    if (!a.shape.is_exact || !b.shape.is_exact) out.overlaps = MaskW();
    return out;
}

class Sieve {
public:
    explicit Sieve(SieveChunk& chunk) : chunk_(chunk) {}

    void run() {
        load_bodies();
        // Copies, because the compiler takes what is stored below for them.
        const SievePair *const first = chunk_.pairs, *const end = first + chunk_.pair_count;
        const auto* const rows = reinterpret_cast<const std::byte*>(chunk_.rows);
        const float slack = slack_;
        std::uint32_t left = chunk_.lanes, unsure = 0;
        for (const SievePair* pair = first; pair != end; ++pair) {
            const auto *const a = reinterpret_cast<const float*>(rows + pair->row_a),
                              *const b = reinterpret_cast<const float*>(rows + pair->row_b);
            const FloatW x = FloatW::load(a) - FloatW::load(b), y = FloatW::load(a + kLanes) - FloatW::load(b + kLanes),
                         z = FloatW::load(a + 2 * kLanes) - FloatW::load(b + 2 * kLanes);
            const FloatW squared = x * x + y * y + z * z, far = pair->far + slack;
            std::uint32_t open = left & ~(squared > far * far).bits(), hits = 0;
            if (open == 0) continue;
            const auto at = static_cast<std::uint32_t>(pair - first);
            if (const FloatW sure = pair->near - slack; pair->near > slack)
                hits = open & (squared < sure * sure).bits(), open &= ~hits;
            if (!(pair->near > 0)) judge_bodies(*pair, hits, open);
            for (std::uint32_t bits = hits; bits != 0; bits &= bits - 1) chunk_.first[__builtin_ctz(bits)] = at;
            if (open != 0) chunk_.unsure[unsure++] = {at, open};
            if ((left &= ~hits) == 0) break;
        }
        chunk_.unsure_count = unsure;
    }

private:
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
            FloatW p[4], q[4];
            transpose_records4(position, p);
            transpose_records4(orientation, q);
            const FloatW norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            const FloatW out = abs(p[0]) + abs(p[1]) + abs(p[2]), none = float_of(IntW(0x7fc00000));
            const MaskW is_valid =
                (out <= FloatW(kMostMetres)) & (norm >= FloatW(kUnitSquaredLow)) & (norm <= FloatW(kUnitSquaredHigh));
            farthest = max(select(is_valid, out, farthest), farthest);
            const Vec3W centre = {select(is_valid, p[0], none), select(is_valid, p[1], none),
                                  select(is_valid, p[2], none)};
            float* const rows = body_rows(i);
            store(rows, 0, centre);
            if (!chunk_.bodies[i].has_axes) continue;
            const Mat3W axes = to_matrix({q[0], q[1], q[2], q[3]}, norm);
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

    // `open`: the lanes to judge; those that are left undecided.
    ABUT_NOINLINE void judge_bodies(const SievePair& pair, std::uint32_t& hits, std::uint32_t& open) {
        const SieveBody &a = chunk_.bodies[pair.a], &b = chunk_.bodies[pair.b];
        const float slack = pair.slack + slack_;
        const VerdictW whole = judge(outline(a.outline), outline(b.outline), slack);
        hits = open & whole.overlaps.bits();
        open &= ~(whole.apart | whole.overlaps).bits();
        if (open == 0 || (a.parts == 0 && b.parts == 0)) return;
        const std::uint32_t asked = open;
        open = 0;
        for (std::uint32_t i = 0, n = a.parts == 0 ? 1 : a.parts; i < n; ++i) {
            const OutlineW part = outline(a.outline + (a.parts == 0 ? 0 : i + 1));
            if (b.parts != 0 && (asked & ~judge(part, outline(b.outline), slack).apart.bits()) == 0) continue;
            for (std::uint32_t k = 0, m = b.parts == 0 ? 1 : b.parts; k < m; ++k) {
                const OutlineW other = outline(b.outline + (b.parts == 0 ? 0 : k + 1));
                const VerdictW one = judge(part, other, slack);
                hits |= asked & one.overlaps.bits();
                open |= asked & ~(one.apart | one.overlaps).bits();
                if (asked == (hits & asked)) return void(open = 0);
            }
        }
        open &= ~hits;
    }

    SieveChunk& chunk_;
    float slack_ = 0;
};

void run_sieve(SieveChunk& chunk) { Sieve(chunk).run(); }

}  // namespace

constexpr SieveKernels kSieveKernels = {FromBaseline<run_sieve>::call, kLanes};

}  // namespace abut::ABUT_ISA_NAMESPACE
