// See sized.hpp.
#include "api/c/sized.hpp"

#include "api/c/c_call.hpp"

namespace abut::c {
namespace {

// A larger size is not that of a struct, but of uninitialised memory.
constexpr std::size_t kMostBytes = 4096;

}  // namespace

// The size of each version of a struct is a multiple of its alignment.
CallResult check_written(const char* name, const void* given, std::size_t least, std::size_t) {
    const std::size_t size = size_at(given);
    if (size >= least && size % alignof(std::size_t) == 0 && size <= kMostBytes) return {};
    return bad_argument(message_of(name, ".size is ", size, ", which no version of the struct has"));
}

CallResult check_read(const char* name, const void* given, std::size_t least, std::size_t known) {
    if (CallResult r = check_written(name, given, least, known); !r) return r;
    const auto* const bytes = static_cast<const unsigned char*>(given);
    for (std::size_t i = known; i < size_at(given); ++i) {
        if (bytes[i] == 0) continue;
        return bad_argument(
            message_of(name, ": byte ", i, " is not 0, this library knows ", known, " bytes of the struct"));
    }
    return {};
}

}  // namespace abut::c
