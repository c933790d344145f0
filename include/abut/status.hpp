/// @file
/// How abut reports errors: one Status per pair for data inside a batch, an Error for a call that was refused or
/// failed.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <abut/compiler.hpp>

namespace abut {

/// One byte per pair. `ok` and `not_converged` come with an answer. With any other status the pair has no answer: no
/// hit, zeros in the columns of `distance`, no manifold. No status changes the answer of another pair.
enum class Status : std::uint8_t {
    ok,
    /// a search reached its cap (docs/numerics.md): the answer is the best bound found, or for `overlap` the likelier
    /// one
    not_converged,
    bad_index,  ///< a body index past the end, or a ShapeId that names no living shape
    /// position or quaternion not finite or past the range (math.hpp), or the quaternion over 1% off unit length
    bad_pose,
    unsupported,  ///< no kernel answers this pair of kinds: two half-spaces; for `collide`, `cast` two surfaces
    /// `collide`: its columns were full, or the pair exceeds Settings::max_child_pairs; the call returns the counts
    /// needed
    no_room,
};

/// The status's name in the formats' spelling, e.g. "bad_pose".
ABUT_API const char* to_string(Status status);

/// Why a call failed.
enum class ErrorCode : std::uint8_t {
    none,
    bad_shape,      ///< a shape's parameter is out of its domain
    bad_argument,   ///< a call's parameter is out of its domain
    bad_size,       ///< a column is shorter than the frame needs
    limit,          ///< a fixed capacity of the library would be exceeded
    unsupported,    ///< not on this machine, or not in this build
    out_of_memory,  ///< an allocation failed; the same call may succeed later
    executor,       ///< the executor threw, or did not run every task
};

/// A text stored in the object itself. It allocates nothing and has the same layout in every program. A text longer
/// than kMost characters is cut and ends with "...".
class ABUT_API Message {
public:
    static constexpr std::size_t kMost = 254;  ///< characters

    /// An empty text.
    Message() { text_[0] = '\0'; }
    template <class Text>
    requires std::convertible_to<const Text&, std::string_view> Message(const Text& text) : Message() { append(text); }

    /// Ended by 0, in UTF-8.
    const char* c_str() const { return text_; }
    /// Valid as long as the message.
    std::string_view view() const { return {text_, size_}; }
    /// As view().
    operator std::string_view() const { return view(); }
    /// A copy.
    operator std::string() const { return std::string(view()); }
    template <std::convertible_to<std::string_view> Text>
    friend bool operator==(const Message& a, const Text& b) {
        return a.view() == std::string_view(b);
    }
    /// The number of bytes.
    std::size_t size() const { return size_; }
    /// Whether there is no text.
    bool empty() const { return size_ == 0; }
    /// Whether `part` is in the text.
    bool contains(std::string_view part) const { return view().find(part) != std::string_view::npos; }
    /// Adds `part`, as far as there is room.
    void append(std::string_view part);

private:
    std::uint8_t size_ = 0;
    char text_[kMost + 1];
};

/// Why a call failed. The message names the argument and its value.
struct Error {
    ErrorCode code = ErrorCode::none;  ///< none: no error
    Message message;                   ///< names the argument and its value
};

/// A value or an error (std::expected needs C++23).
template <class T>
class [[nodiscard]] Expected {
public:
    /// A value.
    Expected(T value) : value_(std::move(value)) {}
    /// An error.
    Expected(const Error& error) : error_(error) {}

    /// Whether it has a value.
    explicit operator bool() const { return value_.has_value(); }
    /// Precondition: holds a value.
    const T& operator*() const { return *value_; }
    /// Precondition: holds a value.
    T& operator*() { return *value_; }
    /// Precondition: holds a value.
    const T* operator->() const { return &*value_; }
    /// Precondition: holds no value.
    const Error& error() const { return error_; }

private:
    std::optional<T> value_;
    Error error_;
};

/// The outcome of a call: true if it succeeded.
class [[nodiscard]] CallResult {
public:
    /// Success. Not defaulted: {} would then clear the whole message first, 30 cycles per check.
    CallResult() {}  // NOLINT(modernize-use-equals-default)
    /// The call failed.
    CallResult(const Error& error) : error_(error) {}

    /// Whether the call succeeded.
    explicit operator bool() const { return error_.code == ErrorCode::none; }
    /// Why it failed; ErrorCode::none if it succeeded.
    const Error& error() const { return error_; }

private:
    Error error_;
};

}  // namespace abut
