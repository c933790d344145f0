// Casts in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_cast_options to_c_struct(const CastOptions& options) {
    return {sizeof(abut_cast_options),
            options.target,
            options.tolerance,
            abut_cast_start(options.start),
            abut_cast_reduction(options.reduction),
            {},
            {},
            abut_query_sides(options.sides),
            {}};
}

}  // namespace

CallResult to_cpp(const abut_motions* from, MotionEnds& ends, Motions& to) {
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

CallResult to_cpp(const abut_cast_options* from, CastOptions& to) {
    abut_cast_options given = to_c_struct(CastOptions());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.start > ABUT_CAST_IGNORE)
        return bad_argument(message_of("abut_cast_options.start is ", given.start, ", expected 2 or less"));
    if (given.reduction > ABUT_CAST_ANY)
        return bad_argument(message_of("abut_cast_options.reduction is ", given.reduction, ", expected 2 or less"));
    to = {given.target,           column<float>(given.targets),   column<float>(given.latest), given.tolerance,
          CastStart(given.start), CastReduction(given.reduction), QuerySides(given.sides)};
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_cast_options_init(abut_cast_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::to_c_struct(CastOptions())); });
}

abut_error_code abut_narrow_phase_cast(abut_narrow_phase* narrow, const abut_frame* frame, const abut_motions* motions,
                                       abut_cast_columns* out, const abut_cast_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"motions", motions}, {"out", out}},
                  [&]() -> CallResult {
                      Frame asked;
                      c::MotionEnds ends;
                      Motions moved;
                      CastOptions wanted;
                      if (CallResult r = c::to_cpp(frame, asked); !r) return r;
                      if (CallResult r = c::to_cpp(motions, ends, moved); !r) return r;
                      if (CallResult r = c::to_cpp(options, wanted); !r) return r;
                      return c::fill<CastColumns>(
                          out, [&](auto& columns) { return narrow->narrow.cast(asked, moved, columns, wanted); });
                  });
}
