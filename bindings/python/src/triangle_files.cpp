// Mesh files by the readers of the command line. The GIL is released while they run.
#include <cstring>

#include "arrays.hpp"
#include "output_file.hpp"
#include "queries.hpp"
#include "triangle_file.hpp"

namespace abut::python {

namespace {

template <class T, class Row>
py::array_t<T> rows_of_three(const std::vector<Row>& rows) {
    py::array_t<T> made({py::ssize_t(rows.size()), py::ssize_t(3)});
    if (!rows.empty()) std::memcpy(made.mutable_data(), rows.data(), sizeof(Row) * rows.size());
    return made;
}

py::tuple read_file(const py::bytes& data, const std::string& name) {
    tools::TriangleFile file;
    const std::string_view bytes = data;
    try {
        const py::gil_scoped_release released;
        file = tools::read_triangle_file(bytes, name);
    } catch (const tools::InputError& error) {
        value_error(error.what());
    }
    py::list remarks;
    for (const std::string& remark : file.remarks) remarks.append(remark);
    return py::make_tuple(rows_of_three<double>(file.positions), rows_of_three<std::uint32_t>(file.triangles), remarks);
}

}  // namespace

void define_triangle_files(py::module_& module) {
    module.def("_read_triangle_file", &read_file, py::arg("data"), py::arg("name"));
}

}  // namespace abut::python
