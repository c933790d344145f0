// Captures (*.abut): frames of a real engine in a file. Reading checks everything before anything is used; writing
// gives the same bytes for the same content. docs/formats.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/capture.hpp>
#include <abut/frame.hpp>
#include <abut/math.hpp>

#include "capture_limits.hpp"
#include "files.hpp"
#include "shape_spec.hpp"

namespace abut::tools {

using abut::CaptureBody;

struct CaptureFrame {
    std::string_view label;
    std::span<const CaptureBody> bodies;
    std::span<const Pair> pairs;
    std::span<const CapturePose> ends = {};  // none, or one for each body
    std::span<const float> margins = {};     // none, or one for each pair
};

// A capture that has been read: the frames are views of the file's bytes.
struct Capture {
    std::vector<ShapeSpec> shapes;
    std::vector<CaptureFrame> frames;
};

// Checks that `bytes` are a whole capture, every index in range, and nothing but it. Throws InputError with `name`, the
// offset and what is wrong. `bytes` lie on a 4-byte boundary and outlive the result. Memory used stays below a small
// multiple of their size.
Capture read_capture(std::span<const std::byte> bytes, const std::string& name);

class CaptureFile {
public:
    explicit CaptureFile(const std::string& path)
        : file_(path, kCaptureLimit), capture_(read_capture(file_.bytes(), path)) {}
    const Capture& capture() const { return capture_; }
    const NamedFile& file() const { return file_.file(); }

private:
    MappedFile file_;
    Capture capture_;
};

// The writer of <abut/capture.hpp> with the formats' shapes. Throw InputError where it refuses.
void add_shapes(CaptureWriter& writer, std::span<const ShapeSpec> shapes);
void add_frame(CaptureWriter& writer, const CaptureFrame& frame);
// The file's bytes, until the writer is changed.
std::span<const std::byte> file_bytes(CaptureWriter& writer);

}  // namespace abut::tools
