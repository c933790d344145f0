// See frame_checks.hpp.
#include "frame_checks.hpp"

#include <cmath>
#include <limits>
#include <tuple>

#include "isa/kernels.hpp"

namespace abut {

CallResult check_room(const char* column, std::size_t room, std::size_t wanted) {
    if (room >= wanted) return {};
    return Error{ErrorCode::bad_size, std::string(column) + " has room for " + std::to_string(room) + ", the frame needs " +
                                          std::to_string(wanted)};
}

CallResult check_distance_limit(const char* name, float value) {
    if (value >= 0.0f && !std::isnan(value)) return {};
    return Error{ErrorCode::bad_argument, std::string(name) + " is " + std::to_string(value) + ", expected 0 or more"};
}

bool is_margin(float value) { return value >= 0.0f && value <= std::numeric_limits<float>::max(); }

Error bad_margin(const std::string& name, float value) {
    return {ErrorCode::bad_argument, name + " is " + std::to_string(value) + ", expected 0 or more, finite"};
}

CallResult check_frame(const Frame& frame) {
    const std::size_t pairs = frame.pairs.size();
    if (pairs == 0) return {};
    if (frame.shapes == nullptr) return Error{ErrorCode::bad_argument, "Frame::shapes is null"};
    if (pairs >= Entry::kSwapped)
        return Error{ErrorCode::limit, "the frame has " + std::to_string(pairs) + " pairs, the limit is 2147483647"};
    for (const auto& [name, address, stride, size] :
         {std::tuple{"Frame::bodies", frame.bodies.address(0), frame.bodies.stride(), sizeof(Body)},
          std::tuple{"Frame::pairs", frame.pairs.address(0), frame.pairs.stride(), sizeof(Pair)}}) {
        if (reinterpret_cast<std::uintptr_t>(address) % 4 != 0 || stride % 4 != 0)
            return Error{ErrorCode::bad_argument, std::string(name) + " is not aligned to 4 bytes"};
        if (stride < size)
            return Error{ErrorCode::bad_argument, std::string(name) + " has a stride of " + std::to_string(stride) + " bytes, expected " +
                                                      std::to_string(size) + " or more"};
    }
    return check_size("Frame::caches", frame.caches, pairs, true);
}

CallResult check_margins(const Frame& frame) {
    const std::size_t pairs = frame.pairs.size();
    if (const CallResult r = check_size("Frame::margins", frame.margins, pairs, true); !r) return r;
    for (std::size_t i = 0; i < pairs && i < frame.margins.size(); ++i)
        if (const float margin = frame.margins[i]; !is_margin(margin))
            return bad_margin(std::string("Frame::margins[").append(std::to_string(i)).append("]"), margin);
    return {};
}

}  // namespace abut
