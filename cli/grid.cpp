#include "cli/grid.h"

#include <algorithm>

#include "grade/score.h"

namespace mtb::cli {
namespace {

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "";
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

/// For a terminal, which may obey control characters.
std::string shown_text(const Json& cell) {
  std::string text = cell_text(cell);
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, ' ');
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string to_csv(const Grid& grid) {
  std::string text;
  const auto add = [&](std::size_t column, const std::string& cell) {
    text += (column == 0 ? "" : ",") + csv_cell(cell);
    if (column + 1 == grid.titles.size()) text += '\n';
  };
  for (std::size_t i = 0; i < grid.titles.size(); ++i) add(i, grid.titles[i]);
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) add(i, cell_text(row[i]));
  }
  return text;
}

std::string to_columns(const Grid& grid) {
  const std::size_t columns = grid.titles.size();
  std::vector<std::size_t> widths;
  std::vector<bool> of_words(columns, false);
  for (const std::string& title : grid.titles) widths.push_back(title.size());
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < columns; ++i) {
      widths[i] = std::max(widths[i], shown_text(row[i]).size());
      if (row[i].is_string()) of_words[i] = true;
    }
  }
  std::string text;
  const auto add = [&](std::size_t column, const std::string& cell) {
    const std::string blanks(widths[column] - cell.size(), ' ');
    const bool last = column + 1 == columns;
    if (column > 0) text += "  ";
    if (of_words[column]) {
      text += cell + (last ? "" : blanks);
    } else {
      text += blanks + cell;
    }
    if (last) text += '\n';
  };
  for (std::size_t i = 0; i < columns; ++i) add(i, grid.titles[i]);
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < columns; ++i) add(i, shown_text(row[i]));
  }
  return text;
}

}  // namespace

void add_rate(std::vector<Json>& row, std::uint64_t hits, std::uint64_t trials) {
  row.push_back(value_or_null(rounded(rate_of(hits, trials))));
  const auto [low, high] = interval_of_rate(hits, trials);
  for (const double end : {low, high}) row.push_back(trials == 0 ? Json() : Json(rounded(end)));
}

Json to_json(const Grid& grid) {
  Json array = Json::array();
  for (const auto& row : grid.rows) {
    Json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[grid.titles[i]] = row[i];
    array.push_back(std::move(object));
  }
  return array;
}

std::string to_string(const Grid& grid, GridFormat format) {
  switch (format) {
    case GridFormat::csv:
      return to_csv(grid);
    case GridFormat::json:
      return to_json(grid).dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
    case GridFormat::text:
      break;
  }
  return to_columns(grid);
}

}  // namespace mtb::cli
