// Pairs that abut_hunt found wrong once, each beside others of its root: all answers on every instruction set, in both orders, by the oracle.
#include "catch.hpp"

#include <vector>

#include "pair_answer.hpp"

using namespace abut;

namespace {

struct Found {
    oracle::Solid a;
    Vec3 position_a;
    Quat orientation_a;
    oracle::Solid b;
    Vec3 position_b;
    Quat orientation_b;
    float margin;
};

scenes::Scene scene_of(const std::vector<Found>& found) {
    scenes::Scene scene;
    scene.name = "found";
    for (const Found& f : found) {
        const std::uint32_t a = scene.add_body(scene.add_solid(f.a.shape), oracle::Vec3d(f.position_a), f.orientation_a);
        const std::uint32_t b = scene.add_body(scene.add_solid(f.b.shape), oracle::Vec3d(f.position_b), f.orientation_b);
        scene.add_pair(a, b, "found"), scene.add_pair(b, a, "found, in the other order");
        scene.margins.insert(scene.margins.end(), {f.margin, f.margin});
    }
    scene.compute_reference();
    return scene;
}

void check(const std::vector<Found>& found) {
    const scenes::Scene scene = scene_of(found);
    for (const Isa isa : test::usable_isas()) {
        const judge::Report report = judge::judge(scene, judge::ask(scene.frame(), {.isa = isa}), 0);
        INFO(to_string(isa) << ", " << judge::summary(scene, report));
        CHECK(report.wrong == 0);
    }
}

}  // namespace

TEST_CASE("found: points on half-spaces whose origin is far away are as good as floats can be", "[found]") {
    check({{oracle::halfspace({0.0f, 0.5f, -0.5f}, 4.10806274f),
            {6.72195383e-05f, 2.55560972e-05f, 7.83327196e-05f},
            {0.0f, 0.0f, 0.0f, 1.0f},
            oracle::sphere(3.54457261e-05f),
            {6.72195383e-05f, 4.10811377f, -4.10800982f},
            {-0.13812013f, -0.483020961f, 0.840583086f, -0.202567637f},
            7.08914513e-07f},
           {oracle::halfspace({1.0f, 1.0f, 1.0f}, 386.294098f, 0.0545399636f),
            {-0.00405431818f, 0.00010801437f, -0.00405551633f},
            {0.0f, 0.0f, 0.0f, 1.0f},
            oracle::sphere(0.0f, 0.00191184541f),
            {128.793243f, 128.797394f, 128.793243f},
            {-0.460361898f, 0.190010235f, 0.227275744f, 0.836844504f},
            3.82369071e-05f},
           {oracle::halfspace({1.0f, 1.0f, 1.0f}, 25743.8965f, 0.139832929f),
            {-63.4673042f, 699.210754f, 787.745483f},
            {0.0f, 1.0f, 0.0f, 0.0f},
            oracle::capsule(5.60638237f, 4.94571114f),
            {-8650.19043f, 9284.82617f, -7798.71191f},
            {0.0f, 1.0f, 0.0f, 0.0f},
            0.211041868f},
           {oracle::halfspace({1.0f, 1.0f, 1.0f}, 992.01001f),
            {0.0449951254f, 0.00994811393f, -0.00746007916f},
            {0.0f, 0.0f, 0.707106769f, 0.707106769f},
            oracle::ellipsoid({0.015560559f, 0.015560559f, 0.015560559f}),
            {-330.632477f, 330.687408f, 330.670013f},
            {0.382683337f, -4.8595524e-07f, -3.54923735e-08f, 0.923879564f},
            0.000311211188f}});
}

// Clipped beside a quadrilateral a triangle had its first corner once more for a fourth, and slid it along other sides.
TEST_CASE("found: a face of three corners has the same contacts beside one of four", "[found]") {
    const Found pair = {
        oracle::hull({{742.423523f, 183.478806f, -245.648346f},
                      {740.982117f, 182.441696f, -246.273865f},
                      {741.927124f, 184.280762f, -245.834f},
                      {740.485657f, 183.243637f, -246.459518f},
                      {742.645325f, 183.908829f, -246.872437f},
                      {741.203857f, 182.871719f, -247.497955f}}),
        {0.0f, 0.0f, 0.0f},
        {0.679004788f, 0.545151412f, -0.0643225908f, -0.487467974f},
        oracle::hull(
            {{-0.392544657f, 2.5331893f, -0.516526401f},  {-0.539653838f, 2.62407637f, -0.189328f},    {-0.622467339f, 2.55767775f, 0.0988573134f},
             {-0.650940299f, 2.42607212f, 0.294162184f},  {-0.625973225f, 2.11798453f, 0.497512102f},  {-0.534155846f, 1.79099905f, 0.532357097f},
             {-0.428734899f, 1.55530703f, 0.448754907f},  {-0.303284049f, 1.3696599f, 0.265387625f},   {-0.156174868f, 1.27877283f, -0.0618107617f},
             {-0.0733613744f, 1.34517145f, -0.34999606f}, {-0.0448883884f, 1.4767772f, -0.545300961f}, {-0.0698554814f, 1.78486466f, -0.748650849f},
             {-0.161672875f, 2.11185026f, -0.783495843f}, {-0.267093807f, 2.34754229f, -0.699893653f}, {0.31567505f, 2.59382129f, -0.156843841f},
             {0.209408671f, 2.65947461f, 0.0795124546f},  {0.149587199f, 2.61151075f, 0.287687123f},   {0.12901935f, 2.51644349f, 0.428768307f},
             {0.147054672f, 2.29389238f, 0.575660944f},   {0.213380232f, 2.05768967f, 0.600831687f},   {0.289532512f, 1.88743436f, 0.5404405f},
             {0.380153656f, 1.75332952f, 0.407982588f},   {0.486420035f, 1.68767607f, 0.171626315f},   {0.546241522f, 1.73564005f, -0.03654835f},
             {0.566809356f, 1.83070719f, -0.177629545f},  {0.548774064f, 2.05325842f, -0.324522167f},  {0.482448488f, 2.28946114f, -0.349692941f},
             {0.406296194f, 2.45971632f, -0.289301723f}},
            0.0254915766f),
        {569.210999f, 461.703857f, 322.979187f},
        {0.679004788f, 0.545151412f, -0.0643225908f, -0.487467974f},
        0.0143531067f};
    const Found company = {oracle::hull({{-0.684215069f, -1.58970726f, -0.463142157f},
                                         {-0.684215069f, -1.58970726f, 0.463142157f},
                                         {-0.684215069f, -0.138183042f, -0.463142157f},
                                         {-0.684215069f, -0.138183042f, 0.463142157f},
                                         {0.684215069f, -1.58970726f, -0.463142157f},
                                         {0.684215069f, -1.58970726f, 0.463142157f},
                                         {0.684215069f, -0.138183042f, -0.463142157f},
                                         {0.684215069f, -0.138183042f, 0.463142157f}}),
                           {},
                           {0.0f, 1.0f, 0.0f, 0.0f},
                           pair.b,
                           {1.33518708f, -3.15437484f, -0.965480447f},
                           {},
                           0.01f};
    const scenes::Scene alone = scene_of({pair}), together = scene_of({pair, company});
    for (const Isa isa : test::usable_isas()) {
        INFO(to_string(isa));
        CHECK(test::words_of(judge::ask(together.frame(), {.isa = isa}), 0) == test::words_of(judge::ask(alone.frame(), {.isa = isa}), 0));
    }
}
