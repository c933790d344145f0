// See c_call.hpp.
#include "api/c/c_call.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace abut::c {

abut_error_code report(abut_error* error, abut_error_code code, const char* message) noexcept {
    if (error == nullptr) return code;
    const std::string_view text = code == ABUT_OK ? "" : message;
    const std::size_t length = std::min(text.size(), sizeof error->message - 1);
    error->code = code;
    std::memcpy(error->message, text.data(), length);
    error->message[length] = '\0';
    return code;
}

abut_error_code report_null(abut_error* error, const char* name) noexcept {
    char text[64];
    std::snprintf(text, sizeof text, "%s is null", name);
    return report(error, ABUT_BAD_ARGUMENT, text);
}

}  // namespace abut::c
