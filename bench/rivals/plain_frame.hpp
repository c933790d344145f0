// A frame's shapes and poses as every rival's adapter wants to read them.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/frame.hpp>
#include <abut/shape_store.hpp>

namespace abut::bench {

struct PlainShape {
    ShapeView view;
    // Hulls: the cooked vertices in the body's frame; faces as counts and indices, counter-clockwise from outside.
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> face_first;
    std::vector<std::uint16_t> loop;
    std::vector<MeshTriangle> triangles;  // of a mesh
};

struct PlainFrame {
    std::vector<PlainShape> shapes;
    std::vector<std::uint32_t> shape_of;  // a body
    std::vector<Body> bodies;             // orientations of unit length
    std::vector<Pair> pairs;
};

enum class Meshes : std::uint8_t { refused, taken };

// False where the frame holds a dead shape, a bad pose or index, or what no rival has (a rounded box or hull).
bool read_frame(const Frame& frame, PlainFrame& out, Meshes meshes = Meshes::refused);

}  // namespace abut::bench
