// A short run of every family of abut_ground. A fault is within its limit, which is the goal, or within what it is
// today: four contacts cannot hold what six bear, and bodies deep in stairs and soups have no best way out.
#include "support/catch.hpp"

#include <algorithm>
#include <string_view>

#include "surfaces/contacts/families.hpp"

using namespace abut::ground;

namespace {

#ifdef NDEBUG
constexpr std::size_t kPoses = 400;
#else
constexpr std::size_t kPoses = 20;
#endif

// Shares of poses, measured with 2,000 of each.
struct Today {
    std::string_view family, fault;  // the start of either
    double share;
};
constexpr Today kToday[] = {
    {"noisy/1e-03", "outside the near", 0.041},
    {"noisy/1e-03", "not held", 0.005},
    {"decimals/3", "outside the near", 0.022},
    {"decimals/3", "not held", 0.005},
    {"decimals/3", "outside all", 0.005},
    {"hills/30", "outside the near", 0.03},
    {"hills/30", "not held", 0.01},
    {"fields/noisy-1e-03", "outside the near", 0.038},
    {"fields/decimals-3", "outside the near", 0.025},
    {"fields/decimals-3", "", 0.007},
    {"fields/hills-30", "outside the near", 0.04},
    {"fields/hills-30", "not held", 0.015},
    {"fields/hills-300", "outside the near", 0.006},
    {"load/waves", "lost at some", 0.03},
    {"load/waves", "", 0.2},
    {"load/fields", "lost at some", 0.033},
    {"load/fields", "", 0.077},
    {"load/pebbles", "lost at some", 0.021},
    {"load/pebbles", "", 0.14},
    {"load/ridges", "lost at some", 0.002},
    {"load/ridges", "", 0.06},
    {"load/pits", "", 0.001},
    {"deep/", "", 0.0002},
    {"served/soup", "triangle", 0.07},
    {"served/soup", "off the ground", 0.015},
    {"served/steps", "triangle", 0.035},
    {"served/", "triangle", 0.018},
};

double share_of(std::string_view family, std::string_view fault, double limit) {
    for (const Today& today : kToday)
        if (family.starts_with(today.family) && fault.starts_with(today.fault)) return std::max(limit, today.share);
    return limit;
}

void check_within_limits(const char* group, std::size_t poses = kPoses) {
    const std::vector<const Family*> families = find_families(group);
    REQUIRE(!families.empty());
    std::size_t judged = 0;
    for (const Family* family : families) {
        const Tally tally = run(*family, {.poses = poses, .seed = 2, .show = 1});
        judged += tally.judged;
        const std::string worst = tally.worst.empty() ? "" : tally.worst[0].details;
        for (std::size_t i = 0; i < tally.counts.size(); ++i) {
            CAPTURE(family->name, family->faults[i].name, tally.judged, worst);
            // Twice as many as expected, and a few, are chance.
            const double share = share_of(family->name, family->faults[i].name, family->faults[i].limit);
            CHECK(double(tally.counts[i]) <= 2 * share * double(tally.judged) + (share > 0 ? 3 : 0));
        }
    }
    CHECK(judged > families.size() * poses * 3 / 4);
}

}  // namespace

TEST_CASE("ground: noisy planes hold a body", "[ground]") { check_within_limits("noisy"); }
TEST_CASE("ground: ramps of few decimals hold a body", "[ground]") { check_within_limits("decimals"); }
TEST_CASE("ground: smooth hills hold a body", "[ground]") { check_within_limits("hills"); }
TEST_CASE("ground: height fields hold a body", "[ground]") { check_within_limits("fields"); }
TEST_CASE("ground: contacts that bear load are there at every margin", "[ground]") { check_within_limits("load"); }
TEST_CASE("ground: flat triangles are the half-space at every depth", "[ground]") { check_within_limits("deep"); }
TEST_CASE("ground: contacts are on body and ground and part the two", "[ground]") {
    check_within_limits("served", kPoses / 4);
}

// Poses beside a T-junction that the body is not over: an open edge that no triangle in touch continues.
TEST_CASE("ground: flat ground goes on across T-junctions", "[ground]") {
    struct Known {
        const char* family;
        std::size_t index;
    };
    constexpr Known kKnown[] = {{"deep/rod", 3719},   {"deep/rod", 8982},        {"deep/rod", 9019},
                                {"deep/plank", 2211}, {"deep/plank", 7042},      {"deep/cone", 5201},
                                {"deep/cone", 7381},  {"deep/tetrahedron", 4290}};
    for (const Known& known : kKnown) {
        const std::vector<const Family*> families = find_families(known.family);
        REQUIRE(families.size() == 1);
        const Finding found = examine_one(*families[0], {.seed = 1}, known.index);
        CAPTURE(known.family, known.index, found.details);
        CHECK(found.is_judged);
        CHECK(found.faults == 0);
    }
}
