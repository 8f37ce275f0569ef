#include "cli/arguments.h"

#include <cctype>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "format/file.h"
#include "game/text.h"
#include "gen/system_memory.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestRuleFile = 64 << 10;

Result<std::string> read_rule_file(const fs::path& path) {
  return ReadFile::open(path).and_then([&](const ReadFile& file) -> Result<std::string> {
    if (file.size() > kLargestRuleFile) {
      return fail(Fault::bad_input, path.string() +
                                        " is too large for a rule set; name a TOML "
                                        "file (see `mtb rules NAME`)");
    }
    std::string text(file.size(), '\0');
    return file.read_at(0, std::as_writable_bytes(std::span(text))).map([&] { return text; });
  });
}

/// The part of the memory available that is left to other programs unless --memory says more.
constexpr std::uint64_t kMarginPart = 16;

/// `8G`: a number of bytes, or of so many powers of 1024.
Result<std::uint64_t> parse_memory(const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  std::string_view digits = text;
  std::uint64_t unit = 1;
  if (!text.empty()) {
    const auto place =
        kUnits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(text.back()))));
    if (place != std::string_view::npos) {
      unit <<= 10 * (place + 1);
      digits.remove_suffix(1);
    }
  }
  const auto number = parse_number(digits, std::numeric_limits<std::uint64_t>::max() / unit);
  if (number) return *number * unit;
  return fail(Fault::bad_input, "--memory " + mtb::quoted(text) +
                                    " is no amount of memory, write a number of bytes, or one "
                                    "with K, M, G or T behind it, as 8G");
}

}  // namespace

Result<NamedRules> resolve_rules(const std::string& text) {
  if (const auto rules = rule_set_named(text)) return NamedRules{*rules, text};
  std::string names;
  for (const NamedRuleSet& named : named_rule_sets()) names += ' ' + std::string(named.name);
  std::error_code error;
  const fs::path path(text);
  if (!fs::exists(path, error) || fs::is_directory(path, error)) {
    return fail(Fault::bad_input, mtb::quoted(text) +
                                      " is neither a rule set nor a file; there are" + names +
                                      ", or write a TOML file (see `mtb rules NAME`)");
  }
  return read_rule_file(path)
      .and_then([&](const std::string& toml) { return parse_rule_set(toml, text); })
      .map([&](const RuleSet& rules) {
        const auto known = rule_set_name(rules);
        return NamedRules{rules, known ? std::string(*known) : path.stem().string()};
      });
}

CLI::Validator seed_number() {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return {[](std::string& text) -> std::string {
            if (parse_number(text, kMost)) return {};
            return mtb::quoted(text) + " is no whole number from 0 to " + std::to_string(kMost);
          },
          "0 to 2^64 - 1"};
}

void TableArguments::add_to(CLI::App& command) {
  command
      .add_option("--tables", folders,
                  "Folder of tables; may be given again, earlier ones come first. By default "
                  "tables/NAME, then those that ship with mtb")
      ->allow_extra_args(false);
  command.add_option("--rules", rules,
                     "Name of a rule set, or a TOML file; by default that of the tables, or "
                     "traditional");
}

Result<Tablebase> TableArguments::open() const {
  std::vector<fs::path> paths(folders.begin(), folders.end());
  std::optional<RuleSet> expected;
  if (paths.empty() || !rules.empty()) {
    const Result<NamedRules> named = resolve_rules(rules.empty() ? "traditional" : rules);
    if (!named) return tl::unexpected(named.error());
    expected = named->rules;
    if (paths.empty()) paths = default_table_folders(named->name);
    if (paths.empty()) {
      return fail(Fault::not_found, "no tables for " + named->name +
                                        ": there is no folder tables/" + named->name +
                                        " and none ships with mtb; name a folder with "
                                        "--tables, or see `mtb gen --help`");
    }
  }
  return Tablebase::open(paths, {.expected = expected});
}

CLI::Option* PositionArguments::add_to(CLI::App& command) {
  command
      .add_option("--coordinates", coordinates, "How points are written: standard, mssa, numbers")
      ->capture_default_str();
  return command.add_option(kName, words,
                            "A position: `<hand> <white> <black> <side>`, or a FEN; quoted or not");
}

Result<Position> read_position(const std::string& text, Coordinates coordinates,
                               const RuleSet& rules) {
  return parse_position(text, coordinates).and_then([&](const Position& position) {
    return validate(position, rules).map([&] { return position; });
  });
}

Result<Position> read_position(const PositionArguments& arguments, const RuleSet& rules) {
  std::string text;
  for (const std::string& word : arguments.words) text += (text.empty() ? "" : " ") + word;
  return parse_coordinates(arguments.coordinates).and_then([&](Coordinates coordinates) {
    return read_position(text, coordinates, rules);
  });
}

Result<FolderContents> read_table_folder(const fs::path& folder) {
  const ClassCache classes;
  return read_folders({&folder, 1}, std::nullopt, classes)
      .and_then([&](FolderContents&& contents) -> Result<FolderContents> {
        if (contents.tables.empty() && contents.refused.empty()) {
          return fail(Fault::not_found,
                      "no tables in " + folder.string() + "; generate some there");
        }
        return std::move(contents);
      });
}

std::vector<fs::path> default_table_folders(const std::string& name) {
  std::vector<fs::path> candidates = {fs::path("tables") / name};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    candidates.push_back((program.parent_path() / "../share/mtb/tables" / name).lexically_normal());
  }
  std::erase_if(candidates,
                [&](const fs::path& folder) { return !fs::is_directory(folder, error); });
  return candidates;
}

Result<std::optional<std::uint64_t>> memory_limit(const std::string& text) {
  if (!text.empty()) {
    return parse_memory(text).map([](std::uint64_t bytes) { return std::optional(bytes); });
  }
  const std::optional<std::uint64_t> available = available_memory();
  if (!available) return std::nullopt;
  return *available - *available / kMarginPart;
}

}  // namespace mtb::cli
