// See tables_2d.hpp.
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

const ShapeTables& ShapeTables::of(const ShapeStore& store) {
    static const ShapeTables none;
    return store.tables_ != nullptr ? *store.tables_ : none;
}

const char* to_string(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::circle: return "circle";
        case ShapeKind::capsule: return "capsule";
        case ShapeKind::box: return "box";
        case ShapeKind::polygon4:
        case ShapeKind::polygon8:
        case ShapeKind::polygon: return "polygon";
        case ShapeKind::halfplane: return "halfplane";
        case ShapeKind::chain: return "chain";
        case ShapeKind::compound: return "compound";
        case ShapeKind::none: break;
    }
    return "none";
}

}  // namespace abut::d2
