// A new file beside the old one and a rename is the rule: a reader that has mapped the old file keeps it, and a full
// disk harms nothing. A file with several hard links, or whose owner cannot be kept, is overwritten instead, after its
// space has been reserved.
#include "output_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace abut::tools {
namespace {

constexpr int kMaxLinks = 40;  // as Linux itself follows
constexpr int kMaxNames = 1000;

std::string reason() { return std::strerror(errno); }

NamedFile named(std::string name, const struct stat& info) {
    if (!S_ISREG(info.st_mode)) return {std::move(name), 0, 0};
    return {std::move(name), std::uint64_t(info.st_dev), std::uint64_t(info.st_ino)};
}

// The number of the open descriptor that such a path stands for; -1 for every other path. Opening /dev/stdout afresh
// would lose the position of a file that the shell has opened, and fails for sockets.
int descriptor_named(const std::string& path) {
    if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        int number = -1;
        const char* const last = path.data() + path.size();
        const auto [end, error] = std::from_chars(path.data() + folder.size(), last, number);
        if (error == std::errc() && end == last) return number;
    }
    return -1;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.find_last_of('/') + 1); }

// The file that a path stands for, which need not exist yet.
std::string follow_links(std::string path) {
    for (int links = 0; links < kMaxLinks; ++links) {
        std::error_code error;
        const std::string next = std::filesystem::read_symlink(path, error).string();
        if (error) return path;
        path = next.starts_with('/') ? next : folder_of(path) + next;
    }
    return path;
}

// False with errno set where it could not all be written.
bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(std::size_t(written));
    }
    return true;
}

// Both from their beginnings. False with errno set where it fails.
bool copy_all(int from, int to, off_t size) {
    char block[1 << 16];
    for (off_t at = 0; at < size;) {
        const ssize_t got = ::pread(from, block, sizeof block, at);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0 || !write_all(to, {block, std::size_t(got)})) return false;
        at += got;
    }
    return true;
}

}  // namespace

NamedFile named_file(const std::string& path) {
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? named(path, info) : NamedFile{path, 0, 0};
}

NamedFile named_file(int descriptor, const std::string& name) {
    struct stat info = {};
    return ::fstat(descriptor, &info) == 0 ? named(name, info) : NamedFile{name, 0, 0};
}

OutputFile::OutputFile(const std::string& path, std::span<const NamedFile> inputs)
    : name_(path == "-" ? "standard output" : path) {
    const int open_already = descriptor_named(path);
    const NamedFile output = open_already >= 0 ? named_file(open_already, name_) : named_file(path);
    for (const NamedFile& input : inputs) {
        if (output.is_same(input))
            throw InputError(name_ + ": is the same file as the input " + input.name +
                             ", which the output would overwrite");
    }
    if (open_already >= 0)
        open_direct(::fcntl(open_already, F_DUPFD_CLOEXEC, 0));
    else if (output.inode != 0)
        open_existing(path);
    else
        open_other(path);
}

// A new file, or one that is no regular file.
void OutputFile::open_other(const std::string& path) {
    struct stat info = {};
    if (::stat(path.c_str(), &info) == 0) return open_direct(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (errno != ENOENT) throw InputError(name_ + ": cannot be opened for writing: " + reason());
    target_ = follow_links(path);
    way_ = Way::create;
    if (target_.empty() || target_.ends_with('/'))
        throw InputError("\"" + name_ + "\": cannot be opened for writing: is no name of a file");
    if (!open_beside()) throw InputError(name_ + ": cannot be opened for writing: " + reason());
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open_direct(int descriptor) {
    if (descriptor < 0) throw InputError(name_ + ": cannot be opened for writing: " + reason());
    descriptor_ = descriptor;
}

void OutputFile::open_existing(const std::string& path) {
    const int probe = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // may it be written to?
    struct stat info = {};
    if (probe < 0 || ::fstat(probe, &info) != 0) {
        const std::string why = reason();
        if (probe >= 0) ::close(probe);
        throw InputError(name_ + ": cannot be opened for writing: " + why);
    }
    ::close(probe);
    old_ = named(name_, info);
    mode_ = info.st_mode & 07777;
    owner_ = info.st_uid;
    group_ = info.st_gid;
    target_ = follow_links(path);
    way_ = Way::replace;
    if (info.st_nlink == 1 && named_file(target_).is_same(old_) && open_beside()) return;
    way_ = Way::in_place;
    target_ = path;
    open_elsewhere();
}

// A file with a name of its own in the target's folder. False with errno set where there can be none that is as the old
// file was.
bool OutputFile::open_beside() {
    const std::string stem = folder_of(target_) + ".abut-" + std::to_string(::getpid()) + "-";
    for (int number = 0; number < kMaxNames && descriptor_ < 0; ++number) {
        std::string path = stem + std::to_string(number);
        descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0)
            temporary_ = std::move(path);
        else if (errno != EEXIST)
            return false;
    }
    if (way_ == Way::create || descriptor_ < 0) return descriptor_ >= 0;
    struct stat info = {};
    const bool is_owner_kept = ::fstat(descriptor_, &info) == 0 && ((info.st_uid == owner_ && info.st_gid == group_) ||
                                                                    ::fchown(descriptor_, owner_, group_) == 0);
    if (is_owner_kept && ::fchmod(descriptor_, mode_) == 0) return true;
    ::close(std::exchange(descriptor_, -1));
    ::unlink(temporary_.c_str());
    temporary_.clear();
    return false;
}

void OutputFile::open_elsewhere() {
    std::error_code ignored;
    std::string path = (std::filesystem::temp_directory_path(ignored) / "abut-XXXXXX").string();
    descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(path + ": cannot be made: " + reason());
    ::unlink(path.c_str());
}

void OutputFile::write(std::string_view bytes) {
    if (!write_all(descriptor_, bytes)) fail(reason());
}

void OutputFile::commit() {
    if (way_ == Way::in_place) return copy_into_place();
    close_written();
    if (way_ == Way::direct) return;
    if (way_ == Way::replace) {
        const NamedFile now = named_file(target_);
        if (now.inode != 0 && !now.is_same(old_))
            fail("another program replaced it in the meantime; its file is left alone");
    } else if (::link(temporary_.c_str(), target_.c_str()) == 0) {
        return;  // the destructor takes the first name away
    } else if (errno == EEXIST) {
        fail("another program made it in the meantime; its file is left alone");
    }  // else a file system without links
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(reason());
    temporary_.clear();
}

void OutputFile::copy_into_place() {
    const int to = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (to < 0) fail(reason());
    struct stat written = {}, old = {};
    bool is_done = ::fstat(descriptor_, &written) == 0 && ::fstat(to, &old) == 0;
    if (is_done && written.st_size > old.st_size) {
        // Space first, so that nothing of the old content is lost where there is too little.
        errno = ::posix_fallocate(to, old.st_size, written.st_size - old.st_size);
        is_done = errno == 0;
        if (!is_done) {
            const int why = errno;
            (void)!::ftruncate(to, old.st_size);
            errno = why;
        }
    }
    is_done = is_done && copy_all(descriptor_, to, written.st_size) && ::ftruncate(to, written.st_size) == 0;
    const std::string why = reason();
    const bool is_closed = ::close(to) == 0;
    if (!is_done || !is_closed) fail(is_done ? reason() : why);
    close_written();
}

void OutputFile::close_written() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(reason());
}

void OutputFile::fail(const std::string& what) const { throw OutputError(name_ + ": cannot be written: " + what); }

}  // namespace abut::tools
