// Compiler-specific spellings for the library. include/abut/compiler.hpp has those of the public headers and lists the
// tested compilers.
//
// The functions are always inlined, because wide code calls them.
#pragma once

#include <cmath>  // HUGE_VALF, ::sqrtf: C functions, of which the linker keeps no ISA-specific copies
#include <cstdint>
#include <cstring>

#include <abut/compiler.hpp>

#if !defined(ABUT_GNU_EXTENSIONS)
#include <bit>
#endif

// Attributes; they precede `inline`, `constexpr` and the return type.
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
// For small functions of hot loops in ABUT_ISA_NAMESPACE. gcc takes twice as long if larger ones are forced, too
// (CONTRIBUTING.md).
#if defined(ABUT_FEW_INLINED)
#define ABUT_INLINE inline
#else
#define ABUT_INLINE ABUT_ALWAYS_INLINE inline
#endif

// Before a loop whose index selects registers: if gcc does not unroll it, they live in memory (AVX2: 8x slower).
// Instrumented code is not unrolled: clang's address sanitizer would need minutes for convex/manifold/choose_four.cpp.
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

// The number of set bits, the index of the lowest set bit, the number of zeros above the highest set bit. The latter
// two require a word other than 0. `prefetch` loads the data at an address into the processor's caches.
#if defined(ABUT_GNU_EXTENSIONS)
ABUT_ALWAYS_INLINE inline int bit_count(std::uint32_t bits) { return __builtin_popcount(bits); }
ABUT_ALWAYS_INLINE inline int bit_count(std::uint64_t bits) { return __builtin_popcountll(bits); }
ABUT_ALWAYS_INLINE inline int lowest_bit(std::uint32_t bits) { return __builtin_ctz(bits); }
ABUT_ALWAYS_INLINE inline int lowest_bit(std::uint64_t bits) { return __builtin_ctzll(bits); }
ABUT_ALWAYS_INLINE inline int leading_zeros(std::uint32_t bits) { return __builtin_clz(bits); }
ABUT_ALWAYS_INLINE inline void prefetch(const void* at) { __builtin_prefetch(at); }
#else
ABUT_ALWAYS_INLINE inline int bit_count(std::uint32_t bits) { return std::popcount(bits); }
ABUT_ALWAYS_INLINE inline int bit_count(std::uint64_t bits) { return std::popcount(bits); }
ABUT_ALWAYS_INLINE inline int lowest_bit(std::uint32_t bits) { return std::countr_zero(bits); }
ABUT_ALWAYS_INLINE inline int lowest_bit(std::uint64_t bits) { return std::countr_zero(bits); }
ABUT_ALWAYS_INLINE inline int leading_zeros(std::uint32_t bits) { return std::countl_zero(bits); }
ABUT_ALWAYS_INLINE inline void prefetch(const void*) {}
#endif

}  // namespace abut
