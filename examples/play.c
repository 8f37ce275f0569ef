/* Plays a position out: opens a folder, asks which turn is the best, plays it, and so on.
 *     play tables/traditional '0,0 a7,b6,c4,c5 a4,c3,e3,g4 w' */
#include <mtb/mtb.h>
#include <stdio.h>

int main(int count, char** words) {
  mtb_tablebase* base;
  mtb_position position;
  mtb_ranked_turn best;
  mtb_message message;
  mtb_status status;
  size_t turns;
  char text[MTB_TEXT_BYTES];
  int ply;
  if (count != 3) {
    fprintf(stderr, "play FOLDER[:FOLDER...] POSITION\n");
    return 2;
  }
  status = mtb_open(words[1], NULL, &base, &message);
  if (status == MTB_OK) status = mtb_position_parse(words[2], &position, &message);
  for (ply = 0; status == MTB_OK && ply < 100; ++ply) {
    /* There is room for one turn, the best; MTB_TOO_SMALL says that there are others. */
    status = mtb_rank(base, &position, &best, 1, &turns, NULL, NULL, &message);
    if (status == MTB_OK && turns == 0) break; /* the game is over */
    if (status == MTB_TOO_SMALL) status = MTB_OK;
    if (status == MTB_OK) status = best.status;
    if (status != MTB_OK) break;
    mtb_turn_format(&best.turn, text, sizeof text);
    printf("%s %s %d\n", text, mtb_outcome_text(best.value.outcome), (int)best.value.dtw);
    status = mtb_play(base, &position, &best.turn, &position, &message);
  }
  if (status != MTB_OK) fprintf(stderr, "%s %s\n", mtb_status_text(status), message.text);
  mtb_close(base);
  return status == MTB_OK ? 0 : 1;
}
