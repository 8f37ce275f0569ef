// Prints what tables say about the same positions on every machine, and reads beyond 2 and 4 GiB of
// a file. scripts/check_portable.sh runs it on several processors and compares.
//   mtb_answers FOLDER...
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/file.h"
#include "format/index.h"
#include "format/table.h"
#include "game/notation.h"
#include "probe/tablebase.h"

namespace {

using namespace mtb;
namespace fs = std::filesystem;

/// The same numbers everywhere, which the standard promises of no distribution.
class Numbers {
 public:
  std::uint64_t below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_ = 1;
};

std::string text(const Result<Evaluation>& value) {
  if (!value) return "error: " + value.error().message;
  const auto number = [](const std::optional<std::uint32_t>& n) {
    return n ? std::to_string(*n) : std::string("-");
  };
  return std::to_string(static_cast<int>(value->outcome)) + " dtw " + number(value->dtw) + " dtc " +
         number(value->dtc);
}

bool say_answers(const fs::path& folder) {
  const ClassCache classes;
  const auto tables = Tablebase::open({&folder, 1});
  if (!tables) {
    std::printf("%s\n", tables.error().message.c_str());
    return false;
  }
  Numbers numbers;
  for (const Sector sector : tables->sectors(Metric::wdl)) {
    const SectorIndex index(sector, default_key(sector), classes);
    for (int i = 0; i < 12; ++i) {
      const auto [mover, opponent] = index.placement(numbers.below(index.slots()));
      Position position;
      position.cows = {mover, opponent};
      position.clock = static_cast<std::uint16_t>(numbers.below(20));
      position = transformed(position, Symmetry(static_cast<int>(numbers.below(16))));
      if (numbers.below(2) == 1) position = colours_swapped(position);
      std::printf("%s: %s\n", to_string(position).c_str(), text(tables->probe(position)).c_str());
      const auto turns = tables->rank(position);
      if (i >= 4 || !turns) continue;
      for (const RankedTurn& turn : *turns) {
        std::printf("  %s %s\n", to_string(turn.turn).c_str(), text(turn.value).c_str());
      }
    }
  }
  return true;
}

/// Every byte and value of the tables.
bool verify(const fs::path& folder) {
  const ClassCache classes;
  bool sound = true;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (metric_of_ending(entry.path())) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const auto table = TableFile::open(path, classes);
    const auto verified = table ? table->verify() : Result<void>(tl::unexpected(table.error()));
    std::printf("%s %s\n", path.filename().c_str(),
                verified ? "verified" : verified.error().message.c_str());
    sound = sound && verified;
  }
  return sound;
}

/// Marks before, across and behind 2 and 4 GiB of a file that is mostly a hole.
bool read_far_away() {
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  const std::string mark = "far away";
  const fs::path path = "sparse." + std::to_string(::getpid());
  const std::vector<std::uint64_t> offsets = {0, 2 * kGibibyte - 3, 4 * kGibibyte - 3,
                                              5 * kGibibyte};
  bool right = true;
  {
    auto file = AtomicFile::create(path);
    if (!file) return false;
    for (const std::uint64_t offset : offsets) {
      right = right && file->write_at(offset, std::as_bytes(std::span(mark))).has_value();
    }
    right = right && file->commit().has_value();
  }
  const auto file = ReadFile::open(path);
  right = right && file && file->size() == offsets.back() + mark.size();
  for (const std::uint64_t offset : offsets) {
    std::string found(mark.size(), '?');
    right =
        right && file->read_at(offset, std::as_writable_bytes(std::span(found))) && found == mark;
    std::printf("byte %llu: %s\n", static_cast<unsigned long long>(offset), found.c_str());
  }
  fs::remove(path);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  const bool gathers = preferred_gather() == GatherMethod::pext;
  std::fprintf(stderr, "%zu bits, %s\n", 8 * sizeof(void*), gathers ? "pext" : "portable");
  bool right = read_far_away();
  for (const std::string_view folder : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    right = say_answers(folder) && right;
    right = verify(folder) && right;
  }
  return right && std::fflush(stdout) == 0 ? 0 : 1;
}
