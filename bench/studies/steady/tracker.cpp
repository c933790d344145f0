// See tracker.hpp.
#include "studies/steady/tracker.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace abut::steady {
namespace {

using oracle::Vec3d;

struct Point2 {
    double x = 0, y = 0;
    friend bool operator<(const Point2& p, const Point2& q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }
};

double turn(const Point2& o, const Point2& p, const Point2& q) {
    return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
}

// Of the convex hull, by a monotone chain [Andrew 1979]. Sorts `points`.
double area_of(std::vector<Point2>& points, std::vector<Point2>& chain) {
    std::ranges::sort(points, std::less<>{});
    double twice = 0;
    const auto add_chain = [&](auto begin, auto end) {
        chain.clear();
        for (auto p = begin; p != end; ++p) {
            while (chain.size() >= 2 && turn(chain[chain.size() - 2], chain.back(), *p) <= 0) chain.pop_back();
            chain.push_back(*p);
        }
        for (std::size_t i = 1; i < chain.size(); ++i)
            twice += chain[i - 1].x * chain[i].y - chain[i].x * chain[i - 1].y;
    };
    add_chain(points.begin(), points.end());
    add_chain(points.rbegin(), points.rend());
    return std::fabs(twice) / 2;
}

// Of `from`, each contact takes the nearest free one of `to` within reach, as a persistent manifold's cache does.
std::size_t matched_by_distance(const std::vector<Sighting>& from, const std::vector<Sighting>& to, double reach) {
    std::uint64_t taken = 0;
    for (const Sighting& contact : from) {
        double nearest = reach;
        std::uint64_t bit = 0;
        for (std::size_t k = 0; k < to.size() && k < 64; ++k) {
            const double far = length(to[k].point - contact.point);
            if (far <= nearest && !(taken >> k & 1)) nearest = far, bit = std::uint64_t(1) << k;
        }
        taken |= bit;
    }
    return std::size_t(std::popcount(taken));
}

}  // namespace

Tracker::Tracker(const Vec3d& up, double size, double reach) : size_(size), reach_(reach) {
    side_ = normalised(cross(up, std::fabs(up.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    other_side_ = cross(up, side_);
}

void Tracker::see(const std::vector<Sighting>& now) {
    counts_seen_ |= std::uint64_t(1) << std::min<std::size_t>(now.size(), 63);
    most_contacts_ = std::max(most_contacts_, unsigned(now.size()));
    measure_patch(now);
    if (frames_++ > 0) compare(now);
    before_ = now;
}

void Tracker::compare(const std::vector<Sighting>& now) {
    std::uint64_t taken = 0;
    for (const Sighting& contact : now) {
        for (std::size_t k = 0; k < before_.size() && k < 64; ++k) {
            if (before_[k].id != contact.id || (taken >> k & 1)) continue;
            taken |= std::uint64_t(1) << k;
            const double moved = length(contact.point - before_[k].point) / size_;
            motion_ += moved;
            worst_motion_ = std::max(worst_motion_, moved);
            ++matched_;
            break;
        }
    }
    const double larger = double(std::max(now.size(), before_.size()));
    const double kept = larger > 0 ? double(std::popcount(taken)) / larger : 0;
    kept_ += kept;
    if (kept < worst_kept_) worst_kept_ = kept, worst_frame_ = frames_ - 1;
    by_distance_ += larger > 0 ? double(matched_by_distance(now, before_, reach_)) / larger : 0;
}

void Tracker::measure_patch(const std::vector<Sighting>& now) {
    thread_local std::vector<Point2> points, chain;
    points.clear();
    double square = 0;
    for (const Sighting& contact : now) points.push_back({dot(contact.point, side_), dot(contact.point, other_side_)});
    for (const Point2& p : points)
        for (const Point2& q : points) square = std::max(square, (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y));
    const double area = area_of(points, chain);
    least_area_ = std::min(least_area_, area), largest_area_ = std::max(largest_area_, area);
    least_length_ = std::min(least_length_, std::sqrt(square)),
    largest_length_ = std::max(largest_length_, std::sqrt(square));
}

Figures Tracker::figures() const {
    Figures f;
    f.counts = unsigned(std::popcount(counts_seen_));
    f.most_contacts = most_contacts_;
    // A patch narrower than a hundredth of its length is a line, one shorter than a hundredth of the size a point.
    constexpr double kThin = 1e-2;
    if (largest_length_ > kThin * size_)
        f.patch = largest_area_ > kThin * largest_length_ * largest_length_ ? least_area_ / largest_area_
                                                                            : least_length_ / largest_length_;
    if (frames_ < 2) return f;
    f.kept = kept_ / (frames_ - 1);
    f.worst_kept = worst_kept_;
    f.worst_frame = worst_frame_;
    f.by_distance = by_distance_ / (frames_ - 1);
    f.motion = matched_ > 0 ? motion_ / double(matched_) : 0;
    f.worst_motion = worst_motion_;
    return f;
}

}  // namespace abut::steady
