// A position: everything that the rules need to know to go on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "game/board.h"
#include "game/result.h"
#include "game/rule_set.h"
#include "game/sector.h"

namespace mtb {

enum class Colour : std::uint8_t { white, black };

constexpr Colour other(Colour c) { return c == Colour::white ? Colour::black : Colour::white; }

/// One value for each colour.
template <class T>
class PerColour {
 public:
  constexpr PerColour() = default;
  constexpr PerColour(T white, T black) : values_{white, black} {}
  constexpr T& operator[](Colour c) { return values_[static_cast<std::size_t>(c)]; }
  constexpr const T& operator[](Colour c) const { return values_[static_cast<std::size_t>(c)]; }
  constexpr bool operator==(const PerColour&) const = default;

 private:
  std::array<T, 2> values_{};
};

/// A move that its player may not make on the next turn (RULES: re-forming bans): a cow that went
/// X-Y, breaking a mill at X and closing one at Y, leaves the ban {from = Y, to = X}.
/// A ban whose cow is no longer on `from` has lapsed.
struct Ban {
  Point from{};
  Point to{};
  bool operator==(const Ban&) const = default;
};

/// Plain value. Between turns `owed` is 0; after a mill and before its shots it is the number of
/// shots that the side to move still has.
struct Position {
  PerColour<PointSet> cows;
  PerColour<std::uint8_t> hand;
  Colour side = Colour::white;
  std::uint8_t owed = 0;
  PerColour<std::optional<Ban>> ban;
  std::uint16_t clock = 0;  ///< plies since the last shot, as the rule set's clock counts them

  PointSet mover() const { return cows[side]; }
  PointSet opponent() const { return cows[other(side)]; }
  PointSet free_points() const { return ~(cows[Colour::white] | cows[Colour::black]); }
  /// Cows on the board and in hand.
  int total(Colour c) const { return cows[c].size() + hand[c]; }
  Sector sector() const {
    return {static_cast<std::uint8_t>(mover().size()), static_cast<std::uint8_t>(opponent().size()),
            hand[side], hand[other(side)]};
  }
  bool operator==(const Position&) const = default;
};

/// The start of a game: an empty board, all cows in hand, White to move.
Position start_position(const RuleSet& rules);

/// The position with every cow mapped, bans included.
Position transformed(const Position& position, Symmetry symmetry);

/// The position with White and Black exchanged, the side to move too.
Position colours_swapped(const Position& position);

/// Checks what no rule set can make right: overlapping sets, more cows than the rules have, both
/// players below three, more shots owed than a turn can earn or shots owed without a cow that may
/// be shot, a ban onto an own cow. Error: bad_input, naming the reason.
Result<void> validate(const Position& position, const RuleSet& rules);

}  // namespace mtb
