// See sieve_chunk.hpp. One configuration per lane.
#include "queries/configurations/sieve_chunk.hpp"

#include <abut/frame.hpp>

#include "base/tolerances.hpp"
#include "queries/configurations/field_gaps.hpp"
#include "simd/from_baseline.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

class Sieve {
public:
    explicit Sieve(SieveChunk& chunk) : chunk_(chunk) {}

    // Bad poses become NaN, for which every comparison is false.
    void load_bodies(const SievePoses& poses) {
        FloatW farthest = 0.0f;
        const float *position[kLanes], *orientation[kLanes];
        for (std::uint32_t i = poses.first; i < poses.end; ++i) {
            const std::size_t at = i - poses.first;
            for (int lane = 0; lane < kLanes; ++lane) {
                position[lane] = reinterpret_cast<const float*>(poses.positions[lane] + at * poses.position_stride);
                orientation[lane] =
                    reinterpret_cast<const float*>(poses.orientations[lane] + at * poses.orientation_stride);
            }
            FloatW p[4];
            transpose_records4(position, p);
            const bool has_axes = chunk_.bodies[i].has_axes;
            Mat3W axes;
            const MaskW is_turn =
                poses.has_matrices ? load_matrices(orientation, axes) : load_quaternions(orientation, has_axes, axes);
            const FloatW out = abs(p[0]) + abs(p[1]) + abs(p[2]), none = float_of(IntW(0x7fc00000));
            const MaskW is_valid = (out <= FloatW(kMostMetres)) & is_turn;
            farthest = max(select(is_valid, out, farthest), farthest);
            float* const rows = body_rows(i);
            store(rows, 0, {select(is_valid, p[0], none), select(is_valid, p[1], none), select(is_valid, p[2], none)});
            if (!has_axes) continue;
            store(rows, 3, axes.x), store(rows, 6, axes.y), store(rows, 9, axes.z);
            if (const std::uint32_t whole = chunk_.bodies[i].outline; chunk_.outlines[whole].is_placed) place(whole);
        }
        const LaneArray<float> lanes = lanes_of(farthest * FloatW(1e-6f));
        for (int lane = 0; lane < kLanes; ++lane)
            chunk_.slack = lanes[lane] > chunk_.slack ? lanes[lane] : chunk_.slack;
    }

    void find_overlaps() {
        // Copies, because the compiler assumes that the stores below may change the members.
        const SievePair *const first = chunk_.pairs, *const end = first + chunk_.pair_count;
        const std::byte* const rows = rows_in_bytes();
        const float slack = chunk_.slack;
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
                const GapW gap = gap_of_bodies(*pair, rounding, open, Walk::to_decide);
                hits = open & (gap.high < -rounding).bits();
                open &= ~hits & ~(gap.low > rounding).bits();
            }
            for_each_lane(hits, [&](int lane) { chunk_.first[lane] = at; });
            if (open != 0) chunk_.undecided[undecided++] = {at, open};
            if (hits != 0 && ((left &= ~hits) == 0 || chunk_.ends_at_hit)) break;
        }
        chunk_.undecided_count = undecided;
    }

    // First bounds the least distance by the pairs' centres. Then computes the gaps of pairs whose outlines' balls are
    // no farther apart than that bound, by trees only where distance fields do not suffice.
    void bound_distances() {
        const float slack = chunk_.slack;
        FloatW least = HUGE_VALF;
        for (std::uint32_t i = 0; i < chunk_.pair_count; ++i) {
            const SievePair& pair = chunk_.pairs[i];
            if (pair.inner == -HUGE_VALF) continue;
            const FloatW high = norm(between(rows_in_bytes(), pair)) - FloatW(pair.inner) + FloatW(pair.slack + slack);
            lower(least, high, pair);
        }
        std::uint32_t undecided = 0;
        for (std::uint32_t i = 0; i < chunk_.pair_count; ++i) {
            const SievePair& pair = chunk_.pairs[i];
            const Vec3W v = between(rows_in_bytes(), pair);
            const FloatW rounding = pair.slack + slack, limit = pair.limit, zero = 0.0f;
            const FloatW enough = min(least, limit), far = max(enough + FloatW(pair.far + slack), zero);
            if ((chunk_.lanes & ~(dot(v, v) > far * far).bits()) == 0) continue;
            const GapW gap = gap_of_bodies(pair, enough + rounding, chunk_.lanes, Walk::none);
            lower(least, gap.high + rounding, pair);
            const FloatW low = gap.low - rounding;
            const std::uint32_t open = chunk_.lanes & ~(low > min(least, limit)).bits();
            if (open == 0) continue;
            low.store_unaligned(chunk_.low + undecided * kLanes);
            chunk_.undecided[undecided++] = {i, open};
        }
        chunk_.undecided_count = undecided;
        walk_trees(least);
        least.store_unaligned(chunk_.high);
    }

private:
    // The purpose of a walk down the tree of a compound with a distance field.
    enum class Walk : std::uint8_t { none, to_decide, to_nearest };

    // Walks the trees of pairs: lowers the bound on the least distance, and raises the bounds of these pairs.
    void walk_trees(FloatW& least) {
        for (std::uint32_t u = 0; u < chunk_.undecided_count; ++u) {
            const UndecidedPair& open = chunk_.undecided[u];
            const SievePair& pair = chunk_.pairs[open.pair];
            if (!has_tree(chunk_.bodies[pair.a]) && !has_tree(chunk_.bodies[pair.b])) continue;
            const FloatW rounding = pair.slack + chunk_.slack, enough = min(least, FloatW(pair.limit));
            const FloatW low = FloatW::load_unaligned(chunk_.low + u * kLanes);
            const std::uint32_t lanes = open.lanes & ~(low > enough).bits();
            if (lanes == 0) continue;
            const GapW gap = gap_of_bodies(pair, enough + rounding, lanes, Walk::to_nearest);
            lower(least, gap.high + rounding, pair);
            (gap.low - rounding).store_unaligned(chunk_.low + u * kLanes);
        }
    }

    // The vector from the centre of B's outline to that of A's.
    ABUT_INLINE static Vec3W between(const std::byte* rows, const SievePair& pair) {
        const auto centre = [&](std::uint32_t row) {
            const auto* const from = reinterpret_cast<const float*>(rows + row);
            return Vec3W{FloatW::load(from), FloatW::load(from + kLanes), FloatW::load(from + 2 * kLanes)};
        };
        return centre(pair.row_a) - centre(pair.row_b);
    }
    ABUT_INLINE const std::byte* rows_in_bytes() const { return reinterpret_cast<const std::byte*>(chunk_.rows); }
    // Takes an upper bound on a pair's distance, if it is within the pair's limit. Ignores NaN.
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

    // The lanes in which the orientations of a body are rotations. Sets `axes` to the rotations if has_axes.
    ABUT_INLINE static MaskW load_quaternions(const float* const* rows, bool has_axes, Mat3W& axes) {
        FloatW q[4];
        transpose_records4(rows, q);
        const FloatW norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (has_axes) axes = to_matrix({q[0], q[1], q[2], q[3]}, norm);
        return (norm >= FloatW(kUnitSquaredLow)) & (norm <= FloatW(kUnitSquaredHigh));
    }
    // Matrices that are not rotations up to rounding are left to other queries, which orthonormalize or reject them.
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

    static bool are_above(FloatW low, FloatW enough, std::uint32_t lanes) {
        return (lanes & ~(low > enough).bits()) == 0;
    }

    // The gap of two boxes costs more than the gaps between this many balls and a box.
    static constexpr std::uint32_t kMostPartsAtOnce = 16;

    // Bounds on the gap of two bodies in these lanes, by their outlines or, where those do not exceed `enough`, by
    // their parts. For a decision it suffices to know whether the gap is above `enough` or below minus `enough`.
    ABUT_NOINLINE GapW gap_of_bodies(const SievePair& pair, FloatW enough, std::uint32_t lanes, Walk walk) {
        const SieveBody &a = chunk_.bodies[pair.a], &b = chunk_.bodies[pair.b];
        if (has_many(a) != has_many(b))
            return has_many(a) ? gap_of_parts(b, a, enough, lanes, walk) : gap_of_parts(a, b, enough, lanes, walk);
        const std::uint32_t first_a = a.parts != 0, first_b = b.parts != 0;
        const OutlineW whole_a = outline(a.outline), whole_b = outline(b.outline);
        if (first_a + first_b != 0) {
            const FloatW low = first_a != 0 ? low_by_balls(whole_a, whole_b) : low_by_balls(whole_b, whole_a);
            if (are_above(low, enough, lanes)) return {low, HUGE_VALF};
        }
        if (first_a + first_b == 0 || a.parts + b.parts > kMostPartsAtOnce) {
            const GapW whole = gap_of(whole_a, whole_b);
            if (first_a + first_b == 0 || are_above(whole.low, enough, lanes)) return whole;
        }
        GapW least = {HUGE_VALF, HUGE_VALF};
        for (std::uint32_t i = first_a; i <= a.parts; ++i) {
            const OutlineW part = outline(a.outline + i);
            if (first_b != 0) {
                const FloatW low = gap_of_part(part, outline(b.outline)).low;
                if (are_above(low, enough, lanes)) {
                    least.low = min(least.low, low);
                    continue;
                }
            }
            for (std::uint32_t k = first_b; k <= b.parts; ++k) {
                const GapW one = gap_of_part(part, outline(b.outline + k));
                least = {min(least.low, one.low), min(one.high, least.high)};  // NaN stays in `low`
            }
        }
        return least;
    }

    static bool has_many(const SieveBody& body) { return body.children.field != nullptr; }
    // True if a walk down the body's tree finds distances.
    static bool has_tree(const SieveBody& body) { return has_many(body) && body.children.field->are_balls; }

    // Bounds on the gap of a body and a compound of many children.
    GapW gap_of_parts(const SieveBody& body, const SieveBody& compound, FloatW enough, std::uint32_t lanes, Walk walk) {
        const ManyChildren& children = compound.children;
        const OutlineW all_children = outline(compound.outline), whole = outline(body.outline);
        const OutlineKind kind = whole.shape.kind;
        if (kind == OutlineKind::none || kind == OutlineKind::halfspace) return gap_of(whole, all_children);
        GapW least = {HUGE_VALF, HUGE_VALF};
        if (body.parts != 0)
            if (const GapW gap = FieldOutline(whole, all_children, children).gap(children);
                are_above(gap.low, enough, lanes))
                return gap;
        for (std::uint32_t i = body.parts != 0; i <= body.parts; ++i) {
            const OutlineW part = outline(body.outline + i);
            if (part.shape.kind == OutlineKind::none) return {};
            const FieldOutline in_field(part, all_children, children);
            GapW gap = in_field.gap(children);
            if (walk == Walk::to_decide) lanes &= ~(gap.high < -enough).bits();
            if (walk != Walk::none && has_tree(compound))
                walk_tree(in_field, children, enough, lanes & ~(gap.low > enough).bits(), walk, gap);
            if (walk == Walk::to_decide)
                lanes &= ~(gap.high < -enough).bits();
            else
                enough = min(enough, gap.high);
            least = {min(least.low, gap.low), min(gap.high, least.high)};  // NaN stays in `low`
        }
        return least;
    }

    // Replaces the bounds of single lanes by exact gaps where they decide or are at most `enough`.
    static void walk_tree(const FieldOutline& outline, const ManyChildren& children, FloatW enough, std::uint32_t lanes,
                          Walk walk, GapW& gap) {
        if (lanes == 0) return;
        LaneArray<float> low = lanes_of(gap.low), high = lanes_of(gap.high);
        const LaneArray<float> limits = lanes_of(enough);
        for_each_lane(lanes, [&](int lane) {
            if (low[lane] != low[lane]) return;  // a bad pose
            const OutlineInField part = outline.in(lane);
            const float limit = limits[lane], stop = walk == Walk::to_nearest ? -HUGE_VALF
                                                     : part.shape.is_exact    ? -limit
                                                                              : limit;
            low[lane] = NearestBall(children, part)(limit, stop);
            if (part.shape.is_exact) high[lane] = low[lane];
        });
        gap = {load(low), load(high)};
    }

    SieveChunk& chunk_;
};

void load_bodies(SieveChunk& chunk, const SievePoses& poses) { Sieve(chunk).load_bodies(poses); }
void find_overlaps(SieveChunk& chunk) { Sieve(chunk).find_overlaps(); }
void bound_distances(SieveChunk& chunk) { Sieve(chunk).bound_distances(); }

}  // namespace

constexpr SieveKernels kSieveKernels = {FromBaseline<load_bodies>::call, FromBaseline<find_overlaps>::call,
                                        FromBaseline<bound_distances>::call, kLanes};

}  // namespace abut::ABUT_ISA_NAMESPACE
