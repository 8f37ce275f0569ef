// The part of the C interface (mtb.h) that asks tables: turns, probes and rankings.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/turns.h"
#include "probe/c_handle.h"
#include "probe/rules_name.h"

using namespace mtb::c;
using mtb::Evaluation;
using mtb::Outcome;
using mtb::Position;
using mtb::Reach;
using mtb::Result;
using mtb::Tablebase;
using mtb::Turn;

namespace {

mtb_status no_rules(mtb_message* message) {
  return failed(message, MTB_NO_TABLE,
                "there are no tables and no rules were named; name rules in the options");
}

/// Does what every function about a position does first, and then `work(tables, position)`.
template <class Work>
mtb_status with_position(const mtb_tablebase* base, const mtb_position* given, mtb_message* message,
                         Work work) noexcept {
  return guarded(message, [&] {
    if (base == nullptr || given == nullptr) return null_argument(message);
    if (!base->rules) return no_rules(message);
    Position position;
    if (const char* wrong = convert(*given, position)) {
      return failed(message, MTB_ILLEGAL_POSITION, wrong);
    }
    return work(base->tables, position);
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

mtb_status probe_outcome(const mtb_tablebase* base, const mtb_position* given, Reach reach,
                         mtb_value* value, mtb_message* message) noexcept {
  if (value == nullptr) return guarded(message, [&] { return null_argument(message); });
  *value = kUnknown;
  return with_position(base, given, message,
                       [&](const Tablebase& tables, const Position& position) {
                         const Result<Outcome> outcome = tables.probe_outcome(position, {reach});
                         if (!outcome) return base->failed(message, outcome.error(), position);
                         *value = {to_c(*outcome), -1, -1, base->report.clock};
                         return static_cast<mtb_status>(MTB_OK);
                       });
}

/// Returns the status of the first position that failed, and says what was wrong with it.
/// `statuses` may be null.
mtb_status probe_all(const mtb_tablebase& base, std::span<const mtb_position> given,
                     mtb_value* values, mtb_status* statuses, mtb_message* message) {
  std::vector<Position> asked;
  std::vector<std::optional<std::size_t>> places;  // of the given positions, among those asked
  for (const mtb_position& one : given) {
    Position position;
    const bool can_be = convert(one, position) == nullptr;
    places.push_back(can_be ? std::optional(asked.size()) : std::nullopt);
    if (can_be) asked.push_back(position);
  }
  const std::vector<Result<Evaluation>> found = base.tables.probe_all(asked);
  mtb_status first = MTB_OK;
  for (std::size_t i = 0; i < given.size(); ++i) {
    mtb_message why;
    mtb_message* const heard = first == MTB_OK ? &why : nullptr;
    mtb_status status = MTB_OK;
    values[i] = kUnknown;
    if (!places[i]) {
      Position ignored;
      status = failed(heard, MTB_ILLEGAL_POSITION, convert(given[i], ignored));
    } else if (const Result<Evaluation>& value = found[*places[i]]; !value) {
      status = base.failed(heard, value.error(), asked[*places[i]]);
    } else {
      values[i] = to_c(*value);
    }
    if (statuses != nullptr) statuses[i] = status;
    if (first == MTB_OK && status != MTB_OK) {
      first = failed(message, status, "positions[" + std::to_string(i) + "]: " + why.text);
    }
  }
  return first;
}

}  // namespace

// ---- Of the interface; what each function does is said in mtb.h

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
  return probe_outcome(base, position, Reach::disk, value, message);
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
  return probe_outcome(base, position, Reach::cache, value, message);
}

mtb_status mtb_prefetch(const mtb_tablebase* base, const mtb_position* position) {
  const mtb_status status =
      with_position(base, position, nullptr, [](const Tablebase& tables, const Position& asked) {
        if (!validate(asked, tables.rules())) return static_cast<mtb_status>(MTB_ILLEGAL_POSITION);
        tables.prefetch(asked);
        return static_cast<mtb_status>(MTB_OK);
      });
  return status == MTB_NO_TABLE ? static_cast<mtb_status>(MTB_OK) : status;
}

mtb_status mtb_probe_batch(const mtb_tablebase* base, const mtb_position* positions, size_t count,
                           mtb_value* values, mtb_status* statuses, mtb_message* message) {
  if (count > most_of<mtb_position>()) {
    return failed(message, MTB_BAD_ARGUMENT, "there cannot be so many positions");
  }
  bool answered = false;
  const mtb_status status = guarded(message, [&] {
    if (base == nullptr || (count != 0 && (positions == nullptr || values == nullptr))) {
      return null_argument(message);
    }
    if (!base->rules) return no_rules(message);
    const mtb_status first = probe_all(*base, {positions, count}, values, statuses, message);
    answered = true;
    return first;
  });
  if (answered) return status;
  if (values != nullptr) std::fill_n(values, count, kUnknown);
  if (statuses != nullptr) std::fill_n(statuses, count, status);
  return status;
}

mtb_status mtb_rank(const mtb_tablebase* base, const mtb_position* position, mtb_ranked_turn* turns,
                    size_t capacity, size_t* count, mtb_stop stop, void* user,
                    mtb_message* message) {
  if (count != nullptr) *count = 0;
  return with_position(
      base, position, message, [&](const Tablebase& tables, const Position& asked) {
        if (count == nullptr || (turns == nullptr && capacity != 0)) return null_argument(message);
        mtb::ProbeControl control;
        bool stopped = false;
        if (stop != nullptr) {
          control.stop = [&] { return stopped = stopped || stop(user) != 0; };
        }
        const Result<std::vector<mtb::RankedTurn>> ranked = tables.rank(asked, control);
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

mtb_status mtb_dependencies(const mtb_tablebase* base, mtb_sector sector, mtb_metric metric,
                            mtb_table* tables, size_t capacity, size_t* count,
                            mtb_message* message) {
  if (count != nullptr) *count = 0;
  return guarded(message, [&] {
    const bool has_room = count != nullptr && (tables != nullptr || capacity == 0);
    if (base == nullptr || !has_room) return null_argument(message);
    if (!base->rules) return no_rules(message);
    const std::optional<mtb::Metric> wanted = metric_of(metric);
    if (!wanted) return failed(message, MTB_BAD_ARGUMENT, "there is no such metric");
    const int mover = sector.mover + sector.mover_hand;
    const int opponent = sector.opponent + sector.opponent_hand;
    if (std::min(mover, opponent) < mtb::kMinCows ||
        std::max(mover, opponent) > base->rules->cows) {
      return failed(message, MTB_BAD_ARGUMENT,
                    "each player of a sector has at least three cows, and at most as many as the "
                    "rules have");
    }
    const mtb::Sector of = {sector.mover, sector.opponent, sector.mover_hand, sector.opponent_hand};
    const Result<std::vector<mtb::TableName>> names = base->tables.dependencies({of, *wanted});
    if (!names) return failed(message, names.error(), MTB_BAD_ARGUMENT);
    const auto write = [&](std::size_t i) {
      return mtb_table{to_c((*names)[i].sector), static_cast<mtb_metric>((*names)[i].metric)};
    };
    return fill(tables, capacity, count, names->size(), write, message);
  });
}
