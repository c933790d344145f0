// The wrapper of every function of the C headers: it rejects null pointers, reports exhausted memory as an error, and
// writes errors to `error`.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <utility>

#include <abut/c/base.h>
#include <abut/status.hpp>

#include "base/message.hpp"

namespace abut::c {

// A pointer that must not be null, by the name of its parameter.
struct Needed {
    const char* name;
    const void* pointer;
};

abut_error_code report(abut_error* error, abut_error_code code, const char* message) noexcept;
abut_error_code report_null(abut_error* error, const char* name) noexcept;

// Runs `call`, which returns a CallResult.
template <class Call>
abut_error_code run(abut_error* error, std::initializer_list<Needed> all_needed, Call&& call) noexcept {
    for (const Needed& needed : all_needed)
        if (needed.pointer == nullptr) return report_null(error, needed.name);
    try {
        const CallResult result = call();
        return report(error, abut_error_code(result.error().code), result.error().message.c_str());
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    return report(error, ABUT_OUT_OF_MEMORY, "out of memory");
}

// Creates a default-constructed handle. `name`: the name of the parameter `handle`, for the error.
template <class Handle>
abut_error_code create(const char* name, Handle** handle, abut_error* error) noexcept {
    return run(error, {{name, handle}}, [&]() -> CallResult {
        *handle = new Handle;  // NOLINT(bugprone-unhandled-exception-at-new): run() catches it
        return {};
    });
}

// Makes a new handle of an object.
template <class Object, class Handle>
CallResult give(Expected<Object>&& made, Handle** handle) {
    if (!made) return made.error();
    *handle = new Handle{{}, std::move(*made)};
    return {};
}

// Writes an object as bytes. `object` has byte_count() and write(span); `what` names it in messages.
template <class Object>
CallResult write_bytes(const Object& object, const char* what, void* bytes, std::size_t room) {
    const std::size_t needed = object.byte_count();
    if (room < needed)
        return Error{ErrorCode::bad_size, message_of("bytes has room for ", room, ", the ", what, " needs ", needed)};
    (void)object.write({static_cast<std::byte*>(bytes), room});
    return {};
}

}  // namespace abut::c
