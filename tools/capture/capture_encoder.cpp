// FlatBuffers: everything in the order it was given, shapes first, so that equal content makes equal bytes.
#include "capture_content.hpp"
#include "capture_generated.h"
#include "capture_limits.hpp"

namespace abut::tools {
namespace {

namespace fb = abut::capture;
using flatbuffers::Offset;
using flatbuffers::Vector;

static_assert(sizeof(fb::Body) == sizeof(CaptureBody) && sizeof(fb::Pair) == sizeof(Pair) &&
              sizeof(fb::Pose) == sizeof(CapturePose) && sizeof(fb::Vec3) == sizeof(Vec3) &&
              sizeof(fb::Triangle) == sizeof(MeshTriangle));

fb::Vec3 to_fb(Vec3 v) { return {v.x, v.y, v.z}; }
fb::Quat to_fb(Quat q) { return {q.x, q.y, q.z, q.w}; }

class Encoder {
public:
    explicit Encoder(std::size_t size) : builder_(size) {}

    flatbuffers::DetachedBuffer run(const std::vector<OwnShape>& shapes, const std::vector<OwnFrame>& frames) {
        std::vector<Offset<fb::Shape>> shape_list;
        for (const OwnShape& shape : shapes) shape_list.push_back(add_shape(shape));
        reserve(shape_list.size() * 4);
        const auto shape_vector = builder_.CreateVector(shape_list);
        std::vector<Offset<fb::Frame>> frame_list;
        for (const OwnFrame& frame : frames) frame_list.push_back(add_frame(frame));
        reserve(frame_list.size() * 4);
        const auto frame_vector = builder_.CreateVector(frame_list);
        const std::uint32_t version = has_margins_  ? kMarginsVersion
                                      : has_solids_ ? kSolidsVersion
                                      : has_cells_  ? kCellsVersion
                                      : has_poses_  ? kPosesVersion
                                                    : kCaptureVersion;
        builder_.Finish(fb::CreateCapture(builder_, version, shape_vector, frame_vector), fb::CaptureIdentifier());
        return builder_.Release();
    }

private:
    // FlatBuffers does not check its own limit in release builds.
    void reserve(std::size_t list_bytes) {
        const std::uint64_t size = std::uint64_t(builder_.GetSize()) + list_bytes + 2 * kTableAllowance;
        if (size >= kCaptureLimit) refuse_size();
    }

    template <class To, class From>
    Offset<Vector<const To*>> add_list(const std::vector<From>& items) {
        static_assert(sizeof(To) == sizeof(From));
        reserve(items.size() * sizeof(From));
        return builder_.CreateVectorOfStructs(reinterpret_cast<const To*>(items.data()), items.size());
    }

    Offset<fb::Child> add_child(const OwnChild& child) {
        const auto shape = add_shape(child.shape);
        const fb::Vec3 position = to_fb(child.position);
        const fb::Quat orientation = to_fb(child.orientation);
        return fb::CreateChild(builder_, shape, &position, &orientation);
    }

    Offset<fb::Shape> add_shape(const OwnShape& own) {
        reserve(0);
        const CaptureShape& fields = own.fields;
        Offset<Vector<const fb::Vec3*>> vertices;
        Offset<Vector<Offset<fb::Child>>> children;
        Offset<Vector<const fb::Triangle*>> triangles;
        Offset<Vector<float>> heights;
        Offset<Vector<std::uint8_t>> cells;
        if (has_vertices(fields.kind)) vertices = add_list<fb::Vec3>(own.vertices);
        if (fields.kind == ShapeKind::mesh) triangles = add_list<fb::Triangle>(own.triangles);
        if (fields.kind == ShapeKind::heightfield) {
            reserve(own.heights.size() * sizeof(float));
            heights = builder_.CreateVector(own.heights);
            reserve(own.cells.size());
            if (!own.cells.empty()) cells = builder_.CreateVector(own.cells), has_cells_ = true;
        }
        if (fields.kind == ShapeKind::compound) {
            std::vector<Offset<fb::Child>> list;
            for (const OwnChild& child : own.children) list.push_back(add_child(child));
            reserve(list.size() * 4);
            children = builder_.CreateVector(list);
        }
        const fb::Vec3 extents = to_fb(fields.extents), scale = to_fb(fields.scale.value_or(Vec3{}));
        fb::ShapeBuilder shape(builder_);
        shape.add_kind(fb::Kind(fields.kind));
        shape.add_radius(fields.radius);
        shape.add_half_height(fields.half_height);
        if (fields.kind == ShapeKind::box) shape.add_half_extents(&extents);
        if (fields.kind == ShapeKind::ellipsoid) shape.add_radii(&extents);
        if (has_vertices(fields.kind)) shape.add_vertices(vertices);
        if (fields.kind == ShapeKind::halfspace) shape.add_normal(&extents);
        shape.add_offset(fields.offset);
        if (fields.kind == ShapeKind::compound) shape.add_children(children);
        shape.add_rounding(fields.rounding);
        if (fields.scale) shape.add_scale(&scale);
        if (fields.kind == ShapeKind::mesh) shape.add_triangles(triangles), shape.add_solid(fields.solid);
        if (is_surface(fields.kind)) shape.add_sides(fb::Sides(fields.sides));
        if (fields.kind == ShapeKind::heightfield) {
            shape.add_rows(fields.rows), shape.add_columns(fields.columns);
            shape.add_spacing_x(fields.spacing_x), shape.add_spacing_z(fields.spacing_z);
            shape.add_heights(heights);
            if (!own.cells.empty()) shape.add_cells(cells);
            shape.add_thickness(fields.thickness);
        }
        has_solids_ |= fields.kind == ShapeKind::mesh && fields.solid;
        has_solids_ |= fields.kind == ShapeKind::heightfield && fields.thickness != 0;
        if (fields.pose) {
            const fb::Pose pose(to_fb(fields.pose->position), to_fb(fields.pose->orientation));
            shape.add_pose(&pose);
            has_poses_ = true;
        }
        return shape.Finish();
    }

    Offset<fb::Frame> add_frame(const OwnFrame& frame) {
        reserve(frame.label.size());
        const auto label = builder_.CreateString(frame.label);
        const auto bodies = add_list<fb::Body>(frame.bodies);
        const auto pairs = add_list<fb::Pair>(frame.pairs);
        Offset<Vector<const fb::Pose*>> ends;
        if (!frame.ends.empty()) ends = add_list<fb::Pose>(frame.ends);
        if (frame.margins.empty()) return fb::CreateFrame(builder_, label, bodies, pairs, ends);
        has_margins_ = true;
        reserve(frame.margins.size() * sizeof(float));
        return fb::CreateFrame(builder_, label, bodies, pairs, ends, builder_.CreateVector(frame.margins));
    }

    flatbuffers::FlatBufferBuilder builder_;
    bool has_poses_ = false, has_cells_ = false, has_solids_ = false, has_margins_ = false;
};

}  // namespace

bool captures_have(ShapeKind kind) { return fb::Kind(kind) <= fb::Kind::MAX && kind != ShapeKind::custom; }

void refuse_size() {
    throw CaptureRefusal("the capture would not fit into " + std::to_string(kCaptureLimit) + " bytes");
}

flatbuffers::DetachedBuffer encode_capture(const std::vector<OwnShape>& shapes, const std::vector<OwnFrame>& frames,
                                           std::size_t expected_bytes) {
    return Encoder(expected_bytes).run(shapes, frames);
}

}  // namespace abut::tools
