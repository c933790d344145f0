// Rays in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_ray_options of(const RayOptions& options) {
    return {sizeof(abut_ray_options), abut_ray_reduction(options.reduction), options.solid_meshes, {}};
}

CallResult read_rays(const abut_rays* from, Rays& to) {
    abut_rays given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {column<Vec3>(given.origins), column<DVec3>(given.double_origins), column<Vec3>(given.directions),
          column<float>(given.lengths)};
    return {};
}

CallResult read_options(const abut_ray_options* from, RayOptions& to) {
    abut_ray_options given = of(RayOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.reduction > ABUT_RAY_ANY_OF_RAY)
        return bad_argument(message_of("abut_ray_options.reduction is ", given.reduction, ", expected 2 or less"));
    to = {RayReduction(given.reduction), given.solid_meshes};
    return {};
}

RayColumns columns_of(const abut_ray_columns& given) {
    return {items<std::uint32_t>(given.bits, (given.count + 31) / 32),
            items<double>(given.fraction, given.count),
            part<Vec3>(given.point, given.count),
            part<Vec3>(given.normal, given.count),
            part<std::uint32_t>(given.child, given.count),
            part<std::uint8_t>(given.inside, given.count),
            {reinterpret_cast<Status*>(given.status), given.status == nullptr ? 0 : given.count},
            {given.hits, given.hit_room}};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_ray_options_init(abut_ray_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}}, [&] { return c::init_sized(options, size, c::of(RayOptions())); });
}

abut_error_code abut_narrow_phase_raycast(abut_narrow_phase* narrow, const abut_frame* frame, const abut_rays* rays,
                                          abut_ray_columns* out, const abut_ray_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"rays", rays}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        Rays cast;
        RayOptions wanted;
        abut_ray_columns given = {};
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::read_rays(rays, cast); !r) return r;
        if (CallResult r = c::read_options(options, wanted); !r) return r;
        if (CallResult r = c::read_sized(out, given); !r) return r;
        RayColumns columns = c::columns_of(given);
        CallResult result = narrow->narrow.raycast(asked, cast, columns, wanted);
        given.hit_count = columns.hit_count;
        c::write_sized(out, given);
        return result;
    });
}
