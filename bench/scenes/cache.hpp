// Rows once made, kept in a file each. Only what takes time is kept; a file that does not fit is replaced.
#pragma once

#include <cstdint>
#include <string>

#include "scenes/scene.hpp"

namespace abut::scenes {

class Cache {
public:
    // `scene` holds its shapes, and empty bodies and pairs in their final number. Together with the seed and the
    // sources of the scenes and the oracle they are the key.
    Cache(const Scene& scene, std::uint64_t seed);
    // Bodies, pairs and references. False, and nothing changes, where there is no such file.
    bool read(Scene& scene) const;
    // Silently nothing where the directory cannot be written.
    void write(const Scene& scene) const;

private:
    std::string path_;  // empty: no cache
    std::uint64_t key_ = 0;
};

}  // namespace abut::scenes
