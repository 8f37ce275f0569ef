#include "game/record.h"

#include <algorithm>
#include <array>
#include <limits>

#include "game/text.h"

namespace mtb {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::string_view kTokenEnds = " \t\r\n\v\f{}[]();";
constexpr std::array<std::string_view, 4> kResults = {"1-0", "0-1", "1/2-1/2", "*"};
constexpr std::size_t kLineWidth = 80;
/// Of a record, and so of a line: thousands of turns with remarks.
constexpr std::size_t kLongestRecord = 1 << 20;

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

/// Adds words, with a blank between them and what is there.
void add_words(std::string& into, std::string_view words) {
  for (const std::string_view word : split_blanks(words)) {
    if (!into.empty()) into += ' ';
    into += word;
  }
}

}  // namespace

const std::string* GameRecord::tag(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tags, [&](const auto& entry) { return entry.first == name; });
  return found == tags.end() ? nullptr : &found->second;
}

bool RecordReader::read_line() {
  if (text_.empty()) text_.resize(kLongestRecord + 1);
  after_empty_ = line_ == 0 || is_empty_;
  after_tag_ = is_tag_;
  in_.getline(text_.data(), static_cast<std::streamsize>(text_.size()));
  auto length = static_cast<std::size_t>(in_.gcount());
  is_too_long_ = in_.fail() && !in_.bad() && !in_.eof() && length + 1 == text_.size();
  if (is_too_long_) {
    in_.clear();
    in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    length = 0;
  } else if (in_.fail()) {
    return false;
  } else if (!in_.eof()) {
    --length;  // the line break
  }
  ++line_;
  bytes_ += length;
  rest_ = {text_.data(), length};
  // A file from Windows may begin with the mark of its encoding.
  if (line_ == 1 && rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  // Such lines are for other programs.
  if (!is_within() && rest_.starts_with('%')) rest_ = {};
  std::string_view begin = rest_;
  skip_blanks(begin);
  is_empty_ = begin.empty() && !is_too_long_;
  is_tag_ = begin.starts_with('[');
  if (!is_within()) rest_ = begin;
  return true;
}

/// Whether what comes next belongs to another record: a tag after turns, or anything but remarks
/// after a result.
bool RecordReader::ends_here(const GameRecord& record) const {
  if (is_within()) return false;
  if (is_too_long_) return ended_;
  if (rest_.empty()) return false;
  if (ended_) return std::string_view("{;($").find(rest_.front()) == std::string_view::npos;
  return rest_.front() == '[' && !(record.turns.empty() && record.comment.empty());
}

void RecordReader::skip_to_next_record() {
  in_comment_ = false;
  open_variations_ = 0;
  rest_ = {};
  // The other tags of the record that is broken begin no record.
  while (read_line() && (!is_tag_ || after_tag_)) {
  }
}

Error RecordReader::without_end() {
  const std::string_view what = open_variations_ > 0 ? "variation" : "comment";
  in_comment_ = false;
  open_variations_ = 0;
  return broken(opened_line_, "the " + std::string(what) + " that begins here has no end");
}

std::optional<Result<GameRecord>> RecordReader::next() {
  GameRecord record;
  ended_ = false;
  for (;;) {
    if (rest_.empty() && !is_too_long_ && !read_line()) break;
    if (is_within() && is_tag_ && after_empty_) {
      skip_blanks(rest_);
      return tl::unexpected(without_end());
    }
    if (ends_here(record)) return record;
    if (record.line == 0) {
      bytes_ = rest_.size();
      if (bytes_ > 0 || is_too_long_) record.line = line_;
    }
    if (is_too_long_ || bytes_ > kLongestRecord) {
      const Error error =
          broken(line_, "the record is longer than " + std::to_string(kLongestRecord) +
                            " bytes; a line with a tag begins a new one");
      skip_to_next_record();
      return tl::unexpected(error);
    }
    if (Result<void> taken = take_line(record); !taken) {
      Error error = taken.error();
      skip_to_next_record();
      return tl::unexpected(std::move(error));
    }
  }
  if (is_within()) return tl::unexpected(without_end());
  if (record.line == 0) return std::nullopt;
  return record;
}

/// Takes from the line in work up to its end, or to a tag that begins another record.
Result<void> RecordReader::take_line(GameRecord& record) {
  while (!rest_.empty() && !ends_here(record)) {
    if (is_within() || rest_.front() == '{' || rest_.front() == '(') {
      take_enclosed(record);
    } else if (rest_.front() == '[') {
      if (Result<void> taken = take_tag(record); !taken) return taken;
    } else if (rest_.front() == ';') {
      rest_ = {};  // a remark to the end of the line
    } else if (std::string_view("}])").find(rest_.front()) != std::string_view::npos) {
      return tl::unexpected(broken(line_, quoted(rest_) + " closes what was not opened"));
    } else {
      const std::string_view token =
          rest_.substr(0, std::min(rest_.find_first_of(kTokenEnds), rest_.size()));
      rest_.remove_prefix(token.size());
      take_token(record, token);
    }
    if (!is_within()) skip_blanks(rest_);
  }
  return {};
}

Result<void> RecordReader::take_tag(GameRecord& record) {
  const std::string_view whole = rest_;
  const auto wrong = [&] {
    return tl::unexpected(broken(line_, "a tag is written [Name \"value\"], not " + quoted(whole)));
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
  const std::string* const before = record.tag(name);
  if (before != nullptr && *before != value) {
    return tl::unexpected(broken(line_, "the tag " + quoted(name) + " is given twice, as " +
                                            quoted(*before) + " and as " + quoted(value)));
  }
  if (before == nullptr) record.tags.emplace_back(name, std::move(value));
  return {};
}

/// Takes what is left of a comment or variation, or of the line.
void RecordReader::take_enclosed(GameRecord& record) {
  if (!is_within()) opened_line_ = line_;
  if (open_variations_ > 0 || (!in_comment_ && rest_.front() == '(')) {
    std::string before_all;  // a variation on nothing is left out
    take_variation(record.turns.empty() ? before_all : record.turns.back().asides);
  } else {
    take_comment(record.turns.empty() ? record.comment : record.turns.back().comment);
  }
}

void RecordReader::take_comment(std::string& into) {
  if (!in_comment_) rest_.remove_prefix(1);
  const std::size_t end = std::min(rest_.find('}'), rest_.size());
  add_words(into, rest_.substr(0, end));
  in_comment_ = end == rest_.size();
  rest_.remove_prefix(in_comment_ ? end : end + 1);
}

/// Variations may hold others, and comments, whose parentheses are no variations.
void RecordReader::take_variation(std::string& into) {
  std::size_t end = 0;
  do {
    const char c = rest_[end++];
    if (in_comment_) {
      in_comment_ = c != '}';
    } else if (c == '{') {
      in_comment_ = true;
    } else if (c == '(' || c == ')') {
      open_variations_ += c == '(' ? 1 : -1;
    }
  } while (open_variations_ > 0 && end < rest_.size());
  add_words(into, rest_.substr(0, end));
  rest_.remove_prefix(end);
}

void RecordReader::take_token(GameRecord& record, std::string_view token) {
  if (std::ranges::find(kResults, token) != kResults.end()) {
    record.result = token;
    ended_ = true;
    return;
  }
  token.remove_prefix(number_prefix(token));
  // `!`, `?!` and the like, or a mark by its number.
  const std::size_t marks = token.starts_with('$') ? 0 : token.find_last_not_of("!?") + 1;
  if (marks < token.size()) {
    if (marks > 0) take_token(record, token.substr(0, marks));
    if (!record.turns.empty()) add_words(record.turns.back().asides, token.substr(marks));
    return;
  }
  if (token.empty()) return;
  // Some programs write each shot as a token of its own.
  if (token.starts_with('x') && !record.turns.empty()) {
    record.turns.back().text += token;
    return;
  }
  record.turns.push_back({std::string(token), line_, {}, {}});
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
    const bool again = black && (i == 0 || !record.turns[i - 1].comment.empty() ||
                                 record.turns[i - 1].asides.ends_with(')'));
    if (!black) add(number + '.');
    if (again) add(number + "...");
    add(record.turns[i].text);
    add(record.turns[i].asides);
    add_comment(record.turns[i].comment);
  }
  add(record.result.empty() ? "*" : record.result);
  return text + "\n\n";
}

}  // namespace mtb
