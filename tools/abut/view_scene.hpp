// What a page of `abut view` shows: shapes once, and frames of bodies and pairs. A question of `abut query` is a frame
// of two bodies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <abut/abut.hpp>

#include "capture.hpp"
#include "question.hpp"

namespace abut::tools {

struct ViewFrame {
    std::string label;              // of a question its id, as JSON
    std::size_t line = 0;           // of a question, from 1; 0 for a frame of a capture
    const char* refused = nullptr;  // the status of a question that cannot be asked
    std::string message;            // why
    std::vector<CaptureBody> bodies;
    std::vector<Pair> pairs;
    std::vector<float> margins;  // of contacts, one per pair; empty: that of the settings
};

// Checksums of a frame's answers, as `abut replay --checksum` makes them.
struct AnswerSums {
    std::uint64_t overlap = 0, distance = 0, collide = 0;
};

class ViewScene {
public:
    // `own_margins`: frames keep the margins of their capture.
    explicit ViewScene(bool own_margins) : own_margins_(own_margins) {}
    // Throws InputError if the library refuses one of the shapes.
    void add_capture(const Capture& capture, const std::string& name);
    void add_question(QuestionIn<Space3D> question, std::size_t line);

    const std::vector<ShapeSpec>& shapes() const { return shapes_; }
    const std::vector<ViewFrame>& frames() const { return frames_; }
    // The page compares them with those of its own kernel.
    AnswerSums answer_sums(NarrowPhase& narrow, const ViewFrame& frame) const;

private:
    Expected<std::uint32_t> shape_index(const ShapeSpec& spec);
    bool add_body(ViewFrame& frame, const Posed<Space3D>& posed, const char* name);

    bool own_margins_;
    ShapeStore store_;
    std::vector<ShapeSpec> shapes_;
    std::vector<ShapeId> ids_;                              // of shapes_
    std::unordered_map<std::string, std::uint32_t> known_;  // shape_key, index
    std::vector<ViewFrame> frames_;
};

}  // namespace abut::tools
