// Plays a position out: opens a folder, asks which turn is the best, plays it, and so on.
//     play tables/traditional '0,0 a7,b6,c4,c5 a4,c3,e3,g4 w'
#include <iostream>
#include <mtb/mtb.hpp>

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "play FOLDER[:FOLDER...] POSITION\n";
    return 2;
  }
  mtb_message message;
  const auto complain = [&](mtb_status status) {
    std::cerr << mtb_status_text(status) << ' ' << message.text << '\n';
    return 1;
  };
  const auto tables = mtb::Tables::open(words[1], mtb::default_options(), &message);
  if (!tables) return complain(tables.status);
  auto position = mtb::parse_position(words[2], &message);
  if (!position) return complain(position.status);
  for (int ply = 0; ply < 100; ++ply) {
    const auto turns = tables->rank(*position, &message);
    if (!turns) return complain(turns.status);
    if (turns->empty()) break;  // the game is over
    const mtb_ranked_turn& best = turns->front();
    if (best.status != MTB_OK) return complain(best.status);
    std::cout << mtb::to_string(best.turn) << ' ' << mtb_outcome_text(best.value.outcome) << ' '
              << best.value.dtw << '\n';
    position = tables->play(*position, best.turn, &message);
    if (!position) return complain(position.status);
  }
}
