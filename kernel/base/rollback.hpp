// Undoes the changes of a failed call.
#pragma once

#include <utility>

namespace abut {

// Calls undo() at the end of its scope, also if an exception ends it, unless keep() was called.
template <class Undo>
class Rollback {
public:
    explicit Rollback(Undo undo) : undo_(std::move(undo)) {}
    Rollback(Rollback&& other) noexcept : undo_(other.undo_), is_kept_(std::exchange(other.is_kept_, true)) {}
    Rollback& operator=(Rollback&&) = delete;
    ~Rollback() {
        if (!is_kept_) undo_();
    }
    void keep() { is_kept_ = true; }

private:
    Undo undo_;
    bool is_kept_ = false;
};

}  // namespace abut
