// Configurations and the four queries about them. The GIL is released while they run.
#include "configurations.hpp"

namespace abut::python {

py::array flat_poses(py::handle given, const char* name, std::size_t bodies, py::ssize_t items) {
    const py::array array = array_of(given, name);
    const auto count = py::ssize_t(bodies);
    const bool is_matrix = items == 16, is_number = items == 0;
    const bool fits = array.ndim() == (is_matrix   ? 4
                                       : is_number ? 2
                                                   : 3) &&
                      array.shape(1) == count && (is_number || array.shape(2) == (is_matrix ? 4 : items)) &&
                      (!is_matrix || array.shape(3) == 4);
    if (!fits)
        value_error(described(array, name) + "; it must be (configurations, " + std::to_string(bodies) +
                    (is_matrix   ? ", 4, 4"
                     : is_number ? ""
                                 : ", " + std::to_string(items)) +
                    ")");
    const py::ssize_t rows = array.shape(0) * count;
    return is_matrix   ? py::array(array.attr("reshape")(rows, 4, 4))
           : is_number ? py::array(array.attr("reshape")(rows))
                       : py::array(array.attr("reshape")(rows, items));
}

namespace {

std::shared_ptr<ConfigurationArrays> make_configurations(const StorePtr& store, py::handle bodies, py::handle pairs,
                                                         py::handle positions, py::handle orientations,
                                                         py::handle transforms, py::handle obstacles) {
    auto made = std::make_shared<ConfigurationArrays>();
    made->store = store;
    Configurations& all = made->all;
    all.shapes = &store->shapes();
    KeptColumns& kept = made->columns;
    all.bodies = kept.add_read("bodies", uint_rows(bodies, "bodies", 0)).as<ShapeId>();
    all.pairs = kept.add_read("pairs", uint_rows(pairs, "pairs", 2)).as<Pair>();
    const std::size_t count = made->body_count = all.bodies.size();
    if (!positions.is_none()) {
        bool doubles = false;
        const Column& rows = kept.add_read(
            "positions", position_rows(flat_poses(positions, "positions", count, 3), "positions", 3, doubles));
        if (doubles)
            all.double_positions = rows.as<DVec3>();
        else
            all.positions = rows.as<Vec3>();
    }
    if (!orientations.is_none())
        all.orientations = kept.add_read("orientations", float_rows(flat_poses(orientations, "orientations", count, 4),
                                                                    "orientations", 4))
                               .as<Quat>();
    if (!transforms.is_none())
        all.transforms =
            kept.add_read("transforms", transform_rows(flat_poses(transforms, "transforms", count, 16), "transforms"))
                .as<Mat44>();
    if (!obstacles.is_none()) all.obstacles = FrameArrays::records(obstacles, kept);
    return made;
}

}  // namespace

void define_configurations(py::module_& module) {
    define_configurations_of<Space>(
        module,
        R"(Configurations(store, bodies, pairs, *, positions=None, orientations=None, transforms=None, obstacles=None)

One set of bodies and one list of pairs in many configurations: samples of a planner, a batch of simulations. It keeps the arrays and reads them in place.

bodies: (n,) uint32, the shape of each body. pairs: (m, 2) uint32, indices of bodies; n + i is obstacle i.
positions: (c, n, 3) float32 or float64, metres. orientations: (c, n, 4) float32, x, y, z, w.
transforms: (c, n, 4, 4) float32, [row, column], in place of orientations, and of positions where these are not given.
obstacles: a structured array like the bodies of Frame: bodies that rest, the same in all configurations.

Other numbers, and arrays that are not C-contiguous, are converted: a copy.)",
        "abut")
        .def(py::init(&make_configurations), py::arg("store"), py::arg("bodies"), py::arg("pairs"), py::kw_only(),
             py::arg("positions") = py::none(), py::arg("orientations") = py::none(),
             py::arg("transforms") = py::none(), py::arg("obstacles") = py::none());
}

}  // namespace abut::python
