#include "manifold/contact_law.hpp"

#include <bit>

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using namespace manifold_detail;

// The contacts of one pair in the contact plane.
struct PlaneContacts {
    std::uint32_t count;
    float x[kManifoldPoints], y[kManifoldPoints], separation[kManifoldPoints];
};

float min_of(float x, float y) { return x < y ? x : y; }

float max_of(float x, float y) { return x < y ? y : x; }
float size_of(float x) { return x < 0.0f ? -x : x; }

// The least amount by which the separation of the faces at a corner exceeds `margin`: no candidate enters it before.
float least_beyond_margin(const Feature& corners, float slope_x, float slope_y, float separation0, float margin) {
    FloatW least = HUGE_VALF;
    for (std::uint32_t i = 0; i < corners.count; i += kLanes) {
        const FloatW separation =
            FloatW(separation0) + (FloatW(slope_x) * FloatW::load(corners.x + i) + FloatW(slope_y) * FloatW::load(corners.y + i));
        const MaskW beyond = MaskW::from_bits(lane_bits(corners.count - i)) & (separation > FloatW(margin));
        least = min(least, select(beyond, separation - FloatW(margin), FloatW(HUGE_VALF)));
    }
    return -reduce_max(-least);
}

// The least tilt that brings a vertex of a shape deeper than the contacts by more than `slack`: for each vertex seen from that of the contacts, or of the
// points halfway between two, which allows the most. The other shape's face is level.
float least_tilt(const ContactShape& shape, const Feature& face, const PlaneContacts& contacts, float slack) {
    const ContactAxes& axes = shape.axes;
    const HullGeometry& hull = *shape.polytope.hull;
    const float sign = -shape.normal_sign, sx = shape.polytope.x, sy = shape.polytope.y, sz = shape.polytope.z;
    const auto along = [&](Float3 axis, const float* v) {
        return FloatW(axis.x * sx) * FloatW::load(v) + FloatW(axis.y * sy) * FloatW::load(v + hull.padded_count) +
               FloatW(axis.z * sz) * FloatW::load(v + 2 * hull.padded_count);
    };
    FloatW least = HUGE_VALF;
    for (std::uint32_t i = 0; i < hull.vertex_count; i += kLanes) {
        const float* const v = hull.columns.data() + i;
        const FloatW x = along(axes.x, v) + FloatW(axes.origin.x), y = along(axes.y, v) + FloatW(axes.origin.y);
        const FloatW height = along(axes.normal, v) + FloatW(axes.origin.z - sign * shape.radius);
        const FloatW level = FloatW(face.height0) + (FloatW(face.slope_x) * x + FloatW(face.slope_y) * y);
        const FloatW clearance = (height - level) * FloatW(sign) + FloatW(slack);
        FloatW most = -HUGE_VALF;
        for (std::uint32_t j = 0; j < contacts.count; ++j)
            for (std::uint32_t k = j; k < contacts.count; ++k) {
                const float half = 0.5f;
                const FloatW dx = x - FloatW(half * (contacts.x[j] + contacts.x[k])), dy = y - FloatW(half * (contacts.y[j] + contacts.y[k]));
                const FloatW above = clearance - FloatW(half * (contacts.separation[j] + contacts.separation[k]));
                most = max(most, above / sqrt(max(dx * dx + dy * dy, FloatW(kTiny))));
            }
        least = min(least, most);
    }
    return -reduce_max(-least);
}

// The sides of a face that a point lies on, and its distance from the nearest one; negative outside.
struct SidesAt {
    std::uint32_t count = 0, first = 0;
    float inside;

    SidesAt(const Feature& face, float x, float y, float near) {
        FloatW least = HUGE_VALF;
        for (std::uint32_t i = 0; i < face.count; i += kLanes) {
            const FloatW distance =
                FloatW::load(face.line_x + i) * FloatW(x) + FloatW::load(face.line_y + i) * FloatW(y) + FloatW::load(face.line_0 + i);
            const std::uint32_t lanes = lane_bits(face.count - i), at = (abs(distance) <= FloatW(near)).bits() & lanes;
            if (count == 0 && at != 0) first = i + static_cast<std::uint32_t>(lowest_bit(at));
            count += static_cast<std::uint32_t>(std::popcount(at));
            least = min(least, select(MaskW::from_bits(lanes), distance, FloatW(HUGE_VALF)));
        }
        inside = -reduce_max(-least);
    }
};

std::int32_t to_16_bits_of(float x) { return lanes_of(to_16_bits(FloatW(x)))[0]; }

// Where a line that stays with a face passes a contact: a side of the face, or the way from its middle.
struct LineAt {
    float x, y;  // its direction, unit

    LineAt(const Feature& face, const SidesAt& at, float px, float py) : x(-face.line_y[at.first]), y(face.line_x[at.first]) {
        if (at.count != 0) return;
        float middle_x = 0.0f, middle_y = 0.0f;
        for (std::uint32_t i = 0; i < face.count; ++i) middle_x += face.x[i], middle_y += face.y[i];
        const float share = 1.0f / static_cast<float>(face.count);
        x = px - middle_x * share, y = py - middle_y * share;
        const float by = 1.0f / sqrt_of(max_of(x * x + y * y, kTiny));
        x *= by, y *= by;
    }
};

// The law of the point where a line of A crosses one of B; false where they are nearly parallel.
bool set_crossing(const LineAt& a, const LineAt& b, std::int32_t& law) {
    const float side = a.x >= 0.0f ? 1.0f : -1.0f;  // u looks towards x
    const float ux = a.x * side, uy = a.y * side, along = ux * b.x + uy * b.y, across = ux * b.y - uy * b.x;
    if (!(size_of(along) < kSteepestLaw * size_of(across))) return false;
    const std::int32_t k = to_16_bits_of(-along / (across * kSteepestLaw)), t = to_16_bits_of(uy / (1.0f + ux));
    law = static_cast<std::int32_t>(static_cast<std::uint32_t>(k) << 16 | static_cast<std::uint32_t>(t));
    return true;
}

// How far a contact at (x, y) may move against a face: to the nearest side of those that it is not on. `other`: the line that it stays on.
float room_in(const Feature& face, const SidesAt& at, const LineAt& other, float x, float y) {
    if (at.count == 0) return at.inside;
    const auto from_other = [&](std::uint32_t corner) { return size_of(other.x * (face.y[corner] - y) - other.y * (face.x[corner] - x)); };
    return min_of(from_other(at.first), from_other(face.next(at.first)));
}

// The law of the contact at (x, y), and how far the bodies may move before it is no more where both faces are; 0 where there is no law. A contact within
// one face and on a side of the other is a corner that has been pulled there, towards the middle of its face (whole_face.hpp).
float set_law(const Feature& a, const Feature& b, float x, float y, float near, std::int32_t& law) {
    const SidesAt of_a(a, x, y, near), of_b(b, x, y, near);
    if (of_a.count <= 1 && of_b.count <= 1 && of_a.count + of_b.count != 0) {
        const LineAt line_a(a, of_a, x, y), line_b(b, of_b, x, y);
        if (!set_crossing(line_a, line_b, law)) return 0.0f;
        return min_of(room_in(a, of_a, line_b, x, y), room_in(b, of_b, line_a, x, y));
    }
    if (of_a.count + of_b.count != 2) return 0.0f;
    law = of_a.count == 0 ? kCornerOfB : kCornerOfA;
    return of_a.count == 0 ? of_a.inside : of_b.inside;
}

// The laws of a pair's contacts.
struct PairLaws {
    std::int32_t law[kManifoldPoints] = {kCornerOfA, kCornerOfA, kCornerOfA, kCornerOfA};
    float room = 0.0f, most_tilt = 0.0f, rise_x = 0.0f, rise_y = 0.0f;
    bool is_of_b = false;
};

// True if the contacts are those of the level face's shape against corners of the other one alone, whose slope then makes no difference.
bool are_corners(const PairLaws& laws, const PlaneContacts& contacts) {
    const std::int32_t corner = laws.is_of_b ? kCornerOfA : kCornerOfB;
    for (std::uint32_t k = 0; k < contacts.count; ++k)
        if (laws.law[k] != corner) return false;
    return true;
}

bool is_level(const Feature& face) { return face.slope_x * face.slope_x + face.slope_y * face.slope_y <= kLevelSlope * kLevelSlope; }

void find_laws(const ContactShape& shape_a, std::int32_t face_a, const ContactShape& shape_b, std::int32_t face_b, const ContactSeed& seed,
               const PlaneContacts& contacts, PairLaws& out) {
    Feature a, b;
    shape_a.set_feature(face_a, a);
    shape_b.set_feature(face_b, b);
    if (a.count < 3 || b.count < 3) return;
    out.is_of_b = !is_level(a);
    if (out.is_of_b && !is_level(b)) return;
    const float near = kOnSide * seed.tolerance;
    float free = kMostRoom * seed.smaller;
    for (std::uint32_t k = 0; k < contacts.count; ++k) free = min_of(free, set_law(a, b, contacts.x[k], contacts.y[k], near, out.law[k]));
    if (!(free > kLeastRoom * near)) return;
    const float slope_x = b.slope_x - a.slope_x, slope_y = b.slope_y - a.slope_y, separation0 = b.height0 - a.height0;
    if (!are_corners(out, contacts)) {
        if (!(slope_x * slope_x + slope_y * slope_y <= kMostSlope * kMostSlope)) return;
        out.rise_x = slope_x, out.rise_y = slope_y;
    }
    const float enters = min_of(least_beyond_margin(a, slope_x, slope_y, separation0, seed.margin),
                                least_beyond_margin(b, slope_x, slope_y, separation0, seed.margin));
    const float slack = 0.5f * seed.slack;
    out.most_tilt = out.is_of_b ? least_tilt(shape_a, b, contacts, slack) : least_tilt(shape_b, a, contacts, slack);
    out.room = kRoomShare * min_of(free, enters);
}

}  // namespace

void find_contact_laws(const LanesOfPair& of, std::uint32_t lanes, const std::uint32_t (&has)[kManifoldPoints], const FloatW (&x)[kManifoldPoints],
                       const FloatW (&y)[kManifoldPoints], const FloatW (&separation)[kManifoldPoints], ContactLawsW& out) {
    LaneArray<std::int32_t> law[kManifoldPoints];
    LaneArray<float> at_x[kManifoldPoints], at_y[kManifoldPoints], apart[kManifoldPoints], room = lanes_of(FloatW(0.0f)), tilt = room, rise_x = room,
                                                                                           rise_y = room;
    for (int k = 0; k < kManifoldPoints; ++k) {
        law[k] = lanes_of(IntW(kCornerOfA));
        at_x[k] = lanes_of(x[k]), at_y[k] = lanes_of(y[k]), apart[k] = lanes_of(separation[k]);
    }
    out.of_b = 0;
    for_each_lane(lanes, [&](int lane) {
        PlaneContacts contacts = {0, {}, {}, {}};
        for (int k = 0; k < kManifoldPoints && (has[k] >> lane & 1) != 0; ++k, ++contacts.count)
            contacts.x[k] = at_x[k][lane], contacts.y[k] = at_y[k][lane], contacts.separation[k] = apart[k][lane];
        PairLaws laws;
        find_laws(of.a.of_lane(lane), of.face_a[lane], of.b.of_lane(lane), of.face_b[lane], of.seeds.of_lane(lane), contacts, laws);
        for (int k = 0; k < kManifoldPoints; ++k) law[k][lane] = laws.law[k];
        room[lane] = laws.room, tilt[lane] = laws.most_tilt, rise_x[lane] = laws.rise_x, rise_y[lane] = laws.rise_y;
        out.of_b |= static_cast<std::uint32_t>(laws.is_of_b) << lane;
    });
    for (int k = 0; k < kManifoldPoints; ++k) out.law[k] = load(law[k]);
    out.room = load(room), out.most_tilt = load(tilt), out.rise_x = load(rise_x), out.rise_y = load(rise_y);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
