#include "format/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/table_writer.h"
#include "tests/format/samples.h"

namespace mtb {
namespace {

using samples::clock_spec;
using samples::made_up;
using samples::made_up_source;
using samples::small;
using samples::spec;
using samples::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Kind {
  const char* name;
  TableSpec table;
  Packing packing;
  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

class Tables : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    const TableSpec& table = GetParam().table;
    const auto written =
        write_table(table, made_up_source(table.largest_code), folder_ / "table", cache_);
    ASSERT_TRUE(written.has_value()) << written.error().message;
    written_ = *written;
    auto file = TableFile::open(folder_ / "table", cache_);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    file_.emplace(std::move(*file));
  }

  const ClassCache cache_{};
  const TemporaryFolder folder_;
  TableHeader written_;
  std::optional<TableFile> file_;
};

TEST_P(Tables, SayWhatTheyAre) {
  const TableSpec& table = GetParam().table;
  const TableHeader& header = file_->header();
  EXPECT_EQ(header.rules, table.rules);
  EXPECT_EQ(header.fingerprint, fingerprint(table.rules));
  EXPECT_EQ(header.sector, table.sector);
  EXPECT_EQ(header.metric, table.metric);
  EXPECT_EQ(header.key, table.key);
  EXPECT_EQ(header.packing, GetParam().packing);
  EXPECT_EQ(header.clock, table.clock);
  EXPECT_EQ(header.generator, "tests of format");
  EXPECT_EQ(header.file_bytes, std::filesystem::file_size(folder_ / "table"));
  EXPECT_EQ(header.slots, SectorIndex(table.sector, table.key, cache_).slots());
  EXPECT_EQ(header.counts, written_.counts);
  EXPECT_EQ(header.content_hash, written_.content_hash);
  EXPECT_EQ(header.canaries, written_.canaries);
  for (const Canary& canary : header.canaries) {
    EXPECT_EQ(canary.slot,
              file_->index().slot({PointSet(canary.mover), PointSet(canary.opponent)}));
    EXPECT_EQ(canary.code, made_up(canary.slot, table.largest_code));
  }
}

TEST_P(Tables, GiveEveryValueBack) {
  const Code largest = GetParam().table.largest_code;
  std::vector<Code> codes;
  for (std::uint64_t block = 0; block < file_->header().blocks; ++block) {
    codes.assign(file_->block_slots(block), 0xFFFF);
    ASSERT_TRUE(file_->read_codes(block, codes).has_value());
    const auto payload = file_->read_block(block);
    ASSERT_TRUE(payload.has_value());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const Slot slot = block * block_slots(file_->header().coding) + i;
      ASSERT_EQ(codes[i], made_up(slot, largest));
      ASSERT_EQ(file_->block_of(slot), block);
      ASSERT_EQ(file_->place_of(slot), i);
      ASSERT_EQ(unpack_one(file_->header().packing, *payload, i), codes[i]);
    }
  }
  EXPECT_TRUE(file_->verify().has_value());
}

TEST_P(Tables, GiveAnyRangeOfSlots) {
  const std::uint64_t slots = file_->header().slots;
  std::mt19937_64 random(11);
  std::vector<Code> codes;
  for (int i = 0; i < 20; ++i) {
    const Slot first = random() % slots;
    codes.assign(1 + random() % std::min<std::uint64_t>(slots - first, 150000), 0xFFFF);
    ASSERT_TRUE(file_->read_slots(first, codes));
    for (std::size_t k = 0; k < codes.size(); ++k) {
      ASSERT_EQ(codes[k], made_up(first + k, GetParam().table.largest_code)) << first + k;
    }
  }
}

TEST_P(Tables, CountEveryPlacementOfTheSector) {
  const TableSpec& table = GetParam().table;
  std::array<std::uint64_t, kOutcomeCount> counts{};
  std::uint32_t longest_win = 0;
  std::uint32_t longest_loss = 0;
  std::set<PointSet> images;
  for (Slot slot = 0; slot < file_->index().slots(); ++slot) {
    const auto placement = file_->index().placement(slot);
    const PointSet key = table.key == KeySide::mover ? placement.mover : placement.opponent;
    if (!images.contains(key)) {
      images.clear();
      for (int g = 0; g < Symmetry::kCount; ++g) images.insert(Symmetry(g)(key));
    }
    const Code code = made_up(slot, table.largest_code);
    const Outcome outcome =
        table.metric == Metric::wdl ? *wdl_code::outcome(code) : dtw_code::outcome(code);
    counts[static_cast<std::size_t>(outcome)] += images.size();
    if (outcome == Outcome::win) longest_win = std::max(longest_win, code - 1u);
    if (outcome == Outcome::loss) longest_loss = std::max(longest_loss, code - 1u);
  }
  EXPECT_EQ(file_->header().counts, counts);
  const bool distances = table.metric == Metric::dtw;
  EXPECT_EQ(file_->header().longest_win, distances ? longest_win : kDistanceNotStored);
  EXPECT_EQ(file_->header().longest_loss, distances ? longest_loss : kDistanceNotStored);
}

TEST_P(Tables, HaveTheSameBytesForAnyNumberOfThreads) {
  const TableSpec& table = GetParam().table;
  const int threads = omp_get_max_threads();
  for (const int count : {1, 2, 3}) {
    omp_set_num_threads(count);
    EXPECT_TRUE(write_table(table, made_up_source(table.largest_code), folder_ / "again", cache_));
    EXPECT_EQ(samples::read_bytes(folder_ / "again"), samples::read_bytes(folder_ / "table"));
  }
  omp_set_num_threads(threads);
}

TEST_P(Tables, HaveTheSameValuesWhateverTheCompression) {
  TableSpec table = GetParam().table;
  for (const Compression compression : {Compression::fast, Compression::small}) {
    table.compression = compression;
    const auto other =
        write_table(table, made_up_source(table.largest_code), folder_ / "other", cache_);
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->content_hash, written_.content_hash);
    EXPECT_EQ(other->counts, written_.counts);
    const auto file = TableFile::open(folder_ / "other", cache_);
    ASSERT_TRUE(file.has_value());
    EXPECT_TRUE(file->verify().has_value());
  }
}

TEST_P(Tables, LeaveNothingElseInTheFolder) {
  EXPECT_THAT(folder_.file_names(), ElementsAre("table"));
}

TableSpec keyed_by(KeySide key, TableSpec table) {
  table.key = key;
  return table;
}

INSTANTIATE_TEST_SUITE_P(
    Format, Tables,
    testing::Values(Kind{"outcomes", spec({4, 3}, Metric::wdl, 2), Packing::base3},
                    Kind{"outcomes of one block", spec({3, 2}, Metric::wdl, 2), Packing::base3},
                    Kind{"outcomes with a clock", clock_spec({3, 4}), Packing::base5},
                    Kind{"distances", spec({3, 4}, Metric::dtw, 255), Packing::byte},
                    Kind{"short distances", spec({3, 3}, Metric::dtw, 1), Packing::byte},
                    Kind{"long distances", spec({4, 3}, Metric::dtw, 256), Packing::word},
                    Kind{"longest distances", spec({3, 3}, Metric::dtw, 65535), Packing::word},
                    Kind{"keyed by the smaller side",
                         keyed_by(KeySide::mover, spec({2, 5}, Metric::dtw, 90)), Packing::byte},
                    Kind{"cows in hand", spec({3, 2, 4, 5}, Metric::wdl, 2), Packing::base3},
                    Kind{"one cow", spec({1, 0, 11, 12}, Metric::dtw, 255), Packing::byte},
                    Kind{"an empty board", spec({0, 0, 12, 12}, Metric::dtw, 50), Packing::byte}));

INSTANTIATE_TEST_SUITE_P(
    FormatModelled, Tables,
    testing::Values(
        Kind{"outcomes", small(spec({4, 3}, Metric::wdl, 2)), Packing::base3},
        Kind{"outcomes of few blocks", small(spec({3, 2}, Metric::wdl, 2)), Packing::base3},
        Kind{"outcomes with a clock", small(clock_spec({3, 4})), Packing::base5},
        Kind{"distances", small(spec({3, 4}, Metric::dtw, 255)), Packing::byte},
        Kind{"short distances", small(spec({3, 3}, Metric::dtw, 1)), Packing::byte},
        Kind{"long distances", small(spec({4, 3}, Metric::dtw, 256)), Packing::word},
        Kind{"longest distances", small(spec({3, 3}, Metric::dtw, 65535)), Packing::word},
        Kind{"keyed by the smaller side",
             small(keyed_by(KeySide::mover, spec({2, 5}, Metric::dtw, 90))), Packing::byte},
        Kind{"more cows than neighbours",
             small(keyed_by(KeySide::mover, spec({1, 7}, Metric::dtw, 90))), Packing::byte},
        Kind{"cows in hand", small(spec({3, 2, 4, 5}, Metric::wdl, 2)), Packing::base3},
        Kind{"one cow", small(spec({1, 0, 11, 12}, Metric::dtw, 255)), Packing::byte},
        Kind{"an empty board", small(spec({0, 0, 12, 12}, Metric::dtw, 50)), Packing::byte}));

/// Values that no game has, for a table with modelled blocks.
class ModelledTables : public testing::Test {
 protected:
  void gives_back(const TableSpec& table, const std::function<Code(Slot)>& value) {
    const auto source = [&](Slot first, std::span<Code> codes) {
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = value(first + i);
    };
    const auto written = write_table(table, source, folder_ / "table", cache_);
    ASSERT_TRUE(written) << written.error().message;
    ASSERT_EQ(written->coding, Coding::modelled);
    const auto file = TableFile::open(folder_ / "table", cache_);
    ASSERT_TRUE(file) << file.error().message;
    std::vector<Code> codes(written->slots);
    ASSERT_TRUE(file->read_slots(0, codes));
    for (Slot slot = 0; slot < codes.size(); ++slot) ASSERT_EQ(codes[slot], value(slot)) << slot;
  }

  const ClassCache cache_{};
  const TemporaryFolder folder_;
};

TEST_F(ModelledTables, GiveBackNoise) {
  for (const Code largest : {Code{2}, Code{50}, Code{255}, Code{65535}}) {
    gives_back(small(spec({3, 3}, largest == 2 ? Metric::wdl : Metric::dtw, largest)),
               [largest](Slot slot) {
                 return slot == 0 ? largest
                                  : static_cast<Code>(samples::scrambled(slot) % (largest + 1u));
               });
  }
}

TEST_F(ModelledTables, GiveBackTheOneValueThatDiffers) {
  for (const Slot odd : {0u, 4095u, 4096u, 70000u}) {
    gives_back(small(spec({3, 3}, Metric::wdl, 2)),
               [odd](Slot slot) { return Code{slot == odd ? Code{2} : Code{1}}; });
    gives_back(small(spec({3, 3}, Metric::dtw, 40000)),
               [odd](Slot slot) { return Code{slot == odd ? Code{40000} : Code{7}}; });
    gives_back(small(spec({3, 3}, Metric::dtw, 1)),
               [odd](Slot slot) { return Code{slot == odd ? Code{1} : Code{0}}; });
  }
}

TEST_F(ModelledTables, GiveBackMoreDistancesThanAClassOfOddsHas) {
  // Long runs first, so that the odds lean heavily, then every distance once.
  gives_back(small(spec({3, 3}, Metric::dtw, 1999)), [](Slot slot) {
    return slot % 60000 < 2000 ? static_cast<Code>(slot % 60000) : Code{8};
  });
}

TEST(Tables, StoreUniformBlocksWithoutPayload) {
  const ClassCache cache;
  const TemporaryFolder folder;
  const auto draws = write_table(
      spec({5, 3}, Metric::dtw, 0),
      [](Slot, std::span<Code> codes) { std::fill(codes.begin(), codes.end(), Code{0}); },
      folder / "draws", cache);
  ASSERT_TRUE(draws.has_value()) << draws.error().message;
  EXPECT_EQ(draws->counts[2], 42504u * 969u);  // C(24, 5) C(19, 3)
  EXPECT_LT(draws->file_bytes, 256 + 512 + 24 * draws->blocks);
  EXPECT_EQ(draws->longest_win, 0u);
  EXPECT_EQ(draws->longest_loss, 0u);
  const auto file = TableFile::open(folder / "draws", cache);
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(file->verify().has_value());
}

TEST(Tables, AreNamedBySectorAndMetric) {
  EXPECT_EQ(table_file_name({5, 4}, Metric::dtw), "5v4.dtw");
  EXPECT_EQ(table_file_name({5, 4, 3, 2}, Metric::wdl), "5v4+3v2.wdl");
}

TEST(Metrics, HaveNamesThatAreReadBack) {
  for (const Metric metric : {Metric::wdl, Metric::dtw, Metric::dtc}) {
    EXPECT_EQ(parse_metric(to_string(metric)), metric);
  }
  const auto unknown = parse_metric("dtz");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().fault, Fault::bad_input);
  EXPECT_THAT(unknown.error().message, HasSubstr("wdl, dtw, dtc"));
}

TEST(Packings, RefuseBytesThatStandForNoCodes) {
  std::array<Code, 7> codes{};
  const auto unpacks = [&](Packing packing, std::initializer_list<int> values) {
    std::vector<std::byte> payload;
    for (const int value : values) payload.push_back(static_cast<std::byte>(value));
    return unpack(packing, payload, codes);
  };
  EXPECT_TRUE(unpacks(Packing::base3, {2 + 3 * 1 + 81 * 2, 1 + 3 * 2}));
  EXPECT_THAT(codes, ElementsAre(2, 1, 0, 0, 2, 1, 2));
  EXPECT_FALSE(unpacks(Packing::base3, {243, 0})) << "beyond five places";
  EXPECT_FALSE(unpacks(Packing::base3, {0, 9})) << "a place beyond the last code";
  EXPECT_FALSE(unpacks(Packing::base3, {0})) << "too short";
  EXPECT_TRUE(unpacks(Packing::base5, {4 + 5 * 3 + 25 * 2, 124, 1}));
  EXPECT_THAT(codes, ElementsAre(4, 3, 2, 4, 4, 4, 1));
  EXPECT_FALSE(unpacks(Packing::base5, {0, 125, 0}));
  EXPECT_FALSE(unpacks(Packing::base5, {0, 0, 5}));
  EXPECT_FALSE(unpacks(Packing::byte, {0, 0, 0, 0, 0, 0}));
}

class Refusals : public testing::Test {
 protected:
  Error refusal(const TableSpec& table, Code largest, const std::filesystem::path& path) const {
    const auto written = write_table(table, made_up_source(largest), path, cache_);
    if (written) return {Fault::bad_input, "written"};
    return written.error();
  }

  const ClassCache cache_{};
  const TemporaryFolder folder_;
};

TEST_F(Refusals, OfSpecificationsThatContradictThemselves) {
  TableSpec too_many = spec({4, 3, 6, 6}, Metric::wdl, 2);
  too_many.rules.cows = 9;
  TableSpec no_clock = spec({3, 3}, Metric::wdl, 2);
  no_clock.clock = ClockUse::ignored;
  TableSpec clock = spec({3, 3}, Metric::wdl, 2);
  clock.rules.clock.plies = 20;
  TableSpec clocked_distances = clock_spec({3, 3});
  clocked_distances.metric = Metric::dtw;
  TableSpec no_outcome = spec({3, 3}, Metric::wdl, 5);
  TableSpec no_bound = samples::clock_distances({3, 3}, 90, 20);
  no_bound.clock_bound = 0;
  TableSpec bound_of_outcomes = clock_spec({3, 3});
  bound_of_outcomes.clock_bound = 20;
  TableSpec ignored_clock = samples::clock_distances({3, 3}, 90, 20);
  ignored_clock.clock = ClockUse::ignored;
  ignored_clock.clock_bound = 0;
  TableSpec long_name = spec({3, 3}, Metric::wdl, 2);
  long_name.generator = "a name of over 24 characters";
  for (const TableSpec& table : {too_many, no_clock, clock, clocked_distances, no_outcome, no_bound,
                                 bound_of_outcomes, ignored_clock, long_name}) {
    const Error error = refusal(table, 2, folder_ / "table");
    EXPECT_EQ(error.fault, Fault::bad_input);
    EXPECT_THAT(error.message, HasSubstr("cannot write"));
  }
  EXPECT_THAT(folder_.file_names(), IsEmpty());
}

TEST_F(Refusals, OfCodesThatContradictTheSpecification) {
  EXPECT_THAT(refusal(spec({3, 3}, Metric::wdl, 2), 3, folder_ / "table").message,
              HasSubstr("exceeds the largest"));
  EXPECT_THAT(refusal(spec({4, 3}, Metric::dtw, 300), 255, folder_ / "table").message,
              HasSubstr("does not occur"));
  EXPECT_THAT(refusal(spec({4, 3}, Metric::wdl, 4), 4, folder_ / "table").message,
              HasSubstr("clock that is not applied"));
  EXPECT_THAT(folder_.file_names(), IsEmpty());
}

TEST_F(Refusals, OfFoldersThatCannotBeWrittenNameTheFileAndTheRemedy) {
  const Error nowhere = refusal(spec({3, 3}, Metric::wdl, 2), 2, folder_ / "no" / "table");
  EXPECT_EQ(nowhere.fault, Fault::system);
  EXPECT_THAT(nowhere.message, HasSubstr((folder_ / "no").string()));
  EXPECT_THAT(nowhere.message, HasSubstr("check that the folder exists"));

  // To the superuser nothing is forbidden.
  const uid_t user = ::geteuid();
  constexpr uid_t kNobody = 65534;
  if (user == 0 && ::seteuid(kNobody) != 0) GTEST_SKIP() << "cannot give up privileges";
  if (user != 0) std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_exec);
  const Error forbidden = refusal(spec({3, 3}, Metric::wdl, 2), 2, folder_ / "table");
  ASSERT_EQ(::seteuid(user), 0);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(forbidden.fault, Fault::system);
  EXPECT_THAT(forbidden.message, HasSubstr("check the permissions"));
  EXPECT_THAT(folder_.file_names(), IsEmpty());
}

/// Files of this process may not grow beyond a size: to the writer, a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before_), 0);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(Refusals, OfFullDisksLeaveNoFileAndKeepTheOneThatWasThere) {
  const auto path = folder_ / "table";
  for (const bool replacing : {false, true}) {
    if (replacing) samples::write_bytes(path, {'o', 'l', 'd'});
    for (const rlim_t room : {0u, 100u, 1000u, 5000u, 20000u}) {
      Error error;
      {
        const FileSizeLimit limit(room);
        error = refusal(spec({4, 3}, Metric::dtw, 255), 255, path);
      }
      EXPECT_EQ(error.fault, Fault::system);
      EXPECT_THAT(error.message, HasSubstr("cannot write " + path.string()));
      EXPECT_EQ(folder_.file_names().size(), replacing ? 1u : 0u);
    }
  }
  EXPECT_EQ(samples::read_bytes(path), (samples::Bytes{'o', 'l', 'd'}));
}

TEST(AtomicFiles, ReplaceWhatAKilledProcessOfTheSameNumberLeft) {
  const TemporaryFolder folder;
  samples::write_bytes(folder / (".x." + std::to_string(::getpid()) + ".tmp"), {'?', '?', '?'});
  auto file = AtomicFile::create(folder / "x");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const std::array<std::byte, 1> byte{std::byte{'!'}};
  EXPECT_TRUE(file->write_at(0, byte).has_value());
  EXPECT_TRUE(file->commit().has_value());
  EXPECT_THAT(folder.file_names(), ElementsAre("x"));
  EXPECT_EQ(samples::read_bytes(folder / "x"), (samples::Bytes{'!'}));
}

TEST(AtomicFiles, TakeThePlaceOfNothingButFiles) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto file = AtomicFile::create(folder / "pipe");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("pipe"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(AtomicFiles, AreSeenOnlyWhenWhole) {
  const TemporaryFolder folder;
  {
    auto file = AtomicFile::create(folder / "x");
    ASSERT_TRUE(file.has_value());
    AtomicFile moved = std::move(*file);
    ASSERT_TRUE(moved.write_at(0, std::as_bytes(std::span("half"))).has_value());
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  }
  EXPECT_THAT(folder.file_names(), IsEmpty());
}

TEST(AtomicFiles, OfTwoProcessesWithOneNumberDoNotMix) {
  const TemporaryFolder folder;
  auto first = AtomicFile::create(folder / "x");
  auto second = AtomicFile::create(folder / "x");
  ASSERT_TRUE(first.has_value() && second.has_value());
  const std::string_view texts[] = {"the first", "and the other"};
  ASSERT_TRUE(first->write_at(0, std::as_bytes(std::span(texts[0]))).has_value());
  ASSERT_TRUE(second->write_at(0, std::as_bytes(std::span(texts[1]))).has_value());
  // The first either is there before the second, or is told that another process writes.
  if (const auto done = first->commit(); done) {
    EXPECT_EQ(samples::read_bytes(folder / "x"), samples::Bytes(texts[0].begin(), texts[0].end()));
  } else {
    EXPECT_THAT(done.error().message, HasSubstr("another process"));
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  }
  ASSERT_TRUE(second->commit().has_value());
  EXPECT_EQ(samples::read_bytes(folder / "x"), samples::Bytes(texts[1].begin(), texts[1].end()));
  EXPECT_THAT(folder.file_names(), ElementsAre("x"));
}

TEST(Opening, TellsMissingFilesFromOtherFailures) {
  const ClassCache cache;
  const TemporaryFolder folder;
  const auto missing = TableFile::open(folder / "5v4.dtw", cache);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().fault, Fault::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("5v4.dtw does not exist"));

  const auto directory = TableFile::open(folder.path(), cache);
  ASSERT_FALSE(directory.has_value());
  EXPECT_EQ(directory.error().fault, Fault::system);

  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto pipe = TableFile::open(folder / "pipe", cache);
  ASSERT_FALSE(pipe.has_value());
  EXPECT_THAT(pipe.error().message, HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace mtb
