// Rays against the oracle: none lost, none invented, each stops at the surface.
#include "support/catch.hpp"

#include <abut/narrow_phase.hpp>

#include "queries/rays/rays.hpp"

using namespace abut;

namespace {

#ifdef NDEBUG
constexpr std::size_t kRays = 2000;
#else
constexpr std::size_t kRays = 200;
#endif

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};

RayHits answers_of(const rays::RayScene& scene) {
    NarrowPhase narrow;
    RayHits hits;
    REQUIRE(narrow.raycast(scene.frame(), scene.rays(), hits));
    return hits;
}

}  // namespace

TEST_CASE("rays: every kind of shape is met where the oracle says so", "[rays][right]") {
    for (const ShapeKind kind : kKinds) {
        for (const bool hard : {false, true}) {
            const rays::RayScene scene = rays::make_rays(kind, hard ? kRays / 4 : kRays, 3, hard);
            const rays::Tally tally = rays::judge(scene, answers_of(scene));
            INFO(to_string(kind) << (hard ? ", hard" : ""));
            for (const std::string& example : tally.examples) UNSCOPED_INFO(example);
            CHECK(tally.wrong == 0);
            if (hard) continue;
            CHECK(double(tally.hits) > 0.2 * double(tally.rays));
            CHECK(double(tally.hits) < 0.95 * double(tally.rays));
            CHECK(tally.starts < tally.hits);
        }
    }
}

TEST_CASE("rays: a worse answer is found out", "[rays]") {
    const rays::RayScene scene = rays::make_rays(ShapeKind::hull, 300, 9, false);
    const RayHits hits = answers_of(scene);
    std::size_t tried = 0, late = 0, early = 0, lost = 0, bent = 0;
    for (std::size_t i = 0; i < hits.fraction.size(); ++i) {
        if (!hits.hit(i) || hits.inside[i] != 0 || hits.fraction[i] > 0.9) continue;
        ++tried;
        RayHits worse = hits;
        worse.fraction[i] = hits.fraction[i] + 1e-3;
        late += rays::judge_ray(scene, worse, i).fault != rays::Fault::none;
        worse.fraction[i] = hits.fraction[i] - 1e-3;
        early += rays::judge_ray(scene, worse, i).fault != rays::Fault::none;
        worse = hits;
        worse.bits[i / 32] &= ~(1u << (i % 32));
        lost += rays::judge_ray(scene, worse, i).fault == rays::Fault::lost;
        worse = hits;
        worse.normal[i] = {-hits.normal[i].x, -hits.normal[i].y, -hits.normal[i].z};
        bent += rays::judge_ray(scene, worse, i).fault == rays::Fault::normal;
    }
    CHECK(tried > 50);
    CHECK(late > tried * 9 / 10);
    CHECK(early > tried * 9 / 10);
    CHECK(lost > tried * 9 / 10);
    CHECK(bent > tried * 9 / 10);
}
