// Game records: bracketed tags, then numbered turns with comments in braces.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/result.h"

namespace mtb {

/// A turn as it is written, with what is written behind it.
struct RecordedTurn {
  std::string text;      ///< one token; shots that follow as tokens of their own are joined to it
  std::size_t line = 0;  ///< of the file, from 1
  std::string comment;   ///< without its braces; several are joined by a blank
  /// Marks (`!`, `?!`, `$4`) and variations in parentheses, as they are written.
  std::string asides = {};
};

struct GameRecord {
  std::vector<std::pair<std::string, std::string>> tags;  ///< in the order of the file
  std::vector<RecordedTurn> turns;
  std::string comment;   ///< before the first turn
  std::string result;    ///< `1-0`, `0-1`, `1/2-1/2`, `*`; empty when nothing is said
  std::size_t line = 0;  ///< where it begins, from 1

  /// The value of the first tag of that name; null when there is none.
  const std::string* tag(std::string_view name) const;
};

/// Reads records one after another; holds one at a time. Nothing is known of rules here: what the
/// turns mean, and whether they are legal, is found out by who replays them.
class RecordReader {
 public:
  /// `in` is read from where it stands; it must outlive the reader.
  explicit RecordReader(std::istream& in) : in_(in) {}

  /// The next record; nothing at the end of the file, or when it cannot be read any further.
  /// Error: bad_input, with the line, for a record that is broken (a tag, comment or variation
  /// without end; a record of more than a mebibyte); the next call goes on with the record after
  /// it, that is, at the next line that begins with a tag and follows one that does not. A comment
  /// or variation without end is known by a tag after an empty line.
  std::optional<Result<GameRecord>> next();

 private:
  bool read_line();
  Result<void> take_line(GameRecord& record);
  Result<void> take_tag(GameRecord& record);
  void take_enclosed(GameRecord& record);
  void take_comment(std::string& into);
  void take_variation(std::string& into);
  void take_token(GameRecord& record, std::string_view token);
  void skip_to_next_record();
  bool ends_here(const GameRecord& record) const;
  Error without_end();
  bool is_within() const { return in_comment_ || open_variations_ > 0; }

  std::istream& in_;
  std::vector<char> text_;  ///< the line in work
  std::string_view rest_;   ///< what is left of it
  std::size_t line_ = 0;
  std::size_t bytes_ = 0;     ///< of the lines of the record in work
  bool is_too_long_ = false;  ///< the line in work, of which nothing is there
  bool is_empty_ = false;     ///< the line in work, as it was read
  bool is_tag_ = false;       ///< it begins with a tag
  bool after_empty_ = true;   ///< the line in work follows an empty one
  bool after_tag_ = false;    ///< it follows one that begins with a tag
  bool in_comment_ = false;
  int open_variations_ = 0;
  std::size_t opened_line_ = 0;  ///< of the comment or outermost variation
  bool ended_ = false;           ///< the record in work has said its result
};

/// Writes a record as RecordReader reads it: a line for each tag, an empty one, the turns in lines
/// of at most 80 characters where comments allow it, the result, an empty line. `first_black`: the
/// first turn is Black's.
std::string to_string(const GameRecord& record, bool first_black = false);

}  // namespace mtb
