// See unit_prism.hpp. Corners lie on the circle, so that they are the shape's own.
#include "cooking/unit_prism.hpp"

#include "cooking/contact_faces.hpp"

namespace abut {

HullGeometry make_unit_prism() {
    // Of quarters of a right angle, from Z towards X: counter-clockwise seen from above.
    constexpr float c1 = 0.92387953f, c2 = 0.70710678f, c3 = 0.38268343f;
    constexpr float cosine[kPrismSides] = {1, c1, c2, c3, 0, -c3, -c2, -c1, -1, -c1, -c2, -c3, 0, c3, c2, c1};
    HullGeometry prism;
    prism.vertex_count = prism.padded_count = 2 * kPrismSides;
    prism.face_count = 2;
    prism.padded_faces = kHullPad;
    prism.half_extent = 1.0f;
    for (std::uint32_t i = 0; i < 2 * kPrismSides; ++i) {
        const std::uint32_t turn = i % kPrismSides;
        prism.vertices.push_back({cosine[(turn + 12) % kPrismSides], i < kPrismSides ? 1.0f : -1.0f, cosine[turn], 0.0f});
    }
    prism.planes.assign(4 * kHullPad, 0.0f);
    for (std::uint32_t i = 0; i < kHullPad; ++i) prism.planes[kHullPad + i] = i == 1 ? -1.0f : 1.0f, prism.planes[3 * kHullPad + i] = 1.0f;
    prism.face_first = {0, kPrismSides, 2 * kPrismSides};
    for (std::uint32_t i = 0; i < kPrismSides; ++i) prism.loop.push_back(static_cast<std::uint16_t>(i));
    for (std::uint32_t i = 0; i < kPrismSides; ++i) prism.loop.push_back(static_cast<std::uint16_t>(2 * kPrismSides - 1 - i));
    lay_out_contact_faces(prism);
    return prism;
}

}  // namespace abut
