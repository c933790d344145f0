// ABUT_CPU_SUPPORTS("avx2"): whether the CPU has these instructions and the operating system saves their registers.
// CPUID's feature bits do not tell the latter.
#pragma once

#include "base/compiler_support.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define ABUT_CPU_SUPPORTS(feature) __builtin_cpu_supports(feature)
#elif defined(_MSC_VER) && defined(_M_X64)
#include <immintrin.h>
#include <intrin.h>
#include <string_view>

namespace abut {

inline bool cpu_supports(std::string_view feature) {
    struct Known {
        std::string_view name;
        int bit;                  // of CPUID leaf 7, EBX
        unsigned long long kept;  // XCR0: the registers that the operating system must save
    };
    constexpr Known kKnown[] = {{"avx2", 5, 0x06},      {"avx512f", 16, 0xe6},  {"avx512dq", 17, 0xe6},
                                {"avx512cd", 28, 0xe6}, {"avx512bw", 30, 0xe6}, {"avx512vl", 31, 0xe6}};
    int leaf1[4], leaf7[4];
    __cpuid(leaf1, 1);
    __cpuidex(leaf7, 7, 0);
    const bool has_xgetbv = (leaf1[2] >> 27 & 1) != 0;
    for (const Known& known : kKnown)
        if (known.name == feature)
            return has_xgetbv && (leaf7[1] >> known.bit & 1) != 0 && (_xgetbv(0) & known.kept) == known.kept;
    return false;
}

}  // namespace abut

#define ABUT_CPU_SUPPORTS(feature) ::abut::cpu_supports(feature)
#else
#define ABUT_CPU_SUPPORTS(feature) false
#endif
