// Rays and points in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_ray_options to_c_struct(const RayOptions& options) {
    return {sizeof(abut_ray_options),
            abut_ray_reduction(options.reduction),
            options.solid_meshes,
            {},
            abut_query_sides(options.sides),
            {}};
}

abut_point_options to_c_struct(const PointOptions& options) {
    return {sizeof(abut_point_options), options.max_distance, options.solid_meshes, {}};
}

}  // namespace

CallResult to_cpp(const abut_rays* from, Rays& to) {
    abut_rays given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {column<Vec3>(given.origins), column<DVec3>(given.double_origins), column<Vec3>(given.directions),
          column<float>(given.lengths), part<const QuerySides>(given.sides, given.directions.count)};
    return {};
}

CallResult to_cpp(const abut_ray_options* from, RayOptions& to) {
    abut_ray_options given = to_c_struct(RayOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.reduction > ABUT_RAY_ANY_OF_RAY)
        return bad_argument(message_of("abut_ray_options.reduction is ", given.reduction, ", expected 2 or less"));
    to = {RayReduction(given.reduction), given.solid_meshes, QuerySides(given.sides)};
    return {};
}

CallResult to_cpp(const abut_point_options* from, PointOptions& to) {
    abut_point_options given = to_c_struct(PointOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    to = {given.max_distance, given.solid_meshes};
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_ray_options_init(abut_ray_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(RayOptions())); });
}

abut_error_code abut_narrow_phase_raycast(abut_narrow_phase* narrow, const abut_frame* frame, const abut_rays* rays,
                                          abut_ray_columns* out, const abut_ray_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"rays", rays}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        Rays cast;
        RayOptions wanted;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::to_cpp(rays, cast); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::fill<RayColumns>(out,
                                   [&](auto& columns) { return narrow->narrow.raycast(asked, cast, columns, wanted); });
    });
}

abut_error_code abut_point_options_init(abut_point_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(PointOptions())); });
}

abut_error_code abut_narrow_phase_measure(abut_narrow_phase* narrow, const abut_frame* frame, const abut_points* points,
                                          abut_point_columns* out, const abut_point_options* options,
                                          abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"points", points}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        abut_points given_points = {};
        PointOptions wanted;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::read_sized(points, given_points); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        const Points all = {c::column<Vec3>(given_points.positions), c::column<DVec3>(given_points.double_positions)};
        return c::fill<PointColumns>(
            out, [&](auto& columns) { return narrow->narrow.measure(asked, all, columns, wanted); });
    });
}

bool abut_store_has_inside(const abut_store* store, abut_shape_id id) {
    return store != nullptr && has_inside(store->store, ShapeId::from_bits(id));
}
