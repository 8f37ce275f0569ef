// Damage to the bytes of table files, as an engine meets it that opens a folder and probes. Each
// test counts what came of its damages; none may end the process or pass for a value.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/safety/exam.h"
#include "tests/safety/sweep.h"
#include "tests/safety/tables.h"

namespace mtb::safety {
namespace {

using tests::TemporaryFolder;

/// Damages tables of rules with a clock and bans, their blocks in one coding or the other.
class Damage : public testing::TestWithParam<Coding> {
 protected:
  std::string counted(const std::string& what) const {
    return what + ", " + (GetParam() == Coding::modelled ? "modelled" : "packed") + " blocks";
  }

  /// Positions and what undamaged tables say about them.
  Exam exam(const Files& files, std::span<const Position> positions,
            std::size_t with_turns = 0) const {
    const TemporaryFolder sound;
    write_all(sound.path(), files);
    const auto tables = open_tables(sound.path(), rules_);
    EXPECT_TRUE(tables);
    Exam result(*tables, positions, with_turns);
    EXPECT_TRUE(result.is_answered());
    return result;
  }

  /// One question for each block of a table, which reads that block of each of the sector's tables.
  std::vector<Exam> exam_of_blocks(const std::string& name) {
    const FileMap map(files_.at(name));
    std::vector<Exam> exams;
    for (std::uint64_t block = 0; block < map.blocks(); ++block) {
      const auto position =
          positions_.in_slots(sector_of(name), map.first_slot(block), map.block_slots(block));
      if (!position) {
        ADD_FAILURE() << "nothing to ask in block " << block << " of " << name;
        continue;
      }
      exams.push_back(exam(files_, {&*position, 1}));
    }
    return exams;
  }

  static Sector sector_of(const std::string& name) {
    return {static_cast<std::uint8_t>(name[0] - '0'), static_cast<std::uint8_t>(name[2] - '0')};
  }

  Reaction reaction(const Exam& exam, const std::string& name) const {
    return exam.ask(open_tables(folder_.path(), rules_), (folder_ / name).string());
  }

  /// Flips each bit of a part of a file that stands alone in its folder.
  void flip_each_bit(const std::string& name, std::size_t first, std::size_t end,
                     const std::string& what) {
    const Files alone = {{name, files_.at(name)}};
    for (const auto& [other, bytes] : files_) fs::remove(folder_ / other);
    write_all(folder_.path(), alone);
    const Bytes& whole = alone.at(name);
    // Without plies on the clock, any of the tables answers alone.
    const auto position = positions_.in_slots(sector_of(name), 0, 100'000);
    const Exam question = exam(alone, {&*position, 1});
    const Tally tally = sweep(8 * (end - first), [&](std::size_t bit) {
      const std::size_t at = first + bit / 8;
      const auto flipped = static_cast<char>(whole[at] ^ 1 << bit % 8);
      put_bytes(folder_ / name, at, {&flipped, 1});
      const Reaction result = reaction(question, name);
      put_bytes(folder_ / name, at, {&whole[at], 1});
      return result;
    });
    expect_refused(tally, counted(what + " of " + name));
  }

  const RuleSet rules_ = tests::rules_named("koti");
  Positions positions_{rules_};
  const Files files_ =
      GetParam() == Coding::modelled ? shipped("koti") : with_packed_blocks(shipped("koti"));
  const TemporaryFolder folder_;
};

TEST_P(Damage, ToAnyBitOfAHeaderIsRefused) {
  for (const char* name : {"3v3.wdl", "4v3.dtw", "3v4.dtc"}) {
    flip_each_bit(name, 0, FileMap(files_.at(name)).header_end(), "bits of the header");
  }
}

TEST_P(Damage, ToAnyBitOfAModelOrBlockIndexIsRefused) {
  for (const char* name : {"3v3.wdl", "3v3.dtc"}) {
    const FileMap map(files_.at(name));
    if (GetParam() == Coding::modelled) {
      flip_each_bit(name, map.header_end(), map.index_at(), "bits of the model");
    }
    flip_each_bit(name, map.index_at(), map.payload_at(0), "bits of the block index");
  }
}

/// One of the bits of all files, and where it is.
struct Flip {
  std::string name;
  std::size_t byte;
  int bit;
};

std::vector<Flip> random_flips(const Files& files, std::size_t count, std::uint32_t seed) {
  std::size_t all = 0;
  for (const auto& [name, bytes] : files) all += bytes.size();
  std::mt19937 random(seed);
  std::vector<Flip> flips;
  while (flips.size() < count) {
    std::size_t at = random() % all;
    for (const auto& [name, bytes] : files) {
      if (at < bytes.size()) {
        flips.push_back({name, at, static_cast<int>(random() % 8)});
        break;
      }
      at -= bytes.size();
    }
  }
  return flips;
}

TEST_P(Damage, ToARandomBitIsRefusedWhereItIsRead) {
  std::map<std::string, FileMap> maps;
  for (const auto& [name, bytes] : files_) maps.emplace(name, FileMap(bytes));
  std::map<Sector, std::vector<Exam>> questions;
  for (const Sector sector : small_sectors()) {
    questions[sector] = exam_of_blocks(table_file_name(sector, Metric::wdl));
  }
  write_all(folder_.path(), files_);
  const std::vector<Flip> flips = random_flips(files_, 5000, 1);
  const Tally tally = sweep(flips.size(), [&](std::size_t i) {
    const auto& [name, at, bit] = flips[i];
    const char whole = files_.at(name)[at];
    const auto flipped = static_cast<char>(whole ^ 1 << bit);
    put_bytes(folder_ / name, at, {&flipped, 1});
    const std::uint64_t block = maps.at(name).block_at(at).value_or(0);
    const Reaction result = reaction(questions.at(sector_of(name))[block], name);
    put_bytes(folder_ / name, at, {&whole, 1});
    return result;
  });
  expect_refused(tally, counted("random bits, the block asked for"));
}

TEST_P(Damage, ToARandomBitNeverPassesForAnAnswer) {
  const Exam sample = exam(files_, positions_.some_of_each(small_sectors(), 3), 2);
  write_all(folder_.path(), files_);
  const std::vector<Flip> flips = random_flips(files_, 300, 2);
  const Tally tally = sweep(flips.size(), [&](std::size_t i) {
    const auto& [name, at, bit] = flips[i];
    const char whole = files_.at(name)[at];
    const auto flipped = static_cast<char>(whole ^ 1 << bit);
    put_bytes(folder_ / name, at, {&flipped, 1});
    const Reaction result = reaction(sample, name);
    put_bytes(folder_ / name, at, {&whole, 1});
    return result;
  });
  expect_safe(tally, counted("random bits, any positions and all their turns asked for"));
}

TEST_P(Damage, ByTruncationOrAZeroedTailIsRefused) {
  struct Cut {
    std::string name;
    std::size_t at;
    bool zeroed;
  };
  std::vector<Cut> cuts;
  std::map<Sector, std::vector<Exam>> questions;
  for (const Sector sector : small_sectors()) {
    questions[sector] = exam_of_blocks(table_file_name(sector, Metric::wdl));
  }
  for (const auto& [name, bytes] : files_) {
    for (std::size_t at = 0; at < bytes.size(); at += 512) {
      cuts.push_back({name, at, false});
      if (bytes.find_first_not_of('\0', at) != Bytes::npos) cuts.push_back({name, at, true});
    }
  }
  write_all(folder_.path(), files_);
  const Tally tally = sweep(cuts.size(), [&](std::size_t i) {
    const auto& [name, at, zeroed] = cuts[i];
    const Bytes& whole = files_.at(name);
    Bytes cut = whole.substr(0, at);
    if (zeroed) cut.resize(whole.size());
    overwrite(folder_ / name, cut);
    const std::size_t lost = zeroed ? whole.find_first_not_of('\0', at) : at;
    const std::uint64_t block = FileMap(whole).block_at(lost).value_or(0);
    const Reaction result = reaction(questions.at(sector_of(name))[block], name);
    overwrite(folder_ / name, whole);
    return result;
  });
  expect_refused(tally, counted("truncation at every 512 bytes, with and without zeros behind"));
}

TEST_P(Damage, ByAnotherTableUnderTheNameIsRefused) {
  // Tables of other sectors and metrics, and those of other rules.
  std::vector<Bytes> others;
  for (const auto& [name, bytes] : files_) others.push_back(bytes);
  for (const char* rules : {"traditional", "malom"}) {
    for (const auto& [name, bytes] : shipped(rules)) others.push_back(bytes);
  }
  std::vector<std::pair<std::string, const Bytes*>> swaps;
  for (const auto& [name, bytes] : files_) {
    for (const Bytes& other : others) {
      if (other != bytes) swaps.emplace_back(name, &other);
    }
  }
  std::map<Sector, Exam> questions;
  for (const Sector sector : small_sectors()) {
    // Without plies on the clock, so that each of the tables is asked for.
    const std::vector<Position> positions = {*positions_.in_slots(sector, 0, 50'000),
                                             *positions_.in_slots(sector, 50'000, 50'000)};
    questions.emplace(sector, exam(files_, positions));
  }
  write_all(folder_.path(), files_);
  const Tally tally = sweep(swaps.size(), [&](std::size_t i) {
    const auto& [name, other] = swaps[i];
    overwrite(folder_ / name, *other);
    const Reaction result = reaction(questions.at(sector_of(name)), name);
    overwrite(folder_ / name, files_.at(name));
    return result;
  });
  expect_refused(tally, counted("other sectors, metrics and rules under the name"));
}

TEST_P(Damage, ByTheHeaderOfAnotherTableIsRefused) {
  // The header is made to fit what follows in all but rules, sector and metric.
  std::vector<std::pair<std::string, Bytes>> chimeras;
  std::vector<Files> sources = {files_};
  for (const char* rules : {"traditional", "gar"}) {
    sources.push_back(GetParam() == Coding::modelled ? shipped(rules)
                                                     : with_packed_blocks(shipped(rules)));
  }
  for (const auto& [name, head] : files_) {
    for (const Files& source : sources) {
      for (const auto& [other_name, tail] : source) {
        const FileMap other(tail);
        FileMap map(head);
        if (other.blocks() != map.blocks() || tail == head) continue;
        for (const auto& [at, size] : {std::pair{120, 8}, {256, 4}, {264, 8}}) {
          const auto place = static_cast<std::size_t>(at);
          const auto bytes = static_cast<std::size_t>(size);
          map.put(place, bytes, other.number(place, bytes));
        }
        map.put(16, 8, map.header_end() + tail.size() - other.header_end());
        map.reseal_header();
        chimeras.emplace_back(
            name, map.bytes().substr(0, map.header_end()) + tail.substr(other.header_end()));
      }
    }
  }
  std::map<Sector, Exam> questions;
  for (const Sector sector : small_sectors()) {
    const auto position = positions_.in_slots(sector, 0, 200'000);
    questions.emplace(sector, exam(files_, {&*position, 1}));
  }
  write_all(folder_.path(), files_);
  const Tally tally = sweep(chimeras.size(), [&](std::size_t i) {
    const auto& [name, bytes] = chimeras[i];
    overwrite(folder_ / name, bytes);
    const Reaction result = reaction(questions.at(sector_of(name)), name);
    overwrite(folder_ / name, files_.at(name));
    return result;
  });
  expect_refused(tally, counted("model, index and blocks of other tables behind the header"));
}

TEST_P(Damage, ToTheTablesThatKnowTheClockDoesNotMakeItForgotten) {
  // What is left knows of distances without the clock, and would call won what the clock draws.
  const std::string name = "3v3.wdl";
  const Files both = {{name, files_.at(name)}, {"3v3.dtw", files_.at("3v3.dtw")}};
  const TemporaryFolder sound;
  write_all(sound.path(), both);
  const auto tables = open_tables(sound.path(), rules_);
  ASSERT_TRUE(tables);
  std::vector<Position> asked;
  while (asked.size() < 20) {
    const Position position = *positions_.in_slots({3, 3}, 0, 200'000);
    const Outcome outcome = tables->probe_outcome(position).value();
    if (outcome != Outcome::draw) asked.push_back(position);
  }
  const Exam questions = exam(both, asked);
  const FileMap map(files_.at(name));
  write_all(folder_.path(), both);
  const std::vector<std::size_t> places = {0, 100, map.header_end() + 5, map.index_at() + 5,
                                           map.payload_at(0) + 5};
  const Tally tally = sweep(places.size(), [&](std::size_t i) {
    Bytes damaged = files_.at(name);
    // All that is behind, so that every block is damaged where one is.
    for (std::size_t at = places[i]; at < damaged.size(); at += 50) {
      damaged[at] = static_cast<char>(damaged[at] ^ 4);
    }
    overwrite(folder_ / name, damaged);
    return reaction(questions, name);
  });
  expect_refused(tally, counted("the one table with the clock among those without"));
}

/// Whether address space can be limited: sanitizers take most of it.
constexpr bool has_own_memory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#elif defined(__has_feature)
  return !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
  return true;
#endif
}

TEST_P(Damage, ByClaimsThatFitTheChecksumIsHarmlessOrRefused) {
  struct Field {
    std::size_t at;
    std::size_t size;
  };
  std::vector<Field> fields = {{12, 4}, {16, 8}, {32, 4}, {48, 8}, {56, 8}, {256, 4}, {260, 4}};
  for (std::size_t at = 36; at < 48; ++at) fields.push_back({at, 1});
  for (std::size_t at = 64; at < 104; at += 8) fields.push_back({at, 8});
  for (std::size_t at = 104; at < 112; at += 4) fields.push_back({at, 4});
  for (std::size_t at = 128; at < 224; at += 4) fields.push_back({at, 4});
  const std::vector<std::uint64_t> values = {
      0,     1,          2,          3,          12,         13,           0xFF,       8192,
      8200,  0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1ull << 32, 1ull << 33,   1ull << 40, 1ull << 63,
      ~0ull, ~0ull - 11, 0xFFFFFFF8, 0x1000000,  0x1000001,  5'000'000'000};
  const std::string name = "3v3.dtc";
  const Files alone = {{name, files_.at(name)}};
  const auto position = positions_.in_slots({3, 3}, 0, 100'000);
  const Exam question = exam(alone, {&*position, 1});
  write_all(folder_.path(), alone);
  const Tally tally = sweep(2 * fields.size() * values.size(), [&](std::size_t i) {
    if (has_own_memory()) {
      const rlimit most{rlim_t{1} << 30, rlim_t{1} << 30};
      demand(setrlimit(RLIMIT_AS, &most) == 0);
    }
    const Field field = fields[i / 2 / values.size()];
    FileMap map(alone.at(name));
    map.put(field.at, field.size, values[i / 2 % values.size()]);
    map.reseal_header();
    overwrite(folder_ / name, map.bytes());
    // A file with a hole at its end is as long as it claims to be, even beyond 4 GiB.
    const std::uint64_t claimed = map.number(16, 8);
    if (i % 2 == 1 && claimed <= 5'000'000'000) {
      demand(::truncate((folder_ / name).c_str(), static_cast<off_t>(claimed)) == 0);
    }
    return reaction(question, name);
  });
  expect_safe(tally, counted("claims of the header, its checksum made to fit"));
  EXPECT_GT(tally[Reaction::refused], tally.damages / 2);
}

INSTANTIATE_TEST_SUITE_P(Safety, Damage, testing::Values(Coding::modelled, Coding::packed),
                         [](const auto& coding) {
                           return coding.param == Coding::modelled ? "modelled" : "packed";
                         });

}  // namespace
}  // namespace mtb::safety
