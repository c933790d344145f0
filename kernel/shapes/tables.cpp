// See tables.hpp.
#include "shapes/tables.hpp"

namespace abut {

const ShapeTables& tables_of(const ShapeStore& store) {
    static const ShapeTables none;
    return store.tables_ != nullptr ? *store.tables_ : none;
}

}  // namespace abut
