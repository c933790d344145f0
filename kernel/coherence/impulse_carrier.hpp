// Moves impulses to the present indices of their contacts: rule 3 of carry_over, for one manifold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/carry_over.hpp>

#include "coherence/carry_checks.hpp"

namespace abut {

// Impulses of contacts, `floats` each.
struct ImpulseCarrier {
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
    // Moves the impulses of one manifold: `range` are its contacts now, `previous` the indices of its old contacts,
    // which are in `old`. The impulses of old contacts without a successor are shared by the new contacts.
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
    // True if all contacts continue in the same order, as in most manifolds of bodies at rest.
    static bool continues_in_order(std::span<const std::uint32_t> previous, Range old) {
        std::size_t i = 0;
        while (i < previous.size() && previous[i] == old.first + i) ++i;
        return i == previous.size() && i == old.count;
    }
    static bool is_named(std::span<const std::uint32_t> matched, std::uint32_t k) {
        return std::find(matched.begin(), matched.end(), k) != matched.end();
    }
};

// One impulse per contact of the frame before and of this frame; or both empty.
struct ImpulsesOfFrames {
    std::span<const ContactImpulse> before;
    std::span<ContactImpulse> now;
};
inline constexpr std::size_t kImpulseFloats = sizeof(ContactImpulse) / sizeof(float);

// The checks of carry_over that are not of columns.
CallResult check_frames(const FrameContacts& before, const FrameContacts& now, const CarryOverOptions& options);
// carry_over and carry_impulses in one pass. Precondition: check_frames() found nothing, and all columns of `out` have
// the right lengths.
void carry_over_with_impulses(const FrameContacts& before, const FrameContacts& now,
                              std::span<const PreviousPair> previous_pairs, const CarriedColumns& out,
                              const ImpulsesOfFrames& impulses, const CarryOverOptions& options);

}  // namespace abut
