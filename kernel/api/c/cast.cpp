// Casts in C.
#include <array>

#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

using Ends = std::array<Bodies, ABUT_MAX_MOTION_ENDS>;

abut_cast_options of(const CastOptions& options) {
    return {sizeof(abut_cast_options),
            options.target,
            options.tolerance,
            abut_cast_start(options.start),
            abut_cast_reduction(options.reduction),
            {},
            {}};
}

// `ends` holds what `to` refers to.
CallResult read_motions(const abut_motions* from, Ends& ends, Motions& to) {
    abut_motions given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (given.ends == nullptr) return bad_argument("abut_motions.ends is null");
    if (given.end_count == 0 || given.end_count > ends.size())
        return bad_argument(message_of("abut_motions.end_count is ", given.end_count, ", expected 1 to ", ends.size()));
    for (std::size_t i = 0; i < given.end_count; ++i)
        if (CallResult r = to_cpp(given.ends[i], ends[i]); !r) return r;
    to.ends = {ends.data(), given.end_count};
    to.centers = column<Vec3>(given.centers);
    return {};
}

CallResult read_options(const abut_cast_options* from, CastOptions& to) {
    abut_cast_options given = of(CastOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.start > ABUT_CAST_IGNORE)
        return bad_argument(message_of("abut_cast_options.start is ", given.start, ", expected 2 or less"));
    if (given.reduction > ABUT_CAST_ANY)
        return bad_argument(message_of("abut_cast_options.reduction is ", given.reduction, ", expected 2 or less"));
    to = {given.target,    column<float>(given.targets), column<float>(given.latest),
          given.tolerance, CastStart(given.start),       CastReduction(given.reduction)};
    return {};
}

CastColumns columns_of(const abut_cast_columns& given) {
    return {items<std::uint32_t>(given.bits, (given.count + 31) / 32),
            items<double>(given.time, given.count),
            part<float>(given.signed_distance, given.count),
            part<Vec3>(given.normal, given.count),
            part<Vec3>(given.point_a, given.count),
            part<Vec3>(given.point_b, given.count),
            part<std::uint32_t>(given.child_a, given.count),
            part<std::uint32_t>(given.child_b, given.count),
            {reinterpret_cast<Status*>(given.status), given.status == nullptr ? 0 : given.count},
            {given.hits, given.hit_room}};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_cast_options_init(abut_cast_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}}, [&] { return c::init_sized(options, size, c::of(CastOptions())); });
}

abut_error_code abut_narrow_phase_cast(abut_narrow_phase* narrow, const abut_frame* frame, const abut_motions* motions,
                                       abut_cast_columns* out, const abut_cast_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"motions", motions}, {"out", out}},
                  [&]() -> CallResult {
                      Frame asked;
                      c::Ends ends;
                      Motions moved;
                      CastOptions wanted;
                      abut_cast_columns given = {};
                      if (CallResult r = c::to_cpp(frame, asked); !r) return r;
                      if (CallResult r = c::read_motions(motions, ends, moved); !r) return r;
                      if (CallResult r = c::read_options(options, wanted); !r) return r;
                      if (CallResult r = c::read_sized(out, given); !r) return r;
                      CastColumns columns = c::columns_of(given);
                      CallResult result = narrow->narrow.cast(asked, moved, columns, wanted);
                      given.hit_count = columns.hit_count;
                      c::write_sized(out, given);
                      return result;
                  });
}
