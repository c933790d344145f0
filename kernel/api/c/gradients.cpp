// Gradients in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_gradient_options of(const GradientOptions& options) { return {sizeof(abut_gradient_options), options.refine, {}}; }

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_gradient_options_init(abut_gradient_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::of(GradientOptions())); });
}

abut_error_code abut_distance_gradients(const abut_frame* frame, const abut_distance_columns* distances,
                                        const abut_gradient_columns* out, const abut_gradient_options* options,
                                        abut_error* error) {
    return c::run(error, {{"frame", frame}, {"distances", distances}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        abut_distance_columns of = {};
        abut_gradient_columns given = {};
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::read_sized(distances, of); !r) return r;
        if (CallResult r = c::read_sized(out, given); !r) return r;
        const DistanceWitnesses witnesses = {c::items<const Vec3>(of.normal, of.count),
                                             c::items<const Vec3>(of.point_a, of.count),
                                             c::items<const Vec3>(of.point_b, of.count)};
        GradientColumns columns = {
            c::part<Vec3>(given.position_a, given.count), c::part<Vec3>(given.rotation_a, given.count),
            c::part<Vec3>(given.position_b, given.count), c::part<Vec3>(given.rotation_b, given.count)};
        abut_gradient_options wanted = c::of(GradientOptions());
        if (options != nullptr)
            if (CallResult r = c::read_sized(options, wanted); !r) return r;
        return distance_gradients(asked, witnesses, columns, {wanted.refine});
    });
}
