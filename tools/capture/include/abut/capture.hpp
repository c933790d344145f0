/// @file
/// CaptureWriter: records the frames of an engine into a capture (*.abut), which `abut replay` and `abut dump` read. It
/// is a separate library: find_package(abut COMPONENTS capture), abut::capture. docs/formats.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>

namespace abut {

struct CaptureChild;

/// A shape as the engine describes it: metres, in the body's frame. The kind selects the fields that are used. Values
/// are written unchanged, also those that a ShapeStore would refuse. The writer copies the data that `vertices`,
/// `triangles`, `heights`, `cells` and `children` point to.
struct CaptureShape {
    ShapeKind kind = ShapeKind::none;              ///< which of the fields below count
    float radius = 0.0f;                           ///< sphere, capsule, cylinder, cone
    float half_height = 0.0f;                      ///< capsule, cylinder, cone
    Vec3 extents;                                  ///< box: half extents; ellipsoid: radii; halfspace: normal
    float offset = 0.0f;                           ///< halfspace
    std::span<const Vec3> vertices = {};           ///< hull: the points; mesh
    const CaptureChild* children = nullptr;        ///< compound: `child_count` of them, at most 16 compounds deep
    std::size_t child_count = 0;                   ///< compound
    float rounding = 0.0f;                         ///< as InstanceOptions::rounding
    std::optional<Vec3> scale = {};                ///< as InstanceOptions::scale; none: 1
    std::span<const MeshTriangle> triangles = {};  ///< mesh: indices of `vertices`
    MeshSides sides = MeshSides::front;            ///< mesh, heightfield
    std::uint32_t rows = 0, columns = 0;           ///< heightfield
    float spacing_x = 0.0f, spacing_z = 0.0f;      ///< heightfield
    std::span<const float> heights = {};           ///< heightfield: row by row, NaN for a hole
    std::optional<RelativePose> pose = {};         ///< of the shape in its body's frame
    std::span<const std::uint8_t> cells = {};      ///< heightfield: HeightfieldOptions::cells
    bool solid = false;                            ///< mesh: MeshOptions::solid
    float thickness = 0.0f;                        ///< heightfield: HeightfieldOptions::thickness
};

/// A part of a compound.
struct CaptureChild {
    CaptureShape shape;  ///< convex, or a compound
    Vec3 position;       ///< of the child's origin, metres, in the compound's frame
    Quat orientation;    ///< in the compound's frame
};

/// abut::Body with a shape's index in the capture instead of its id.
struct CaptureBody {
    Vec3 position;            ///< metres, world axes
    std::uint32_t shape = 0;  ///< index of add_shape
    Quat orientation;         ///< from the shape's axes to the world's
};
static_assert(sizeof(CaptureBody) == sizeof(Body));

/// A body's pose at the end of a step.
struct CapturePose {
    Vec3 position;     ///< metres, world axes
    Quat orientation;  ///< from the shape's axes to the world's
};

/// Everything is kept in memory until write(). A refused call changes only error(). No exception leaves a call. Use a
/// writer from one thread at a time. Equal content makes equal bytes, in whatever order shapes and frames were added.
class CaptureWriter {
public:
    static constexpr std::uint32_t kRefused = ~0u;  ///< what add_shape returns if it refuses; error() says why

    CaptureWriter();
    ~CaptureWriter();
    CaptureWriter(CaptureWriter&&) noexcept;
    CaptureWriter& operator=(CaptureWriter&&) noexcept;

    /// Returns the shape's index, from 0; kRefused for a kind that captures do not have (custom, none), for a compound
    /// that is too deep, or for too much data.
    std::uint32_t add_shape(const CaptureShape& shape);
    /// Adds the shape as it is in `store`: a hull with its cooked vertices, a compound as compound_children gives it,
    /// with poses in float32. Returns kRefused if `id` names no living shape.
    std::uint32_t add_shape(const ShapeStore& store, ShapeId id);
    /// Bodies of `id` have this shape in frames that are added later. Use it to record hulls with all of their points,
    /// and compounds of compounds as they were made.
    bool bind(ShapeId id, std::uint32_t shape);

    /// Shapes and pairs are indices in range. The label is UTF-8. Positions and orientations may have any value,
    /// including NaN. `ends`: none, or one for each body, as NarrowPhase::cast gets them. `margins`: none, or one for
    /// each pair, as in Frame.
    bool add_frame(std::string_view label, std::span<const CaptureBody> bodies, std::span<const Pair> pairs,
                   std::span<const CapturePose> ends = {}, std::span<const float> margins = {});
    /// Adds the frame that a NarrowPhase gets, with its margins. New shapes are added from its store, and again if
    /// their scale, rounding or pose has changed. They are distinguished by their ids: a writer takes frames of one
    /// store, and none after its forget_removed(). A file has one world, in float. In frames of relative poses or
    /// doubles each pair therefore becomes two bodies of its own, with A at the origin.
    bool add_frame(std::string_view label, const Frame& frame);

    std::uint32_t shape_count() const;  ///< shapes that were added, once each
    std::size_t frame_count() const;    ///< frames that were added

    /// The file's bytes, on a 4-byte boundary, valid until the next call; none if there is no memory.
    std::span<const std::byte> bytes();
    /// Writes everything that was added so far. An existing file keeps its mode and its links, and does not change if
    /// the disk is full.
    bool write(const char* path);

    /// Why the last call was refused: names the argument and its value. Valid until the next call.
    const char* error() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
