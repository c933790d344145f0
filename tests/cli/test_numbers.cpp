// Numbers read back exactly, however a reader reads them.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include <nlohmann/json.hpp>

#include "numbers.hpp"

using namespace abut::tools;

namespace {

std::string text_of(float value) {
    std::string text;
    append_number(text, value);
    return text;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// A reader of floats and a reader of doubles both arrive at the same float.
bool reads_back(float value) {
    const std::string text = text_of(value);
    return bits(std::strtof(text.c_str(), nullptr)) == bits(value) &&
           bits(float(std::strtod(text.c_str(), nullptr))) == bits(value);
}

}  // namespace

TEST_CASE("a printed float reads back to the same bits, also through a double") {
    std::mt19937 random(1);
    std::size_t tested = 0;
    abut::test::Count wrong;
    while (tested < 2000000) {
        const float value = std::bit_cast<float>(std::uint32_t(random()));
        if (!std::isfinite(value)) continue;
        ++tested;
        wrong += !reads_back(value);
    }
    CHECK(wrong == 0);
    for (const float value : {0.0f, 1.0f, -1.0f, 0.1f, 16777216.0f, 16777217.0f, std::numeric_limits<float>::max(),
                              std::numeric_limits<float>::min(), std::numeric_limits<float>::denorm_min()}) {
        CHECK(reads_back(value));
        CHECK(reads_back(-value));
    }
}

TEST_CASE("a JSON reader keeps the sign of zero") {
    CHECK(text_of(-0.0f) == "-0.0");
    CHECK(std::signbit(nlohmann::json::parse(text_of(-0.0f)).get<float>()));
    CHECK(text_of(0.0f) == "0");
}

TEST_CASE("what JSON has no number for is a string, never null") {
    std::string text = text_of(std::numeric_limits<float>::infinity());
    CHECK(text == "\"Infinity\"");
    text.clear();
    append_number(text, -std::numeric_limits<double>::infinity());
    CHECK(text == "\"-Infinity\"");
    CHECK(text_of(std::numeric_limits<float>::quiet_NaN()) == "\"NaN\"");
}

TEST_CASE("captures keep every float, NaN's bits included") {
    for (const std::uint32_t wanted : {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7fc00001u, 0xffc12345u, 0x7f800001u}) {
        std::string text = text_of(std::bit_cast<float>(wanted));
        REQUIRE(text.size() > 2);
        text = text.substr(1, text.size() - 2);
        float value = 0;
        REQUIRE(parse_non_finite(text, value));
        CHECK(bits(value) == wanted);
    }
    float value = 0;
    for (const char* text :
         {"", "nan", "Inf", "NaN:", "NaN:7f800000", "NaN:3f800000", "NaN:7fc0000g", "NaN:7fc000001"}) {
        CHECK_FALSE(parse_non_finite(text, value));
    }
}

TEST_CASE("doubles become the nearest float or an infinity") {
    constexpr double kMax = std::numeric_limits<float>::max();
    CHECK(to_float(kMax) == std::numeric_limits<float>::max());
    CHECK(to_float(0x1.fffffefp127) == std::numeric_limits<float>::max());
    CHECK(to_float(0x1.ffffffp127) == std::numeric_limits<float>::infinity());
    CHECK(to_float(-1e39) == -std::numeric_limits<float>::infinity());
    CHECK(to_float(1e-60) == 0.0f);
}
