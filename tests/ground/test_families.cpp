// Every family of abut_ground is within its limits: a short run of each.
#include "catch.hpp"

#include "ground/families.hpp"

using namespace abut::ground;

namespace {

#ifdef NDEBUG
constexpr std::size_t kPoses = 400;
#else
constexpr std::size_t kPoses = 20;
#endif

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
            CHECK(double(tally.counts[i]) <= family->faults[i].limit * double(tally.judged));
        }
    }
    CHECK(judged > families.size() * poses * 3 / 4);
}

}  // namespace

TEST_CASE("ground: noisy planes hold a body", "[ground][!mayfail]") { check_within_limits("noisy"); }
TEST_CASE("ground: ramps of few decimals hold a body", "[ground][!mayfail]") { check_within_limits("decimals"); }
TEST_CASE("ground: smooth hills hold a body", "[ground][!mayfail]") { check_within_limits("hills"); }
TEST_CASE("ground: height fields hold a body", "[ground][!mayfail]") { check_within_limits("fields"); }
TEST_CASE("ground: contacts that bear load are there at every margin", "[ground][!mayfail]") { check_within_limits("load"); }
TEST_CASE("ground: flat triangles are the half-space at every depth", "[ground][!mayfail]") { check_within_limits("deep"); }
TEST_CASE("ground: contacts are on body and ground and part the two", "[ground][!mayfail]") { check_within_limits("served", kPoses / 4); }
