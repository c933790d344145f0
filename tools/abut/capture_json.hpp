// Captures as JSON lines: the first line holds the shapes, each line after it a frame.
#pragma once

#include <functional>
#include <string>

#include "capture.hpp"

namespace abut::tools {

// Reads all of `lines` into `writer`. Throws InputError with the line's number and what is wrong. `each_line` is called
// after each.
void pack_lines(LineReader& lines, CaptureWriter& writer, const std::function<void()>& each_line = {});

// The lines, each with its ending; reading them back gives the same capture.
void append_shapes_line(std::string& out, std::span<const ShapeSpec> shapes);
void append_frame_line(std::string& out, const CaptureFrame& frame);

}  // namespace abut::tools
