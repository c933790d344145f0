/* ABUT_API: on what a program may call, in C and C++. A shared library hides everything else. ABUT_SHARED: the library is shared (the CMake package
   and pkg-config say so); ABUT_BUILDING: this is the library itself. */
#pragma once

#if !defined(ABUT_SHARED)
#define ABUT_API
#define ABUT_LOCAL
#elif defined(_WIN32)
#if defined(ABUT_BUILDING)
#define ABUT_API __declspec(dllexport)
#else
#define ABUT_API __declspec(dllimport)
#endif
#define ABUT_LOCAL
#else
#define ABUT_API __attribute__((visibility("default")))
#define ABUT_LOCAL __attribute__((visibility("hidden")))
#endif
