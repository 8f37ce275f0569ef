#include "game/why_illegal.h"

#include <algorithm>
#include <vector>

namespace mtb {
namespace {

class Reasons {
 public:
  Reasons(const RuleSet& rules, const Position& position, const Turn& turn, Coordinates coordinates)
      : rules_(rules),
        position_(position),
        turn_(turn),
        coordinates_(coordinates),
        legal_(legal_turns(rules, position)) {}

  std::optional<std::string> reason() const {
    if (std::ranges::find(legal_, turn_) != legal_.end()) return std::nullopt;
    if (verdict(rules_, position_) != Verdict::open) return "the game is over";
    if (legal_.front().kind != turn_.kind) return wrong_kind();
    if (std::ranges::none_of(legal_, [&](const Turn& turn) { return same_move(turn); })) {
      return turn_.kind == Turn::Kind::place ? taken(turn_.to) : wrong_move();
    }
    return wrong_shots();
  }

 private:
  std::string name(Point p) const { return to_string(p, coordinates_); }
  std::string taken(Point p) const { return name(p) + " is taken"; }
  bool same_move(const Turn& turn) const { return turn.from == turn_.from && turn.to == turn_.to; }

  std::string wrong_kind() const {
    switch (legal_.front().kind) {
      case Turn::Kind::place:
        return "there are cows in hand to be placed";
      case Turn::Kind::move:
        return turn_.kind == Turn::Kind::place  ? "there is no cow in hand to be placed"
               : turn_.kind == Turn::Kind::pass ? "a player who can move may not pass"
                                                : "no shot is owed";
      case Turn::Kind::pass:
        return "no cow can move, and the turn is passed: --";
      case Turn::Kind::shoot:
        return "a shot is owed";
    }
    return "";
  }

  std::string wrong_move() const {
    const PointSet mover = position_.mover();
    if (!mover.contains(turn_.from)) return "the player has no cow on " + name(turn_.from);
    if (!position_.free_points().contains(turn_.to)) return taken(turn_.to);
    const bool flies = mover.size() <= rules_.fly_at;
    const auto& neighbours =
        board(rules_.diagonals).neighbours[static_cast<std::size_t>(index(turn_.from))];
    if (!flies && !neighbours.contains(turn_.to)) {
      return name(turn_.to) + " is not next to " + name(turn_.from) +
             (rules_.fly_at == 0 ? "" : ", and the player has too many cows to fly");
    }
    return "the ban on re-forming a mill forbids it";
  }

  std::string wrong_shots() const {
    std::size_t most = 0;
    std::size_t least = turn_.shots.size();
    PointSet targets;
    for (const Turn& turn : legal_) {
      if (!same_move(turn)) continue;
      most = std::max<std::size_t>(most, turn.shot_count);
      if (!turn.declined) least = std::min<std::size_t>(least, turn.shot_count);
      for (std::size_t i = 0; i < turn.shot_count; ++i) targets = targets.with(turn.shots[i]);
    }
    const std::size_t shots = turn_.shot_count;
    if (shots > most) return most == 0 ? "no shot is earned" : "too many shots";
    for (std::size_t i = 0; i < shots; ++i) {
      const Point shot = turn_.shots[i];
      if (!position_.opponent().contains(shot)) {
        return "the opponent has no cow on " + name(shot);
      }
      if (!targets.contains(shot)) return name(shot) + " stands in a mill and may not be shot";
    }
    if (shots < least) {
      if (turn_.declined) return "a shot may not be declined";
      return least == 1 ? "it closes a mill, and a shot has to follow (x and a point)"
                        : std::to_string(least) + " shots are earned";
    }
    return turn_.declined ? "no shot is left to be declined" : "these shots may not be taken so";
  }

  const RuleSet& rules_;
  const Position& position_;
  const Turn& turn_;
  Coordinates coordinates_;
  std::vector<Turn> legal_;
};

}  // namespace

std::optional<std::string> why_illegal(const RuleSet& rules, const Position& position,
                                       const Turn& turn, Coordinates coordinates) {
  return Reasons(rules, position, turn, coordinates).reason();
}

}  // namespace mtb
