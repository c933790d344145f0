// A capture's content, as the writer keeps it until it is encoded.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <flatbuffers/flatbuffers.h>

#include <abut/capture.hpp>

namespace abut::tools {

struct OwnChild;

// A CaptureShape that owns what it points to.
struct OwnShape {
    CaptureShape fields;
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    std::vector<float> heights;
    std::vector<std::uint8_t> cells;
    std::vector<OwnChild> children;
};

struct OwnChild {
    OwnShape shape;
    Vec3 position;
    Quat orientation;
};

struct OwnFrame {
    std::string label;
    std::vector<CaptureBody> bodies;
    std::vector<Pair> pairs;
    std::vector<CapturePose> ends;  // none, or one for each body
    std::vector<float> margins;     // none, or one for each pair
};

// Why a call of the writer is refused.
struct CaptureRefusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// All kinds but a program's own shapes.
bool captures_have(ShapeKind kind);

inline bool has_vertices(ShapeKind kind) { return kind == ShapeKind::hull || kind == ShapeKind::mesh; }
inline bool is_surface(ShapeKind kind) { return kind == ShapeKind::mesh || kind == ShapeKind::heightfield; }

// The capture would be larger than the format allows.
[[noreturn]] void refuse_size();

// More bytes than any table takes without its lists.
inline constexpr std::size_t kTableAllowance = 256;

// The file's bytes. Precondition: every index is in range.
flatbuffers::DetachedBuffer encode_capture(const std::vector<OwnShape>& shapes, const std::vector<OwnFrame>& frames,
                                           std::size_t expected_bytes);

}  // namespace abut::tools
