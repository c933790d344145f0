/** @file
   abut in C: everything of the C++ headers, for C99 and for languages that bind to C. docs/c.md shows it.

   Errors. A function that can fail returns an abut_error_code, 0 where it ran, and takes a pointer to an abut_error
   last, which may be null. A null handle, a null pointer to an answer, or a null array with a count gives
   ABUT_BAD_ARGUMENT. No C++ exception leaves a call. Data inside a batch does not make a call fail: the pair gets a
   status.

   Structs that may grow begin with `size`: sizeof the struct as the program was compiled, which the _default functions
   set. A newer library takes members that an older program does not have at their defaults, and writes none of them. An
   older library refuses members that it does not know, unless they are zeros. Other structs have the layout of their
   C++ namesakes and stay.

   Memory. What is created is destroyed by its own function. The caller's memory is read and written during the call
   only, but for what a comment says outlives a store.

   Threads. Everything may be called from any thread; one handle from one at a time, but for those that a comment says
   are safe to read together.

   Units are metres, radians and kilograms; axes are right-handed. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/broad.h>
#include <abut/c/cast.h>
#include <abut/c/configurations.h>
#include <abut/c/cooking.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/narrow_phase_2d.h>
#include <abut/c/rays.h>
#include <abut/c/results.h>
#include <abut/c/shapes.h>
#include <abut/c/shapes_2d.h>
#include <abut/c/warm.h>
#include <abut/c/world.h>
