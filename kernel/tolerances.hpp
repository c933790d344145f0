// Every tolerance of the kernels, with its reason. All are relative: lanes work on pairs scaled so that the larger size is in [1, 2).
#pragma once

namespace abut {

// Promise 1: the error allowed is kToleranceSmaller * smaller size + kToleranceLarger * max(larger size, separation).
inline constexpr float kToleranceSmaller = 1e-5f;
inline constexpr float kToleranceLarger = 1e-6f;

// No vertex is farther from its hull's centre: the diagonal of bounds whose longest side is below 4, as sizes are below 2.
inline constexpr float kLongestVertex = 7.0f;
// Heights over a plane that is far away differ by rounding: this part of the distance, well within promise 1.
inline constexpr float kHeightRounding = 4e-7f;

// GJK stops when its bounds are this part of promise 1's bound apart; the rest is for the rounding of the pose and of the result.
inline constexpr float kGjkStopShare = 0.3f;
// ... or this near, relative to the distance: below it v.w and |v|^2 differ by rounding alone (about 4 ulp).
inline constexpr float kGjkStopRelative = 5e-7f;
// A lane is certified when its final bounds, by a full-precision support, are within this part of the bound.
inline constexpr float kCertificateShare = 0.5f;
// Polytopes end in about 6 iterations, 99.9% below 20; more means that float32 cannot tell, and the exact path decides.
inline constexpr int kMaxGjkIterations = 32;

// Bounds of a pair's motion (separation/motion_bound.hpp): rounding changes an offset by no more than the first part of its length, a stored
// orientation by no more than the second (three numbers of 16 bits), and a sum of these by no more than the third.
inline constexpr float kOffsetRounding = 2e-7f, kOrientationRounding = 6e-5f, kMotionExcess = 1.0f + 1e-5f;
// ... and what floats make of places that are turned into A's frame, a part of the offset and of the origin radius.
inline constexpr float kSeenRounding = 1e-6f;
// Contacts follow their bodies (chunk/follow.hpp) while these move by no more than the first part of the contact slack, nor than the second part of what
// may change the sign of the distance. Floats may make this part of the offset of a place.
inline constexpr float kFollowShare = 1.0f / 32, kSureShare = 0.9f, kFollowRounding = 4e-7f;
// ... or as the features that they are of do (manifold/contact_law.hpp), while the bodies move by no more than kRoomShare of what leaves these the same,
// nor than kMostRoom of the smaller size, as what is of second order in the motion is left out. A contact is on a side of a face within this part of promise
// 1's bound, and its features may change after a motion of kLeastRoom times that at least; a face's plane is square to a normal to within kLevelSlope;
// faces are no steeper against each other than kMostSlope; the cotangent between edges that cross is at most kSteepestLaw, or kSteepestShortLaw for contacts that follow for a short way. Of a patch no more than
// kMostMissing of its inner radius may be missing, and no part of a shape may come to lie deeper than the contacts by more than kTiltShare of the slack.
inline constexpr float kOnSide = 0.5f, kLeastRoom = 4.0f, kRoomShare = 0.9f, kMostRoom = 1.5e-2f, kLevelSlope = 1e-4f, kMostSlope = 0.02f,
                       kSteepestLaw = 2.0f, kSteepestShortLaw = 32.0f, kSteepestRimLaw = 8.0f, kMostMissing = 0.05f, kTiltShare = 0.75f;
// The slopes of features against each other that a cache can hold for contacts that follow for a short way, and the tilt, in radians: its square times the
// motion is what the laws leave out. By so much of promise 1's bound contacts may go off a surface.
inline constexpr float kMostRise = 1.0f, kMostTurned = 0.02f, kMostOff = 0.5f;
// ... and where the caller lets them follow farther (Settings::follow_distance) by up to this part of the smaller origin radius.
inline constexpr float kMostFollowed = 0.02f;
// ... and A is looked at below their middle, this part of the smaller size deep: far deeper than resting bodies overlap, less than most are thick.
inline constexpr float kDeepBelowShare = 1.0f / 32;
// ... and a patch overlaps by no more than this part of that way.
inline constexpr float kPatchDepth = 0.5f;
// An overlap of up to this part of the smaller size may be proved by four vertices (depth/enclosing.hpp); for deeper ones it seldom succeeds.
inline constexpr float kShallowShare = 0.1f;
// Another vertex is tried where the depth is proved but for this part of the smaller size: so far a body that turns by two hundredths rocks.
inline constexpr float kRockingShare = 0.02f;
// Being far apart is worth remembering if some motion is left: this part of the smaller size.
inline constexpr float kMotionWorth = 0.01f;

// |n|^2 <= kFlat |e1|^2 |e2|^2: the sine of the angle is below 1e-5, where a float32 normal has lost its meaning.
inline constexpr float kFlat = 1e-10f;
// |v|^2 below this part of |e|^2: v is squared up against e once more (an eighth of the length costs three bits).
inline constexpr float kShortAgainstEdge = 1.0f / 64.0f;
// A sphere's centre is far from a box, squared: the rounding of the box's nearest point, some 1e-6, turns the normal by a quarter of promise 1's bound
// over the box's width. At a distance of 1 it does so by all of it.
inline constexpr float kLongFromBoxSquared = 16.0f;
// |v|^2 below this is a touch: the direction is rounding, and GJK's answer would have a random normal (size is in [1, 2)).
inline constexpr float kTouchSquared = 1e-13f;

// A tetrahedron's weight on the origin is sure above this part of the product of the three lengths that it is made of: some ten roundings.
inline constexpr float kWeightNoise = 1e-6f;

// A face's normal is tried as the axis of a separation that is within 8 degrees of it (cosine).
inline constexpr float kAlongFaceCosine = 0.99f;
// ... of pairs whose bound, scaled, is above this: rounding turns a normal by 3e-7, and a shape over twenty times as large as the other by the bound.
inline constexpr float kSureAxisBound = 1.5e-6f;

// Two axes whose squared sine is below this are parallel: 1e-6 of a half height is far below the bound. Above it their common
// perpendicular is square to both to rounding, however little is known of its own direction.
inline constexpr float kParallelSquared = 1e-12f;

// Axes that are not shallower than the best one known by this part of promise 1's bound are not looked at (depth/hull_sat.hpp).
inline constexpr float kSatDeflation = 0.1f;

// Two faces of boxes that are less level than this (a cosine; 0.8 degrees) share no part at one depth.
inline constexpr float kLevelCosine = 0.9999f;

// Pulled-apart GJK (depth/witness.hpp) finds the witness points of an overlap at this gap, in scaled units. A small one keeps what two
// nearly parallel facets differ by small; below it the direction suffers.
inline constexpr float kWitnessGap = 1.0f / 16.0f;
// It stops at this part of promise 1's bound, and its points may be off the axis by this part.
inline constexpr float kWitnessStopShare = 0.02f, kWitnessShare = 0.5f;

// Depth of curved cores (depth/curved_depth.hpp): so many directions are tried, each by a pulled-apart GJK that stops at the first part of
// promise 1's bound. A direction is a minimum where the nearest points are as far apart as the gap, to the second part, and B's point no farther
// off its surface than the third, as the proof stands on that point: both together are to be less than the bound. The fourth is the proof's, and
// the last is taken for rounding of a point's place.
inline constexpr int kMaxCurvedSteps = 12, kMaxCurvedStarts = 6;
inline constexpr float kCurvedStopShare = 0.15f, kCurvedShare = 0.2f, kCurvedWitnessShare = 0.4f, kCurvedProofShare = 0.4f, kCurvedNoiseShare = 0.15f;
// The gaps at first and at last. The points are off by the gap times what the direction is off by, some 2e-3 where surfaces are round.
inline constexpr float kFirstCurvedGap = 0.125f, kCurvedGap = 1.0f / 1024.0f;

// Manifolds. Depths that differ by less than the contact slack decide nothing: a solver's noise moves corners by that much. The slack is what the
// caller allows (Settings::contact_slack), and at most this part of the smaller size: 2 mm for a box of 1 m.
inline constexpr float kSlackShare = 4e-3f;
// A slack of no more than this many of promise 1's bounds is none: next to a shape some hundred times larger only the exact depth is worth a
// contact.
inline constexpr float kLeastSlack = 10.0f;
// Between axes of boxes that are not next to each other it is this part of the thinnest half side, if that is less.
inline constexpr float kAxisShare = 0.02f;
// In the plane of contact a corner, another corner and a crossing this near (of the smaller size) are one point with one name, where both faces are
// wider than that by the second factor.
inline constexpr float kSamePlaceShare = 0.0075f, kSamePlaceWidth = 0.1f;
// ... and where faces are no wider than rounding, or are not looked at, this many of promise 1's bounds.
inline constexpr float kLeastApart = 1.5f;
// Two candidates of boxes are one point, if at all, within three times that length of a corner, where no face is steeper than the second, a cosine: a
// right angle is then seen as one of 65 degrees at least, and a step in a face as 0.8 of it at least.
inline constexpr float kAboutCorner = 3.0f, kSquareCorners = 0.8f;
// Exact to rounding: parts of promise 1's bound by which a separation may differ from the answer's, and by which corners win over crossings while
// faces are clipped.
inline constexpr float kFeatureShare = 0.25f, kDeepShare = 0.5f, kClipShare = 0.25f;
// The best four corners of one face are the contacts while the other face leaves this part of their area.
inline constexpr float kWholeFace = 0.92f;
// Only faces whose normals are this near (squared; some 1.6 degrees) are asked.
inline constexpr float kSnapSquared = 8e-4f;
// ... or 30 degrees, where the shapes touch to within the contact slack.
inline constexpr float kTouchingTurnSquared = 0.268f;
// A cosine whose lowest bits are a face's index tells normals apart that differ by more than this (squared), and a normal of floats is another one
// where it differs by more than that.
inline constexpr float kPackedSquared = 3e-5f, kSameSquared = 1e-13f;
// A face seen at over 78 degrees, or an edge within 18 degrees of end on, gives no patch: the deepest point alone is the contact.
inline constexpr float kSteepFace = 0.2f, kSteepSegmentSquared = 0.1f;
// A normal at this part of the angle between a cone's axis and its side's normals is the apex's: nearer to the axis noise chooses the meridian.
inline constexpr float kApexShare = 0.5f;
// A face seen at under 26 degrees lies flat: contacts on its border are named after it.
inline constexpr float kFlatFacing = 0.9f;
// Faces that are nearly one are one in a contact where their corners are within half of this part of promise 1's bound of one plane.
inline constexpr float kMergedShare = 0.8f;
// The part of a hull with nearly level faces that is within this share of promise 1's bound of its support plane is one face in a contact, if the
// contacts would span less than the second share of it. A face that drops by more than the third number of bounds below all its neighbours' planes is
// not level with any: in a face as wide as the hull a slice has less than a twentieth of the width.
inline constexpr float kSliceShare = 0.5f, kSliceSpan = 0.97f, kSliceLevelGap = 20.0f;
// A face's corners tell its normal where twice its area is more than this part of its length squared: rounding turns it by less than a hundred thousandth.
inline constexpr float kFaceOfCorners = 0.01f;
// A cone's surface beside its line is as high as the line where it is within this part of promise 1's bound of it.
inline constexpr float kLineDepth = 0.36f;
// A face narrower than this many of promise 1's bounds has sides that float32 cannot tell apart well.
inline constexpr float kSliver = 20.0f;
// A's face is the reference unless B's looks along the normal by more than this: nearly parallel faces must not take turns.
inline constexpr float kFacingBias = 1e-3f;
// The choice of four (manifold/choose_four.hpp). Candidates are level that are as deep to within the first part of the smaller size. Of others, what is as
// deep as the deepest to within the second part of the slack is level with it: a solver's noise is as large. The body tilts by up to kMostTilted, in radians.
// Losses, and clearances, that differ by less than these parts of what the tilt raises the patch's end by are equal. A corner counts as lower than the
// middle of its patch by kOutermostShare of that, as patches have points between their corners that are as low. A point that is as deep as the deepest is
// kept: level counts for kLevelWeight tilts.
// On uneven ground a small tilt, this part of the largest, counts by so much more: what the body stands on comes before what it might tilt onto.
inline constexpr float kSmallTilt = 0.2f, kSmallTiltWeight = 24.0f;
inline constexpr float kLevelRange = 8e-3f, kLevelShare = 0.25f, kMostTilted = 0.02f, kSameLoss = 0.02f, kSameClearance = 0.005f;
inline constexpr float kOutermostShare = 0.02f, kLevelWeight = 1000.0f;
// If fewer than four contacts bear the load, tilts that are larger by this factor choose the rest, until there are four. No point is lost by that, as
// points that a small tilt brings into contact have been chosen before. Tilts beyond 2 rad are not tried: a body that tilts by as much stands on
// another of its faces. Used by choose_four.cpp and ground/tilt_choice.hpp.
inline constexpr float kFarTilts = 8.0f;
// Patches narrower than one part in twenty of their length are seen as if they were as wide: squared.
inline constexpr float kLeastRoundness = 0.0025f;
// Four contacts that span more than others by no more than this part are no better: noise of a thousandth of the size changes areas by a few
// thousandths. The first in the order of the candidates stay.
inline constexpr float kSameArea = 0.03f;
// An end is farther off than another by more than this.
inline constexpr float kSameEnd = 1.0f + kSameArea;
// Edges more than 60 degrees apart cross in one point.
inline constexpr float kCrossingCosine = 0.5f;
// Edges whose directions differ by more than this cosine's angle (a hundredth) have no common stretch but a point.
inline constexpr float kSideBySideCosine = 0.9999f, kSideBySideSineSquared = 2e-4f;
// Edges within promise 1's bound of each other along more than a fifth of the smaller size: 1e-5 of it each, seen at 78 degrees at most.
inline constexpr float kLevelEdgesSineSquared = 1e-6f;
// An edge's end counts as over another edge up to this part of its length past it.
inline constexpr float kTouchShare = 1e-4f;
// The deepest point and a clipped one this near (of the smaller size) are one contact.
inline constexpr float kSamePointShare = 0.05f;

// A hull whose centre lies far from its body's origin loses precision to the rotation of that centre: where this many ulp-like units of
// it are more than kOffsetShare of the bound, the rotation is done once more in double.
inline constexpr float kOffsetError = 5e-7f;
inline constexpr float kOffsetShare = 0.3f;
// Beyond this many sizes apart squares leave float32's comfortable range.
inline constexpr float kMaxOffset = 1e12f;

// Children of compounds are left out where their bounds say that they cannot matter. Bounds and reach are floats in the compound's frame:
// a reach is widened by this part of itself and of all sizes, some ten roundings of the farthest coordinate there.
inline constexpr double kReachSlack = 1e-6;
// ... and a box's squared distance in floats, which errs by three roundings, is compared with a limit that is larger by this factor.
inline constexpr float kSquareExcess = 1.000001f;

// Part of a hull's half extent: a face that drops by more is not nearly level with its neighbours (HullGeometry::drop).
inline constexpr double kMostLevelGap = 2e-3;

// A length in double, from squares of floats, times this is an upper bound: two sums and a root err by less than 4 * 2^-53.
inline constexpr double kRootExcess = 1.0 + 0x1p-50;
// World bounds: rotations err by some 2^-52 a component, sums of three products likewise.
inline constexpr double kBoundsRounding = 0x1p-49;

// The exact path. Bounds may differ by this many grid units: a few times what rounding makes of them, 2^-45 of the cores' reach.
inline constexpr double kGridTolerance = 16.0;
// A plane's value in doubles errs by fewer grid units than this; nearer to zero, integers decide.
inline constexpr double kGridPlaneRounding = 64.0;
// A dot product of floats errs by less than half of this part of a hull's bound radius: four roundings of |d| |p| < 2 sqrt(3) radii.
inline constexpr float kFloatDotRounding = 0x1.8p-19f;
// A curved core's bounds need not meet closer than this part of promise 1's bound; each halving of it doubles the polytope of a
// cylinder in a cylinder. Cells prove a depth to this many of these.
inline constexpr double kExactCurvedShare = 0.1, kCellShare = 5;
// ... and this part for gradients: normals then err by some 1e-5 radians rather than 3e-3.
inline constexpr double kFineCurvedShare = 1e-6;
// ... and cells of vertices, which use all that they may: contacts add their own rounding to what is left of the bound.
inline constexpr double kVertexCellShare = 2;
// A box is a needle, an ellipsoid nearly of revolution, and axes nearly parallel, to within these: discs then bound the depth well (exact/cells.hpp).
inline constexpr double kNeedle = 1e-2, kNearlyRound = 0.1, kMostTilt = 0.02;

// |q|^2 must be within this of 1: a length off by 1% (bad inputs), with room for rounding.
inline constexpr float kUnitSquaredLow = 0.98f, kUnitSquaredHigh = 1.0202f;
// Axes of a transform are at right angles where their dot product is within this of 0: 1% of a unit vector.
inline constexpr double kMostSkew = 0.01;

// Squared lengths below this are zero for the purpose of division (any safe positive value gives the documented answer).
inline constexpr float kTiny = 1e-30f;

// An edge is flat where its triangles' planes meet at less than this sine (0.06 degrees), or where no more than this part of the largest coordinate, the
// rounding of floats, bends them.
inline constexpr double kFlatSine = 1e-3, kConvexityRounding = 2.4e-7;
// Contacts on a surface whose normals differ by less than this angle (a quarter of a degree; one less half its square is its cosine) are one manifold,
// and a normal that is as near to a triangle's own is that.
inline constexpr double kSameNormal = 5e-3, kSameNormalCosine = 1 - 0.5 * kSameNormal * kSameNormal;
// A normal is one that an edge or a corner of a surface may have where no neighbour rises above it by more than this sine. A direction is square to an edge
// where the ends differ by no more than this part of the edge.
inline constexpr double kTopSlack = 1e-3;
// Squared distances in double that differ by less than this part are equal: a direction is right to the root of it.
inline constexpr double kSameDistance = 1e-9;
// The separating axes of a box and a triangle, in floats, err by less than this part of the coordinates.
inline constexpr float kBoxAxesRounding = 4e-6f;
// A point is surely off a triangle's plane where its squared distance exceeds the limit by this factor.
inline constexpr double kSurelyOff = 1.0001;
// Triangles lie in one plane where their corners leave it by no more than this part of the body's size, and the rounding of the largest coordinate.
inline constexpr double kPlaneShare = 1e-5;
// Triangles within 26 degrees of each other's planes are both needed, as the body may tilt from one to the other.
inline constexpr double kAlongCosine = 0.9;
// A body's corner is over a triangle that it is no farther outside of than this part of the body's size.
inline constexpr double kOverShare = 1e-3;

// Two edges whose squared sine is below this have no perpendicular: rounding in double decides its direction.
inline constexpr double kParallelEdges = 1e-16;
// Bounds of boxes of two surfaces, in double, err by less than this part of all coordinates.
inline constexpr double kDescentRounding = 0x1p-44;
// Surfaces this many times their extents apart: promise 1 allows more than any two of their triangles differ by.
inline constexpr double kFarExtents = 1e8;
// The boxes of a scaled mesh's tree are this part of its largest coordinate wider: some ten roundings.
inline constexpr float kSurfaceSlack = 1e-6f;

}  // namespace abut
