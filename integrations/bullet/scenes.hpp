// The scenes that a narrow phase is judged by.
#pragma once

#include <span>

#include "scene.hpp"

namespace abut::tools {

enum class Outcome {
    stands,  // every body stays where it was put
    falls,   // every body ends lying on its side
    rests,   // every body stays in the scene
};

// What is asked of a scene besides rest.
enum class Measure { rest, rise, lean };

struct NamedScene {
    const char* name;
    const char* what;
    Outcome outcome;
    double settled;  // share of the time after which nothing should move; 1 where something always does
    Scene (*make)();
    double stands_within = 0.1;  // metres: farther from where it was put a body no longer stands
    Measure measures = Measure::rest;
};

std::span<const NamedScene> named_scenes();

}  // namespace abut::tools
