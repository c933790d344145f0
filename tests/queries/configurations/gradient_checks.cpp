#include "queries/configurations/gradient_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/oracle/vec.hpp"

namespace abut::robots {

namespace {

using oracle::Vec3d;

constexpr double kStep = 1e-4;    // of the smaller size
constexpr double kSmooth = 1e-4;  // differences of two steps, one half of the other, agree so far
constexpr double kAllowed = 1e-3;
constexpr std::size_t kExamples = 3;

// By a translation, then by a rotation in units of 1 / size.
using Six = std::array<double, 6>;

// Turned by `angle` about a world axis.
oracle::Rotation turned(const oracle::Rotation& r, const Vec3d& axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const oracle::Rotation by = {
        {c + axis.x * axis.x * (1 - c), axis.x * axis.y * (1 - c) - axis.z * s, axis.x * axis.z * (1 - c) + axis.y * s},
        {axis.y * axis.x * (1 - c) + axis.z * s, c + axis.y * axis.y * (1 - c), axis.y * axis.z * (1 - c) - axis.x * s},
        {axis.z * axis.x * (1 - c) - axis.y * s, axis.z * axis.y * (1 - c) + axis.x * s,
         c + axis.z * axis.z * (1 - c)}};
    const Vec3d x = by * Vec3d{r.row_x.x, r.row_y.x, r.row_z.x}, y = by * Vec3d{r.row_x.y, r.row_y.y, r.row_z.y};
    const Vec3d z = by * Vec3d{r.row_x.z, r.row_y.z, r.row_z.z};
    return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

constexpr Vec3d kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

struct Question {
    const oracle::Solid &a, &b;
    oracle::Pose pose_a, pose_b;
    Vec3d hint;

    double at(const oracle::Pose& pa, const oracle::Pose& pb) const {
        return oracle::signed_distance(a, pa, b, pb, &hint).signed_distance;
    }

    Six differences(bool of_b, double size, double step) const {
        Six six;
        for (std::size_t i = 0; i < 6; ++i) {
            double value[2];
            for (const int sign : {-1, 1}) {
                oracle::Pose moved = of_b ? pose_b : pose_a;
                if (i < 3)
                    moved.position = moved.position + kAxes[i] * (sign * step);
                else
                    moved.rotation = turned(moved.rotation, kAxes[i - 3], sign * step / size);
                value[sign > 0] = of_b ? at(pose_a, moved) : at(moved, pose_b);
            }
            six[i] = (value[1] - value[0]) / (2 * step);
        }
        return six;
    }
};

double length_of(const Six& v) {
    double square = 0;
    for (const double x : v) square += x * x;
    return std::sqrt(square);
}

double difference(const Six& u, const Six& v) {
    Six w;
    for (std::size_t i = 0; i < 6; ++i) w[i] = u[i] - v[i];
    return length_of(w) / length_of(v);
}

Six six_of(const Vec3& position, const Vec3& rotation, double size) {
    return {position.x, position.y, position.z, rotation.x / size, rotation.y / size, rotation.z / size};
}

}  // namespace

void GradientTally::add(const GradientTally& other) {
    pairs += other.pairs, smooth += other.smooth, wrong += other.wrong;
    worst = std::max(worst, other.worst);
    examples.insert(examples.end(), other.examples.begin(), other.examples.end());
}

GradientTally judge_gradients(const scenes::Scene& scene, const Gradients& gradients) {
    GradientTally tally;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const oracle::Solid &a = scene.solid_a(i), &b = scene.solid_b(i);
        const Vec3 n = gradients.position_b[i];
        const Question question = {a, b, oracle::pose_of(scene.body_a(i)), oracle::pose_of(scene.body_b(i)), Vec3d(n)};
        const double smaller = oracle::smaller_size(a, b);
        bool is_smooth = true;
        double error = 0;
        for (const bool of_b : {false, true}) {
            const oracle::Solid& solid = of_b ? b : a;
            const double size = solid.size > 0 ? solid.size : smaller;  // a half-space has none
            const Six exact = question.differences(of_b, size, kStep * smaller);
            is_smooth =
                is_smooth && difference(question.differences(of_b, size, 0.5 * kStep * smaller), exact) < kSmooth;
            if (!is_smooth) break;
            const Six given = of_b ? six_of(n, gradients.rotation_b[i], size)
                                   : six_of(gradients.position_a[i], gradients.rotation_a[i], size);
            error = std::max(error, difference(given, exact));
        }
        ++tally.pairs;
        if (!is_smooth) continue;
        ++tally.smooth;
        tally.worst = std::max(tally.worst, error);
        if (error < kAllowed) continue;
        ++tally.wrong;
        if (tally.examples.size() < kExamples)
            tally.examples.push_back(std::to_string(error) + " " + scene.query_line(i));
    }
    return tally;
}

std::vector<std::string> gradient_rows() {
    const char* const kinds[] = {"sphere", "capsule", "box", "hull", "cylinder", "cone", "ellipsoid", "halfspace"};
    std::vector<std::string> rows;
    for (std::size_t a = 0; a < std::size(kinds); ++a)
        for (std::size_t b = a; b < std::size(kinds); ++b)
            if (std::string(kinds[a]) != "halfspace") rows.push_back(std::string(kinds[a]) + "-" + kinds[b]);
    return rows;
}

}  // namespace abut::robots
