// What compilers spell in different ways, for the public headers. kernel/compiler.hpp adds what the library alone needs.
//
// g++ and clang are tested; the lines for MSVC are not (docs/platforms.md). ABUT_NO_EXTENSIONS selects standard C++ everywhere but in the export
// macro: the way of an unknown compiler, which the tests take with g++.
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

// ABUT_VECTOR(Float4, float, 4): Float4 is four floats with element-wise arithmetic; comparisons give integers, 0 or -1. In registers where the
// compiler has such types, else in an array.
#if defined(ABUT_GNU_EXTENSIONS)
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name cannot have parentheses.
#define ABUT_VECTOR(name, T, count) using name [[gnu::vector_size(sizeof(T) * (count))]] = T
#else
#include <abut/plain_vector.hpp>
#define ABUT_VECTOR(name, T, count) using name = ::abut::PlainVector<T, count>
#endif
