// abut.Frame: a batch as numpy arrays, checked once and read in place by every call that gets it.
#pragma once

#include <memory>

#include <abut/frame.hpp>

#include "arguments.hpp"
#include "arrays.hpp"
#include "store.hpp"
#include "warm.hpp"

namespace abut::python {

// Keeps what it refers to. Made and destroyed with the GIL held.
struct FrameArrays {
    StorePtr store;
    Frame frame;  // without the caches of `warm`, which are known at the call
    WarmPtr warm;
    KeptColumns columns;
};

// The arguments that make a frame: (frame) or (store, bodies, pairs, **columns). `finish` is left to the caller.
std::shared_ptr<FrameArrays> frame_of(Arguments& arguments);
// Bodies from a structured array or from columns; for world_bounds, too. Adds the arrays to `kept`.
Bodies bodies_of(py::handle records, Arguments& arguments, KeptColumns& kept);

// Bodies of abut.body_dtype, or of records with those fields.
Bodies body_records_of(py::handle records, KeptColumns& kept);

// What `finish` may name, in each call that takes a frame.
#define ABUT_BODY_ARGUMENTS "bodies", "positions", "shapes", "orientations", "transforms"
#define ABUT_FRAME_ARGUMENTS \
    "frame", "store", ABUT_BODY_ARGUMENTS, "pairs", "margins", "caches", "relative_poses", "traces"

void define_frames(py::module_& module);

}  // namespace abut::python
