// Judging answers, see judge.hpp.
#include "judge.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

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

// One pair's trial: collects what it finds wrong.
class Trial {
public:
    Trial(const scenes::Scene& scene, const Answers& answers, std::size_t pair, Report& report)
        : scene_(scene), answers_(answers), pair_(pair), report_(report), exact_(scene.reference[pair]), tolerance_(scene.tolerance(pair)) {}

    void run(float margin) {
        ++report_.pairs;
        report_.hits += exact_ <= 0;
        const Distances& d = answers_.distances;
        ++report_.statuses[std::size_t(d.status[pair_]) % report_.statuses.size()];
        if (d.status[pair_] != Status::ok) fail(std::string("distance: status ") + to_string(d.status[pair_]));
        check_claim("distance", {d.signed_distance[pair_], d.normal[pair_], d.point_a[pair_], d.point_b[pair_]});
        check_overlap();
        check_separation();
        check_manifold(margin);
        if (failed_) ++report_.wrong;
    }

private:
    void fail(const std::string& why) {
        failed_ = true;
        if (report_.failures.size() < kKeptFailures) report_.failures.push_back({pair_, why});
    }

    void check_claim(const char* query, const oracle::Claim& claim) {
        const oracle::Verdict verdict = scene_.check(pair_, claim);
        const std::string where = std::string(query) + ": " + verdict.what;
        if (!(verdict.worst <= report_.worst)) {
            report_.worst = verdict.worst;
            report_.worst_what = where + ", " + scene_.family[pair_] + " #" + std::to_string(pair_);
        }
        report_.worst_distance = std::max(report_.worst_distance, verdict.distance_error);
        report_.wrong_signs += verdict.wrong_sign;
        if (verdict.right()) return;
        char text[200];
        std::snprintf(text, sizeof text, "%s is off by %.3g of the tolerance %.3g (claimed %.9g, exact %.12g)", where.c_str(),
                      verdict.worst, verdict.tolerance, double(claim.signed_distance), verdict.exact.signed_distance);
        fail(text);
    }

    void check_overlap() {
        const Overlaps& o = answers_.overlaps;
        if (o.status[pair_] != Status::ok) fail(std::string("overlap: status ") + to_string(o.status[pair_]));
        if (std::fabs(exact_) > tolerance_ && o.hit(pair_) != (exact_ <= 0)) {
            ++report_.wrong_signs;
            fail("overlap: wrong bit");
        }
    }

    void check_separation() {
        const Distances& d = answers_.separations;
        if (d.status[pair_] != Status::ok) fail(std::string("separation: status ") + to_string(d.status[pair_]));
        const oracle::Claim claim{d.signed_distance[pair_], d.normal[pair_], d.point_a[pair_], d.point_b[pair_]};
        if (claim.signed_distance > 0) return check_claim("separation", claim);
        const bool zeros = claim.signed_distance == 0 && claim.normal == Vec3{} && claim.point_a == Vec3{} && claim.point_b == Vec3{};
        if (!zeros) fail("separation: overlapping, but not zeros");
        if (exact_ > tolerance_) fail("separation: apart, but zero");
    }

    void check_manifold(float margin) {
        const Manifolds& m = answers_.manifolds;
        if (m.status[pair_] != Status::ok) fail(std::string("collide: status ") + to_string(m.status[pair_]));
        const std::uint32_t first = m.first_manifold[pair_], last = m.first_manifold[pair_ + 1];
        if (first == last) {
            if (exact_ < margin - tolerance_) fail("collide: no manifold within the margin");
            return;
        }
        if (exact_ > margin + tolerance_) fail("collide: a manifold beyond the margin");
        const Manifold& manifold = m.manifolds[first];
        if (last != first + 1 || manifold.pair != pair_ || manifold.contact_count == 0) return fail("collide: not one manifold of this pair");
        const Contact& deepest = m.contacts[manifold.first_contact];
        for (std::uint32_t i = 1; i < manifold.contact_count; ++i)
            if (m.contacts[manifold.first_contact + i].separation < deepest.separation) fail("collide: the first contact is not the deepest");
        // The two surface points that the contact is halfway between.
        const Vec3 n = manifold.normal, p = deepest.position;
        const float half = deepest.separation / 2;
        check_claim("collide", {deepest.separation, n, {p.x - n.x * half, p.y - n.y * half, p.z - n.z * half},
                                {p.x + n.x * half, p.y + n.y * half, p.z + n.z * half}});
    }

    const scenes::Scene& scene_;
    const Answers& answers_;
    std::size_t pair_;
    Report& report_;
    double exact_, tolerance_;
    bool failed_ = false;
};

}  // namespace

void Report::add(const Report& other) {
    pairs += other.pairs, hits += other.hits, wrong_signs += other.wrong_signs, exact_path += other.exact_path, wrong += other.wrong;
    if (!(other.worst <= worst)) worst = other.worst, worst_what = other.worst_what;
    worst_distance = std::max(worst_distance, other.worst_distance);
    for (std::size_t i = 0; i < statuses.size(); ++i) statuses[i] += other.statuses[i];
    for (const Failure& failure : other.failures)
        if (failures.size() < kKeptFailures) failures.push_back(failure);
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
    return same(x.overlaps.bits, y.overlaps.bits) && same(x.overlaps.hits, y.overlaps.hits) && same(x.overlaps.status, y.overlaps.status) &&
           same(x.distances, y.distances) && same(x.separations, y.separations) &&
           same(x.manifolds.first_manifold, y.manifolds.first_manifold) && same(x.manifolds.manifolds, y.manifolds.manifolds) &&
           same(x.manifolds.contacts, y.manifolds.contacts) && same(x.manifolds.status, y.manifolds.status);
}

Report judge(const scenes::Scene& scene, const Answers& answers, float margin) {
    Report all;
    std::mutex mutex;
    scenes::on_all_cores(scene.pairs.size(), [&](std::size_t first, std::size_t last) {
        Report part;
        for (std::size_t i = first; i < last; ++i) Trial(scene, answers, i, part).run(margin);
        const std::lock_guard lock(mutex);
        all.add(part);
    });
    all.exact_path = answers.exact_path;
    return all;
}

}  // namespace abut::judge
