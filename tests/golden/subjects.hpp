// What the golden checksums are of: named frames of every sort, and their answers as checksums.
//
// A subject's frames are made without the mathematics library's functions, so that they are the same with every
// compiler and on every machine; the checksum `input` of its bodies and shapes says whether they are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

namespace abut::golden {

struct Line {
    std::string subject, query;  // "hard box-hull", "collide"
    std::uint64_t checksum = 0;
    bool operator==(const Line&) const = default;
};

struct Subject {
    std::string name;
    std::uint64_t input = 0;
    // The checksum of each query's answers, in a fixed order.
    std::function<std::vector<Line>(const Settings&)> ask;
};

// Rows, hard, resting and walking pairs of every two kinds; compounds; all kinds in one frame; bodies on meshes and
// height fields.
std::vector<Subject> make_subjects();
// The part of it in ground.cpp.
void add_ground_subjects(std::vector<Subject>& all);
// Of the plane (plane.cpp).
void add_plane_subjects(std::vector<Subject>& all);

// The embedded pile; only where the command line is built.
inline constexpr const char* kPile = "pile";
Subject make_pile();

}  // namespace abut::golden
