// Many configurations, and gradients, in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

CallResult read(const abut_configurations* from, Configurations& to) {
    abut_configurations given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to.shapes = given.shapes == nullptr ? nullptr : &given.shapes->store;
    to.bodies = column<ShapeId>(given.bodies);
    to.pairs = column<Pair>(given.pairs);
    to.positions = column<Vec3>(given.positions);
    to.double_positions = column<DVec3>(given.double_positions);
    to.orientations = column<Quat>(given.orientations);
    to.transforms = column<Mat44>(given.transforms);
    return to_cpp(given.obstacles, to.obstacles);
}

abut_gradient_options to_c_struct(const GradientOptions& options) {
    return {sizeof(abut_gradient_options), options.refine, {}};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_narrow_phase_overlap_configurations(abut_narrow_phase* narrow, const abut_configurations* all,
                                                         abut_overlap_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        if (CallResult r = c::read(all, asked); !r) return r;
        return c::fill<OverlapColumns>(
            out, [&](auto& columns) { return narrow->narrow.overlap_configurations(asked, columns); });
    });
}

abut_error_code abut_narrow_phase_distance_configurations(abut_narrow_phase* narrow, const abut_configurations* all,
                                                          const abut_distance_columns* out,
                                                          const abut_distance_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        DistanceOptions wanted;
        if (CallResult r = c::read(all, asked); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::fill<DistanceColumns>(
            out, [&](auto& columns) { return narrow->narrow.distance_configurations(asked, columns, wanted); });
    });
}

abut_error_code abut_narrow_phase_any_overlap(abut_narrow_phase* narrow, const abut_configurations* all,
                                              const abut_any_overlap_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        if (CallResult r = c::read(all, asked); !r) return r;
        return c::fill<AnyOverlapColumns>(out,
                                          [&](auto& columns) { return narrow->narrow.any_overlap(asked, columns); });
    });
}

abut_error_code abut_narrow_phase_any_path_overlap(abut_narrow_phase* narrow, const abut_configurations* all,
                                                   abut_column ends, const abut_path_overlap_columns* out,
                                                   abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        ConfigurationPaths asked;
        if (CallResult r = c::read(all, asked.all); !r) return r;
        asked.ends = c::column<std::uint32_t>(ends);
        return c::fill<PathOverlapColumns>(out,
                                           [&](auto& columns) { return narrow->narrow.any_overlap(asked, columns); });
    });
}

abut_error_code abut_narrow_phase_least_distance(abut_narrow_phase* narrow, const abut_configurations* all,
                                                 const abut_least_distance_columns* out,
                                                 const abut_distance_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        DistanceOptions wanted;
        if (CallResult r = c::read(all, asked); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::fill<LeastDistanceColumns>(
            out, [&](auto& columns) { return narrow->narrow.least_distance(asked, columns, wanted); });
    });
}

abut_error_code abut_gradient_options_init(abut_gradient_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(GradientOptions())); });
}

abut_error_code abut_distance_gradients(const abut_frame* frame, const abut_distance_columns* distances,
                                        const abut_gradient_columns* out, const abut_gradient_options* options,
                                        abut_error* error) {
    return c::run(error, {{"frame", frame}, {"distances", distances}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        abut_distance_columns of = {};
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::read_sized(distances, of); !r) return r;
        const DistanceWitnesses witnesses = {c::items<const Vec3>(of.normal, of.count),
                                             c::items<const Vec3>(of.point_a, of.count),
                                             c::items<const Vec3>(of.point_b, of.count)};
        abut_gradient_options wanted = c::to_c_struct(GradientOptions());
        if (options != nullptr)
            if (CallResult r = c::read_sized(options, wanted); !r) return r;
        return c::fill<GradientColumns>(
            out, [&](auto& columns) { return distance_gradients(asked, witnesses, columns, {wanted.refine}); });
    });
}
