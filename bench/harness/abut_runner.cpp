#include "harness/abut_runner.hpp"

#include <algorithm>

namespace abut::bench {

Settings on_one_core(Isa isa) {
    Settings settings;
    settings.executor = serial_executor();
    settings.threads = 1;
    settings.isa = isa;
    return settings;
}

std::vector<Isa> usable_isas() {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.insert(isas.begin(), isa);  // the widest first
    return isas;
}

std::vector<Body> moved_bodies(const Frame& frame, float step) {
    std::vector<Body> moved;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        Body body = frame.bodies[i];
        if (const ShapeKind kind = body.shape.kind(); kind != ShapeKind::mesh && kind != ShapeKind::heightfield) {
            const float by = step * frame.shapes->view(body.shape).size, turn = i % 2 == 0 ? step : -step;
            body.position = {body.position.x + by, body.position.y - by, body.position.z + (i % 3 == 0 ? by : -by)};
            const Quat q = body.orientation;
            body.orientation = {q.x + turn * q.w, q.y - turn * q.z, q.z + turn * q.y, q.w - turn * q.x};
        }
        moved.push_back(body);
    }
    return moved;
}

AbutRunner::AbutRunner(const Frame& frame, Query query, const Settings& settings, float warm_step)
    : frame_(frame), query_(query), narrow_(settings), margin_(settings.speculative_margin) {
    narrow_.reserve(frame.pairs.size());
    if (query != Query::collide_warm) return;
    caches_.resize(frame_.pairs.size());
    frame_.caches = caches_;
    moved_ = moved_bodies(frame_, warm_step);
    run(), run();
}

bool AbutRunner::run() {
    const auto ask = [&] {
        switch (query_) {
            case Query::overlap: return narrow_.overlap(frame_, overlaps_);
            case Query::collide: return narrow_.collide(frame_, manifolds_);
            case Query::collide_warm: {
                Frame frame = frame_;
                if (moves_) frame.bodies = moved_;
                moves_ = !moves_;
                return narrow_.collide(frame, manifolds_);
            }
            default: break;
        }
        DistanceOptions options;
        options.separation_only = query_ == Query::separation;
        return narrow_.distance(frame_, distances_, options);
    };
    const CallResult result = ask();
    if (!result) refusal_ = result.error().message;
    return bool(result);
}

Answers AbutRunner::answers() const {
    const std::size_t pairs = frame_.pairs.size();
    Answers out(pairs);
    const std::vector<Status>& status = query_ == Query::overlap ? overlaps_.status
                                        : wants_contacts(query_) ? manifolds_.status
                                                                 : distances_.status;
    for (std::size_t i = 0; i < pairs; ++i) {
        if (query_ == Query::overlap) {
            out.hit[i] = overlaps_.hit(i);
        } else if (wants_contacts(query_)) {
            for (std::uint32_t m = manifolds_.first_manifold[i]; m < manifolds_.first_manifold[i + 1]; ++m) {
                const Manifold& manifold = manifolds_.manifolds[m];
                out.normal[i] = manifold.normal;
                out.contacts[i] = std::uint16_t(out.contacts[i] + manifold.contact_count);
                out.signed_distance[i] =
                    std::min(out.signed_distance[i], manifolds_.contacts[manifold.first_contact].separation);
            }
            out.hit[i] = out.signed_distance[i] <= 0;
        } else {
            out.signed_distance[i] = distances_.signed_distance[i];
            out.normal[i] = distances_.normal[i];
            out.point_a[i] = distances_.point_a[i];
            out.point_b[i] = distances_.point_b[i];
            out.hit[i] = out.signed_distance[i] <= 0;
        }
        if (status[i] == Status::ok) continue;
        out.hit[i] = kNoAnswer;
        out.signed_distance[i] = std::numeric_limits<float>::quiet_NaN();
    }
    return out;
}

}  // namespace abut::bench
