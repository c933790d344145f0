// Promise 6, "Quiet": a call leaves the upper halves of AVX registers clear, behind which the SSE code of an engine
// would take twice its time.
#include <abut/broad_phase.hpp>

#include "support/catch.hpp"

#include "support/pair_answer.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;

namespace {

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
// How many of the sixteen registers have something in their upper half. The call that is tried comes right before: much
// of the C library clears them. NOLINTBEGIN
[[gnu::always_inline]] inline int upper_halves_in_use() {
    if (!__builtin_cpu_supports("avx")) return 0;
    alignas(16) unsigned halves[16][4];
#define ABUT_STORE_UPPER(n) "vextractf128 $1, %%ymm" #n ", 16*" #n "(%0)\n\t"
    asm volatile(ABUT_STORE_UPPER(0) ABUT_STORE_UPPER(1) ABUT_STORE_UPPER(2) ABUT_STORE_UPPER(3) ABUT_STORE_UPPER(4)
                     ABUT_STORE_UPPER(5) ABUT_STORE_UPPER(6) ABUT_STORE_UPPER(7) ABUT_STORE_UPPER(8) ABUT_STORE_UPPER(9)
                         ABUT_STORE_UPPER(10) ABUT_STORE_UPPER(11) ABUT_STORE_UPPER(12) ABUT_STORE_UPPER(13)
                             ABUT_STORE_UPPER(14) ABUT_STORE_UPPER(15)
                 :
                 : "r"(halves)
                 : "memory");
#undef ABUT_STORE_UPPER
    int used = 0;
    for (const auto& half : halves) used += (half[0] | half[1] | half[2] | half[3]) != 0;
    return used;
}
// NOLINTEND
#else
int upper_halves_in_use() { return 0; }  // other platforms have none, or no way to look
#endif

// The most registers in use behind any of the calls.
int used_behind_calls(NarrowPhase& narrow, Frame frame) {
    std::vector<WarmCache> caches(frame.pairs.size());
    Manifolds manifolds;
    Distances distances;
    Overlaps overlaps;
    int used = 0;
    const auto look = [&](const auto& call) {
        const bool ran = bool(call());
        used = std::max(used, upper_halves_in_use());
        CHECK(ran);
    };
    look([&] { return narrow.overlap(frame, overlaps); });
    look([&] { return narrow.distance(frame, distances); });
    look([&] { return narrow.collide(frame, manifolds); });
    frame.caches = caches;
    for (int step = 0; step < 4; ++step) look([&] { return narrow.collide(frame, manifolds); });
    Casts casts;
    const Bodies ends[] = {frame.bodies};
    look([&] { return narrow.cast(frame, {ends}, casts); });
    std::vector<Bounds> bounds(frame.bodies.size());
    look([&] { return world_bounds(*frame.shapes, frame.bodies, bounds); });
    return used;
}

int used_behind_broad_phase(Isa isa) {
    const scenes::Scene scene = scenes::make_row("box-box", 64, 1, scenes::Keep::no);
    std::vector<Bounds> bounds(scene.frame().bodies.size());
    REQUIRE(world_bounds(*scene.frame().shapes, scene.frame().bodies, bounds));
    BroadPhase broad({.executor = serial_executor(), .isa = isa});
    PairList pairs;
    const CallResult found = broad.find_pairs({.bounds = bounds}, pairs);
    const int used = upper_halves_in_use();
    CHECK(found);
    return used;
}

}  // namespace

TEST_CASE("quiet: a call leaves the upper halves of vector registers clear", "[quiet]") {
    for (const Isa isa : test::usable_isas()) {
        NarrowPhase narrow({.executor = serial_executor(), .isa = isa});
        for (const char* row : {"sphere-sphere", "capsule-box", "box-box", "hull8-hull8", "cylinder-cylinder",
                                "resting-boxes", "resting-prisms12"}) {
            INFO(to_string(isa) << ", " << row);
            CHECK(used_behind_calls(narrow, scenes::make_row(row, 64, 1, scenes::Keep::no).frame()) == 0);
        }
        CHECK(used_behind_calls(narrow, test::make_surface_scene(100, 9).frame()) == 0);
        CHECK(used_behind_broad_phase(isa) == 0);
    }
}
