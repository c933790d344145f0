// Rule 3 of carry_over, and the moving of impulses to where their contacts are now.
#include <algorithm>
#include <cmath>

#include <abut/carry_over.hpp>

#include "host/message.hpp"
#include "warm/carry_checks.hpp"

namespace abut {

namespace {

// Impulses of contacts, `floats` each.
struct Mover {
    std::span<const float> before;
    std::span<float> now;
    std::size_t floats;
    bool swapped;

    float signed_value(std::size_t contact, std::size_t f) const {
        const float value = before[contact * floats + f];
        return swapped && f > 0 ? -value : value;
    }
    void move(std::size_t from, std::size_t to) const {
        for (std::size_t f = 0; f < floats; ++f) now[to * floats + f] = signed_value(from, f);
    }
    bool is_finite(std::size_t contact) const {
        for (std::size_t f = 0; f < floats; ++f)
            if (!std::isfinite(before[contact * floats + f])) return false;
        return true;
    }
    // A manifold of now, whose contacts are `range`, with its `previous` contacts among those of `old`.
    void carry(Range range, std::span<const std::uint32_t> previous, Range old) const {
        if (!swapped && continues_in_order(previous, old)) {
            std::copy_n(before.data() + old.first * floats, old.count * floats, now.data() + range.first * floats);
            return;
        }
        const std::span<const std::uint32_t> matched = previous.first(std::min(previous.size(), kMaxCarriedContacts));
        for (std::size_t i = 0; i < matched.size(); ++i) {
            const bool is_old = matched[i] >= old.first && matched[i] - old.first < old.count;
            if (is_old && !is_named(matched.first(i), matched[i])) move(matched[i], range.first + i);
        }
        const auto shares = std::count(previous.begin(), previous.end(), kNewContact);
        if (shares == 0) return;
        for (std::size_t f = 0; f < floats; ++f) {
            float lost = 0.0f;
            for (std::size_t k = old.first; k < old.first + old.count; ++k)
                if (!is_named(matched, std::uint32_t(k)) && is_finite(k)) lost += signed_value(k, f);
            for (std::size_t i = 0; i < range.count && lost != 0.0f; ++i)
                if (previous[i] == kNewContact) now[(range.first + i) * floats + f] = lost / float(shares);
        }
    }
    // As in most manifolds of bodies at rest.
    static bool continues_in_order(std::span<const std::uint32_t> previous, Range old) {
        std::size_t i = 0;
        while (i < previous.size() && previous[i] == old.first + i) ++i;
        return i == previous.size() && i == old.count;
    }
    static bool is_named(std::span<const std::uint32_t> matched, std::uint32_t k) {
        return std::find(matched.begin(), matched.end(), k) != matched.end();
    }
};

CallResult check_impulses(std::size_t before, std::size_t now, std::span<const float> impulses_before, std::span<float> impulses_now,
                          std::size_t floats) {
    if (floats == 0) return Error{ErrorCode::bad_argument, "carry_impulses: floats is 0, expected 1 or more"};
    if (before > impulses_before.size() / floats || now > impulses_now.size() / floats || before * floats != impulses_before.size() ||
        now * floats != impulses_now.size()) {
        return Error{ErrorCode::bad_size, message_of("carry_impulses: impulses have ", impulses_before.size(), " and ", impulses_now.size(),
                                                     " floats, expected ", floats, " for each of ", before, " and ", now, " contacts")};
    }
    return {};
}

}  // namespace

CallResult carry_impulses(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& carried,
                          std::span<const float> impulses_before, std::span<float> impulses_now, std::size_t floats) {
    if (CallResult result = check_columns(before, now, carried); !result) return result;
    if (CallResult result = check_impulses(before.contacts.size(), now.contacts.size(), impulses_before, impulses_now, floats); !result)
        return result;
    std::fill(impulses_now.begin(), impulses_now.end(), 0.0f);
    for (std::size_t m = 0; m < now.manifolds.size(); ++m) {
        const PreviousManifold source = carried.manifolds[m];
        if (source.index >= before.manifolds.size()) continue;
        const Range range = contacts_of(now, now.manifolds[m]);
        Mover{impulses_before, impulses_now, floats, source.swapped}.carry(range, carried.previous.subspan(range.first, range.count),
                                                                           contacts_of(before, before.manifolds[source.index]));
    }
    return {};
}

CallResult carry_impulses(std::span<const std::uint32_t> previous, std::span<const float> impulses_before, std::span<float> impulses_now,
                          std::size_t floats, bool swapped) {
    const std::size_t before = floats > 0 ? impulses_before.size() / floats : 0;
    if (CallResult result = check_impulses(before, previous.size(), impulses_before, impulses_now, floats); !result) return result;
    std::fill(impulses_now.begin(), impulses_now.end(), 0.0f);
    Mover{impulses_before, impulses_now, floats, swapped}.carry({0, previous.size()}, previous, {0, before});
    return {};
}

}  // namespace abut
