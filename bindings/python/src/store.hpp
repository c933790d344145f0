// What several Python objects share: a store and its lock; of either dimension.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <abut/shape_store.hpp>

#include "errors.hpp"

namespace abut::python {

// Queries and readers share the lock, changes have it alone. No lock is waited for, nor held, while the GIL is wanted:
// who holds one never asks for the GIL, so that the two cannot wait for each other.
template <class Shapes>
class StoreOf {
public:
    StoreOf() = default;
    explicit StoreOf(Shapes&& store) : store_(std::move(store)) {}

    // f(const Shapes&), without the GIL.
    template <class F>
    auto read(F&& f) const {
        const py::gil_scoped_release release;
        const std::shared_lock lock(mutex_);
        return f(std::as_const(store_));
    }
    template <class F>
    auto change(F&& f) {
        const py::gil_scoped_release release;
        const std::unique_lock lock(mutex_);
        return f(store_);
    }
    const Shapes& shapes() const { return store_; }
    std::shared_mutex& mutex() const { return mutex_; }

private:
    Shapes store_;
    mutable std::shared_mutex mutex_;
};

using Store = StoreOf<ShapeStore>;
using StorePtr = std::shared_ptr<Store>;

}  // namespace abut::python
