// Reading captures: FlatBuffers' verifier first, then everything it does not know of (version, kinds, indices, trailing
// bytes, arrays claimed more than once). Bytes come from strangers: nothing here trusts a count before it has been
// checked.
#include "capture.hpp"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "capture_generated.h"
#include "json_string.hpp"

namespace abut::tools {
namespace {

namespace fb = abut::capture;
using flatbuffers::Offset;
using flatbuffers::Table;
using flatbuffers::Vector;
using flatbuffers::Verifier;
using flatbuffers::voffset_t;

static_assert(std::endian::native == std::endian::little, "captures are used as they lie in the file");
static_assert(sizeof(fb::Body) == sizeof(CaptureBody) && sizeof(fb::Pair) == sizeof(Pair) &&
              sizeof(fb::Pose) == sizeof(CapturePose) && sizeof(fb::Vec3) == sizeof(Vec3) &&
              sizeof(fb::Triangle) == sizeof(MeshTriangle));

constexpr std::size_t kMinBytes = 8;       // root offset and identifier
constexpr std::size_t kMinTableBytes = 8;  // its own head, and the offset that leads to it
constexpr unsigned kMaxTableDepth = 2 + 2 * (kMaxCompoundDepth + 1);

class Reader {
public:
    Reader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    Capture read() {
        check_head();
        Verifier verifier = new_verifier();
        if (!verifier.VerifyBuffer<fb::Capture>(fb::CaptureIdentifier())) explain();
        const fb::Capture& root = *fb::GetCapture(bytes_.data());
        version_ = root.version();
        if (version_ < kCaptureVersion || version_ > kMarginsVersion) {
            fail(&root, fmt::format("the format's version is {}; this program reads {} to {}", version_,
                                    kCaptureVersion, kMarginsVersion));
        }
        if (verifier.GetComputedSize() != bytes_.size()) {
            fail_at(verifier.GetComputedSize(),
                    fmt::format("{} trailing bytes", bytes_.size() - verifier.GetComputedSize()));
        }
        Capture capture;
        if (root.shapes()) {
            capture.shapes.reserve(root.shapes()->size());
            for (const fb::Shape* shape : *root.shapes()) capture.shapes.push_back(read_shape(*shape, 0));
        }
        if (root.frames()) {
            capture.frames.reserve(root.frames()->size());
            for (const fb::Frame* frame : *root.frames()) {
                capture.frames.push_back(read_frame(*frame));
                check_indices(capture.frames.back(), capture.shapes.size());
            }
        }
        return capture;
    }

private:
    const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(bytes_.data()); }
    std::size_t offset_of(const void* at) const { return std::size_t(static_cast<const std::uint8_t*>(at) - data()); }

    [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const {
        throw InputError(fmt::format("{}: offset {}: {}", name_, offset, what));
    }
    [[noreturn]] void fail(const void* at, const std::string& what) const { fail_at(offset_of(at), what); }

    Verifier new_verifier() const {
        return Verifier(data(), bytes_.size(), kMaxTableDepth, flatbuffers::uoffset_t(bytes_.size() / kMinTableBytes));
    }

    void check_head() const {
        if (bytes_.size() < kMinBytes) {
            fail_at(bytes_.size(), fmt::format("the file ends here; a capture has more than {} bytes", kMinBytes));
        }
        if (std::memcmp(data() + 4, fb::CaptureIdentifier(), 4) != 0) {
            const std::string_view found(reinterpret_cast<const char*>(data()) + 4, 4);
            fail_at(4, fmt::format("not a capture: its mark is {}, not \"{}\"", json_string(found),
                                   fb::CaptureIdentifier()));
        }
    }

    // Tables may share arrays, which would let a small file ask for much memory: each use counts, and all must fit into
    // the file.
    void claim(const void* at, std::size_t size) {
        claimed_ += size;
        if (claimed_ > bytes_.size()) fail(at, "this part and those before it claim more bytes than the file has");
    }

    static Vec3 vec3(const fb::Vec3* v) { return v ? Vec3{v->x(), v->y(), v->z()} : Vec3{}; }
    static Quat quat(const fb::Quat* q) { return q ? Quat{q->x(), q->y(), q->z(), q->w()} : Quat{}; }

    ShapeKind read_kind(const fb::Shape& shape) const {
        const auto kind = ShapeKind(shape.kind());
        const bool known = shape.kind() <= fb::Kind::MAX && kind != ShapeKind::custom;
        if (!known) fail(&shape, fmt::format("shape kind {} is none that this program knows", unsigned(shape.kind())));
        return kind;
    }

    MeshSides read_sides(const fb::Shape& shape) const {
        if (shape.sides() > fb::Sides::MAX)
            fail(&shape, fmt::format("sides {} is none that this program knows", unsigned(shape.sides())));
        return MeshSides(shape.sides());
    }

    template <class List, class Item>
    void read_list(const List* list, std::vector<Item>& out) {
        if (!list) return;
        claim(list, list->size() * sizeof(Item));
        const auto* first = reinterpret_cast<const Item*>(list->Data());
        out.assign(first, first + list->size());
    }

    ShapeSpec read_shape(const fb::Shape& shape, int depth) {
        claim(&shape, kMinTableBytes);
        ShapeSpec spec;
        spec.kind = read_kind(shape);
        spec.radius = shape.radius();
        spec.half_height = shape.half_height();
        spec.offset = shape.offset();
        spec.rounding = shape.rounding();
        if (shape.scale()) spec.scale = vec3(shape.scale());
        if (spec.kind == ShapeKind::box) spec.extents = vec3(shape.half_extents());
        if (spec.kind == ShapeKind::ellipsoid) spec.extents = vec3(shape.radii());
        if (spec.kind == ShapeKind::halfspace) spec.extents = vec3(shape.normal());
        const bool is_mesh = spec.kind == ShapeKind::mesh;
        if (spec.kind == ShapeKind::hull || is_mesh) read_list(shape.vertices(), spec.vertices);
        if (is_mesh) read_list(shape.triangles(), spec.triangles), spec.solid = shape.solid();
        if (is_mesh || spec.kind == ShapeKind::heightfield) spec.sides = read_sides(shape);
        if (spec.kind == ShapeKind::heightfield) {
            spec.rows = shape.rows(), spec.columns = shape.columns();
            spec.spacing_x = shape.spacing_x(), spec.spacing_z = shape.spacing_z();
            read_list(shape.heights(), spec.heights);
            read_list(shape.cells(), spec.cells);
            spec.thickness = shape.thickness();
            if (!spec.cells.empty() && version_ < kCellsVersion)
                fail(&shape, fmt::format("the shape has flags of cells, which version {} does not have", version_));
        }
        if ((spec.solid || spec.thickness != 0) && version_ < kSolidsVersion)
            fail(&shape, fmt::format("the shape is solid, which version {} does not have", version_));
        if (const fb::Pose* pose = shape.pose()) {
            if (version_ < kPosesVersion)
                fail(&shape, fmt::format("the shape has a pose, which version {} does not have", version_));
            spec.pose = RelativePose{vec3(&pose->position()), quat(&pose->orientation())};
        }
        if (spec.kind == ShapeKind::compound && shape.children()) read_children(shape, depth, spec.children);
        return spec;
    }

    void read_children(const fb::Shape& shape, int depth, std::vector<ChildSpec>& out) {
        if (depth == kMaxCompoundDepth) fail(&shape, fmt::format("compounds nest deeper than {}", kMaxCompoundDepth));
        claim(shape.children(), shape.children()->size() * kMinTableBytes);
        out.reserve(shape.children()->size());
        for (const fb::Child* child : *shape.children()) {
            out.push_back(
                {read_shape(*child->shape(), depth + 1), vec3(child->position()), quat(child->orientation())});
        }
    }

    CaptureFrame read_frame(const fb::Frame& frame) {
        claim(&frame, kMinTableBytes);
        CaptureFrame out;
        if (frame.label()) {
            out.label = {frame.label()->c_str(), frame.label()->size()};
            claim(frame.label(), out.label.size());
            if (!is_utf8(out.label)) fail(frame.label(), "the label is not UTF-8");
        }
        if (frame.bodies()) {
            out.bodies = {reinterpret_cast<const CaptureBody*>(frame.bodies()->Data()), frame.bodies()->size()};
            claim(frame.bodies(), out.bodies.size_bytes());
        }
        if (frame.pairs()) {
            out.pairs = {reinterpret_cast<const Pair*>(frame.pairs()->Data()), frame.pairs()->size()};
            claim(frame.pairs(), out.pairs.size_bytes());
        }
        if (frame.ends()) {
            out.ends = {reinterpret_cast<const CapturePose*>(frame.ends()->Data()), frame.ends()->size()};
            claim(frame.ends(), out.ends.size_bytes());
            if (!out.ends.empty() && out.ends.size() != out.bodies.size())
                fail(frame.ends(),
                     fmt::format("the frame has {} ends for {} bodies", out.ends.size(), out.bodies.size()));
        }
        if (frame.margins()) {
            out.margins = {reinterpret_cast<const float*>(frame.margins()->Data()), frame.margins()->size()};
            claim(frame.margins(), out.margins.size_bytes());
            if (!out.margins.empty() && out.margins.size() != out.pairs.size())
                fail(frame.margins(),
                     fmt::format("the frame has {} margins for {} pairs", out.margins.size(), out.pairs.size()));
            if (!out.margins.empty() && version_ < kMarginsVersion)
                fail(frame.margins(), fmt::format("the frame has margins, which version {} does not have", version_));
        }
        return out;
    }

    void check_indices(const CaptureFrame& frame, std::size_t shape_count) const {
        for (const CaptureBody& body : frame.bodies) {
            if (body.shape < shape_count) continue;
            fail(&body.shape, fmt::format("body {} has shape {}; there are {}", &body - frame.bodies.data(), body.shape,
                                          shape_count));
        }
        for (const Pair& pair : frame.pairs) {
            if (pair.a < frame.bodies.size() && pair.b < frame.bodies.size()) continue;
            fail(&pair, fmt::format("pair {} joins bodies {} and {}; there are {}", &pair - frame.pairs.data(), pair.a,
                                    pair.b, frame.bodies.size()));
        }
    }

    // The verifier says only yes or no. After a no, this goes through the parts one by one and names the first that is
    // broken.
    [[noreturn]] void explain() const {
        const Verifier verifier = new_verifier();
        const auto root_offset = verifier.VerifyOffset(0);
        if (root_offset == 0) fail_at(0, "the root's offset leads out of the file");
        const auto* root = reinterpret_cast<const Table*>(data() + root_offset);
        Verifier tables = new_verifier();
        if (!root->VerifyTableStart(tables)) fail(root, "the root table is cut short");
        if (!root->VerifyField<std::uint32_t>(verifier, fb::Capture::VT_VERSION, 4))
            fail(root, "the version is cut short");
        explain_tables<fb::Shape>(*root, fb::Capture::VT_SHAPES, "shape");
        explain_tables<fb::Frame>(*root, fb::Capture::VT_FRAMES, "frame");
        fail(root, "tables nest too deeply, or are more than the file can hold");
    }

    template <class T>
    void explain_tables(const Table& owner, voffset_t field, const char* what) const {
        const auto* list = explain_list<Offset<T>>(owner, field, fmt::format("the list of {}s", what));
        if (!list) return;
        for (flatbuffers::uoffset_t i = 0; i < list->size(); ++i) {
            Verifier verifier = new_verifier();
            const T* item = list->Get(i);
            if (item->Verify(verifier)) continue;
            const std::string name = fmt::format("{} {}", what, i);
            Verifier head = new_verifier();
            if (!reinterpret_cast<const Table*>(item)->VerifyTableStart(head))
                fail(list->Data() + i * 4, name + " leads out of the file");
            if constexpr (std::is_same_v<T, fb::Frame>) {
                const auto& table = *reinterpret_cast<const Table*>(item);
                explain_list<const fb::Body*>(table, fb::Frame::VT_BODIES, name + ": the list of bodies");
                explain_list<const fb::Pair*>(table, fb::Frame::VT_PAIRS, name + ": the list of pairs");
                explain_list<const fb::Pose*>(table, fb::Frame::VT_ENDS, name + ": the list of ends");
                explain_list<float>(table, fb::Frame::VT_MARGINS, name + ": the list of margins");
            }
            fail(item, name + " is cut short, or a part of it leads out of the file");
        }
    }

    // The list, once it is known to lie in the file; null where there is none.
    template <class Item>
    const Vector<Item>* explain_list(const Table& owner, voffset_t field, const std::string& what) const {
        const Verifier verifier = new_verifier();
        if (!owner.VerifyOffset(verifier, field)) fail(&owner, what + " leads out of the file");
        const auto* list = owner.GetPointer<const Vector<Item>*>(field);
        if (!list) return nullptr;
        if (!verifier.Verify<std::uint32_t>(offset_of(list))) fail(list, what + " is cut short");
        if (!verifier.VerifyVector(list))
            fail(list, fmt::format("{}, {} long, reaches past the end of the file", what, list->size()));
        return list;
    }

    std::span<const std::byte> bytes_;
    const std::string& name_;
    std::uint64_t claimed_ = 0;
    std::uint32_t version_ = 0;
};

}  // namespace

Capture read_capture(std::span<const std::byte> bytes, const std::string& name) { return Reader(bytes, name).read(); }

}  // namespace abut::tools
