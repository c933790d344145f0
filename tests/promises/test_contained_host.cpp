// Promise 5, "Contained": the host's instruction sets, threads and floating-point environment.
#include "support/catch.hpp"

#include <cstdlib>
#include <string>
#include <thread>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "support/contained_scene.hpp"

using namespace abut;
using test::TwoBoxes;

namespace {

const scenes::Scene& scene() { return test::contained_scene(); }

}  // namespace

TEST_CASE("contained: an instruction set that is not there", "[contained]") {
    const TwoBoxes boxes;
    for (const Isa isa : kAllIsas) {
        NarrowPhase narrow({.isa = isa});
        Distances d;
        const CallResult result = narrow.distance(boxes.frame(), d);
        CHECK(bool(result) == is_supported(isa));
        if (result)
            CHECK(narrow.isa() == isa);
        else
            CHECK(result.error().message.contains(to_string(isa)));
    }
    CHECK(is_supported(NarrowPhase().isa()));
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("contained: ABUT_ISA names the instruction set where it is asked for, or is an error", "[contained]") {
    const TwoBoxes boxes;
    const char* before = std::getenv("ABUT_ISA");
    const std::string kept = before ? before : "";
    const Isa first = best_isa();
    Distances d;
    for (const Isa isa : test::usable_isas()) {
        setenv("ABUT_ISA", to_string(isa), 1);
        const Isa unread = best_isa();
        CHECK(NarrowPhase().isa() == unread);
        CHECK(read_environment());
        NarrowPhase narrow;
        CHECK(narrow.isa() == isa);
        CHECK(narrow.distance(boxes.frame(), d));
        CHECK(best_isa() == isa);
        // A setting goes first.
        CHECK(NarrowPhase({.isa = test::usable_isas().front()}).isa() == test::usable_isas().front());
    }
    const Isa last = best_isa();
    for (const char* bad : {"mmx", "neon", "sse2 "}) {
        const Expected<Isa> named = parse_isa(bad);
        if (named && is_supported(*named)) continue;
        setenv("ABUT_ISA", bad, 1);
        const CallResult result = read_environment();
        CHECK_FALSE(result);
        CHECK(result.error().message.contains("ABUT_ISA"));
        CHECK(best_isa() == last);
        CHECK(NarrowPhase().distance(boxes.frame(), d));
    }
    unsetenv("ABUT_ISA");
    CHECK(best_isa() == last);
    CHECK(read_environment());
    CHECK(lanes(best_isa()) >= lanes(last));
    if (before) setenv("ABUT_ISA", kept.c_str(), 1);
    CHECK(read_environment());
    CHECK(best_isa() == first);
}
#endif

TEST_CASE("contained: two narrow phases on one store at once", "[contained]") {
    const judge::Answers expected = judge::ask(scene().frame(), {});
    judge::Answers answers[2];
    std::thread threads[2];
    for (int i = 0; i < 2; ++i)
        threads[i] = std::thread([&, i] { answers[i] = judge::ask(scene().frame(), {.executor = serial_executor()}); });
    for (std::thread& thread : threads) thread.join();
    CHECK(judge::same_bits(answers[0], expected));
    CHECK(judge::same_bits(answers[1], expected));
}

#if defined(__SSE2__)
TEST_CASE("contained: the host's floating-point environment changes no bit and comes back", "[contained]") {
    // FTZ and DAZ; each rounding mode; all exceptions unmasked; flags already raised.
    constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040, kMasks = 0x1f80, kFlags = 0x003f;
    const Frame frame = scene().frame();
    const judge::Answers expected = judge::ask(frame, {});
    for (const unsigned hostile : {kMasks | kFlushToZero | kDenormalsAreZero, kMasks | 0x2000u, kMasks | 0x4000u,
                                   kMasks | 0x6000u, 0u, kFlushToZero | 0x6000u, kMasks | kFlags}) {
        for (const Executor executor : {serial_executor(), Executor{}}) {
            NarrowPhase narrow({.executor = executor});
            Distances d;
            Overlaps o;
            Manifolds m;
            REQUIRE(narrow.distance(frame, d));  // grows everything: only the queries themselves run below
            REQUIRE(narrow.overlap(frame, o));
            REQUIRE(narrow.collide(frame, m));
            const unsigned before = _mm_getcsr();
            _mm_setcsr(hostile);
            const bool distance = bool(narrow.distance(frame, d));
            const unsigned after_distance = _mm_getcsr();
            const bool overlap = bool(narrow.overlap(frame, o));
            const unsigned after_overlap = _mm_getcsr();
            const bool collide = bool(narrow.collide(frame, m));
            const unsigned after_collide = _mm_getcsr();
            _mm_setcsr(before);
            INFO("MXCSR " << hostile);
            CHECK((distance && overlap && collide));
            CHECK(after_distance == hostile);
            CHECK(after_overlap == hostile);
            CHECK(after_collide == hostile);
            CHECK(judge::same_bits({o, d, expected.separations, m, 0}, expected));
        }
    }
}
#endif
