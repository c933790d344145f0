// Names of the public enumerations, in the formats' spelling.
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

namespace abut {

const char* to_string(Status status) {
    switch (status) {
        case Status::ok: return "ok";
        case Status::not_converged: return "not_converged";
        case Status::bad_index: return "bad_index";
        case Status::bad_pose: return "bad_pose";
        case Status::unsupported: return "unsupported";
        case Status::no_room: return "no_room";
    }
    return "unknown";
}

const char* to_string(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::sphere: return "sphere";
        case ShapeKind::capsule: return "capsule";
        case ShapeKind::box: return "box";
        case ShapeKind::hull: return "hull";
        case ShapeKind::cylinder: return "cylinder";
        case ShapeKind::cone: return "cone";
        case ShapeKind::ellipsoid: return "ellipsoid";
        case ShapeKind::custom: return "custom";
        case ShapeKind::halfspace: return "halfspace";
        case ShapeKind::compound: return "compound";
        case ShapeKind::mesh: return "mesh";
        case ShapeKind::heightfield: return "heightfield";
        case ShapeKind::none: break;
    }
    return "none";
}

}  // namespace abut
