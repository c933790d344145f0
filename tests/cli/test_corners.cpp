// One question of each class of answers that once were wrong (corners.jsonl), as a user asks it.
#include "support/catch.hpp"

#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

struct Right {
    double signed_distance, tolerance;
    std::size_t contacts;
    double reach;  // of the contacts, square to the normal +Y: how far they are from the middle in x or z, at most
};

const std::map<std::string, Right> kRight = {
    {"off-centre hull", {-0.001, 1e-6, 4, 0.5}},
    {"corners on sides", {0.0078125, 1e-6, 3, 0.5}},
    {"split face", {-1e-6, 1e-6, 4, 0.5}},
    {"scale after cooking", {0.01, 1e-6, 1, 0.1}},
    // Offset, scale and height as float32, multiplied exactly.
    {"scaled half-space", {double(1100.61f) - 0.5 - double(1000.1f) * double(1.1f), 1e-6, 4, 0.5}},
    {"compound far along a plane",
     {(double(0.6f) * (8000 + double(0.3f)) + double(0.8f) * (double(0.2f) - 6000)) / std::hypot(0.6f, 0.8f) - 0.5,
      5e-6, 1, 8001}},
    {"two points", {1e-7, 1e-13, 1, 1e-6}},
    {"apex of a flat cone", {0, 1e-6, 1, 1e-6}},
    {"ellipsoid around a segment", {-1, 1e-5, 1, 1}},
};

}  // namespace

TEST_CASE("query: what once was wrong is right") {
    const Outcome outcome = run_abut("query '" ABUT_CORNERS "'");
    REQUIRE(outcome.code == 0);
    std::size_t asked = 0;
    for (const std::string& line : lines_of(outcome.out)) {
        const json answer = json::parse(line);
        INFO(line);
        const Right& right = kRight.at(answer["id"]);
        ++asked;
        CHECK(answer["status"] == "ok");
        CHECK(std::fabs(answer["signed_distance"].get<double>() - right.signed_distance) <= right.tolerance);
        CHECK(answer["contacts"].size() == right.contacts);
        double reach = 0;
        for (const json& contact : answer["contacts"])
            for (const std::size_t axis : {0, 2})
                reach = std::fmax(reach, std::fabs(contact["position"][axis].get<double>()));
        CHECK(reach <= right.reach + 1e-5);
        if (right.contacts >= 3) CHECK(reach >= right.reach - 1e-5);
    }
    CHECK(asked == kRight.size());
}
