/// @file
/// Height fields: a grid of samples, two triangles for each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/cooked_mesh.hpp>

namespace abut {

/// Flags of a cell. A cell without flags is the triangles (r,c) (r+1,c) (r+1,c+1) and (r,c) (r+1,c+1) (r,c+1).
inline constexpr std::uint8_t kCellHole = 1;           ///< it has no triangles
inline constexpr std::uint8_t kCellOtherDiagonal = 2;  ///< they are (r,c) (r+1,c) (r,c+1) and (r+1,c) (r+1,c+1) (r,c+1)

/// How samples become triangles.
struct HeightfieldOptions {
    float spacing_x = 1.0f, spacing_z = 1.0f;  ///< metres between samples, above 0
    MeshSides sides = MeshSides::front;        ///< the front is +Y
    /// Flags for each of the (rows - 1) * (columns - 1) cells, row by row, or one byte for all, or none.
    std::span<const std::uint8_t> cells = {};
};

/// The result of cooking.
struct HeightfieldReport {
    std::uint32_t rows = 0, columns = 0;                ///< of samples
    std::uint32_t triangles = 0;                        ///< whose three samples are there
    std::uint32_t holes = 0;                            ///< samples that are NaN
    float spacing_x = 0, spacing_z = 0;                 ///< metres between samples
    MeshSides sides = MeshSides::front;                 ///< as given
    std::size_t bytes = 0;                              ///< of memory, for all instances together
    std::uint32_t hole_cells = 0, other_diagonals = 0;  ///< cells with these flags
};

}  // namespace abut
