#include "game/record.h"

#include <algorithm>
#include <array>

#include "game/text.h"

namespace mtb {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::array<std::string_view, 4> kResults = {"1-0", "0-1", "1/2-1/2", "*"};
constexpr std::size_t kLineWidth = 80;

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// Length of the number of a turn, `12.` or `12...`, that a token begins with: it says nothing that
/// the turn's place does not. Digits without a point may be a point of the board.
std::size_t number_prefix(std::string_view token) {
  const std::size_t digits = std::min(token.find_first_not_of("0123456789"), token.size());
  if (digits == 0 || digits == token.size() || token[digits] != '.') return 0;
  return std::min(token.find_first_not_of('.', digits), token.size());
}

Error broken(std::size_t line, std::string_view what) {
  return {Fault::bad_input, "line " + std::to_string(line) + ": " + std::string(what)};
}

}  // namespace

const std::string* GameRecord::tag(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tags, [&](const auto& entry) { return entry.first == name; });
  return found == tags.end() ? nullptr : &found->second;
}

bool RecordReader::read_line() {
  if (!std::getline(in_, text_)) return false;
  ++line_;
  rest_ = text_;
  // A file from Windows may begin with the mark of its encoding.
  if (line_ == 1 && rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  if (!in_comment_) skip_blanks(rest_);
  return true;
}

/// Whether what comes next belongs to another record: a tag after turns, or anything but remarks
/// after a result.
bool RecordReader::ends_here(const GameRecord& record) const {
  if (in_comment_ || rest_.empty()) return false;
  if (ended_) return rest_.front() != '{' && rest_.front() != ';';
  return rest_.front() == '[' && !(record.turns.empty() && record.comment.empty());
}

void RecordReader::skip_to_next_record() {
  in_comment_ = false;
  rest_ = {};
  while (read_line() && !rest_.starts_with('[')) {
  }
}

std::optional<Result<GameRecord>> RecordReader::next() {
  GameRecord record;
  ended_ = false;
  for (;;) {
    if (rest_.empty() && !read_line()) break;
    if (ends_here(record)) return record;
    if (record.line == 0 && !rest_.empty()) record.line = line_;
    if (Result<void> taken = take_line(record); !taken) {
      Error error = taken.error();
      skip_to_next_record();
      return tl::unexpected(std::move(error));
    }
  }
  if (in_comment_) {
    in_comment_ = false;
    return tl::unexpected(broken(comment_line_, "the comment that begins here has no end"));
  }
  if (record.line == 0) return std::nullopt;
  return record;
}

/// Takes from the line in work up to its end, or to a tag that begins another record.
Result<void> RecordReader::take_line(GameRecord& record) {
  while (!rest_.empty() && !ends_here(record)) {
    if (in_comment_ || rest_.front() == '{') {
      if (!take_comment(record)) return {};
    } else if (rest_.front() == '[') {
      if (Result<void> taken = take_tag(record); !taken) return taken;
    } else if (rest_.front() == ';') {
      rest_ = {};  // a remark to the end of the line
    } else if (rest_.front() == '}' || rest_.front() == ']') {
      return tl::unexpected(broken(line_, quoted(rest_) + " closes what was not opened"));
    } else {
      const std::string_view token =
          rest_.substr(0, std::min(rest_.find_first_of(" \t\r\n\v\f{[;"), rest_.size()));
      rest_.remove_prefix(token.size());
      take_token(record, token);
    }
    if (!in_comment_) skip_blanks(rest_);
  }
  return {};
}

Result<void> RecordReader::take_tag(GameRecord& record) {
  const auto wrong = [&] {
    return tl::unexpected(broken(line_, "a tag is written [Name \"value\"], not " + quoted(text_)));
  };
  rest_.remove_prefix(1);
  skip_blanks(rest_);
  const std::size_t name_end = rest_.find_first_of(" \t\"]");
  if (name_end == 0 || name_end == std::string_view::npos) return wrong();
  const std::string name(rest_.substr(0, name_end));
  rest_.remove_prefix(name_end);
  skip_blanks(rest_);
  if (rest_.empty() || rest_.front() != '"') return wrong();
  rest_.remove_prefix(1);
  std::string value;
  while (!rest_.empty() && rest_.front() != '"') {
    if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
    value += rest_.front();
    rest_.remove_prefix(1);
  }
  if (rest_.empty()) return wrong();
  rest_.remove_prefix(1);
  skip_blanks(rest_);
  if (rest_.empty() || rest_.front() != ']') return wrong();
  rest_.remove_prefix(1);
  record.tags.emplace_back(name, std::move(value));
  return {};
}

/// Returns whether the comment ends in this line.
bool RecordReader::take_comment(GameRecord& record) {
  std::string& into = record.turns.empty() ? record.comment : record.turns.back().comment;
  if (!in_comment_) {
    rest_.remove_prefix(1);
    in_comment_ = true;
    comment_line_ = line_;
  }
  const std::size_t end = std::min(rest_.find('}'), rest_.size());
  for (const std::string_view word : split_blanks(rest_.substr(0, end))) {
    if (!into.empty()) into += ' ';
    into += word;
  }
  const bool closed = end < rest_.size();
  rest_.remove_prefix(closed ? end + 1 : end);
  in_comment_ = !closed;
  return closed;
}

void RecordReader::take_token(GameRecord& record, std::string_view token) {
  if (std::ranges::find(kResults, token) != kResults.end()) {
    record.result = token;
    ended_ = true;
    return;
  }
  token.remove_prefix(number_prefix(token));
  if (token.empty()) return;
  // Some programs write each shot as a token of its own.
  if (token.starts_with('x') && !record.turns.empty()) {
    record.turns.back().text += token;
    return;
  }
  record.turns.push_back({std::string(token), line_, {}});
}

std::string to_string(const GameRecord& record, bool first_black) {
  std::string text;
  for (const auto& [name, value] : record.tags) {
    text += '[' + name + " \"";
    for (const char c : value) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    text += "\"]\n";
  }
  if (!text.empty()) text += '\n';
  std::size_t width = 0;
  const auto add = [&](std::string_view words) {
    for (const std::string_view word : split_blanks(words)) {
      const bool fits = width + 1 + word.size() <= kLineWidth;
      if (width > 0) text += fits ? ' ' : '\n';
      width = width > 0 && fits ? width + 1 + word.size() : word.size();
      text += word;
    }
  };
  const auto add_comment = [&](const std::string& comment) {
    if (!comment.empty()) add('{' + comment + '}');
  };
  add_comment(record.comment);
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    const std::size_t ply = i + (first_black ? 1 : 0);
    const bool black = ply % 2 != 0;
    const std::string number = std::to_string(ply / 2 + 1);
    const bool again = black && (i == 0 || !record.turns[i - 1].comment.empty());
    if (!black) add(number + '.');
    if (again) add(number + "...");
    add(record.turns[i].text);
    add_comment(record.turns[i].comment);
  }
  add(record.result.empty() ? "*" : record.result);
  return text + "\n\n";
}

}  // namespace mtb
