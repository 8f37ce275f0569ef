// Decompressed blocks of tables, kept so that probes near each other read and decode once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "format/table.h"
#include "game/result.h"

namespace mtb {

/// Keeps the blocks that were used last, up to a budget of bytes. Safe for concurrent use.
class BlockCache {
 public:
  /// The packed payload of a block; stays valid however the cache changes.
  using Block = std::shared_ptr<const std::vector<std::byte>>;

  /// A budget of 0 keeps nothing.
  explicit BlockCache(std::size_t budget_bytes) : budget_(budget_bytes) {}

  /// A block of a table, remembered or read. Tables are told apart by their address: each must
  /// stay where it is for as long as the cache is used. Errors as TableFile::read_block().
  Result<Block> get(const TableFile& table, std::uint64_t block);

 private:
  struct Key {
    const TableFile* table;
    std::uint64_t block;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    Block block;
  };

  Block find(const Key& key);
  Block insert(const Key& key, Block block);

  const std::size_t budget_;
  std::mutex mutex_;  // guards all below
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  ///< the last used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> places_;
};

}  // namespace mtb
