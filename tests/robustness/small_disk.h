// A file system of a few megabytes, for as long as a test lasts.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/temporary_folder.h"

namespace mtb::tests {

/// Gives this process mounts of its own, as root or in a user namespace. Empty, or why not.
inline std::string own_mounts() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      return std::string("this process may not mount: ") + std::strerror(errno);
    }
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << user << ' ' << user << " 1";
    std::ofstream("/proc/self/gid_map") << group << ' ' << group << " 1";
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return std::string("mounts cannot be made private: ") + std::strerror(errno);
  }
  return {};
}

class SmallDisk {
 public:
  /// `files`: as many as there can be, the folder itself counted; 0 for any number.
  explicit SmallDisk(std::uintmax_t bytes, int files = 0) : reason_(own_mounts()) {
    if (!reason_.empty()) return;
    const std::string options = size(bytes) + ",nr_inodes=" + std::to_string(files);
    if (mount("none", path().c_str(), "tmpfs", 0, options.c_str()) != 0) {
      reason_ = std::string("no tmpfs can be mounted: ") + std::strerror(errno);
      return;
    }
    mounted_ = true;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (!mounted_) return;
    EXPECT_EQ(umount(path().c_str()), 0) << std::strerror(errno);
  }

  /// Why there is none; empty when there is one.
  const std::string& reason() const { return reason_; }
  const std::filesystem::path& path() const { return folder_.path(); }

  void resize(std::uintmax_t bytes) { remount(0, size(bytes)); }
  void make_read_only() { remount(MS_RDONLY, ""); }

 private:
  static std::string size(std::uintmax_t bytes) { return "size=" + std::to_string(bytes); }
  void remount(unsigned long flags, const std::string& options) {
    EXPECT_EQ(mount("none", path().c_str(), "tmpfs", MS_REMOUNT | flags, options.c_str()), 0)
        << std::strerror(errno);
  }

  const TemporaryFolder folder_;
  std::string reason_;
  bool mounted_ = false;
};

}  // namespace mtb::tests
