// The rivals of this build in the plane. ABUT_BENCH_HAS_* come from bench/rivals/CMakeLists.txt.
#include "plane/row.hpp"

namespace abut::bench {

std::span<const PlaneRival> plane_rivals() {
    static const std::vector<PlaneRival> all = {
#ifdef ABUT_BENCH_HAS_BOX2D
        box2d_rival,
#endif
#ifdef ABUT_BENCH_HAS_CHIPMUNK
        chipmunk_rival,
#endif
    };
    return all;
}

std::span<const char* const> plane_rival_notes() {
    static const char* const kNotes[] = {
#ifdef ABUT_BENCH_HAS_BOX2D
        "box2d " ABUT_BENCH_BOX2D_VERSION
        ": the packaged library as it is (generic x86-64); no capsules but in "
        "b2Distance and b2ShapeCast; b2Distance gives no depths",
#else
        "box2d: not in this build",
#endif
#ifdef ABUT_BENCH_HAS_CHIPMUNK
        "chipmunk " ABUT_BENCH_CHIPMUNK_VERSION ": the packaged library as it is (generic x86-64, double)",
#else
        "chipmunk: not in this build",
#endif
    };
    return kNotes;
}

}  // namespace abut::bench
