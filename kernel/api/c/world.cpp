// Queries against a whole world in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_world_ray_options to_c_struct(const WorldRayOptions& o) {
    return {sizeof(abut_world_ray_options), o.max_hits, o.any, o.count_left_out, o.solid_meshes,
            abut_query_sides(o.sides),      nullptr};
}
abut_world_cast_options to_c_struct(const WorldCastOptions& o) {
    return {sizeof(abut_world_cast_options), o.target, o.tolerance, abut_cast_start(o.start),
            abut_query_sides(o.sides),       {},       nullptr};
}

CallResult read_world(const abut_world* from, WorldBodies& to) {
    abut_world given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (given.shapes == nullptr) return bad_argument("abut_world.shapes is null");
    if (given.bodies == nullptr) return bad_argument("abut_world.bodies is null");
    if (given.tree == nullptr) return bad_argument("abut_world.tree is null");
    to.shapes = &given.shapes->store, to.tree = &given.tree->tree;
    return to_cpp(*given.bodies, to.bodies);
}

// A null filter means all bodies.
CallResult read_filter(const abut_world_filter* from, WorldFilter& to) {
    if (from == nullptr) return {};
    abut_world_filter given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {column<std::uint32_t>(given.groups), column<std::uint32_t>(given.masks),
          column<std::uint32_t>(given.ignored)};
    return {};
}

CallResult read_options(const abut_world_ray_options* from, WorldRayOptions& to) {
    abut_world_ray_options given = to_c_struct(WorldRayOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    to.max_hits = given.max_hits, to.any = given.any, to.count_left_out = given.count_left_out;
    to.solid_meshes = given.solid_meshes, to.sides = QuerySides(given.sides);
    return read_filter(given.filter, to.filter);
}

CallResult read_options(const abut_world_cast_options* from, WorldCastOptions& to) {
    abut_world_cast_options given = to_c_struct(WorldCastOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.start > ABUT_CAST_IGNORE)
        return bad_argument(message_of("abut_world_cast_options.start is ", given.start, ", expected 2 or less"));
    to.target = given.target, to.tolerance = given.tolerance, to.start = CastStart(given.start);
    to.sides = QuerySides(given.sides);
    return read_filter(given.filter, to.filter);
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_world_tree_create(const abut_broad_settings* settings, abut_world_tree** tree, abut_error* error) {
    return c::run(error, {{"tree", tree}}, [&]() -> CallResult {
        BroadSettings wanted;
        if (CallResult r = c::to_cpp(settings, wanted); !r) return r;
        auto made = std::make_unique<abut_world_tree>(abut_world_tree{{}, WorldTree(wanted)});
        // Settings that cannot be met give an error in the first call.
        if (CallResult r = made->tree.build(Boxes{}); !r) return r;
        *tree = made.release();
        return {};
    });
}

void abut_world_tree_destroy(abut_world_tree* tree) { delete tree; }

abut_error_code abut_world_tree_build(abut_world_tree* tree, const abut_boxes* boxes, const abut_dvec3* origin,
                                      abut_error* error) {
    return c::run(error, {{"tree", tree}, {"boxes", boxes}}, [&]() -> CallResult {
        Boxes all;
        if (CallResult r = c::to_cpp(boxes, all); !r) return r;
        return tree->tree.build(all, origin == nullptr ? DVec3{} : c::to_cpp(*origin));
    });
}

size_t abut_world_tree_bad(const abut_world_tree* tree, const uint32_t** bad) {
    const std::span<const std::uint32_t> all = tree == nullptr ? std::span<const std::uint32_t>() : tree->tree.bad();
    if (bad != nullptr) *bad = all.data();
    return all.size();
}

abut_error_code abut_world_ray_options_init(abut_world_ray_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(WorldRayOptions())); });
}

abut_error_code abut_narrow_phase_raycast_world(abut_narrow_phase* narrow, const abut_world* world,
                                                const abut_rays* rays, abut_world_ray_columns* out,
                                                const abut_world_ray_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"world", world}, {"rays", rays}, {"out", out}}, [&]() -> CallResult {
        WorldBodies asked;
        Rays cast;
        WorldRayOptions wanted;
        if (CallResult r = c::read_world(world, asked); !r) return r;
        if (CallResult r = c::to_cpp(rays, cast); !r) return r;
        if (CallResult r = c::read_options(options, wanted); !r) return r;
        return c::fill<WorldRayColumns>(
            out, [&](auto& columns) { return narrow->narrow.raycast(asked, cast, columns, wanted); });
    });
}

abut_error_code abut_narrow_phase_overlap_world(abut_narrow_phase* narrow, const abut_world* world,
                                                const abut_bodies* shapes, abut_world_overlap_columns* out,
                                                const abut_world_filter* filter, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"world", world}, {"shapes", shapes}, {"out", out}}, [&]() -> CallResult {
        WorldBodies asked;
        Bodies bodies;
        WorldFilter wanted;
        if (CallResult r = c::read_world(world, asked); !r) return r;
        if (CallResult r = c::to_cpp(*shapes, bodies); !r) return r;
        if (CallResult r = c::read_filter(filter, wanted); !r) return r;
        return c::fill<WorldOverlapColumns>(
            out, [&](auto& columns) { return narrow->narrow.overlap(asked, bodies, columns, wanted); });
    });
}

abut_error_code abut_world_cast_options_init(abut_world_cast_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(WorldCastOptions())); });
}

abut_error_code abut_narrow_phase_cast_world(abut_narrow_phase* narrow, const abut_world* world,
                                             const abut_bodies* shapes, const abut_motions* motions,
                                             abut_world_cast_columns* out, const abut_world_cast_options* options,
                                             abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"world", world}, {"shapes", shapes}, {"motions", motions}, {"out", out}},
                  [&]() -> CallResult {
                      WorldBodies asked;
                      Bodies bodies;
                      c::MotionEnds ends;
                      Motions moved;
                      WorldCastOptions wanted;
                      if (CallResult r = c::read_world(world, asked); !r) return r;
                      if (CallResult r = c::to_cpp(*shapes, bodies); !r) return r;
                      if (CallResult r = c::to_cpp(motions, ends, moved); !r) return r;
                      if (CallResult r = c::read_options(options, wanted); !r) return r;
                      return c::fill<WorldCastColumns>(out, [&](auto& columns) {
                          return narrow->narrow.cast(asked, bodies, moved, columns, wanted);
                      });
                  });
}
