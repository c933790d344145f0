// The functions of ReactPhysics3D's six algorithms. In a program that links this file, they come in place of those in
// ReactPhysics3D's library, whose object files define nothing else.
#include "adapter.hpp"

using abut::react::Adapter;

namespace reactphysics3d {

bool SphereVsSphereAlgorithm::testCollision(NarrowPhaseInfoBatch& batch, uint32 first, uint32 count, MemoryAllocator&) {
    return Adapter::of_thread().test(batch, first, count);
}
bool SphereVsCapsuleAlgorithm::testCollision(NarrowPhaseInfoBatch& batch, uint32 first, uint32 count,
                                             MemoryAllocator&) {
    return Adapter::of_thread().test(batch, first, count);
}
bool CapsuleVsCapsuleAlgorithm::testCollision(NarrowPhaseInfoBatch& batch, uint32 first, uint32 count,
                                              MemoryAllocator&) {
    return Adapter::of_thread().test(batch, first, count);
}
bool SphereVsConvexPolyhedronAlgorithm::testCollision(NarrowPhaseInfoBatch& batch, uint32 first, uint32 count, bool,
                                                      MemoryAllocator&) {
    return Adapter::of_thread().test(batch, first, count);
}
bool CapsuleVsConvexPolyhedronAlgorithm::testCollision(NarrowPhaseInfoBatch& batch, uint32 first, uint32 count, bool,
                                                       MemoryAllocator&) {
    return Adapter::of_thread().test(batch, first, count);
}
bool ConvexPolyhedronVsConvexPolyhedronAlgorithm::testCollision(NarrowPhaseInfoBatch& batch, uint32 first, uint32 count,
                                                                bool, MemoryAllocator&) {
    return Adapter::of_thread().test(batch, first, count);
}

}  // namespace reactphysics3d
