// See judge_2d.hpp.
#include "support/judge_2d.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "base/tolerances.hpp"

namespace abut::plane {
namespace {

Point point(d2::Vec2 v) { return {v.x, v.y}; }

std::string text(Real wanted, Real got) {
    return "expected " + std::to_string(wanted) + ", got " + std::to_string(got);
}

template <class T>
bool is_same(const T& x, const T& y) {
    return std::memcmp(&x, &y, sizeof(T)) == 0;
}
bool is_opposite(d2::Vec2 x, d2::Vec2 y) { return x.x == -y.x && x.y == -y.y; }

std::span<const d2::Manifold> manifolds_of(const d2::Manifolds& m, std::size_t pair) {
    const std::uint32_t first = m.first_manifold[pair];
    return std::span(m.manifolds).subspan(first, m.first_manifold[pair + 1] - first);
}

bool is_chain(const Case& wanted) { return wanted.a.form == Form::chain || wanted.b.form == Form::chain; }

}  // namespace

Scene::Scene(Family family, std::size_t count, std::uint64_t seed) : given(hard_pairs(family, count, seed)) {
    for (const HardPair& pair : given) {
        const auto index = static_cast<std::uint32_t>(bodies.size());
        const auto a = add_to(shapes, pair.a), b = add_to(shapes, pair.b);
        if (!a || !b) throw std::runtime_error((a ? b : a).error().message.c_str());
        bodies.push_back({pair.position_a, pair.rotation_a, *a});
        bodies.push_back({pair.position_b, pair.rotation_b, *b});
        pairs.push_back({index, index + 1});
        margins.push_back(static_cast<float>(0.02L * Case(pair).smaller));
    }
    for (std::size_t i = 0; i < count; ++i) pairs.push_back({pairs[i].b, pairs[i].a}), margins.push_back(margins[i]);
}

d2::Frame Scene::frame() const {
    d2::Frame frame;
    frame.shapes = &shapes;
    frame.bodies = bodies;
    frame.pairs = pairs;
    frame.margins = margins;
    return frame;
}

Case::Case(const HardPair& pair) {
    std::tie(a, b) = placed_pair(pair);
    wanted = signed_distance(a, b);
    const Real x = size_of(a.form == Form::halfplane ? b : a), y = size_of(b.form == Form::halfplane ? a : b);
    smaller = std::min(x, y), larger = std::max(x, y);
    const Real apart = std::isinf(wanted.distance) ? 0 : std::fabs(wanted.distance);
    bound = kToleranceSmaller * smaller + kToleranceLarger * std::max(larger, apart);
    coordinates = 0x1p-22L * (length(point(pair.position_b) - point(pair.position_a)) + length(a.centre) +
                              length(b.centre) + smaller + larger);
    is_open = !wanted.is_supported || wanted.decision <= bound;
}

Answers ask(const Scene& scene, Isa isa, float contact_slack, DepthPath depth) {
    Settings settings;
    settings.isa = isa, settings.executor = serial_executor(), settings.contact_slack = contact_slack;
    settings.depth = depth;
    d2::NarrowPhase phase(settings);
    Answers out;
    out.contact_slack = contact_slack;
    for (const CallResult& call :
         {phase.overlap(scene.frame(), out.overlaps), phase.distance(scene.frame(), out.distances),
          phase.collide(scene.frame(), out.manifolds)})
        if (!call) throw std::runtime_error(call.error().message.c_str());
    out.exact = phase.counters().exact;
    return out;
}

Mistakes check_distance(const Case& one, const Answers& answers, std::size_t i) {
    const d2::Distances& d = answers.distances;
    const Status status = one.wanted.is_supported ? Status::ok : Status::unsupported;
    if (d.status[i] != status || answers.overlaps.status[i] != status)
        return {{"distance: status", kInfinity, to_string(d.status[i])}};
    if (one.is_open) return {};
    Mistakes mistakes;
    const Real got = d.signed_distance[i], wanted = one.wanted.distance, off = std::fabs(got - wanted);
    if (std::isinf(wanted) || std::isinf(got)) {
        if (got != wanted) mistakes.push_back({"distance: signed distance", kInfinity, text(wanted, got)});
        return mistakes;
    }
    if (!(off <= one.bound)) mistakes.push_back({"distance: signed distance", off / one.bound, text(wanted, got)});
    if (answers.overlaps.hit(i) != (wanted <= 0) && std::fabs(wanted) > one.bound)
        mistakes.push_back({"overlap", std::fabs(wanted) / one.bound, text(wanted, got)});
    const Point n = point(d.normal[i]), a = point(d.point_a[i]), b = point(d.point_b[i]);
    const Real bound = one.bound + one.coordinates, rest = length(b - a - n * got);
    if (std::fabs(length(n) - 1) > 1e-5L) mistakes.push_back({"distance: unit normal", kInfinity, text(1, length(n))});
    if (rest > bound) mistakes.push_back({"distance: points apart by normal", rest / bound, text(0, rest)});
    for (const auto& [what, shape, p] : {std::tuple("distance: point_a", &one.a, a), {"distance: point_b", &one.b, b}})
        if (!is_on_surface(*shape, p, bound))
            mistakes.push_back({what, std::fabs(distance_to(*shape, p)) / bound, "off the surface"});
    return mistakes;
}

Mistakes check_manifolds(const Case& one, const Answers& answers, std::size_t i, float margin) {
    if (one.is_open) return {};
    Mistakes mistakes;
    const std::span<const d2::Manifold> manifolds = manifolds_of(answers.manifolds, i);
    Real deepest = kInfinity;
    for (const d2::Manifold& manifold : manifolds) {
        const Point n = point(manifold.normal);
        const Real bound = 1.1L * one.bound + one.coordinates;
        const std::span contacts(manifold.contacts, manifold.contact_count);
        if (contacts.empty() || std::fabs(length(n) - 1) > 1e-5L)
            mistakes.push_back({"collide: normal", kInfinity, ""});
        if (contacts.size() == 2 && contacts[1].separation < contacts[0].separation)
            mistakes.push_back({"collide: deepest first", kInfinity, ""});
        for (const d2::Contact& contact : contacts) {
            const Point half = n * (0.5L * contact.separation), at = point(contact.position);
            deepest = std::min<Real>(deepest, contact.separation);
            if (contact.separation > margin) mistakes.push_back({"collide: past the margin", kInfinity, ""});
            for (const auto& [shape, p] : {std::pair(&one.a, at - half), std::pair(&one.b, at + half)})
                if (!is_on_surface(*shape, p, bound))
                    mistakes.push_back({"collide: off the surface", std::fabs(distance_to(*shape, p)) / bound,
                                        "of " + std::string(shape == &one.a ? "A" : "B") + ", child " +
                                            std::to_string(shape == &one.a ? manifold.child_a : manifold.child_b)});
        }
    }
    // A chain has the contacts that its fronts show, which may be fewer.
    const Real wanted = one.wanted.distance, past = std::fabs(wanted - margin), off = std::fabs(deepest - wanted);
    if (is_chain(one)) return mistakes;
    if (manifolds.empty() == (wanted <= margin) && past > one.bound)
        mistakes.push_back({"collide: within the margin", past / one.bound, text(wanted, deepest)});
    const Real allowed = one.bound + std::min<Real>(answers.contact_slack, 0.004L * one.smaller);
    if (!manifolds.empty() && off > allowed)
        mistakes.push_back({"collide: depth", off / allowed, text(wanted, deepest)});
    return mistakes;
}

Mistakes check_mirrored(const Answers& answers, std::size_t i, std::size_t k) {
    const d2::Distances& d = answers.distances;
    const auto all = manifolds_of(answers.manifolds, i), others = manifolds_of(answers.manifolds, k);
    bool differs = !is_same(d.signed_distance[i], d.signed_distance[k]) || !is_opposite(d.normal[i], d.normal[k]) ||
                   answers.overlaps.hit(i) != answers.overlaps.hit(k) || all.size() != others.size();
    for (std::size_t m = 0; m < all.size() && !differs; ++m) {
        const d2::Manifold &x = all[m], &y = others[m];
        differs = !is_opposite(x.normal, y.normal) || x.contact_count != y.contact_count || x.child_a != y.child_b ||
                  x.child_b != y.child_a;
        for (std::uint32_t p = 0; p < x.contact_count; ++p) {
            const std::uint32_t f = x.contacts[p].feature;
            differs |=
                x.contacts[p].separation != y.contacts[p].separation || (f << 16 | f >> 16) != y.contacts[p].feature;
        }
    }
    return differs ? Mistakes{{"mirrored", kInfinity, "the swapped pair differs"}} : Mistakes{};
}

bool same_bits(const Answers& x, const Answers& y) {
    const auto same = [](const auto& a, const auto& b) {
        return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), sizeof a[0] * a.size()) == 0);
    };
    const d2::Distances &d = x.distances, &e = y.distances;
    return same(x.overlaps.bits, y.overlaps.bits) && same(d.signed_distance, e.signed_distance) &&
           same(d.normal, e.normal) && same(d.point_a, e.point_a) && same(d.point_b, e.point_b) &&
           same(d.status, e.status) && same(x.manifolds.first_manifold, y.manifolds.first_manifold) &&
           same(x.manifolds.manifolds, y.manifolds.manifolds);
}

bool same_bits(const Answers& x, const Answers& y, std::size_t i) {
    const d2::Distances &d = x.distances, &e = y.distances;
    const auto m = manifolds_of(x.manifolds, i), n = manifolds_of(y.manifolds, i);
    const auto same = [](d2::Manifold a, d2::Manifold b) { return a.pair = b.pair = 0, is_same(a, b); };
    return x.overlaps.hit(i) == y.overlaps.hit(i) && is_same(d.signed_distance[i], e.signed_distance[i]) &&
           is_same(d.normal[i], e.normal[i]) && is_same(d.point_a[i], e.point_a[i]) &&
           is_same(d.point_b[i], e.point_b[i]) && d.status[i] == e.status[i] &&
           std::equal(m.begin(), m.end(), n.begin(), n.end(), same);
}

Motion::Motion(const HardPair& pair, const Case& wanted, std::size_t i)
    : start_a(pair.position_a), start_b(pair.position_b), end_a(pair.position_a), end_b(pair.position_b) {
    const Real sizes = wanted.a.form == Form::halfplane || wanted.b.form == Form::halfplane
                           ? wanted.larger
                           : wanted.smaller + wanted.larger;
    const Real reach = (i % 3 == 0 ? 0.3L : 1) * (3 * sizes + 1e-3L), k = Real(i % 7) - 3;
    start_b.x += float(reach), start_b.y += float(0.1L * k * reach), end_b.x -= float(reach);
    angle_a = float(0.3L * k), angle_b = float(0.7L * k);
    end_angle_a = angle_a + (i % 2 == 0 ? 0.0f : float(0.4L * k));
    end_angle_b = angle_b + (i % 4 < 2 ? 0.0f : float(2.5L * k));
}

std::pair<Shape, Shape> Motion::at(const HardPair& pair, Real time) const {
    const auto pose = [&](d2::Vec2 from, d2::Vec2 to, Real angle, Real end) {
        const Point start = point(from);
        angle += time * (end - angle);
        return Pose{start + (point(to) - start) * time - point(start_a), std::cos(angle), std::sin(angle)};
    };
    return {placed(pose(start_a, end_a, angle_a, end_angle_a), shape_of(pair.a)),
            placed(pose(start_b, end_b, angle_b, end_angle_b), shape_of(pair.b))};
}

MovingScene::MovingScene(const Scene& scene, std::size_t every) : scene_(scene), every_(every) {
    std::vector<d2::ShapeId> shapes;
    std::vector<d2::Vec2> starts, ends, origins, directions;
    std::vector<float> angles, end_angles;
    std::vector<Pair> pairs, ray_pairs;
    for (std::uint32_t i = 0; i * every < scene.given.size(); ++i) {
        const HardPair& pair = scene.given[i * every];
        const Motion& m = motions_.emplace_back(pair, Case(pair), i);
        const auto add = [](auto& to, const auto& a, const auto& b) { to.push_back(a), to.push_back(b); };
        add(shapes, scene.bodies[2 * i * every].shape, scene.bodies[2 * i * every + 1].shape);
        add(starts, m.start_a, m.start_b), add(ends, m.end_a, m.end_b);
        add(angles, m.angle_a, m.angle_b), add(end_angles, m.end_angle_a, m.end_angle_b);
        origins.push_back(m.start_b), directions.push_back({m.end_b.x - m.start_b.x, m.end_b.y - m.start_b.y});
        pairs.push_back({2 * i, 2 * i + 1}), ray_pairs.push_back({i, 2 * i});
    }
    d2::BodyColumns from, to;
    from.shapes = to.shapes = shapes, from.positions = starts, to.positions = ends;
    from.angles = angles, to.angles = end_angles;
    const d2::Frame frame{&scene.shapes, from, pairs, {}}, rays{&scene.shapes, from, ray_pairs, {}};
    d2::NarrowPhase phase({.executor = serial_executor()});
    for (const CallResult& call :
         {phase.cast(frame, {to}, casts_), phase.raycast(rays, {.origins = origins, .directions = directions}, rays_),
          phase.measure(rays, {.positions = origins}, points_)})
        if (!call) throw std::runtime_error(call.error().message.c_str());
}

Mistakes MovingScene::check_cast(std::size_t i, const Case& one, int samples) const {
    const Status status = casts_.status[i];
    if (status != Status::ok && status != Status::unsupported) return {{"cast: status", kInfinity, to_string(status)}};
    if (status != Status::ok || is_chain(one)) return {};
    const HardPair& pair = scene_.given[i * every_];
    const Real ulp = 0x1p-22L * (length(point(pair.position_a)) + one.larger);
    const Real bound = kToleranceSmaller * one.smaller + 4 * kToleranceLarger * one.larger + ulp;
    const auto distance = [&](Real time) {
        const auto [a, b] = motions_[i].at(pair, time);
        return signed_distance(a, b).distance;
    };
    for (int k = 0; k < samples; ++k) {
        const Real time = Real(k) / samples;
        if (casts_.hit(i) && time >= casts_.time[i]) break;
        const Real deep = -distance(time);
        if (deep > bound) return {{"cast: late", deep / bound, "overlaps at " + std::to_string(time)}};
    }
    const Real apart = casts_.hit(i) ? distance(casts_.time[i]) : 0, near = bound + 1.2e-4L * one.smaller;
    if (apart > near) return {{"cast: early", apart / near, "apart by " + std::to_string(apart)}};
    return {};
}

Mistakes MovingScene::check_ray(std::size_t i, int samples) const {
    const HardPair& pair = scene_.given[i * every_];
    const Motion& m = motions_[i];
    const Shape shape = m.at(pair, 0).first;
    if (shape.form == Form::chain) return {};
    const Point from = point(m.start_b) - point(m.start_a), way = point(m.end_b) - point(m.start_b);
    const Real bound = 1e-5L * size_of(shape) + 0x1p-20L * (length(from) + length(way));
    for (int k = 0; k < samples; ++k) {
        const Real fraction = Real(k) / samples;
        if (rays_.hit(i) && fraction >= rays_.fraction[i]) break;
        const Real deep = -distance_to(shape, from + way * fraction);
        if (deep > bound) return {{"ray: late", deep / bound, "inside at " + std::to_string(fraction)}};
    }
    if (rays_.hit(i) && !rays_.inside[i] && !is_on_surface(shape, point(rays_.point[i]), bound))
        return {{"ray: point", kInfinity, "off the surface"}};
    return {};
}

Mistakes MovingScene::check_point(std::size_t i) const {
    const Motion& m = motions_[i];
    const Shape shape = m.at(scene_.given[i * every_], 0).first;
    if (shape.form == Form::chain) return {};
    const Point from = point(m.start_b) - point(m.start_a);
    const Real apart = distance_to(shape, from), off = std::fabs(points_.signed_distance[i] - apart);
    const Real bound = 1e-5L * size_of(shape) + 1e-6L * std::fabs(apart) +
                       0x1p-20L * (length(from) + length(shape.centre) + size_of(shape));
    if (off <= bound) return {};
    return {{"point: signed distance", off / bound, text(apart, points_.signed_distance[i])}};
}

}  // namespace abut::plane
