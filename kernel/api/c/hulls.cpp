// Hulls cooked without a store.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {

abut_hull_report to_c(const HullReport& r) {
    return {sizeof(abut_hull_report),
            r.vertices,
            r.faces,
            r.edges,
            r.dropped_points,
            r.dimension,
            r.deviation,
            r.overshoot,
            r.is_box,
            to_c(r.box_half_extents),
            to_c(r.box_centre)};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_cook_hull(const abut_vec3* points, size_t count, const abut_hull_options* options,
                               abut_cooked_hull** hull, abut_error* error) {
    return c::run(error, {{"hull", hull}}, [&]() -> CallResult {
        HullOptions wanted;
        std::span<const Vec3> all;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        if (CallResult r = c::view_items("points", points, count, all); !r) return r;
        return c::give(cook_hull(all, wanted), hull);
    });
}

void abut_cooked_hull_destroy(abut_cooked_hull* hull) { delete hull; }

abut_error_code abut_cooked_hull_report(const abut_cooked_hull* hull, abut_hull_report* report, abut_error* error) {
    return c::run(error, {{"hull", hull}, {"report", report}}, [&]() -> CallResult {
        if (CallResult r = c::check_sized(report); !r) return r;
        c::write_sized(report, c::to_c(hull->hull.report()));
        return {};
    });
}

size_t abut_cooked_hull_byte_count(const abut_cooked_hull* hull) {
    return hull == nullptr ? 0 : hull->hull.byte_count();
}

abut_error_code abut_cooked_hull_write(const abut_cooked_hull* hull, void* bytes, size_t room, abut_error* error) {
    return c::run(error, {{"hull", hull}, {"bytes", bytes}},
                  [&] { return c::write_bytes(hull->hull, "hull", bytes, room); });
}

abut_error_code abut_cooked_hull_read(const void* bytes, size_t count, abut_cooked_hull** hull, abut_error* error) {
    return c::run(error, {{"hull", hull}, {"bytes", bytes}}, [&] {
        return c::give(CookedHull::read({static_cast<const std::byte*>(bytes), count}), hull);
    });
}

abut_error_code abut_scaled_hull_face(const abut_hull_face* face, abut_vec3 scale, abut_hull_face* out,
                                      abut_error* error) {
    return c::run(error, {{"face", face}, {"out", out}}, [&]() -> CallResult {
        const HullFace plane = scaled(HullFace{c::to_cpp(face->normal), face->offset, {}}, c::to_cpp(scale));
        if (plane.normal == Vec3{})
            return Error{ErrorCode::bad_argument, "scale or face->normal has no plane: it must be finite and not 0"};
        *out = {c::to_c(plane.normal), plane.offset, face->corners, face->corner_count};
        return {};
    });
}
