#include "harness/check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace abut::bench {
namespace {

// The larger error; not a number is the largest of all.
double worse(double a, double b) { return std::isnan(a) || std::isnan(b) ? HUGE_VAL : std::max(a, b); }

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

// The error of one pair's answer over what promise 1 allows.
struct Judge {
    const Row& row;
    const Answers& answers;
    float margin;

    double sign(std::size_t i) const {
        if (answers.hit[i] == kNoAnswer) return HUGE_VAL;
        const bool undecided = std::abs(row.exact[i]) <= row.tolerance(i);
        return undecided || (answers.hit[i] != 0) == (row.exact[i] <= 0) ? 0.0 : HUGE_VAL;
    }

    // |n| = 1 and point_b - point_a = signed_distance * n.
    double witness(std::size_t i) const {
        const Vec3 n = answers.normal[i], a = answers.point_a[i], b = answers.point_b[i];
        const double d = answers.signed_distance[i];
        const double unit = std::abs(length(n.x, n.y, n.z) - 1) / 1e-5;
        const double closed =
            length(double(b.x) - a.x - d * n.x, double(b.y) - a.y - d * n.y, double(b.z) - a.z - d * n.z);
        return worse(unit, closed / row.tolerance(i));
    }

    double distance(std::size_t i) const {
        return worse(std::abs(answers.signed_distance[i] - row.exact[i]) / row.tolerance(i), witness(i));
    }

    // Zero where the shapes overlap; where they only touch, to the tolerance, either answer will do.
    double separation(std::size_t i) const {
        const double d = answers.signed_distance[i];
        if (d == 0) return std::max(row.exact[i], 0.0) / row.tolerance(i);
        return d > 0 ? distance(i) : HUGE_VAL;
    }

    double collide(std::size_t i) const {
        const double deepest = answers.signed_distance[i], allowed = row.tolerance(i);
        if (answers.contacts[i] == 0) return row.exact[i] > margin - allowed ? 0.0 : HUGE_VAL;
        return std::abs(deepest - row.exact[i]) / (allowed + row.slack(i));
    }

    double error(Query query, std::size_t i) const {
        switch (query) {
            case Query::overlap: return sign(i);
            case Query::separation: return worse(sign(i), separation(i));
            case Query::distance: return worse(sign(i), distance(i));
            default:
                return answers.hit[i] == kNoAnswer ? HUGE_VAL
                                                   : collide(i);  // within the contact slack the sign is open
        }
    }
};

double percentile_99(std::vector<double>& errors) {
    if (errors.empty()) return 0;
    const std::size_t at = (errors.size() - 1) * 99 / 100;
    std::nth_element(errors.begin(), errors.begin() + std::ptrdiff_t(at), errors.end());
    return errors[at];
}

}  // namespace

RivalCheck check_rival(const Row& row, Query query, const Answers& answers) {
    RivalCheck check;
    std::size_t right = 0;
    std::vector<double> errors;
    const bool hit_is_given = query == Query::overlap || wants_contacts(query);
    for (std::size_t i = 0; i < row.exact.size(); ++i) {
        const double exact = row.exact[i], given = answers.signed_distance[i];
        const bool hit = hit_is_given ? answers.hit[i] == 1 : given <= 0;
        const bool answered = hit_is_given ? answers.hit[i] != kNoAnswer : std::isfinite(given);
        right += answered && hit == (exact <= 0);
        if (query == Query::overlap || (wants_contacts(query) && !hit)) continue;
        const double a = row.shapes->view(row.bodies[row.pairs[i].a].shape).size;
        const double b = row.shapes->view(row.bodies[row.pairs[i].b].shape).size;
        const double wanted = query == Query::separation ? std::max(exact, 0.0) : exact;
        const double error = std::abs(given - wanted) / std::min(a, b);
        errors.push_back(std::isfinite(error) ? error : 1e9);
    }
    check.hit_share = row.exact.empty() ? 0.0 : double(right) / double(row.exact.size());
    check.error_p99 = percentile_99(errors);
    return check;
}

AbutCheck check_abut(const Row& row, Query query, const Answers& answers, float margin) {
    const Judge judge{row, answers, margin};
    AbutCheck check;
    for (std::size_t i = 0; i < row.exact.size(); ++i) {
        const double error = judge.error(query, i);
        check.worst = worse(check.worst, error);
        if (error <= 1) continue;
        if (check.wrong++ == 0) {
            check.first_wrong = "pair " + std::to_string(i) + ": exact signed distance " +
                                std::to_string(row.exact[i]) + ", answered " +
                                std::to_string(answers.signed_distance[i]) +
                                (answers.hit[i] == kNoAnswer ? " (no answer)"
                                 : answers.hit[i]            ? " (hit)"
                                                             : " (no hit)");
        }
    }
    return check;
}

}  // namespace abut::bench
