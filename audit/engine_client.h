// An engine in a process of its own, asked for turns.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/child.h"
#include "game/position.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/turns.h"

namespace mtb {

/// How an engine is spoken to.
struct EngineCommand {
  std::string command;  ///< for the shell
  /// For setoption. An engine that lists kRulesOption (engine/protocol.h) is told the name of the
  /// rules, unless it is among these or the rules have none.
  std::vector<std::pair<std::string, std::string>> options;
  std::string go = "go movetime 100";
  /// For the answer to each `go`, and to `uci` and `isready`.
  std::chrono::milliseconds patience{5000};
};

/// Why there is no turn.
enum class Failure : std::uint8_t { late, ended, illegal };
inline constexpr std::size_t kFailures = 3;
/// `late`, `ended`, `illegal`.
std::string_view to_string(Failure failure);

/// Starts the engine when it is first asked, and again after it hung or ended, three times if need
/// be. For one thread.
class EngineClient {
 public:
  EngineClient(const RuleSet& rules, EngineCommand engine)
      : rules_(rules), engine_(std::move(engine)) {}

  struct Answer {
    std::optional<Turn> turn;
    std::optional<Failure> failure;  ///< when there is no turn
    std::string said;                ///< the token that was illegal
  };
  /// The engine's turn in a position that is not over, its shots asked for one by one. Error:
  /// not_found when the engine does not come up by the protocol; system.
  Result<Answer> ask(const Position& position);

 private:
  Result<void> come_up();
  Result<void> start();
  bool must_be_told_rules() const;
  /// The rest of the line that begins with `word`; other lines are passed over.
  std::optional<Failure> wait_for(std::string_view word, std::string& rest);

  RuleSet rules_;
  EngineCommand engine_;
  std::optional<Child> child_;
  bool was_up_ = false;
  bool lists_rules_ = false;  ///< among its options, as far as they were read
};

}  // namespace mtb
