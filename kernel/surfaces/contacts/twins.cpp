// Contacts that two manifolds of a body share. Triangles at a convex edge both report the contact with the edge, along
// normals that may differ, because the kernels replace a normal by the triangle's own within the contact slack.
#include "surfaces/contacts/ground_body.hpp"

namespace abut {
// True if two contacts are the same: they have the same features, one of which is an edge or a corner of the surface,
// and the same position.
bool GroundPair::ConvexBody::are_twins(const Contact& p, const Contact& q) const {
    const std::uint32_t of_surface = of_.entry_.swapped() ? p.feature >> 16 : p.feature & 0xffffu;
    const Vec3d off = maths::to_double(p.position) - maths::to_double(q.position);
    const double near = double(kSamePointShare) * size_;
    return p.feature == q.feature && of_surface != kGroundName && dot(off, off) <= near * near;
}

// Of two contacts that are the same, keeps that of the manifold with more contacts, or of the first one. Returns true
// if there are any.
bool GroundPair::ConvexBody::leave_out_twins(MergedManifold& first, MergedManifold& second) const {
    bool found = false;
    for (std::uint32_t i = first.count; i-- > 0;)
        for (std::uint32_t k = second.count; k-- > 0;) {
            const Contact &p = first.contact(i), &q = second.contact(k);
            if (!are_twins(p, q)) continue;
            found = true;
            if (second.count > first.count)
                first.erase(i);
            else
                second.erase(k);
            break;
        }
    return found;
}

// Joins two manifolds along the normal of the first, or of the second if that is deeper by more than noise.
void GroundPair::ConvexBody::join(MergedManifold& first, MergedManifold& second) const {
    const bool second_is_deeper =
        first.count == 0 || (second.count != 0 && second.contact(0).separation < first.contact(0).separation - level());
    const bool is_swapped = of_.entry_.swapped();
    const Vec3 n = (second_is_deeper ? second : first).normal, normal = is_swapped ? Vec3{-n.x, -n.y, -n.z} : n;
    GroundPoints points(PatchAxes(maths::to_double(normal)), level());
    for (const MergedManifold* of : {&first, &second})
        for (std::uint32_t k = 0; k < of->count; ++k)
            points.add(point_of(of->contact(k), -from_a_, is_swapped, of->cooked(k)));
    store(normal, points, first);
    second.count = 0;
}

// Keeps each contact with an edge or a corner of the surface once. Joins two manifolds that share such a contact if
// their normals differ by no more than a face's normal and a normal that the kernels replace by it. Returns the number
// of manifolds.
std::uint32_t GroundPair::ConvexBody::join_twins(MergedManifold* merged, std::uint32_t count) const {
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t k = i + 1; k < count; ++k) {
            if (!leave_out_twins(merged[i], merged[k])) continue;
            const Vec3d off = maths::to_double(merged[i].normal) - maths::to_double(merged[k].normal);
            if (dot(off, off) > double(kSnapSquared)) continue;
            join(merged[i], merged[k]);
            k = i;  // the joined manifold has contacts that the others have not been compared with
        }
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (merged[i].count == 0) continue;
        if (i != kept) merged[kept] = merged[i];
        ++kept;
    }
    return kept;
}

}  // namespace abut
