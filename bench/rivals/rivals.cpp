// The rivals of this build. ABUT_BENCH_HAS_* come from bench/rivals/CMakeLists.txt.
#include "rivals/rival.hpp"

namespace abut::bench {

std::span<const Rival> rivals() {
    static const std::vector<Rival> all = [] {
        std::vector<Rival> list;
        [[maybe_unused]] const auto add = [&](std::span<const Rival> more) {
            list.insert(list.end(), more.begin(), more.end());
        };
#ifdef ABUT_BENCH_HAS_BULLET
        add(bullet_rivals());
        add(bullet_header_rivals());
#endif
#ifdef ABUT_BENCH_HAS_FCL
        add(fcl_rivals());
#endif
#ifdef ABUT_BENCH_HAS_LIBCCD
        add(libccd_rivals());
#endif
        return list;
    }();
    return all;
}

std::span<const Rival> ground_rivals() {
    static const std::vector<Rival> all = [] {
        std::vector<Rival> list;
        [[maybe_unused]] const auto add = [&](std::span<const Rival> more) {
            list.insert(list.end(), more.begin(), more.end());
        };
#ifdef ABUT_BENCH_HAS_BULLET
        add(bullet_ground_rivals());
#endif
#ifdef ABUT_BENCH_HAS_FCL
        add(fcl_ground_rivals());
#endif
        return list;
    }();
    return all;
}

std::span<const char* const> rival_notes() {
    static const char* const kNotes[] = {
#ifdef ABUT_BENCH_HAS_BULLET
        "bullet " ABUT_BENCH_BULLET_VERSION
        ": the packaged single-precision library as it is (generic x86-64), margins 0; "
        "gjk-epa3 and mpr are its header-only templates, " ABUT_BENCH_RIVAL_FLAGS,
#else
        "bullet: not in this build",
#endif
#ifdef ABUT_BENCH_HAS_FCL
        "fcl " ABUT_BENCH_FCL_VERSION
        ": double is the packaged library as it is (generic x86-64); float is compiled here, " ABUT_BENCH_RIVAL_FLAGS
        "; one contact at most",
#else
        "fcl: not in this build",
#endif
#ifdef ABUT_BENCH_HAS_LIBCCD
        "libccd " ABUT_BENCH_LIBCCD_VERSION
        ": the packaged double-precision library as it is (generic x86-64), support functions " ABUT_BENCH_RIVAL_FLAGS
        "; no gap between shapes apart, one contact at most",
#else
        "libccd: not in this build",
#endif
    };
    return kNotes;
}

}  // namespace abut::bench
