// See exact_cells.hpp.
#include "depth/exact_cells.hpp"

namespace abut::exact {
namespace {

// Of hard pairs that come here most take some fifty, one in a thousand over 10,000.
constexpr int kMaxCells = 200'000;
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

// The pair as seen from the core of revolution that reaches farther: about its centre, in axes whose y is its own.
class Seen {
public:
    Seen(const CorePair& pair, double allowed)
        : turned_(axis_of(pair.a).reach < axis_of(pair.b).reach), round_(turned_ ? pair.b : pair.a), other_(turned_ ? pair.a : pair.b) {
        to_round_ = turned_ ? transposed(pair.b_to_a) : pair.b_to_a;
        offset_ = turned_ ? -transposed_times(pair.b_to_a, pair.offset) : pair.offset;
        back_ = pair.b_to_a;
        axis_ = axis_of(round_);
        set_parallel(axis_of(other_), allowed);
    }

    // Of A - B in A's axes into these, and back.
    Vec3d into(const Vec3d& v) const { return axis_first(turned_ ? -transposed_times(back_, v) : v, axis_.index); }
    Vec3d out_of(const Vec3d& v) const {
        const Vec3d d = own(v, axis_.index);
        return turned_ ? -(back_ * d) : d;
    }

    // The part that reaches farthest along d.
    Disc support(const Vec3d& d) const {
        const Vec3d in_own = own(d, axis_.index);
        Vec3d centre = core_support(round_, in_own);
        double radius = 0;
        if (axis_.revolves) radius = centred(centre, axis_.index);
        const Vec3d seen = transposed_times(to_round_, -in_own);
        Vec3d p = core_support(other_, seen);
        if (parallel_) radius += centred(p, other_axis_);
        return {axis_first(centre - to_round_ * p - offset_, axis_.index), radius};
    }

    // What support() may promise too much.
    double slack() const { return slack_; }

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

    // Where axes differ by little a disc of the other core stands for one across this core's axis, but for that angle of its reach.
    void set_parallel(const Axis& other, double allowed) {
        const Vec3d seen = axis_first(to_round_ * own({0, 1, 0}, other.index), axis_.index);
        slack_ = std::sqrt(seen.x * seen.x + seen.z * seen.z) * other.reach;
        parallel_ = axis_.revolves && other.revolves && slack_ <= 0.25 * allowed;
        if (!parallel_) slack_ = 0;
        other_axis_ = other.index;
    }

    bool turned_;
    const Core &round_, &other_;
    Mat3 to_round_, back_;
    Vec3d offset_;
    Axis axis_;
    bool parallel_ = false;
    int other_axis_ = 1;
    double slack_ = 0;
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

}  // namespace

double search_cells(const CorePair& pair, const Vec3d& inside, double allowed, KnownDepth& best) {
    const Seen seen(pair, allowed);
    const Disc known = {seen.into(inside), 0};
    Cell open[kMaxOpen];
    int count = first_cells(seen.edge(), open);
    for (int looked_at = 0; count > 0; ++looked_at) {
        // The origin is in A - B, so that no depth is negative.
        if (best.depth <= allowed || looked_at == kMaxCells) return 0;
        const double wanted = best.depth - allowed + seen.slack();
        const Cell cell = open[--count];
        if (least_in(known, cell) >= wanted) continue;
        const Vec3d d = direction(middle(cell.low, cell.high), middle(cell.from, cell.to));
        const Disc disc = seen.support(d);
        const double depth = dot(d, disc.centre) + disc.radius * std::sqrt(d.x * d.x + d.z * d.z);
        if (depth < best.depth) try_direction(pair, unit(seen.out_of(d)), best);
        if (least_in(disc, cell) >= wanted) continue;
        if (cell.halvings == kMaxHalvings) return 0;
        halve(cell, disc, open + count);
        count += 2;
    }
    return best.depth - allowed;
}

}  // namespace abut::exact
