// The protocol of mill engines, a cousin of UCI, from the engine's side.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/player.h"
#include "engine/token_game.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/text.h"
#include "probe/tablebase.h"

namespace mtb {

/// The option that chooses the rules.
inline constexpr std::string_view kRulesOption = "MtbRules";

/// What an engine is set up with; each can be changed by `setoption` under the name in brackets.
struct EngineSettings {
  enum class Who : std::uint8_t { tables, search, greedy, random };

  std::vector<std::string> folders;  ///< of tables [MtbPath, separated by `:`]
  RuleSet rules;                     ///< [MtbRules, a name]
  /// Where the tables of rules are when `folders` is empty; without it, there are none then.
  std::function<std::vector<std::string>(const RuleSet&)> usual_folders;
  std::size_t cache_bytes = std::size_t{64} << 20;  ///< [MtbCacheMB]
  Who who = Who::tables;                            ///< [Player]
  double skill = 100;      ///< percent of decisions in which the outcome is kept [Skill]
  int depth = 4;           ///< plies that are searched beyond the tables, or instead [Depth]
  std::uint64_t seed = 1;  ///< of all chance [Seed]
  std::string name;        ///< and version, for `id name`
};

/// Answers commands until `quit` or the end of the input. It thinks in a thread of its own, so that
/// it can be told to stop; the object itself is for one thread. With it a search ends, and gives
/// its turn.
class Engine {
 public:
  /// `out` must outlive the engine, and belongs to it and its thread meanwhile.
  Engine(EngineSettings settings, std::ostream& out) : settings_(std::move(settings)), out_(out) {}

  /// One line. Returns whether another is wanted, and the last answers could be written. What
  /// cannot be done is told by `info string`. While the engine thinks, `stop` and `quit` end that,
  /// `isready` is answered, and all other commands wait until it has done.
  bool obey(std::string_view line);

 private:
  using Words = std::span<const std::string_view>;

  void identify();
  void set_option(Words words);
  void set_position(Words words);
  void go(Words words);
  SearchLimits limits_of(Words words);
  void finish_thinking();
  void think(SearchLimits limits, bool until_stopped);
  Result<void> prepare();
  std::string next_token(const SearchLimits& limits);
  Player::Choice choose(const SearchLimits& limits);
  /// Writes a line at once, from either thread.
  void say(std::string_view line);
  void complain(const Error& error) { say("info string error: " + printable(error.message)); }

  // While the engine thinks these belong to its thread.
  EngineSettings settings_;
  std::optional<Tablebase> base_;
  std::unique_ptr<Player> player_;  ///< null until it is needed, and after options changed
  std::optional<TokenGame> game_;
  /// The rest of a turn that has been begun, and the position in which it is due.
  std::vector<std::string> due_;
  std::optional<Position> due_at_;

  std::mutex out_in_use_;
  std::ostream& out_;
  std::atomic<bool> out_works_ = true;
  std::atomic<bool> thinks_ = false;
  bool until_stopped_ = false;  ///< the search does not end by itself
  std::jthread thinking_;       ///< last, so that it ends before all that it uses
};

}  // namespace mtb
