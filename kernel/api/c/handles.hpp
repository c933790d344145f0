// The contents of the opaque handles of the C headers.
#pragma once

#include <abut/abut.h>
#include <abut/abut.hpp>
#include <abut/d2.hpp>

#include "base/memory.hpp"

struct abut_store : abut::HostAllocated<abut_store> {
    abut::ShapeStore store;
};

struct abut_broad_phase : abut::HostAllocated<abut_broad_phase> {
    abut::BroadPhase broad;
};

struct abut_world_tree : abut::HostAllocated<abut_world_tree> {
    abut::WorldTree tree;
};

struct abut_cooked_hull : abut::HostAllocated<abut_cooked_hull> {
    abut::CookedHull hull;
};

struct abut_cooked_mesh : abut::HostAllocated<abut_cooked_mesh> {
    abut::CookedMesh mesh;
};

struct abut_manifolds : abut::HostAllocated<abut_manifolds> {
    struct {
        abut::Vector<std::uint32_t> first_manifold;
        abut::Vector<abut::Manifold> manifolds;
        abut::Vector<abut::Contact> contacts;
        abut::Vector<abut::Status> status;
        abut::Vector<std::uint32_t> triangles;
    } manifolds;
};

struct abut_narrow_phase : abut::HostAllocated<abut_narrow_phase> {
    abut::NarrowPhase narrow;
};

struct abut_warm_table : abut::HostAllocated<abut_warm_table> {
    abut::WarmTable table;
    abut::d2::FrameContacts in_plane = {};
};

struct abut_d2_store : abut::HostAllocated<abut_d2_store> {
    abut::d2::ShapeStore store;
};

struct abut_d2_manifolds : abut::HostAllocated<abut_d2_manifolds> {
    struct {
        abut::Vector<std::uint32_t> first_manifold;
        abut::Vector<abut::d2::Manifold> manifolds;
        abut::Vector<abut::Status> status;
    } manifolds;
};

struct abut_d2_narrow_phase : abut::HostAllocated<abut_d2_narrow_phase> {
    abut::d2::NarrowPhase narrow;
};
