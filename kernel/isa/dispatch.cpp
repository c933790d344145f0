// Which instruction set: what was compiled in, what the CPU and OS run, what the caller or ABUT_ISA asks for.
#include <cstdlib>
#include <cstring>
#include <string>

#include <abut/isa.hpp>

#include "isa/kernels.hpp"

// The exported functions of an ISA; CMake defines ABUT_HAS_... for those it compiled.
#define ABUT_DECLARE_KERNELS(name) \
    namespace abut::name { \
        void run_chunk(const Chunk& chunk, ChunkCounters& counters); \
        void run_bounds(const BoundsChunk& chunk); \
    }
#ifdef ABUT_HAS_SSE2
ABUT_DECLARE_KERNELS(sse2)
#endif
#ifdef ABUT_HAS_AVX2
ABUT_DECLARE_KERNELS(avx2)
#endif
#ifdef ABUT_HAS_AVX512
ABUT_DECLARE_KERNELS(avx512)
#endif
#ifdef ABUT_HAS_NEON
ABUT_DECLARE_KERNELS(neon)
#endif
#undef ABUT_DECLARE_KERNELS

namespace abut {

namespace {

// __builtin_cpu_supports also asks the OS whether it saves the wide registers, which CPUID's feature bits alone do not tell.
bool cpu_runs(Isa isa) {
    switch (isa) {
#if defined(__x86_64__)
        case Isa::sse2: return true;
        case Isa::avx2: return __builtin_cpu_supports("avx2");
        case Isa::avx512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
#elif defined(__aarch64__)
        case Isa::neon: return true;
#endif
        default: return false;
    }
}

constexpr Isa kWidestFirst[] = {Isa::avx512, Isa::avx2, Isa::sse2, Isa::neon};

}  // namespace

const Kernels* kernels_for(Isa isa) {
    switch (isa) {
#ifdef ABUT_HAS_SSE2
        case Isa::sse2: {
            static constexpr Kernels kernels = {4, sse2::run_chunk, sse2::run_bounds};
            return &kernels;
        }
#endif
#ifdef ABUT_HAS_AVX2
        case Isa::avx2: {
            static constexpr Kernels kernels = {8, avx2::run_chunk, avx2::run_bounds};
            return &kernels;
        }
#endif
#ifdef ABUT_HAS_AVX512
        case Isa::avx512: {
            static constexpr Kernels kernels = {16, avx512::run_chunk, avx512::run_bounds};
            return &kernels;
        }
#endif
#ifdef ABUT_HAS_NEON
        case Isa::neon: {
            static constexpr Kernels kernels = {4, neon::run_chunk, neon::run_bounds};
            return &kernels;
        }
#endif
        default: return nullptr;
    }
}

const char* to_string(Isa isa) {
    switch (isa) {
        case Isa::best: return "auto";
        case Isa::sse2: return "sse2";
        case Isa::avx2: return "avx2";
        case Isa::avx512: return "avx512";
        case Isa::neon: return "neon";
    }
    return "unknown";
}

Expected<Isa> parse_isa(std::string_view name) {
    for (const Isa isa : {Isa::best, Isa::sse2, Isa::avx2, Isa::avx512, Isa::neon})
        if (name == to_string(isa)) return isa;
    return Error{ErrorCode::bad_argument, "unknown ISA '" + std::string(name) + "': expected auto, sse2, avx2, avx512 or neon"};
}

bool is_supported(Isa isa) { return isa == Isa::best || (kernels_for(isa) != nullptr && cpu_runs(isa)); }

Isa widest_supported_isa() {
    for (const Isa isa : kWidestFirst)
        if (is_supported(isa)) return isa;
    return Isa::best;  // a build without kernels, which CMake refuses
}

Expected<Isa> resolve_isa(Isa wanted) {
    if (wanted == Isa::best) {
        const char* forced = std::getenv("ABUT_ISA");
        if (forced == nullptr || *forced == '\0') return widest_supported_isa();
        const Expected<Isa> named = parse_isa(forced);
        if (!named) return Error{ErrorCode::bad_argument, "ABUT_ISA: " + named.error().message};
        if (!is_supported(*named)) return Error{ErrorCode::unsupported, "ABUT_ISA=" + std::string(forced) + " is not supported here"};
        return *named == Isa::best ? widest_supported_isa() : *named;
    }
    if (!is_supported(wanted))
        return Error{ErrorCode::unsupported, "ISA " + std::string(to_string(wanted)) +
                                                 (kernels_for(wanted) ? " is not supported by this machine" : " is not in this build")};
    return wanted;
}

Isa best_isa() {
    const Expected<Isa> isa = resolve_isa(Isa::best);
    return isa ? *isa : widest_supported_isa();
}

unsigned lanes(Isa isa) {
    const Kernels* kernels = kernels_for(isa == Isa::best ? best_isa() : isa);
    return kernels ? kernels->lanes : 0;
}

}  // namespace abut
