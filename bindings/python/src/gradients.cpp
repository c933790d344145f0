// distance_gradients: the GIL is released while it runs.
#include <shared_mutex>

#include <abut/configurations.hpp>

#include "frames.hpp"
#include "queries.hpp"
#include "results.hpp"

namespace abut::python {
namespace {

py::object gradients_of(const std::shared_ptr<FrameArrays>& arrays, const std::shared_ptr<Result<Distances>>& distances,
                        bool refine, const std::shared_ptr<Result<Gradients>>& out) {
    const std::shared_ptr<Distances> answer = distances->pool.current();
    if (answer->normal.size() != arrays->frame.pairs.size())
        value_error("distances: of " + std::to_string(answer->normal.size()) + " pairs, the frame has " +
                    std::to_string(arrays->frame.pairs.size()));
    const std::shared_ptr<Result<Gradients>> result = out ? out : std::make_shared<Result<Gradients>>();
    const std::shared_ptr<Gradients> columns = result->pool.take();
    CallResult outcome;
    {
        const py::gil_scoped_release release;
        const std::shared_lock readers(arrays->store->mutex());
        outcome = distance_gradients(arrays->frame, *answer, *columns, {refine});
    }
    if (!outcome) {
        result->pool.abandon(columns);
        raise(outcome.error());
    }
    result->pool.commit(columns);
    result->pairs = arrays->frame.pairs.size();
    return py::cast(result);
}

}  // namespace

void define_gradients(py::module_& module) {
    module.def("distance_gradients", &gradients_of, py::arg("frame"), py::arg("distances"), py::kw_only(),
               py::arg("refine") = true, py::arg("out") = py::none(),
               R"(The derivatives of signed distances with respect to the poses of both bodies: Gradients.

frame: the Frame that was given to NarrowPhase.distance, with the same poses. distances: its answer.
A rotation is a rotation vector, axis times radians along world axes, about the body's position. A joint that moves a body at velocity v and angular velocity
w changes the distance at the rate position @ v + rotation @ w, summed over both bodies.

Where the derivative does not exist (parallel faces or edges, overlaps that are equally deep along several normals) it is that of the reported points and
normal. Zeros: pairs without an answer, infinite distances, and overlaps with separation_only.
refine: finds the normals of cylinders, cones and ellipsoids again, in double, some 10 microseconds each, for a relative error below 1e-3; without, and of
compounds with such children, it is up to 1e-2. out: a Gradients whose memory is used again.)");
}

}  // namespace abut::python
