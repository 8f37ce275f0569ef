#include "cli/audit_file.h"

#include <sstream>

#include "cli/arguments.h"
#include "cli/input_file.h"
#include "cli/json.h"
#include "format/file.h"
#include "game/notation.h"
#include "probe/rules_name.h"

namespace mtb::cli {
void SampleArguments::add_to(CLI::App& command) {
  command.add_option("--positions", positions, "How many are drawn")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000'000}));
  command.add_option("--seed", seed, "The same seed draws the same positions")
      ->capture_default_str()
      ->check(seed_number());
  command.add_option("--sector", sectors, "Only from this sector (5v4); may be given again")
      ->allow_extra_args(false);
  command.add_option("--outcome", outcome, "Only positions of this outcome")
      ->check(CLI::IsMember({"win", "clock_win", "draw", "clock_loss"}));
}

CLI::Option* SampleArguments::add_difficulty_to(CLI::App& command, const std::string& help) {
  return command.add_option("--difficulty", difficulty, help)
      ->check(CLI::IsMember({"one", "few", "many"}));
}

std::optional<Difficulty> SampleArguments::named_difficulty() const {
  if (difficulty == "one") return Difficulty::only_turn;
  if (difficulty == "few") return Difficulty::few;
  if (difficulty == "many") return Difficulty::many;
  return std::nullopt;
}

Result<SampleSpec> SampleArguments::spec() const {
  SampleSpec spec;
  spec.positions = positions;
  spec.seed = seed;
  for (const std::string& text : sectors) {
    const Result<Sector> sector = parse_sector(text);
    if (!sector) return tl::unexpected(sector.error());
    spec.sectors.push_back(*sector);
  }
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto candidate = static_cast<Outcome>(i);
    if (outcome == mtb::to_string(candidate)) spec.outcome = candidate;
  }
  spec.difficulty = named_difficulty();
  return spec;
}

Result<AuditFile> AuditFile::read(const std::string& path) {
  Result<InputFile> input = InputFile::open(path);
  if (!input) return tl::unexpected(input.error());
  std::ostringstream text;
  text << input->stream().rdbuf();
  if (auto error = input->failure()) return tl::unexpected(std::move(*error));
  const Json json = Json::parse(text.str(), nullptr, false);
  const auto wrong = [&] {
    return fail(Fault::bad_input, path + ": is not a file that `mtb audit --keep` has written");
  };
  if (!json.is_object() || !json.contains("rules") || !json["rules"].is_string() ||
      !json.contains("answers") || !json["answers"].is_array()) {
    return wrong();
  }
  AuditFile file;
  file.rules = json["rules"];
  for (const Json& answer : json["answers"]) {
    if (!answer.is_object() || !answer.contains("position") || !answer["position"].is_string() ||
        !answer.contains("kept") || !answer["kept"].is_boolean()) {
      return wrong();
    }
    file.positions.push_back(answer["position"]);
    file.kept.push_back(answer["kept"].get<bool>());
  }
  return file;
}

Result<void> write_audit_file(const std::string& path, const RuleSet& rules,
                              const std::string& engine, const std::vector<Audited>& audited) {
  Json json;
  json["engine"] = engine;
  json["rules"] = hexadecimal(fingerprint(rules));
  json["answers"] = Json::array();
  for (const Audited& one : audited) {
    Json answer;
    answer["position"] = mtb::to_string(one.asked.position);
    answer["outcome"] = mtb::to_string(one.asked.outcome);
    answer["turns"] = one.asked.turns;
    answer["keeping"] = one.asked.keeping;
    answer["turn"] = one.turn ? Json(mtb::to_string(*one.turn)) : Json();
    answer["played"] = one.grade ? Json(mtb::to_string(one.grade->played.outcome)) : Json();
    answer["plies_lost"] = one.grade ? value_or_null(one.grade->plies_lost) : Json();
    answer["kept"] = one.kept();
    answer["failure"] = one.failure ? Json(mtb::to_string(*one.failure)) : Json();
    if (!one.said.empty()) answer["said"] = one.said;
    json["answers"].push_back(std::move(answer));
  }
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
  return AtomicFile::create(path).and_then([&](AtomicFile&& file) {
    return file.write_at(0, std::as_bytes(std::span(text))).and_then([&] { return file.commit(); });
  });
}

}  // namespace mtb::cli
