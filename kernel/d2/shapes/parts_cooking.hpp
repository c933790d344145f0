// Chains and compounds: their parts become instances of their own.
#pragma once

#include <memory>

#include <abut/d2/shapes_2d.hpp>
#include <abut/status.hpp>

#include "d2/shapes/shape_source.hpp"
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

Expected<ShapeId> insert_whole(ShapeTables& tables, std::shared_ptr<const ShapeSource> source,
                               const InstanceOptions& options);

// The children of a compound as a source. Children that are compounds are replaced by their own children.
Vector<SourcePart> flattened(const ShapeTables& tables, std::span<const CompoundChild> children);

// The numbers of the chain's segments that have a length.
Vector<std::uint32_t> segments_of(const ShapeSource& chain);

}  // namespace abut::d2
