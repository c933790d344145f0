// The interface between the library's calls and their callers: no exception leaves a call.
#pragma once

#include <new>
#include <stdexcept>

#include <abut/status.hpp>

#include "base/message.hpp"
#include "base/parallel/fp_environment.hpp"
#include "base/parallel/parallel_for.hpp"

namespace abut {

// Runs call() in the kernels' floating-point environment. Scratch needs no repair after a failed call: the next call
// fills it again.
template <class Call>
CallResult guarded_call(Call&& call) noexcept {
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
