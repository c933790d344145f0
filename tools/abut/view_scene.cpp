#include "view_scene.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

namespace abut::tools {
namespace {

class Hash {
public:
    void add(std::uint32_t word) { value_ = (value_ ^ word) * 16777619u; }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    void add(Vec3 v) { add(v.x), add(v.y), add(v.z); }
    void add(Status status) { add(std::uint32_t(status)); }
    template <class Item>
    void add(const std::vector<Item>& column) {
        for (const Item& item : column) add(item);
    }
    std::uint32_t value() const { return value_; }

private:
    std::uint32_t value_ = 2166136261u;
};

// Pages have no poses of shapes: one with a pose becomes the only child of a compound.
Expected<ShapeSpec> without_poses(ShapeSpec spec) {
    for (ChildSpec& child : spec.children) {
        Expected<ShapeSpec> plain = without_poses(std::move(child.shape));
        if (!plain) return plain;
        child.shape = std::move(*plain);
    }
    if (!spec.pose) return spec;
    if (spec.kind == ShapeKind::halfspace || spec.kind == ShapeKind::mesh || spec.kind == ShapeKind::heightfield)
        return Error{ErrorCode::bad_shape,
                     Message(fmt::format("a {} with a pose cannot be shown", to_string(spec.kind)))};
    const RelativePose pose = *std::exchange(spec.pose, {});
    ShapeSpec whole;
    whole.kind = ShapeKind::compound;
    whole.children.push_back({std::move(spec), pose.position, pose.orientation});
    return whole;
}

}  // namespace

Expected<std::uint32_t> ViewScene::shape_index(const ShapeSpec& given) {
    const Expected<ShapeSpec> plain = without_poses(given);
    if (!plain) return plain.error();
    const ShapeSpec& spec = *plain;
    std::string key = shape_key(spec);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const Expected<ShapeId> id = add_shape(store_, spec);
    if (!id) return id.error();
    const auto index = std::uint32_t(shapes_.size());
    shapes_.push_back(spec);
    ids_.push_back(*id);
    known_.emplace(std::move(key), index);
    return index;
}

void ViewScene::add_capture(const Capture& capture, const std::string& name) {
    std::vector<std::uint32_t> indices;
    for (const ShapeSpec& spec : capture.shapes) {
        const Expected<std::uint32_t> index = shape_index(spec);
        if (!index)
            throw InputError(fmt::format("{}: shape {}: {}", name, indices.size(), index.error().message.view()));
        indices.push_back(*index);
    }
    for (const CaptureFrame& frame : capture.frames) {
        ViewFrame out;
        out.label = frame.label;
        out.bodies.assign(frame.bodies.begin(), frame.bodies.end());
        for (CaptureBody& body : out.bodies) body.shape = indices[body.shape];
        out.pairs.assign(frame.pairs.begin(), frame.pairs.end());
        frames_.push_back(std::move(out));
    }
}

bool ViewScene::add_body(ViewFrame& frame, const Posed<Space3D>& posed, const char* name) {
    const Expected<std::uint32_t> index = shape_index(posed.shape);
    if (index) {
        frame.bodies.push_back({.position = posed.position, .shape = *index, .orientation = posed.orientation});
        return true;
    }
    frame.refused = "bad_shape";
    frame.message = fmt::format("{}: {}", name, index.error().message.view());
    frame.bodies.clear();
    return false;
}

void ViewScene::add_question(QuestionIn<Space3D> question, std::size_t line) {
    ViewFrame frame;
    frame.label = std::move(question.id);
    frame.line = line;
    frame.refused = question.refused;
    frame.message = std::move(question.message);
    if (!frame.refused && add_body(frame, question.a, "a") && add_body(frame, question.b, "b"))
        frame.pairs.push_back({0, 1});
    frames_.push_back(std::move(frame));
}

std::uint32_t ViewScene::answers_hash(NarrowPhase& narrow, const ViewFrame& frame) const {
    std::vector<Body> bodies;
    bodies.reserve(frame.bodies.size());
    for (const CaptureBody& body : frame.bodies) bodies.push_back({body.position, ids_[body.shape], body.orientation});
    const Frame asked{.shapes = &store_, .bodies = bodies, .pairs = frame.pairs};
    Distances distances;
    Manifolds manifolds;
    if (const CallResult result = narrow.distance(asked, distances); !result) throw InputError(result.error().message);
    if (const CallResult result = narrow.collide(asked, manifolds); !result) throw InputError(result.error().message);

    Hash hash;
    hash.add(distances.signed_distance);
    hash.add(distances.normal);
    hash.add(distances.point_a);
    hash.add(distances.point_b);
    hash.add(distances.status);
    hash.add(manifolds.first_manifold);
    hash.add(manifolds.status);
    for (const Manifold& manifold : manifolds.manifolds) {
        hash.add(manifold.normal);
        hash.add(manifold.contact_count);
    }
    for (const Contact& contact : manifolds.contacts) {
        hash.add(contact.position);
        hash.add(contact.separation);
        hash.add(contact.feature);
    }
    return hash.value();
}

}  // namespace abut::tools
