// The shapes that families are made of: of about unit size unless a name says otherwise, times `scale`.
#pragma once

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

namespace abut::families {

using scenes::Random;

// What a whole batch has in common.
struct Draw {
    double scale = 1;
};

// 10 to the power of anything between the two: sizes over many decades.
double decades(double low, double high, Random& random);

oracle::Shape ordinary(ShapeKind kind, const Draw& draw,
                       Random& random);  // with flat features where the kind has them, scenes/laying.hpp
oracle::Shape any_form(ShapeKind kind, const Draw& draw, Random& random);  // ordinary, or one of scenes/hard_shapes.hpp
oracle::Shape needle_or_plate(ShapeKind kind, const Draw& draw, Random& random);  // aspects of 10 to 1e5
oracle::Shape flat(ShapeKind kind, const Draw& draw, Random& random);  // no thickness at all where the kind allows it
oracle::Shape point_or_segment(ShapeKind kind, const Draw& draw, Random& random);  // size 0, or a line
oracle::Shape off_centre(ShapeKind kind, const Draw& draw,
                         Random& random);  // hulls: centre 1 to 1,000 sizes from the origin
oracle::Shape split(ShapeKind kind, const Draw& draw,
                    Random& random);  // hulls: bumps of 1e-8 to 1e-3 on faces and edges
oracle::Shape near_duplicates(ShapeKind kind, const Draw& draw,
                              Random& random);  // hulls: points side by side, 1e-9 to 1e-4
oracle::Shape scaled(ShapeKind kind, const Draw& draw,
                     Random& random);  // by 1e-3 to 1e3 per axis; half of them back to about unit size
oracle::Shape rounded(ShapeKind kind, const Draw& draw, Random& random);  // by 1e-6 to 10 sizes
oracle::Shape pointed(ShapeKind kind, const Draw& draw, Random& random);  // flat and steep cones, pyramids, corners
oracle::Shape on_lattice(ShapeKind kind, const Draw& draw,
                         Random& random);  // lengths of eighths; prisms of 3, 4, 6 and 8 sides along y
oracle::Shape prism_or_box(ShapeKind kind, const Draw& draw,
                           Random& random);  // upright, of one radius or what is inscribed in it
oracle::Shape nearly_ball(ShapeKind kind, const Draw& draw,
                          Random& random);  // hulls: balls of 40 to 1,000 points, prisms of 24 to 240 corners
oracle::Shape scaled_off_centre(ShapeKind kind, const Draw& draw,
                                Random& random);  // hulls: off centre, with a scale per axis; others: scaled
oracle::Shape far_plane(ShapeKind kind, const Draw& draw, Random& random);  // half-spaces with any offset and scale

}  // namespace abut::families
