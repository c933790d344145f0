// Promise 7, "Steady": the stacks that people build stand and come to rest, cold and warm.
#include <string_view>

#include "measure.hpp"
#include "support/catch.hpp"

namespace {

using namespace abut;
using namespace abut::solver;

constexpr double kSeconds = 20;     // the sway of ten soft contacts takes half of it to die away
constexpr double kMostDrift = 0.1;  // of the scene's size, from where a body was put to where it ends
constexpr double kIdsKept = 0.99;

void check_rests(const Stack& stack, bool warm, Match match) {
    INFO(stack.name << (warm ? ", warm" : ", cold") << (match == Match::id ? ", impulses by id alone" : ""));
    WorldSettings settings;
    settings.warm = warm;
    settings.match = match;
    const bool rolls = std::string_view(stack.name).starts_with("crate");  // capsules roll for longer than stacks sway
    const Measured m = measure(stack, settings, rolls ? 2 * kSeconds : kSeconds);
    CHECK(m.stands);
    CHECK(m.mean_energy < stack.rest_energy());
    CHECK(m.drift < kMostDrift * stack.size);
    CHECK(m.ids_kept >= kIdsKept);
}

void check_all(bool large, Match match, bool on_triangles = false) {
    std::size_t scenes = 0;
    for (const Stack& stack : stacks()) {
        if (stack.uneven || stack.large != large || stack.on_triangles != on_triangles) continue;
        ++scenes;
        for (const bool warm : {false, true}) check_rests(stack, warm, match);
    }
    CHECK(scenes >= (large ? 4 : 30));
}

}  // namespace

TEST_CASE("stacks stand and come to rest", "[steady][slow]") { check_all(false, Match::full); }

TEST_CASE("stacks come to rest with impulses matched by feature id alone", "[steady][slow]") {
    check_all(false, Match::id);
}

TEST_CASE("stacks on meshes and height fields stand as on a plane", "[steady][slow]") {
    check_all(false, Match::full, true);
}

TEST_CASE("grids of 500 bodies in stacks come to rest", "[steady][large][slow]") { check_all(true, Match::full); }
