#include "view_scene.hpp"

#include <fmt/format.h>

#include "result_bits.hpp"

namespace abut::tools {

Expected<std::uint32_t> ViewScene::shape_index(const ShapeSpec& spec) {
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
        if (own_margins_) out.margins.assign(frame.margins.begin(), frame.margins.end());
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

AnswerSums ViewScene::answer_sums(NarrowPhase& narrow, const ViewFrame& frame) const {
    std::vector<Body> bodies;
    bodies.reserve(frame.bodies.size());
    for (const CaptureBody& body : frame.bodies) bodies.push_back({body.position, ids_[body.shape], body.orientation});
    Frame asked{.shapes = &store_, .bodies = bodies, .pairs = frame.pairs};
    QueryResults results;
    const auto check = [](const CallResult& result) {
        if (!result) throw InputError(result.error().message);
    };
    check(narrow.overlap(asked, results.overlaps));
    check(narrow.distance(asked, results.distances));
    asked.margins = frame.margins;
    check(narrow.collide(asked, results.manifolds));
    return {checksum(results, Query::overlap), checksum(results, Query::distance), checksum(results, Query::collide)};
}

}  // namespace abut::tools
