// Every tolerance of the kernels, with its reason. All are relative: lanes work on pairs scaled so that the larger size
// is in [1, 2).
#pragma once

namespace abut {

// Promise 1: the error allowed is kToleranceSmaller * smaller size + kToleranceLarger * max(larger size, separation).
inline constexpr float kToleranceSmaller = 1e-5f;
inline constexpr float kToleranceLarger = 1e-6f;

// The largest distance of a vertex from its hull's centre: sizes are below 2, so bounds have sides below 4, and this is
// the diagonal.
inline constexpr float kLongestVertex = 7.0f;
// Rounding of the height of a point over a distant plane, as a part of the distance. Far below promise 1's bound.
inline constexpr float kHeightRounding = 4e-7f;

// GJK stops when its two bounds differ by this part of promise 1's bound. The rest of that bound is for the rounding of
// poses and results.
inline constexpr float kGjkStopShare = 0.3f;
// GJK also stops when its bounds differ by this part of the distance: v.w and |v|^2 then differ by rounding alone
// (about 4 ulp).
inline constexpr float kGjkStopRelative = 5e-7f;
// A lane is certified if its final bounds, from full-precision supports, differ by at most this part of promise 1's
// bound.
inline constexpr float kCertificateShare = 0.5f;
// Pairs of polytopes need about 6 iterations, 99.9% of them fewer than 20. The exact path computes pairs that need more
// than this, because float32 cannot decide them.
inline constexpr int kMaxGjkIterations = 32;

// Rounding in motion bounds (convex/separation/motion_bound.hpp): of an offset, as a part of its length; of a stored
// orientation (three numbers of 16 bits), in radians; of a sum of motions, as a factor.
inline constexpr float kOffsetRounding = 2e-7f;
inline constexpr float kOrientationRounding = 6e-5f;
inline constexpr float kMotionExcess = 1.0f + 1e-5f;
// Rounding of points transformed into A's frame, as a part of the offset and of the origin radius.
inline constexpr float kSeenRounding = 1e-6f;
// Contacts follow their bodies (convex/chunk/follow.hpp) while the motion is at most kFollowShare of the contact slack,
// and at most kSureShare of what could change the sign of the distance. On surfaces: kGroundShare of the slack.
// kFollowRounding: rounding of a position, as a part of the offset.
inline constexpr float kFollowShare = 1.0f / 8;
inline constexpr float kGroundShare = 1.0f / 32;
inline constexpr float kSureShare = 0.9f;
inline constexpr float kFollowRounding = 4e-7f;
// The cache keeps the contacts of a body on a surface if the body's motion since the last call is at most this part of
// the largest motion for which contacts follow (surfaces/walk/surface_memory.hpp).
inline constexpr float kSlowShare = 0.5f;
// Contacts with contact laws (convex/manifold/contact_law.hpp) follow farther, because a law says how a contact moves
// with the bodies. Laws are of first order in the motion. tests/convex/test_follow.cpp judges contacts that follow by
// the oracle, and notices each of these limits. Contacts follow for this part of the motion for which their law holds;
// the rest is for rounding.
inline constexpr float kRoomShare = 0.9f;
// The farthest that contacts follow, as a part of the smaller size: a law's error grows with the square of the motion.
inline constexpr float kMostRoom = 1.5e-2f;
// The next seven limits decide which contacts have a law (contact_law.hpp). The contact lies on its faces to within
// this part of promise 1's bound.
inline constexpr float kOnSide = 0.5f;
// The contact may move by this many times promise 1's bound. A record for less room costs more than it saves.
inline constexpr float kLeastRoom = 4.0f;
// The reference plane is perpendicular to the normal to within this slope. Otherwise the normal would rotate with the
// plane.
inline constexpr float kLevelSlope = 1e-4f;
// The slope of one face against the other is at most this. Otherwise the depth changes as fast as the contact moves.
inline constexpr float kMostSlope = 0.02f;
// The cotangent of the angle between crossing edges is at most this. At a smaller angle the contact moves much farther
// than the bodies.
inline constexpr float kSteepestLaw = 2.0f;
// The limit of that cotangent for laws of short motions.
inline constexpr float kSteepestShortLaw = 32.0f;
// The limit of that cotangent at rims, where the tangent changes along the arc.
inline constexpr float kSteepestRimLaw = 8.0f;
// Contacts that follow may lack this part of their patch's inner radius: a solver does not notice it.
inline constexpr float kMostMissing = 0.05f;
// No vertex may get deeper than the contacts by more than this part of the slack, within which depths are equal.
inline constexpr float kTiltShare = 0.75f;
// Limits for short motions: the slope of one feature against the other that a cache can hold; the tilt in radians (laws
// leave out its square times the motion); the part of promise 1's bound by which contacts may leave a surface.
inline constexpr float kMostRise = 1.0f;
inline constexpr float kMostTurned = 0.02f;
inline constexpr float kMostOff = 0.5f;
// Error of a slope of up to 1 in 8 bits (convex/chunk/follow.cpp).
inline constexpr float kSlopeError = 0.5f / 127;
// With Settings::follow_distance, bodies move by at most this part of the smaller origin radius; the error is at most
// twice that motion.
inline constexpr float kMostFollowed = 0.02f;
// A point this part of the smaller size below the contacts is tested for being inside A. Resting bodies overlap far
// less, and most are thicker.
inline constexpr float kDeepBelowShare = 1.0f / 32;
// Contacts of a patch may follow while the shapes overlap by at most this part of the depth of kDeepBelowShare.
inline constexpr float kPatchDepth = 0.5f;
// Overlaps of up to this part of the smaller size are tried by four vertices (convex/depth/enclosing.hpp), which seldom
// prove deeper ones.
inline constexpr float kShallowShare = 0.1f;
// If a depth exceeds its proved bound by at most this part of the smaller size, another vertex is tried: rocking by
// 0.02 rad moves a vertex that far.
inline constexpr float kRockingShare = 0.02f;
// A pair out of reach is stored in its cache only if the bodies may move by at least this part of the smaller size
// until they could be within reach: records of nearer pairs would be useless in the next frame.
inline constexpr float kMotionWorth = 0.01f;

// A triangle is flat if |n|^2 <= kFlat |e1|^2 |e2|^2: the sine of its angle is below 1e-5, and its float32 normal is
// mere rounding.
inline constexpr float kFlat = 1e-10f;
// If |v|^2 is below this part of |e|^2, v is made perpendicular to e once more (a length ratio of 1/8 costs three
// bits).
inline constexpr float kShortAgainstEdge = 1.0f / 64.0f;
// Squared distance from which a sphere's centre is far from a box. Rounding moves the box's nearest point by about
// 1e-6. At this distance that rotates the normal by at most a quarter of (promise 1's bound / the box's width); at
// distance 1, by at most all of it.
inline constexpr float kLongFromBoxSquared = 16.0f;
// Cores with |v|^2 below this touch (their size is in [1, 2)): rounding would decide the direction of v, GJK's normal.
inline constexpr float kTouchSquared = 1e-13f;

// The sign of the origin's weight in a tetrahedron is certain if the weight exceeds this part of the product of the
// three edge lengths: about ten roundings.
inline constexpr float kWeightNoise = 1e-6f;

// GJK also tries the normal of a face as separating axis if its own axis is within 8 degrees of it (cosine).
inline constexpr float kAlongFaceCosine = 0.99f;
// GJK tries a face's normal only if the pair's scaled bound is above this. Rounding errs by 3e-7 radians in a normal,
// which is the whole bound for a shape more than twenty times as large as the other.
inline constexpr float kSureAxisBound = 1.5e-6f;

// Two axes whose squared sine is below this are parallel: 1e-6 of a half height is far below promise 1's bound. The
// common perpendicular of other axes is perpendicular to both to within rounding, even if its own direction is inexact.
inline constexpr float kParallelSquared = 1e-12f;

// The separating axis test skips axes that cannot be shallower than the best one by this part of promise 1's bound
// (convex/depth/hull_sat.hpp).
inline constexpr float kSatDeflation = 0.1f;

// Two box faces whose normals differ by more than this (cosine; 0.8 degrees) have no common area at one depth.
inline constexpr float kLevelCosine = 0.9999f;

// Gap, in scaled units, at which GJK finds the witness points of overlapping cores (convex/depth/witness.hpp). A small
// gap keeps nearly parallel facets apart by little; with a smaller one the direction gets inexact.
inline constexpr float kWitnessGap = 1.0f / 16.0f;
// GJK for witness points stops at kWitnessStopShare of promise 1's bound. The points may be off the axis by
// kWitnessShare of the bound.
inline constexpr float kWitnessStopShare = 0.02f;
inline constexpr float kWitnessShare = 0.5f;

// Depth of curved cores (convex/depth/curved_depth.hpp): limits on the directions tried, each by a GJK that stops at
// kCurvedStopShare of promise 1's bound. A direction is a minimum if the nearest points are as far apart as the gap, to
// within kCurvedShare, and B's point is at most kCurvedWitnessShare off its surface: the proof stands on that point,
// and both together must be less than the bound. kCurvedProofShare is left for the proof, kCurvedNoiseShare for the
// rounding of a point.
inline constexpr int kMaxCurvedSteps = 12;
inline constexpr int kMaxCurvedStarts = 6;
inline constexpr float kCurvedStopShare = 0.15f;
inline constexpr float kCurvedShare = 0.2f;
inline constexpr float kCurvedWitnessShare = 0.4f;
inline constexpr float kCurvedProofShare = 0.4f;
inline constexpr float kCurvedNoiseShare = 0.15f;
// The first and the final gap between curved cores. The points are off by the gap times the error of the direction,
// about 2e-3 on round surfaces.
inline constexpr float kFirstCurvedGap = 0.125f;
inline constexpr float kCurvedGap = 1.0f / 1024.0f;

// Contact slack: depths that differ by less are equal, because a solver's noise moves corners by as much. It is
// Settings::contact_slack, limited to this part of the smaller size: 2 mm for a box of 1 m.
inline constexpr float kSlackShare = 4e-3f;
// If the candidates of a line (capsules, edges) are shallower than the signed distance by more than this part of the
// slack, the deepest point is one of them.
inline constexpr float kDeepestShare = 1.0f / 16.0f;
// A slack below this many of promise 1's bounds counts as none: beside a shape some hundred times larger, only the
// deepest point is a contact.
inline constexpr float kLeastSlack = 10.0f;
// For box axes that are not adjacent, the slack is at most this part of the thinnest half extent.
inline constexpr float kAxisShare = 0.02f;
// Two contact candidates become one, which keeps one of both names, if their distance in the contact plane is below
// kSamePlaceShare of the smaller size and below kSamePlaceWidth of the narrower face's width.
inline constexpr float kSamePlaceShare = 0.0075f;
inline constexpr float kSamePlaceWidth = 0.1f;
// Points of slices, and of hulls over half-spaces, also become one if they are closer than this many of promise 1's
// bounds.
inline constexpr float kLeastApart = 1.5f;
// Two candidates of boxes become one only if a corner is within kAboutCorner times that distance of them, and no face
// is steeper than kSquareCorners (cosine): a right angle then appears as at least 65 degrees, and a step in a face as
// at least 0.8 of itself.
inline constexpr float kAboutCorner = 3.0f;
inline constexpr float kSquareCorners = 0.8f;
// Parts of promise 1's bound: by which a separation may differ from the answer's (kFeatureShare for features,
// kDeepShare for the four contacts), and by which corners win over crossings in the clip (kClipShare).
inline constexpr float kFeatureShare = 0.25f;
inline constexpr float kDeepShare = 0.5f;
inline constexpr float kClipShare = 0.25f;
// The best four corners of a face are the contacts if the other face leaves at least this part of their area.
inline constexpr float kWholeFace = 0.92f;
// The search for a nearly parallel face tries normals that differ by at most this from the contact normal (squared; 1.6
// degrees).
inline constexpr float kSnapSquared = 8e-4f;
// The same limit if the shapes touch to within the contact slack (squared; 30 degrees).
inline constexpr float kTouchingSnapSquared = 0.268f;
// Two normals are distinct if their squared difference exceeds kPackedSquared, or kSameSquared if they are plain
// floats. The lowest bits of a packed cosine hold a face's index.
inline constexpr float kPackedSquared = 3e-5f;
inline constexpr float kSameSquared = 1e-13f;
// A face tilted by over 78 degrees against the contact plane, or an edge within 18 degrees of the normal, gives only
// the deepest point.
inline constexpr float kSteepFace = 0.2f;
inline constexpr float kSteepSegmentSquared = 0.1f;
// A normal closer to a cone's axis than this part of the angle between the axis and the normals of the lateral face
// belongs to the apex: there, noise would choose the meridian.
inline constexpr float kApexShare = 0.5f;
// A face tilted by less than 26 degrees counts as level: contacts on its border get its name.
inline constexpr float kFlatFacing = 0.9f;
// Nearly coplanar faces are one face in a contact if their corners are within half of this part of promise 1's bound of
// one plane.
inline constexpr float kMergedShare = 0.8f;
// A slice is the part of a hull within kSliceShare of promise 1's bound of its support plane. It replaces the face if
// the face's contacts span less than kSliceSpan of it. A face that is more than kSliceLevelGap bounds below the planes
// of all its neighbours is level with none: in a face as wide as the hull, a slice has less than a twentieth of the
// width.
inline constexpr float kSliceShare = 0.5f;
inline constexpr float kSliceSpan = 0.97f;
inline constexpr float kSliceLevelGap = 20.0f;
// The corners of a face define its normal if twice its area is more than this part of its squared length: rounding errs
// by less than 1e-5.
inline constexpr float kFaceOfCorners = 0.01f;
// A cone's surface next to a straight line on it is level with that line within this part of promise 1's bound.
inline constexpr float kLineDepth = 0.36f;
// A face narrower than this many of promise 1's bounds has edges that float32 hardly distinguishes.
inline constexpr float kSliver = 20.0f;
// A's face is the reference unless B's normal is better aligned by more than this. Nearly parallel faces must not
// alternate.
inline constexpr float kFacingBias = 1e-3f;
// Choice of four contacts (convex/manifold/choose_four.hpp). If all candidates are level to within kLevelRange of the
// smaller size, the largest area wins. Otherwise candidates within kLevelShare of the slack of the deepest count as
// level with it, because a solver's noise is as large. The body tilts by up to kMostTilted, in radians. Losses and
// clearances are equal if they differ by less than kSameLoss and kSameClearance of the height to which the tilt raises
// the patch's end. Corners win over equally low points between them by kOutermostShare of that height. The deepest
// point is kept: being level counts for kLevelWeight tilts.
inline constexpr float kLevelRange = 8e-3f;
inline constexpr float kLevelShare = 0.25f;
inline constexpr float kMostTilted = 0.02f;
inline constexpr float kSameLoss = 0.02f;
inline constexpr float kSameClearance = 0.005f;
inline constexpr float kOutermostShare = 0.02f;
inline constexpr float kLevelWeight = 1000.0f;
// On uneven ground, tilts of kSmallTilt of the largest have this weight: points that carry the body come before those
// that it might tilt onto.
inline constexpr float kSmallTilt = 0.2f;
inline constexpr float kSmallTiltWeight = 24.0f;
// If fewer than four contacts carry the load, tilts larger by kFarTilts choose the rest. No point is lost by that,
// because points that a small tilt brings into contact are chosen before. Tilts beyond 2 rad are not tried: the body
// would stand on another face. Used by choose_four.cpp and surfaces/contacts/tilt_choice.hpp.
inline constexpr float kFarTilts = 8.0f;
// Contacts beyond four (Settings::ground_contacts) are those lost at small tilts, then those lost at larger ones: from
// kNearTilts of the largest on, twice as large each time, kMoreTilts times. Without the small tilts, 0.5% to 3% of the
// poses of `abut_ground` on noisy ground stand on none of the nearest points; without the large ones 2% to 4% of those
// on uneven ground lose a point that carries load (0.4% to 3% and at most 1.8% with all tilts).
inline constexpr double kNearTilts = 0.25;
inline constexpr int kMoreTilts = 5;
// Patches narrower than 1/20 of their length count as that wide (squared).
inline constexpr float kLeastRoundness = 0.0025f;
// A choice of four is better only if its area is larger by more than this part: noise of a thousandth of the size
// changes areas by some thousandths. Among equals the first in the candidates' order wins.
inline constexpr float kSameArea = 0.03f;
// One end is farther than another if its distance is larger by more than this factor.
inline constexpr float kSameEnd = 1.0f + kSameArea;
// Edges more than 60 degrees apart cross in one point.
inline constexpr float kCrossingCosine = 0.5f;
// Edges whose directions differ by more than this (cosine; 0.01 rad) touch in one point, not along a segment.
inline constexpr float kParallelCosine = 0.9999f;
inline constexpr float kParallelSineSquared = 2e-4f;
// Edges below this squared sine are within promise 1's bound of each other along at least a fifth of the smaller size:
// 1e-5 of the size at each end, seen at 78 degrees.
inline constexpr float kLevelEdgesSineSquared = 1e-6f;
// An edge's end counts as above another edge up to this part of its length beyond the other's end.
inline constexpr float kTouchShare = 1e-4f;
// The deepest point and a clipped point closer than this part of the smaller size are one contact.
inline constexpr float kSamePointShare = 0.05f;

// Rotating the centre of a hull that is far from its body's origin loses precision. If this part of the offset exceeds
// kOffsetShare of promise 1's bound, the rotation is repeated in double.
inline constexpr float kOffsetError = 5e-7f;
inline constexpr float kOffsetShare = 0.3f;
// Distances beyond this many sizes go to the exact path: their squares are near float32's limits.
inline constexpr float kMaxOffset = 1e12f;

// Compound children are skipped if their bounds prove that they cannot matter. Bounds and reach are floats in the
// compound's frame, so the reach grows by this part of itself and of all sizes: about ten roundings of the farthest
// coordinate.
inline constexpr double kReachSlack = 1e-6;
// The limit of a box's squared distance in floats (three roundings) grows by this factor.
inline constexpr float kSquareExcess = 1.000001f;

// A face that lies farther below a neighbour's plane than this part of the hull's half extent is not nearly level with
// it (HullGeometry::level_gap).
inline constexpr double kMostLevelGap = 2e-3;

// A length in double, from squares of floats, times this is an upper bound: two sums and a root err by less than 4 *
// 2^-53.
inline constexpr double kRootExcess = 1.0 + 0x1p-50;
// World bounds: rounding of a rotation's components (about 2^-52 each) and of sums of three products.
inline constexpr double kBoundsRounding = 0x1p-49;

// The exact path: bounds that differ by at most this many grid units prove an answer. Rounding is a few units, 2^-45 of
// the cores' extent each.
inline constexpr double kGridTolerance = 16.0;
// The computed height of a point over a plane, in doubles, errs by fewer grid units than this. Integers decide the sign
// of smaller heights.
inline constexpr double kGridPlaneRounding = 64.0;
// A dot product of floats errs by less than half of this part of a hull's bound radius: four roundings of |d| |p| < 2
// sqrt(3) radii.
inline constexpr float kFloatDotRounding = 0x1.8p-19f;
// The depth of curved cores is proved to this part of promise 1's bound. Half of it would double the polytope of two
// cylinders. Cells prove a depth to kCellShare times kExactCurvedShare.
inline constexpr double kExactCurvedShare = 0.1;
inline constexpr double kCellShare = 5;
// For gradients the depth of curved cores is proved to this part of the bound: normals then err by 1e-5 radians instead
// of 3e-3.
inline constexpr double kFineCurvedShare = 1e-6;
// Cells of vertices prove a depth to this many times kExactCurvedShare: they use up the bound that contacts do not need
// for their own rounding.
inline constexpr double kVertexCellShare = 2;
// Discs bound a core well (convex/exact/cells.hpp) if it is a needle (a box), nearly round about an axis (an
// ellipsoid), or if the axes of both cores are nearly parallel (sine). The limits of these three:
inline constexpr double kNeedle = 1e-2;
inline constexpr double kNearlyRound = 0.1;
inline constexpr double kMostTilt = 0.02;

// A quaternion is valid if |q|^2 is in this range: its length is off by at most 1%, with room for rounding.
inline constexpr float kUnitSquaredLow = 0.98f;
inline constexpr float kUnitSquaredHigh = 1.0202f;
// Axes of a transform are perpendicular if their dot product is within 1% of 0.
inline constexpr double kMostSkew = 0.01;

// Divisors below this squared length are replaced by it. Any small positive value gives the documented answer.
inline constexpr float kTiny = 1e-30f;

// An edge is flat if its triangles' planes differ by less than this sine (0.06 degrees), or by the rounding of the
// largest coordinate.
inline constexpr double kFlatSine = 1e-3;
inline constexpr double kConvexityRounding = 2.4e-7;
// Contacts on a surface form one manifold if their normals differ by less than this angle (0.3 degrees). The triangle's
// normal replaces normals this close to it.
inline constexpr double kSameNormal = 5e-3;
inline constexpr double kSameNormalCosine = 1 - 0.5 * kSameNormal * kSameNormal;
// An edge or vertex of a surface may have a normal if no neighbour rises above its tangent plane by more than this
// sine. A direction is perpendicular to an edge if the ends' heights differ by at most this part of the edge.
inline constexpr double kTopSlack = 1e-3;
// Squared distances in double that differ by less than this part are equal: a direction is exact to the square root of
// it.
inline constexpr double kSameDistance = 1e-9;
// Rounding of the separating axes of a box and a triangle, in floats, as a part of the coordinates.
inline constexpr float kBoxAxesRounding = 4e-6f;
// A point is certainly off a triangle's plane if its squared distance exceeds the limit by this factor.
inline constexpr double kSurelyOff = 1.0001;
// Triangles are coplanar if their corners are within this part of the body's size of one plane, plus the rounding of
// the largest coordinate.
inline constexpr double kPlaneShare = 1e-5;
// Neighbouring triangles within 26 degrees of each other are both kept, because the body may tilt from one onto the
// other.
inline constexpr double kAlongCosine = 0.9;
// A body's corner is above a triangle if the corner is outside the triangle's edges by at most this part of the body's
// size.
inline constexpr double kOverShare = 1e-3;

// Two edges whose squared sine is below this have no common perpendicular: rounding in double would decide its
// direction.
inline constexpr double kParallelEdges = 1e-16;
// Rounding of the bounds of two surfaces' boxes, in double, as a part of all coordinates.
inline constexpr double kDescentRounding = 0x1p-44;
// At this many times their extents, two surfaces are so far apart that promise 1's bound exceeds the differences
// between their triangles.
inline constexpr double kFarExtents = 1e8;
// The direction in which a point leaves a solid (surfaces/solids/solid.hpp) is the triangle's normal in two cases: the
// point is nearer to the surface than this part of its coordinates (100 roundings of doubles), or the cosine of the
// angle between direction and normal is at least kOverFaceCosine, because the nearest point is in the face.
inline constexpr double kOnSurfaceShare = 1e-14;
inline constexpr double kOverFaceCosine = 1 - 1e-10;
// The boxes of a scaled mesh's tree grow by this part of its largest coordinate: about ten roundings.
inline constexpr float kSurfaceSlack = 1e-6f;

}  // namespace abut
