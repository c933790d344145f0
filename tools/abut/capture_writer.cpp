// Writing captures: everything in the order it was given, so that equal content makes equal bytes.
#include "capture.hpp"

#include <fmt/format.h>

#include "capture_generated.h"

namespace abut::tools {
namespace {

namespace fb = abut::capture;

constexpr std::size_t kTableAllowance = 256;  // more than any table of ours takes without its lists

fb::Vec3 to_fb(Vec3 v) { return {v.x, v.y, v.z}; }
fb::Quat to_fb(Quat q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace

struct CaptureWriter::Impl {
    flatbuffers::FlatBufferBuilder builder{std::size_t(1) << 20};
    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Shape>>> shapes;
    std::vector<flatbuffers::Offset<fb::Frame>> frames;

    // FlatBuffers does not check its own limit in release builds.
    void reserve(std::size_t list_bytes) {
        const std::uint64_t size = std::uint64_t(builder.GetSize()) + list_bytes + frames.size() * 4 + 2 * kTableAllowance;
        if (size >= kCaptureLimit) throw InputError(fmt::format("the capture would not fit into {} bytes", kCaptureLimit));
    }

    template <class To, class From>
    flatbuffers::Offset<flatbuffers::Vector<const To*>> add_list(std::span<const From> items) {
        static_assert(sizeof(To) == sizeof(From));
        reserve(items.size_bytes());
        return builder.CreateVectorOfStructs(reinterpret_cast<const To*>(items.data()), items.size());
    }

    flatbuffers::Offset<fb::Child> add_child(const ChildSpec& child) {
        const auto shape = add_shape(child.shape);
        const fb::Vec3 position = to_fb(child.position);
        const fb::Quat orientation = to_fb(child.orientation);
        return fb::CreateChild(builder, shape, &position, &orientation);
    }

    flatbuffers::Offset<fb::Shape> add_shape(const ShapeSpec& spec) {
        reserve(0);
        flatbuffers::Offset<flatbuffers::Vector<const fb::Vec3*>> vertices;
        flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Child>>> children;
        if (spec.kind == ShapeKind::hull) vertices = add_list<fb::Vec3>(std::span<const Vec3>(spec.vertices));
        if (spec.kind == ShapeKind::compound) {
            std::vector<flatbuffers::Offset<fb::Child>> list;
            for (const ChildSpec& child : spec.children) list.push_back(add_child(child));
            reserve(list.size() * 4);
            children = builder.CreateVector(list);
        }
        const fb::Vec3 extents = to_fb(spec.extents), scale = to_fb(spec.scale.value_or(Vec3{}));
        fb::ShapeBuilder shape(builder);
        shape.add_kind(fb::Kind(spec.kind));
        shape.add_radius(spec.radius);
        shape.add_half_height(spec.half_height);
        if (spec.kind == ShapeKind::box) shape.add_half_extents(&extents);
        if (spec.kind == ShapeKind::ellipsoid) shape.add_radii(&extents);
        if (spec.kind == ShapeKind::hull) shape.add_vertices(vertices);
        if (spec.kind == ShapeKind::halfspace) shape.add_normal(&extents);
        shape.add_offset(spec.offset);
        if (spec.kind == ShapeKind::compound) shape.add_children(children);
        shape.add_rounding(spec.rounding);
        if (spec.scale) shape.add_scale(&scale);
        return shape.Finish();
    }
};

CaptureWriter::CaptureWriter() : impl_(std::make_unique<Impl>()) {}
CaptureWriter::~CaptureWriter() = default;

void CaptureWriter::add_shapes(std::span<const ShapeSpec> shapes) {
    std::vector<flatbuffers::Offset<fb::Shape>> list;
    list.reserve(shapes.size());
    for (const ShapeSpec& spec : shapes) list.push_back(impl_->add_shape(spec));
    impl_->reserve(list.size() * 4);
    impl_->shapes = impl_->builder.CreateVector(list);
}

void CaptureWriter::add_frame(const CaptureFrame& frame) {
    impl_->reserve(frame.label.size());
    const auto label = impl_->builder.CreateString(frame.label.data(), frame.label.size());
    const auto bodies = impl_->add_list<fb::Body>(frame.bodies);
    const auto pairs = impl_->add_list<fb::Pair>(frame.pairs);
    impl_->frames.push_back(fb::CreateFrame(impl_->builder, label, bodies, pairs));
}

std::span<const std::byte> CaptureWriter::finish() {
    auto& builder = impl_->builder;
    impl_->reserve(0);
    const auto frames = builder.CreateVector(impl_->frames);
    builder.Finish(fb::CreateCapture(builder, kCaptureVersion, impl_->shapes, frames), fb::CaptureIdentifier());
    return {reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace abut::tools
