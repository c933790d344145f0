// Files as the command line meets them: lines in, text out, a capture mapped. Every failure is an InputError or an
// OutputError that names the file and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "output_file.hpp"

namespace abut::tools {

// Lines of a file, or of standard input where the path is "-". The memory used is the longest line's. A UTF-8
// byte-order mark is skipped.
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
    NamedFile file() const { return named_file(descriptor_, name_); }

private:
    bool fill();

    std::string name_;
    int descriptor_ = -1;
    std::string buffer_;
    std::size_t begin_ = 0, end_ = 0;
    std::size_t line_number_ = 0;
};

// Text to a file, or to standard output where the path is "-". A file changes in finish(), see OutputFile.
class TextWriter {
public:
    explicit TextWriter(const std::string& path, std::span<const NamedFile> inputs = {}) : file_(path, inputs) {}

    std::string& buffer() { return buffer_; }  // append here, then
    void flush_if_large();                     // now and then
    void flush();
    void finish();  // once, at the end
    const OutputFile& file() const { return file_; }

private:
    OutputFile file_;
    std::string buffer_;
};

// What `text` is without a UTF-8 byte-order mark.
std::string_view without_byte_order_mark(std::string_view text);

// A file's bytes, mapped read-only. Files of `limit` bytes or more are refused before they are mapped.
class MappedFile {
public:
    MappedFile(const std::string& path, std::uint64_t limit);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})), file_(std::move(other.file_)) {}
    MappedFile& operator=(MappedFile&&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }
    const NamedFile& file() const { return file_; }

private:
    std::span<const std::byte> bytes_;
    NamedFile file_;
};

}  // namespace abut::tools
