#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/grid.h"
#include "cli/input_file.h"
#include "cli/json.h"
#include "cli/words.h"
#include "game/record.h"
#include "game/text.h"
#include "grade/graded_game.h"
#include "grade/score.h"

namespace mtb::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  TableArguments tables;
  std::vector<std::string> files;
  std::string coordinates = "standard";
  bool annotate = false;
  bool csv = false;
  bool json = false;
  std::size_t worst = 10;
  std::size_t line_turns = 6;
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
  std::string best_line;

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

bool is_best(const TurnGrade& grade) {
  return grade.keeps_outcome() && grade.plies_lost.value_or(0) == 0;
}

/// `win in 5 thrown away, now draw; best d6-d5 a1-a4`, or how many plies were lost; empty for a
/// best turn.
std::string remark(const TurnGrade& grade, const std::string& best_line) {
  if (is_best(grade)) return "";
  const std::string what = grade.keeps_outcome() ? std::to_string(*grade.plies_lost) + " plies lost"
                                                 : value_text(grade.best) + " thrown away, now " +
                                                       value_text(grade.played);
  return what + "; best " + best_line;
}

class Grader {
 public:
  /// The options must outlive it.
  Grader(const Options& options, Coordinates coordinates)
      : options_(options), coordinates_(coordinates) {}

  Result<Exit> grade_files() {
    // What cannot be opened is wrong at once when it has been asked for.
    if (!rules_by_tag()) {
      if (auto base = base_of(""); !base) return tl::unexpected(base.error());
    }
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

  /// Whether each record may be one of rules of its own.
  bool rules_by_tag() const {
    return options_.tables.rules.empty() && options_.tables.folders.empty();
  }

  /// The tables of rules by their name, or those of the options; opened when first asked for.
  Result<const Tablebase*> base_of(const std::string& rules) {
    const auto found = bases_.find(rules);
    if (found != bases_.end()) return &found->second;
    TableArguments tables = options_.tables;
    if (!rules.empty()) tables.rules = rules;
    Result<Tablebase> base = tables.open();
    if (!base) return tl::unexpected(std::move(base.error()));
    return &bases_.emplace(rules, std::move(*base)).first->second;
  }

  /// The tables for a record, by its tag `Rules` where the options leave that open.
  Result<const Tablebase*> base_for(const GameRecord& record) {
    const std::string* rules = record.tag("Rules");
    if (rules == nullptr) return base_of("");
    const auto wrong = [&](const std::string& what) {
      return fail(Fault::bad_input, "line " + std::to_string(record.line) + ": " + what);
    };
    // Rules from a file go by its name.
    const bool is_file = fs::path(options_.tables.rules).stem() == *rules;
    if (!rule_set_named(*rules) && !is_file) {
      return wrong("there are no rules " + quoted(std::string_view(*rules)) +
                   "; see `mtb rules` for their names, or name a file of rules with --rules");
    }
    if (!rules_by_tag()) return base_of("");
    Result<const Tablebase*> base = base_of(*rules);
    if (!base && base.error().fault == Fault::not_found) return wrong(base.error().message);
    return base;
  }

  Result<void> grade(const std::string& file, std::size_t number, const GameRecord& record) {
    const Result<const Tablebase*> base = base_for(record);
    if (!base) return tl::unexpected(base.error());
    base_ = *base;
    const Result<GradedGame> game = grade_game(*base_, record, coordinates_);
    if (!game) return tl::unexpected(game.error());
    PerColour<Player*> players(nullptr, nullptr);
    for (std::size_t i = 0; i < game->turns.size(); ++i) {
      const GradedTurn& turn = game->turns[i];
      const Colour side = turn.before.side;
      if (players[side] == nullptr) {
        players[side] = &players_[player_of(record, side)];
        // Who plays both sides has played one game.
        if (players[side] != players[other(side)]) ++players[side]->games;
      }
      Player& sums = *players[side];
      if (!turn.grade) {
        ++sums.score.ungraded;
      } else {
        sums.score.add(*turn.grade);
        if (!turn.grade->keeps_outcome()) {
          keep({file, number, player_of(record, side), move_of(*game, i), turn.before, turn.turn,
                *turn.grade, ""});
        }
      }
    }
    ++games_;
    if (options_.annotate) std::cout << annotated(record, *game);
    if (options_.csv) print_rows(file, number, record, *game);
    if (options_.json) add_json(file, number, record, *game);
    if (game->illegal) skip(file, *game->illegal);
    if (game->contradiction) complain(file + ": " + game->contradiction->message);
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
    if (static_cast<std::size_t>(place - mistakes_.begin()) == options_.worst) return;
    mistake.best_line = line_from(mistake.position);
    mistakes_.insert(place, std::move(mistake));
    if (mistakes_.size() > options_.worst) mistakes_.pop_back();
  }

  std::string line_from(const Position& position) const {
    std::string text;
    for (const Turn& turn : best_play(*base_, position, options_.line_turns)) {
      text += (text.empty() ? "" : " ") + mtb::to_string(turn, coordinates_);
    }
    return text;
  }

  std::string annotated(const GameRecord& record, const GradedGame& game) const {
    GameRecord with_remarks = record;
    const auto add = [](std::string& comment, const std::string& text) {
      if (!text.empty()) comment += (comment.empty() ? "" : "; ") + text;
    };
    for (std::size_t i = 0; i < game.turns.size(); ++i) {
      std::string& comment = with_remarks.turns[i].comment;
      const auto& grade = game.turns[i].grade;
      if (grade && !is_best(*grade)) {
        add(comment, remark(*grade, line_from(game.turns[i].before)));
      }
      if (game.turns[i].repeats) add(comment, "the position was there twice before");
    }
    std::string end;
    if (game.illegal) {
      end = "not graded from here: " + game.illegal->message;
    } else if (game.verdict != Verdict::open) {
      end = how_it_ended(base_->rules(), game.last);
    }
    if (game.contradiction) end += (end.empty() ? "" : "; ") + game.contradiction->message;
    std::ranges::replace(end, '}', ')');  // what is quoted may not end the comment
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
                   "best_dtw", "played_dtw", "plies_lost", "repeats", "position", "best_line"};
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
      row.push_back(turn.grade && !is_best(*turn.grade) ? Json(line_from(turn.before)) : Json());
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
        game.verdict == Verdict::open ? Json() : Json(how_it_ended(base_->rules(), game.last));
    json["contradiction"] = game.contradiction ? Json(game.contradiction->message) : Json();
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
      std::vector<Json> row = {name,           player.games,    score.graded,
                               score.ungraded, score.decisions, score.kept};
      add_rate(row, score.kept, score.decisions);
      row.push_back(value_or_null(rounded(score.mean_plies_lost())));
      grid.rows.push_back(std::move(row));
    }
    return grid;
  }

  Grid mistake_grid() const {
    Grid grid;
    grid.titles = {"file", "game",   "move",      "player",  "turn",
                   "was",  "became", "best_line", "position"};
    for (const Mistake& mistake : mistakes_) {
      grid.rows.push_back({mistake.file, mistake.game, mistake.move, mistake.player,
                           mtb::to_string(mistake.turn, coordinates_),
                           value_text(mistake.grade.best), value_text(mistake.grade.played),
                           mistake.best_line, mtb::to_string(mistake.position, coordinates_)});
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

  const Options& options_;
  Coordinates coordinates_;
  std::map<std::string, Tablebase> bases_;  ///< by rules as tags call them; "" for the options'
  const Tablebase* base_ = nullptr;         ///< of the record in work
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
  return Grader(options, *coordinates).grade_files();
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
  command->add_option("--line", options->line_turns, "How many turns of the best line to show")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1000u));
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
      "The rules are those of each record's tag Rules, unless --rules or --tables say more.\n"
      "Examples:\n"
      "  mtb grade --rules tournament games.txt\n"
      "  mtb grade --rules tournament --annotate games.txt > annotated.txt");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace mtb::cli
