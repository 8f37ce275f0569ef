#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/grid.h"
#include "cli/input_file.h"
#include "cli/json.h"
#include "cli/words.h"
#include "game/record.h"
#include "grade/graded_game.h"
#include "grade/score.h"

namespace mtb::cli {
namespace {

struct Options {
  TableArguments tables;
  std::vector<std::string> files;
  std::string coordinates = "standard";
  bool annotate = false;
  bool csv = false;
  bool json = false;
  std::size_t worst = 10;
};

/// A turn that threw an outcome away.
struct Mistake {
  std::string file;
  std::size_t game = 0;  ///< in its file, from 1
  std::string player;
  std::size_t move = 0;
  Position position;
  Turn turn;
  TurnGrade grade;

  /// The greatest first: outcomes, and then the nearer the win or the end that was there.
  bool is_worse_than(const Mistake& other) const {
    if (grade.outcomes_lost() != other.grade.outcomes_lost()) {
      return grade.outcomes_lost() > other.grade.outcomes_lost();
    }
    return grade.best.dtw < other.grade.best.dtw;
  }
};

/// All that is said about a player.
struct Player {
  std::uint64_t games = 0;
  Score score;
};

std::string word(Outcome outcome) { return std::string(mtb::to_string(outcome)); }

std::string value_text(const Evaluation& value) {
  std::string text = word(value.outcome);
  if (value.clock == ClockUse::applied && value.dtc) {
    text += ", shot in " + std::to_string(*value.dtc);
  } else if (value.dtw) {
    text += " in " + std::to_string(*value.dtw);
  }
  return text;
}

/// `win in 5 thrown away: draw; d6-d5 wins`, or that plies were lost; empty for a best turn.
std::string remark(const TurnGrade& grade, Coordinates coordinates) {
  const std::string better = mtb::to_string(grade.best_turn, coordinates);
  if (!grade.keeps_outcome()) {
    return value_text(grade.best) + " with " + better + ", now " + value_text(grade.played);
  }
  if (grade.plies_lost.value_or(0) == 0) return "";
  return std::to_string(*grade.plies_lost) +
         (grade.best.outcome < Outcome::draw ? " plies slower than "
                                             : " plies quicker lost than by ") +
         better;
}

class Grader {
 public:
  Grader(const Tablebase& base, const Options& options, Coordinates coordinates)
      : base_(base), options_(options), coordinates_(coordinates) {}

  Result<Exit> grade_files() {
    for (const std::string& file : options_.files) {
      Result<InputFile> input = InputFile::open(file);
      if (!input) return tl::unexpected(input.error());
      RecordReader reader(input->stream());
      for (std::size_t game = 1; std::cout; ++game) {
        const auto record = reader.next();
        if (!record) break;
        Result<void> graded =
            *record ? grade(file, game, **record) : tl::unexpected(record->error());
        if (graded) continue;
        if (graded.error().fault != Fault::bad_input) return tl::unexpected(graded.error());
        skip(file, graded.error());
      }
      if (auto error = input->failure()) return tl::unexpected(std::move(*error));
    }
    finish();
    return status_;
  }

 private:
  void skip(const std::string& file, const Error& error) {
    complain(file + ": " + error.message);
    status_ = graver(status_, Exit::usage);
    ++broken_;
  }

  Result<void> grade(const std::string& file, std::size_t number, const GameRecord& record) {
    const Result<GradedGame> game = grade_game(base_, record, coordinates_);
    if (!game) return tl::unexpected(game.error());
    std::set<std::string> met;
    for (std::size_t i = 0; i < game->turns.size(); ++i) {
      const GradedTurn& turn = game->turns[i];
      const std::string player = player_of(record, turn.before.side);
      Player& sums = players_[player];
      if (met.insert(player).second) ++sums.games;
      if (!turn.grade) {
        ++sums.score.ungraded;
      } else {
        sums.score.add(*turn.grade);
        if (!turn.grade->keeps_outcome()) {
          keep({file, number, player, move_of(*game, i), turn.before, turn.turn, *turn.grade});
        }
      }
    }
    ++games_;
    if (options_.annotate) std::cout << annotated(record, *game);
    if (options_.csv) print_rows(file, number, record, *game);
    if (options_.json) add_json(file, number, record, *game);
    if (game->illegal) skip(file, *game->illegal);
    return {};
  }

  static std::string player_of(const GameRecord& record, Colour side) {
    const std::string* name = record.tag(side == Colour::white ? "White" : "Black");
    return name == nullptr || name->empty() ? to_text(side) : *name;
  }

  static std::size_t move_of(const GradedGame& game, std::size_t turn) {
    const std::size_t first = game.turns.front().before.side == Colour::black ? 1 : 0;
    return (turn + first) / 2 + 1;
  }

  void keep(Mistake mistake) {
    const auto place =
        std::ranges::find_if(mistakes_, [&](const Mistake& m) { return mistake.is_worse_than(m); });
    mistakes_.insert(place, std::move(mistake));
    if (mistakes_.size() > options_.worst) mistakes_.pop_back();
  }

  std::string annotated(const GameRecord& record, const GradedGame& game) const {
    GameRecord with_remarks = record;
    const auto add = [](std::string& comment, const std::string& text) {
      if (!text.empty()) comment += (comment.empty() ? "" : "; ") + text;
    };
    for (std::size_t i = 0; i < game.turns.size(); ++i) {
      std::string& comment = with_remarks.turns[i].comment;
      if (game.turns[i].grade) add(comment, remark(*game.turns[i].grade, coordinates_));
      if (game.turns[i].repeats) add(comment, "the position was there twice before");
    }
    std::string end;
    if (game.illegal) {
      end = "not graded from here: " + game.illegal->message;
    } else if (game.verdict != Verdict::open) {
      end = how_it_ended(base_.rules(), game.last);
    }
    std::string& last =
        with_remarks.turns.empty() ? with_remarks.comment : with_remarks.turns.back().comment;
    add(last, end);
    const bool first_black = !game.turns.empty() && game.turns.front().before.side == Colour::black;
    return mtb::to_string(with_remarks, first_black);
  }

  Grid rows_of(const std::string& file, std::size_t number, const GameRecord& record,
               const GradedGame& game) const {
    Grid grid;
    grid.titles = {"file",     "game",       "move",       "player",  "turn",     "best_turn",
                   "outcome",  "played",     "turns",      "keeping", "best_dtc", "played_dtc",
                   "best_dtw", "played_dtw", "plies_lost", "repeats", "position"};
    for (std::size_t i = 0; i < game.turns.size(); ++i) {
      const GradedTurn& turn = game.turns[i];
      std::vector<Json> row = {file, number, move_of(game, i), player_of(record, turn.before.side),
                               mtb::to_string(turn.turn, coordinates_)};
      if (const auto& grade = turn.grade) {
        row.insert(row.end(), {mtb::to_string(grade->best_turn, coordinates_),
                               word(grade->best.outcome), word(grade->played.outcome), grade->turns,
                               grade->keeping, value_or_null(grade->best.dtc),
                               value_or_null(grade->played.dtc), value_or_null(grade->best.dtw),
                               value_or_null(grade->played.dtw), value_or_null(grade->plies_lost)});
      } else {
        row.insert(row.end(), 10, Json());
      }
      row.push_back(turn.repeats ? 1 : 0);
      row.push_back(mtb::to_string(turn.before, coordinates_));
      grid.rows.push_back(std::move(row));
    }
    return grid;
  }

  void print_rows(const std::string& file, std::size_t number, const GameRecord& record,
                  const GradedGame& game) {
    std::string text = to_string(rows_of(file, number, record, game), GridFormat::csv);
    // The titles once for all games.
    if (titles_printed_) text.erase(0, text.find('\n') + 1);
    titles_printed_ = true;
    std::cout << text;
  }

  void add_json(const std::string& file, std::size_t number, const GameRecord& record,
                const GradedGame& game) {
    Json json;
    json["file"] = file;
    json["game"] = number;
    for (const auto& [name, value] : record.tags) json["tags"][name] = value;
    json["turns"] = to_json(rows_of(file, number, record, game));
    json["end"] =
        game.verdict == Verdict::open ? Json() : Json(how_it_ended(base_.rules(), game.last));
    json["illegal"] = game.illegal ? Json(game.illegal->message) : Json();
    std::cout << (games_ == 1 ? "{\"games\": [\n" : ",\n")
              << json.dump(1, ' ', false, Json::error_handler_t::replace);
  }

  Grid player_grid() const {
    Grid grid;
    grid.titles = {"player", "games",    "graded", "ungraded", "decisions",
                   "kept",   "accuracy", "low",    "high",     "plies_lost"};
    for (const auto& [name, player] : players_) {
      const Score& score = player.score;
      const auto [low, high] = interval_of_rate(score.kept, score.decisions);
      grid.rows.push_back({name, player.games, score.graded, score.ungraded, score.decisions,
                           score.kept, rounded(score.accuracy()), rounded(low), rounded(high),
                           rounded(score.mean_plies_lost())});
    }
    return grid;
  }

  Grid mistake_grid() const {
    Grid grid;
    grid.titles = {"file", "game",      "move",   "player",  "turn",
                   "was",  "best_turn", "became", "position"};
    for (const Mistake& mistake : mistakes_) {
      grid.rows.push_back(
          {mistake.file, mistake.game, mistake.move, mistake.player,
           mtb::to_string(mistake.turn, coordinates_), value_text(mistake.grade.best),
           mtb::to_string(mistake.grade.best_turn, coordinates_), value_text(mistake.grade.played),
           mtb::to_string(mistake.position, coordinates_)});
    }
    return grid;
  }

  void finish() const {
    if (options_.json) {
      std::cout << (games_ == 0 ? "{\"games\": [" : "\n") << "],\n\"broken\": " << broken_
                << ",\n\"players\": " << to_string(player_grid(), GridFormat::json)
                << ",\"mistakes\": " << to_string(mistake_grid(), GridFormat::json) << "}\n";
    } else if (!options_.annotate && !options_.csv) {
      std::cout << to_string(player_grid(), GridFormat::text);
      if (!mistakes_.empty()) {
        std::cout << "\nWorst mistakes\n" << to_string(mistake_grid(), GridFormat::text);
      }
      if (broken_ > 0) std::cout << "\nRecords that are broken: " << broken_ << '\n';
    }
  }

  const Tablebase& base_;
  const Options& options_;
  Coordinates coordinates_;
  std::map<std::string, Player> players_;
  std::vector<Mistake> mistakes_;  ///< the worst first
  std::uint64_t games_ = 0;
  std::uint64_t broken_ = 0;
  bool titles_printed_ = false;
  Exit status_ = Exit::done;
};

Result<Exit> run(const Options& options) {
  const Result<Coordinates> coordinates = parse_coordinates(options.coordinates);
  if (!coordinates) return tl::unexpected(coordinates.error());
  return options.tables.open().and_then(
      [&](const Tablebase& base) { return Grader(base, options, *coordinates).grade_files(); });
}

}  // namespace

void add_grade_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("grade", "Grade the turns of recorded games");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->files, "Game records (- for standard input)")->required();
  options->tables.add_to(*command);
  command
      ->add_option("--coordinates", options->coordinates,
                   "How points are written: standard, mssa, numbers")
      ->capture_default_str();
  command->add_option("--worst", options->worst, "How many of the worst mistakes to show")
      ->capture_default_str();
  CLI::Option* annotate = command->add_flag("--annotate", options->annotate,
                                            "Write the records with what is to be said of turns");
  CLI::Option* csv =
      command->add_flag("--csv", options->csv, "A line for each turn")->excludes(annotate);
  command->add_flag("--json", options->json, "Everything as one JSON object")
      ->excludes(csv)
      ->excludes(annotate);
  command->footer(
      "A decision is a position whose turns differ in outcome; accuracy is the part of decisions "
      "in\n"
      "which the outcome was kept, with the interval that holds it with 95 % confidence. A record\n"
      "that is broken, or has an illegal turn, is named, and the rest graded (exit status 2).\n"
      "Examples:\n"
      "  mtb grade --rules tournament games.txt\n"
      "  mtb grade --rules tournament --annotate games.txt > annotated.txt");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
