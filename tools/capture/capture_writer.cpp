// Shapes and frames are copied as they come and encoded when the bytes are asked for.
#include <abut/capture.hpp>

#include <array>
#include <map>
#include <new>
#include <tuple>
#include <utility>

#include "capture_content.hpp"
#include "capture_limits.hpp"
#include "output_file.hpp"
#include "utf8.hpp"

namespace abut {
namespace {

using namespace tools;

constexpr const char* kNoMemory = "there is not enough memory";

// An instance as it was when it was recorded: its scale, rounding and pose may change under the same id.
using InstanceKey = std::tuple<std::uint32_t, float, std::array<float, 3>, std::array<float, 7>>;

InstanceKey key_of(const ShapeStore& store, ShapeId id) {
    const ShapeView view = store.view(id);
    const auto [at, q] = view.pose;
    return {
        id.bits(), view.rounding, {view.scale.x, view.scale.y, view.scale.z}, {at.x, at.y, at.z, q.x, q.y, q.z, q.w}};
}

[[noreturn]] void refuse(const std::string& why) { throw CaptureRefusal(why); }

// Adds what the copy takes in the file to `bytes`.
OwnShape copy_of(const CaptureShape& shape, int depth, std::uint64_t& bytes) {
    if (!captures_have(shape.kind)) {
        refuse(std::string("the shape is of kind ") + to_string(shape.kind) + ", which captures do not have");
    }
    OwnShape own;
    own.fields = shape;
    own.fields.vertices = {}, own.fields.triangles = {}, own.fields.heights = {}, own.fields.cells = {};
    own.fields.children = nullptr;
    bytes += kTableAllowance;
    if (has_vertices(shape.kind)) bytes += shape.vertices.size_bytes();
    if (shape.kind == ShapeKind::mesh) bytes += shape.triangles.size_bytes();
    if (shape.kind == ShapeKind::heightfield) bytes += shape.heights.size_bytes() + shape.cells.size();
    if (bytes >= kCaptureLimit) refuse_size();
    if (is_surface(shape.kind) && shape.sides != MeshSides::front && shape.sides != MeshSides::both)
        refuse("sides is " + std::to_string(unsigned(shape.sides)) + ", which is no MeshSides");
    if (has_vertices(shape.kind)) own.vertices.assign(shape.vertices.begin(), shape.vertices.end());
    if (shape.kind == ShapeKind::mesh) own.triangles.assign(shape.triangles.begin(), shape.triangles.end());
    if (shape.kind == ShapeKind::heightfield) own.heights.assign(shape.heights.begin(), shape.heights.end());
    if (shape.kind == ShapeKind::heightfield) own.cells.assign(shape.cells.begin(), shape.cells.end());
    if (shape.kind != ShapeKind::compound) return own;
    if (depth == kMaxCompoundDepth) refuse("the compound nests deeper than " + std::to_string(depth) + " compounds");
    for (std::size_t i = 0; i < shape.child_count; ++i) {
        const CaptureChild& child = shape.children[i];
        own.children.push_back({copy_of(child.shape, depth + 1, bytes), child.position, child.orientation});
    }
    return own;
}

// A store's shape, and what its CaptureShape points to.
struct Described {
    CaptureShape shape;
    std::map<std::uint32_t, std::vector<Vec3>> vertices;  // by the id of a hull or a mesh
    std::vector<MeshTriangle> triangles;
    std::vector<float> heights;
    std::vector<std::uint8_t> cells;
    std::vector<CaptureChild> children;
};

void describe_mesh(const ShapeStore& store, ShapeId id, Described& out) {
    const MeshReport report = store.view(id).mesh;
    std::vector<Vec3>& vertices = out.vertices[id.bits()];
    vertices.resize(report.vertices);
    store.mesh_vertices(id, vertices);
    out.triangles.resize(report.input_triangles);
    store.mesh_triangles(id, out.triangles);
    out.shape.vertices = vertices;
    out.shape.triangles = out.triangles;
    out.shape.sides = report.sides, out.shape.solid = report.solid;
}

void describe_field(const ShapeStore& store, ShapeId id, Described& out) {
    const HeightfieldReport report = store.view(id).heightfield;
    out.heights.resize(std::size_t(report.rows) * report.columns);
    store.field_heights(id, out.heights);
    out.shape.rows = report.rows, out.shape.columns = report.columns;
    out.shape.spacing_x = report.spacing_x, out.shape.spacing_z = report.spacing_z;
    out.shape.heights = out.heights;
    if (report.hole_cells + report.other_diagonals > 0)
        out.cells.resize(std::size_t(report.rows - 1) * (report.columns - 1));
    store.field_cells(id, out.cells);
    out.shape.cells = out.cells;
    out.shape.sides = report.sides, out.shape.thickness = report.thickness;
}

std::optional<RelativePose> pose_of(const ShapeStore& store, ShapeId id) {
    const RelativePose pose = store.view(id).pose;
    if (pose.position == Vec3{} && pose.orientation == Quat{}) return {};
    return pose;
}

// The store's own words for an instance that is no compound.
CaptureShape simple_shape(const ShapeStore& store, ShapeId id, Described& out) {
    const ShapeView view = store.view(id);
    CaptureShape shape;
    shape.kind = view.kind;
    shape.radius = view.radius;
    shape.half_height = view.half_height;
    shape.extents = view.kind == ShapeKind::halfspace ? view.normal : view.half_extents;
    shape.offset = view.offset;
    shape.rounding = view.rounding;
    if (view.scale != Vec3{1.0f, 1.0f, 1.0f}) shape.scale = view.scale;
    shape.pose = pose_of(store, id);
    if (view.kind != ShapeKind::hull) return shape;
    const auto [vertices, is_new] = out.vertices.try_emplace(id.bits());
    if (is_new) {
        vertices->second.resize(view.hull.vertices);
        store.hull_vertices(id, vertices->second);
    }
    shape.vertices = vertices->second;
    return shape;
}

// A compound's scale and rounding are in its children.
Described described(const ShapeStore& store, ShapeId id) {
    if (!store.contains(id)) refuse("shape id " + std::to_string(id.bits()) + " names no living shape");
    Described out;
    if (id.kind() != ShapeKind::compound) {
        out.shape = simple_shape(store, id, out);
        if (id.kind() == ShapeKind::mesh) describe_mesh(store, id, out);
        if (id.kind() == ShapeKind::heightfield) describe_field(store, id, out);
        return out;
    }
    std::vector<CompoundChild> children(store.view(id).children);
    store.compound_children(id, children);
    for (const CompoundChild& child : children)
        out.children.push_back({simple_shape(store, child.shape, out), child.position, child.orientation});
    out.shape.kind = ShapeKind::compound;
    out.shape.pose = pose_of(store, id);
    out.shape.children = out.children.data();
    out.shape.child_count = out.children.size();
    return out;
}

void check_frame(std::string_view label, std::span<const CaptureBody> bodies, std::span<const Pair> pairs,
                 std::size_t shape_count) {
    if (!is_valid_utf8(label)) refuse("the label is not UTF-8");
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].shape < shape_count) continue;
        refuse("bodies[" + std::to_string(i) + "] has shape " + std::to_string(bodies[i].shape) + "; there are " +
               std::to_string(shape_count));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs[i].a < bodies.size() && pairs[i].b < bodies.size()) continue;
        refuse("pairs[" + std::to_string(i) + "] is (" + std::to_string(pairs[i].a) + ", " +
               std::to_string(pairs[i].b) + "); there are " + std::to_string(bodies.size()) + " bodies");
    }
}

}  // namespace

struct CaptureWriter::Impl {
    std::vector<OwnShape> shapes;
    std::vector<OwnFrame> frames;
    std::map<InstanceKey, std::uint32_t> recorded;  // shapes that came from a store
    std::map<std::uint32_t, std::uint32_t> bound;   // by an id's bits
    std::uint64_t used = kTableAllowance;           // bytes that all of it takes in a file, or a few more
    flatbuffers::DetachedBuffer encoded;
    std::string error;

    // Runs a call; false where it was refused.
    template <class Call>
    bool attempt(Call&& call) noexcept {
        try {
            error.clear();
            call();
            return true;
        } catch (const std::bad_alloc&) {
            set_error(kNoMemory);
        } catch (const std::exception& why) {
            set_error(why.what());
        }
        return false;
    }
    void set_error(const char* why) noexcept {
        try {
            error = why;
        } catch (const std::bad_alloc&) {
            error.clear();  // a string keeps what fits without allocating
            error = "no memory";
        }
    }

    std::uint32_t add(const CaptureShape& shape) {
        if (shapes.size() >= kRefused) refuse_size();
        std::uint64_t bytes = used;
        shapes.push_back(copy_of(shape, 0, bytes));
        used = bytes;
        return std::uint32_t(shapes.size() - 1);
    }
    std::uint32_t add(const ShapeStore& store, ShapeId id) { return add(described(store, id).shape); }
    void add(std::string_view label, std::vector<CaptureBody> bodies, std::vector<Pair> pairs,
             std::vector<CapturePose> ends = {}, std::vector<float> margins = {}) {
        check_frame(label, bodies, pairs, shapes.size());
        if (!ends.empty() && ends.size() != bodies.size())
            refuse("ends has " + std::to_string(ends.size()) + " poses for " + std::to_string(bodies.size()) +
                   " bodies");
        if (!margins.empty() && margins.size() != pairs.size())
            refuse("margins has " + std::to_string(margins.size()) + " lengths for " + std::to_string(pairs.size()) +
                   " pairs");
        const std::uint64_t bytes = used + kTableAllowance + label.size() + bodies.size() * sizeof(CaptureBody) +
                                    pairs.size() * sizeof(Pair) + ends.size() * sizeof(CapturePose) +
                                    margins.size() * sizeof(float);
        if (bytes >= kCaptureLimit) refuse_size();
        frames.push_back(
            {std::string(label), std::move(bodies), std::move(pairs), std::move(ends), std::move(margins)});
        used = bytes;
    }

    // The index of a body's shape, added where it is new.
    std::uint32_t shape_of(const ShapeStore& store, ShapeId id) {
        if (const auto found = bound.find(id.bits()); found != bound.end()) return found->second;
        if (!store.contains(id)) refuse("shape id " + std::to_string(id.bits()) + " names no living shape");
        const InstanceKey key = key_of(store, id);
        if (const auto found = recorded.find(key); found != recorded.end()) return found->second;
        const std::uint32_t index = add(store, id);
        recorded.emplace(key, index);
        return index;
    }
    CaptureBody body_of(const Frame& frame, std::size_t i) {
        const Body body = frame.bodies[i];
        try {
            return {body.position, shape_of(*frame.shapes, body.shape), body.orientation};
        } catch (const CaptureRefusal& why) {
            refuse("bodies[" + std::to_string(i) + "]: " + why.what());
        }
    }
    // Where a pair has a pose of its own, or the difference of two doubles, its two bodies are written for it alone, A
    // at the origin.
    void add_pair_bodies(const Frame& frame, std::size_t i, std::vector<CaptureBody>& bodies) {
        const Pair pair = frame.pairs[i];
        const std::size_t count = frame.bodies.size();
        if (pair.a >= count || pair.b >= count)
            refuse("pairs[" + std::to_string(i) + "] is (" + std::to_string(pair.a) + ", " + std::to_string(pair.b) +
                   "); there are " + std::to_string(count) + " bodies");
        CaptureBody a = body_of(frame, pair.a), b = body_of(frame, pair.b);
        if (!frame.relative_poses.empty()) {
            const RelativePose pose = frame.relative_poses[i];
            a.orientation = {};
            b.position = pose.position, b.orientation = pose.orientation;
        } else {
            const DVec3 from = frame.bodies.position(pair.a), to = frame.bodies.position(pair.b);
            b.position = {float(to.x - from.x), float(to.y - from.y), float(to.z - from.z)};
        }
        a.position = {};
        bodies.insert(bodies.end(), {a, b});
    }
    void add(std::string_view label, const Frame& frame) {
        if (!frame.shapes) refuse("Frame::shapes is null");
        const bool stands_alone = !frame.relative_poses.empty() || !frame.bodies.columns().double_positions.empty();
        std::vector<CaptureBody> bodies;
        std::vector<Pair> pairs(frame.pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto first = static_cast<std::uint32_t>(2 * i);
            pairs[i] = stands_alone ? Pair{first, first + 1} : frame.pairs[i];
            if (stands_alone) add_pair_bodies(frame, i, bodies);
        }
        if (!stands_alone)
            for (std::size_t i = 0; i < frame.bodies.size(); ++i) bodies.push_back(body_of(frame, i));
        std::vector<float> margins;
        for (std::size_t i = 0; i < frame.margins.size(); ++i) margins.push_back(frame.margins[i]);
        add(label, std::move(bodies), std::move(pairs), {}, std::move(margins));
    }
};

CaptureWriter::CaptureWriter() : impl_(std::make_unique<Impl>()) {}
CaptureWriter::~CaptureWriter() = default;
CaptureWriter::CaptureWriter(CaptureWriter&&) noexcept = default;
CaptureWriter& CaptureWriter::operator=(CaptureWriter&&) noexcept = default;

std::uint32_t CaptureWriter::add_shape(const CaptureShape& shape) {
    std::uint32_t index = kRefused;
    impl_->attempt([&] { index = impl_->add(shape); });
    return index;
}

std::uint32_t CaptureWriter::add_shape(const ShapeStore& store, ShapeId id) {
    std::uint32_t index = kRefused;
    impl_->attempt([&] { index = impl_->add(store, id); });
    return index;
}

bool CaptureWriter::bind(ShapeId id, std::uint32_t shape) {
    return impl_->attempt([&] {
        if (shape >= impl_->shapes.size())
            refuse("there is no shape " + std::to_string(shape) + "; there are " + std::to_string(shape_count()));
        impl_->bound[id.bits()] = shape;
    });
}

bool CaptureWriter::add_frame(std::string_view label, std::span<const CaptureBody> bodies, std::span<const Pair> pairs,
                              std::span<const CapturePose> ends, std::span<const float> margins) {
    return impl_->attempt([&] {
        impl_->add(label, {bodies.begin(), bodies.end()}, {pairs.begin(), pairs.end()}, {ends.begin(), ends.end()},
                   {margins.begin(), margins.end()});
    });
}

bool CaptureWriter::add_frame(std::string_view label, const Frame& frame) {
    const std::size_t shapes_before = impl_->shapes.size();
    const std::uint64_t used_before = impl_->used;
    const bool done = impl_->attempt([&] { impl_->add(label, frame); });
    if (!done) {
        impl_->shapes.resize(shapes_before);
        std::erase_if(impl_->recorded, [&](const auto& shape) { return shape.second >= shapes_before; });
        impl_->used = used_before;
    }
    return done;
}

std::uint32_t CaptureWriter::shape_count() const { return std::uint32_t(impl_->shapes.size()); }
std::size_t CaptureWriter::frame_count() const { return impl_->frames.size(); }

std::span<const std::byte> CaptureWriter::bytes() {
    std::span<const std::byte> bytes;
    impl_->attempt([&] {
        impl_->encoded = encode_capture(impl_->shapes, impl_->frames, std::size_t(impl_->used));
        bytes = {reinterpret_cast<const std::byte*>(impl_->encoded.data()), impl_->encoded.size()};
    });
    return bytes;
}

bool CaptureWriter::write(const char* path) {
    const std::span<const std::byte> content = bytes();
    if (content.empty()) return false;
    const bool done = impl_->attempt([&] {
        OutputFile file(path);
        file.write(content);
        file.commit();
    });
    impl_->encoded = {};
    return done;
}

const char* CaptureWriter::error() const { return impl_->error.c_str(); }

}  // namespace abut
