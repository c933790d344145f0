// Results: columns that the arrays handed out keep alive, and that a later call uses again once no array refers to
// them.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <abut/results.hpp>

#include "arrays.hpp"

namespace abut::python {

// A few sets of columns, of which a call gets one that no array refers to. Used with the GIL held.
template <class Columns>
class Pool {
public:
    // What the last call wrote. Not while one writes.
    const std::shared_ptr<Columns>& current() const {
        if (busy_) throw std::runtime_error("this object is being written by a call of another thread");
        return current_;
    }
    // Columns to write: the current ones where no array refers to them. Then commit() or abandon().
    std::shared_ptr<Columns> take() {
        const std::shared_ptr<Columns>& now = current();
        busy_ = true;
        if (now.use_count() == 1) return now;
        for (auto& spare : spare_) {
            if (spare.use_count() > 1) continue;
            std::swap(spare, spare_.back());
            auto taken = std::move(spare_.back());
            spare_.pop_back();
            return taken;
        }
        if (spare_.size() >= kMostSpare) spare_.erase(spare_.begin());  // the arrays that refer to it keep it
        return std::make_shared<Columns>();
    }
    void commit(std::shared_ptr<Columns> taken) {
        if (taken != current_) spare_.push_back(std::exchange(current_, std::move(taken)));
        busy_ = false;
    }
    // The current ones stay.
    void abandon(std::shared_ptr<Columns> taken) {
        if (taken != current_) spare_.push_back(std::move(taken));
        busy_ = false;
    }

private:
    static constexpr std::size_t kMostSpare = 4;
    std::shared_ptr<Columns> current_ = std::make_shared<Columns>();
    std::vector<std::shared_ptr<Columns>> spare_;
    bool busy_ = false;
};

template <class Columns>
struct Result {
    Pool<Columns> pool;
    std::size_t pairs = 0;
};

void define_results(py::module_& module);

}  // namespace abut::python
