// See cells.hpp.
#include "convex/exact/cells.hpp"

namespace abut::exact {
namespace {

// Most hard pairs need about fifty cells, about one of the two axes. The searches about both axes take turns, with each
// of these limits.
constexpr int kMostCells[] = {256, 2'048, 12'000};
// After about fifty halvings in either direction, doubles cannot distinguish the borders of a cell.
constexpr int kMaxHalvings = 96, kSpokes = 8, kMaxBands = 6, kMaxCells = kSpokes * kMaxBands + kMaxHalvings;

struct Unit2 {
    double x, y;
};

Unit2 middle(const Unit2& a, const Unit2& b) {
    const double x = a.x + b.x, y = a.y + b.y, by = 1.0 / std::sqrt(x * x + y * y);
    return {x * by, y * by};
}
double cross(const Unit2& a, const Unit2& b) { return a.x * b.y - a.y * b.x; }
double dot(const Unit2& a, const Unit2& b) { return a.x * b.x + a.y * b.y; }

// Directions between two parallels in one hemisphere and two meridians less than 180 degrees apart. A parallel is
// stored as the radial component of its directions, which is not negative, and the axial component.
struct Cell {
    Unit2 low, high, from, to;
    int halvings;
};

// A disc perpendicular to the axis, which is y.
struct Disc {
    Vec3d centre;
    double radius;
};

// The radial part of a disc's support function, at a meridian, and the minimum of that part between two meridians.
double radial_reach(const Disc& disc, const Unit2& meridian) {
    return disc.radius + (disc.centre.x * meridian.x + disc.centre.z * meridian.y);
}
double least_radial_reach(const Disc& disc, const Unit2& from, const Unit2& to) {
    const Unit2 away = {-disc.centre.x, -disc.centre.z};
    if (cross(from, away) > 0 && cross(away, to) > 0) return disc.radius - std::sqrt(away.x * away.x + away.y * away.y);
    return min(radial_reach(disc, from), radial_reach(disc, to));
}

double radial_height(const Disc& disc, const Unit2& parallel, double radial_reach) {
    return parallel.x * radial_reach + parallel.y * disc.centre.y;
}

double reach_of(const Disc& disc, const Vec3d& d) {
    return dot(d, disc.centre) + disc.radius * std::sqrt(d.x * d.x + d.z * d.z);
}

// The minimum of a disc's support function between two parallels, or some negative number, which bounds no depth. Along
// a meridian the function is a part of a sine wave. If the trough of the wave is in the cell, which is less than 90
// degrees high, both ends of the cell are below zero.
double least_along(const Disc& disc, const Cell& cell, double radial_reach) {
    return min(radial_height(disc, cell.low, radial_reach), radial_height(disc, cell.high, radial_reach));
}

double least_in(const Disc& disc, const Cell& cell) {
    return least_along(disc, cell, least_radial_reach(disc, cell.from, cell.to));
}

// Convert a vector from a core's own axes to axes with y along `axis`, and back.
Vec3d axis_first(const Vec3d& v, int axis) {
    return axis == 1 ? v : axis == 0 ? Vec3d{v.z, v.x, v.y} : Vec3d{v.y, v.z, v.x};
}
Vec3d axis_second(const Vec3d& v, int axis) {
    return axis == 1 ? v : axis == 0 ? Vec3d{v.y, v.z, v.x} : Vec3d{v.z, v.x, v.y};
}

// The axis about which a core is (nearly) a body of revolution. `reach`: the core's largest half extent; -1 if it has
// no such axis. A capsule's segment and a needle-shaped box have an axis, too; that of any ellipsoid is the one about
// which the ellipsoid is roundest.
struct Axis {
    int index = 1;
    double reach = -1;
    bool revolves = false;  // it is exactly a body of revolution
    bool nearly = false;
};
Axis axis_of(const Core& core) {
    const Vec3d& r = core.half;
    const double reach = max_abs(r) - core.erosion;
    if (core.kind == ShapeKind::cylinder || core.kind == ShapeKind::cone || core.kind == ShapeKind::capsule)
        return {1, reach, true};
    if (core.kind == ShapeKind::box) {
        const int longest = r.y >= r.x && r.y >= r.z ? 1 : r.x >= r.z ? 0 : 2;
        const Vec3d seen = axis_first(r, longest);
        return max(seen.x, seen.z) <= kNeedle * seen.y ? Axis{longest, reach} : Axis{};
    }
    if (core.kind != ShapeKind::ellipsoid) return {};
    const double apart[3] = {std::fabs(r.y - r.z), std::fabs(r.z - r.x), std::fabs(r.x - r.y)};
    const int nearest = apart[1] <= apart[0] && apart[1] <= apart[2] ? 1 : apart[0] <= apart[2] ? 0 : 2;
    const Vec3d seen = axis_first(r, nearest);
    return {nearest, reach, apart[nearest] == 0, apart[nearest] != 0 && apart[nearest] <= kNearlyRound * seen.x};
}

// A body of revolution inside a nearly round ellipsoid.
Core inner_core(const Core& core, const Axis& axis) {
    Core inner = core;
    Vec3d r = axis_first(core.half, axis.index);
    r.x = r.z = min(r.x, r.z);
    if (axis.nearly) inner.half = axis_second(r, axis.index);
    return inner;
}

// The pair relative to one core: about its centre, in axes whose y is its axis.
class SeenCore {
public:
    SeenCore(const CorePair& pair, bool from_b)
        : from_b_(from_b), round_(from_b_ ? pair.b : pair.a), other_(from_b_ ? pair.a : pair.b) {
        to_round_ = from_b_ ? transposed(pair.b_to_a) : pair.b_to_a;
        offset_ = from_b_ ? -transposed_times(pair.b_to_a, pair.offset) : pair.offset;
        back_ = pair.b_to_a;
        axis_ = axis_of(round_);
        other_axis_ = axis_of(other_);
        inner_round_ = inner_core(round_, axis_);
        inner_other_ = inner_core(other_, other_axis_);
        set_parallel();
    }

    // Converts from A - B in A's axes into these axes, and back.
    Vec3d into(const Vec3d& v) const { return axis_first(from_b_ ? -transposed_times(back_, v) : v, axis_.index); }
    Vec3d out_of(const Vec3d& v) const {
        const Vec3d d = axis_second(v, axis_.index);
        return from_b_ ? -(back_ * d) : d;
    }

    // Parts of A - B that are farthest along d, and the depth along d. `disc` is always set. The two inner discs are
    // set if the core is nearly a body of revolution, or if the other core's axis is nearly parallel to its axis; the
    // lesser of their bounds holds in a cell around d.
    struct Part {
        Disc disc, inner[2];
        double depth;
        bool has_inner;
    };
    Part support(const Vec3d& d, const Cell& cell) const {
        const Vec3d in_own = axis_second(d, axis_.index), in_other = transposed_times(to_round_, -in_own);
        Vec3d centre = core_support(round_, in_own);
        Vec3d p = core_support(other_, in_other);
        const double depth = dot(in_own, centre - to_round_ * p - offset_);
        double radius = axis_.revolves ? centred(centre, axis_.index) : 0;
        Part part = {
            {axis_first(centre - to_round_ * p - offset_, axis_.index), radius}, {}, depth, parallel_ || axis_.nearly};
        if (!part.has_inner) return part;
        if (axis_.nearly) {
            centre = core_support(inner_round_, in_own);
            radius = centred(centre, axis_.index);
        }
        if (parallel_ && other_axis_.nearly) p = core_support(inner_other_, in_other);
        const double other_radius = parallel_ ? centred(p, other_axis_.index) : 0;
        const Vec3d middle = axis_first(centre - to_round_ * p - offset_, axis_.index);
        const Range towards = towards_tilt(cell);
        part.inner[0] = tilted_disc(middle, radius, other_radius, towards.least);
        part.inner[1] = tilted_disc(middle, radius, other_radius, towards.most);
        return part;
    }

    // The height on a meridian at which the round core's farthest disc changes.
    double edge() const {
        if (round_.kind != ShapeKind::cone) return 0;
        const double up = round_.half.x, out = 2 * round_.half.y;
        return up / std::sqrt(up * up + out * out);
    }

private:
    // Moves a point onto the axis and returns the point's former distance from the axis.
    static double centred(Vec3d& p, int axis) {
        Vec3d q = axis_first(p, axis);
        const double off = std::sqrt(q.x * q.x + q.z * q.z);
        q.x = q.z = 0;
        p = axis_second(q, axis);
        return off;
    }

    void set_parallel() {
        if (!other_axis_.revolves && !other_axis_.nearly) return;
        Vec3d seen = axis_first(to_round_ * axis_second({0, 1, 0}, other_axis_.index), axis_.index);
        if (seen.y < 0) seen = -seen;
        sine_ = std::sqrt(seen.x * seen.x + seen.z * seen.z);
        parallel_ = sine_ <= kMostTilt;
        if (sine_ > 0) tilt_ = {seen.x / sine_, seen.z / sine_};
    }

    // The range of cosines between a cell's meridians and the direction of the other axis's tilt.
    struct Range {
        double least, most;
    };
    Range towards_tilt(const Cell& cell) const {
        const double from = dot(cell.from, tilt_), to = dot(cell.to, tilt_);
        const double before = cross(cell.from, tilt_), after = cross(tilt_, cell.to);
        if (before >= 0 && after >= 0) return {maths::min(from, to), 1};
        if (before <= 0 && after <= 0) return {-1, maths::max(from, to)};
        return {maths::min(from, to), maths::max(from, to)};
    }

    // The support value of a disc of radius r perpendicular to an axis tilted by t is r sqrt(1 - f^2) in the direction
    // of height h, where f = sin(t) c cos(h) + cos(t) sin(h), and c is the cosine between the direction's meridian and
    // the tilt's. With sin(u) = sin(t) c, this value is at least r cos(u + h) - (t u)^2 / 2. That is the value of a
    // disc perpendicular to this axis, with radius r cos(u) and lower by r sin(u). Over a range of c, the least value
    // is at an end.
    Disc tilted_disc(const Vec3d& middle, double radius, double other_radius, double c) const {
        const double sine = sine_ * c, squared = sine * sine;
        const double across = other_radius * (std::sqrt(1 - squared) - squared * sine_ * sine_);
        return {{middle.x, middle.y - other_radius * sine, middle.z}, radius + across};
    }

    bool from_b_;
    const Core &round_, &other_;
    Mat3 to_round_, back_;
    Vec3d offset_;
    Axis axis_, other_axis_;
    Core inner_round_, inner_other_;
    bool parallel_ = false;
    double sine_ = 0;
    Unit2 tilt_ = {1, 0};
};

Vec3d direction_at(const Unit2& parallel, const Unit2& meridian) {
    return {parallel.x * meridian.x, parallel.y, parallel.x * meridian.y};
}

// Sectors of 45 degrees around the axis, each divided into bands: at the equator, and at the heights where the round
// core's farthest disc changes.
int first_cells(double edge, Cell* cells) {
    constexpr double kHalf = 0.70710678118654752;
    constexpr Unit2 kSpokeDirections[kSpokes] = {{1, 0},  {kHalf, kHalf},   {0, 1},  {-kHalf, kHalf},
                                                 {-1, 0}, {-kHalf, -kHalf}, {0, -1}, {kHalf, -kHalf}};
    const double slope = std::sqrt(1 - edge * edge);
    Unit2 parallels[kMaxBands + 1] = {{0, -1}, {kHalf, -kHalf}, {1, 0}, {kHalf, kHalf}, {0, 1}, {}, {}};
    int bands = 4;
    if (edge > 0 && edge < 1) {
        const int after = edge < kHalf ? 3 : 4;
        for (int i = bands; i >= after; --i) parallels[i + 1] = parallels[i];
        parallels[after] = {slope, edge};
        ++bands;
    }
    int count = 0;
    for (int spoke = 0; spoke < kSpokes; ++spoke)
        for (int band = 0; band < bands; ++band)
            cells[count++] = {parallels[band], parallels[band + 1], kSpokeDirections[spoke],
                              kSpokeDirections[(spoke + 1) % kSpokes], 0};
    return count;
}

// Halves the cell across the direction in which the disc's bound loses more. `more_around`: an additional loss between
// meridians.
void halve(const Cell& cell, const Disc& disc, double more_around, Cell* halves) {
    const Unit2 parallel = middle(cell.low, cell.high), meridian = middle(cell.from, cell.to);
    const double here = radial_reach(disc, meridian);
    const double around = parallel.x * (here - least_radial_reach(disc, cell.from, cell.to)) + more_around;
    const double along = radial_height(disc, parallel, here) - least_along(disc, cell, here);
    halves[0] = halves[1] = cell;
    halves[0].halvings = halves[1].halvings = cell.halvings + 1;
    if (around > along)
        halves[0].to = halves[1].from = meridian;
    else
        halves[0].high = halves[1].low = parallel;
}

void try_direction(const CorePair& pair, const Vec3d& n, KnownDepth& best) {
    const double depth = dot(n, support(pair, n).w);
    if (depth < best.depth) best = {n, depth};
}

// Runs one search. Returns the lower bound that it proves with up to `most_cells` cells; 0 if none.
double search_about(const SeenCore& seen, const CorePair& pair, const Vec3d& inside, double allowed, int most_cells,
                    KnownDepth& best) {
    const Disc known = {seen.into(inside), 0};
    Cell open[kMaxCells];
    int count = first_cells(seen.edge(), open);
    for (int looked_at = 0; count > 0; ++looked_at) {
        // No depth is negative, because the origin is in A - B.
        if (best.depth <= allowed || looked_at == most_cells) return 0;
        const double wanted = best.depth - allowed;
        const Cell cell = open[--count];
        if (least_in(known, cell) >= wanted) continue;
        const Vec3d d = direction_at(middle(cell.low, cell.high), middle(cell.from, cell.to));
        const SeenCore::Part part = seen.support(d, cell);
        if (part.depth < best.depth) try_direction(pair, unit(seen.out_of(d)), best);
        const double by_disc = least_in(part.disc, cell);
        if (by_disc >= wanted) continue;
        const Disc* nearest = &part.disc;
        double more_around = 0;
        if (part.has_inner) {
            const double by_first = least_in(part.inner[0], cell), by_second = least_in(part.inner[1], cell);
            if (min(by_first, by_second) >= wanted) continue;
            // If the inner parts do not suffice in the middle of the cell, smaller cells do not help.
            const double in_middle = min(reach_of(part.inner[0], d), reach_of(part.inner[1], d));
            if (min(by_first, by_second) > by_disc && in_middle >= wanted) {
                nearest = &part.inner[by_first < by_second ? 0 : 1];
                more_around = std::fabs(by_first - by_second);
            }
        }
        if (cell.halvings == kMaxHalvings) return 0;
        halve(cell, *nearest, more_around, open + count);
        count += 2;
    }
    return best.depth - allowed;
}

}  // namespace

double search_cells(const CorePair& pair, const Vec3d& inside, double allowed, KnownDepth& best) {
    // The first search is about the axis of a core of revolution; if both cores are, about that of the longer core. The
    // depth may be constant around either axis.
    const Axis a = axis_of(pair.a), b = axis_of(pair.b);
    const bool a_revolves = a.revolves || a.nearly, b_revolves = b.revolves || b.nearly;
    const bool b_first = a_revolves == b_revolves ? a.reach < b.reach : b_revolves;
    const bool has_second = (b_first ? a : b).reach >= 0;
    for (const int most_cells : kMostCells) {
        for (const bool second : {false, true}) {
            if (second && !has_second) continue;
            if (best.depth <= allowed) return 0;
            const double proved =
                search_about(SeenCore(pair, b_first != second), pair, inside, allowed, most_cells, best);
            if (proved > 0) return proved;
        }
    }
    return 0;
}

}  // namespace abut::exact
