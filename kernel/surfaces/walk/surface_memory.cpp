// See surface_memory.hpp.
#include "surfaces/walk/surface_memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/content_hash.hpp"
#include "base/tolerances.hpp"
#include "convex/contract/warm_marks.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/surfaces.hpp"

namespace abut {
namespace {

using maths::Mat3;
using maths::Vec3d;

// The body may move by this part of its size before its triangles are searched again. The part is smaller for
// compounds, because their children have many triangles.
constexpr float kExtraReachShare = 0.05f, kCompoundExtraReachShare = 0.01f;
constexpr std::uint32_t kTooMany = 0xffff;                                // stored as the number of triangles
constexpr std::uint32_t kFollowed = 0x80000000, kMayFollow = 0x40000000;  // flags in the mark of contacts

std::uint32_t mark_bits_of(const WarmCache& cache) {
    std::uint32_t mark;
    std::memcpy(&mark, cache.opaque + kSearchBytes, sizeof mark);
    return mark;
}

template <class Record>
std::uint64_t checksum_of_all(Record& record, std::uint64_t context) {
    record.checksum[0] = record.checksum[1] = 0;
    constexpr std::size_t kWords = sizeof(Record) / 8;
    std::uint64_t words[kWords + 1] = {};
    std::memcpy(words, &record, sizeof record);
    ContentHash checksum;
    checksum.add(context);
    for (const std::uint64_t word : words) checksum.add(word);
    return checksum.long_value();
}

// An upper bound on the distance by which the difference of two rotations moves a point at distance 1 from the origin.
double rotation_difference(const Mat3& a, const Mat3& b) {
    const Vec3d x = a.row_x - b.row_x, y = a.row_y - b.row_y, z = a.row_z - b.row_z;
    return std::sqrt(dot(x, x) + dot(y, y) + dot(z, z));
}

}  // namespace

template <class Record>
Vec3d position_of(const Record& record) {
    return {record.position[0], record.position[1], record.position[2]};
}

// Records are in WarmCache::opaque. All records have their marks at the same offset, with the tag in the low half
// (warm_marks.hpp).
//
// The triangles near the body, and its pose when they were found.
struct SurfaceMemory::NearRecord {
    float reach;        // the reach of the search for triangles; negative if there was no search
    float position[3];  // of the body, in the surface's frame
    float moved;        // distance from `position` at the last call
    std::uint32_t unused[3];
    std::uint32_t mark;  // high half: the number of triangles
    std::uint32_t checksum[2];
    Quat orientation;  // of the body, in the surface's frame
    // The index of each triangle, with the index of its child in the bits above; in three bytes if that is enough.
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

// The features of contacts, and the pose of the body when they were found.
struct SurfaceMemory::ContactsRecord {
    float position[3];   // of the body, in the surface's frame
    std::uint32_t here;  // a hash of both poses and of the reach
    Quat orientation;    // of the body, in the surface's frame
    std::uint32_t mark;  // high half: a digit for each manifold's record, and the two flags above
    std::uint32_t checksum[2];
    float reach, deepest;
    std::byte bytes[128];  // normals, features and, if there is room, positions

    // A digit of base 9: the number of contacts, 1 to 4, plus 4 if the normal is that of the record before. Four digits
    // fit 13 bits.
    static constexpr std::uint32_t kBase = 2 * kMaxContacts + 1, kDigits = 0x3fff;
    static std::uint32_t digit_of(const KeptContacts& contacts, std::uint32_t i) {
        return contacts.count[i] + (contacts.has_own_normal[i] ? 0 : kMaxContacts);
    }
    void read_digits(KeptContacts& contacts) const {
        for (std::uint32_t digits = mark >> 16 & kDigits; digits != 0 && contacts.record_count < contacts.kMostRecords;
             digits /= kBase) {
            const std::uint32_t digit = digits % kBase, i = contacts.record_count++;
            contacts.has_own_normal[i] = digit <= kMaxContacts;
            contacts.count[i] = digit - (contacts.has_own_normal[i] ? 0 : kMaxContacts);
            contacts.contact_count += contacts.count[i];
        }
    }
};

bool KeptContacts::add(std::uint32_t of_child, std::uint32_t contacts, const ManifoldRecord& record,
                       const ContactTriangles& of, const Quat& surface_orientation) {
    if (record_count == kMostRecords || contact_count + contacts > kMostContacts) return false;
    count[record_count] = contacts, child[record_count] = of_child;
    normal[record_count] = finite_float(
        transposed_times(maths::rotation(maths::to_double(surface_orientation)), maths::to_double(record.normal)));
    has_own_normal[record_count] = record_count == 0 || normal[record_count] != normal[record_count - 1];
    ++record_count;
    for (std::uint32_t k = 0; k < contacts; ++k, ++contact_count) {
        const Contact& c = record.contacts[k];
        features[contact_count] = {of.cooked[k], c.feature};
        places[contact_count] = {c.position, c.separation};
        deepest = contact_count == 0 ? c.separation : std::min(deepest, c.separation);
    }
    return true;
}

SurfaceMemory::SurfaceMemory(const Frame& frame, const Entry& entry, const Body& body, const Body& surface,
                             const QueryParameters& parameters)
    : body_(body),
      surface_(surface),
      offset_(maths::to_double(surface.position) - maths::to_double(body.position)),
      reach_(parameters.reach_of(entry.pair())) {
    static_assert(sizeof(NearRecord) == sizeof(WarmCache) && offsetof(NearRecord, mark) == kSearchBytes);
    static_assert(sizeof(ContactsRecord) == sizeof(WarmCache) && offsetof(ContactsRecord, mark) == kSearchBytes);
    const ShapeTables& tables = tables_of(*frame.shapes);
    const ShapeIdentity &of_body = tables.identity(body.shape), &of_surface = tables.identity(surface.shape);
    contents_ = std::uint64_t(of_body.content) << 32 | of_surface.content;
    origin_radius_ = of_body.origin_radius, surface_origin_radius_ = of_surface.origin_radius;
    size_ = tables.record(body.shape).size;
    least_size_ = size_;
    child_count_ = 1;
    if (body.shape.kind() == ShapeKind::compound) {
        const CompoundGeometry& compound = tables.compound(body.shape);
        child_count_ = std::uint32_t(compound.parts.size()), least_size_ = compound.least_size;
    }
    const auto slack_of = [&](float size) { return std::min(parameters.contact_slack, kSlackShare * size); };
    const float asked = parameters.follow_distance;
    sure_room_ = std::min(kGroundShare * slack_of(size_), slack_of(least_size_));
    most_room_ = asked > 0.0f ? std::min(asked, kMostFollowed * origin_radius_) : sure_room_;
    triangle_count_ = surface_of(tables, surface.shape).triangle_count();
    ContentHash conditions;
    conditions.add(double(parameters.follow_distance));
    conditions.add(std::uint64_t(parameters.ground_contacts - kMaxContacts) << 33 |
                   std::uint64_t(std::bit_cast<std::uint32_t>(parameters.contact_slack)) << 1 |
                   std::uint64_t(entry.swapped()));
    conditions_ = conditions.long_value();
}

float SurfaceMemory::extra_reach() const {
    return (body_.shape.kind() == ShapeKind::compound ? kCompoundExtraReachShare : kExtraReachShare) * size_;
}

std::uint32_t SurfaceMemory::triangle_bits() const { return std::uint32_t(std::bit_width(triangle_count_)); }
std::uint32_t SurfaceMemory::child_bits() const { return std::uint32_t(std::bit_width(child_count_ - 1)); }
std::uint32_t SurfaceMemory::width() const { return triangle_bits() + child_bits() <= 24 ? 3 : 4; }

std::uint32_t SurfaceMemory::most_triangles() const {
    if (!has_bits()) return 0;
    return std::min(NearTriangles::kMost, std::uint32_t(sizeof NearRecord::bytes) / width());
}

maths::Vec3d SurfaceMemory::position_in_surface() const {
    return maths::transposed_times(maths::rotation(maths::to_double(surface_.orientation)), -offset_);
}
maths::Quatd SurfaceMemory::orientation_in_surface() const {
    return maths::normalised(
        maths::relative(maths::to_double(surface_.orientation), maths::to_double(body_.orientation)));
}

// Leaves out the values that change while a record is valid.
std::uint64_t SurfaceMemory::checksum_of(NearRecord record) const {
    record.moved = 0;
    return checksum_of_all(record, contents_);
}
std::uint64_t SurfaceMemory::checksum_of(ContactsRecord record) const {
    record.mark &= ~kFollowed;
    return checksum_of_all(record, contents_ ^ conditions_);
}

template <class Record>
bool SurfaceMemory::read(const WarmCache& cache, std::uint32_t tag, Record& record) const {
    if (contact_tag_of(cache) != tag) return false;
    std::memcpy(&record, cache.opaque, sizeof record);
    const std::uint64_t checksum = checksum_of(record);
    return record.checksum[0] == std::uint32_t(checksum) && record.checksum[1] == std::uint32_t(checksum >> 32);
}

template <class Record>
void SurfaceMemory::write(WarmCache& cache, Record& record) const {
    const std::uint64_t checksum = checksum_of(record);
    record.checksum[0] = std::uint32_t(checksum), record.checksum[1] = std::uint32_t(checksum >> 32);
    std::memcpy(cache.opaque, &record, sizeof record);
}

template <class Record>
void SurfaceMemory::set_place(Record& record) const {
    const Vec3 at = finite_float(position_in_surface());
    record.position[0] = at.x, record.position[1] = at.y, record.position[2] = at.z;
    const maths::Quatd q = orientation_in_surface();
    record.orientation = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                          static_cast<float>(q.w)};
}

template <class Record>
float SurfaceMemory::moved_since(const Record& record) const {
    const double distance = maths::norm(position_in_surface() - position_of(record));
    const double rotation = rotation_difference(maths::rotation(orientation_in_surface()),
                                                maths::rotation(maths::to_double(record.orientation)));
    return static_cast<float>(distance + rotation * origin_radius_);
}

SurfaceMemory::Recalled SurfaceMemory::recall(WarmCache& cache, double reach, NearTriangles& triangles,
                                              bool& is_slow) const {
    NearRecord record;
    is_slow = false;
    if (!read(cache, kNearMark, record)) return Recalled::moving;
    const float moved = moved_since(record);
    is_slow = std::fabs(moved - record.moved) <= kSlowShare * most_room_;
    std::memcpy(cache.opaque + offsetof(NearRecord, moved), &moved, sizeof moved);
    // The position was rounded to floats: adds the error.
    const double most =
        moved + kReachSlack * (maths::max_abs(position_of(record)) + origin_radius_ + surface_origin_radius_);
    if (!(reach + most <= record.reach))
        return record.reach < 0 && most <= extra_reach() ? Recalled::unknown : Recalled::moving;
    triangles.count = record.mark >> 16;
    if (triangles.count > most_triangles()) return Recalled::too_many;
    const std::uint32_t bits = triangle_bits(), mask = (1u << bits) - 1;
    for (std::uint32_t i = 0; i < triangles.count; ++i) {
        const std::uint32_t word = record.word(i, width());
        triangles.at[i] = {word >> bits, word & mask};
        if (triangles.at[i].child >= child_count_ || triangles.at[i].triangle >= triangle_count_)
            return Recalled::moving;
    }
    return Recalled::triangles;
}

void SurfaceMemory::keep(WarmCache& cache, float reach, const NearTriangles& triangles) const {
    NearRecord record = {};
    const bool has_room = triangles.count <= most_triangles();
    for (std::uint32_t i = 0; has_room && i < triangles.count; ++i)
        record.put(i, width(), triangles.at[i].child << triangle_bits() | triangles.at[i].triangle);
    keep(cache, reach, has_room ? triangles.count : kTooMany, record);
}

void SurfaceMemory::keep(WarmCache& cache) const {
    NearRecord record = {};
    keep(cache, -1.0f, 0, record);
}

void SurfaceMemory::keep(WarmCache& cache, float reach, std::uint32_t count, NearRecord& record) const {
    record.mark = kNearMark | count << 16;
    record.reach = reach;
    set_place(record);
    record.moved = moved_since(record);
    write(cache, record);
}

bool SurfaceMemory::keeps_contacts(const WarmCache& cache) { return contact_tag_of(cache) == kGroundMark; }

bool SurfaceMemory::has_followed(const WarmCache& cache) {
    return keeps_contacts(cache) && (mark_bits_of(cache) & kFollowed) != 0;
}

void SurfaceMemory::set_followed(WarmCache& cache) {
    const std::uint32_t mark = mark_bits_of(cache) | kFollowed;
    std::memcpy(cache.opaque + kSearchBytes, &mark, sizeof mark);
}

std::uint32_t SurfaceMemory::here() const {
    ContentHash hash;
    hash.add(offset_.x), hash.add(offset_.y), hash.add(offset_.z);
    hash.add(body_.orientation), hash.add(surface_.orientation);
    hash.add(double(reach_));
    return hash.value();
}

std::size_t SurfaceMemory::bytes_of(const KeptContacts& contacts) const {
    const auto normals = std::count(contacts.has_own_normal, contacts.has_own_normal + contacts.record_count, true);
    return std::size_t(normals) * sizeof(Vec3) + contacts.contact_count * (width() + sizeof(std::uint32_t));
}
bool SurfaceMemory::has_room(const KeptContacts& contacts) const {
    return has_bits() && bytes_of(contacts) <= sizeof ContactsRecord::bytes;
}
bool SurfaceMemory::has_places(const KeptContacts& contacts) const {
    return bytes_of(contacts) + contacts.contact_count * sizeof(KeptContacts::Place) <= sizeof ContactsRecord::bytes;
}

// Calls each(part, its bytes) for the parts of contacts, which are stored one after the other. The high bits of a
// triangle's index hold the index of its child.
template <class Kept, class Each>
void SurfaceMemory::for_each_part(Kept& contacts, const Each& each) const {
    static_assert(std::endian::native == std::endian::little);  // the low bytes of an index come first
    for (std::uint32_t i = 0; i < contacts.record_count; ++i)
        if (contacts.has_own_normal[i]) each(&contacts.normal[i], sizeof(Vec3));
    for (std::uint32_t k = 0; k < contacts.contact_count; ++k)
        each(&contacts.features[k].triangle, width()), each(&contacts.features[k].feature, sizeof(std::uint32_t));
    if (has_places(contacts)) each(contacts.places, contacts.contact_count * sizeof(KeptContacts::Place));
}

void SurfaceMemory::keep(WarmCache& cache, KeptContacts contacts) const {
    ContactsRecord record = {};
    std::uint32_t digits = 0;
    for (std::uint32_t i = contacts.record_count, at = contacts.contact_count; i-- > 0;) {
        digits = digits * ContactsRecord::kBase + ContactsRecord::digit_of(contacts, i);
        for (std::uint32_t k = 0; k < contacts.count[i]; ++k)
            contacts.features[--at].triangle |= contacts.child[i] << triangle_bits();
    }
    record.mark = kGroundMark | digits << 16 | (contacts.may_follow ? kMayFollow : 0);
    set_place(record);
    record.here = here();
    record.reach = reach_, record.deepest = contacts.deepest;
    std::byte* to = record.bytes;
    for_each_part(contacts, [&](const void* part, std::size_t bytes) {
        std::memcpy(to, part, bytes);
        to += bytes;
    });
    write(cache, record);
}

SurfaceMemory::Contacts SurfaceMemory::recall(const WarmCache& cache, KeptContacts& contacts) const {
    ContactsRecord record;
    if (!read(cache, kGroundMark, record)) return Contacts::none;
    const bool is_here = record.here == here();
    contacts.deepest = record.deepest;
    contacts.moved = moved_since(record) + kOffsetRounding * maths::max_abs(position_of(record));
    const bool may_follow = (record.mark & kMayFollow) != 0 &&
                            contacts.moved + std::max(reach_ - record.reach, 0.0f) <= room_of(record.deepest);
    if (!is_here && !may_follow) return Contacts::none;
    record.read_digits(contacts);
    if (!has_room(contacts)) return Contacts::none;
    std::fill_n(contacts.features, contacts.contact_count, KeptContacts::Features{});
    const std::byte* from = record.bytes;
    for_each_part(contacts, [&](void* part, std::size_t bytes) {
        std::memcpy(part, from, bytes);
        from += bytes;
    });
    const std::uint32_t bits = triangle_bits(), mask = (1u << bits) - 1;
    for (std::uint32_t i = 0, at = 0; i < contacts.record_count; ++i) {
        contacts.child[i] = contacts.features[at].triangle >> bits;
        if (contacts.child[i] >= child_count_) return Contacts::none;
        if (!contacts.has_own_normal[i]) contacts.normal[i] = contacts.normal[i - 1];
        for (std::uint32_t k = 0; k < contacts.count[i]; ++k, ++at)
            if ((contacts.features[at].triangle &= mask) >= triangle_count_) return Contacts::none;
    }
    if (is_here && has_places(contacts)) return Contacts::placed;
    return may_follow ? Contacts::moved : Contacts::none;
}

}  // namespace abut
