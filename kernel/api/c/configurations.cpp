// Many configurations in C.
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
    return {};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_narrow_phase_overlap_configurations(abut_narrow_phase* narrow, const abut_configurations* all,
                                                         abut_overlap_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        if (CallResult r = c::read(all, asked); !r) return r;
        return c::fill_overlaps(
            out, [&](OverlapColumns& columns) { return narrow->narrow.overlap_configurations(asked, columns); });
    });
}

abut_error_code abut_narrow_phase_distance_configurations(abut_narrow_phase* narrow, const abut_configurations* all,
                                                          const abut_distance_columns* out,
                                                          const abut_distance_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        DistanceColumns columns;
        DistanceOptions wanted;
        if (CallResult r = c::read(all, asked); !r) return r;
        if (CallResult r = c::read_columns(out, columns); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return narrow->narrow.distance_configurations(asked, columns, wanted);
    });
}

abut_error_code abut_narrow_phase_any_overlap(abut_narrow_phase* narrow, const abut_configurations* all,
                                              const abut_any_overlap_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        abut_any_overlap_columns given = {};
        if (CallResult r = c::read(all, asked); !r) return r;
        if (CallResult r = c::read_sized(out, given); !r) return r;
        AnyOverlapColumns columns = {c::items<std::uint32_t>(given.pair, given.count),
                                     c::part<std::uint32_t>(given.unanswered, given.count)};
        return narrow->narrow.any_overlap(asked, columns);
    });
}

abut_error_code abut_narrow_phase_least_distance(abut_narrow_phase* narrow, const abut_configurations* all,
                                                 const abut_least_distance_columns* out,
                                                 const abut_distance_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        Configurations asked;
        abut_least_distance_columns given = {};
        DistanceOptions wanted;
        if (CallResult r = c::read(all, asked); !r) return r;
        if (CallResult r = c::read_sized(out, given); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        LeastDistanceColumns columns = {c::items<float>(given.signed_distance, given.count),
                                        c::part<std::uint32_t>(given.pair, given.count),
                                        c::part<Vec3>(given.normal, given.count),
                                        c::part<Vec3>(given.point_a, given.count),
                                        c::part<Vec3>(given.point_b, given.count),
                                        c::part<std::uint32_t>(given.unanswered, given.count)};
        return narrow->narrow.least_distance(asked, columns, wanted);
    });
}
