// The shapes that rest on each other: each laid on its flat side, with what it takes to stand another on it. A unit
// form is about a metre across.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "support/oracle/oracle.hpp"

namespace abut::steady {

struct Part {
    oracle::Shape shape;
    Vec3 position;  // in the form's frame
};

struct Form {
    std::string name;
    std::vector<Part> parts;  // one is a convex shape, several are a compound
    Quat rest;                // turns the flat side down, to -Y
    double below = 0,
           above = 0;  // heights of the origin over the lowest point and of the highest point over the origin, at rest
    double reach_x = 0, reach_z = 0;  // how far from the axis another's centre may stand on top, at rest
    bool flat_above = true;
};

// "box", "prism12", "lying-capsule", ...: what rests on something.
std::span<const Form> resting_forms();
// What only carries: "ground", "halfspace".
std::span<const Form> ground_forms();
// By name, of either list; the name must be there.
const Form& form(std::string_view name);

// Half a turn about X: what was flat below is flat above.
Form upside_down(const Form& form);
Form scaled(const Form& form, double factor);
ShapeId add(ShapeStore& store, const Form& form);

}  // namespace abut::steady
