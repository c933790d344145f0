/// @file Code that differs between compilers, for the public headers. kernel/base/compiler_support.hpp adds the parts
/// that only the library needs.
///
/// g++ and clang are tested; the lines for MSVC are not (docs/platforms.md). ABUT_NO_EXTENSIONS selects standard C++
/// everywhere except in the export macro. Unknown compilers get this; the tests select it with g++.
#pragma once

#include <abut/export.h>  // ABUT_API

#if (defined(__GNUC__) || defined(__clang__)) && !defined(ABUT_NO_EXTENSIONS)
#define ABUT_GNU_EXTENSIONS
#endif

#if defined(__has_builtin)
#define ABUT_HAS_BUILTIN(name) __has_builtin(name)
#else
#define ABUT_HAS_BUILTIN(name) 0
#endif

// ABUT_VECTOR(Float4, float, 4): Float4 is four floats with element-wise arithmetic. Comparisons give integers, 0 or
// -1. It is a vector type of the compiler, or an array if the compiler has none.
#if defined(ABUT_GNU_EXTENSIONS)
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name cannot have parentheses.
#define ABUT_VECTOR(name, T, count) using name [[gnu::vector_size(sizeof(T) * (count))]] = T
#else
#include <abut/plain_vector.hpp>
#define ABUT_VECTOR(name, T, count) using name = ::abut::PlainVector<T, count>
#endif
