// See abut/cooking.hpp.
#include <abut/cooking.hpp>

#include <utility>

#include "base/parallel/guarded_call.hpp"
#include "cooking/hull/hull_box.hpp"
#include "cooking/hull/hull_bytes.hpp"
#include "cooking/hull/hull_cooking.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

Expected<CookedHull> wrapped(Expected<HullGeometry>&& hull) {
    if (!hull) return hull.error();
    return CookedHull(std::make_unique<HullGeometry>(std::move(*hull)));
}

}  // namespace

CookedHull::CookedHull(std::unique_ptr<HullGeometry> geometry) : geometry_(std::move(geometry)) {}
CookedHull::~CookedHull() = default;
CookedHull::CookedHull(CookedHull&&) noexcept = default;
CookedHull& CookedHull::operator=(CookedHull&&) noexcept = default;

HullReport CookedHull::report() const {
    if (!empty()) return geometry_->report;
    HullReport none;
    none.dimension = 0;
    return none;
}

std::optional<HullBox> CookedHull::box() const {
    const FpEnvironment fp;
    return empty() ? std::nullopt : cooking::box_of(*geometry_);
}

std::size_t CookedHull::byte_count() const { return empty() ? 0 : hull_byte_count(*geometry_); }

std::size_t CookedHull::write(std::span<std::byte> out) const {
    const std::size_t count = byte_count();
    if (count == 0 || out.size() < count || out.data() == nullptr) return 0;
    write_hull(*geometry_, out.first(count));
    return count;
}

Expected<CookedHull> CookedHull::read(std::span<const std::byte> bytes) {
    return guarded_call([&]() -> Expected<CookedHull> {
        if (auto error = check_data("bytes", bytes)) return *error;
        return wrapped(read_hull(bytes));
    });
}

Expected<CookedHull> cook_hull(std::span<const Vec3> points, const HullOptions& options) {
    return guarded_call([&]() -> Expected<CookedHull> {
        if (auto error = check_data("points", points)) return *error;
        return wrapped(cook_geometry(points, options));
    });
}

}  // namespace abut
