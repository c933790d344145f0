// Which instruction set: what was compiled in, what the CPU and OS run, what the caller or ABUT_ISA asks for.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string>

#include <abut/isa.hpp>

#include "isa/choice.hpp"
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
    try {
        return Error{ErrorCode::bad_argument,
                     "unknown ISA '" + std::string(name) + "': expected auto, sse2, avx2, avx512 or neon"};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "out of memory"};
    }
}

namespace {

constexpr Isa kAll[] = {Isa::sse2, Isa::avx2, Isa::avx512, Isa::neon};

const IsaChoices& choices_here() {
    static const IsaChoices choices = [] {
        IsaChoices found;
        for (const Isa isa : kAll) {
            if (kernels_for(isa) != nullptr) found.compiled.add(isa);
            if (cpu_runs(isa)) found.runnable.add(isa);
        }
        return found;
    }();
    return choices;
}

std::string names_of(IsaSet isas) {
    std::string names;
    for (const Isa isa : kAll)
        if (isas.has(isa)) names += (names.empty() ? "" : ", ") + std::string(to_string(isa));
    return names;
}

Expected<Isa> widest(const IsaChoices& choices) {
    for (const Isa isa : kWidestFirst)
        if (choices.has(isa)) return isa;
    return Error{ErrorCode::unsupported,
                 "this machine runs none of the instruction sets in this build: " + names_of(choices.compiled)};
}

}  // namespace

Expected<Isa> choose_isa(Isa wanted, const char* forced, const IsaChoices& choices) {
    if (wanted != Isa::best) {
        if (choices.has(wanted)) return wanted;
        return Error{ErrorCode::unsupported,
                     "ISA " + std::string(to_string(wanted)) +
                         (choices.compiled.has(wanted) ? " is not supported by this machine" : " is not in this build")};
    }
    if (forced == nullptr || *forced == '\0') return widest(choices);
    const Expected<Isa> named = parse_isa(forced);
    if (!named) return Error{ErrorCode::bad_argument, "ABUT_ISA: " + named.error().message};
    if (*named == Isa::best) return widest(choices);
    if (!choices.has(*named)) return Error{ErrorCode::unsupported, "ABUT_ISA=" + std::string(forced) + " is not supported here"};
    return *named;
}

bool is_supported(Isa isa) {
    const auto has = [](Isa one) { return choices_here().has(one); };
    return isa == Isa::best ? std::any_of(std::begin(kAll), std::end(kAll), has) : has(isa);
}

Expected<Isa> resolve_isa(Isa wanted) { return choose_isa(wanted, std::getenv("ABUT_ISA"), choices_here()); }

Isa best_isa() {
    try {
        if (const Expected<Isa> isa = resolve_isa(Isa::best)) return *isa;
        if (const Expected<Isa> isa = widest(choices_here())) return *isa;
    } catch (const std::bad_alloc&) {  // of the message that says why there is none
    }
    return Isa::best;
}

unsigned lanes(Isa isa) {
    const Kernels* kernels = kernels_for(isa == Isa::best ? best_isa() : isa);
    return kernels ? kernels->lanes : 0;
}

}  // namespace abut
