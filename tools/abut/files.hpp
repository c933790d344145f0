// Files as the command line meets them: lines in, text out, a capture mapped. Every failure is an InputError or an OutputError that
// names the file and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace abut::tools {

// What the user gave cannot be used: exit code 2.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What was asked for could not be written: exit code 1.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Lines of a file, or of standard input where the path is "-". The memory used is the longest line's.
class LineReader {
public:
    explicit LineReader(std::string path);
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    // The next line without its ending ("\n" or "\r\n"); the last one may lack it. False at the end.
    bool next(std::string& line);
    std::size_t line_number() const { return line_number_; }  // of the line last read, from 1
    const std::string& name() const { return name_; }
    std::pair<std::uint64_t, std::uint64_t> identity() const;  // device and inode

private:
    bool fill();

    std::string name_;
    int descriptor_ = -1;
    std::string buffer_;
    std::size_t begin_ = 0, end_ = 0;
    std::size_t line_number_ = 0;
};

// Text to a file, or to standard output where the path is "-".
class TextWriter {
public:
    // `not_this` is an input's identity, which the output must not overwrite.
    explicit TextWriter(std::string path, std::pair<std::uint64_t, std::uint64_t> not_this = {});
    ~TextWriter();
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;

    std::string& buffer() { return buffer_; }  // append here, then
    void flush_if_large();                     // now and then
    void finish();                             // once, at the end

private:
    void flush();

    std::string name_;
    int descriptor_ = -1;
    std::string buffer_;
};

// Writes a whole file at once: beside it first, then by renaming, so that no half-written file is left under its name.
void write_file(const std::string& path, std::span<const std::byte> bytes);

// A file's bytes, mapped read-only. Files of `limit` bytes or more are refused before they are mapped.
class MappedFile {
public:
    MappedFile(const std::string& path, std::uint64_t limit);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::span<const std::byte> bytes_;
};

}  // namespace abut::tools
