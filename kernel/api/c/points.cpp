// Points in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_point_options of(const PointOptions& options) {
    return {sizeof(abut_point_options), options.max_distance, options.solid_meshes, {}};
}

CallResult read_options(const abut_point_options* from, PointOptions& to) {
    abut_point_options given = of(PointOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    to = {given.max_distance, given.solid_meshes};
    return {};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_point_options_init(abut_point_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}}, [&] { return c::init_sized(options, size, c::of(PointOptions())); });
}

abut_error_code abut_narrow_phase_measure(abut_narrow_phase* narrow, const abut_frame* frame, const abut_points* points,
                                          abut_point_columns* out, const abut_point_options* options,
                                          abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"points", points}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        abut_points given_points = {};
        PointOptions wanted;
        abut_point_columns given = {};
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::read_sized(points, given_points); !r) return r;
        if (CallResult r = c::read_options(options, wanted); !r) return r;
        if (CallResult r = c::read_sized(out, given); !r) return r;
        PointColumns columns = {c::items<float>(given.signed_distance, given.count),
                                c::part<Vec3>(given.normal, given.count),
                                c::part<Vec3>(given.nearest, given.count),
                                c::part<std::uint32_t>(given.child, given.count),
                                {reinterpret_cast<Status*>(given.status), given.status == nullptr ? 0 : given.count}};
        const Points cast = {c::column<Vec3>(given_points.positions), c::column<DVec3>(given_points.double_positions)};
        return narrow->narrow.measure(asked, cast, columns, wanted);
    });
}

bool abut_store_has_inside(const abut_store* store, abut_shape_id id) {
    return store != nullptr && has_inside(store->store, ShapeId::from_bits(id));
}
