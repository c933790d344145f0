// By the envelope theorem: the signed distance is the extremum, over normals, of a gap that depends on the poses. Where
// the extremum is unique, its derivative is that of the gap with fixed normal and points.
#include <abut/configurations.hpp>

#include "base/parallel/fp_environment.hpp"
#include "batch/frame_checks.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/exact/signed_distance.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/tables.hpp"

namespace abut {

namespace {

using maths::Vec3d;

// The least cosine between two normals of the same extremum, given the error of a coarse normal.
constexpr double kSameNormalCosine = 0.998;

// The normal and witness points from which a pair's derivatives are computed. Each point is relative to the position of
// its own body.
struct Witness {
    Vec3d normal, arm_a, arm_b;
};

exact::Posed posed(const ShapeTables& tables, const Body& body) {
    const exact::Shape shape =
        exact::shape_of(body.shape.kind(), tables.record(body.shape), tables.hulls.data(), tables.customs.data());
    return {shape, body.position, body.orientation};
}

// Recomputes the witness of a pair with a curved shape to a fine tolerance. `witness` does not change if there is no
// answer, or if the answer is another extremum.
void refine(const ShapeTables& tables, PosedPair pair, Witness& witness) {
    const ShapeKind a = pair.a.shape.kind(), b = pair.b.shape.kind();
    if (!is_convex(a) || !is_convex(b) || (!is_curved(a) && !is_curved(b))) return;
    if (!tables.lives(pair.a.shape) || !tables.lives(pair.b.shape)) return;
    Vec3d between = maths::to_double(pair.b.position) - maths::to_double(pair.a.position);
    const Vec3d on_a = apply_shape_pose(tables, pair.a), on_b = apply_shape_pose(tables, pair.b);
    if (tables.has_poses) {
        between = between + on_b - on_a;
        const auto [rounded, more] = rounded_offset({}, {between.x, between.y, between.z});
        pair.a.position = {float(more.x), float(more.y), float(more.z)}, pair.b.position = rounded;
    }
    exact::Options options;
    options.fine_normals = true;
    const exact::Answer found = exact::signed_distance(posed(tables, pair.a), posed(tables, pair.b), options);
    if (found.status != Status::ok || dot(found.normal, witness.normal) < kSameNormalCosine) return;
    witness = {found.normal, found.point_a + on_a, found.point_b - between + on_b};
}

struct Columns {
    const GradientColumns& out;

    static Vec3 to_floats(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }
    static void put(std::span<Vec3> column, std::size_t i, const Vec3d& value) {
        if (!column.empty()) column[i] = to_floats(value);
    }
    void put_zeros(std::size_t i) const {
        for (const std::span<Vec3> column : {out.position_a, out.rotation_a, out.position_b, out.rotation_b})
            put(column, i, {0, 0, 0});
    }
    void put(std::size_t i, const Witness& w) const {
        put(out.position_a, i, -w.normal);
        put(out.rotation_a, i, cross(w.normal, w.arm_a));
        put(out.position_b, i, w.normal);
        put(out.rotation_b, i, cross(w.arm_b, w.normal));
    }
};

CallResult check_gradients(const Frame& frame, const DistanceWitnesses& of, const GradientColumns& out) {
    const std::size_t pairs = frame.pairs.size();
    if (const CallResult r = check_arguments(frame); !r) return r;
    if (const CallResult r = check_size("DistanceWitnesses::normal", of.normal, pairs, false); !r) return r;
    if (const CallResult r = check_size("DistanceWitnesses::point_a", of.point_a, pairs, false); !r) return r;
    if (const CallResult r = check_size("DistanceWitnesses::point_b", of.point_b, pairs, false); !r) return r;
    return check_columns({pairs}, out);
}

}  // namespace

CallResult distance_gradients(const Frame& frame, const DistanceWitnesses& of, GradientColumns& out,
                              const GradientOptions& options) {
    if (const CallResult r = check_gradients(frame, of, out); !r) return r;
    if (frame.pairs.empty()) return {};
    const FpEnvironment environment;
    const ShapeTables& tables = tables_of(*frame.shapes);
    const PairRecordBuilder record_of(frame);
    const std::size_t pairs = frame.pairs.size(), bodies = frame.bodies.size();
    const Columns columns{out};
    for (std::size_t i = 0; i < pairs; ++i) {
        const Pair pair = frame.pairs[i];
        const Vec3 normal = of.normal[i];
        // A pair without an answer has no derivatives; its indices and poses may be invalid.
        if (normal == Vec3() || pair.a >= bodies || pair.b >= bodies) {
            columns.put_zeros(i);
            continue;
        }
        const PosedPair posed = record_of({static_cast<std::uint32_t>(i), pair.a, pair.b});
        const Vec3d between = maths::to_double(posed.b.position) - maths::to_double(posed.a.position);
        Witness witness = {maths::to_double(normal), maths::to_double(of.point_a[i]),
                           maths::to_double(of.point_b[i]) - between};
        if (options.refine) refine(tables, posed, witness);
        columns.put(i, witness);
    }
    return {};
}

}  // namespace abut
