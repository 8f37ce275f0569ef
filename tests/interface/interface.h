// What the tests of the C interface share: shipped tables, and the same thing in both languages.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>

#include "game/notation.h"
#include "game/position.h"
#include "game/turns.h"
#include "probe/mtb.h"
#include "probe/tablebase.h"
#include "tests/rules_named.h"

namespace mtb::tests {

struct Closer {
  void operator()(mtb_tablebase* base) const { mtb_close(base); }
};
using Handle = std::unique_ptr<mtb_tablebase, Closer>;

inline std::string shipped(const std::string& rules) {
  return std::string(MTB_DATA_DIR) + "/tables/" + rules;
}

/// Fails the test, and is null, when the list cannot be opened.
inline Handle opened(const std::string& path_list, const mtb_options* options = nullptr) {
  mtb_tablebase* base = nullptr;
  mtb_message message;
  const mtb_status status = mtb_open(path_list.c_str(), options, &base, &message);
  EXPECT_EQ(status, MTB_OK) << message.text;
  EXPECT_STREQ(message.text, "");
  return Handle(base);
}

inline mtb_options defaults() {
  mtb_options options;
  mtb_options_init(&options, sizeof options);
  return options;
}

/// The position that a text of a test stands for.
inline mtb_position parsed(const std::string& text) {
  mtb_position position;
  mtb_message message;
  EXPECT_EQ(mtb_position_parse(text.c_str(), &position, &message), MTB_OK) << message.text;
  return position;
}

inline mtb_position to_c(const Position& position) {
  mtb_position to;
  mtb_position_init(&to);
  for (const Colour c : {Colour::white, Colour::black}) {
    const auto i = static_cast<std::size_t>(c);
    to.cows[i] = position.cows[c].bits();
    to.hand[i] = position.hand[c];
    if (!position.ban[c]) continue;
    to.ban_from[i] = static_cast<std::int8_t>(index(position.ban[c]->from));
    to.ban_to[i] = static_cast<std::int8_t>(index(position.ban[c]->to));
  }
  to.side = position.side == Colour::white ? MTB_WHITE : MTB_BLACK;
  to.owed = position.owed;
  to.clock = position.clock;
  return to;
}

inline int to_c(Outcome outcome) {
  switch (outcome) {
    case Outcome::win:
      return MTB_WIN;
    case Outcome::clock_win:
      return MTB_CLOCK_WIN;
    case Outcome::draw:
      return MTB_DRAW;
    case Outcome::clock_loss:
      return MTB_CLOCK_LOSS;
    case Outcome::loss:
      return MTB_LOSS;
  }
  return MTB_UNKNOWN;
}

/// In the words of `d6-d5xb4`.
inline std::string to_text(const mtb_turn& turn) {
  char text[MTB_TEXT_BYTES];
  EXPECT_EQ(mtb_turn_format(&turn, text, sizeof text), MTB_OK);
  return text;
}

inline bool is_unknown(const mtb_value& value) {
  return value.outcome == MTB_UNKNOWN && value.dtw == -1 && value.dtc == -1;
}

/// Positions with up to four cows a side, with everything a position can have; some cannot be.
class SmallPositions {
 public:
  explicit SmallPositions(std::uint32_t seed) : random_(seed) {}

  Position next() {
    Position position;
    PointSet free = PointSet::all();
    for (const Colour c : {Colour::white, Colour::black}) {
      for (int cows = 3 + below(2) - (below(8) == 0); cows > 0; --cows) {
        const Point p = pick(free);
        free = free.without(p);
        position.cows[c] = position.cows[c].with(p);
      }
    }
    position.side = below(2) == 0 ? Colour::white : Colour::black;
    if (below(6) == 0) position.owed = static_cast<std::uint8_t>(1 + below(2));
    if (below(3) == 0) position.clock = static_cast<std::uint16_t>(below(60));
    for (const Colour c : {Colour::white, Colour::black}) {
      if (below(4) == 0) position.ban[c] = Ban{pick(position.cows[c]), pick(free)};
    }
    return position;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  Point pick(PointSet set) {
    int skipped = below(set.size());
    for (const Point p : set) {
      if (skipped-- == 0) return p;
    }
    return {};
  }

  std::mt19937 random_;
};

}  // namespace mtb::tests
