// See frame_checks.hpp.
#include "batch/frame_checks.hpp"

#include <cstdint>

#include "base/message.hpp"
#include "convex/contract/chunk.hpp"

namespace abut {
namespace {

// Each message begins after the argument's name, which check_bodies adds.
CallResult check_body_columns(const BodyColumns& columns, bool pairs_have_poses) {
    const std::size_t count = columns.shapes.size();
    if (const CallResult r = check_strided(".shapes", columns.shapes); !r) return r;
    if (const CallResult r = check_column(".positions", columns.positions, count); !r) return r;
    if (const CallResult r = check_column(".double_positions", columns.double_positions, count); !r) return r;
    if (const CallResult r = check_column(".orientations", columns.orientations, count); !r) return r;
    if (const CallResult r = check_column(".transforms", columns.transforms, count); !r) return r;
    if (pairs_have_poses || count == 0) return {};
    const bool has_transforms = !columns.transforms.empty(), has_doubles = !columns.double_positions.empty();
    if (!columns.positions.empty() && has_doubles)
        return bad_argument(" has both positions and double_positions, expected one of them");
    if (columns.positions.empty() && !has_doubles && !has_transforms)
        return bad_argument(" has no positions, expected one of positions, double_positions and transforms");
    if (columns.orientations.empty() == has_transforms) return {};
    return bad_argument(message_of(has_transforms ? " has both" : " has neither",
                                   " orientations and transforms, expected one of them"));
}

CallResult check_caches(const Frame& frame) {
    const std::size_t pairs = frame.pairs.size(), caches = frame.caches.size();
    if (frame.cache_indices.empty()) return check_column("Frame::caches", frame.caches, pairs);
    if (const CallResult r = check_column("Frame::caches", frame.caches, caches); !r) return r;
    if (const CallResult r = check_column("Frame::cache_indices", frame.cache_indices, pairs); !r) return r;
    for (std::size_t i = 0; i < pairs; ++i)
        if (const std::uint32_t index = frame.cache_indices[i]; index >= caches)
            return bad_argument(
                message_of(numbered("Frame::cache_indices", i), " is ", index, ", Frame::caches has ", caches));
    return {};
}

}  // namespace

CallResult bad_room(const char* name, std::size_t room, std::size_t wanted) {
    return Error{ErrorCode::bad_size, message_of(name, " has room for ", room, ", the frame needs ", wanted)};
}

CallResult bad_data(const char* name, const void* data, std::size_t count, std::size_t alignment) {
    if (data == nullptr) return bad_argument(message_of(name, " is null, with a count of ", count));
    const std::size_t past = reinterpret_cast<std::uintptr_t>(data) % alignment;
    return bad_argument(
        message_of(name, " is not aligned to ", alignment, " bytes: its address is ", past, " past a multiple"));
}

CallResult bad_stride(const char* name, std::size_t stride, std::size_t item) {
    return bad_argument(message_of(name, " has a stride of ", stride, " bytes, expected a multiple of ",
                                   item < 4 ? item : 4, ", ", item, " or more"));
}

CallResult check_bodies(const char* name, const Bodies& bodies, bool pairs_have_poses) {
    if (!bodies.records().empty()) return check_strided(name, bodies.records());
    const CallResult result = check_body_columns(bodies.columns(), pairs_have_poses);
    return result ? CallResult{} : Error{result.error().code, message_of(name, result.error().message)};
}

CallResult check_arguments(const Frame& frame) {
    const std::size_t pairs = frame.pairs.size();
    if (pairs == 0) return {};
    if (frame.shapes == nullptr) return bad_argument("Frame::shapes is null");
    if (pairs >= Entry::kSwapped)
        return Error{ErrorCode::limit, message_of("the frame has ", pairs, " pairs, the limit is 2147483647")};
    if (const CallResult r = check_bodies("Frame::bodies", frame.bodies, !frame.relative_poses.empty()); !r) return r;
    if (const CallResult r = check_strided("Frame::pairs", frame.pairs); !r) return r;
    if (const CallResult r = check_column("Frame::relative_poses", frame.relative_poses, pairs); !r) return r;
    if (const CallResult r = check_caches(frame); !r) return r;
    return check_size("Frame::traces", frame.traces, pairs, true);
}

CallResult check_margin(const char* name, float value) {
    if (is_margin(value)) return {};
    return bad_argument(message_of(name, " is ", value, ", expected ", kExpectedMargin));
}

}  // namespace abut
