// See unit_prism.hpp. Corners lie on the circle, so that they are points of the cap.
#include "cooking/hull/unit_prism.hpp"

#include "cooking/hull/contact_faces.hpp"
#include "cooking/hull/hull_layout.hpp"

namespace abut {

HullGeometry make_unit_prism() {
    // Corner i of a cap is at i times 22.5 degrees from Z towards X: counter-clockwise seen from +Y.
    constexpr float kC1 = 0.92387953f, kC2 = 0.70710678f, kC3 = 0.38268343f;
    constexpr float kCosine[kCapCorners] = {1,  kC1,  kC2,  kC3,  0, -kC3, -kC2, -kC1,
                                            -1, -kC1, -kC2, -kC3, 0, kC3,  kC2,  kC1};
    HullGeometry prism;
    prism.face_count = 2;
    prism.padded_faces = kHullPad;
    prism.half_extent = 1.0f;
    Vector<Vec3> vertices;
    for (std::uint32_t i = 0; i < 2 * kCapCorners; ++i) {
        const std::uint32_t turn = i % kCapCorners;
        vertices.push_back({kCosine[(turn + 12) % kCapCorners], i < kCapCorners ? 1.0f : -1.0f, kCosine[turn]});
    }
    cooking::lay_out_vertices(prism, vertices);
    prism.planes.assign(4 * kHullPad, 0.0f);
    for (std::uint32_t i = 0; i < kHullPad; ++i)
        prism.planes[kHullPad + i] = i == 1 ? -1.0f : 1.0f, prism.planes[3 * kHullPad + i] = 1.0f;
    prism.face_first = {0, kCapCorners, 2 * kCapCorners};
    for (std::uint32_t i = 0; i < kCapCorners; ++i) prism.loop.push_back(static_cast<std::uint16_t>(i));
    for (std::uint32_t i = 0; i < kCapCorners; ++i)
        prism.loop.push_back(static_cast<std::uint16_t>(2 * kCapCorners - 1 - i));
    lay_out_contact_faces(prism);
    return prism;
}

}  // namespace abut
