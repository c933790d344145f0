// POSIX calls rather than streams, because they say why they failed (a directory, no permission, a full disk).
#include "files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace abut::tools {
namespace {

constexpr std::size_t kBlock = std::size_t(1) << 18;

std::string reason() { return std::strerror(errno); }

}  // namespace

LineReader::LineReader(std::string path) : name_(std::move(path)) {
    if (name_ == "-") {
        name_ = "standard input";
        descriptor_ = STDIN_FILENO;
        return;
    }
    descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(fmt::format("{}: cannot be opened: {}", name_, reason()));
}

LineReader::~LineReader() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

bool LineReader::fill() {
    if (begin_ > 0) {
        std::copy(buffer_.begin() + std::ptrdiff_t(begin_), buffer_.begin() + std::ptrdiff_t(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
    }
    if (buffer_.size() < end_ + kBlock) buffer_.resize(std::max(2 * buffer_.size(), end_ + kBlock));
    for (;;) {
        const ssize_t got = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw InputError(fmt::format("{}: cannot be read past line {}: {}", name_, line_number_, reason()));
        end_ += std::size_t(got);
        return got > 0;
    }
}

bool LineReader::next(std::string& line) {
    std::size_t searched = begin_;
    for (;;) {
        const char* const found =
            static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
        const std::size_t length = found ? std::size_t(found - (buffer_.data() + begin_)) : end_ - begin_;
        if (!found) {
            if (fill()) {
                searched = length;  // filling moved the line to the buffer's front
                continue;
            }
            if (length == 0) return false;
        }
        std::string_view text(buffer_.data() + begin_, length);
        begin_ += length + (found ? 1 : 0);
        if (line_number_ == 0) text = without_byte_order_mark(text);
        if (text.empty() && !found) return false;  // the mark was all there was
        if (text.ends_with('\r')) text.remove_suffix(1);
        line.assign(text);
        ++line_number_;
        return true;
    }
}

void TextWriter::flush() {
    file_.write(buffer_);
    buffer_.clear();
}

void TextWriter::flush_if_large() {
    if (buffer_.size() >= kBlock) flush();
}

void TextWriter::finish() {
    flush();
    file_.commit();
}

std::string_view without_byte_order_mark(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    return text;
}

MappedFile::MappedFile(const std::string& path, std::uint64_t limit) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw InputError(fmt::format("{}: cannot be opened: {}", path, reason()));
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } closer{descriptor};

    struct stat info = {};
    if (fstat(descriptor, &info) != 0) throw InputError(fmt::format("{}: cannot be examined: {}", path, reason()));
    if (S_ISDIR(info.st_mode)) throw InputError(fmt::format("{}: is a directory", path));
    if (!S_ISREG(info.st_mode)) throw InputError(fmt::format("{}: is not a regular file, which mapping needs", path));
    const std::uint64_t size = std::uint64_t(info.st_size);
    if (size >= limit) throw InputError(fmt::format("{}: has {} bytes; captures hold less than {}", path, size, limit));
    file_ = named_file(descriptor, path);
    if (size == 0) return;  // an empty file cannot be mapped
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) throw InputError(fmt::format("{}: cannot be mapped: {}", path, reason()));
    bytes_ = {static_cast<const std::byte*>(address), std::size_t(size)};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace abut::tools
