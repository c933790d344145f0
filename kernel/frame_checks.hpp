// What is asked of a call's arguments before anything is run. Errors name the argument and what is wrong with it.
#pragma once

#include <span>
#include <string>

#include <abut/frame.hpp>
#include <abut/status.hpp>

namespace abut {

CallResult check_room(const char* column, std::size_t room, std::size_t wanted);

// An optional column may be empty.
template <class T>
CallResult check_size(const char* column, std::span<T> span, std::size_t wanted, bool optional) {
    return optional && span.empty() ? CallResult{} : check_room(column, span.size(), wanted);
}

CallResult check_distance_limit(const char* name, float value);

bool is_margin(float value);
Error bad_margin(const std::string& name, float value);

CallResult check_frame(const Frame& frame);
// The margins a pair.
CallResult check_margins(const Frame& frame);

}  // namespace abut
