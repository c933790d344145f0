// Compiler-specific spellings for the library; include/abut/compiler.hpp has those of the public headers, and lists the tested compilers.
//
// The functions are inlined by force: wide code may call them.
#pragma once

#include <cmath>  // HUGE_VALF, ::sqrtf: C's own, of which the linker keeps no copies
#include <cstdint>
#include <cstring>

#include <abut/compiler.hpp>

#if !defined(ABUT_GNU_EXTENSIONS)
#include <bit>
#endif

// Attributes: they stand before `inline`, `constexpr` and the return type.
#if defined(ABUT_GNU_EXTENSIONS)
#define ABUT_ALWAYS_INLINE [[gnu::always_inline]]
#define ABUT_NOINLINE [[gnu::noinline]]
#elif defined(_MSC_VER)
#define ABUT_ALWAYS_INLINE [[msvc::forceinline]]
#define ABUT_NOINLINE [[msvc::noinline]]
#else
#define ABUT_ALWAYS_INLINE
#define ABUT_NOINLINE
#endif
#define ABUT_INLINE ABUT_ALWAYS_INLINE inline

// Before a loop whose index picks registers: left rolled, gcc keeps them in memory (AVX2: 8x slower). Instrumented code stays rolled: clang's address
// sanitizer needs minutes for what the unrolled loops of manifold/choose_four.cpp become.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ABUT_INSTRUMENTED
#endif
#endif
#if defined(ABUT_GNU_EXTENSIONS) && !defined(ABUT_INSTRUMENTED)
#define ABUT_PRAGMA(x) _Pragma(#x)
#define ABUT_UNROLL(n) ABUT_PRAGMA(GCC unroll n)
#else
#define ABUT_UNROLL(n)
#endif

namespace abut {

// The number of bits that are set; the index of the lowest one; the number of zeros above the highest one. The last two are for words other than 0.
#if defined(ABUT_GNU_EXTENSIONS)
ABUT_INLINE int bit_count(std::uint32_t bits) { return __builtin_popcount(bits); }
ABUT_INLINE int bit_count(std::uint64_t bits) { return __builtin_popcountll(bits); }
ABUT_INLINE int lowest_bit(std::uint32_t bits) { return __builtin_ctz(bits); }
ABUT_INLINE int lowest_bit(std::uint64_t bits) { return __builtin_ctzll(bits); }
ABUT_INLINE int leading_zeros(std::uint32_t bits) { return __builtin_clz(bits); }
#else
ABUT_INLINE int bit_count(std::uint32_t bits) { return std::popcount(bits); }
ABUT_INLINE int bit_count(std::uint64_t bits) { return std::popcount(bits); }
ABUT_INLINE int lowest_bit(std::uint32_t bits) { return std::countr_zero(bits); }
ABUT_INLINE int lowest_bit(std::uint64_t bits) { return std::countr_zero(bits); }
ABUT_INLINE int leading_zeros(std::uint32_t bits) { return std::countl_zero(bits); }
#endif

}  // namespace abut
