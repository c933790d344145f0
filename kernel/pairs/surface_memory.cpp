// See surface_memory.hpp.
#include "pairs/surface_memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "frame/warm_marks.hpp"
#include "shapes/surfaces.hpp"
#include "tolerances.hpp"

namespace abut {
namespace {

using exact::Mat3;
using exact::Vec3d;

// The body may move by this part of its size until its triangles are searched again. A compound's children have many.
constexpr float kExtraReachShare = 0.05f, kCompoundExtraReachShare = 0.01f;
constexpr std::uint32_t kTooMany = 0xffff;  // for a number of triangles

// [Multiply and shift.]
class Hash {
public:
    void add(std::uint64_t word) {
        value_ = (value_ ^ word) * 0x9fb21c651e98df25u;
        value_ ^= value_ >> 29;
    }
    void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
    void add(const Quat& q) {
        std::uint64_t words[2];
        static_assert(sizeof words == sizeof q);
        std::memcpy(words, &q, sizeof words);
        add(words[0]), add(words[1]);
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0x2545f4914f6cdd1du;
};

std::uint64_t word_of(const std::uint32_t (&halves)[2]) { return std::uint64_t(halves[1]) << 32 | halves[0]; }
void put_word(std::uint64_t word, std::uint32_t (&halves)[2]) { halves[0] = std::uint32_t(word), halves[1] = std::uint32_t(word >> 32); }

const ShapeIdentity& identity_of(const ShapeTables& tables, ShapeId id) {
    return tables.kinds[static_cast<std::uint32_t>(id.kind())].identities[id.slot()];
}

// No turn by the difference moves a point at distance 1 by more.
double norm(const Mat3& a, const Mat3& b) {
    const Vec3d x = a.row_x - b.row_x, y = a.row_y - b.row_y, z = a.row_z - b.row_z;
    return std::sqrt(dot(x, x) + dot(y, y) + dot(z, z));
}

}  // namespace

// WarmCache::opaque. The mark is where other records of the kind have theirs.
struct SurfaceMemory::Record {
    std::uint32_t here[2];  // a hash of the places at the last call, and of what else contacts depend on
    float reach;            // kNearMark: of the triangles, at the place below; negative: of none
    float position[3];      // of the body, in the surface's frame
    std::uint32_t unused[2];
    std::uint32_t mark;  // in the low half as in warm_marks.hpp; in the high half how many triangles, or how many contacts: 8 bits a manifold
    std::uint32_t checksum[2];
    struct Resting {
        Vec3 normal[RestingContacts::kMostManifolds];
        std::uint32_t triangles[RestingContacts::kMostContacts];
        Contact contacts[RestingContacts::kMostContacts];
    };
    std::byte more[136];

    template <class T>
    T as() const {
        static_assert(sizeof(T) <= sizeof more);
        T out;
        std::memcpy(&out, more, sizeof out);
        return out;
    }
    template <class T>
    void put(const T& of) {
        std::memcpy(more, &of, sizeof of);
    }
};

// Each triangle with its child in the bits above it, in three bytes where that is enough.
struct SurfaceMemory::Near {
    Quat orientation;  // the body, in the surface's frame
    std::uint8_t bytes[120];

    std::uint32_t word(std::uint32_t i, std::uint32_t width) const {
        std::uint32_t word = 0;
        for (std::uint32_t k = 0; k < width; ++k) word |= std::uint32_t(bytes[i * width + k]) << 8 * k;
        return word;
    }
    void put(std::uint32_t i, std::uint32_t width, std::uint32_t word) {
        for (std::uint32_t k = 0; k < width; ++k) bytes[i * width + k] = std::uint8_t(word >> 8 * k);
    }
};

bool RestingContacts::add(std::uint32_t count, const ManifoldRecord& record, const ContactTriangles& of) {
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < manifold_count; ++i) first += contact_count[i];
    if (manifold_count == kMostManifolds || first + count > kMostContacts) return false;
    contact_count[manifold_count] = count;
    normal[manifold_count] = record.normal;
    std::copy_n(record.contacts, count, contacts + first);
    std::copy_n(of.begin(), count, triangles + first);
    ++manifold_count;
    return true;
}

ManifoldRecord RestingContacts::record(std::uint32_t manifold) const {
    ManifoldRecord out = {};
    out.normal = normal[manifold];
    std::copy_n(contacts + (manifold == 0 ? 0 : contact_count[0]), contact_count[manifold], out.contacts);
    return out;
}

ContactTriangles RestingContacts::triangles_of(std::uint32_t manifold) const {
    ContactTriangles out = {};
    std::copy_n(triangles + (manifold == 0 ? 0 : contact_count[0]), contact_count[manifold], out.begin());
    return out;
}

SurfaceMemory::SurfaceMemory(const ShapeTables& tables, const Body& body, const Body& surface, bool is_swapped, const QueryParameters& parameters,
                             double reach)
    : body_(body), surface_(surface), offset_(exact::to_double(surface.position) - exact::to_double(body.position)) {
    static_assert(sizeof(Record) == sizeof(WarmCache) && offsetof(Record, mark) == kSearchBytes);
    const ShapeIdentity &of_body = identity_of(tables, body.shape), &of_surface = identity_of(tables, surface.shape);
    contents_ = std::uint64_t(of_body.content) << 32 | of_surface.content;
    origin_radius_ = of_body.origin_radius, surface_origin_radius_ = of_surface.origin_radius;
    size_ = tables.record(body.shape).size;
    child_count_ = body.shape.kind() == ShapeKind::compound ? std::uint32_t(tables.compound(body.shape).parts.size()) : 1;
    triangle_count_ = surface_of(tables, surface.shape).triangle_count();
    Hash here;
    here.add(contents_);
    here.add(offset_.x), here.add(offset_.y), here.add(offset_.z);
    here.add(body.orientation), here.add(surface.orientation);
    here.add(reach);
    here.add(std::uint64_t(std::bit_cast<std::uint32_t>(parameters.contact_slack)) << 1 | std::uint64_t(is_swapped));
    here_ = here.value();
}

float SurfaceMemory::extra_reach() const { return (body_.shape.kind() == ShapeKind::compound ? kCompoundExtraReachShare : kExtraReachShare) * size_; }

std::uint32_t SurfaceMemory::triangle_bits() const { return std::uint32_t(std::bit_width(triangle_count_)); }
std::uint32_t SurfaceMemory::child_bits() const { return std::uint32_t(std::bit_width(child_count_ - 1)); }
std::uint32_t SurfaceMemory::width() const { return triangle_bits() + child_bits() <= 24 ? 3 : 4; }

std::uint32_t SurfaceMemory::most_triangles() const {
    if (triangle_bits() + child_bits() >= 32) return 0;
    return std::min(NearTriangles::kMost, std::uint32_t(sizeof Near::bytes) / width());
}

exact::Vec3d SurfaceMemory::position_in_surface() const {
    return exact::transposed_times(exact::rotation(exact::to_double(surface_.orientation)), -offset_);
}
exact::Quatd SurfaceMemory::turned_in_surface() const {
    return exact::normalised(exact::relative(exact::to_double(surface_.orientation), exact::to_double(body_.orientation)));
}

std::uint64_t SurfaceMemory::checksum_of(const Record& record) const {
    Hash checksum;
    checksum.add(contents_);
    Record of = record;
    of.checksum[0] = of.checksum[1] = 0;
    constexpr std::size_t kWords = sizeof(Record) / 8;
    std::uint64_t words[kWords + 1] = {};
    std::memcpy(words, &of, sizeof of);
    for (const std::uint64_t word : words) checksum.add(word);
    return checksum.value();
}

bool SurfaceMemory::read(const WarmCache& cache, Record& record) const {
    const std::uint32_t mark = still_mark_of(cache);
    if (mark != kNearMark && mark != kGroundMark) return false;
    std::memcpy(&record, cache.opaque, sizeof record);
    return word_of(record.checksum) == checksum_of(record);
}

void SurfaceMemory::write(WarmCache& cache, Record& record) const {
    put_word(here_, record.here);
    put_word(checksum_of(record), record.checksum);
    std::memcpy(cache.opaque, &record, sizeof record);
}

bool SurfaceMemory::was_here(const WarmCache& cache) const {
    Record record;
    return read(cache, record) && word_of(record.here) == here_;
}

bool SurfaceMemory::has_contacts(const WarmCache& cache) const { return still_mark_of(cache) == kGroundMark && was_here(cache); }

RestingContacts SurfaceMemory::contacts_of(const WarmCache& cache) {
    Record record;
    std::memcpy(&record, cache.opaque, sizeof record);
    const auto kept = record.as<Record::Resting>();
    RestingContacts out;
    out.contact_count[0] = record.mark >> 16 & 0xff, out.contact_count[1] = record.mark >> 24;
    out.manifold_count = std::uint32_t(out.contact_count[0] != 0) + std::uint32_t(out.contact_count[1] != 0);
    std::copy_n(kept.normal, RestingContacts::kMostManifolds, out.normal);
    std::copy_n(kept.triangles, RestingContacts::kMostContacts, out.triangles);
    std::copy_n(kept.contacts, RestingContacts::kMostContacts, out.contacts);
    return out;
}

SurfaceMemory::Recalled SurfaceMemory::recall(const WarmCache& cache, double reach, NearTriangles& triangles) const {
    Record record;
    if (still_mark_of(cache) != kNearMark || !read(cache, record)) return Recalled::moving;
    const auto near = record.as<Near>();
    const Vec3d before = {record.position[0], record.position[1], record.position[2]};
    const double distance = exact::norm(position_in_surface() - before);
    const double rotation = norm(exact::rotation(turned_in_surface()), exact::rotation(exact::to_double(near.orientation)));
    // The place was rounded to floats.
    const double moved = distance + rotation * origin_radius_ + kReachSlack * (exact::max_abs(before) + origin_radius_ + surface_origin_radius_);
    if (!(reach + moved <= record.reach)) return record.reach < 0 && moved <= extra_reach() ? Recalled::unknown : Recalled::moving;
    triangles.count = record.mark >> 16;
    if (triangles.count > most_triangles()) return Recalled::too_many;
    const std::uint32_t bits = triangle_bits(), mask = (1u << bits) - 1;
    for (std::uint32_t i = 0; i < triangles.count; ++i) {
        const std::uint32_t word = near.word(i, width());
        triangles.at[i] = {word >> bits, word & mask};
        if (triangles.at[i].child >= child_count_ || triangles.at[i].triangle >= triangle_count_) return Recalled::moving;
    }
    return Recalled::triangles;
}

void SurfaceMemory::keep(WarmCache& cache, const RestingContacts& contacts) const {
    Record record = {};
    record.mark = kGroundMark | contacts.contact_count[0] << 16 | contacts.contact_count[1] << 24;
    Record::Resting kept = {};
    std::copy_n(contacts.normal, RestingContacts::kMostManifolds, kept.normal);
    std::copy_n(contacts.triangles, RestingContacts::kMostContacts, kept.triangles);
    std::copy_n(contacts.contacts, RestingContacts::kMostContacts, kept.contacts);
    record.put(kept);
    write(cache, record);
}

void SurfaceMemory::keep(WarmCache& cache, float reach, const NearTriangles& triangles) const {
    Near near = {};
    const bool has_room = triangles.count <= most_triangles();
    for (std::uint32_t i = 0; has_room && i < triangles.count; ++i)
        near.put(i, width(), triangles.at[i].child << triangle_bits() | triangles.at[i].triangle);
    keep(cache, reach, has_room ? triangles.count : kTooMany, near);
}

void SurfaceMemory::keep(WarmCache& cache) const { keep(cache, -1.0f, 0, {}); }

void SurfaceMemory::keep(WarmCache& cache, float reach, std::uint32_t count, const Near& near) const {
    Record record = {};
    record.mark = kNearMark | count << 16;
    record.reach = reach;
    const Vec3d at = position_in_surface();
    record.position[0] = static_cast<float>(at.x), record.position[1] = static_cast<float>(at.y), record.position[2] = static_cast<float>(at.z);
    const exact::Quatd q = turned_in_surface();
    Near posed = near;
    posed.orientation = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
    record.put(posed);
    write(cache, record);
}

void SurfaceMemory::store_follow_record(WarmCache& cache) const {
    Record record;
    std::memcpy(&record, cache.opaque, sizeof record);
    write(cache, record);
}

}  // namespace abut
