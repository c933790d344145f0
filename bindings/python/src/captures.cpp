// Captures: frames of an engine in a file, written and read.
#include <abut/capture.hpp>

#include <cstring>
#include <optional>

#include "capture.hpp"
#include "frames.hpp"
#include "queries.hpp"

namespace abut::python {
namespace {

// A capture that has been read, from a file that stays mapped or from bytes of its own.
class ReadCapture {
public:
    explicit ReadCapture(const std::string& path) : file_(path) {}
    ReadCapture(std::span<const std::byte> bytes, const std::string& name) : words_((bytes.size() + 3) / 4) {
        if (!bytes.empty()) std::memcpy(words_.data(), bytes.data(), bytes.size());
        read_ = tools::read_capture(std::as_bytes(std::span(words_)).first(bytes.size()), name);
    }
    const tools::Capture& content() const { return file_ ? file_->capture() : read_; }

private:
    std::optional<tools::CaptureFile> file_;
    std::vector<std::uint32_t> words_;  // aligned as captures are read
    tools::Capture read_;
};

using CapturePtr = std::shared_ptr<const ReadCapture>;

struct ReadFrame {
    CapturePtr capture;
    tools::CaptureFrame frame;
};

// f() without the GIL; what it throws is a ValueError.
template <class F>
CapturePtr reading(F&& f) {
    std::string refused;
    {
        const py::gil_scoped_release release;
        try {
            return f();
        } catch (const tools::InputError& error) {
            refused = error.what();
        }
    }
    value_error(refused);
}

CapturePtr read_path(const py::object& path) {
    const py::module_ os = py::module_::import("os");
    os.attr("stat")(path);  // FileNotFoundError and the like
    const auto name = py::cast<std::string>(os.attr("fsdecode")(path));
    return reading([&] { return std::make_shared<const ReadCapture>(name); });
}

CapturePtr read_bytes(const py::bytes& given, const std::string& name) {
    const std::string_view text = given;
    return reading([&] { return std::make_shared<const ReadCapture>(std::as_bytes(std::span(text)), name); });
}

ReadFrame frame_at(const CapturePtr& capture, py::ssize_t index) {
    const auto count = py::ssize_t(capture->content().frames.size());
    const py::ssize_t at = index < 0 ? index + count : index;
    if (at < 0 || at >= count)
        throw py::index_error("frame " + std::to_string(index) + "; the capture has " + std::to_string(count));
    return {capture, capture->content().frames[std::size_t(at)]};
}

py::array_t<std::uint32_t> add_shapes(const ReadCapture& capture, Store& store) {
    const auto& specs = capture.content().shapes;
    py::array_t<std::uint32_t> ids(py::ssize_t(specs.size()));
    for (std::size_t i = 0; i < specs.size(); ++i)
        ids.mutable_data()[i] =
            value_of(store.change([&](ShapeStore& shapes) { return tools::add_shape(shapes, specs[i]); })).bits();
    return ids;
}

py::array records(const ReadFrame& frame, py::handle given) {
    const Column rows = uint_rows(given, "ids", 0);
    const auto ids = rows.as<std::uint32_t>();
    auto bodies = std::make_shared<std::vector<Body>>();
    bodies->reserve(frame.frame.bodies.size());
    for (const CaptureBody& body : frame.frame.bodies) {
        if (body.shape >= ids.size())
            value_error("ids: " + std::to_string(ids.size()) + "; a body has shape " + std::to_string(body.shape));
        bodies->push_back({body.position, ShapeId::from_bits(ids[body.shape]), body.orientation});
    }
    return view_of<Body>(*bodies, record_dtype("body_dtype"), {}, bodies);
}

py::array read_only(py::array array) {
    make_read_only(array);
    return array;
}

py::array pair_rows(const ReadFrame& frame) {
    const auto numbers =
        std::span(reinterpret_cast<const std::uint32_t*>(frame.frame.pairs.data()), frame.frame.pairs.size() * 2);
    const py::array flat = view_of<std::uint32_t>(numbers, py::dtype("uint32"), {}, frame.capture);
    make_read_only(flat);
    return py::array(flat.attr("reshape")(frame.frame.pairs.size(), 2));
}

void check_written(const CaptureWriter& writer, bool done) {
    if (!done) raise({ErrorCode::bad_argument, writer.error()});
}

void define_reader(py::module_& module) {
    py::class_<ReadFrame>(module, "CaptureFrame", "A frame of a Capture. Its arrays are read-only views of the file.")
        .def_property_readonly(
            "label", [](const ReadFrame& f) { return std::string(f.frame.label); }, "The frame's label.")
        .def_property_readonly(
            "bodies",
            [](const ReadFrame& f) {
        return read_only(view_of<CaptureBody>(f.frame.bodies, record_dtype("body_dtype"), {}, f.capture));
            },
            "(n,) body_dtype, whose field \"shape\" is the shape's index in the capture.")
        .def_property_readonly("pairs", &pair_rows, "(m, 2) uint32.")
        .def("records", &records, py::arg("ids"),
             "The bodies with the ids of Capture.add_shapes in place of the indices: a new array of body_dtype.")
        .def("__repr__", [](const ReadFrame& f) {
            return "<abut.CaptureFrame of " + std::to_string(f.frame.bodies.size()) + " bodies and " +
                   std::to_string(f.frame.pairs.size()) + " pairs>";
        });
    py::class_<ReadCapture, std::shared_ptr<ReadCapture>>(
        module, "Capture",
        R"(Capture(path): frames of an engine, as abut::CaptureWriter and abut.CaptureWriter record them (docs/formats.md).

The file is checked whole, and mapped: it must not change while the capture is used. ValueError names the offset and what is wrong. capture[i] is a CaptureFrame.)")
        .def(py::init([](const py::object& path) { return std::const_pointer_cast<ReadCapture>(read_path(path)); }),
             py::arg("path"))
        .def_static(
            "from_bytes",
            [](const py::bytes& data, const std::string& name) {
        return std::const_pointer_cast<ReadCapture>(read_bytes(data, name));
            },
            py::arg("data"), py::arg("name") = "capture",
            "From the file's bytes, which are copied. The name is for messages.")
        .def_property_readonly(
            "shape_count", [](const ReadCapture& c) { return c.content().shapes.size(); }, "The number of shapes.")
        .def("add_shapes", &add_shapes, py::arg("store"),
             "Adds all shapes to a store: their ids, (shape_count,) uint32.")
        .def(
            "__len__", [](const ReadCapture& c) { return c.content().frames.size(); }, "The number of frames.")
        .def(
            "__getitem__", [](const std::shared_ptr<ReadCapture>& c, py::ssize_t index) { return frame_at(c, index); },
            py::arg("index"), "A frame.")
        .def("__iter__",
             [](const py::object& self) { return py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr())); });
}

}  // namespace

void define_captures(py::module_& module) {
    module.attr("has_captures") = true;
    define_reader(module);
    py::class_<CaptureWriter>(
        module, "CaptureWriter",
        "Records frames into a capture, which `abut replay` and Capture read. One thread at a time.")
        .def(py::init<>())
        .def(
            "add_frame",
            [](CaptureWriter& writer, const std::string& label, const py::args& positional,
               const py::kwargs& keywords) {
        Arguments arguments("add_frame", positional, keywords);
        const auto arrays = frame_of(arguments);
        arguments.finish({ABUT_FRAME_ARGUMENTS});
        const std::shared_lock readers(arrays->store->mutex(), std::try_to_lock);
        if (!readers) throw std::runtime_error("the store is being changed by another thread");
        check_written(writer, writer.add_frame(label, arrays->frame));
            },
            py::arg("label"), R"(add_frame(label, frame)
add_frame(label, store, bodies=None, pairs=None, **columns)

Adds a frame, given as to NarrowPhase.collide, and its store's shapes that are met for the first time. All frames are of one store.)")
        .def(
            "to_bytes",
            [](CaptureWriter& writer) {
        const auto bytes = writer.bytes();
        return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            },
            "The file's bytes.")
        .def(
            "write",
            [](CaptureWriter& writer, const py::object& path) {
        const auto name = py::cast<std::string>(py::module_::import("os").attr("fsdecode")(path));
        check_written(writer, writer.write(name.c_str()));
            },
            py::arg("path"), "Writes all that was added so far to a file.")
        .def(
            "__len__", [](const CaptureWriter& writer) { return writer.frame_count(); }, "The number of frames.");
}

}  // namespace abut::python
