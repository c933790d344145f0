// From the formats' shapes to those of <abut/capture.hpp>.
#include "capture.hpp"

#include <deque>

namespace abut::tools {
namespace {

// A view of a spec; `lists` holds the children that it points to.
CaptureShape view_of(const ShapeSpec& spec, std::deque<std::vector<CaptureChild>>& lists) {
    CaptureShape shape{spec.kind,     spec.radius,   spec.half_height, spec.extents,
                       spec.offset,   spec.vertices, nullptr,          0,
                       spec.rounding, spec.scale,    spec.triangles,   spec.sides,
                       spec.rows,     spec.columns,  spec.spacing_x,   spec.spacing_z,
                       spec.heights,  spec.pose,     spec.cells,       spec.solid,
                       spec.thickness};
    if (spec.children.empty()) return shape;
    std::vector<CaptureChild> children;
    for (const ChildSpec& child : spec.children)
        children.push_back({view_of(child.shape, lists), child.position, child.orientation});
    lists.push_back(std::move(children));
    shape.children = lists.back().data();
    shape.child_count = lists.back().size();
    return shape;
}

}  // namespace

void add_shapes(CaptureWriter& writer, std::span<const ShapeSpec> shapes) {
    for (const ShapeSpec& spec : shapes) {
        std::deque<std::vector<CaptureChild>> lists;
        if (writer.add_shape(view_of(spec, lists)) == CaptureWriter::kRefused) throw InputError(writer.error());
    }
}

void add_frame(CaptureWriter& writer, const CaptureFrame& frame) {
    if (!writer.add_frame(frame.label, frame.bodies, frame.pairs, frame.ends, frame.margins))
        throw InputError(writer.error());
}

std::span<const std::byte> file_bytes(CaptureWriter& writer) {
    const std::span<const std::byte> bytes = writer.bytes();
    if (bytes.empty()) throw InputError(writer.error());
    return bytes;
}

}  // namespace abut::tools
