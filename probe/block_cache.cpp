#include "probe/block_cache.h"

#include <functional>
#include <utility>

namespace mtb {

std::size_t BlockCache::KeyHash::operator()(const Key& key) const {
  constexpr std::size_t kSpread = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  return std::hash<const void*>()(key.table) ^ static_cast<std::size_t>(key.block) * kSpread;
}

BlockCache::Block BlockCache::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->block;
}

BlockCache::Block BlockCache::insert(const Key& key, Block block) {
  const std::lock_guard lock(mutex_);
  // Another thread may have read the same block in the meantime.
  if (const auto place = places_.find(key); place != places_.end()) return place->second->block;
  if (block->size() > budget_) return block;
  entries_.push_front({key, block});
  places_.emplace(key, entries_.begin());
  bytes_ += block->size();
  while (bytes_ > budget_) {
    const Entry& oldest = entries_.back();
    bytes_ -= oldest.block->size();
    places_.erase(oldest.key);
    entries_.pop_back();
  }
  return block;
}

Result<BlockCache::Block> BlockCache::get(const TableFile& table, std::uint64_t block) {
  const Key key{&table, block};
  if (Block found = find(key)) return found;
  // Read outside the lock, so that a slow disk holds up only those who want this block.
  Result<std::vector<std::byte>> payload = table.read_block(block);
  if (!payload) return tl::unexpected(std::move(payload.error()));
  return insert(key, std::make_shared<const std::vector<std::byte>>(std::move(*payload)));
}

}  // namespace mtb
