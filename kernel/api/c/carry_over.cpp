// Carrying impulses over, for bookkeeping of the caller's own.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

CallResult read_columns(const abut_carried_columns* from, CarriedColumns& to) {
    abut_carried_columns given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (CallResult r = view_items("abut_carried_columns.previous", given.previous, given.previous_count, to.previous);
        !r)
        return r;
    if (CallResult r =
            view_items("abut_carried_columns.manifolds", given.manifolds, given.manifold_count, to.manifolds);
        !r)
        return r;
    if (CallResult r = view_items("abut_carried_columns.next_manifolds", given.next_manifolds,
                                  given.next_manifold_count, to.next_manifolds);
        !r)
        return r;
    return view_items("abut_carried_columns.by", given.by, given.by_count, to.by);
}

}  // namespace

CallResult check_answer(const ManifoldColumns& answer) {
    const auto& first = answer.first_manifold;
    if (CallResult r =
            check_column("abut_manifold_columns.first_manifold", first.data(), alignof(std::uint32_t), first.size(), 0);
        !r)
        return r;
    if (CallResult r = check_column("abut_manifold_columns.manifolds", answer.manifolds.data(), alignof(Manifold),
                                    answer.manifolds.size(), 0);
        !r)
        return r;
    return check_column("abut_manifold_columns.contacts", answer.contacts.data(), alignof(Contact),
                        answer.contacts.size(), 0);
}

CallResult to_cpp(const abut_frame_contacts* from, FrameContacts& to) {
    abut_frame_contacts given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (CallResult r = to_cpp(given.bodies, to.bodies); !r) return r;
    to.pairs = column<Pair>(given.pairs);
    to.relative_poses = column<RelativePose>(given.relative_poses);
    if (CallResult r = view_items("abut_frame_contacts.first_manifold", given.first_manifold,
                                  given.first_manifold_count, to.first_manifold);
        !r)
        return r;
    if (CallResult r = view_items("abut_frame_contacts.manifolds", given.manifolds, given.manifold_count, to.manifolds);
        !r)
        return r;
    return view_items("abut_frame_contacts.contacts", given.contacts, given.contact_count, to.contacts);
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_frame_contacts_of(const abut_frame* frame, const abut_manifold_columns* answer,
                                       abut_frame_contacts* out, abut_error* error) {
    return c::run(error, {{"frame", frame}, {"answer", answer}, {"out", out}}, [&]() -> CallResult {
        abut_frame asked = {};
        abut_manifold_columns columns = {};
        if (CallResult r = c::check_sized(out); !r) return r;
        if (CallResult r = c::read_sized(frame, asked); !r) return r;
        if (CallResult r = c::read_sized(answer, columns); !r) return r;
        abut_frame_contacts contacts = {};
        contacts.bodies = asked.bodies;
        contacts.pairs = asked.pairs;
        contacts.first_manifold = columns.first_manifold;
        contacts.first_manifold_count = columns.first_manifold_count;
        contacts.manifolds = columns.manifolds;
        contacts.manifold_count = std::min(columns.manifold_count, columns.manifold_room);
        contacts.contacts = columns.contacts;
        contacts.contact_count = std::min(columns.contact_count, columns.contact_room);
        contacts.relative_poses = asked.relative_poses;
        c::write_sized(out, contacts);
        return {};
    });
}

abut_error_code abut_carry_over(const abut_frame_contacts* before, const abut_frame_contacts* now,
                                const abut_previous_pair* previous_pairs, size_t previous_pair_count,
                                const abut_carried_columns* out, const abut_carry_over_options* options,
                                abut_error* error) {
    return c::run(error, {{"before", before}, {"now", now}, {"out", out}}, [&]() -> CallResult {
        FrameContacts old_contacts, new_contacts;
        std::span<const PreviousPair> previous;
        CarriedColumns columns;
        CarryOverOptions wanted;
        if (CallResult r = c::to_cpp(before, old_contacts); !r) return r;
        if (CallResult r = c::to_cpp(now, new_contacts); !r) return r;
        if (CallResult r = c::view_items("previous_pairs", previous_pairs, previous_pair_count, previous); !r) return r;
        if (CallResult r = c::read_columns(out, columns); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return carry_over(old_contacts, new_contacts, previous, columns, wanted);
    });
}

abut_error_code abut_carry_impulses(const abut_frame_contacts* before, const abut_frame_contacts* now,
                                    const abut_carried_columns* carried, const float* impulses_before,
                                    size_t count_before, float* impulses_now, size_t count_now, size_t floats,
                                    abut_error* error) {
    return c::run(error, {{"before", before}, {"now", now}, {"carried", carried}}, [&]() -> CallResult {
        FrameContacts old_contacts, new_contacts;
        CarriedColumns columns;
        std::span<const float> old_impulses;
        std::span<float> new_impulses;
        if (CallResult r = c::to_cpp(before, old_contacts); !r) return r;
        if (CallResult r = c::to_cpp(now, new_contacts); !r) return r;
        if (CallResult r = c::read_columns(carried, columns); !r) return r;
        if (CallResult r = c::view_items("impulses_before", impulses_before, count_before, old_impulses); !r) return r;
        if (CallResult r = c::view_items("impulses_now", impulses_now, count_now, new_impulses); !r) return r;
        return carry_impulses(old_contacts, new_contacts, columns, old_impulses, new_impulses, floats);
    });
}

abut_error_code abut_contact_anchor_of(const abut_body* a, const abut_body* b, abut_vec3 normal,
                                       const abut_contact* contact, abut_contact_anchor* out, abut_error* error) {
    return c::run(error, {{"a", a}, {"b", b}, {"contact", contact}, {"out", out}}, [&]() -> CallResult {
        const ContactAnchor anchor =
            contact_anchor(*reinterpret_cast<const Body*>(a), *reinterpret_cast<const Body*>(b), c::to_cpp(normal),
                           *reinterpret_cast<const Contact*>(contact));
        *out = {c::to_c(anchor.on_a), c::to_c(anchor.on_b), anchor.feature};
        return {};
    });
}

abut_contact_anchor abut_swap_anchor(abut_contact_anchor anchor) {
    return {anchor.on_b, anchor.on_a, swap_bodies(ContactAnchor{{}, {}, anchor.feature}).feature};
}

abut_error_code abut_carry_over_anchors(const abut_contact_anchor* before, size_t before_count,
                                        const abut_contact_anchor* now, size_t now_count, uint32_t* previous,
                                        abut_carried_by* by, const abut_carry_over_options* options,
                                        abut_error* error) {
    return c::run(error, {}, [&]() -> CallResult {
        std::span<const ContactAnchor> old_anchors, new_anchors;
        std::span<std::uint32_t> indices;
        std::span<CarriedBy> rules;
        CarryOverOptions wanted;
        if (CallResult r = c::view_items("before", before, before_count, old_anchors); !r) return r;
        if (CallResult r = c::view_items("now", now, now_count, new_anchors); !r) return r;
        if (CallResult r = c::view_items("previous", previous, now_count, indices); !r) return r;
        if (by != nullptr) rules = c::items<CarriedBy>(by, now_count);
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return carry_over(old_anchors, new_anchors, indices, rules, wanted);
    });
}

abut_error_code abut_carry_anchor_impulses(const uint32_t* previous, size_t previous_count,
                                           const float* impulses_before, size_t count_before, float* impulses_now,
                                           size_t count_now, size_t floats, bool swapped, abut_error* error) {
    return c::run(error, {}, [&]() -> CallResult {
        std::span<const std::uint32_t> indices;
        std::span<const float> old_impulses;
        std::span<float> new_impulses;
        if (CallResult r = c::view_items("previous", previous, previous_count, indices); !r) return r;
        if (CallResult r = c::view_items("impulses_before", impulses_before, count_before, old_impulses); !r) return r;
        if (CallResult r = c::view_items("impulses_now", impulses_now, count_now, new_impulses); !r) return r;
        return carry_impulses(indices, old_impulses, new_impulses, floats, swapped);
    });
}
