// The compiled half of the package abut.
#include <abut/host.hpp>
#include <abut/math.hpp>
#include <abut/warm_table.hpp>

#include "frames.hpp"
#include "queries.hpp"
#include "results.hpp"
#include "warm.hpp"

PYBIND11_MODULE(_abut, module) {
    using namespace abut::python;
    using abut::version;
    module.doc() = "The compiled half of abut.";
    module.attr("__version__") = version();
    module.attr("REMOVED_BODY") = abut::kRemovedBody;
    module.attr("MOST_METRES") = abut::kMostMetres;
    define_machine(module);
    define_hulls(module);
    define_meshes(module);
    define_shapes(module);
    define_results(module);
    define_warm_table(module);
    define_frames(module);
    define_configurations(module);
    define_kinematics(module);
    define_world(module);
    define_queries(module);
    define_gradients(module);
    define_broad_phase(module);
    define_captures(module);
    define_plane(module);
    define_triangle_files(module);
}
