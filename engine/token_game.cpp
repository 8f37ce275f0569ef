#include "engine/token_game.h"

#include <algorithm>
#include <optional>

#include "game/notation.h"
#include "game/text.h"
#include "game/why_illegal.h"

namespace mtb {
namespace {

/// A turn of which something has been played, with more shots; nothing when there can be none.
std::optional<Turn> continued(Turn turn, const Turn& more) {
  if (more.kind != Turn::Kind::shoot) return std::nullopt;
  if (std::size_t{turn.shot_count} + more.shot_count > turn.shots.size()) return std::nullopt;
  std::copy_n(more.shots.begin(), more.shot_count, turn.shots.begin() + turn.shot_count);
  turn.shot_count = static_cast<std::uint8_t>(turn.shot_count + more.shot_count);
  turn.declined = more.declined;
  return turn;
}

/// Whether more shots make another turn of a turn.
bool begins(const Turn& turn, const Turn& whole) {
  return whole.kind == turn.kind && whole.from == turn.from && whole.to == turn.to &&
         !turn.declined && whole.shot_count > turn.shot_count &&
         std::equal(turn.shots.begin(), turn.shots.begin() + turn.shot_count, whole.shots.begin());
}

/// The most shots that a legal turn has which begins so; 0 when there is none.
std::uint8_t most_shots(const RuleSet& rules, const Position& position, const Turn& beginning) {
  std::uint8_t most = 0;
  for (const Turn& whole : legal_turns(rules, position)) {
    if (begins(beginning, whole)) most = std::max(most, whole.shot_count);
  }
  return most;
}

}  // namespace

std::vector<std::string> tokens_of(const Turn& turn) {
  std::vector<std::string> tokens;
  if (turn.kind != Turn::Kind::shoot) {
    Turn first;
    first.kind = turn.kind;
    first.from = turn.from;
    first.to = turn.to;
    tokens.push_back(to_string(first));
  }
  for (std::size_t i = 0; i < turn.shot_count; ++i) {
    tokens.push_back('x' + to_string(turn.shots[i]));
  }
  if (turn.declined) tokens.emplace_back("x-");
  return tokens;
}

Result<void> TokenGame::play(std::string_view token) {
  const Result<Turn> turn = parse_turn(token);
  if (!turn) return tl::unexpected(turn.error());
  if (position_.owed == 0 || turn->kind == Turn::Kind::shoot) return go_on(*turn, token);
  Turn declined;
  declined.kind = Turn::Kind::shoot;
  declined.declined = true;
  TokenGame next = *this;
  if (!next.go_on(declined, token)) return go_on(*turn, token);
  Result<void> played = next.go_on(*turn, token);
  if (played) *this = next;
  return played;
}

Result<void> TokenGame::go_on(const Turn& turn, std::string_view token) {
  const std::optional<Turn> so_far = begun_ ? continued(*begun_, turn) : turn;
  if (so_far && !why_illegal(rules_, before_, *so_far)) {
    position_ = before_ = mtb::play(rules_, before_, *so_far);
    begun_.reset();
    return {};
  }
  // The beginning of a turn whose other shots come as tokens of their own.
  const std::uint8_t most = so_far ? most_shots(rules_, before_, *so_far) : std::uint8_t{0};
  if (most == 0) {
    const auto reason = why_illegal(rules_, position_, turn);
    return fail(Fault::bad_input, quoted(token) + " cannot be played: " +
                                      reason.value_or("the turn has had all its shots"));
  }
  position_ = mtb::play(rules_, before_, *so_far);
  position_.side = before_.side;
  position_.owed = static_cast<std::uint8_t>(most - so_far->shot_count);
  // The ply is not over; a shot has started the clock again already.
  if (so_far->shot_count == 0) position_.clock = before_.clock;
  begun_ = so_far;
  return {};
}

}  // namespace mtb
