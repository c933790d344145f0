// See exact_cells.hpp.
#include "depth/exact_cells.hpp"

namespace abut::exact {
namespace {

// Of hard pairs that come here most take some fifty. Each of the two axes is tried with so many; then with more.
constexpr int kFirstCells = 2'000, kMoreCells = 12'000;
// Cells halve to nothing a double can tell apart after some fifty times in either way.
constexpr int kMaxHalvings = 96, kSpokes = 8, kMaxBands = 6, kMaxOpen = kSpokes * kMaxBands + kMaxHalvings;

struct Unit2 {
    double x, y;
};

Unit2 middle(const Unit2& a, const Unit2& b) {
    const double x = a.x + b.x, y = a.y + b.y, by = 1.0 / std::sqrt(x * x + y * y);
    return {x * by, y * by};
}
double cross(const Unit2& a, const Unit2& b) { return a.x * b.y - a.y * b.x; }
double dot(const Unit2& a, const Unit2& b) { return a.x * b.x + a.y * b.y; }

// Directions between two parallels, on one side of the equator, and two meridians, less than half a turn apart. Parallels: how far aside of
// the axis, which is not negative, and along it.
struct Cell {
    Unit2 low, high, from, to;
    int halvings;
};

// A disc across the axis, in its coordinates: the axis is y.
struct Disc {
    Vec3d centre;
    double radius;
};

// What the disc's support function is on a parallel, but for what is along the axis: at a meridian, and at least between two.
double aside(const Disc& disc, const Unit2& meridian) { return disc.radius + (disc.centre.x * meridian.x + disc.centre.z * meridian.y); }
double least_aside(const Disc& disc, const Unit2& from, const Unit2& to) {
    const Unit2 away = {-disc.centre.x, -disc.centre.z};
    if (cross(from, away) > 0 && cross(away, to) > 0) return disc.radius - std::sqrt(away.x * away.x + away.y * away.y);
    return least(aside(disc, from), aside(disc, to));
}

double at(const Disc& disc, const Unit2& parallel, double aside) { return parallel.x * aside + parallel.y * disc.centre.y; }

// The least between two parallels. Along a meridian it is a piece of a sine wave, whose trough lies beyond the poles where `aside` is not
// negative.
double least_along(const Disc& disc, const Cell& cell, double aside) {
    if (aside >= 0) return least(at(disc, cell.low, aside), at(disc, cell.high, aside));
    return most(cell.low.x, cell.high.x) * aside + least(cell.low.y * disc.centre.y, cell.high.y * disc.centre.y);
}

double least_in(const Disc& disc, const Cell& cell) { return least_along(disc, cell, least_aside(disc, cell.from, cell.to)); }

// From a core's own axes to those whose y is `axis`, and back.
Vec3d axis_first(const Vec3d& v, int axis) { return axis == 1 ? v : axis == 0 ? Vec3d{v.z, v.x, v.y} : Vec3d{v.y, v.z, v.x}; }
Vec3d own(const Vec3d& v, int axis) { return axis == 1 ? v : axis == 0 ? Vec3d{v.y, v.z, v.x} : Vec3d{v.z, v.x, v.y}; }

// Which of a core's own axes it is a body of revolution about, or nearly, and how far it reaches; -1 where it has no such axis. A capsule's
// segment has one, too, and a box that is a needle.
struct Axis {
    int index = 1;
    double reach = -1;
    bool revolves = false;
};
Axis axis_of(const Core& core) {
    const Vec3d& r = core.half;
    const double reach = max_abs(r) - core.erosion;
    if (core.kind == ShapeKind::cylinder || core.kind == ShapeKind::cone || core.kind == ShapeKind::capsule) return {1, reach, true};
    if (core.kind == ShapeKind::box) {
        constexpr double kNeedle = 1e-2;
        const int longest = r.y >= r.x && r.y >= r.z ? 1 : r.x >= r.z ? 0 : 2;
        const Vec3d seen = axis_first(r, longest);
        return most(seen.x, seen.z) <= kNeedle * seen.y ? Axis{longest, reach} : Axis{};
    }
    if (core.kind != ShapeKind::ellipsoid) return {};
    const double apart[3] = {std::fabs(r.y - r.z), std::fabs(r.z - r.x), std::fabs(r.x - r.y)};
    const int nearest = apart[1] <= apart[0] && apart[1] <= apart[2] ? 1 : apart[0] <= apart[2] ? 0 : 2;
    return {nearest, reach, apart[nearest] == 0};
}

// The pair as seen from one core: about its centre, in axes whose y is its own axis.
class Seen {
public:
    Seen(const CorePair& pair, bool from_b)
        : turned_(from_b), round_(turned_ ? pair.b : pair.a), other_(turned_ ? pair.a : pair.b) {
        to_round_ = turned_ ? transposed(pair.b_to_a) : pair.b_to_a;
        offset_ = turned_ ? -transposed_times(pair.b_to_a, pair.offset) : pair.offset;
        back_ = pair.b_to_a;
        axis_ = axis_of(round_);
        set_parallel(axis_of(other_));
    }

    // Of A - B in A's axes into these, and back.
    Vec3d into(const Vec3d& v) const { return axis_first(turned_ ? -transposed_times(back_, v) : v, axis_.index); }
    Vec3d out_of(const Vec3d& v) const {
        const Vec3d d = own(v, axis_.index);
        return turned_ ? -(back_ * d) : d;
    }

    // The part that reaches farthest along d, for the directions of a cell that d is in; and how far that is.
    struct Part {
        Disc disc;
        double depth;
    };
    Part support(const Vec3d& d, const Cell& cell) const {
        const Vec3d in_own = own(d, axis_.index);
        Vec3d centre = core_support(round_, in_own);
        const Vec3d seen = transposed_times(to_round_, -in_own);
        Vec3d p = core_support(other_, seen);
        const double depth = dot(in_own, centre - to_round_ * p - offset_);
        double radius = 0, lower = 0;
        if (axis_.revolves) radius = centred(centre, axis_.index);
        if (parallel_) {
            const double own_radius = centred(p, other_axis_);
            const double sine = sine_ * most_towards_tilt(cell);
            radius += own_radius * std::sqrt(1 - sine * sine);
            lower = own_radius * sine;
        }
        Vec3d middle = axis_first(centre - to_round_ * p - offset_, axis_.index);
        middle.y -= d.y < 0 ? -lower : lower;
        return {{middle, radius}, depth};
    }

    // The height along a meridian where the round core's farthest disc is another one.
    double edge() const {
        if (round_.kind != ShapeKind::cone) return 0;
        const double up = round_.half.x, out = 2 * round_.half.y;
        return up / std::sqrt(up * up + out * out);
    }

private:
    // Puts a point onto the axis, and returns how far off it was.
    static double centred(Vec3d& p, int axis) {
        Vec3d q = axis_first(p, axis);
        const double off = std::sqrt(q.x * q.x + q.z * q.z);
        q.x = q.z = 0;
        p = own(q, axis);
        return off;
    }

    // A disc of radius r across an axis that is off by the angle t reaches r cos(t) cos(h) - r sin(t) sin|h| far at least in all directions of
    // height h, as does one across this axis of radius r cos(t), lower by r sin(t). In those across the way it is tilted it is as if t were 0,
    // and between the two sin(t) counts by the cosine. Where t is large more is lost over a cell than by a point.
    void set_parallel(const Axis& other) {
        constexpr double kMostTilt = 0.05;
        if (!other.revolves) return;
        const Vec3d seen = axis_first(to_round_ * own({0, 1, 0}, other.index), axis_.index);
        sine_ = std::sqrt(seen.x * seen.x + seen.z * seen.z);
        parallel_ = sine_ <= kMostTilt;
        if (sine_ > 0) tilt_ = {seen.x / sine_, seen.z / sine_};
        other_axis_ = other.index;
    }

    // The greatest cosine between the tilt, either way, and a cell's meridians.
    double most_towards_tilt(const Cell& cell) const {
        const double before = cross(cell.from, tilt_), after = cross(tilt_, cell.to);
        if (before * after >= 0) return 1;
        return most(std::fabs(dot(cell.from, tilt_)), std::fabs(dot(cell.to, tilt_)));
    }

    bool turned_;
    const Core &round_, &other_;
    Mat3 to_round_, back_;
    Vec3d offset_;
    Axis axis_;
    bool parallel_ = false;
    int other_axis_ = 1;
    double sine_ = 0;
    Unit2 tilt_ = {1, 0};
};

Vec3d direction(const Unit2& parallel, const Unit2& meridian) { return {parallel.x * meridian.x, parallel.y, parallel.x * meridian.y}; }

// Eighths of a turn about the axis, each in bands from pole to pole that end at the equator and where the round core's disc changes.
int first_cells(double edge, Cell* cells) {
    constexpr double half = 0.70710678118654752;
    constexpr Unit2 turn[kSpokes] = {{1, 0}, {half, half}, {0, 1}, {-half, half}, {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
    const double slope = std::sqrt(1 - edge * edge);
    Unit2 parallels[kMaxBands + 1] = {{0, -1}, {half, -half}, {1, 0}, {half, half}, {0, 1}, {}, {}};
    int bands = 4;
    if (edge > 0 && edge < 1) {
        const int after = edge < half ? 3 : 4;
        for (int i = bands; i >= after; --i) parallels[i + 1] = parallels[i];
        parallels[after] = {slope, edge};
        ++bands;
    }
    int count = 0;
    for (int spoke = 0; spoke < kSpokes; ++spoke)
        for (int band = 0; band < bands; ++band)
            cells[count++] = {parallels[band], parallels[band + 1], turn[spoke], turn[(spoke + 1) % kSpokes], 0};
    return count;
}

// Across the way in which the disc loses more.
void halve(const Cell& cell, const Disc& disc, Cell* halves) {
    const Unit2 parallel = middle(cell.low, cell.high), meridian = middle(cell.from, cell.to);
    const double here = aside(disc, meridian);
    const double around = parallel.x * (here - least_aside(disc, cell.from, cell.to));
    const double along = at(disc, parallel, here) - least_along(disc, cell, here);
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

// One search: how far it came with so many cells.
double search_about(const Seen& seen, const CorePair& pair, const Vec3d& inside, double allowed, int most_cells, KnownDepth& best) {
    const Disc known = {seen.into(inside), 0};
    Cell open[kMaxOpen];
    int count = first_cells(seen.edge(), open);
    for (int looked_at = 0; count > 0; ++looked_at) {
        // The origin is in A - B, so that no depth is negative.
        if (best.depth <= allowed || looked_at == most_cells) return 0;
        const double wanted = best.depth - allowed;
        const Cell cell = open[--count];
        if (least_in(known, cell) >= wanted) continue;
        const Vec3d d = direction(middle(cell.low, cell.high), middle(cell.from, cell.to));
        const auto [disc, depth] = seen.support(d, cell);
        if (depth < best.depth) try_direction(pair, unit(seen.out_of(d)), best);
        if (least_in(disc, cell) >= wanted) continue;
        if (cell.halvings == kMaxHalvings) return 0;
        halve(cell, disc, open + count);
        count += 2;
    }
    return best.depth - allowed;
}

}  // namespace

double search_cells(const CorePair& pair, const Vec3d& inside, double allowed, KnownDepth& best) {
    // First about the axis of a core of revolution, of two that of the one that reaches farther. The depth may be the same in a ring about either.
    const Axis a = axis_of(pair.a), b = axis_of(pair.b);
    const bool b_first = a.revolves == b.revolves ? a.reach < b.reach : b.revolves;
    const bool has_second = (b_first ? a : b).reach >= 0;
    for (const int most_cells : {kFirstCells, kMoreCells}) {
        for (const bool second : {false, true}) {
            if (second && !has_second) continue;
            if (best.depth <= allowed) return 0;
            const double proved = search_about(Seen(pair, b_first != second), pair, inside, allowed, most_cells, best);
            if (proved > 0) return proved;
        }
    }
    return 0;
}

}  // namespace abut::exact
