#include "cli/probe_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/words.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string plies_text(std::uint32_t plies) {
  return std::to_string(plies) + (plies == 1 ? " ply" : " plies");
}

std::string clock_text(const RuleSet& rules, ClockUse clock) {
  if (clock != ClockUse::ignored) return "";
  return " (without the " + std::to_string(rules.clock.plies) + "-ply draw clock)";
}

/// `White wins in 15 plies (without the 50-ply draw clock)`.
std::string result_text(const ProbeReport& report) {
  const Position& position = report.position;
  RuleSet unclocked = report.rules;
  unclocked.clock = {};
  if (verdict(unclocked, position) != Verdict::open) return how_it_ended(unclocked, position);

  const Evaluation& value = report.value;
  const std::string clock = clock_text(report.rules, value.clock);
  const std::string distance = value.dtw ? " in " + plies_text(*value.dtw) : "";
  switch (value.outcome) {
    case Outcome::win:
      return to_text(position.side) + " wins" + distance + clock;
    case Outcome::loss:
      return to_text(other(position.side)) + " wins" + distance + clock;
    case Outcome::clock_win:
    case Outcome::clock_loss:
      return "a draw by the draw clock";
    case Outcome::draw:
      break;
  }
  return "a draw" + clock;
}

std::string to_move_text(const Position& position) {
  std::string text = to_text(position.side);
  if (position.owed == 0) return text + " to move";
  return text + " to shoot " + std::to_string(position.owed) +
         (position.owed == 1 ? " cow" : " cows");
}

/// Left-aligned in `width` columns, at least one blank behind.
std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string turns_text(const ProbeReport& report) {
  constexpr std::size_t kTurnWidth = 15;  // a move with three shots needs 14
  constexpr std::size_t kOutcomeWidth = 12;
  std::string text = padded("turn", kTurnWidth) + padded("outcome", kOutcomeWidth) + "plies\n";
  for (const RankedTurn& ranked : report.turns) {
    text += padded(to_string(ranked.turn, report.coordinates), kTurnWidth);
    if (!ranked.value) {
      text += padded("unknown", kOutcomeWidth) + ranked.value.error().message + '\n';
      continue;
    }
    const std::string outcome(to_string(ranked.value->outcome));
    text += ranked.value->dtw
                ? padded(outcome, kOutcomeWidth) + std::to_string(*ranked.value->dtw) + '\n'
                : outcome + '\n';
  }
  return text;
}

std::string line_text(const ProbeReport& report) {
  if (!report.line) return "unknown: " + report.line.error().message;
  std::string text;
  for (const Turn& turn : *report.line) {
    if (!text.empty()) text += ' ';
    text += to_string(turn, report.coordinates);
  }
  return text;
}

Json distance_json(const Evaluation& value) { return value.dtw ? Json(*value.dtw) : Json(); }

Json turn_json(const RankedTurn& ranked, Coordinates coordinates) {
  Json json;
  json["turn"] = to_string(ranked.turn, coordinates);
  json["outcome"] = ranked.value ? Json(to_string(ranked.value->outcome)) : Json();
  json["dtw"] = ranked.value ? distance_json(*ranked.value) : Json();
  json["position"] = to_string(ranked.position, coordinates);
  if (!ranked.value) json["unknown"] = ranked.value.error().message;
  return json;
}

}  // namespace

Result<ProbeReport> probe_report(const Tablebase& base, const Position& position,
                                 Coordinates coordinates) {
  const Result<Evaluation> value = base.probe(position);
  if (!value) return tl::unexpected(value.error());
  Result<std::vector<RankedTurn>> turns = base.rank(position);
  if (!turns) return tl::unexpected(std::move(turns.error()));
  return ProbeReport{base.rules(), position,          coordinates,
                     *value,       std::move(*turns), base.best_line(position)};
}

std::string to_text(const ProbeReport& report) {
  const Position& position = report.position;
  std::string text = draw_board(position, report.rules.diagonals);
  text += "\nO White, @ Black, " + describe_rules(report.rules) + '\n';
  text += to_move_text(position) + ", sector " + to_string(position.sector()) + ": " +
          result_text(report) + '\n';
  if (!report.turns.empty()) text += '\n' + turns_text(report);
  if (!report.line || !report.line->empty()) {
    const bool one_of_many = report.line && !report.value.dtw;
    text += std::string(one_of_many ? "\nbest turn: " : "\nbest line: ") + line_text(report) + '\n';
  }
  return text;
}

std::string to_json(const ProbeReport& report) {
  Json json;
  json["position"] = to_string(report.position, report.coordinates);
  json["fen"] = to_fen(report.position);
  Json rules;
  if (const auto name = rule_set_name(report.rules)) rules["name"] = *name;
  rules["fingerprint"] = hexadecimal(fingerprint(report.rules));
  json["rules"] = rules;
  json["sector"] = to_string(report.position.sector());
  json["outcome"] = to_string(report.value.outcome);
  json["dtw"] = distance_json(report.value);
  json["clock"] = to_text(report.value.clock);
  json["turns"] = Json::array();
  for (const RankedTurn& ranked : report.turns) {
    json["turns"].push_back(turn_json(ranked, report.coordinates));
  }
  json["line"] = Json();
  if (report.line) {
    json["line"] = Json::array();
    for (const Turn& turn : *report.line) {
      json["line"].push_back(to_string(turn, report.coordinates));
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace mtb::cli
