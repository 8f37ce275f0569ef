// The C interface (mtb.h) over Tablebase. Whatever is thrown below ends here as a status.
#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/table.h"
#include "game/notation.h"
#include "game/turns.h"
#include "probe/mtb.h"
#include "probe/rules_name.h"
#include "probe/tablebase.h"

namespace {

using mtb::Colour;
using mtb::Error;
using mtb::Evaluation;
using mtb::Fault;
using mtb::Outcome;
using mtb::Position;
using mtb::Result;
using mtb::Sector;
using mtb::Tablebase;
using mtb::Turn;

namespace fs = std::filesystem;

// ---- Statuses and messages

/// Copies a text into a field, cut between characters where it is too long. Allocates nothing.
template <std::size_t kSize>
void copy_text(char (&field)[kSize], std::string_view text) {
  std::size_t length = std::min(text.size(), kSize - 1);
  // Bytes 10xxxxxx go on with a character of UTF-8.
  while (length < text.size() && length > 0 && (text[length] & 0xC0) == 0x80) --length;
  std::memcpy(field, text.data(), length);
  field[length] = '\0';
}

mtb_status failed(mtb_message* message, mtb_status status, std::string_view text) {
  if (message != nullptr) copy_text(message->text, text);
  return status;
}

mtb_status failed(mtb_message* message, mtb_status status) {
  return failed(message, status, mtb_status_text(status));
}

/// `bad_input` is the status of the fault of that name: what the caller gave differs.
mtb_status status_of(Fault fault, mtb_status bad_input) {
  switch (fault) {
    case Fault::bad_input:
      return bad_input;
    case Fault::not_found:
      return MTB_NO_TABLE;
    case Fault::not_supported:
      return MTB_OUT_OF_SCOPE;
    case Fault::damaged:
      return MTB_CORRUPT;
    case Fault::foreign:
      return MTB_WRONG_RULES;
    case Fault::system:
      return MTB_IO_ERROR;
    case Fault::out_of_memory:
      return MTB_OUT_OF_MEMORY;
    case Fault::too_many_files:
      return MTB_TOO_MANY_FILES;
    case Fault::not_cached:
      return MTB_NOT_CACHED;
    case Fault::stopped:
      return MTB_ABORTED;
  }
  return MTB_INTERNAL;
}

mtb_status failed(mtb_message* message, const Error& error, mtb_status bad_input) {
  return failed(message, status_of(error.fault, bad_input), error.message);
}

/// Does the work of a function of the interface: what it throws becomes a status.
template <class Work>
mtb_status guarded(mtb_message* message, Work work) noexcept {
  if (message != nullptr) message->text[0] = '\0';
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed(message, MTB_OUT_OF_MEMORY);
  } catch (const std::exception& error) {
    return failed(message, MTB_INTERNAL, error.what());
  } catch (...) {
    return failed(message, MTB_INTERNAL);
  }
}

mtb_status null_argument(mtb_message* message) {
  return failed(message, MTB_BAD_ARGUMENT, "a pointer that is needed is null");
}

/// Writes what fits of some list. `write(i)` gives the i-th of its elements.
template <class Element, class Write>
mtb_status fill(Element* elements, std::size_t capacity, std::size_t* count, std::size_t size,
                Write write, mtb_message* message) {
  for (std::size_t i = 0; i < std::min(capacity, size); ++i) elements[i] = write(i);
  *count = size;
  return size > capacity ? failed(message, MTB_TOO_SMALL) : MTB_OK;
}

mtb_status write_text(char* field, std::size_t capacity, std::string_view text) {
  if (text.size() >= capacity) return MTB_TOO_SMALL;
  std::memcpy(field, text.data(), text.size());
  field[text.size()] = '\0';
  return MTB_OK;
}

// ---- Values and tables

constexpr mtb_value kUnknown = {MTB_UNKNOWN, -1, -1, MTB_CLOCK_NONE};

int to_c(Outcome outcome) { return MTB_WIN - static_cast<int>(outcome); }

int to_c(mtb::ClockUse clock) {
  switch (clock) {
    case mtb::ClockUse::none:
      return MTB_CLOCK_NONE;
    case mtb::ClockUse::ignored:
      return MTB_CLOCK_IGNORED;
    case mtb::ClockUse::applied:
      return MTB_CLOCK_APPLIED;
  }
  return MTB_CLOCK_NONE;
}

mtb_value to_c(const Evaluation& value) {
  const auto plies = [](const std::optional<std::uint32_t>& distance) {
    return distance ? static_cast<std::int32_t>(*distance) : -1;
  };
  return {to_c(value.outcome), plies(value.dtw), plies(value.dtc), to_c(value.clock)};
}

mtb_sector to_c(Sector sector) {
  return {sector.mover, sector.opponent, sector.mover_hand, sector.opponent_hand};
}

std::optional<mtb::Metric> metric_of(mtb_metric metric) {
  if (metric < 0 || metric >= static_cast<int>(mtb::kMetrics)) return std::nullopt;
  return mtb::kAllMetrics[static_cast<std::size_t>(metric)];
}

// ---- Positions and turns

bool is_point(int number) { return number >= 0 && number < MTB_POINTS; }

/// What no position can be, or a null pointer. Allocates nothing.
const char* convert(const mtb_position& from, Position& to) {
  if (((from.cows[0] | from.cows[1]) >> MTB_POINTS) != 0) {
    return "a set of cows has a bit above the 24 points";
  }
  if ((from.cows[0] & from.cows[1]) != 0) return "both colours have a cow on the same point";
  if (from.hand[0] > mtb::kMaxCows || from.hand[1] > mtb::kMaxCows) {
    return "more than twelve cows are in hand";
  }
  if (from.side > 1) return "the side to move is neither white (0) nor black (1)";
  if (from.owed > 3) return "more than three shots are owed";
  for (const Colour c : {Colour::white, Colour::black}) {
    const auto i = static_cast<std::size_t>(c);
    to.cows[c] = mtb::PointSet(from.cows[i]);
    to.hand[c] = from.hand[i];
    const int ban_from = from.ban_from[i];
    const int ban_to = from.ban_to[i];
    if (ban_from == -1 && ban_to == -1) {
      to.ban[c].reset();
    } else if (is_point(ban_from) && is_point(ban_to) && ban_from != ban_to) {
      to.ban[c] = mtb::Ban{mtb::point(ban_from), mtb::point(ban_to)};
    } else {
      return "a ban is neither two different points (0..23) nor -1 twice";
    }
  }
  to.side = static_cast<Colour>(from.side);
  to.owed = from.owed;
  to.clock = from.clock;
  return nullptr;
}

mtb_position to_c(const Position& position) {
  mtb_position to;
  mtb_position_init(&to);
  for (const Colour c : {Colour::white, Colour::black}) {
    const auto i = static_cast<std::size_t>(c);
    to.cows[i] = position.cows[c].bits();
    to.hand[i] = position.hand[c];
    if (const auto& ban = position.ban[c]) {
      to.ban_from[i] = static_cast<std::int8_t>(index(ban->from));
      to.ban_to[i] = static_cast<std::int8_t>(index(ban->to));
    }
  }
  to.side = static_cast<std::uint8_t>(position.side);
  to.owed = position.owed;
  to.clock = position.clock;
  return to;
}

std::int8_t to_c(mtb::Point point) { return static_cast<std::int8_t>(index(point)); }

mtb_turn to_c(const Turn& turn) {
  mtb_turn to = {static_cast<std::uint8_t>(turn.kind), -1, -1, {-1, -1, -1}, turn.declined, 0};
  const bool moves = turn.kind == Turn::Kind::move;
  if (moves) to.from = to_c(turn.from);
  if (moves || turn.kind == Turn::Kind::place) to.to = to_c(turn.to);
  for (std::size_t i = 0; i < turn.shot_count; ++i) to.shots[i] = to_c(turn.shots[i]);
  return to;
}

/// Nothing when it is no turn in any position.
std::optional<Turn> convert(const mtb_turn& from) {
  if (from.kind > MTB_SHOOT || from.declined > 1) return std::nullopt;
  Turn to;
  to.kind = static_cast<Turn::Kind>(from.kind);
  to.declined = from.declined != 0;
  const bool moves = to.kind == Turn::Kind::move;
  const bool goes = moves || to.kind == Turn::Kind::place;
  if (moves ? !is_point(from.from) : from.from != -1) return std::nullopt;
  if (goes ? !is_point(from.to) : from.to != -1) return std::nullopt;
  if (moves) to.from = mtb::point(from.from);
  if (goes) to.to = mtb::point(from.to);
  while (to.shot_count < 3 && is_point(from.shots[to.shot_count])) {
    to.shots[to.shot_count] = mtb::point(from.shots[to.shot_count]);
    ++to.shot_count;
  }
  for (std::size_t i = to.shot_count; i < 3; ++i) {
    if (from.shots[i] != -1) return std::nullopt;
  }
  return to;
}

// ---- Opening

/// The folders of a path list. Error: a quote that is not closed.
Result<std::vector<fs::path>> split_path_list(std::string_view list) {
  std::vector<fs::path> folders;
  if (list == "<empty>") return folders;
  std::string folder;
  const auto finish = [&] {
    if (!folder.empty()) folders.emplace_back(folder);
    folder.clear();
  };
  bool quoted = false;
  for (const char c : list) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ':' && !quoted) {
      finish();
    } else {
      folder += c;
    }
  }
  if (quoted) {
    return mtb::fail(Fault::bad_input, "a quote in the list of folders is not closed; add a \"");
  }
  finish();
  return folders;
}

/// A rule set by name or from its text.
Result<mtb::RuleSet> rules_from(std::string_view text) {
  if (text.find('=') != std::string_view::npos) return mtb::parse_rule_set(text, "rules");
  if (const auto rules = mtb::rule_set_named(text)) return *rules;
  return mtb::fail(Fault::bad_input,
                   "there is no rule set of this name; give one of the names of "
                   "`mtb rules`, or the text of a rule set");
}

/// The caller's options, with the defaults for what the structure of its version does not have.
/// Nothing when they make no sense.
std::optional<mtb_options> read_options(const mtb_options* given) {
  mtb_options options;
  mtb_options_init(&options, sizeof options);
  if (given == nullptr) return options;
  if (given->size < sizeof given->size) return std::nullopt;
  std::memcpy(&options, given, std::min(given->size, sizeof options));
  const bool known_access = options.access == MTB_READ || options.access == MTB_MAP;
  if (!known_access || options.open_files < 1) return std::nullopt;
  return options;
}

/// The files with the names of tables whose table an earlier folder has, folder by folder, by name.
std::vector<std::string> find_duplicates(const std::vector<fs::path>& folders,
                                         const std::vector<mtb::Refusal>& refused) {
  std::set<fs::path> unused;
  for (const mtb::Refusal& refusal : refused) unused.insert(refusal.path);
  std::set<std::string> known;
  std::vector<std::string> duplicates;
  for (const fs::path& folder : folders) {
    std::set<fs::path> paths;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string ending = it->path().extension().string();
      const bool is_table = !ending.empty() && mtb::parse_metric(ending.substr(1)).has_value();
      const bool is_hidden = it->path().filename().string().starts_with('.');
      if (is_table && !is_hidden && !unused.contains(it->path())) paths.insert(it->path());
    }
    for (const fs::path& path : paths) {
      if (!known.insert(path.filename().string()).second) duplicates.push_back(path.string());
    }
  }
  return duplicates;
}

/// Whether outcomes of a tablebase know the draw clock: what it says of a game that is over.
int clock_of(const Tablebase& base) {
  Position over;
  over.cows = {mtb::PointSet(0b111), mtb::PointSet(0b11000)};
  const Result<Evaluation> value = base.probe(over);
  return value ? to_c(value->clock) : MTB_CLOCK_NONE;
}

/// Tells the caller's function of broken tables, once each.
class Log {
 public:
  Log(mtb_log log, void* user) : log_(log), user_(user) {}

  void tell(mtb_status status, const std::string& text) {
    if (log_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (told_.size() >= kMostReports || !told_.insert(text).second) return;
    log_(user_, status, text.c_str());
  }

 private:
  static constexpr std::size_t kMostReports = 100;

  const mtb_log log_;
  void* const user_;
  std::mutex mutex_;  // guards all below, and that the function is not called twice at a time
  std::set<std::string> told_;
};

}  // namespace

/// An open tablebase with what the interface says about it.
struct mtb_tablebase {
  struct Refused {
    mtb_status status;
    std::string path;
    std::string reason;
  };

  std::optional<Tablebase> tables;    ///< nothing when the rules are unknown
  std::optional<mtb::RuleSet> rules;  ///< with tables or without
  mtb_report report = {};
  std::string rules_text;
  std::array<std::vector<Sector>, mtb::kMetrics> sectors;
  std::vector<Refused> refused;
  std::vector<std::string> duplicates;
  bool has_hands = false;  ///< some table has cows in hand
  mutable Log log;

  mtb_tablebase(const mtb_options& options) : log(options.log, options.log_user) {}

  void describe(const std::vector<fs::path>& folders);

  /// Says of an error what the caller is told, and logs that a table is broken.
  mtb_status failed(mtb_message* message, const Error& error, const Position& position) const;
};

void mtb_tablebase::describe(const std::vector<fs::path>& folders) {
  if (!tables) return;
  rules_text = canonical_text(*rules);
  report.fingerprint = fingerprint(*rules);
  copy_text(report.rules, mtb::rule_set_name(*rules).value_or(std::string_view()));
  report.clock_plies = rules->clock.plies;
  report.clock = clock_of(*tables);
  for (const mtb::Metric metric : mtb::kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    sectors[m] = tables->sectors(metric);
    report.tables[m] = static_cast<std::uint32_t>(sectors[m].size());
    has_hands = has_hands || std::ranges::any_of(sectors[m], &Sector::has_hands);
  }
  if (const auto largest = tables->largest_sector()) report.largest = to_c(*largest);
  for (const mtb::Refusal& refusal : tables->refused()) {
    refused.push_back({status_of(refusal.error.fault, MTB_INTERNAL), refusal.path.string(),
                       refusal.error.message});
    log.tell(refused.back().status, refused.back().reason);
  }
  report.refused = static_cast<std::uint32_t>(refused.size());
  duplicates = find_duplicates(folders, tables->refused());
  report.duplicates = static_cast<std::uint32_t>(duplicates.size());
}

mtb_status mtb_tablebase::failed(mtb_message* message, const Error& error,
                                 const Position& position) const {
  const mtb_status status = status_of(error.fault, MTB_ILLEGAL_POSITION);
  switch (status) {
    case MTB_NO_TABLE:
      if (position.sector().has_hands() && !has_hands) {
        return ::failed(message, MTB_OUT_OF_SCOPE,
                        "no table of this version covers cows in hand, which sector " +
                            to_string(position.sector()) + " has; play on until all are placed");
      }
      break;
    case MTB_WRONG_RULES:
    case MTB_CORRUPT:
    case MTB_IO_ERROR:
    case MTB_TOO_MANY_FILES:
      log.tell(status, error.message);
      break;
    default:
      break;
  }
  return ::failed(message, status, error.message);
}

namespace {

mtb_status no_rules(mtb_message* message) {
  return failed(message, MTB_NO_TABLE,
                "there are no tables and no rules were named; name rules in the options");
}

mtb_status open_folders(const Result<std::vector<fs::path>>& folders, const mtb_options& options,
                        mtb_tablebase** base, mtb_message* message) {
  if (!folders) return failed(message, folders.error(), MTB_BAD_ARGUMENT);
  auto handle = std::make_unique<mtb_tablebase>(options);
  if (options.rules != nullptr) {
    const Result<mtb::RuleSet> rules = rules_from(options.rules);
    if (!rules) return failed(message, rules.error(), MTB_BAD_ARGUMENT);
    handle->rules = *rules;
  }
  Result<Tablebase> tables = Tablebase::open(
      *folders, {.expected = handle->rules,
                 .cache_bytes = static_cast<std::size_t>(options.cache_bytes),
                 .files = {.access = options.access == MTB_MAP ? mtb::OpenFiles::Access::map
                                                               : mtb::OpenFiles::Access::read,
                           .limit = static_cast<std::size_t>(options.open_files)}});
  const bool wanted_without = options.without_tables != 0;
  if (!tables) {
    if (!wanted_without || folders->size() != 0)
      return failed(message, tables.error(), MTB_INTERNAL);
  } else {
    handle->rules = tables->rules();
    handle->tables.emplace(std::move(*tables));
    handle->describe(*folders);
    if (!handle->tables->largest_sector() && !wanted_without) {
      if (!handle->refused.empty()) {
        const mtb_tablebase::Refused& first = handle->refused.front();
        return failed(message, first.status, first.reason);
      }
      return failed(message, MTB_NO_TABLE,
                    "no folder has a table of " + describe_rules(*handle->rules) +
                        "; generate some or name another folder");
    }
  }
  *base = handle.release();
  return MTB_OK;
}

/// Does what every function about a position does first, and then `work(tables, position)`.
template <class Work>
mtb_status with_position(const mtb_tablebase* base, const mtb_position* given, mtb_message* message,
                         Work work) noexcept {
  return guarded(message, [&] {
    if (base == nullptr || given == nullptr) return null_argument(message);
    if (!base->tables) return no_rules(message);
    Position position;
    if (const char* wrong = convert(*given, position)) {
      return failed(message, MTB_ILLEGAL_POSITION, wrong);
    }
    return work(*base->tables, position);
  });
}

mtb_status write_position(const mtb_position* given, char* text, std::size_t capacity,
                          std::string (*write)(const Position&)) noexcept {
  if (text != nullptr && capacity != 0) text[0] = '\0';
  return guarded(nullptr, [&] {
    if (given == nullptr || text == nullptr) return null_argument(nullptr);
    Position position;
    if (convert(*given, position) != nullptr) return static_cast<mtb_status>(MTB_ILLEGAL_POSITION);
    return write_text(text, capacity, write(position));
  });
}

enum class Wanted { dtw, dtc, all };

mtb_status probe(const mtb_tablebase* base, const mtb_position* given, Wanted wanted,
                 mtb_value* value, mtb_message* message) noexcept {
  if (value == nullptr) return guarded(message, [&] { return null_argument(message); });
  *value = kUnknown;
  return with_position(
      base, given, message, [&](const Tablebase& tables, const Position& position) {
        const Result<Evaluation> found = tables.probe(position);
        if (!found) return base->failed(message, found.error(), position);
        mtb_value answer = to_c(*found);
        const std::int32_t distance = wanted == Wanted::dtw ? answer.dtw : answer.dtc;
        if (wanted != Wanted::all && answer.outcome != MTB_DRAW && distance == -1) {
          return failed(message, MTB_NO_TABLE,
                        "no table has the " + std::string(wanted == Wanted::dtw ? "dtw" : "dtc") +
                            " of sector " + to_string(position.sector()) + " (" +
                            describe_rules(*base->rules) + "), only its outcome is known");
        }
        if (wanted == Wanted::dtw) answer.dtc = -1;
        if (wanted == Wanted::dtc) answer.dtw = -1;
        *value = answer;
        return static_cast<mtb_status>(MTB_OK);
      });
}

}  // namespace

// ---- The interface; what each function does is said in mtb.h

const char* mtb_version(void) { return MTB_VERSION_TEXT; }

const char* mtb_status_text(mtb_status status) {
  switch (status) {
    case MTB_OK:
      return "All is well.";
    case MTB_NO_TABLE:
      return "A table, folder or file that is needed is not there.";
    case MTB_OUT_OF_SCOPE:
      return "No table of this version can answer this.";
    case MTB_ILLEGAL_POSITION:
      return "The position cannot be under the rules.";
    case MTB_ILLEGAL_TURN:
      return "The turn is not legal in the position.";
    case MTB_WRONG_RULES:
      return "The table belongs to other rules, another format version or another file name.";
    case MTB_NOT_CACHED:
      return "The answer is not in the cache.";
    case MTB_CORRUPT:
      return "A table is damaged.";
    case MTB_IO_ERROR:
      return "The operating system refused to read a table.";
    case MTB_TOO_MANY_FILES:
      return "Too many files are open.";
    case MTB_OUT_OF_MEMORY:
      return "There is not enough memory.";
    case MTB_ABORTED:
      return "The caller stopped the work.";
    case MTB_BAD_ARGUMENT:
      return "An argument is missing or out of range.";
    case MTB_TOO_SMALL:
      return "The array or buffer is too small for all of the answer.";
    case MTB_INTERNAL:
      return "The library is at fault.";
    default:
      return "There is no such status.";
  }
}

const char* mtb_outcome_text(int outcome) {
  if (outcome < MTB_LOSS || outcome > MTB_WIN) return "unknown";
  return mtb::to_string(static_cast<Outcome>(MTB_WIN - outcome)).data();
}

void mtb_options_init(mtb_options* options, size_t size) {
  if (options == nullptr || size < sizeof options->size) return;
  mtb_options defaults = {};
  defaults.size = size;
  defaults.cache_bytes = mtb::TablebaseOptions().cache_bytes;
  defaults.open_files = 128;
  defaults.access = MTB_READ;
  std::memset(options, 0, size);
  std::memcpy(options, &defaults, std::min(size, sizeof defaults));
}

mtb_status mtb_open(const char* path_list, const mtb_options* options, mtb_tablebase** base,
                    mtb_message* message) {
  if (base != nullptr) *base = nullptr;
  return guarded(message, [&] {
    const auto chosen = read_options(options);
    if (base == nullptr || !chosen) return failed(message, MTB_BAD_ARGUMENT);
    return open_folders(split_path_list(path_list == nullptr ? "" : path_list), *chosen, base,
                        message);
  });
}

mtb_status mtb_open_folders(const char* const* folders, size_t count, const mtb_options* options,
                            mtb_tablebase** base, mtb_message* message) {
  if (base != nullptr) *base = nullptr;
  return guarded(message, [&] {
    const auto chosen = read_options(options);
    if (base == nullptr || !chosen) return failed(message, MTB_BAD_ARGUMENT);
    if (folders == nullptr && count != 0) return null_argument(message);
    std::vector<fs::path> paths;
    for (std::size_t i = 0; i < count; ++i) {
      if (folders[i] == nullptr) return null_argument(message);
      paths.emplace_back(folders[i]);
    }
    return open_folders(paths, *chosen, base, message);
  });
}

void mtb_close(mtb_tablebase* base) { delete base; }

mtb_status mtb_get_report(const mtb_tablebase* base, mtb_report* report) {
  if (report != nullptr) *report = {};
  if (base == nullptr || report == nullptr) return MTB_BAD_ARGUMENT;
  *report = base->report;
  return MTB_OK;
}

const char* mtb_get_rules(const mtb_tablebase* base) {
  return base == nullptr ? nullptr : base->rules_text.c_str();
}

mtb_status mtb_get_sector(const mtb_tablebase* base, mtb_metric metric, size_t index,
                          mtb_sector* sector) {
  if (sector != nullptr) *sector = {};
  if (base == nullptr || sector == nullptr || !metric_of(metric)) return MTB_BAD_ARGUMENT;
  const std::vector<Sector>& sectors = base->sectors[static_cast<std::size_t>(metric)];
  if (index >= sectors.size()) return MTB_BAD_ARGUMENT;
  *sector = to_c(sectors[index]);
  return MTB_OK;
}

mtb_status mtb_get_refused(const mtb_tablebase* base, size_t index, mtb_refusal* refusal) {
  if (refusal != nullptr) *refusal = {};
  if (base == nullptr || refusal == nullptr || index >= base->refused.size()) {
    return MTB_BAD_ARGUMENT;
  }
  const mtb_tablebase::Refused& refused = base->refused[index];
  *refusal = {refused.status, refused.path.c_str(), refused.reason.c_str()};
  return MTB_OK;
}

const char* mtb_get_duplicate(const mtb_tablebase* base, size_t index) {
  if (base == nullptr || index >= base->duplicates.size()) return nullptr;
  return base->duplicates[index].c_str();
}

mtb_status mtb_identify(const char* path, mtb_file_info* info, mtb_message* message) {
  if (info != nullptr) *info = {};
  return guarded(message, [&] {
    if (path == nullptr || info == nullptr) return null_argument(message);
    const Result<mtb::TableFile> table = mtb::TableFile::open(path, mtb::ClassCache());
    if (!table) return failed(message, table.error(), MTB_INTERNAL);
    const mtb::TableHeader& header = table->header();
    const auto plies = [](std::uint32_t longest) {
      return longest == mtb::kDistanceNotStored ? -1 : static_cast<std::int32_t>(longest);
    };
    info->fingerprint = header.fingerprint;
    copy_text(info->rules, mtb::rule_set_name(header.rules).value_or(std::string_view()));
    info->table = {to_c(header.sector), static_cast<mtb_metric>(header.metric)};
    info->clock = to_c(header.clock);
    info->slots = header.slots;
    info->bytes = header.file_bytes;
    std::reverse_copy(header.counts.begin(), header.counts.end(), info->counts);
    info->longest_win = plies(header.longest_win);
    info->longest_loss = plies(header.longest_loss);
    copy_text(info->generator, header.generator);
    return static_cast<mtb_status>(MTB_OK);
  });
}

void mtb_position_init(mtb_position* position) {
  if (position == nullptr) return;
  *position = {};
  for (std::size_t i = 0; i < 2; ++i) position->ban_from[i] = position->ban_to[i] = -1;
}

mtb_status mtb_position_parse(const char* text, mtb_position* position, mtb_message* message) {
  mtb_position_init(position);
  return guarded(message, [&] {
    if (text == nullptr || position == nullptr) return null_argument(message);
    const Result<Position> parsed = mtb::parse_position(text);
    if (!parsed) return failed(message, parsed.error(), MTB_BAD_ARGUMENT);
    *position = to_c(*parsed);
    return static_cast<mtb_status>(MTB_OK);
  });
}

mtb_status mtb_position_format(const mtb_position* position, char* text, size_t capacity) {
  return write_position(position, text, capacity,
                        [](const Position& p) { return mtb::to_string(p); });
}

mtb_status mtb_position_fen(const mtb_position* position, char* text, size_t capacity) {
  return write_position(position, text, capacity, mtb::to_fen);
}

mtb_status mtb_turn_format(const mtb_turn* given, char* text, size_t capacity) {
  if (text != nullptr && capacity != 0) text[0] = '\0';
  return guarded(nullptr, [&] {
    if (given == nullptr || text == nullptr) return null_argument(nullptr);
    const std::optional<Turn> turn = convert(*given);
    if (!turn) return static_cast<mtb_status>(MTB_BAD_ARGUMENT);
    return write_text(text, capacity, mtb::to_string(*turn));
  });
}

mtb_status mtb_turns(const mtb_tablebase* base, const mtb_position* position, mtb_turn* turns,
                     size_t capacity, size_t* count, mtb_message* message) {
  if (count != nullptr) *count = 0;
  return with_position(base, position, message, [&](const Tablebase&, const Position& asked) {
    if (count == nullptr || (turns == nullptr && capacity != 0)) return null_argument(message);
    if (const auto valid = validate(asked, *base->rules); !valid) {
      return failed(message, valid.error(), MTB_ILLEGAL_POSITION);
    }
    const std::vector<Turn> legal = legal_turns(*base->rules, asked);
    return fill(
        turns, capacity, count, legal.size(), [&](std::size_t i) { return to_c(legal[i]); },
        message);
  });
}

mtb_status mtb_play(const mtb_tablebase* base, const mtb_position* position, const mtb_turn* turn,
                    mtb_position* after, mtb_message* message) {
  return with_position(base, position, message, [&](const Tablebase&, const Position& asked) {
    if (turn == nullptr || after == nullptr) return null_argument(message);
    if (const auto valid = validate(asked, *base->rules); !valid) {
      return failed(message, valid.error(), MTB_ILLEGAL_POSITION);
    }
    const std::optional<Turn> played = convert(*turn);
    Position unclocked = asked;
    unclocked.clock = 0;
    const std::vector<Turn> legal = legal_turns(*base->rules, unclocked);
    if (!played || std::ranges::find(legal, *played) == legal.end()) {
      return failed(message, MTB_ILLEGAL_TURN);
    }
    *after = to_c(play(*base->rules, asked, *played));
    return static_cast<mtb_status>(MTB_OK);
  });
}

mtb_status mtb_probe_wdl(const mtb_tablebase* base, const mtb_position* position, mtb_value* value,
                         mtb_message* message) {
  if (value == nullptr) return guarded(message, [&] { return null_argument(message); });
  *value = kUnknown;
  return with_position(base, position, message,
                       [&](const Tablebase& tables, const Position& asked) {
                         const Result<Outcome> outcome = tables.probe_outcome(asked);
                         if (!outcome) return base->failed(message, outcome.error(), asked);
                         *value = {to_c(*outcome), -1, -1, base->report.clock};
                         return static_cast<mtb_status>(MTB_OK);
                       });
}

mtb_status mtb_probe_dtw(const mtb_tablebase* base, const mtb_position* position, mtb_value* value,
                         mtb_message* message) {
  return probe(base, position, Wanted::dtw, value, message);
}

mtb_status mtb_probe_dtc(const mtb_tablebase* base, const mtb_position* position, mtb_value* value,
                         mtb_message* message) {
  return probe(base, position, Wanted::dtc, value, message);
}

mtb_status mtb_probe(const mtb_tablebase* base, const mtb_position* position, mtb_value* value,
                     mtb_message* message) {
  return probe(base, position, Wanted::all, value, message);
}

mtb_status mtb_probe_soft(const mtb_tablebase* base, const mtb_position* position, mtb_value* value,
                          mtb_message* message) {
  if (value == nullptr) return guarded(message, [&] { return null_argument(message); });
  *value = kUnknown;
  return with_position(base, position, message, [&](const Tablebase&, const Position& asked) {
    if (const auto valid = validate(asked, *base->rules); !valid) {
      return failed(message, valid.error(), MTB_ILLEGAL_POSITION);
    }
    return failed(message, MTB_NOT_CACHED);
  });
}

mtb_status mtb_prefetch(const mtb_tablebase* base, const mtb_position* position) {
  mtb_value ignored;
  const mtb_status status = mtb_probe_wdl(base, position, &ignored, nullptr);
  const bool is_told =
      status == MTB_ILLEGAL_POSITION || status == MTB_OUT_OF_MEMORY || status == MTB_BAD_ARGUMENT;
  return is_told ? status : static_cast<mtb_status>(MTB_OK);
}

mtb_status mtb_probe_batch(const mtb_tablebase* base, const mtb_position* positions, size_t count,
                           mtb_value* values, mtb_status* statuses, mtb_message* message) {
  if (message != nullptr) message->text[0] = '\0';
  if (base == nullptr || (count != 0 && (positions == nullptr || values == nullptr))) {
    return null_argument(message);
  }
  mtb_status first = MTB_OK;
  for (std::size_t i = 0; i < count; ++i) {
    mtb_message* const wanted = first == MTB_OK ? message : nullptr;
    const mtb_status status = mtb_probe(base, &positions[i], &values[i], wanted);
    if (statuses != nullptr) statuses[i] = status;
    if (first == MTB_OK) first = status;
  }
  return first;
}

mtb_status mtb_rank(const mtb_tablebase* base, const mtb_position* position, mtb_ranked_turn* turns,
                    size_t capacity, size_t* count, mtb_stop stop, void* user,
                    mtb_message* message) {
  if (count != nullptr) *count = 0;
  return with_position(
      base, position, message, [&](const Tablebase& tables, const Position& asked) {
        if (count == nullptr || (turns == nullptr && capacity != 0)) return null_argument(message);
        if (stop != nullptr && stop(user) != 0) return failed(message, MTB_ABORTED);
        const Result<std::vector<mtb::RankedTurn>> ranked = tables.rank(asked);
        if (!ranked) return base->failed(message, ranked.error(), asked);
        const auto write = [&](std::size_t i) {
          const mtb::RankedTurn& of = (*ranked)[i];
          if (of.value) return mtb_ranked_turn{to_c(of.turn), MTB_OK, to_c(*of.value)};
          const mtb_status status = base->failed(nullptr, of.value.error(), of.position);
          return mtb_ranked_turn{to_c(of.turn), status, kUnknown};
        };
        return fill(turns, capacity, count, ranked->size(), write, message);
      });
}
