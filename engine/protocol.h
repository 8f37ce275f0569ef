// The protocol of mill engines, a cousin of UCI, from the engine's side.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/player.h"
#include "engine/token_game.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "probe/tablebase.h"

namespace mtb {

/// What an engine is set up with; each can be changed by `setoption` under the name in brackets.
struct EngineSettings {
  enum class Who : std::uint8_t { tables, search, greedy, random };

  std::vector<std::string> folders;  ///< of tables [MtbPath, separated by `:`]; may be empty
  RuleSet rules;                     ///< [MtbRules, a name]
  std::size_t cache_bytes = std::size_t{64} << 20;  ///< [MtbCacheMB]
  Who who = Who::tables;                            ///< [Player]
  double skill = 100;      ///< percent of decisions in which the outcome is kept [Skill]
  int depth = 4;           ///< plies that are searched beyond the tables, or instead [Depth]
  std::uint64_t seed = 1;  ///< of all chance [Seed]
  std::string name;        ///< and version, for `id name`
};

/// Answers commands until `quit` or the end of the input.
class Engine {
 public:
  /// `out` must outlive the engine.
  Engine(EngineSettings settings, std::ostream& out) : settings_(std::move(settings)), out_(out) {}

  /// One line. Returns whether another is wanted. What cannot be done is told by `info string`.
  bool obey(std::string_view line);

 private:
  void identify();
  void set_option(const std::vector<std::string_view>& words);
  void set_position(const std::vector<std::string_view>& words);
  void go();
  Result<void> prepare();
  Result<std::string> next_token();
  void complain(const Error& error) { out_ << "info string error: " << error.message << '\n'; }

  EngineSettings settings_;
  std::ostream& out_;
  std::optional<Tablebase> base_;
  std::unique_ptr<Player> player_;  ///< null until it is needed, and after options changed
  std::optional<TokenGame> game_;
  /// The rest of a turn that has been begun, and the position in which it is due.
  std::vector<std::string> due_;
  std::optional<Position> due_at_;
};

}  // namespace mtb
