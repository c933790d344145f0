// A convex body that is pushed across a mesh along x without turning, and touches it at every step: what its contacts
// do on the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/abut.hpp>

namespace abut::slide {

struct Ground {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    Vec3 low, high;  // bounds

    void find_bounds();
};

// A square strip of flat cells of two triangles each, along x from 0 to `length`.
Ground flat_strip(float cell, float length, float width);

enum class BodyKind : std::uint8_t { box, cylinder, capsule, hull };
inline constexpr BodyKind kBodyKinds[] = {BodyKind::box, BodyKind::cylinder, BodyKind::capsule, BodyKind::hull};
const char* name_of(BodyKind kind);

struct Path {
    float from = 0, to = 0, z = 0;  // metres
    std::uint32_t steps = 1000;
    float size = 0.2f;  // of the body: about half its length
};

struct Found {
    std::uint32_t steps = 0, touching = 0;  // the latter: steps with a contact
    std::size_t contacts = 0, old = 0;   // the latter: contacts whose impulses were carried over from the step before
    std::size_t followed = 0;            // contacts of steps whose predecessor touched as well
    double deepest = 0;                  // metres
    double off_level = 0;                // radians: the farthest of any normal from +Y
    std::size_t manifolds = 0, odd = 0;  // the latter: whose normal no triangle about the deepest contact has or allows
};

// Throws std::runtime_error where abut refuses something.
Found slide(const Ground& ground, BodyKind kind, const Path& path, const Settings& settings);

}  // namespace abut::slide
