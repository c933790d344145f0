// Rule 3 of carry_over: moves impulses to the present indices of their contacts.
#include <algorithm>

#include <abut/carry_over.hpp>

#include "base/message.hpp"
#include "coherence/impulse_carrier.hpp"

namespace abut {

namespace {

CallResult check_impulses(std::size_t before, std::size_t now, std::span<const float> impulses_before,
                          std::span<float> impulses_now, std::size_t floats) {
    if (floats == 0) return Error{ErrorCode::bad_argument, "carry_impulses: floats is 0, expected 1 or more"};
    if (before > impulses_before.size() / floats || now > impulses_now.size() / floats ||
        before * floats != impulses_before.size() || now * floats != impulses_now.size()) {
        return Error{ErrorCode::bad_size,
                     message_of("carry_impulses: impulses have ", impulses_before.size(), " and ", impulses_now.size(),
                                " floats, expected ", floats, " for each of ", before, " and ", now, " contacts")};
    }
    return {};
}

}  // namespace

CallResult carry_impulses(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& carried,
                          std::span<const float> impulses_before, std::span<float> impulses_now, std::size_t floats) {
    if (CallResult result = check_columns(before, now, carried); !result) return result;
    if (CallResult result =
            check_impulses(before.contacts.size(), now.contacts.size(), impulses_before, impulses_now, floats);
        !result)
        return result;
    std::fill(impulses_now.begin(), impulses_now.end(), 0.0f);
    for (std::size_t m = 0; m < now.manifolds.size(); ++m) {
        const PreviousManifold source = carried.manifolds[m];
        if (source.index >= before.manifolds.size()) continue;
        const Range range = contacts_of(now, now.manifolds[m]);
        ImpulseCarrier{impulses_before, impulses_now, floats, source.swapped}.carry(
            range, carried.previous.subspan(range.first, range.count),
            contacts_of(before, before.manifolds[source.index]));
    }
    return {};
}

CallResult carry_impulses(std::span<const std::uint32_t> previous, std::span<const float> impulses_before,
                          std::span<float> impulses_now, std::size_t floats, bool swapped) {
    const std::size_t before = floats > 0 ? impulses_before.size() / floats : 0;
    if (CallResult result = check_impulses(before, previous.size(), impulses_before, impulses_now, floats); !result)
        return result;
    std::fill(impulses_now.begin(), impulses_now.end(), 0.0f);
    ImpulseCarrier{impulses_before, impulses_now, floats, swapped}.carry({0, previous.size()}, previous, {0, before});
    return {};
}

}  // namespace abut
