// Questions whose answers are known from undamaged tables, and what damaged ones say to them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "game/notation.h"
#include "probe/tablebase.h"

namespace mtb::safety {

/// What came of a damage, the worst last.
enum class Reaction : std::uint8_t {
  harmless,  ///< every answer was right
  refused,   ///< what was not answered rightly was refused, naming the file
  unnamed,   ///< refused without naming the file
  wrong,     ///< an answer was not that of the undamaged tables
};

inline Reaction worse(Reaction a, Reaction b) { return std::max(a, b); }

/// Positions with the answers of undamaged tables. Safe for concurrent use.
class Exam {
 public:
  /// Of the last so many positions, all turns are asked for too.
  Exam(const Tablebase& sound, std::span<const Position> positions, std::size_t with_turns = 0) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Position& position = positions[i];
      const bool turns = i + with_turns >= positions.size();
      questions_.push_back({position, sound.probe(position), sound.probe_outcome(position),
                            turns ? sound.rank(position).value() : std::vector<RankedTurn>{}});
    }
  }

  std::size_t size() const { return questions_.size(); }

  /// Whether the undamaged tables answer everything.
  bool is_answered() const {
    return std::all_of(questions_.begin(), questions_.end(), [](const Question& question) {
      return question.value && question.outcome &&
             std::all_of(question.turns.begin(), question.turns.end(),
                         [](const RankedTurn& turn) { return turn.value.has_value(); });
    });
  }

  /// Asks all questions; `file` is what a refusal has to name.
  Reaction ask(const Result<Tablebase>& tables, const std::string& file) const {
    if (!tables) return refusal(tables.error(), file);
    Reaction reaction = said_on_opening(*tables, file);
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      reaction = worse(reaction, ask(*tables, i, file));
    }
    return reaction;
  }

  /// Asks one of them.
  Reaction ask(const Tablebase& tables, std::size_t number, const std::string& file) const {
    const Question& question = questions_[number];
    Reaction reaction = compared(tables.probe(question.position), question.value, tables, file);
    const Result<Outcome> outcome = tables.probe_outcome(question.position);
    if (!outcome) {
      reaction = worse(reaction, refusal(outcome.error(), file));
    } else if (*outcome != question.outcome) {
      reaction = Reaction::wrong;
    }
    if (!question.turns.empty()) reaction = worse(reaction, ask_turns(tables, question, file));
    if (reaction > Reaction::refused) describe(tables, question, file);
    return reaction;
  }

 private:
  struct Question {
    Position position;
    Result<Evaluation> value;
    Result<Outcome> outcome;
    std::vector<RankedTurn> turns;
  };

  /// Says on standard error what was asked and answered, for the first few.
  static void describe(const Tablebase& tables, const Question& question, const std::string& file) {
    static std::atomic<int> said{0};
    if (++said > 3) return;
    const auto text = [](const Result<Evaluation>& value) {
      return value ? "outcome " + std::to_string(static_cast<int>(value->outcome)) + " dtw " +
                         std::to_string(static_cast<int>(value->dtw.value_or(-1))) + " dtc " +
                         std::to_string(static_cast<int>(value->dtc.value_or(-1))) + " clock " +
                         std::to_string(static_cast<int>(value->clock))
                   : value.error().message;
    };
    const Result<Outcome> outcome = tables.probe_outcome(question.position);
    std::fprintf(stderr, "%s, damaged %s:\n  %s, %s instead of %s\n",
                 to_string(question.position).c_str(), file.c_str(),
                 text(tables.probe(question.position)).c_str(),
                 outcome ? std::to_string(static_cast<int>(*outcome)).c_str()
                         : outcome.error().message.c_str(),
                 text(question.value).c_str());
    for (const Refusal& refused : tables.refused()) {
      std::fprintf(stderr, "  %s\n", refused.error.message.c_str());
    }
  }

  static Reaction refusal(const Error& error, const std::string& file) {
    const bool said = error.message.find(file) != std::string::npos &&
                      error.message.find('\n') == std::string::npos;
    return said && error.fault != Fault::bad_input ? Reaction::refused : Reaction::unnamed;
  }

  static Reaction said_on_opening(const Tablebase& tables, const std::string& file) {
    for (const Refusal& refused : tables.refused()) {
      if (refused.path.string().find(file) != std::string::npos) {
        return refusal(refused.error, file);
      }
    }
    return Reaction::harmless;
  }

  /// An answer may lack what a table would say whose refusal was told on opening.
  static Reaction compared(const Result<Evaluation>& said, const Result<Evaluation>& right,
                           const Tablebase& tables, const std::string& file) {
    if (!said) return refusal(said.error(), file);
    if (right && *said == *right) return Reaction::harmless;
    const auto agrees = [](const auto& distance, const auto& known) {
      return !distance || distance == known;
    };
    if (!right || said->outcome != right->outcome || said->clock != right->clock ||
        !agrees(said->dtw, right->dtw) || !agrees(said->dtc, right->dtc)) {
      return Reaction::wrong;
    }
    const bool told = said_on_opening(tables, file) == Reaction::refused;
    return told ? Reaction::refused : Reaction::unnamed;
  }

  static Reaction ask_turns(const Tablebase& tables, const Question& question,
                            const std::string& file) {
    const Result<std::vector<RankedTurn>> turns = tables.rank(question.position);
    if (!turns) return refusal(turns.error(), file);
    if (turns->size() != question.turns.size()) return Reaction::wrong;
    Reaction reaction = Reaction::harmless;
    for (const RankedTurn& turn : *turns) {
      const auto right =
          std::find_if(question.turns.begin(), question.turns.end(),
                       [&](const RankedTurn& other) { return other.turn == turn.turn; });
      if (right == question.turns.end()) return Reaction::wrong;
      reaction = worse(reaction, compared(turn.value, right->value, tables, file));
    }
    const bool same_order =
        std::equal(turns->begin(), turns->end(), question.turns.begin(),
                   [](const auto& a, const auto& b) { return a.turn == b.turn; });
    return reaction == Reaction::harmless && !same_order ? Reaction::wrong : reaction;
  }

  std::vector<Question> questions_;
};

}  // namespace mtb::safety
