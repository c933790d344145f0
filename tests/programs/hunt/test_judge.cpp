// The hunt's own instrument: right answers pass, each sort of wrong one is found, and batches are what their names say.
#include "support/catch.hpp"

#include <algorithm>
#include <functional>

#include "programs/hunt/batch.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

constexpr std::size_t kPairs = 300;

// Two crates, B on A or a little above it: what the answers are is plain.
struct Crates {
    oracle::Solid a = oracle::box({1, 0.5f, 1}), b = oracle::box({0.5f, 0.5f, 0.5f});
    oracle::Claim claim{0, {0, 1, 0}, {0, 0.5f, 0}, {0, 0.5f, 0}};
    std::vector<Contact> contacts;
    Manifold manifold{.normal = {0, 1, 0}, .contact_count = 4};
    double gap;
    float margin = 0.02f;
    bool hit;

    explicit Crates(double distance) : gap(distance), hit(distance <= 0) {
        const float d = float(distance);
        claim.signed_distance = d, claim.point_b.y += d;
        for (const float x : {-0.5f, 0.5f})
            for (const float z : {-0.5f, 0.5f})
                contacts.push_back({{x, 0.5f + d / 2, z}, d, std::uint32_t(contacts.size())});
    }

    std::vector<std::string> mistakes(Status status = Status::ok) const {
        hunt::Quality quality;
        const hunt::Placed placed_a{a, {}}, placed_b{b, {{0, 1 + gap, 0}, {}}};
        hunt::Trial trial(placed_a, placed_b, {}, margin, quality);
        trial.check_distance(status, claim, true);
        trial.check_separation(status, hit ? oracle::Claim{} : claim, claim);
        trial.check_overlap(status, hit);
        trial.check_manifold(status, contacts.empty() ? nullptr : &manifold, contacts);
        std::vector<std::string> found;
        for (const hunt::Mistake& mistake : trial.mistakes) found.push_back(mistake.what);
        return found;
    }
    bool finds(const std::string& what) const {
        const auto found = mistakes();
        return std::ranges::find(found, what) != found.end();
    }
};

Crates changed(double distance, const std::function<void(Crates&)>& change) {
    Crates crates(distance);
    change(crates);
    return crates;
}

}  // namespace

TEST_CASE("hunt: right answers pass", "[hunt]") {
    for (const double gap : {0.01, 1e-7, -1e-7, -0.01}) {
        INFO(gap);
        CHECK(Crates(gap).mistakes().empty());
    }
    CHECK(changed(0.05, [](Crates& c) { c.contacts.clear(); }).mistakes().empty());
}

TEST_CASE("hunt: every sort of wrong answer is found", "[hunt]") {
    for (const double gap : {0.01, -0.01}) {
        INFO(gap);
        CHECK(changed(gap, [](Crates& c) { c.claim.signed_distance += 1e-4f; }).finds("distance: signed distance"));
        CHECK(changed(gap, [](Crates& c) { c.claim.normal = {0.1f, 0.994987f, 0}; }).finds("distance: normal"));
        CHECK(changed(gap, [](Crates& c) {
                  c.claim.point_a.x = 1.1f, c.claim.point_b.x = 1.1f;
              }).finds("distance: point on B"));
        CHECK(changed(gap, [](Crates& c) { c.contacts.clear(); }).finds("collide: no manifold within the margin"));
        CHECK(changed(gap, [](Crates& c) { c.contacts.resize(2); }).finds("collide: patch"));
        CHECK(changed(gap, [](Crates& c) { c.contacts.resize(1); }).finds("collide: patch"));
        CHECK(changed(gap, [](Crates& c) { c.contacts[1].position.y += 1e-3f; }).finds("collide: contact on A"));
        CHECK(changed(gap, [](Crates& c) {
                  c.contacts[1].separation -= 1e-3f;
              }).finds("collide: the first is not the deepest"));
        CHECK(changed(gap, [](Crates& c) {
                  c.contacts[1].feature = c.contacts[0].feature;
              }).finds("collide: a feature id twice"));
    }
    CHECK(changed(0.01, [](Crates& c) { c.hit = true; }).finds("overlap: wrong bit"));
    CHECK(changed(0.01, [](Crates& c) { c.hit = true; }).finds("separation: zero where apart"));
    CHECK(changed(-0.01, [](Crates& c) { c.hit = false; }).finds("overlap: wrong bit"));
    CHECK(changed(0.05, [](Crates&) {}).finds("collide: a manifold beyond the margin"));
    CHECK(Crates(0.01).mistakes(Status::not_converged).size() == 4);
}

// A hair's breadth of what is there beneath a bump of less than the bound counts as touching, too.
TEST_CASE("hunt: a face split by less than the bound is one patch", "[hunt]") {
    Crates crates(-0.01);
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f});
    points.push_back({0.2f, -0.500001f, 0.15f});
    crates.b = oracle::hull(points);
    CHECK(crates.mistakes().empty());
    crates.contacts.erase(crates.contacts.begin());
    CHECK(crates.finds("collide: patch within the bound"));
}

TEST_CASE("hunt: a batch is named by its family, its seed and its size", "[hunt]") {
    for (const families::Family& family : families::all()) {
        if (family.compounds || family.ground != nullptr) continue;
        INFO(family.name);
        const scenes::Scene once = families::make(family, kPairs, 7), again = families::make(family, kPairs, 7),
                            other = families::make(family, kPairs, 8);
        REQUIRE(once.pairs.size() == kPairs);
        CHECK(once.query_line(kPairs - 1) == again.query_line(kPairs - 1));
        CHECK(once.query_line(kPairs - 1) != other.query_line(kPairs - 1));
    }
    CHECK(families::find("no such family") == nullptr);
}

// Else a family would look for nothing: of what it is about both sides of touching have to be there.
TEST_CASE("hunt: families have pairs that touch, on either side", "[hunt]") {
    std::size_t hits = 0, pairs = 0;
    for (const families::Family& family : families::all()) {
        if (family.compounds || family.ground != nullptr) continue;
        const scenes::Scene scene = families::make(family, kPairs, 3);
        NarrowPhase narrow;
        Overlaps overlaps;
        REQUIRE(narrow.overlap(scene.frame(), overlaps));
        hits += overlaps.hits.size(), pairs += kPairs;
    }
    CHECK(double(hits) > 0.3 * double(pairs));
    CHECK(double(hits) < 0.8 * double(pairs));
}
