#include "format/file_pool.h"

#include <utility>

namespace mtb {

class PooledFile final : public FileBytes {
 public:
  PooledFile(std::shared_ptr<FilePool> pool, std::filesystem::path path, std::uint64_t size)
      : pool_(std::move(pool)), path_(std::move(path)), size_(size) {}
  PooledFile(const PooledFile&) = delete;
  PooledFile& operator=(const PooledFile&) = delete;
  ~PooledFile() override { pool_->forget(*this); }

  const std::filesystem::path& path() const override { return path_; }
  std::uint64_t size() const override { return size_; }

  Result<void> read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    const auto file = pool_->get(*this);
    return file ? (*file)->read_at(offset, out) : tl::unexpected(file.error());
  }

  void announce(std::uint64_t offset, std::uint64_t bytes) const override {
    if (const auto file = pool_->get(*this)) (*file)->announce(offset, bytes);
  }

 private:
  std::shared_ptr<FilePool> pool_;
  std::filesystem::path path_;
  std::uint64_t size_;
};

Result<std::unique_ptr<FileBytes>> FilePool::open(const std::filesystem::path& path) {
  const Result<Open> file = open_now(path);
  if (!file) return tl::unexpected(file.error());
  auto pooled = std::make_unique<PooledFile>(shared_from_this(), path, (*file)->size());
  keep(*pooled, *file);
  return pooled;
}

/// The open file of a pooled one. It stays open while the caller has it, whatever the pool does.
Result<FilePool::Open> FilePool::get(const FileBytes& owner) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto place = places_.find(&owner); place != places_.end()) {
      entries_.splice(entries_.begin(), entries_, place->second);
      return place->second->file;
    }
  }
  // Outside the lock, so that a slow disk holds up only those who want this file.
  Result<Open> file = open_now(owner.path());
  if (file) keep(owner, *file);
  return file;
}

Result<FilePool::Open> FilePool::open_now(const std::filesystem::path& path) {
  const auto shared = [](Result<ReadFile> file) {
    return std::move(file).map([](ReadFile&& opened) -> Open {
      return std::make_shared<const ReadFile>(std::move(opened));
    });
  };
  Result<Open> file = shared(ReadFile::open(path));
  if (file || file.error().fault != Fault::too_many_files) return file;
  {
    const std::lock_guard lock(mutex_);
    if (entries_.empty()) return file;
    shrink_to(0);
  }
  return shared(ReadFile::open(path));
}

void FilePool::keep(const FileBytes& owner, const Open& file) {
  const std::lock_guard lock(mutex_);
  if (places_.contains(&owner)) return;  // another thread has opened it too
  shrink_to(limit_ - 1);
  entries_.push_front({&owner, file});
  places_.emplace(&owner, entries_.begin());
}

void FilePool::forget(const FileBytes& owner) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(&owner);
  if (place == places_.end()) return;
  entries_.erase(place->second);
  places_.erase(place);
}

void FilePool::shrink_to(std::size_t count) {
  while (entries_.size() > count) {
    places_.erase(entries_.back().owner);
    entries_.pop_back();
  }
}

}  // namespace mtb
