// Judging answers, see judge.hpp.
#include "judge.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>

#include "scenes/placing.hpp"

namespace abut::judge {
namespace {

constexpr std::size_t kKeptFailures = 5;

void require(const CallResult& result) {
    if (result) return;
    std::fprintf(stderr, "refused: %s\n", result.error().message.c_str());
    std::exit(1);
}

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

bool same(const Distances& x, const Distances& y) {
    return same(x.signed_distance, y.signed_distance) && same(x.normal, y.normal) && same(x.point_a, y.point_a) &&
           same(x.point_b, y.point_b) && same(x.status, y.status);
}

void add_some(std::vector<Failure>& all, const std::vector<Failure>& more) {
    for (const Failure& failure : more)
        if (all.size() < kKeptFailures) all.push_back(failure);
}

// try_pair(pair, report), all pairs, all cores.
template <class TryPair>
Report judge_all(std::size_t pairs, TryPair try_pair) {
    Report all;
    std::mutex mutex;
    scenes::on_all_cores(pairs, [&](std::size_t first, std::size_t last) {
        Report part;
        for (std::size_t i = first; i < last; ++i) try_pair(i, part);
        const std::lock_guard lock(mutex);
        all.add(part);
    });
    return all;
}

// One pair's trial: collects what it finds wrong.
class Trial {
public:
    // Pair `pair` of the scene is the answers' pair `at`.
    Trial(const scenes::Scene& scene, std::size_t pair, std::size_t at, float margin, Report& report)
        : scene_(scene),
          pair_(pair),
          at_(at),
          margin_(scene.margins.empty() ? margin : scene.margins[pair]),
          report_(report),
          exact_(scene.reference[pair]),
          tolerance_(scene.tolerance(pair)) {
        ++report_.pairs;
        report_.hits += exact_ <= 0;
    }
    ~Trial() { report_.wrong += failed_; }

    void check(const Answers& answers) {
        const Distances& d = answers.distances;
        ++report_.statuses[std::size_t(d.status[at_]) % report_.statuses.size()];
        check_status("distance", d.status[at_]);
        check_claim("distance", claim_of(d));
        check_overlap(answers.overlaps);
        check_separation(answers.separations);
        check(answers.manifolds);
    }

    void check(const Manifolds& m) {
        check_status("collide", m.status[at_]);
        const std::uint32_t first = m.first_manifold[at_], last = m.first_manifold[at_ + 1];
        if (first == last) {
            if (exact_ < margin_ - tolerance_) fail("collide: no manifold within the margin");
            return;
        }
        if (exact_ > margin_ + tolerance_) fail("collide: a manifold beyond the margin");
        const Manifold& manifold = m.manifolds[first];
        if (last != first + 1 || manifold.pair != at_) return fail("collide: not one manifold of this pair");
        check_contacts(manifold.normal, std::span(m.contacts).subspan(manifold.first_contact, manifold.contact_count));
    }

private:
    void fail(const std::string& why) {
        failed_ = true;
        keep(report_.failures, why);
    }

    void keep(std::vector<Failure>& failures, const std::string& why) const {
        if (failures.size() < kKeptFailures) failures.push_back({pair_, why});
    }

    void check_status(const char* query, Status status) {
        if (status != Status::ok) fail(std::string(query) + ": status " + to_string(status));
    }

    oracle::Claim claim_of(const Distances& d) const {
        return {d.signed_distance[at_], d.normal[at_], d.point_a[at_], d.point_b[at_]};
    }

    void check_claim(const char* query, const oracle::Claim& claim) {
        const oracle::Verdict verdict = scene_.check(pair_, claim);
        note_worst(query, verdict);
        report_.worst_distance = std::max(report_.worst_distance, verdict.distance_error);
        report_.wrong_signs += verdict.wrong_sign;
        if (verdict.right()) return;
        char text[200];
        std::snprintf(text, sizeof text, "%s: %s is off by %.3g of the tolerance %.3g (claimed %.9g, exact %.12g)",
                      query, verdict.what, verdict.worst, verdict.tolerance, double(claim.signed_distance),
                      verdict.exact);
        fail(text);
    }

    template <class Verdict>
    void note_worst(const char* query, const Verdict& verdict) {
        if (verdict.worst <= report_.worst) return;
        report_.worst = verdict.worst;
        report_.worst_what =
            std::string(query) + ": " + verdict.what + ", " + scene_.family[pair_] + " #" + std::to_string(pair_);
    }

    void check_contacts(const Vec3& normal, std::span<const Contact> contacts) {
        const oracle::ManifoldVerdict verdict = scene_.check_manifold(pair_, margin_, normal, contacts);
        ++report_.manifolds;
        report_.contacts += contacts.size();
        note_worst("collide", verdict);
        char text[200];
        std::snprintf(text, sizeof text, "collide: %s is off by %.3g of the tolerance %.3g (exact distance %.12g)",
                      verdict.what, verdict.worst, verdict.tolerance, exact_);
        if (!verdict.right()) fail(text);
        if (!verdict.has_patch) return;
        ++report_.patches;
        report_.least_share = std::min(report_.least_share, verdict.share);
        if (verdict.share >= oracle::kLeastShare) return;
        std::snprintf(text, sizeof text, "collide: %zu contacts span %.4g of the patch", contacts.size(),
                      verdict.share);
        ++report_.short_patches;
        keep(report_.shortest, text);
    }

    void check_overlap(const Overlaps& o) {
        check_status("overlap", o.status[at_]);
        if (std::fabs(exact_) > tolerance_ && o.hit(at_) != (exact_ <= 0)) {
            ++report_.wrong_signs;
            fail("overlap: wrong bit");
        }
    }

    void check_separation(const Distances& d) {
        check_status("separation", d.status[at_]);
        const oracle::Claim claim = claim_of(d);
        if (claim.signed_distance > 0) return check_claim("separation", claim);
        const bool zeros =
            claim.signed_distance == 0 && claim.normal == Vec3{} && claim.point_a == Vec3{} && claim.point_b == Vec3{};
        if (!zeros) fail("separation: overlapping, but not zeros");
        if (exact_ > tolerance_) fail("separation: apart, but zero");
    }

    const scenes::Scene& scene_;
    std::size_t pair_, at_;
    float margin_;
    Report& report_;
    double exact_, tolerance_;
    bool failed_ = false;
};

}  // namespace

void Report::add(const Report& other) {
    pairs += other.pairs, hits += other.hits, wrong_signs += other.wrong_signs, exact_path += other.exact_path,
        wrong += other.wrong;
    if (!(other.worst <= worst)) worst = other.worst, worst_what = other.worst_what;
    worst_distance = std::max(worst_distance, other.worst_distance);
    for (std::size_t i = 0; i < statuses.size(); ++i) statuses[i] += other.statuses[i];
    add_some(failures, other.failures);
    manifolds += other.manifolds, contacts += other.contacts, patches += other.patches,
        short_patches += other.short_patches;
    least_share = std::min(least_share, other.least_share);
    add_some(shortest, other.shortest);
}

Answers ask(const Frame& frame, const Settings& settings) {
    NarrowPhase narrow(settings);
    Answers answers;
    require(narrow.distance(frame, answers.distances));
    answers.exact_path = narrow.counters().exact;
    require(narrow.distance(frame, answers.separations, {.separation_only = true}));
    require(narrow.overlap(frame, answers.overlaps));
    require(narrow.collide(frame, answers.manifolds));
    return answers;
}

bool same_bits(const Answers& x, const Answers& y) {
    return same(x.overlaps.bits, y.overlaps.bits) && same(x.overlaps.hits, y.overlaps.hits) &&
           same(x.overlaps.status, y.overlaps.status) && same(x.distances, y.distances) &&
           same(x.separations, y.separations) && same(x.manifolds.first_manifold, y.manifolds.first_manifold) &&
           same(x.manifolds.manifolds, y.manifolds.manifolds) && same(x.manifolds.contacts, y.manifolds.contacts) &&
           same(x.manifolds.status, y.manifolds.status);
}

Report judge(const scenes::Scene& scene, const Answers& answers, float margin, std::size_t first) {
    Report all = judge_all(answers.distances.status.size(), [&](std::size_t at, Report& part) {
        Trial(scene, first + at, at, margin, part).check(answers);
    });
    all.exact_path = answers.exact_path;
    return all;
}

Report judge_manifolds(const scenes::Scene& scene, const Manifolds& manifolds, float margin) {
    return judge_all(scene.pairs.size(),
                     [&](std::size_t pair, Report& part) { Trial(scene, pair, pair, margin, part).check(manifolds); });
}

std::string summary(const scenes::Scene& scene, const Report& r) {
    std::ostringstream text;
    text << scene.name << ": " << r.wrong << " of " << r.pairs << " pairs wrong, the worst " << r.worst
         << " of the tolerance (" << r.worst_what << "); " << r.contacts << " contacts in " << r.manifolds
         << " manifolds, " << r.short_patches << " of " << r.patches << " patches fall short, the worst spans "
         << r.least_share;
    for (const auto* failures : {&r.failures, &r.shortest})
        for (const Failure& failure : *failures)
            text << "\n" << scene.family[failure.pair] << ": " << failure.why << "\n" << scene.query_line(failure.pair);
    return text.str();
}

}  // namespace abut::judge
