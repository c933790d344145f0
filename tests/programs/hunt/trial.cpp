// The judge's questions, see trial.hpp.
#include "programs/hunt/trial.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "support/oracle/deep_patch.hpp"
#include "support/oracle/inner.hpp"
#include "support/oracle/manifold.hpp"
#include "support/oracle/placed.hpp"
#include "support/oracle/worsen.hpp"

namespace abut::hunt {
namespace {

using oracle::Claim;
using oracle::Vec3d;

// Shares of promise 1's bound: what the oracle's own bounds may differ by, and what counts as a contradiction of them.
constexpr double kUndecided = 0.02, kContradiction = 0.02;

// A patch has to have this extent, in shares of the smaller size, for its area or its length to be judged: what is
// narrower is a line or a point to the manifold (docs/numerics.md).
constexpr double kWide = 0.05, kLong = 0.2;
// ... and has to be longer than this many bounds: edges and faces below that are points to the manifold
// (docs/numerics.md, slivers), as the ends of what is shorter are off by a tenth of it.
constexpr double kShortest = 20;

// Sixteen corners stand for a rim (docs/numerics.md): of a disc that reaches a little over an edge, or a little into
// the margin, they leave out more than of a polygon.
constexpr double kLeastOfRound = 0.4;
constexpr double kLens =
    1e-3;  // width over length of what is narrow, but no line: a disc that hardly reaches over an edge

// Within this share of the bound of each shape's support plane, what touches is one patch. Faces are merged up to half
// of it.
constexpr double kTouches = 0.4;

constexpr double kNoise = 1e-15;  // of all lengths: of the judge's own numbers
constexpr double kSliver =
    40;  // a hull or a round shape thinner than this many bounds has no faces to the manifold (docs/numerics.md: 20 a face)

bool is_polytope(const oracle::Solid& solid) { return solid.form == oracle::Form::polytope; }

thread_local oracle::Placed t_a, t_b;

}  // namespace

void Quality::add(const Quality& other) {
    distance = std::max(distance, other.distance), normal = std::max(normal, other.normal),
    contacts = std::max(contacts, other.contacts);
    patch = std::min(patch, other.patch);
    proven += other.proven, solved += other.solved, cross_checked += other.cross_checked, undecided += other.undecided;
}

bool Trial::is_ok(const char* query, Status status) {
    if (status != Status::ok)
        fail(fmt::format("{}: status {}", query, to_string(status)), oracle::kInfinity, "expected ok");
    return status == Status::ok;
}

void Trial::solve(const Vec3& hint) {
    if (solved_) return;
    solved_ = true;
    const Vec3d towards(hint);
    const oracle::Exact exact = oracle::signed_distance(a_.solid, a_.pose, b_.solid, b_.pose, &towards);
    lower_ = std::min(exact.lower, exact.signed_distance), upper_ = std::max(exact.upper, exact.signed_distance);
    // Of polytopes that overlap the depth is a minimum over all planes; its upper bound says no more than that they do.
    if (is_polytope(a_.solid) && is_polytope(b_.solid) && exact.signed_distance == exact.lower) upper_ = lower_;
    normal_ = exact.normal;
    ++quality_.solved;
    quality_.undecided += upper_ - lower_ > kUndecided * bound(lower_);
}

Trial::Known Trial::exact(const Vec3& hint) {
    solve(hint);
    return {lower_, upper_};
}

// The depth of overlapping polytopes from below, by another algorithm than the oracle's planes.
void Trial::cross_check_depth() {
    t_a.move(a_.solid, a_.pose.rotation, {});
    t_b.move(b_.solid, b_.pose.rotation, b_.pose.position - a_.pose.position);
    const double wanted = kUndecided * bound(lower_), radii = a_.solid.radius + b_.solid.radius;
    const oracle::InnerDepth depth = oracle::depth_by_inner_polytope({t_a, t_b}, normal_, wanted / 2);
    if (depth.at_most - depth.at_least > wanted) return;  // too many points: it says nothing
    ++quality_.cross_checked;
    if (std::fabs(-depth.at_most - radii - lower_) <= 2 * wanted) return;
    fail("the oracle contradicts itself", oracle::kInfinity,
         fmt::format("planes {:.12g}, inscribed polytope {:.12g} to {:.12g}", lower_, -depth.at_most - radii,
                     -depth.at_least - radii));
}

void Trial::judge_claim(const char* query, const Claim& claim) {
    solve(claim.normal);
    oracle::Verdict v = verdict(claim, nearest_to(claim.signed_distance));
    if (v.lower > upper_ + kContradiction * v.tolerance) {
        ++quality_.undecided;
        upper_ = v.lower;
        v = verdict(claim, nearest_to(claim.signed_distance));
    }
    quality_.distance = std::max(quality_.distance, v.distance_error);
    quality_.normal = std::max(quality_.normal, std::fabs(v.lower - claim.signed_distance) / v.tolerance);
    if (v.right()) return;
    fail(fmt::format("{}: {}", query, v.what), v.worst,
         fmt::format("expected {:.9g}{}, came {:.9g} along ({:.6g}, {:.6g}, {:.6g}), whose gap is {:.9g}; bound {:.3g}",
                     v.exact, v.wrong_sign ? " (the sign is wrong)" : "", double(claim.signed_distance),
                     double(claim.normal.x), double(claim.normal.y), double(claim.normal.z), v.lower, v.tolerance));
}

bool Trial::is_blurred() const {
    const double reach = a_.solid.reach + b_.solid.reach + std::fabs(a_.solid.curved.offset) +
                         std::fabs(b_.solid.curved.offset) + length(b_.pose.position - a_.pose.position);
    return kNoise * reach > kUndecided * bound(lower_);
}

void Trial::check_distance(Status status, const Claim& claim, bool cross_check) {
    if (!is_ok("distance", status)) {
        solve(claim.normal);
        return;
    }
    const std::size_t before = mistakes.size();
    const Quality quality = quality_;
    judge_claim_at_all(claim, cross_check);
    blurred_ = is_blurred();
    if (!blurred_) return;
    quality_ = quality;
    ++quality_.undecided;
    mistakes.resize(before);
}

void Trial::judge_claim_at_all(const Claim& claim, bool cross_check) {
    const double came = claim.signed_distance;
    if (came > 0 && std::isfinite(came)) {
        const oracle::Verdict v = verdict(claim, came);
        const double error = std::max(came - v.lower, v.upper - came) / v.tolerance;
        // An error that may be the worst so far is found out.
        if (v.right() && error <= 1 && (error <= quality_.distance || error < 0.1)) {
            lower_ = std::min(v.lower, v.upper), upper_ = v.upper;
            ++quality_.proven;
            quality_.normal = std::max(quality_.normal, std::fabs(v.lower - came) / v.tolerance);
            return;
        }
    }
    judge_claim("distance", claim);
    if (cross_check && upper_ < 0 && is_polytope(a_.solid) && is_polytope(b_.solid)) cross_check_depth();
}

void Trial::check_separation(Status status, const Claim& claim, const Claim& distance) {
    if (!is_ok("separation", status) || blurred_) return;
    const bool the_same = claim.signed_distance == distance.signed_distance && claim.normal == distance.normal &&
                          claim.point_a == distance.point_a && claim.point_b == distance.point_b;
    if (claim.signed_distance > 0) {
        if (!the_same) judge_claim("separation", claim);
        return;
    }
    const bool zeros =
        claim.signed_distance == 0 && claim.normal == Vec3{} && claim.point_a == Vec3{} && claim.point_b == Vec3{};
    if (!zeros)
        fail("separation: overlapping, but not zeros", oracle::kInfinity,
             fmt::format("came {:.9g}", double(claim.signed_distance)));
    if (lower_ > bound(lower_))
        fail("separation: zero where apart", lower_ / bound(lower_), fmt::format("expected {:.9g}", lower_));
}

void Trial::check_overlap(Status status, bool hit) {
    if (!is_ok("overlap", status) || blurred_) return;
    const double off = hit ? lower_ : -upper_;  // by so much it is wrong
    if (off > bound(hit ? lower_ : upper_))
        fail("overlap: wrong bit", off / bound(off),
             fmt::format("came {}, signed distance {:.9g} to {:.9g}", hit, lower_, upper_));
}

// Of a flat shape the width of its face counts, of a solid its thickness; the rounding does not make a face of a line.
bool Trial::is_sliver(const oracle::Solid& solid) const {
    const oracle::Curved& round = solid.curved;
    double thinnest = oracle::kInfinity;
    if (solid.form == oracle::Form::cylinder || solid.form == oracle::Form::cone)
        thinnest = 2 * (round.half_height > 0 ? std::min(round.radius, round.half_height) : round.radius);
    if (solid.shape.kind == ShapeKind::box || solid.form == oracle::Form::halfspace) return false;
    if (solid.shape.kind == ShapeKind::capsule) return 2 * solid.radius < kSliver * bound(0);
    if (solid.form == oracle::Form::polytope) {
        if (solid.core.dimension < 2) return true;
        for (const Vec3d& n : solid.core.normals) {
            double low = oracle::kInfinity, high = -oracle::kInfinity;
            for (const Vec3d& v : solid.core.vertices) low = std::min(low, dot(n, v)), high = std::max(high, dot(n, v));
            if (solid.core.dimension == 3 || high - low > 1e-9 * solid.size) thinnest = std::min(thinnest, high - low);
        }
    }
    return thinnest < kSliver * bound(0);
}

bool Trial::is_round() const {
    const auto round = [](const oracle::Solid& s) {
        return s.form == oracle::Form::cylinder || s.form == oracle::Form::cone;
    };
    return round(a_.solid) || round(b_.solid);
}

void Trial::judge_patch(const char* which, double length, double width, double share, double level, double reported) {
    const double size = smaller_size(a_.solid, b_.solid);
    const bool wide = width >= kWide * size;
    if (length < kShortest * bound(0) || (!wide && level < kLong * size)) return;
    // What is narrow but no line is complete, too, where the area is spanned: the best four need not reach its tips.
    const double along = reported / level, spanned = wide                     ? share
                                                     : width > kLens * length ? std::max(share, along)
                                                                              : along;
    if (spanned < oracle::kLeastShare && (is_sliver(a_.solid) || is_sliver(b_.solid))) return;
    quality_.patch = std::min(quality_.patch, spanned);
    if (spanned >= oracle::kLeastShare) return;
    const bool is_short = is_round() && (spanned >= kLeastOfRound || (!wide && width > kLens * length));
    fail(fmt::format("collide: {}{}", which, is_short ? " of a disc, short" : ""),
         (1 - spanned) / (1 - oracle::kLeastShare),
         fmt::format("contacts span {:.3g} of a patch {:.3g} long and {:.3g} wide", spanned, length, width));
    mistakes.back().is_short = is_short;
}

void Trial::check_manifold(Status status, const Manifold* manifold, std::span<const Contact> contacts) {
    if (!is_ok("collide", status) || blurred_) return;
    const double allowed = bound(lower_), margin = margin_;
    if (manifold == nullptr) {
        if (upper_ < margin - allowed)
            fail("collide: no manifold within the margin", (margin - upper_) / allowed,
                 fmt::format("signed distance {:.9g}, margin {:.9g}", upper_, margin));
        return;
    }
    if (lower_ > margin + allowed)
        fail("collide: a manifold beyond the margin", (lower_ - margin) / allowed,
             fmt::format("signed distance {:.9g}, margin {:.9g}", lower_, margin));
    const auto judged = [&] {
        return oracle::check_manifold(a_.solid, a_.pose, b_.solid, b_.pose, margin_, manifold->normal, contacts,
                                      nearest_to(contacts[0].separation), oracle::kContactSlack, origin_);
    };
    if (contacts.empty())
        return fail("collide: a manifold without contacts", oracle::kInfinity, "expected one contact at least");
    oracle::ManifoldVerdict v = judged();
    if (!v.right() && !solved_) solve(manifold->normal), v = judged();
    quality_.contacts = std::max(quality_.contacts, v.worst);
    if (!v.right()) {
        std::string all;
        for (const Contact& c : contacts)
            all += fmt::format(" ({:.6g}, {:.6g}, {:.6g} | {:.6g})", double(c.position.x), double(c.position.y),
                               double(c.position.z), double(c.separation));
        fail(fmt::format("collide: {}", v.what), v.worst,
             fmt::format(
                 "signed distance {:.9g}, normal ({:.6g}, {:.6g}, {:.6g}), contacts{}; bound {:.3g}, margin {:.9g}",
                 lower_, double(manifold->normal.x), double(manifold->normal.y), double(manifold->normal.z), all,
                 v.tolerance, margin));
        return;
    }
    if (v.has_patch) judge_patch("patch", v.patch_length, v.patch_width, v.share, v.level_length, v.reported_length);
    // What is deep may be past the margin where the shapes hardly come within it.
    if (lower_ + 2 * kTouches * v.tolerance + v.tolerance > margin) return;
    const oracle::DeepPatch deep = oracle::deep_patch(a_.solid, a_.pose, b_.solid, b_.pose, manifold->normal, contacts,
                                                      kTouches * v.tolerance, origin_);
    if (mistakes.empty())
        judge_patch("patch within the bound", deep.length, deep.width, deep.share, deep.length, deep.reported_length);
}

}  // namespace abut::hunt
