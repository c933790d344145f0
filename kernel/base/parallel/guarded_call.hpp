// The interface between the library's calls and their callers: no exception leaves a call.
#pragma once

#include <new>
#include <stdexcept>

#include <abut/status.hpp>

#include "base/message.hpp"
#include "base/parallel/fp_environment.hpp"
#include "base/parallel/parallel_for.hpp"

namespace abut {

// Runs call(), which returns a CallResult or an Expected, in the kernels' floating-point environment. If it throws, it
// must leave all data valid. Scratch needs no repair: the next call fills it again.
template <class Call>
auto guarded_call(Call&& call) noexcept -> decltype(call()) {
    try {
        const FpEnvironment environment;
        return call();
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    } catch (const std::length_error&) {
        return out_of_memory();
    } catch (const ExecutorFailed& failed) {
        return Error{ErrorCode::executor, message_of("Executor::run ", failed.how)};
    } catch (...) {
        return Error{ErrorCode::executor, "a task threw an exception"};
    }
}

}  // namespace abut
