// The names of the features with the nearest points, from GJK's final simplex.
#pragma once

#include "convex/lanes/names.hpp"
#include "convex/separation/simplex.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace names_detail {

// The feature of one shape's vertices: a vertex, the two ends of an edge, or three of a face.
ABUT_INLINE IntW name_of(IntW v0, IntW v1, IntW v2) {
    const FloatW a = comparable(v0), b = comparable(v1), c = comparable(v2);
    const FloatW low = min(a, min(b, c)), high = max(a, max(b, c)), middle = max(min(a, b), min(max(a, b), c));
    const MaskW face = (low < middle) & (middle < high);
    return select(face, IntW(kBestFace), vertex_or_edge(integer(low), integer(high)));
}

}  // namespace names_detail

// The features with the nearest points, A's in the high half.
ABUT_INLINE IntW simplex_features(const SimplexW& s) {
    using namespace names_detail;
    const FloatW zero = 0.0f;
    const IntW half = 0xffff, id0 = s.id[0];
    const IntW id1 = select(s.lambda[1] > zero, s.id[1], id0), id2 = select(s.lambda[2] > zero, s.id[2], id0);
    return (name_of(id0 & half, id1 & half, id2 & half) << 16) | name_of(id0 >> 16, id1 >> 16, id2 >> 16);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
