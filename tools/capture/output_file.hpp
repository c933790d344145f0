// OutputFile: a file that changes only once all of its new content has been written. It never replaces an input or a
// file that another program made in the meantime, and an existing file keeps its mode, its owner and every link to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace abut::tools {

// What the user gave cannot be used: exit code 2.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What was asked for could not be written: exit code 1.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file that a command reads. Two paths name the same regular file where device and inode are equal; inode 0 is any
// other kind of file.
struct NamedFile {
    std::string name;
    std::uint64_t device = 0, inode = 0;

    bool is_same(const NamedFile& other) const { return inode != 0 && inode == other.inode && device == other.device; }
};

NamedFile named_file(const std::string& path);
NamedFile named_file(int descriptor, const std::string& name);

class OutputFile {
public:
    // "-" is standard output. Throws InputError where the path cannot be written to or names one of `inputs`.
    explicit OutputFile(const std::string& path, std::span<const NamedFile> inputs = {});
    // Without commit() the file stays as it was.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);
    void write(std::span<const std::byte> bytes) {
        write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    void commit();
    // Whether a reader sees each write at once: standard output, a pipe, a device.
    bool is_direct() const { return way_ == Way::direct; }
    const std::string& name() const { return name_; }

private:
    enum class Way {
        direct,    // written to as it is
        create,    // a new file: written beside its place, then linked to its name
        replace,   // written beside the old file, then renamed onto it
        in_place,  // written elsewhere, then copied into the old file, because a new file would lose a link or the owner
    };

    void open_direct(int descriptor);
    void open_existing(const std::string& path);
    void open_other(const std::string& path);
    bool open_beside();
    void open_elsewhere();
    void copy_into_place();
    void close_written();
    [[noreturn]] void fail(const std::string& what) const;

    std::string name_, target_, temporary_;  // target_: past all symbolic links
    Way way_ = Way::direct;
    int descriptor_ = -1;  // written to
    NamedFile old_;
    mode_t mode_ = 0;
    uid_t owner_ = 0;
    gid_t group_ = 0;
};

}  // namespace abut::tools
