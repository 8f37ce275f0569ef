// Whatever the bytes of a file are, reading it either fails cleanly or gives the values that were
// written. Some tests repair the checksums behind the damage: they show that each check that comes
// after stands on its own feet, and that zstd is given nothing that could harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "format/layout.h"
#include "format/table.h"
#include "tests/format/samples.h"

namespace mtb {
namespace {

using samples::Bytes;
using samples::made_up;
using samples::made_up_source;
using samples::small;
using samples::spec;
using samples::TemporaryFolder;
using testing::AnyOf;
using testing::HasSubstr;

// Offsets of FORMAT.md.
constexpr std::size_t kHeaderBytesAt = 12;
constexpr std::size_t kGeneratorAt = 224;
constexpr std::size_t kGeneratorEnd = 248;
constexpr std::size_t kHeaderChecksumAt = 248;
constexpr std::size_t kIndexChecksumAt = 120;
constexpr std::size_t kModelBytesAt = 256;
constexpr std::size_t kModelChecksumAt = 264;
constexpr std::size_t kRuleTextAt = 272;
constexpr std::size_t kEntry = 12;

std::span<const std::byte> part(const Bytes& bytes, std::size_t first, std::size_t size) {
  return std::as_bytes(std::span(bytes).subspan(first, size));
}

std::uint64_t number(const Bytes& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

void put(Bytes& bytes, std::size_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

void flip(Bytes& bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
}

struct Sample {
  const char* name;
  TableSpec table;
  friend void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }
};

class Damage : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    const TableSpec& table = GetParam().table;
    ASSERT_TRUE(write_table(table, made_up_source(table.largest_code), path_, cache_));
    whole_ = samples::read_bytes(path_);
    header_bytes_ = number(whole_, kHeaderBytesAt, 4);
    blocks_ = number(whole_, 56, 8);
    model_bytes_ = number(whole_, kModelBytesAt, 4);
    ASSERT_GE(blocks_, 4u);
  }

  std::size_t model_at() const { return header_bytes_; }
  std::size_t entry_at(std::uint64_t block) const {
    return header_bytes_ + model_bytes_ + kEntry * block;
  }
  /// Bytes of the payload of a block of the whole file, and where it begins.
  std::size_t payload_bytes(std::uint64_t block) const {
    const std::uint64_t size = number(whole_, entry_at(block), 4);
    return size >> 31 != 0 ? 0 : size;
  }
  std::size_t payload_at(std::uint64_t block) const {
    std::size_t at = entry_at(blocks_);
    for (std::uint64_t before = 0; before < block; ++before) at += payload_bytes(before);
    return at;
  }

  void reseal_header(Bytes& bytes) const {
    put(bytes, kHeaderChecksumAt, 0);
    put(bytes, kHeaderChecksumAt, layout::hash(part(bytes, 0, header_bytes_)));
  }
  void reseal_index(Bytes& bytes) const {
    put(bytes, kIndexChecksumAt, layout::hash(part(bytes, entry_at(0), kEntry * blocks_)));
    reseal_header(bytes);
  }
  void reseal_block(Bytes& bytes, std::uint64_t block) const {
    const std::size_t at = entry_at(block);
    const std::uint64_t id = layout::hash(part(bytes, 24, 40), number(bytes, kModelChecksumAt, 8));
    put(bytes, at + 4,
        layout::hash(part(bytes, payload_at(block), payload_bytes(block)),
                     layout::hash(part(bytes, at, 4), id + block)));
    reseal_index(bytes);
  }

  /// Reads all that can be read of the damaged file; fails the test at a wrong value. Whether any
  /// damage was noticed.
  bool notices(const Bytes& bytes) {
    samples::write_bytes(path_, bytes);
    const auto file = TableFile::open(path_, cache_);
    if (!file) {
      EXPECT_THAT(file.error().fault, AnyOf(Fault::damaged, Fault::foreign));
      EXPECT_THAT(file.error().message, HasSubstr(path_.string()));
      EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
      return true;
    }
    bool noticed = false;
    std::vector<Code> codes(kBlockSlots);
    for (std::uint64_t block = 0; block < file->header().blocks; ++block) {
      const auto here = std::span(codes).first(file->block_slots(block));
      const auto done = file->read_codes(block, here);
      EXPECT_EQ(file->read_block(block).has_value(), done.has_value());
      if (!done) {
        EXPECT_EQ(done.error().fault, Fault::damaged);
        EXPECT_THAT(done.error().message, HasSubstr("block " + std::to_string(block)));
        noticed = true;
        continue;
      }
      for (std::size_t i = 0; i < here.size(); ++i) {
        const Slot slot = block * block_slots(file->header().coding) + i;
        const Code code = made_up(slot, GetParam().table.largest_code);
        if (here[i] != code) {
          ADD_FAILURE() << "a wrong value in block " << block;
          break;
        }
      }
    }
    const auto verified = file->verify();
    if (noticed) {
      EXPECT_FALSE(verified.has_value());
    }
    if (!verified) {
      EXPECT_EQ(verified.error().fault, Fault::damaged);
    }
    return noticed || !verified;
  }

  const ClassCache cache_{};
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "table";
  Bytes whole_;
  std::size_t header_bytes_ = 0;
  std::size_t model_bytes_ = 0;
  std::uint64_t blocks_ = 0;
};

TEST_P(Damage, IsNotSeenInASoundFile) { EXPECT_FALSE(notices(whole_)); }

TEST_P(Damage, OfAnyBitOfHeaderModelAndIndexIsRefused) {
  for (std::size_t bit = 0; bit < 8 * entry_at(blocks_); ++bit) {
    Bytes bytes = whole_;
    flip(bytes, bit);
    samples::write_bytes(path_, bytes);
    ASSERT_FALSE(TableFile::open(path_, cache_).has_value()) << "bit " << bit;
  }
}

TEST_P(Damage, OfAnyHeaderFieldIsNoticedBehindTheChecksum) {
  for (std::size_t bit = 0; bit < 8 * header_bytes_; ++bit) {
    Bytes bytes = whole_;
    flip(bytes, bit);
    reseal_header(bytes);
    // The name of the writing program says nothing about the values.
    const bool matters = bit / 8 < kGeneratorAt || bit / 8 >= kGeneratorEnd;
    if (bit / 8 >= kHeaderChecksumAt && bit / 8 < kHeaderChecksumAt + 8) continue;
    const bool noticed = notices(bytes);
    ASSERT_TRUE(noticed || !matters) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
}

TEST_P(Damage, OfAnyIndexFieldIsNoticedBehindTheChecksum) {
  for (std::size_t bit = 8 * entry_at(0); bit < 8 * entry_at(blocks_); ++bit) {
    Bytes bytes = whole_;
    flip(bytes, bit);
    reseal_index(bytes);
    ASSERT_TRUE(notices(bytes)) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
}

TEST_P(Damage, OfAnyBitsOfBlocksIsNoticed) {
  std::mt19937 random(5);
  const std::size_t first = 8 * entry_at(blocks_);
  for (int i = 0; i < 400; ++i) {
    Bytes bytes = whole_;
    for (std::size_t flips = 1 + random() % 3; flips > 0; --flips) {
      flip(bytes, first + random() % (8 * bytes.size() - first));
    }
    if (bytes == whole_) continue;
    ASSERT_TRUE(notices(bytes));
  }
}

TEST_P(Damage, OfCompressedDataIsHarmlessBehindTheChecksums) {
  std::mt19937 random(6);
  for (int i = 0; i < 1500; ++i) {
    Bytes bytes = whole_;
    const std::uint64_t block = random() % blocks_;
    const std::size_t first = payload_at(block);
    const std::size_t size = payload_bytes(block);
    if (size == 0) continue;
    // Mostly the beginning, where the frame says what it is.
    const std::size_t reach = random() % 2 == 0 ? std::min<std::size_t>(size, 16) : size;
    for (std::size_t flips = 1 + random() % 4; flips > 0; --flips) {
      bytes[first + random() % reach] = static_cast<char>(random());
    }
    if (bytes == whole_) continue;
    reseal_block(bytes, block);
    samples::write_bytes(path_, bytes);
    const auto file = TableFile::open(path_, cache_);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const auto verified = file->verify();
    if (verified) {
      ASSERT_FALSE(notices(bytes)) << "verified, so nothing that matters was changed";
    } else {
      ASSERT_EQ(verified.error().fault, Fault::damaged);
    }
  }
}

TEST_P(Damage, ByTruncationIsRefused) {
  for (std::size_t size = 0; size < whole_.size(); size += 1 + size / 200) {
    Bytes bytes = whole_;
    bytes.resize(size);
    ASSERT_TRUE(notices(bytes)) << size;
    bytes.resize(whole_.size());  // the end filled with zeros, as after a crash
    if (bytes != whole_) {
      ASSERT_TRUE(notices(bytes)) << size;
    }
  }
}

TEST_P(Damage, ByAdditionIsRefused) {
  for (const std::size_t more : {1u, 8u, 4096u}) {
    Bytes bytes = whole_;
    bytes.resize(bytes.size() + more);
    EXPECT_TRUE(notices(bytes));
    put(bytes, 16, bytes.size());
    reseal_header(bytes);
    EXPECT_TRUE(notices(bytes)) << "with a header that says so";
  }
}

TEST_P(Damage, BySwappingBlocksIsNoticed) {
  // Two blocks exchange their places, entries and all.
  for (std::uint64_t a = 0; a + 1 < blocks_; ++a) {
    const std::uint64_t b = a + 1;
    Bytes bytes = whole_;
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(payload_at(a));
    std::rotate(first, first + static_cast<std::ptrdiff_t>(payload_bytes(a)),
                first + static_cast<std::ptrdiff_t>(payload_bytes(a) + payload_bytes(b)));
    const auto entry = bytes.begin() + static_cast<std::ptrdiff_t>(entry_at(a));
    std::rotate(entry, entry + kEntry, entry + 2 * kEntry);
    reseal_index(bytes);
    EXPECT_TRUE(notices(bytes)) << a;
  }
}

class DamageOfModelledTables : public Damage {};

TEST_P(DamageOfModelledTables, OfTheModelIsHarmlessBehindTheChecksums) {
  const auto as_bytes = [](const Bytes& bytes) { return std::as_bytes(std::span(bytes)); };
  Bytes content(ZSTD_getFrameContentSize(whole_.data() + model_at(), model_bytes_));
  ASSERT_EQ(
      ZSTD_decompress(content.data(), content.size(), whole_.data() + model_at(), model_bytes_),
      content.size());
  std::mt19937 random(8);
  int changed_values = 0;
  for (int i = 0; i < 300; ++i) {
    Bytes other = content;
    // Mostly the beginning, where there are numbers of what follows.
    const std::size_t reach = random() % 2 == 0 ? 64 : other.size();
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      other[random() % std::min(reach, other.size())] = static_cast<char>(random());
    }
    if (i % 10 == 0) other.resize(random() % other.size());
    Bytes model(ZSTD_compressBound(other.size()));
    model.resize(ZSTD_compress(model.data(), model.size(), other.data(), other.size(), 3));
    if (i % 10 == 1) model[random() % model.size()] ^= 1;

    Bytes bytes(whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(header_bytes_));
    bytes.insert(bytes.end(), model.begin(), model.end());
    Bytes entries(whole_.begin() + static_cast<std::ptrdiff_t>(entry_at(0)),
                  whole_.begin() + static_cast<std::ptrdiff_t>(entry_at(blocks_)));
    put(bytes, kModelChecksumAt, layout::hash(as_bytes(model)));
    const std::uint64_t id = layout::hash(part(bytes, 24, 40), number(bytes, kModelChecksumAt, 8));
    for (std::uint64_t block = 0; block < blocks_; ++block) {
      put(entries, kEntry * block + 4,
          layout::hash(part(whole_, payload_at(block), payload_bytes(block)),
                       layout::hash(part(entries, kEntry * block, 4), id + block)));
    }
    bytes.insert(bytes.end(), entries.begin(), entries.end());
    bytes.insert(bytes.end(), whole_.begin() + static_cast<std::ptrdiff_t>(entry_at(blocks_)),
                 whole_.end());
    for (std::size_t k = 0; k < 4; ++k) {
      bytes[kModelBytesAt + k] = static_cast<char>(model.size() >> (8 * k));
    }
    put(bytes, 16, bytes.size());
    put(bytes, kIndexChecksumAt, layout::hash(as_bytes(entries)));
    reseal_header(bytes);
    samples::write_bytes(path_, bytes);
    const auto file = TableFile::open(path_, cache_);
    ASSERT_TRUE(file) << file.error().message;
    const auto verified = file->verify();
    if (verified) {
      ASSERT_FALSE(notices(bytes)) << "verified, so nothing that matters was changed";
    } else {
      ASSERT_EQ(verified.error().fault, Fault::damaged);
      ++changed_values;
    }
  }
  EXPECT_GT(changed_values, 50);
}

TEST_P(Damage, IsToldFromAnotherVersion) {
  for (const auto& [version, remedy] :
       {std::pair(1, "use an older version"), {3, "use a newer version"}}) {
    Bytes bytes = whole_;
    bytes[8] = static_cast<Bytes::value_type>(version);
    samples::write_bytes(path_, bytes);
    const auto file = TableFile::open(path_, cache_);
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().fault, Fault::foreign);
    EXPECT_THAT(file.error().message, HasSubstr("format version " + std::to_string(version)));
    EXPECT_THAT(file.error().message, HasSubstr(remedy));
  }
}

TEST_P(Damage, IsToldFromUnknownRules) {
  Bytes bytes = whole_;
  const std::string known = "diagonals";
  const auto at = std::search(bytes.begin(), bytes.end(), known.begin(), known.end());
  ASSERT_NE(at, bytes.end());
  *at = 'D';
  put(bytes, 24, layout::hash(part(bytes, kRuleTextAt, number(bytes, 32, 4))));
  reseal_header(bytes);
  samples::write_bytes(path_, bytes);
  const auto file = TableFile::open(path_, cache_);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().fault, Fault::foreign);
  EXPECT_THAT(file.error().message, HasSubstr("rules that this version does not know"));
}

TEST_P(Damage, LeavesTheSectorToTheHeaderWhateverTheName) {
  std::filesystem::rename(path_, folder_ / "12v12.wdl");
  const auto file = TableFile::open(folder_ / "12v12.wdl", cache_);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->header().sector, GetParam().table.sector);
}

const Sample kPacked[] = {{"outcomes", spec({3, 3}, Metric::wdl, 2)},
                          {"clock", samples::clock_spec({3, 3})},
                          {"bytes", spec({3, 3}, Metric::dtw, 120)},
                          {"words", spec({3, 3}, Metric::dtw, 1000)}};
const Sample kModelled[] = {{"modelled outcomes", small(spec({3, 2}, Metric::wdl, 2))},
                            {"modelled distances", small(spec({3, 2}, Metric::dtw, 120))}};

INSTANTIATE_TEST_SUITE_P(Format, Damage, testing::ValuesIn(kPacked));
INSTANTIATE_TEST_SUITE_P(FormatModelled, Damage, testing::ValuesIn(kModelled));
INSTANTIATE_TEST_SUITE_P(FormatModelled, DamageOfModelledTables, testing::ValuesIn(kModelled));

}  // namespace
}  // namespace mtb
