// One pair of convex shapes before the judge: every answer of every query, held against the promises.
//
// What is known of the signed distance is an interval with a proof. An answer that is apart proves itself: its normal
// is a separating direction, its points lie on the shapes, and the two bounds meet within promise 1's bound
// (oracle::Verdict). The rest, and whatever is found wrong, goes to the oracle, whose bounds meet within 1% of promise
// 1's bound; where they do not, the answer is held against the nearer of them and counted as undecided. An answer with
// a higher lower bound than the oracle's proves the oracle wrong, and counts as such.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <abut/results.hpp>

#include "support/oracle/oracle.hpp"

namespace abut::hunt {

struct Mistake {
    std::string what;       // the promise, e.g. "distance: signed distance"
    double bounds = 0;      // off by so many bounds; infinite for what is exact
    std::string details;    // what was expected and what came
    bool is_short = false;  // a contact patch that falls short, and breaks no promise
};

// What a family's pairs came to.
struct Quality {
    double distance = 0, normal = 0, contacts = 0;  // the worst errors, in bounds
    double patch = 1;                               // the least share of a patch
    std::size_t proven = 0;                         // apart, by the answer's own certificate
    std::size_t solved = 0;                         // by the oracle
    std::size_t cross_checked = 0;                  // of the overlapping polytopes, by the inscribed polytope too
    std::size_t undecided = 0;                      // the oracle's bounds do not meet, or double is too coarse
    void add(const Quality& other);
};

struct Placed {
    const oracle::Solid& solid;
    oracle::Pose pose;
};

class Trial {
public:
    // `origin`: what points are relative to.
    Trial(const Placed& a, const Placed& b, const oracle::Vec3d& origin, float margin, Quality& quality)
        : a_(a), b_(b), origin_(origin), margin_(margin), quality_(quality) {}

    void check_distance(Status status, const oracle::Claim& claim, bool cross_check);
    // After check_distance.
    void check_separation(Status status, const oracle::Claim& claim, const oracle::Claim& distance);
    void check_overlap(Status status, bool hit);
    // Null: there is none.
    void check_manifold(Status status, const Manifold* manifold, std::span<const Contact> contacts);

    std::vector<Mistake> mistakes;

    // What the oracle knows of the signed distance, asked once: an interval.
    struct Known {
        double lower, upper;
        double nearest_to(double value) const { return std::min(std::max(value, lower), upper); }
    };
    Known exact(const Vec3& hint);
    // After that: whether the bound is finer than double resolves, as that of two points side by side, a millionth of
    // their distance.
    bool is_blurred() const;
    double bound(double signed_distance) const { return oracle::tolerance(a_.solid, b_.solid, signed_distance); }
    oracle::Verdict verdict(const oracle::Claim& claim, double known) const {
        return oracle::check_answer(a_.solid, a_.pose, b_.solid, b_.pose, claim, known, origin_);
    }

private:
    void fail(const std::string& what, double bounds, const std::string& details) {
        mistakes.push_back({what, bounds, details});
    }
    bool is_ok(const char* query, Status status);
    bool is_sliver(const oracle::Solid& solid) const;
    void solve(const Vec3& hint);
    void judge_claim_at_all(const oracle::Claim& claim, bool cross_check);
    void cross_check_depth();
    // The value of the interval nearest to this one.
    double nearest_to(double value) const { return std::min(std::max(value, lower_), upper_); }
    void judge_claim(const char* query, const oracle::Claim& claim);
    bool is_round() const;
    // Of a wide patch the share of its area counts, of a narrow one the contacts' length over that of its level part.
    void judge_patch(const char* which, double length, double width, double share, double level, double reported);

    Placed a_, b_;
    oracle::Vec3d origin_;
    float margin_;
    Quality& quality_;
    bool solved_ = false, blurred_ = false;
    double lower_ = -std::numeric_limits<double>::infinity(), upper_ = std::numeric_limits<double>::infinity();
    oracle::Vec3d normal_;
};

}  // namespace abut::hunt
