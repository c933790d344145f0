// Where Bullet was not found.
#include "studies/steady/bullet.hpp"

namespace abut::steady {

struct BulletPairs::World {};

bool has_bullet() { return false; }
BulletPairs::BulletPairs() = default;
BulletPairs::~BulletPairs() = default;
BulletPairs::BulletPairs(BulletPairs&&) noexcept = default;
BulletPairs& BulletPairs::operator=(BulletPairs&&) noexcept = default;
void BulletPairs::add(const Configuration&) {}
void BulletPairs::step(std::span<const Body>) {}
std::vector<double> BulletPairs::kept() const { return {}; }

}  // namespace abut::steady
