// abut.WarmTable. Its arrays are copies of the table's own, which a later call may move: what the caller writes to the
// impulses and floats is taken over before anything reads them.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <abut/d2/warm_table_2d.hpp>
#include <abut/warm_table.hpp>

#include "arrays.hpp"
#include "results.hpp"

namespace abut::python {

struct SolverColumns {
    std::vector<ContactImpulse> impulses;
    std::vector<float> contact_floats, manifold_floats;
    std::size_t per_contact = 0, per_manifold = 0;
};

// One thread at a time: the others wait. As with Store the lock is never held while the GIL is wanted.
class Warm {
public:
    Warm() = default;
    Warm(const Warm& other);
    explicit Warm(WarmTable&& table);

    // f(WarmTable&), without the GIL, once the table has the caller's impulses.
    template <class F>
    auto use(F&& f) {
        const std::shared_ptr<SolverColumns> written = columns_.current();
        const py::gil_scoped_release release;
        const std::lock_guard lock(mutex_);
        const auto take_over = [](const auto& from, auto to) {
            if (from.size() == to.size()) std::copy(from.begin(), from.end(), to.begin());
        };
        take_over(written->impulses, table_.impulses());
        take_over(written->contact_floats, table_.contact_floats());
        take_over(written->manifold_floats, table_.manifold_floats());
        return f(table_);
    }
    void begin(Strided<Pair> pairs);
    // f(WarmTable&, d2::FrameContacts&): carry_over, of contacts in the plane by the second argument.
    template <class F>
    void carry_over(F&& f) {
        const CallResult result = use([&](WarmTable& table) -> CallResult { return f(table, in_plane_); });
        read_columns();
        check(result);
    }
    void set_floats(std::size_t per_contact, std::size_t per_manifold);
    void clear();
    py::array impulses() const;
    py::array contact_floats() const;
    py::array manifold_floats() const;

    std::mutex& mutex() { return mutex_; }
    std::span<WarmCache> caches() const { return caches_; }  // under the lock

private:
    void read_columns();

    std::mutex mutex_;
    WarmTable table_;
    d2::FrameContacts in_plane_;
    std::span<WarmCache> caches_;
    Pool<SolverColumns> columns_;
};

using WarmPtr = std::shared_ptr<Warm>;

void define_warm_table(py::module_& module);

}  // namespace abut::python
