#include "convex/manifold/contact_law.hpp"

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

// The least amount by which the separation at a corner beyond the margin exceeds `margin`. A smaller motion brings no
// new corner within the margin.
float least_beyond_margin(const Feature& corners, float slope_x, float slope_y, float separation0, float margin) {
    FloatW least = HUGE_VALF;
    for (std::uint32_t i = 0; i < corners.count; i += kLanes) {
        const FloatW separation = FloatW(separation0) + (FloatW(slope_x) * FloatW::load(corners.x + i) +
                                                         FloatW(slope_y) * FloatW::load(corners.y + i));
        const MaskW beyond = MaskW::from_bits(lane_bits(corners.count - i)) & (separation > FloatW(margin));
        least = min(least, select(beyond, separation - FloatW(margin), FloatW(HUGE_VALF)));
    }
    return -reduce_max(-least);
}

// The least tilt, in radians, at which a vertex of a shape gets deeper than the contacts by more than `slack`; the
// other shape's face is level. The lever arm of a vertex is its distance from the segment between two contacts; the
// pair of contacts that allows the largest tilt counts.
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
            for (std::uint32_t k = contacts.count == 1 ? j : j + 1; k < contacts.count; ++k) {
                const float ex = contacts.x[k] - contacts.x[j], ey = contacts.y[k] - contacts.y[j],
                            apart = contacts.separation[k] - contacts.separation[j];
                const float by = 1.0f / max_of(ex * ex + ey * ey, kTiny);
                const FloatW jx = x - FloatW(contacts.x[j]), jy = y - FloatW(contacts.y[j]);
                const FloatW t = min(max((jx * FloatW(ex) + jy * FloatW(ey)) * FloatW(by), FloatW(0.0f)), FloatW(1.0f));
                const FloatW dx = jx - t * FloatW(ex), dy = jy - t * FloatW(ey),
                             above = clearance - (FloatW(contacts.separation[j]) + t * FloatW(apart));
                most = max(most, above / sqrt(max(dx * dx + dy * dy, FloatW(kTiny))));
            }
        least = min(least, most);
    }
    return -reduce_max(-least);
}

float steepness_of(const Feature& f) { return sqrt_of(f.slope_x * f.slope_x + f.slope_y * f.slope_y); }

// The number of a feature's edges on which a point lies (two at a corner), the first of these edges, and the point's
// distance inside the nearest edge of a face (negative outside). Outside the chords of a cap that is seen as a circle,
// the rim counts as one edge.
struct SidesAt {
    std::uint32_t count = 0, first = 0;
    bool is_on_rim = false;
    float inside = 0.0f;

    SidesAt(const Feature& of, float x, float y, float near) {
        if (of.count >= 3)
            set_of_face(of, x, y, near);
        else
            count = of.count == 2 && is_between_ends(of, x, y, near) ? 1 : 2;
    }

private:
    // True except near the edge's ends, where the edge may continue as a part of a sphere, and on that sphere
    // (round_end.hpp).
    static bool is_between_ends(const Feature& edge, float x, float y, float near) {
        const float ex = edge.edge_x[0], ey = edge.edge_y[0], along = (x - edge.x[0]) * ex + (y - edge.y[0]) * ey,
                    squared = ex * ex + ey * ey;
        const float length = sqrt_of(squared), on_ball = edge.radius * edge.rise, zero = 0.0f;
        const float from = near + (edge.deepest == 0 ? on_ball : zero),
                    to = near + (edge.deepest == 1 ? on_ball : zero);
        return along > from * length && along < squared - to * length;
    }
    void set_of_face(const Feature& face, float x, float y, float near) {
        FloatW least = HUGE_VALF;
        for (std::uint32_t i = 0; i < face.count; i += kLanes) {
            const FloatW distance = FloatW::load(face.line_x + i) * FloatW(x) +
                                    FloatW::load(face.line_y + i) * FloatW(y) + FloatW::load(face.line_0 + i);
            const std::uint32_t lanes = lane_bits(face.count - i), at = (abs(distance) <= FloatW(near)).bits() & lanes;
            if (count == 0 && at != 0) first = i + static_cast<std::uint32_t>(lowest_bit(at));
            count += static_cast<std::uint32_t>(std::popcount(at));
            least = min(least, select(MaskW::from_bits(lanes), distance, FloatW(HUGE_VALF)));
        }
        inside = -reduce_max(-least);
        is_on_rim = count == 0 && face.has_chords && inside < 0.0f && steepness_of(face) <= kMostSlope;
        count += is_on_rim;
    }
};

std::int32_t to_16_bits_of(float x) { return lanes_of(to_16_bits(FloatW(x)))[0]; }

// The line, fixed to a feature, on which a contact stays: an edge, the line from the face's middle through the contact,
// or the tangent of a rim.
struct LineAt {
    float x, y;  // its direction, unit

    LineAt(const Feature& of, const SidesAt& at, float px, float py) : x(of.edge_x[at.first]), y(of.edge_y[at.first]) {
        if (at.count == 0 || at.is_on_rim) {
            float middle_x = 0.0f, middle_y = 0.0f;
            for (std::uint32_t i = 0; i < of.count; ++i) middle_x += of.x[i], middle_y += of.y[i];
            const float share = 1.0f / static_cast<float>(of.count), from_x = px - middle_x * share,
                        from_y = py - middle_y * share;
            x = at.is_on_rim ? -from_y : from_x, y = at.is_on_rim ? from_x : from_y;
        }
        const float by = 1.0f / sqrt_of(max_of(x * x + y * y, kTiny));
        x *= by, y *= by;
    }
};

// The distance by which a contact at (x, y) may move relative to a feature: to the nearest edge that the contact is not
// on. `other`: the other feature's line, on which the contact stays.
float room_in(const Feature& of, const SidesAt& at, const LineAt& other, float x, float y) {
    if (at.count == 0) return at.inside;
    if (at.is_on_rim) return HUGE_VALF;
    const auto from_other = [&](std::uint32_t corner) {
        return size_of(other.x * (of.y[corner] - y) - other.y * (of.x[corner] - x));
    };
    return min_of(from_other(at.first), from_other(of.next(at.first)));
}

// The law of one contact.
struct PlaceLaw {
    std::int32_t special =
        kHalfway;  // kCornerOfA, kCornerOfB, kHalfway, or 0: a line of A crosses a line of B at the contact
    float x = 1.0f, y = 0.0f,
          cotangent = 0;    // direction of A's line, unit, with x >= 0; cotangent of the angle between both lines
    float room = 0.0f;      // after a larger motion the contact may be outside one of the features
    bool is_exact = false;  // the law holds for all motions up to `room`

    PlaceLaw() = default;
    // A contact inside one face and on an edge of the other is a corner that was moved to that edge, towards the middle
    // of its own face (whole_face.hpp).
    PlaceLaw(const Feature& a, const Feature& b, bool is_level_pair, float px, float py, float near) {
        const SidesAt of_a(a, px, py, near), of_b(b, px, py, near);
        if (of_a.count <= 1 && of_b.count <= 1 && of_a.count + of_b.count != 0) {
            const LineAt line_a(a, of_a, px, py), line_b(b, of_b, px, py);
            // If lines cross at a small angle, the contact moves faster than the bodies, and an error of a line's
            // direction grows by the same factor.
            const bool are_faces = is_level_pair && a.count >= 3 && b.count >= 3,
                       are_straight = !of_a.is_on_rim && !of_b.is_on_rim;
            if (!set_crossing(line_a, line_b,
                              !are_faces     ? kSteepestLaw
                              : are_straight ? kSteepestShortLaw
                                             : kSteepestRimLaw))
                return;
            room = min_of(room_in(a, of_a, line_b, px, py), room_in(b, of_b, line_a, px, py));
            // The distance between a rim and its tangent grows with the square of the motion.
            if (!are_straight) {
                const float width = min_of(of_a.is_on_rim ? a.width : HUGE_VALF, of_b.is_on_rim ? b.width : HUGE_VALF);
                room = min_of(room, sqrt_of(near * width) / (1.0f + size_of(cotangent)));
            }
            is_exact = are_straight && size_of(cotangent) < kSteepestLaw;
        } else if (of_a.count + of_b.count == 2) {
            const bool is_of_b = of_a.count == 0;
            special = is_of_b ? kCornerOfB : kCornerOfA;
            room = is_of_b ? of_a.inside : of_b.inside;
            is_exact = true;
        } else if (of_a.count + of_b.count == 0) {
            room = min_of(of_a.inside, of_b.inside);
        }
    }
    bool has_law() const { return room > 0.0f; }
    std::int32_t law(float steepest) const {
        if (special != 0) return special;
        const std::int32_t k = to_16_bits_of(-cotangent / steepest), t = to_16_bits_of(y / (1.0f + x));
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(k) << 16 | static_cast<std::uint32_t>(t));
    }

private:
    // Sets the crossing of a line of A with a line of B. False if the lines are nearly parallel.
    bool set_crossing(const LineAt& a, const LineAt& b, float steepest) {
        const float side = a.x >= 0.0f ? 1.0f : -1.0f;
        x = a.x * side, y = a.y * side;
        const float along = x * b.x + y * b.y, across = x * b.y - y * b.x;
        if (!(size_of(along) < steepest * size_of(across))) return false;
        special = 0, cotangent = along / across;
        return true;
    }
};

// The laws of a pair's contacts.
struct PairLaws {
    PlaceLaw place[kManifoldPoints];
    float room = 0.0f, most_tilt = 0.0f, short_room = 0.0f;
    float slope_ax = 0.0f, slope_ay = 0.0f, slope_bx = 0.0f, slope_by = 0.0f;
    bool is_of_b = false;

    // Sets the slopes relative to the level feature, if there is one.
    void set_slopes(const Feature& a, const Feature& b, bool is_one_level) {
        const Feature& level = is_of_b ? b : a;
        const float x = is_one_level ? level.slope_x : 0.0f, y = is_one_level ? level.slope_y : 0.0f;
        slope_ax = a.slope_x - x, slope_ay = a.slope_y - y, slope_bx = b.slope_x - x, slope_by = b.slope_y - y;
    }
    std::int32_t law(int k) const { return place[k].law(room > 0.0f ? kSteepestLaw : kSteepestShortLaw); }
};

// Properties that the laws of all contacts have in common.
struct CommonLaws {
    bool have_all = true, are_exact = true;
    bool are_corners = true;  // all are corners of the feature that is not level; its slope then does not matter
    float room = HUGE_VALF;   // the least room of all contacts
    float by_slopes =
        1.0f;  // the most by which an error of the slopes changes a separation, as a multiple of that error times the motion

    CommonLaws(const PairLaws& laws, std::uint32_t count) {
        const std::int32_t corner = laws.is_of_b ? kCornerOfA : kCornerOfB;
        for (std::uint32_t k = 0; k < count; ++k) {
            const PlaceLaw& at = laws.place[k];
            have_all &= at.has_law(), are_exact &= at.is_exact, are_corners &= at.special == corner;
            room = min_of(room, at.room);
            if (at.special != kCornerOfA && at.special != kCornerOfB)
                by_slopes = max_of(by_slopes, 3.0f + 2.0f * size_of(at.cotangent));
        }
    }
};

bool is_level(const Feature& f) {
    return f.count >= 3 && f.slope_x * f.slope_x + f.slope_y * f.slope_y <= kLevelSlope * kLevelSlope;
}

// Sets the motion and the tilt of a level face and another face or an edge before which no other feature is in contact.
// `free`: the motion for which the contacts' laws hold. Sets nothing if that motion is at most `least`.
void find_room(const ContactShape& shape_a, const Feature& a, const ContactShape& shape_b, const Feature& b,
               const ContactSeed& seed, const PlaneContacts& contacts, float free, float least, PairLaws& out) {
    if (!(free > least)) return;
    const float slope_x = b.slope_x - a.slope_x, slope_y = b.slope_y - a.slope_y, separation0 = b.height0 - a.height0,
                slack = kTiltShare * seed.slack;
    const float enters = min_of(least_beyond_margin(a, slope_x, slope_y, separation0, seed.margin),
                                least_beyond_margin(b, slope_x, slope_y, separation0, seed.margin));
    out.most_tilt = out.is_of_b ? least_tilt(shape_a, b, contacts, slack) : least_tilt(shape_b, a, contacts, slack);
    out.room = kRoomShare * min_of(free, enters);
}

void find_laws(const ContactShape& shape_a, std::int32_t face_a, const ContactShape& shape_b, std::int32_t face_b,
               const ContactSeed& seed, const PlaneContacts& contacts, PairLaws& out) {
    Feature a, b;
    shape_a.set_feature(face_a, a);
    shape_b.set_feature(face_b, b);
    const float near = kOnSide * seed.tolerance, most_off = kMostOff * seed.tolerance;
    out.is_of_b = !is_level(a) && is_level(b);
    const float slope_x = b.slope_x - a.slope_x, slope_y = b.slope_y - a.slope_y,
                squared = slope_x * slope_x + slope_y * slope_y;
    const bool is_one_level = out.is_of_b || is_level(a);
    // The features of curved shapes touch the shapes' surfaces along the normal only.
    const bool may_tilt =
        !shape_a.is_curved() && !shape_b.is_curved() && steepness_of(a) <= kMostRise && steepness_of(b) <= kMostRise;
    const bool may_slope = is_one_level ? squared <= kMostRise * kMostRise : may_tilt;
    for (std::uint32_t k = 0; k < contacts.count; ++k)
        out.place[k] = PlaceLaw(a, b, is_one_level && may_slope, contacts.x[k], contacts.y[k], near);
    const CommonLaws common(out, contacts.count);
    // If the slopes are unknown, contacts leave a surface by up to the whole motion, so the motion is limited to
    // most_off.
    out.short_room = most_off;
    if (may_slope && common.have_all) {
        out.short_room += max_of(common.room, 0.0f);
        if (!is_one_level || !common.are_corners) {
            out.set_slopes(a, b, is_one_level);
            const float error = min_of(kSlopeError, is_one_level ? sqrt_of(squared) : 1.0f) * common.by_slopes;
            out.short_room = min_of(out.short_room, most_off / max_of(error, kTiny));
        }
    }
    // A round edge rolls: its contact stays below the edge's axis, and does not move with the surface.
    const auto may_go_far = [](const ContactShape& shape, const Feature& f) {
        return f.count >= 3 || (f.count == 2 && shape.radius == 0.0f);
    };
    const bool is_exact = is_one_level && may_go_far(shape_a, a) && may_go_far(shape_b, b) && common.are_exact;
    if (!is_exact || !(common.are_corners || squared <= kMostSlope * kMostSlope)) return;
    find_room(shape_a, a, shape_b, b, seed, contacts, min_of(kMostRoom * seed.smaller, common.room), kLeastRoom * near,
              out);
}

}  // namespace

void find_contact_laws(const LanesOfPair& of, std::uint32_t lanes, const std::uint32_t (&has)[kManifoldPoints],
                       const FloatW (&x)[kManifoldPoints], const FloatW (&y)[kManifoldPoints],
                       const FloatW (&separation)[kManifoldPoints], ContactLawsW& out) {
    LaneArray<std::int32_t> law[kManifoldPoints];
    LaneArray<float> at_x[kManifoldPoints], at_y[kManifoldPoints], apart[kManifoldPoints];
    LaneArray<float> room = lanes_of(FloatW(0.0f)), short_room = room, tilt = room, slope_ax = room, slope_ay = room,
                     slope_bx = room, slope_by = room;
    for (int k = 0; k < kManifoldPoints; ++k) {
        law[k] = lanes_of(IntW(kHalfway));
        at_x[k] = lanes_of(x[k]), at_y[k] = lanes_of(y[k]), apart[k] = lanes_of(separation[k]);
    }
    out.of_b = 0;
    for_each_lane(lanes, [&](int lane) {
        PlaneContacts contacts = {0, {}, {}, {}};
        for (int k = 0; k < kManifoldPoints && (has[k] >> lane & 1) != 0; ++k, ++contacts.count)
            contacts.x[k] = at_x[k][lane], contacts.y[k] = at_y[k][lane], contacts.separation[k] = apart[k][lane];
        PairLaws laws;
        find_laws(of.a.of_lane(lane), of.face_a[lane], of.b.of_lane(lane), of.face_b[lane], of.seeds.of_lane(lane),
                  contacts, laws);
        for (int k = 0; k < kManifoldPoints; ++k) law[k][lane] = laws.law(k);
        room[lane] = laws.room, short_room[lane] = laws.short_room, tilt[lane] = laws.most_tilt;
        slope_ax[lane] = laws.slope_ax, slope_ay[lane] = laws.slope_ay, slope_bx[lane] = laws.slope_bx,
        slope_by[lane] = laws.slope_by;
        out.of_b |= static_cast<std::uint32_t>(laws.is_of_b) << lane;
    });
    for (int k = 0; k < kManifoldPoints; ++k) out.law[k] = load(law[k]);
    out.room = load(room), out.short_room = load(short_room), out.most_tilt = load(tilt);
    out.slope_a = {load(slope_ax), load(slope_ay)}, out.slope_b = {load(slope_bx), load(slope_by)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
