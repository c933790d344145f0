// Rows in files, see cache.hpp. One record per pair, written under another name first so that programs may run side by
// side.
#include "scenes/cache.hpp"

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace abut::scenes {
namespace {

struct Record {
    Body a, b;
    std::uint32_t solid_a, solid_b;
    double reference;
};
static_assert(sizeof(Record) == 80);

struct Hash {
    std::uint64_t value = ABUT_SCENE_MAKERS;  // of the sources that make rows, the oracle's among them
    void add(std::uint64_t bits) {
        value = (value ^ bits) * 0x9fb21c651e98df25ull;
        value ^= value >> 32;
    }
    void add(float number) { add(std::uint64_t(std::bit_cast<std::uint32_t>(number))); }
};

std::string directory() {
    const char* named = std::getenv("ABUT_SCENE_CACHE");
    return named ? named : ABUT_SCENE_CACHE_DIR;
}

}  // namespace

Cache::Cache(const Scene& scene, std::uint64_t seed) {
    Hash hash;
    hash.add(seed);
    hash.add(std::uint64_t(scene.pairs.size()));
    for (const char c : scene.name) hash.add(std::uint64_t(c));
    for (const oracle::Solid& solid : scene.solids) {
        const oracle::Shape& s = solid.shape;
        hash.add(std::uint64_t(s.kind));
        for (const float number :
             {s.radius, s.half_height, s.half_extents.x, s.half_extents.y, s.half_extents.z, s.rounding, s.offset})
            hash.add(number);
        for (const float number : {s.normal.x, s.normal.y, s.normal.z, s.scale.x, s.scale.y, s.scale.z})
            hash.add(number);
        for (const Vec3& p : s.points)
            for (const float number : {p.x, p.y, p.z}) hash.add(number);
    }
    key_ = hash.value;
    if (const std::string where = directory(); !where.empty())
        path_ = where + "/" + scene.name + "-" + std::to_string(key_) + ".scene";
}

bool Cache::read(Scene& scene) const {
    if (path_.empty()) return false;
    std::error_code error;
    if (std::filesystem::file_size(path_, error) != scene.pairs.size() * sizeof(Record) || error) return false;
    std::vector<Record> records(scene.pairs.size());
    std::ifstream in(path_, std::ios::binary);
    if (!in.read(reinterpret_cast<char*>(records.data()), std::streamsize(records.size() * sizeof(Record))))
        return false;
    for (const Record& r : records)
        if (r.solid_a >= scene.solids.size() || r.solid_b >= scene.solids.size()) return false;
    scene.reference.resize(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& r = records[i];
        scene.bodies[2 * i] = {r.a.position, scene.ids[r.solid_a], r.a.orientation};
        scene.bodies[2 * i + 1] = {r.b.position, scene.ids[r.solid_b], r.b.orientation};
        scene.solid_of[2 * i] = r.solid_a, scene.solid_of[2 * i + 1] = r.solid_b;
        scene.pairs[i] = {std::uint32_t(2 * i), std::uint32_t(2 * i + 1)};
        scene.reference[i] = r.reference;
    }
    return true;
}

void Cache::write(const Scene& scene) const {
    if (path_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
    std::vector<Record> records;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i)
        records.push_back(
            {scene.body_a(i), scene.body_b(i), scene.solid_of[2 * i], scene.solid_of[2 * i + 1], scene.reference[i]});
    const std::string fresh = path_ + "." + std::to_string(std::random_device()());
    {
        std::ofstream out(fresh, std::ios::binary);
        out.write(reinterpret_cast<const char*>(records.data()), std::streamsize(records.size() * sizeof(Record)));
        if (!out) {
            std::filesystem::remove(fresh, error);
            return;
        }
    }
    std::filesystem::rename(fresh, path_, error);
}

}  // namespace abut::scenes
