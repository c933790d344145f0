// abut in place of Jolt's collision functions for spheres, boxes, capsules, cylinders and convex hulls, with each other
// and with meshes:
//
//     JPH::RegisterTypes();
//     abut::jolt::switch_on();  // before the first step; switch_off() brings Jolt's functions back
//
// Compounds and scaled, rotated or shifted shapes of these come here, too: Jolt takes them apart. Its own functions
// answer tapered capsules, triangles, planes, height fields and soft bodies.
//
// Jolt asks for one pair at a time, from any of its threads. Each thread has shapes of its own, cooked when a pair
// first has them; meshes are cooked once.
#pragma once

#include <cstddef>

#include <abut/abut.hpp>

namespace abut::jolt {

void switch_on();
// Functions that the program registered for its own convex shapes have to be registered again.
void switch_off();

struct Work {
    std::size_t pairs = 0;   // that abut answered
    std::size_t failed = 0;  // of these without an answer, and so without contacts: a pose or a shape that abut refuses
};
// Of this thread, since its beginning.
const Work& work();

// abut keeps the shapes that it has met. Gives back those that only abut has still; not during a step.
void forget_deleted();

}  // namespace abut::jolt
