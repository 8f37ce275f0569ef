#include "cli/probe_report.h"
#include "cli/json.h"

#include <algorithm>
#include <utility>

#include "cli/words.h"
#include "probe/rules_name.h"

namespace mtb::cli {
namespace {

std::string plies_text(std::uint32_t plies) {
  return std::to_string(plies) + (plies == 1 ? " ply" : " plies");
}

/// `White wins, next shot in 5 plies (in 15 plies without the 50-ply draw clock)`.
std::string result_text(const ProbeReport& report) {
  const Position& position = report.position;
  const Evaluation& value = report.value;
  RuleSet looked_at = report.rules;
  if (value.clock == ClockUse::ignored) looked_at.clock = {};
  if (verdict(looked_at, position) != Verdict::open) return how_it_ended(looked_at, position);

  const std::string clock = "the " + std::to_string(report.rules.clock.plies) + "-ply draw clock";
  const bool mover_wins = value.outcome < Outcome::draw;
  const std::string winner = to_text(mover_wins ? position.side : other(position.side));
  const std::string in = value.dtw ? " in " + plies_text(*value.dtw) : "";
  switch (value.outcome) {
    case Outcome::draw:
      return "a draw" + (value.clock == ClockUse::ignored ? " (without " + clock + ")" : "");
    case Outcome::clock_win:
    case Outcome::clock_loss:
      return "a draw by " + clock + " (without it " + winner + " wins" + in + ")";
    case Outcome::win:
    case Outcome::loss:
      break;
  }
  switch (value.clock) {
    case ClockUse::none:
      return winner + " wins" + in;
    case ClockUse::ignored:
      return winner + " wins" + in + " (without " + clock + ")";
    case ClockUse::applied:
      break;
  }
  std::string text = winner + " wins";
  if (value.dtc) text += ", next shot or end in " + plies_text(*value.dtc);
  if (value.dtw) text += " (the end" + in + " without " + clock + ")";
  return text;
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
  constexpr std::size_t kPliesWidth = 7;
  // What tables with the clock say of the next shot is shown where they do.
  const bool shots = report.value.clock == ClockUse::applied;
  const auto distance = [](const std::optional<std::uint32_t>& plies) {
    return plies ? std::to_string(*plies) : "";
  };
  std::string text = padded("turn", kTurnWidth) + padded("outcome", kOutcomeWidth) +
                     (shots ? padded("shot", kPliesWidth) : "") + "plies\n";
  for (const RankedTurn& ranked : report.turns) {
    text += padded(to_string(ranked.turn, report.coordinates), kTurnWidth);
    if (!ranked.value) {
      text += padded("unknown", kOutcomeWidth) + ranked.value.error().message + '\n';
      continue;
    }
    const std::string outcome(to_string(ranked.value->outcome));
    std::string line = padded(outcome, kOutcomeWidth);
    if (shots) line += padded(distance(ranked.value->dtc), kPliesWidth);
    line += distance(ranked.value->dtw);
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + '\n';
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

Json turn_json(const RankedTurn& ranked, Coordinates coordinates) {
  Json json;
  json["turn"] = to_string(ranked.turn, coordinates);
  json["outcome"] = ranked.value ? Json(to_string(ranked.value->outcome)) : Json();
  json["dtw"] = ranked.value ? value_or_null(ranked.value->dtw) : Json();
  json["dtc"] = ranked.value ? value_or_null(ranked.value->dtc) : Json();
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
    const Outcome outcome = report.value.outcome;
    const bool one_of_many = report.line && report.line->size() == 1 &&
                             (outcome != Outcome::win || !(report.value.dtc || report.value.dtw));
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
  json["dtw"] = value_or_null(report.value.dtw);
  json["dtc"] = value_or_null(report.value.dtc);
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
