// Structs of the C headers with the same bytes as their C++ counterparts, so that columns are passed without a copy;
// and equal numbers.
#include <cstddef>
#include <type_traits>

#include <abut/abut.h>
#include <abut/abut.hpp>
#include <abut/custom_shape.hpp>
#include <abut/d2.hpp>

namespace {

#define ABUT_SAME(c, cpp)                                                               \
    static_assert(sizeof(c) == sizeof(abut::cpp) && alignof(c) == alignof(abut::cpp) && \
                  std::is_trivially_copyable_v<abut::cpp> && std::is_standard_layout_v<abut::cpp>)
#define ABUT_SAME_MEMBER(c, cpp, member)                                \
    static_assert(offsetof(c, member) == offsetof(abut::cpp, member) && \
                  sizeof(decltype(c::member)) == sizeof(decltype(abut::cpp::member)))

ABUT_SAME(abut_vec3, Vec3);
ABUT_SAME_MEMBER(abut_vec3, Vec3, x);
ABUT_SAME_MEMBER(abut_vec3, Vec3, y);
ABUT_SAME_MEMBER(abut_vec3, Vec3, z);
ABUT_SAME(abut_dvec3, DVec3);
ABUT_SAME_MEMBER(abut_dvec3, DVec3, x);
ABUT_SAME_MEMBER(abut_dvec3, DVec3, y);
ABUT_SAME_MEMBER(abut_dvec3, DVec3, z);
ABUT_SAME(abut_quat, Quat);
ABUT_SAME_MEMBER(abut_quat, Quat, x);
ABUT_SAME_MEMBER(abut_quat, Quat, y);
ABUT_SAME_MEMBER(abut_quat, Quat, z);
ABUT_SAME_MEMBER(abut_quat, Quat, w);
ABUT_SAME(abut_mat44, Mat44);
ABUT_SAME_MEMBER(abut_mat44, Mat44, m);
ABUT_SAME(abut_shape_id, ShapeId);
ABUT_SAME(abut_body, Body);
ABUT_SAME_MEMBER(abut_body, Body, position);
ABUT_SAME_MEMBER(abut_body, Body, shape);
ABUT_SAME_MEMBER(abut_body, Body, orientation);
ABUT_SAME(abut_relative_pose, RelativePose);
ABUT_SAME_MEMBER(abut_relative_pose, RelativePose, position);
ABUT_SAME_MEMBER(abut_relative_pose, RelativePose, orientation);
ABUT_SAME(abut_pair, Pair);
ABUT_SAME_MEMBER(abut_pair, Pair, a);
ABUT_SAME_MEMBER(abut_pair, Pair, b);
ABUT_SAME(abut_warm_cache, WarmCache);
ABUT_SAME(abut_pair_trace, PairTrace);
ABUT_SAME_MEMBER(abut_pair_trace, PairTrace, iterations);
ABUT_SAME_MEMBER(abut_pair_trace, PairTrace, count);
ABUT_SAME_MEMBER(abut_pair_trace, PairTrace, states);
ABUT_SAME(abut_bounds, Bounds);
ABUT_SAME_MEMBER(abut_bounds, Bounds, min);
ABUT_SAME_MEMBER(abut_bounds, Bounds, max);
ABUT_SAME(abut_contact, Contact);
ABUT_SAME_MEMBER(abut_contact, Contact, position);
ABUT_SAME_MEMBER(abut_contact, Contact, separation);
ABUT_SAME_MEMBER(abut_contact, Contact, feature);
ABUT_SAME(abut_manifold, Manifold);
ABUT_SAME_MEMBER(abut_manifold, Manifold, pair);
ABUT_SAME_MEMBER(abut_manifold, Manifold, child_a);
ABUT_SAME_MEMBER(abut_manifold, Manifold, child_b);
ABUT_SAME_MEMBER(abut_manifold, Manifold, normal);
ABUT_SAME_MEMBER(abut_manifold, Manifold, first_contact);
ABUT_SAME_MEMBER(abut_manifold, Manifold, contact_count);
ABUT_SAME(abut_compound_child, CompoundChild);
ABUT_SAME_MEMBER(abut_compound_child, CompoundChild, shape);
ABUT_SAME_MEMBER(abut_compound_child, CompoundChild, position);
ABUT_SAME_MEMBER(abut_compound_child, CompoundChild, orientation);
ABUT_SAME(abut_hull_edge, HullEdge);
ABUT_SAME_MEMBER(abut_hull_edge, HullEdge, v0);
ABUT_SAME_MEMBER(abut_hull_edge, HullEdge, v1);
ABUT_SAME_MEMBER(abut_hull_edge, HullEdge, f0);
ABUT_SAME_MEMBER(abut_hull_edge, HullEdge, f1);
ABUT_SAME(abut_mesh_triangle, MeshTriangle);
ABUT_SAME_MEMBER(abut_mesh_triangle, MeshTriangle, corners);
ABUT_SAME(abut_mass_properties, MassProperties);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, volume);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, mass);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, centre);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, ixx);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, iyy);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, izz);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, ixy);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, ixz);
ABUT_SAME_MEMBER(abut_mass_properties, MassProperties, iyz);
ABUT_SAME(abut_previous_pair, PreviousPair);
ABUT_SAME_MEMBER(abut_previous_pair, PreviousPair, index);
ABUT_SAME_MEMBER(abut_previous_pair, PreviousPair, swapped);
ABUT_SAME(abut_previous_manifold, PreviousManifold);
ABUT_SAME_MEMBER(abut_previous_manifold, PreviousManifold, index);
ABUT_SAME_MEMBER(abut_previous_manifold, PreviousManifold, swapped);
ABUT_SAME(abut_ended_touch, EndedTouch);
ABUT_SAME_MEMBER(abut_ended_touch, EndedTouch, bodies);
ABUT_SAME_MEMBER(abut_ended_touch, EndedTouch, pair);
ABUT_SAME_MEMBER(abut_ended_touch, EndedTouch, removed);
ABUT_SAME(abut_contact_impulse, ContactImpulse);
ABUT_SAME_MEMBER(abut_contact_impulse, ContactImpulse, normal);
ABUT_SAME_MEMBER(abut_contact_impulse, ContactImpulse, friction);
ABUT_SAME(abut_contact_anchor, ContactAnchor);
ABUT_SAME_MEMBER(abut_contact_anchor, ContactAnchor, on_a);
ABUT_SAME_MEMBER(abut_contact_anchor, ContactAnchor, on_b);
ABUT_SAME_MEMBER(abut_contact_anchor, ContactAnchor, feature);
// Points of doubles are passed by reference and returned as structs of three doubles: the calling conventions of C and
// C++ are the same for both.
ABUT_SAME(abut_dvec3, Point<double>);
ABUT_SAME(abut_custom_shape, CustomShape);
ABUT_SAME_MEMBER(abut_custom_shape, CustomShape, name);
ABUT_SAME_MEMBER(abut_custom_shape, CustomShape, support_lanes);
ABUT_SAME_MEMBER(abut_custom_shape, CustomShape, support);

ABUT_SAME(abut_vec2, d2::Vec2);
ABUT_SAME_MEMBER(abut_vec2, d2::Vec2, x);
ABUT_SAME_MEMBER(abut_vec2, d2::Vec2, y);
ABUT_SAME(abut_dvec2, d2::DVec2);
ABUT_SAME_MEMBER(abut_dvec2, d2::DVec2, x);
ABUT_SAME_MEMBER(abut_dvec2, d2::DVec2, y);
ABUT_SAME(abut_rot, d2::Rot);
ABUT_SAME_MEMBER(abut_rot, d2::Rot, c);
ABUT_SAME_MEMBER(abut_rot, d2::Rot, s);
ABUT_SAME(abut_d2_pose, d2::Pose);
ABUT_SAME_MEMBER(abut_d2_pose, d2::Pose, position);
ABUT_SAME_MEMBER(abut_d2_pose, d2::Pose, rotation);
ABUT_SAME(abut_d2_body, d2::Body);
ABUT_SAME_MEMBER(abut_d2_body, d2::Body, position);
ABUT_SAME_MEMBER(abut_d2_body, d2::Body, rotation);
ABUT_SAME_MEMBER(abut_d2_body, d2::Body, shape);
ABUT_SAME(abut_d2_compound_child, d2::CompoundChild);
ABUT_SAME_MEMBER(abut_d2_compound_child, d2::CompoundChild, shape);
ABUT_SAME_MEMBER(abut_d2_compound_child, d2::CompoundChild, pose);
ABUT_SAME(abut_d2_contact, d2::Contact);
ABUT_SAME_MEMBER(abut_d2_contact, d2::Contact, position);
ABUT_SAME_MEMBER(abut_d2_contact, d2::Contact, separation);
ABUT_SAME_MEMBER(abut_d2_contact, d2::Contact, feature);
ABUT_SAME(abut_d2_manifold, d2::Manifold);
ABUT_SAME_MEMBER(abut_d2_manifold, d2::Manifold, pair);
ABUT_SAME_MEMBER(abut_d2_manifold, d2::Manifold, child_a);
ABUT_SAME_MEMBER(abut_d2_manifold, d2::Manifold, child_b);
ABUT_SAME_MEMBER(abut_d2_manifold, d2::Manifold, contact_count);
ABUT_SAME_MEMBER(abut_d2_manifold, d2::Manifold, normal);
ABUT_SAME_MEMBER(abut_d2_manifold, d2::Manifold, contacts);
ABUT_SAME(abut_d2_mass_properties, d2::MassProperties);
ABUT_SAME_MEMBER(abut_d2_mass_properties, d2::MassProperties, mass);
ABUT_SAME_MEMBER(abut_d2_mass_properties, d2::MassProperties, center);
ABUT_SAME_MEMBER(abut_d2_mass_properties, d2::MassProperties, inertia);

#define ABUT_EQUAL(c, cpp) static_assert(unsigned(c) == unsigned(abut::cpp))

ABUT_EQUAL(ABUT_OK, ErrorCode::none);
ABUT_EQUAL(ABUT_BAD_SHAPE, ErrorCode::bad_shape);
ABUT_EQUAL(ABUT_BAD_ARGUMENT, ErrorCode::bad_argument);
ABUT_EQUAL(ABUT_BAD_SIZE, ErrorCode::bad_size);
ABUT_EQUAL(ABUT_LIMIT, ErrorCode::limit);
ABUT_EQUAL(ABUT_UNSUPPORTED, ErrorCode::unsupported);
ABUT_EQUAL(ABUT_OUT_OF_MEMORY, ErrorCode::out_of_memory);
ABUT_EQUAL(ABUT_EXECUTOR_FAILED, ErrorCode::executor);

ABUT_EQUAL(ABUT_STATUS_OK, Status::ok);
ABUT_EQUAL(ABUT_STATUS_NOT_CONVERGED, Status::not_converged);
ABUT_EQUAL(ABUT_STATUS_BAD_INDEX, Status::bad_index);
ABUT_EQUAL(ABUT_STATUS_BAD_POSE, Status::bad_pose);
ABUT_EQUAL(ABUT_STATUS_UNSUPPORTED, Status::unsupported);
ABUT_EQUAL(ABUT_STATUS_NO_ROOM, Status::no_room);
static_assert(sizeof(abut_status) == sizeof(abut::Status) && sizeof(abut_carried_by) == sizeof(abut::CarriedBy));

ABUT_EQUAL(ABUT_SPHERE, ShapeKind::sphere);
ABUT_EQUAL(ABUT_CAPSULE, ShapeKind::capsule);
ABUT_EQUAL(ABUT_BOX, ShapeKind::box);
ABUT_EQUAL(ABUT_HULL, ShapeKind::hull);
ABUT_EQUAL(ABUT_CYLINDER, ShapeKind::cylinder);
ABUT_EQUAL(ABUT_CONE, ShapeKind::cone);
ABUT_EQUAL(ABUT_ELLIPSOID, ShapeKind::ellipsoid);
ABUT_EQUAL(ABUT_CUSTOM, ShapeKind::custom);
ABUT_EQUAL(ABUT_HALFSPACE, ShapeKind::halfspace);
ABUT_EQUAL(ABUT_COMPOUND, ShapeKind::compound);
ABUT_EQUAL(ABUT_MESH, ShapeKind::mesh);
ABUT_EQUAL(ABUT_HEIGHTFIELD, ShapeKind::heightfield);
ABUT_EQUAL(ABUT_SIDES_FRONT, MeshSides::front);
ABUT_EQUAL(ABUT_SIDES_BOTH, MeshSides::both);
ABUT_EQUAL(ABUT_QUERY_AS_COOKED, QuerySides::as_cooked);
ABUT_EQUAL(ABUT_QUERY_FRONT, QuerySides::front);
ABUT_EQUAL(ABUT_QUERY_BACK, QuerySides::back);
ABUT_EQUAL(ABUT_QUERY_BOTH, QuerySides::both);
static_assert(sizeof(abut_query_sides) == sizeof(abut::QuerySides));
ABUT_EQUAL(ABUT_NO_BODY, kNoBody);
static_assert(ABUT_CELL_HOLE == abut::kCellHole && ABUT_CELL_OTHER_DIAGONAL == abut::kCellOtherDiagonal);
ABUT_EQUAL(ABUT_NO_KIND, ShapeKind::none);
ABUT_EQUAL(ABUT_NO_SHAPE, ShapeId().bits());
ABUT_EQUAL(ABUT_MAX_HULL_VERTICES, ShapeStore::kMaxHullVertices);
ABUT_EQUAL(ABUT_NO_FACE, kNoFace);

ABUT_EQUAL(ABUT_D2_CIRCLE, d2::ShapeKind::circle);
ABUT_EQUAL(ABUT_D2_CAPSULE, d2::ShapeKind::capsule);
ABUT_EQUAL(ABUT_D2_BOX, d2::ShapeKind::box);
ABUT_EQUAL(ABUT_D2_POLYGON4, d2::ShapeKind::polygon4);
ABUT_EQUAL(ABUT_D2_POLYGON8, d2::ShapeKind::polygon8);
ABUT_EQUAL(ABUT_D2_POLYGON, d2::ShapeKind::polygon);
ABUT_EQUAL(ABUT_D2_HALFPLANE, d2::ShapeKind::halfplane);
ABUT_EQUAL(ABUT_D2_CHAIN, d2::ShapeKind::chain);
ABUT_EQUAL(ABUT_D2_COMPOUND, d2::ShapeKind::compound);

ABUT_EQUAL(ABUT_ISA_BEST, Isa::best);
ABUT_EQUAL(ABUT_ISA_SSE2, Isa::sse2);
ABUT_EQUAL(ABUT_ISA_AVX2, Isa::avx2);
ABUT_EQUAL(ABUT_ISA_AVX512, Isa::avx512);
ABUT_EQUAL(ABUT_ISA_NEON, Isa::neon);
static_assert(abut::kAllIsas.size() == 4, "base.h lists the instruction sets");

ABUT_EQUAL(ABUT_DEPTH_AUTOMATIC, DepthPath::automatic);
ABUT_EQUAL(ABUT_DEPTH_EXACT, DepthPath::exact);
ABUT_EQUAL(ABUT_FEATURE_VERTEX, FeatureType::vertex);
ABUT_EQUAL(ABUT_FEATURE_EDGE, FeatureType::edge);
ABUT_EQUAL(ABUT_FEATURE_FACE, FeatureType::face);
ABUT_EQUAL(ABUT_CARRIED_BY_NOTHING, CarriedBy::nothing);
ABUT_EQUAL(ABUT_CARRIED_BY_ID, CarriedBy::id);
ABUT_EQUAL(ABUT_CARRIED_BY_PLACE, CarriedBy::place);

ABUT_EQUAL(ABUT_NO_PAIR, kNoPair);
ABUT_EQUAL(ABUT_NO_MANIFOLD, kNoManifold);
ABUT_EQUAL(ABUT_NEW_CONTACT, kNewContact);
ABUT_EQUAL(ABUT_REMOVED_BODY, kRemovedBody);
ABUT_EQUAL(ABUT_MAX_CARRIED_CONTACTS, kMaxCarriedContacts);

}  // namespace
