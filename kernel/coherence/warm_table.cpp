// The calls of WarmTable. They check the arguments, and survive a lack of memory.
#include <abut/warm_table.hpp>

#include <cmath>

#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "batch/frame_checks.hpp"
#include "coherence/warm_table_impl.hpp"

namespace abut {

WarmTable::WarmTable() noexcept = default;
WarmTable::~WarmTable() = default;
WarmTable::WarmTable(WarmTable&&) noexcept = default;
WarmTable& WarmTable::operator=(WarmTable&&) noexcept = default;
WarmTable::WarmTable(const WarmTable& other) : impl_(other.impl_ ? std::make_unique<Impl>(*other.impl_) : nullptr) {}

WarmTable& WarmTable::operator=(const WarmTable& other) {
    if (!other.impl_) {
        clear();
        if (impl_) impl_->set_floats({});
    } else if (impl_) {
        *impl_ = *other.impl_;  // keeps the memory that the table has
    } else {
        impl_ = std::make_unique<Impl>(*other.impl_);
    }
    return *this;
}

namespace {

// Runs `call`; clears the table if an allocation fails.
template <class Call>
CallResult within_memory(WarmTable& table, Call&& call) {
    CallResult result = guarded_call(call);
    if (result.error().code == ErrorCode::out_of_memory) table.clear();
    return result;
}

}  // namespace

CallResult WarmTable::assign(const WarmTable& other) {
    return within_memory(*this, [&]() -> CallResult {
        *this = other;
        return {};
    });
}

std::span<WarmCache> WarmTable::begin(Strided<Pair> pairs) {
    std::span<WarmCache> caches;
    (void)within_memory(*this, [&]() -> CallResult {
        if (CallResult readable = check_strided("WarmTable::begin: pairs", pairs); !readable) return readable;
        if (!impl_) impl_ = std::make_unique<Impl>();
        caches = impl_->begin(pairs);
        return {};
    });
    return caches;
}

std::span<const PreviousPair> WarmTable::previous_pairs() const {
    return impl_ ? std::span<const PreviousPair>(impl_->previous) : std::span<const PreviousPair>{};
}

CallResult WarmTable::carry_over(const FrameContacts& now, const CarryOverOptions& options) {
    return within_memory(*this, [&]() -> CallResult {
        if (!impl_) impl_ = std::make_unique<Impl>();
        return impl_->carry_over(now, options);
    });
}

CallResult WarmTable::set_floats(std::size_t per_contact, std::size_t per_manifold) {
    return within_memory(*this, [&]() -> CallResult {
        if (per_contact > kMostFloats || per_manifold > kMostFloats)
            return bad_argument(message_of("WarmTable::set_floats: ", per_contact, " per contact and ", per_manifold,
                                           " per manifold, expected at most ", kMostFloats));
        if (!impl_) impl_ = std::make_unique<Impl>();
        impl_->set_floats({per_contact, per_manifold});
        return {};
    });
}

namespace {

// A column of the last carry_over; empty if there was none in this frame.
template <class T, class Impl, class Column>
std::span<T> column_of(Impl* impl, Column column) {
    return impl && impl->has_contacts ? std::span<T>(column(*impl)) : std::span<T>();
}

}  // namespace

std::span<ContactImpulse> WarmTable::impulses() {
    return column_of<ContactImpulse>(
        impl_.get(), [](auto& table) -> auto& { return table.now.impulses; });
}
std::span<const CarriedBy> WarmTable::carried_by() const {
    return column_of<const CarriedBy>(
        impl_.get(), [](auto& table) -> auto& { return table.by; });
}
std::span<const std::uint32_t> WarmTable::previous_contacts() const {
    return column_of<const std::uint32_t>(
        impl_.get(), [](auto& table) -> auto& { return table.previous_contacts; });
}
std::span<const PreviousManifold> WarmTable::previous_manifolds() const {
    return column_of<const PreviousManifold>(
        impl_.get(), [](auto& table) -> auto& { return table.previous_manifolds; });
}
std::span<const Manifold> WarmTable::manifolds_before() const {
    return column_of<const Manifold>(
        impl_.get(), [](auto& table) -> auto& { return table.before.manifolds; });
}
std::span<const std::uint32_t> WarmTable::next_manifolds() const {
    return column_of<const std::uint32_t>(
        impl_.get(), [](auto& table) -> auto& { return table.next_manifolds; });
}
std::span<float> WarmTable::contact_floats() {
    return column_of<float>(
        impl_.get(), [](auto& table) -> auto& { return table.now.contact_floats; });
}
std::span<float> WarmTable::manifold_floats() {
    return column_of<float>(
        impl_.get(), [](auto& table) -> auto& { return table.now.manifold_floats; });
}

std::size_t WarmTable::floats_per_contact() const { return impl_ ? impl_->floats.per_contact : 0; }
std::size_t WarmTable::floats_per_manifold() const { return impl_ ? impl_->floats.per_manifold : 0; }

Expected<TouchChanges> WarmTable::touch_changes(const TouchOptions& options) {
    TouchChanges changes;
    const CallResult result = within_memory(*this, [&]() -> CallResult {
        if (std::isnan(options.begin_distance) || !(options.end_distance >= options.begin_distance))
            return bad_argument(message_of("TouchOptions: begin_distance is ", options.begin_distance,
                                           " and end_distance ", options.end_distance,
                                           ", expected numbers, the second not below the first"));
        if (!impl_) impl_ = std::make_unique<Impl>();
        if (CallResult named = impl_->check_named("touch_changes"); !named) return named;
        if (!impl_->has_contacts) return bad_argument("WarmTable::touch_changes: carry_over() comes first");
        changes = impl_->touch_changes(options);
        return {};
    });
    if (!result) return result.error();
    return changes;
}

Expected<TouchChanges> WarmTable::overlap_changes(std::span<const std::uint32_t> bits) {
    TouchChanges changes;
    const CallResult result = within_memory(*this, [&]() -> CallResult {
        if (!impl_) impl_ = std::make_unique<Impl>();
        if (CallResult named = impl_->check_named("overlap_changes"); !named) return named;
        const std::size_t words = (impl_->names.size() + 31) / 32;
        if (CallResult column = check_size("WarmTable::overlap_changes: bits", bits, words, false); !column)
            return column;
        changes = impl_->overlap_changes(bits);
        return {};
    });
    if (!result) return result.error();
    return changes;
}

Expected<std::size_t> WarmTable::keep(Strided<Pair> pairs) {
    std::size_t count = 0;
    const CallResult result = within_memory(*this, [&]() -> CallResult {
        if (CallResult readable = check_strided("WarmTable::keep: pairs", pairs); !readable) return readable;
        if (!impl_) impl_ = std::make_unique<Impl>();
        if (CallResult begun = impl_->check_begun("keep"); !begun) return begun;
        count = impl_->keep(pairs);
        return {};
    });
    if (!result) return result.error();
    return count;
}

CallResult WarmTable::drop(Strided<Pair> pairs) {
    return within_memory(*this, [&]() -> CallResult {
        if (CallResult readable = check_strided("WarmTable::drop: pairs", pairs); !readable) return readable;
        if (impl_) impl_->drop(pairs);
        return {};
    });
}

std::size_t WarmTable::kept() const { return impl_ ? impl_->kept.size() : 0; }

CallResult WarmTable::remap_bodies(std::span<const std::uint32_t> new_index) {
    return within_memory(*this, [&]() -> CallResult {
        if (impl_)
            impl_->rename([&](std::uint32_t body) { return body < new_index.size() ? new_index[body] : kRemovedBody; });
        return {};
    });
}

CallResult WarmTable::swap_remove(std::uint32_t body, std::uint32_t last) {
    return within_memory(*this, [&]() -> CallResult {
        if (body > last || last == kRemovedBody)
            return bad_argument(message_of("WarmTable::swap_remove: body is ", body, ", last is ", last,
                                           ", expected a body up to the last one, and not kRemovedBody"));
        if (impl_) impl_->rename([&](std::uint32_t i) { return i == body ? kRemovedBody : i == last ? body : i; });
        return {};
    });
}

void WarmTable::clear() {
    if (impl_) impl_->clear();
}

CallResult WarmTable::reserve(std::size_t pairs, std::size_t contacts) {
    return guarded_call([&]() -> CallResult {
        if (!impl_) impl_ = std::make_unique<Impl>();
        impl_->reserve(pairs, contacts);
        return {};
    });
}

std::size_t WarmTable::byte_count() const {
    const auto count = guarded_call(
        [&]() -> Expected<std::size_t> { return impl_ ? table_byte_count(*impl_) : table_byte_count({}); });
    return count ? *count : 0;
}

std::size_t WarmTable::write(std::span<std::byte> out) const {
    const std::size_t count = byte_count();
    if (count == 0 || out.size() < count || out.data() == nullptr) return 0;
    const CallResult result = guarded_call([&]() -> CallResult {
        impl_ ? write_table(*impl_, out.first(count)) : write_table({}, out.first(count));
        return {};
    });
    return result ? count : 0;
}

Expected<WarmTable> WarmTable::read(std::span<const std::byte> bytes) {
    if (bytes.data() == nullptr && !bytes.empty())
        return bad_argument(message_of("bytes is null, with a count of ", bytes.size()));
    return guarded_call([&]() -> Expected<WarmTable> {
        WarmTable table;
        table.impl_ = std::make_unique<Impl>();
        if (auto error = read_table(bytes, *table.impl_)) return *error;
        return table;
    });
}

}  // namespace abut
