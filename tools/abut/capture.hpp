// Captures (*.abut): frames of a real engine in a file. Reading checks everything before anything is used; writing gives the same
// bytes for the same content. docs/formats.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/frame.hpp>
#include <abut/math.hpp>

#include "files.hpp"
#include "shape_spec.hpp"

namespace abut::tools {

inline constexpr std::uint32_t kCaptureVersion = 1;
// A file of this size or more is refused before it is mapped (FlatBuffers' offsets are signed 32 bits).
inline constexpr std::uint64_t kCaptureLimit = (std::uint64_t(1) << 31) - 1;

// As in the file: abut::Body with a shape's index in place of its id.
struct CaptureBody {
    Vec3 position;
    std::uint32_t shape = 0;
    Quat orientation;
};
static_assert(sizeof(CaptureBody) == sizeof(Body));

struct CaptureFrame {
    std::string_view label;
    std::span<const CaptureBody> bodies;
    std::span<const Pair> pairs;
};

// A capture that has been read: the frames are views of the file's bytes.
struct Capture {
    std::vector<ShapeSpec> shapes;
    std::vector<CaptureFrame> frames;
};

// Checks that `bytes` are a whole capture, every index in range, and nothing but it. Throws InputError with `name`, the offset and
// what is wrong. `bytes` lie on a 4-byte boundary and outlive the result. Memory used stays below a small multiple of their size.
Capture read_capture(std::span<const std::byte> bytes, const std::string& name);

class CaptureFile {
public:
    explicit CaptureFile(const std::string& path) : file_(path, kCaptureLimit), capture_(read_capture(file_.bytes(), path)) {}
    const Capture& capture() const { return capture_; }
    const NamedFile& file() const { return file_.file(); }

private:
    MappedFile file_;
    Capture capture_;
};

// Builds a capture: shapes once, first; then the frames. Throws InputError where it would grow past the format's size.
class CaptureWriter {
public:
    CaptureWriter();
    ~CaptureWriter();
    void add_shapes(std::span<const ShapeSpec> shapes);
    // Precondition: shape and pair indices are in range.
    void add_frame(const CaptureFrame& frame);
    // The file's bytes, until the writer goes.
    std::span<const std::byte> finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut::tools
