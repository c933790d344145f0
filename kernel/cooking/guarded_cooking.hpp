// Shared by the calls that make shapes: no exception leaves them, and they refuse null pointers with a count.
#pragma once

#include <new>
#include <optional>
#include <span>
#include <stdexcept>

#include "base/parallel/fp_environment.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {

// `make` returns an Expected or a CallResult. If it throws, it must leave all data valid.
template <class Make>
auto guarded(Make&& make) -> decltype(make()) {
    const FpEnvironment fp;
    try {
        return make();
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    return out_of_memory();
}

// True for a null pointer with a count.
template <class T>
std::optional<Error> check_data(const char* name, std::span<const T> items) {
    if (items.data() != nullptr || items.empty()) return std::nullopt;
    return bad_argument(message_of(name, " is null, with a count of ", items.size()));
}

}  // namespace abut
