#include "game/sector.h"

#include <optional>

#include "game/rule_set.h"
#include "game/text.h"

namespace mtb {
namespace {

/// Takes a number of at most two digits, without leading zeros, off the front of `text`: every
/// sector has one name only.
std::optional<std::uint8_t> take_number(std::string_view& text) {
  std::size_t length = 0;
  int value = 0;
  while (length < text.size() && length < 2 && text[length] >= '0' && text[length] <= '9') {
    value = 10 * value + (text[length] - '0');
    ++length;
  }
  if (length == 0 || (length == 2 && text[0] == '0')) return std::nullopt;
  text.remove_prefix(length);
  return static_cast<std::uint8_t>(value);
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text[0] != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes `MvO` off the front.
bool take_counts(std::string_view& text, std::uint8_t& mover, std::uint8_t& opponent) {
  const auto first = take_number(text);
  if (!first || !take(text, 'v')) return false;
  const auto second = take_number(text);
  if (!second) return false;
  mover = *first;
  opponent = *second;
  return true;
}

}  // namespace

std::string to_string(Sector sector) {
  std::string text = std::to_string(sector.mover) + 'v' + std::to_string(sector.opponent);
  if (sector.has_hands()) {
    text += '+' + std::to_string(sector.mover_hand) + 'v' + std::to_string(sector.opponent_hand);
  }
  return text;
}

Result<Sector> parse_sector(std::string_view text) {
  Sector sector;
  std::string_view rest = text;
  const bool read = take_counts(rest, sector.mover, sector.opponent) &&
                    (rest.empty() || (take(rest, '+') &&
                                      take_counts(rest, sector.mover_hand, sector.opponent_hand) &&
                                      sector.has_hands() && rest.empty()));
  if (!read) {
    return fail(Fault::bad_input,
                "sector " + quoted(text) + " is not of the form 5v4 or 5v4+3v2 (board+hand)");
  }
  if (sector.mover + sector.mover_hand > kMaxCows ||
      sector.opponent + sector.opponent_hand > kMaxCows) {
    return fail(Fault::bad_input, "sector " + quoted(text) + " has more than " +
                                      std::to_string(kMaxCows) + " cows on a side");
  }
  return sector;
}

}  // namespace mtb
