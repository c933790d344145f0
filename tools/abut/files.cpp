// POSIX calls rather than streams, because they say why they failed (a directory, no permission, a full disk).
#include "files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
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

std::pair<std::uint64_t, std::uint64_t> identity_of(int descriptor) {
    struct stat info = {};
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return {};
    return {info.st_dev, info.st_ino};
}

// False with errno set where it could not all be written.
bool write_all(int descriptor, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(descriptor, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        data += written;
        size -= std::size_t(written);
    }
    return true;
}

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

std::pair<std::uint64_t, std::uint64_t> LineReader::identity() const { return identity_of(descriptor_); }

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
        if (got < 0) throw InputError(fmt::format("{}: cannot be read past line {}: {}", name_, line_number_, reason()));
        end_ += std::size_t(got);
        return got > 0;
    }
}

bool LineReader::next(std::string& line) {
    std::size_t searched = begin_;
    for (;;) {
        const char* const found = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
        std::size_t length = found ? std::size_t(found - (buffer_.data() + begin_)) : end_ - begin_;
        if (!found) {
            if (fill()) {
                searched = length;  // filling moved the line to the buffer's front
                continue;
            }
            if (length == 0) return false;
        }
        const char* const text = buffer_.data() + begin_;
        begin_ += length + (found ? 1 : 0);
        if (length > 0 && text[length - 1] == '\r') --length;
        line.assign(text, length);
        ++line_number_;
        return true;
    }
}

TextWriter::TextWriter(std::string path, std::pair<std::uint64_t, std::uint64_t> not_this) : name_(std::move(path)) {
    if (name_ == "-") {
        name_ = "standard output";
        descriptor_ = STDOUT_FILENO;
        return;
    }
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw InputError(fmt::format("{}: cannot be opened for writing: {}", name_, reason()));
    const auto identity = identity_of(descriptor_);
    if (identity == not_this && identity != decltype(identity){}) {
        throw InputError(fmt::format("{}: is the input as well; the output would overwrite it", name_));
    }
    if (identity != decltype(identity){} && ftruncate(descriptor_, 0) != 0) {
        throw InputError(fmt::format("{}: cannot be emptied: {}", name_, reason()));
    }
}

TextWriter::~TextWriter() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void TextWriter::flush() {
    if (!write_all(descriptor_, buffer_.data(), buffer_.size())) {
        throw OutputError(fmt::format("{}: cannot be written: {}", name_, reason()));
    }
    buffer_.clear();
}

void TextWriter::flush_if_large() {
    if (buffer_.size() >= kBlock) flush();
}

void TextWriter::finish() {
    flush();
    if (descriptor_ == STDOUT_FILENO) return;
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) throw OutputError(fmt::format("{}: cannot be written: {}", name_, reason()));
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
    struct stat info = {};
    const bool plain = ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);  // else a device or a pipe: no renaming onto it
    const std::string target = plain ? path + ".part" : path;
    const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) throw InputError(fmt::format("{}: cannot be opened for writing: {}", target, reason()));
    bool written = write_all(descriptor, reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string why = written ? "" : reason();
    if (::close(descriptor) != 0 && written) {
        written = false;
        why = reason();
    }
    if (written && plain && std::rename(target.c_str(), path.c_str()) != 0) {
        written = false;
        why = reason();
    }
    if (written) return;
    if (plain) ::unlink(target.c_str());
    throw OutputError(fmt::format("{}: cannot be written: {}", path, why));
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
    if (size == 0) return;  // an empty file cannot be mapped
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) throw InputError(fmt::format("{}: cannot be mapped: {}", path, reason()));
    bytes_ = {static_cast<const std::byte*>(address), std::size_t(size)};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace abut::tools
