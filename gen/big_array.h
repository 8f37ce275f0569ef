// Arrays of many megabytes.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <filesystem>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "game/result.h"

namespace mtb {

/// Zeros in a file without a name in `folder`, which is gone when they are unmapped or the process
/// ends; its room on the disk is taken at once. The system may put them out to the disk whenever it
/// wants memory. `bytes` > 0. Error: system, no room on the disk for one.
Result<void*> map_unnamed_file(const std::filesystem::path& folder, std::size_t bytes);

/// Zeros, straight from the system. `bytes` > 0. Throws std::bad_alloc.
void* new_pages(std::size_t bytes);

/// Pages of arrays that are gone, kept for those to come: the system takes its time to find and
/// clear new ones. Not safe for concurrent use.
class PageReserve {
 public:
  PageReserve() { kept_.reserve(kMost); }
  PageReserve(const PageReserve&) = delete;
  PageReserve& operator=(const PageReserve&) = delete;
  ~PageReserve() { shrink(0); }

  /// Pages of `bytes` > 0 with anything in them, of those kept as far as they go. Throws
  /// std::bad_alloc.
  void* take(std::size_t bytes);
  void give(void* pages, std::size_t bytes) noexcept;
  /// Gives back to the system what is kept beyond `bytes`.
  void shrink(std::size_t bytes);

 private:
  struct Pages {
    void* at;
    std::size_t bytes;
  };
  /// The states of both sectors of a pair are two arrays.
  static constexpr std::size_t kMost = 2;
  std::vector<Pages> kept_;
};

/// A fixed number of zeros, straight from the system and straight back to it: what a plan says is
/// held is what is held, without what an allocator keeps for later.
template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BigArray() = default;
  /// Throws std::bad_alloc.
  explicit BigArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(new_pages(bytes()));
  }
  /// Anything in place of zeros, in pages of the reserve, which must outlive the array and gets
  /// them back. Throws std::bad_alloc.
  static BigArray from(PageReserve& reserve, std::size_t size) {
    BigArray array;
    if (size == 0) return array;
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    array.data_ = static_cast<T*>(reserve.take(size * sizeof(T)));
    array.size_ = size;
    array.reserve_ = &reserve;
    return array;
  }
  /// An array that lies on the disk, see map_unnamed_file().
  static Result<BigArray> in_file(const std::filesystem::path& folder, std::size_t size) {
    BigArray array;
    if (size == 0) return array;
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    const Result<void*> memory = map_unnamed_file(folder, size * sizeof(T));
    if (!memory) return tl::unexpected(memory.error());
    array.data_ = static_cast<T*>(*memory);
    array.size_ = size;
    return array;
  }
  BigArray(BigArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        reserve_(std::exchange(other.reserve_, nullptr)) {}
  BigArray& operator=(BigArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(reserve_, other.reserve_);
    return *this;
  }
  ~BigArray() {
    if (data_ == nullptr) return;
    if (reserve_ != nullptr) {
      reserve_->give(data_, bytes());
    } else {
      ::munmap(data_, bytes());  // fails only for arguments that are not ours
    }
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  PageReserve* reserve_ = nullptr;  ///< where the pages go; null: back to the system
};

}  // namespace mtb
