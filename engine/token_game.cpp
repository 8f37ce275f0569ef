#include "engine/token_game.h"

#include <algorithm>

#include "game/notation.h"
#include "game/text.h"
#include "game/why_illegal.h"

namespace mtb {

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
  if (position_.owed != 0 && turn->kind != Turn::Kind::shoot) {
    Turn declined;
    declined.kind = Turn::Kind::shoot;
    declined.declined = true;
    if (!why_illegal(rules_, position_, declined)) {
      const Position before = position_;
      position_ = mtb::play(rules_, position_, declined);
      Result<void> played = play_turn(*turn, token);
      if (!played) position_ = before;
      return played;
    }
  }
  return play_turn(*turn, token);
}

Result<void> TokenGame::play_turn(const Turn& turn, std::string_view token) {
  if (!why_illegal(rules_, position_, turn)) {
    position_ = mtb::play(rules_, position_, turn);
    return {};
  }
  // The beginning of a turn whose other shots come as tokens of their own.
  std::uint8_t most = 0;
  for (const Turn& whole : legal_turns(rules_, position_)) {
    const bool begins =
        whole.kind == turn.kind && whole.from == turn.from && whole.to == turn.to &&
        !turn.declined && whole.shot_count > turn.shot_count &&
        std::equal(turn.shots.begin(), turn.shots.begin() + turn.shot_count, whole.shots.begin());
    if (begins) most = std::max(most, whole.shot_count);
  }
  if (most == 0) {
    return fail(Fault::bad_input,
                quoted(token) + " cannot be played: " + *why_illegal(rules_, position_, turn));
  }
  Position next = mtb::play(rules_, position_, turn);
  next.side = position_.side;
  next.owed = static_cast<std::uint8_t>(most - turn.shot_count);
  // The ply is not over.
  next.clock = position_.clock;
  position_ = next;
  return {};
}

}  // namespace mtb
