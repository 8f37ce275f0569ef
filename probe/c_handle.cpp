// The part of the C interface (mtb.h) that opens tables and says what was found.
#include "probe/c_handle.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "game/notation.h"
#include "probe/rules_name.h"

using namespace mtb::c;
using mtb::Fault;
using mtb::Position;
using mtb::Result;
using mtb::Sector;
using mtb::Tablebase;

namespace fs = std::filesystem;

namespace {

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
Result<mtb_options> read_options(const mtb_options* given) {
  const auto wrong = [](std::string what) { return mtb::fail(Fault::bad_input, std::move(what)); };
  mtb_options options;
  mtb_options_init(&options, sizeof options);
  if (given == nullptr) return options;
  if (given->size < sizeof given->size) {
    return wrong("the options have size " + std::to_string(given->size) +
                 "; fill them with mtb_options_init()");
  }
  std::memcpy(&options, given, std::min(given->size, sizeof options));
  if (options.access != MTB_READ && options.access != MTB_MAP) {
    return wrong("the option access is " + std::to_string(options.access) +
                 ", neither MTB_READ (0) nor MTB_MAP (1)");
  }
  if (options.open_files < 1) {
    return wrong("the option open_files is " + std::to_string(options.open_files) +
                 "; it must be at least 1");
  }
  if (options.reserved != 0) {
    return wrong("the option reserved is not 0; fill the options with mtb_options_init()");
  }
  return options;
}

}  // namespace

void Log::tell(mtb_status status, const std::string& text, std::optional<Sector> about) {
  if (log_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (told_.size() >= kMostReports || told_.contains(text)) return;
  if (about && told_about_[*about] >= kMostOfSector) return;
  told_.insert(text);
  if (about) ++told_about_[*about];
  log_(user_, status, text.c_str());
}

mtb_tablebase::mtb_tablebase(Tablebase opened, const mtb_options& options)
    : tables(std::move(opened)), rules(tables.known_rules()), log(options.log, options.log_user) {
  if (rules) {
    rules_text = canonical_text(*rules);
    report.fingerprint = fingerprint(*rules);
    copy_text(report.rules, mtb::rule_set_name(*rules).value_or(std::string_view()));
    report.clock_plies = rules->clock.plies;
    report.clock = to_c(tables.clock());
  }
  for (const mtb::Metric metric : mtb::kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    sectors[m] = tables.sectors(metric);
    report.tables[m] = static_cast<std::uint32_t>(sectors[m].size());
    has_hands = has_hands || std::ranges::any_of(sectors[m], &Sector::has_hands);
  }
  if (const auto largest = tables.largest_sector()) report.largest = to_c(*largest);
  for (const mtb::Refusal& refusal : tables.refused()) {
    refused.push_back({status_of(refusal.error.fault, MTB_INTERNAL), refusal.path.string(),
                       refusal.error.message});
    log.tell(refused.back().status, refused.back().reason, std::nullopt);
  }
  report.refused = static_cast<std::uint32_t>(refused.size());
  for (const fs::path& path : tables.duplicates()) duplicates.push_back(path.string());
  report.duplicates = static_cast<std::uint32_t>(duplicates.size());
}

mtb_status mtb_tablebase::failed(mtb_message* message, const mtb::Error& error,
                                 const Position& position) const {
  const mtb_status status = status_of(error.fault, MTB_ILLEGAL_POSITION);
  switch (status) {
    case MTB_NO_TABLE:
      if (position.sector().has_hands() && !has_hands) {
        return mtb::c::failed(message, MTB_OUT_OF_SCOPE,
                              "no table of this version covers cows in hand, which sector " +
                                  to_string(position.sector()) +
                                  " has; play on until all are placed");
      }
      break;
    case MTB_WRONG_RULES:
    case MTB_CORRUPT:
    case MTB_IO_ERROR:
    case MTB_TOO_MANY_FILES:
      log.tell(status, error.message, position.sector());
      break;
    default:
      break;
  }
  return mtb::c::failed(message, status, error.message);
}

namespace {

mtb_status open_folders(const Result<std::vector<fs::path>>& folders, const mtb_options& given,
                        mtb_tablebase** base, mtb_message* message) {
  if (!folders) return failed(message, folders.error(), MTB_BAD_ARGUMENT);
  mtb::TablebaseOptions options;
  if (given.rules != nullptr) {
    const Result<mtb::RuleSet> rules = rules_from(given.rules);
    if (!rules) return failed(message, rules.error(), MTB_BAD_ARGUMENT);
    options.expected = *rules;
  }
  options.cache_bytes = static_cast<std::size_t>(
      std::min<std::uint64_t>(given.cache_bytes, std::numeric_limits<std::size_t>::max()));
  options.files.limit = static_cast<std::size_t>(given.open_files);
  if (given.access == MTB_MAP) options.files.access = mtb::OpenFiles::Access::map;
  options.may_be_empty = given.without_tables != 0;

  Result<Tablebase> tables = Tablebase::open(*folders, options);
  if (!tables) return failed(message, tables.error(), MTB_INTERNAL);
  auto handle = std::make_unique<mtb_tablebase>(std::move(*tables), given);
  if (!options.may_be_empty && !handle->tables.largest_sector()) {
    if (!handle->refused.empty()) {
      const mtb_tablebase::Refused& first = handle->refused.front();
      return failed(message, first.status, first.reason);
    }
    return failed(message, MTB_NO_TABLE,
                  "no folder has a table of " + describe_rules(*handle->rules) +
                      "; generate some or name another folder");
  }
  *base = handle.release();
  return MTB_OK;
}

}  // namespace

// ---- Of the interface; what each function does is said in mtb.h

void mtb_options_init(mtb_options* options, size_t size) {
  if (options == nullptr || size < sizeof options->size) return;
  mtb_options defaults = {};
  defaults.size = size;
  defaults.cache_bytes = mtb::TablebaseOptions().cache_bytes;
  defaults.open_files = static_cast<int>(mtb::OpenFiles().limit);
  defaults.access = MTB_READ;
  std::memset(options, 0, size);
  std::memcpy(options, &defaults, std::min(size, sizeof defaults));
}

mtb_status mtb_open(const char* path_list, const mtb_options* options, mtb_tablebase** base,
                    mtb_message* message) {
  if (base != nullptr) *base = nullptr;
  return guarded(message, [&] {
    if (base == nullptr) return null_argument(message);
    const Result<mtb_options> chosen = read_options(options);
    if (!chosen) return failed(message, chosen.error(), MTB_BAD_ARGUMENT);
    return open_folders(split_path_list(path_list == nullptr ? "" : path_list), *chosen, base,
                        message);
  });
}

mtb_status mtb_open_folders(const char* const* folders, size_t count, const mtb_options* options,
                            mtb_tablebase** base, mtb_message* message) {
  if (base != nullptr) *base = nullptr;
  return guarded(message, [&] {
    if (base == nullptr || (folders == nullptr && count != 0)) return null_argument(message);
    if (count > most_of<const char*>()) {
      return failed(message, MTB_BAD_ARGUMENT, "there cannot be so many folders");
    }
    const Result<mtb_options> chosen = read_options(options);
    if (!chosen) return failed(message, chosen.error(), MTB_BAD_ARGUMENT);
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
    if (*path == '\0') return failed(message, MTB_BAD_ARGUMENT, "the path of the file is empty");
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
