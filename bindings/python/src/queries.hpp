#pragma once

#include "errors.hpp"

namespace abut::python {

void define_queries(py::module_& module);         // NarrowPhase, world_bounds
void define_configurations(py::module_& module);  // Configurations
void define_kinematics(py::module_& module);      // _JointTree
void define_gradients(py::module_& module);       // distance_gradients
void define_broad_phase(py::module_& module);     // BroadPhase, PairList, match_pairs
void define_world(py::module_& module);           // WorldTree and the results of queries against a world
void define_shapes(py::module_& module);          // ShapeStore, ShapeView, mass_properties
void define_hulls(py::module_& module);           // CookedHull, HullReport, HullFaces, cook_hull
void define_meshes(py::module_& module);          // CookedMesh, MeshReport, cook_mesh
void define_captures(py::module_& module);        // CaptureWriter and Capture, where they are built
void define_plane(py::module_& package);          // abut.d2
void define_triangle_files(py::module_& module);  // mesh files, for read_triangles
void define_machine(py::module_& module);         // instruction sets, features, traces

}  // namespace abut::python
