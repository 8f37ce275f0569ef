// The part of the C interface (mtb.h) that needs no tables: statuses, values, positions and texts.
#include "probe/c_convert.h"

#include <array>
#include <string>

#include "game/notation.h"

namespace mtb::c {
namespace {

bool is_point(int number) { return number >= 0 && number < MTB_POINTS; }

std::int8_t to_c(Point point) { return static_cast<std::int8_t>(index(point)); }

mtb_status write_text(char* field, std::size_t capacity, std::string_view text) {
  if (text.size() >= capacity) return MTB_TOO_SMALL;
  text.copy(field, text.size());
  field[text.size()] = '\0';
  return MTB_OK;
}

mtb_status write_position(const mtb_position* given, char* text, std::size_t capacity,
                          std::string (*write)(const Position&)) noexcept {
  if (text != nullptr && capacity != 0) text[0] = '\0';
  return guarded(nullptr, [&] {
    if (given == nullptr || text == nullptr) return null_argument(nullptr);
    Position position;
    const bool overlaps = (given->cows[0] & given->cows[1]) != 0;
    if (overlaps || convert(*given, position) != nullptr) {
      return static_cast<mtb_status>(MTB_ILLEGAL_POSITION);
    }
    return write_text(text, capacity, write(position));
  });
}

}  // namespace

mtb_status failed(mtb_message* message, mtb_status status, std::string_view text) {
  if (message != nullptr) copy_text(message->text, text);
  return status;
}

mtb_status failed(mtb_message* message, mtb_status status) {
  return failed(message, status, mtb_status_text(status));
}

mtb_status failed(mtb_message* message, const Error& error, mtb_status bad_input) {
  return failed(message, status_of(error.fault, bad_input), error.message);
}

mtb_status null_argument(mtb_message* message) {
  return failed(message, MTB_BAD_ARGUMENT, "a pointer that is needed is null");
}

mtb_status status_of(Fault fault, mtb_status bad_input) {
  switch (fault) {
    case Fault::bad_input:
      return bad_input;
    case Fault::not_found:
      return MTB_NO_TABLE;
    case Fault::not_supported:
      return MTB_OUT_OF_SCOPE;
    case Fault::damaged:
      return MTB_CORRUPT;
    case Fault::foreign:
      return MTB_WRONG_RULES;
    case Fault::system:
      return MTB_IO_ERROR;
    case Fault::out_of_memory:
      return MTB_OUT_OF_MEMORY;
    case Fault::too_many_files:
      return MTB_TOO_MANY_FILES;
    case Fault::not_cached:
      return MTB_NOT_CACHED;
    case Fault::stopped:
      return MTB_ABORTED;
  }
  return MTB_INTERNAL;
}

int to_c(Outcome outcome) { return MTB_WIN - static_cast<int>(outcome); }

int to_c(ClockUse clock) {
  switch (clock) {
    case ClockUse::none:
      return MTB_CLOCK_NONE;
    case ClockUse::ignored:
      return MTB_CLOCK_IGNORED;
    case ClockUse::applied:
      return MTB_CLOCK_APPLIED;
  }
  return MTB_CLOCK_NONE;
}

mtb_value to_c(const Evaluation& value) {
  const auto plies = [](const std::optional<std::uint32_t>& distance) {
    return distance ? static_cast<std::int32_t>(*distance) : -1;
  };
  return {to_c(value.outcome), plies(value.dtw), plies(value.dtc), to_c(value.clock)};
}

mtb_sector to_c(Sector sector) {
  return {sector.mover, sector.opponent, sector.mover_hand, sector.opponent_hand};
}

std::optional<Metric> metric_of(mtb_metric metric) {
  if (metric < 0 || metric >= static_cast<int>(kMetrics)) return std::nullopt;
  return kAllMetrics[static_cast<std::size_t>(metric)];
}

const char* convert(const mtb_position& from, Position& to) {
  if (((from.cows[0] | from.cows[1]) >> MTB_POINTS) != 0) {
    return "a set of cows has a bit above the 24 points";
  }
  if (from.hand[0] > kMaxCows || from.hand[1] > kMaxCows) {
    return "more than twelve cows are in hand";
  }
  if (from.side > 1) return "the side to move is neither white (0) nor black (1)";
  if (from.owed > 3) return "more than three shots are owed";
  to.cows = {PointSet(from.cows[0]), PointSet(from.cows[1])};
  to.hand = {from.hand[0], from.hand[1]};
  to.side = static_cast<Colour>(from.side);
  to.owed = from.owed;
  to.clock = from.clock;
  to.ban = {};
  for (const Colour c : {Colour::white, Colour::black}) {
    const auto i = static_cast<std::size_t>(c);
    const int ban_from = from.ban_from[i];
    const int ban_to = from.ban_to[i];
    if (ban_from == -1 && ban_to == -1) continue;
    if (!is_point(ban_from) || !is_point(ban_to) || ban_from == ban_to) {
      return "a ban is neither two different points (0..23) nor -1 twice";
    }
    to.ban[c] = Ban{point(ban_from), point(ban_to)};
  }
  return nullptr;
}

mtb_position to_c(const Position& position) {
  mtb_position to;
  mtb_position_init(&to);
  for (const Colour c : {Colour::white, Colour::black}) {
    const auto i = static_cast<std::size_t>(c);
    to.cows[i] = position.cows[c].bits();
    to.hand[i] = position.hand[c];
    if (const auto& ban = position.ban[c]) {
      to.ban_from[i] = static_cast<std::int8_t>(index(ban->from));
      to.ban_to[i] = static_cast<std::int8_t>(index(ban->to));
    }
  }
  to.side = static_cast<std::uint8_t>(position.side);
  to.owed = position.owed;
  to.clock = position.clock;
  return to;
}

mtb_turn to_c(const Turn& turn) {
  mtb_turn to = {static_cast<std::uint8_t>(turn.kind), -1, -1, {-1, -1, -1}, turn.declined, 0};
  const bool moves = turn.kind == Turn::Kind::move;
  if (moves) to.from = to_c(turn.from);
  if (moves || turn.kind == Turn::Kind::place) to.to = to_c(turn.to);
  for (std::size_t i = 0; i < turn.shot_count; ++i) to.shots[i] = to_c(turn.shots[i]);
  return to;
}

std::optional<Turn> convert(const mtb_turn& from) {
  if (from.kind > MTB_SHOOT || from.declined > 1) return std::nullopt;
  Turn to;
  to.kind = static_cast<Turn::Kind>(from.kind);
  to.declined = from.declined != 0;
  const bool moves = to.kind == Turn::Kind::move;
  const bool goes = moves || to.kind == Turn::Kind::place;
  if (moves ? !is_point(from.from) : from.from != -1) return std::nullopt;
  if (goes ? !is_point(from.to) : from.to != -1) return std::nullopt;
  if (moves) to.from = point(from.from);
  if (goes) to.to = point(from.to);
  while (to.shot_count < 3 && is_point(from.shots[to.shot_count])) {
    to.shots[to.shot_count] = point(from.shots[to.shot_count]);
    ++to.shot_count;
  }
  for (std::size_t i = to.shot_count; i < 3; ++i) {
    if (from.shots[i] != -1) return std::nullopt;
  }
  return to;
}

}  // namespace mtb::c

// ---- Of the interface; what each function does is said in mtb.h

using namespace mtb::c;

const char* mtb_version(void) { return MTB_VERSION_TEXT; }

const char* mtb_status_text(mtb_status status) {
  switch (status) {
    case MTB_OK:
      return "All is well.";
    case MTB_NO_TABLE:
      return "A table, folder or file that is needed is not there.";
    case MTB_OUT_OF_SCOPE:
      return "No table of this version can answer this.";
    case MTB_ILLEGAL_POSITION:
      return "The position cannot be under the rules.";
    case MTB_ILLEGAL_TURN:
      return "The turn is not legal in the position.";
    case MTB_WRONG_RULES:
      return "The table belongs to other rules, another format version or another file name.";
    case MTB_NOT_CACHED:
      return "The answer is not in the cache.";
    case MTB_CORRUPT:
      return "A table is damaged.";
    case MTB_IO_ERROR:
      return "The operating system refused to read a table.";
    case MTB_TOO_MANY_FILES:
      return "Too many files are open.";
    case MTB_OUT_OF_MEMORY:
      return "There is not enough memory.";
    case MTB_ABORTED:
      return "The caller stopped the work.";
    case MTB_BAD_ARGUMENT:
      return "An argument is missing or out of range.";
    case MTB_TOO_SMALL:
      return "The array or buffer is too small for all of the answer.";
    case MTB_INTERNAL:
      return "The library is at fault.";
    default:
      return "There is no such status.";
  }
}

const char* mtb_outcome_text(int outcome) {
  if (outcome < MTB_LOSS || outcome > MTB_WIN) return "unknown";
  return mtb::to_string(static_cast<mtb::Outcome>(MTB_WIN - outcome)).data();
}

void mtb_position_init(mtb_position* position) {
  if (position == nullptr) return;
  *position = {};
  for (std::size_t i = 0; i < 2; ++i) position->ban_from[i] = position->ban_to[i] = -1;
}

mtb_status mtb_position_parse(const char* text, mtb_position* position, mtb_message* message) {
  mtb_position_init(position);
  return guarded(message, [&] {
    if (text == nullptr || position == nullptr) return null_argument(message);
    const mtb::Result<mtb::Position> parsed = mtb::parse_position(text);
    if (!parsed) return failed(message, parsed.error(), MTB_BAD_ARGUMENT);
    *position = to_c(*parsed);
    return static_cast<mtb_status>(MTB_OK);
  });
}

mtb_status mtb_position_format(const mtb_position* position, char* text, size_t capacity) {
  return write_position(position, text, capacity,
                        [](const mtb::Position& p) { return mtb::to_string(p); });
}

mtb_status mtb_position_fen(const mtb_position* position, char* text, size_t capacity) {
  return write_position(position, text, capacity, mtb::to_fen);
}

mtb_status mtb_turn_format(const mtb_turn* given, char* text, size_t capacity) {
  if (text != nullptr && capacity != 0) text[0] = '\0';
  return guarded(nullptr, [&] {
    if (given == nullptr || text == nullptr) return null_argument(nullptr);
    const std::optional<mtb::Turn> turn = convert(*given);
    if (!turn) return static_cast<mtb_status>(MTB_BAD_ARGUMENT);
    return write_text(text, capacity, mtb::to_string(*turn));
  });
}
