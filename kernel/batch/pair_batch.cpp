// See pair_batch.hpp.
#include "batch/pair_batch.hpp"

#include "base/scratch_columns.hpp"

namespace abut {

void PairBatch::make_room(std::size_t count, bool with_reaches) {
    size = count;
    grow(bodies, 2 * count);
    grow(pairs, count);
    sorted.make_room(count);
    if (with_reaches) grow(reaches, count);
    if (made == Made::planes) grow(planes, count);
    if (made >= Made::triangles) grow(triangles, count);
    if (made == Made::two_triangles) grow(first_triangles, count);
}

void PairBatch::set_plane(std::size_t i, const PlanePair& pair) {
    Body* const two = bodies_of(i);
    two[0] = pair.body, two[1] = pair.plane;
    two[1].shape = ShapeId::make(ShapeKind::halfspace, 0, 0);
    planes[i] = {};
    planes[i].extent_x = static_cast<float>(pair.normal.x), planes[i].extent_y = static_cast<float>(pair.normal.y),
    planes[i].extent_z = static_cast<float>(pair.normal.z);
    planes[i].radius = planes[i].rounding = pair.rounding;
    set_pair(i, static_cast<std::uint32_t>(2 * i), false);
}

OutputView PairBatch::answers(const OutputView& wanted) {
    const auto room = [&](auto& column, const void* column_wanted) {
        if (column_wanted != nullptr) grow(column, size);
        return column_wanted != nullptr ? column.data() : nullptr;
    };
    OutputView view = {};
    status.assign(size, Status::ok), flag.assign(size, 0);
    view.status = status.data();
    view.signed_distance = room(signed_distance, wanted.signed_distance);
    view.normal = room(normal, wanted.normal);
    // If A and B are exchanged, so are their points.
    const void* points = wanted.point_a != nullptr ? wanted.point_a : wanted.point_b;
    view.point_a = room(point_a, points);
    view.point_b = room(point_b, points);
    view.manifolds = room(manifolds, wanted.manifolds);
    view.hit = wanted.hit != nullptr ? flag.data() : nullptr;
    view.contact_count = wanted.contact_count != nullptr ? flag.data() : nullptr;
    return view;
}

void PairBatch::reserve(std::size_t count) {
    reserve_all(count, pairs, sorted, reaches, status, flag, manifolds, signed_distance, normal, point_a, point_b);
    bodies.reserve(2 * count);
    if (made == Made::planes) planes.reserve(count);
    if (made >= Made::triangles) triangles.reserve(count);
    if (made == Made::two_triangles) first_triangles.reserve(count);
}

std::size_t PairBatch::bytes() const {
    return bytes_of(bodies, pairs, sorted, reaches, triangles, first_triangles, planes, status, flag, manifolds,
                    signed_distance, normal, point_a, point_b);
}

}  // namespace abut
