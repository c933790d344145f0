/// @file
/// Frame: one batch in the layout of the caller's engine. Bodies are 32-byte records, or one column per field. abut
/// reads a frame in place and keeps no pointer after the call.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/columns.hpp>
#include <abut/compiler.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>

namespace abut {

// --- Bodies ---

/// 32 bytes: one fetch per body, two bodies per cache line. The fastest layout.
struct Body {
    Vec3 position;     ///< metres, world axes
    ShapeId shape;     ///< of the store of the frame
    Quat orientation;  ///< from the shape's axes to the world's
};
static_assert(sizeof(Body) == 32 && alignof(Body) == 4);

/// The pose of one frame in another, of a body or of a shape on its body: x becomes orientation * x + position.
struct RelativePose {
    Vec3 position;     ///< metres, along the axes of the other frame
    Quat orientation;  ///< of unit length to within 1%
};
static_assert(sizeof(RelativePose) == 28 && alignof(RelativePose) == 4);

/// One column per field, all of the same length. They may be members of the engine's own struct (Strided). Columns of
/// floats cost up to 4 ns per pair more than records.
struct BodyColumns {
    Strided<ShapeId> shapes;  ///< one per body; their number is that of the bodies
    /// One of the next two. Only the difference of a pair's two double positions is used, computed in double. It is as
    /// exact a million metres from the origin as near it. With `transforms` neither is needed.
    Strided<Vec3> positions = {};
    Strided<DVec3> double_positions = {};  ///< metres, instead of `positions`
    /// One of the next two. A transform is a rotation, column-major, and a translation, which is the position if no
    /// column above has it. Its axes are right-handed, at right angles and of unit length to within 1%. Other
    /// transforms are bad poses. The fourth row is not read.
    Strided<Quat> orientations = {};
    Strided<Mat44> transforms = {};  ///< instead of `orientations`
};

/// Records or columns.
class ABUT_API Bodies {
public:
    Bodies() = default;
    /// Records, also with a stride.
    Bodies(Strided<Body> records) : records_(records) {
        if (records.empty() || records.address(0) == nullptr) return;
        columns_.shapes = records.member<ShapeId>(offsetof(Body, shape));
        columns_.positions = records.member<Vec3>(offsetof(Body, position));
        columns_.orientations = records.member<Quat>(offsetof(Body, orientation));
    }
    /// `count` records, each `stride` bytes after the one before.
    Bodies(const Body* records, std::size_t count, std::size_t stride = sizeof(Body))
        : Bodies(Strided<Body>(records, count, stride)) {}
    /// A vector, an array, a span.
    template <class Records>
    requires std::convertible_to<const Records&, std::span<const Body>> Bodies(const Records& records)
        : Bodies(Strided<Body>(records)) {}
    Bodies(const BodyColumns& columns) : columns_(columns) {}

    /// The number of bodies.
    std::size_t size() const { return records_.empty() ? columns_.shapes.size() : records_.size(); }
    /// Whether there is no body.
    bool empty() const { return size() == 0; }
    /// Body i as a record: a double position is rounded, a transform's rotation becomes a quaternion (zero for a bad
    /// pose). Missing columns give zeros.
    Body operator[](std::size_t i) const;
    /// The position of body i, as exact as it was given; zero if no column has it.
    DVec3 position(std::size_t i) const;
    /// The records; empty if the bodies are columns.
    const Strided<Body>& records() const { return records_; }
    /// The columns; if the bodies are records, their members.
    const BodyColumns& columns() const { return columns_; }

private:
    Strided<Body> records_;
    BodyColumns columns_;
};

// --- Traces: the states of a pair in a call, to examine a wrong or a slow pair ---

/// In the order in which pairs go through them. A pair may return to an earlier one. kernel/README.md has the picture.
enum class PairState : std::uint8_t {
    children,     ///< a pair with a compound: answered by its children, whose states are not recorded
    direct,       ///< a closed form, separating axes of boxes, or likely directions of curved shapes
    warm_search,  ///< the vertices in the pair's cache, and GJK from there
    search,       ///< GJK from the start
    resume,       ///< the rest of a GJK search that took longer than those of its neighbours
    depth,        ///< overlapping cores: separating axes
    descent,      ///< overlapping curved cores: a search for the least depth, and its proof
    manifold,     ///< contacts
    pull,         ///< the points of a known depth
    exact,        ///< the exact path, in double
    done,         ///< answered; never recorded
};

/// "children", "direct", ...
ABUT_API const char* to_string(PairState state);

/// Column of a frame, one element per pair (Frame::traces). Each call overwrites it.
struct PairTrace {
    static constexpr std::uint8_t kMostStates = 13;  ///< that are recorded

    /// Rounds of GJK and steps of a descent, of the pair's group of lanes. If the pair is the only one of the call, it
    /// is alone in its group.
    std::uint16_t iterations = 0;
    /// number of states; 0 if the pair's cache has the answer, or if the pair has none
    std::uint8_t count = 0;
    PairState states[kMostStates] = {};  ///< in order; states after the last element are left out

    friend bool operator==(const PairTrace&, const PairTrace&) = default;
};
static_assert(sizeof(PairTrace) == 16);

/// The state that certified the answer: the last one except `manifold`. `done` if no state is recorded.
ABUT_API PairState certified_by(const PairTrace& trace);

// --- Frames ---

/// Indices into the frame's bodies. (i, i) is allowed.
struct Pair {
    std::uint32_t a = 0, b = 0;  ///< the two bodies, in any order
    friend bool operator==(const Pair&, const Pair&) = default;
};
static_assert(sizeof(Pair) == 8);

inline constexpr std::uint32_t kNoPair = 0xffffffff;  ///< no pair of a list

/// A pair's index in the frame before, or kNoPair; swapped if its bodies had the other order there: (b, a) for (a, b).
struct PreviousPair {
    std::uint32_t index = kNoPair;  ///< of the pair in the frame before
    bool swapped = false;           ///< its bodies were (b, a) there
    friend bool operator==(const PreviousPair&, const PreviousPair&) = default;
};

/// The data that abut keeps of a pair from one frame to the next: opaque, owned by the caller, trivially copyable. Zero
/// bytes are an empty cache. A cache that abut wrote for any pair, frame or store is safe, and so are damaged and
/// random bytes (except for a probability of 2^-48). Only a cache of the same pair saves work. No content leads to
/// reads or writes out of bounds. An attacker can forge a cache that makes an overlapping pair far: take caches only
/// from sources that you trust with poses (docs/numerics.md, "Warm starts").
struct alignas(4) WarmCache {
    std::byte opaque[180] = {};  ///< the library's own
};

class ShapeStore;

/// Bodies, pairs and what a query needs for each pair.
struct Frame {
    const ShapeStore* shapes = nullptr;  ///< of all bodies
    Bodies bodies;                       ///< records or columns
    Strided<Pair> pairs;                 ///< indices of bodies; at most 2^31 - 1 pairs
    /// Optional, one value per pair: the speculative margin of `collide` in metres, instead of
    /// Settings::speculative_margin.
    Strided<float> margins = {};
    /// Optional, one cache per pair, read and written by all three queries; empty in a pair's first frame. Those of
    /// pairs with a compound are used on a mesh or a height field only. See warm_table.hpp.
    MutableStrided<WarmCache> caches = {};
    /// Optional, one index per pair, into `caches`: a pool in any order, of which no two pairs have the same element.
    /// Nothing has to be copied then.
    Strided<std::uint32_t> cache_indices = {};
    /// Optional, one trace per pair, written by all three queries: the states of the pair. It costs some time.
    std::span<PairTrace> traces = {};
    /// Optional, one pose per pair: the pose of B's frame in A's frame. The bodies' poses are then not read and may be
    /// left out. Normals and points are along A's axes, and points are relative to A's origin. A pair (i, i) is then
    /// two bodies of one shape.
    Strided<RelativePose> relative_poses = {};
};

}  // namespace abut
