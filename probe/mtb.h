/* mtb - asking Morabaraba tablebases from C, and from anything that can call C.
 *
 * C99 and C++. This header is the manual. `mtb.hpp` is the same for C++ with ownership taken care
 * of; the options that engines offer their users, and how to build, are in probe/README.md.
 *
 *     mtb_tablebase* base;
 *     mtb_message message;
 *     if (mtb_open("tables/traditional", NULL, &base, &message) != MTB_OK) puts(message.text);
 *     mtb_position position;
 *     mtb_position_parse("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w", &position, NULL);
 *     mtb_value value;
 *     if (mtb_probe(base, &position, &value, &message) == MTB_OK) printf("%d\n", value.dtw);
 *     mtb_close(base);
 *
 * Rules that hold for everything below:
 *
 * Errors. A function that can fail returns a status and never anything else; what it was asked for
 *   comes back through pointers. Each status has one sentence, mtb_status_text(); the mtb_message,
 *   where the caller gives one, says it in full: what, where, what to do. Nothing is thrown,
 *   printed or exited; running out of memory is a status too. NULL where a pointer is needed and
 *   numbers out of range are MTB_BAD_ARGUMENT, but in a position MTB_ILLEGAL_POSITION. After a
 *   failure results are set to "unknown", never to something that could be taken for an answer.
 * Damage. Every byte of a table is checked before it is used. A file that was damaged, cut short,
 *   exchanged or taken away gives a status; it never gives a wrong value.
 * Ownership. The only thing to be freed is what mtb_open() gives, by mtb_close(). All other memory
 *   belongs to the caller, or, where a `const char*` comes back, to the handle or the library.
 *   Nothing that is passed in needs to live longer than the call.
 * Threads. There is no global state. All functions on one handle may be called from any number of
 *   threads at once, except mtb_close(), which must be the last. Handles do not know of each other:
 *   several, of the same or of different rules, may be open.
 * Text is UTF-8 or whatever the file system uses, ended by a zero byte. Paths go to the operating
 *   system byte by byte as they are.
 * Views. Values are from the view of the player to move; those of turns from the view of the player
 *   who makes the turn.
 * Units. Distances and clocks are in plies: a turn, with all its shots, is one ply. Sizes are in
 *   bytes.
 */
#ifndef MTB_H
#define MTB_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MTB_API __attribute__((visibility("default")))
#else
#define MTB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The library ------------------------------------------------------------------------------*/

/* Version of this header. */
#define MTB_VERSION_TEXT "0.1.0"

/* Version of the library that is linked, as MTB_VERSION_TEXT. The names and structures of a version
 * are those of all later ones with the same SONAME. */
MTB_API const char* mtb_version(void);

/* ---- Statuses ---------------------------------------------------------------------------------*/

/* An int and not an enum, so that its size is the same everywhere and any value may be passed. */
typedef int mtb_status;

enum {
  MTB_OK = 0,
  /* The table that the answer needs is not there; the message names sector and metric. Also: a
   * folder or a file that was named is not there. */
  MTB_NO_TABLE = 1,
  /* A legal question that no table of this version can answer: cows in hand. */
  MTB_OUT_OF_SCOPE = 2,
  /* The position cannot be under the rules; the message says why. */
  MTB_ILLEGAL_POSITION = 3,
  /* The turn is not legal in the position. */
  MTB_ILLEGAL_TURN = 4,
  /* The table is sound, but belongs elsewhere: to other rules, to another version of the format, or
   * under another file name. The message says which. */
  MTB_WRONG_RULES = 5,
  /* The answer needs a block that is not in the cache (soft probes only). */
  MTB_NOT_CACHED = 6,
  /* A table is damaged; the message names the file, and the block when only one is concerned. */
  MTB_CORRUPT = 7,
  /* The operating system refused to read; the message has its reason. */
  MTB_IO_ERROR = 8,
  /* The process has as many files open as it may, or the system has. */
  MTB_TOO_MANY_FILES = 9,
  MTB_OUT_OF_MEMORY = 10,
  /* The caller's function said stop. */
  MTB_ABORTED = 11,
  /* A null pointer, a number out of range, a text that cannot be read. */
  MTB_BAD_ARGUMENT = 12,
  /* The caller's array or buffer is too small; what fits is there, and the count that would do. */
  MTB_TOO_SMALL = 13,
  /* A fault of the library itself. Please report it with the message. */
  MTB_INTERNAL = 14
};

/* One sentence for a person. Any number may be given. The text is static. */
MTB_API const char* mtb_status_text(mtb_status status);

/* Room for what went wrong in full. Longer messages are cut, between characters. After MTB_OK it is
 * empty. Wherever a mtb_message* is wanted, NULL says that nobody will read it. */
#define MTB_MESSAGE_BYTES 1024
typedef struct mtb_message {
  char text[MTB_MESSAGE_BYTES];
} mtb_message;

/* ---- Sectors and metrics ----------------------------------------------------------------------*/

/* What a table holds, and the ending of its file name: outcomes; distance to win or loss without
 * the draw clock; distance to the next shot or the end, with the draw clock. */
typedef int mtb_metric;
enum { MTB_WDL = 0, MTB_DTW = 1, MTB_DTC = 2 };

/* All placements with these numbers of cows, 0..12 each. */
typedef struct mtb_sector {
  uint8_t mover;    /* on the board, of the player to move */
  uint8_t opponent; /* on the board */
  uint8_t mover_hand;
  uint8_t opponent_hand;
} mtb_sector;

typedef struct mtb_table {
  mtb_sector sector;
  mtb_metric metric;
} mtb_table;

/* ---- Opening ----------------------------------------------------------------------------------*/

/* Open tables of one rule set. */
typedef struct mtb_tablebase mtb_tablebase;

/* How tables are read. */
enum {
  MTB_READ = 0, /* by read calls */
  MTB_MAP = 1   /* mapped into memory, which takes no descriptors and is as safe: a file that somebody
                   cuts short is a status, too. Takes addresses for all bytes of all files from
                   mtb_open() on. Where the system cannot do that, all files are refused with
                   MTB_OUT_OF_SCOPE */
};

/* Is told, once for each file and reason, of files refused by mtb_open() and of tables found
 * unreadable or corrupt while probing. Called by the thread that found it, inside the call that
 * found it; never by two threads at a time for one handle. It must not call anything on that
 * handle, and not throw or jump out. `text` lives as long as the call. After ten reports that came
 * of positions of one sector no more are made of that, and after a hundred from one handle none. */
typedef void (*mtb_log)(void* user, mtb_status status, const char* text);

/* Fill with mtb_options_init(), then change what should differ. */
typedef struct mtb_options {
  size_t size;          /* of this structure, as the caller was compiled */
  uint64_t cache_bytes; /* budget for decoded blocks; 0 keeps none. 64 MiB */
  /* The rule set that tables must have: one of the names of `mtb rules`, or the TOML text of a rule
   * set of one's own (known by its `=`). NULL: whatever the first sound table has. */
  const char* rules;
  int open_files;     /* most table files held open, at least 1; each thread that reads may have one
                         more. Where the process may have few, a handle closes its own before it
                         fails for want of one, but not those of another handle, nor for what the
                         caller opens: leave them some. 128 */
  int access;         /* MTB_READ or MTB_MAP. MTB_READ */
  int without_tables; /* not 0: a handle is wanted even if no table can be used. 0 */
  int reserved;       /* 0 */
  mtb_log log;        /* may be NULL. NULL */
  void* log_user;     /* handed to `log`. NULL */
} mtb_options;

/* Sets the defaults, which are the last words of the comments above. Call it as
 * `mtb_options_init(&options, sizeof options)`: a caller compiled with an older header has a
 * shorter structure. Does nothing when `options` is NULL. */
MTB_API void mtb_options_init(mtb_options* options, size_t size);

/* Opens the tables in some folders. Of each table the first one found is used, in the order of the
 * folders; files that cannot be used are passed over, logged, and listed by mtb_get_refused().
 *
 * `path_list` holds folders separated by ':'. Empty elements mean nothing, wherever they are, and
 * so does the whole list when it is NULL or `<empty>`, as chess engines write it. Between double
 * quotes a ':' does not separate; the quotes are taken away, and a name that has one can only be
 * given to mtb_open_folders(). All else is taken as it is, blanks too. Files are opened when they
 * are asked, so relative names hold as long as the process keeps its working directory. Where
 * rules have a clock and a .wdl or .dtc file is refused, tables that leave the clock out are not
 * used in its place.
 *
 * `options` may be NULL for the defaults. Without usable tables the status is MTB_NO_TABLE, or that
 * of the first refused file, unless the options say `without_tables`; then folders that cannot be
 * read count as refused, too. If the options also name rules, mtb_turns() and mtb_play() work and
 * probes answer MTB_NO_TABLE; if they name none, the rules are unknown and all these answer
 * MTB_NO_TABLE.
 *
 * `*base` is set to the handle, or to NULL after a failure. Statuses: MTB_NO_TABLE (also a folder
 * that is not there), MTB_WRONG_RULES, MTB_CORRUPT, MTB_IO_ERROR, MTB_TOO_MANY_FILES,
 * MTB_OUT_OF_MEMORY, MTB_BAD_ARGUMENT (also rules that cannot be read, an unclosed quote; the
 * message names the option). */
MTB_API mtb_status mtb_open(const char* path_list, const mtb_options* options, mtb_tablebase** base,
                            mtb_message* message);

/* The same from an array of folders, each as it is; `folders` may be NULL when `count` is 0. */
MTB_API mtb_status mtb_open_folders(const char* const* folders, size_t count,
                                    const mtb_options* options, mtb_tablebase** base,
                                    mtb_message* message);

/* Closes all files and frees the handle. No call on it may be running or come later. NULL is fine.
 */
MTB_API void mtb_close(mtb_tablebase* base);

/* ---- What was found ---------------------------------------------------------------------------*/

typedef struct mtb_report {
  uint64_t fingerprint; /* of the rule set; 0 when unknown */
  char rules[32];       /* its name; empty when it has none, or is unknown */
  uint32_t clock_plies; /* after which the rules call a draw; 0 when they have no clock */
  int clock;            /* MTB_CLOCK_...: whether outcomes here know the clock; see mtb_value */
  uint32_t tables[3];   /* in use, by mtb_metric */
  uint32_t refused;     /* files that are not used; see mtb_get_refused() */
  uint32_t duplicates;  /* files whose table an earlier folder has */
  mtb_sector largest;   /* the last sector with a table: most cows, then most of the mover's; 0v0
                           when there is none */
} mtb_report;

/* Statuses: MTB_BAD_ARGUMENT. */
MTB_API mtb_status mtb_get_report(const mtb_tablebase* base, mtb_report* report);

/* The rule set as TOML text, of use as mtb_options.rules; the empty text when it is unknown. Lives
 * as long as the handle. NULL only for NULL. */
MTB_API const char* mtb_get_rules(const mtb_tablebase* base);

/* One of the tables of a metric, 0 <= index < mtb_report.tables[metric]: fewer cows first. Status
 * otherwise: MTB_BAD_ARGUMENT. */
MTB_API mtb_status mtb_get_sector(const mtb_tablebase* base, mtb_metric metric, size_t index,
                                  mtb_sector* sector);

/* A file that has the name of a table and is not used, or, where mtb_options.without_tables allows
 * that, a folder that cannot be read. */
typedef struct mtb_refusal {
  mtb_status status; /* MTB_WRONG_RULES, MTB_CORRUPT, MTB_IO_ERROR, ... */
  const char* path;  /* both texts live as long as the handle */
  const char* reason;
} mtb_refusal;

/* 0 <= index < mtb_report.refused. Status otherwise: MTB_BAD_ARGUMENT. */
MTB_API mtb_status mtb_get_refused(const mtb_tablebase* base, size_t index, mtb_refusal* refusal);

/* The path of a file whose table an earlier folder has, 0 <= index < mtb_report.duplicates. It
 * lives as long as the handle. NULL otherwise. */
MTB_API const char* mtb_get_duplicate(const mtb_tablebase* base, size_t index);

/* What a table file says about itself. */
typedef struct mtb_file_info {
  uint64_t fingerprint; /* of the rule set */
  char rules[32];       /* its name; empty when it has none */
  mtb_table table;
  int clock;      /* MTB_CLOCK_... */
  uint64_t slots; /* positions, symmetric ones once */
  uint64_t bytes; /* of the file */
  /* Placements, symmetric ones counted each: losses, clock losses, draws, clock wins, wins. */
  uint64_t counts[5];
  int32_t longest_win; /* plies; -1 when the metric has no distances, 0 when there is no win */
  int32_t longest_loss;
  char generator[64]; /* name and version of the program that wrote it */
} mtb_file_info;

/* Checks and reads the header of one file, without the values. Needs no handle; some milliseconds.
 * Statuses: MTB_NO_TABLE (no such file), MTB_WRONG_RULES (another version of the format),
 * MTB_CORRUPT (or no table at all), MTB_IO_ERROR, MTB_TOO_MANY_FILES, MTB_OUT_OF_MEMORY,
 * MTB_BAD_ARGUMENT. After a failure all numbers of `info` are 0. */
MTB_API mtb_status mtb_identify(const char* path, mtb_file_info* info, mtb_message* message);

/* ---- Positions and turns ----------------------------------------------------------------------*/

/* Points are numbered 0..23, and are bits of a set from the lowest up: the outer ring
 *   a7 d7 g7 g4 g1 d1 a1 a4, the middle ring b6 d6 f6 f4 f2 d2 b2 b4, the inner ring
 *   c5 d5 e5 e4 e3 d3 c3 c4. Where a point is wanted and there is none, it is -1. */
#define MTB_POINTS 24

enum { MTB_WHITE = 0, MTB_BLACK = 1 };

/* Arrays of two are by colour. Start from mtb_position_init(): zeros are not the same. */
typedef struct mtb_position {
  uint32_t cows[2]; /* sets of points; the upper eight bits are zero */
  uint8_t hand[2];  /* cows in hand */
  uint8_t side;     /* to move: MTB_WHITE or MTB_BLACK */
  /* Shots that the side to move still has within its turn, 0 between turns. The value of such a
   * position is that of the best way to shoot; the turn that the shots complete counts as a ply. */
  uint8_t owed;
  /* A move that the colour may not make on its next turn, where the rules have re-forming bans; -1
   * both when there is none. One whose cow is gone, or that the rules do not know, does nothing. */
  int8_t ban_from[2];
  int8_t ban_to[2];
  /* Plies without a shot so far, as the draw clock of the rules counts them. Of no matter where the
   * rules have no clock or the tables do not know it. */
  uint16_t clock;
} mtb_position;

/* The empty board, nothing in hand, White to move, no bans. Not a legal position yet. */
MTB_API void mtb_position_init(mtb_position* position);

/* Reads `<hand> <white> <black> <side> [<white ban> <black ban> [<clock>]]`, as in
 * `0,0 a7,b6,c4,c5 a4,c3,e3,g4 w`, or a FEN of the Sanmill family (known by its '/'). Only the text
 * is checked; whether the position can be under the rules is checked by whoever gets it. After a
 * failure the position is as mtb_position_init() leaves it. Statuses: MTB_BAD_ARGUMENT (the message
 * names the field), MTB_OUT_OF_MEMORY. */
MTB_API mtb_status mtb_position_parse(const char* text, mtb_position* position,
                                      mtb_message* message);

/* Enough for any text that the next three functions write, zero byte included. */
#define MTB_TEXT_BYTES 256

/* Writes the first form; a position with owed shots, which it cannot express, as FEN. The text is
 * ended by a zero byte. Statuses: MTB_ILLEGAL_POSITION (numbers out of range, cows of both colours
 * on one point), MTB_TOO_SMALL (nothing but a zero byte is written), MTB_BAD_ARGUMENT,
 * MTB_OUT_OF_MEMORY. */
MTB_API mtb_status mtb_position_format(const mtb_position* position, char* text, size_t capacity);

/* The same as FEN. */
MTB_API mtb_status mtb_position_fen(const mtb_position* position, char* text, size_t capacity);

enum {
  MTB_PLACE = 0,
  MTB_MOVE = 1, /* flights too */
  MTB_PASS = 2, /* blocked, under rules that go on then */
  MTB_SHOOT = 3 /* the owed shots alone */
};

/* A whole turn with its shots. */
typedef struct mtb_turn {
  uint8_t kind;
  int8_t from;      /* of a move, else -1 */
  int8_t to;        /* of a placement or a move, else -1 */
  int8_t shots[3];  /* in the order in which they are taken, then -1 */
  uint8_t declined; /* 1 when shots were left that the rules let the player decline, else 0 */
  uint8_t reserved; /* 0 */
} mtb_turn;

/* Writes `d6`, `d6-d5xb4`, `d6-d5x-` (declined), `--` (pass), `xb4` (owed). Statuses: MTB_TOO_SMALL
 * (nothing but a zero byte is written), MTB_BAD_ARGUMENT (no turn at all), MTB_OUT_OF_MEMORY. */
MTB_API mtb_status mtb_turn_format(const mtb_turn* turn, char* text, size_t capacity);

/* No position has more turns than this, under any rules. */
#define MTB_MAX_TURNS 4096

/* All legal turns under the rules of the handle, in a fixed order; none when the game is over, by
 * the clock too. `*count` is their number; the first `capacity` of them are written. `turns` may be
 * NULL when `capacity` is 0. Needs no table. Statuses: MTB_ILLEGAL_POSITION, MTB_TOO_SMALL,
 * MTB_NO_TABLE (the rules are unknown), MTB_OUT_OF_MEMORY, MTB_BAD_ARGUMENT. */
MTB_API mtb_status mtb_turns(const mtb_tablebase* base, const mtb_position* position,
                             mtb_turn* turns, size_t capacity, size_t* count, mtb_message* message);

/* The position after a turn, clock and bans included. `after` may be `position`; after a failure
 * it is unchanged. A turn that mtb_rank() gives at a clock that has run out is taken too. Statuses:
 * MTB_ILLEGAL_TURN, otherwise as mtb_turns(). */
MTB_API mtb_status mtb_play(const mtb_tablebase* base, const mtb_position* position,
                            const mtb_turn* turn, mtb_position* after, mtb_message* message);

/* ---- Probing ----------------------------------------------------------------------------------*/

/* Outcomes; the other player's is the negative. A clock win would be won without the draw clock of
 * the rules, and is drawn with it: for a score, MTB_CLOCK_WIN and MTB_CLOCK_LOSS are draws. */
enum {
  MTB_LOSS = -2,
  MTB_CLOCK_LOSS = -1,
  MTB_DRAW = 0,
  MTB_CLOCK_WIN = 1,
  MTB_WIN = 2,
  MTB_UNKNOWN = 99 /* no answer; the status says why */
};

/* `win`, `clock_win`, `draw`, `clock_loss`, `loss`, `unknown`. The text is static. */
MTB_API const char* mtb_outcome_text(int outcome);

/* What an outcome knows of the draw clock. */
enum {
  MTB_CLOCK_NONE = 0,    /* the rules have none */
  MTB_CLOCK_IGNORED = 1, /* they have one, but the tables here leave it out: a win may come too late
                            and only win, draw and loss occur */
  MTB_CLOCK_APPLIED = 2  /* the outcome is exact for the clock of the position */
};

typedef struct mtb_value {
  int outcome; /* MTB_WIN ... MTB_LOSS, or MTB_UNKNOWN */
  /* Plies to the end with best play, without the draw clock; odd for wins and even for losses. -1
   * for draws, and where no table says it or it was not asked for. 0 when the game is over. */
  int32_t dtw;
  /* Plies to the next shot or the end with best play that keeps the outcome, counted from clock 0
   * whatever the clock of the position: where the clock runs, a win holds at clock c exactly while
   * dtc + c is at most mtb_report.clock_plies. Under rules whose clock only starts with few cows
   * (clock = { trigger = ... }) it does not run before, and a position's clock is of no matter
   * there. -1 as dtw. */
  int32_t dtc;
  int clock; /* MTB_CLOCK_... */
} mtb_value;

/* Of all probes: owed shots are answered by looking one shot ahead, bans by looking a turn ahead,
 * and a game that is over by the rules needs no table. What takes several tables needs them all.
 *
 * Statuses of all probes, apart from what their own lines say: MTB_NO_TABLE, MTB_OUT_OF_SCOPE,
 * MTB_ILLEGAL_POSITION, MTB_WRONG_RULES (the table is there, of other rules), MTB_CORRUPT,
 * MTB_IO_ERROR, MTB_TOO_MANY_FILES, MTB_OUT_OF_MEMORY, MTB_BAD_ARGUMENT. After a failure the
 * outcome is MTB_UNKNOWN and the distances are -1. */

/* The outcome alone, from the small tables of outcomes where they are there: the probe for inner
 * nodes of a search. Nothing is allocated when the block is cached. */
MTB_API mtb_status mtb_probe_wdl(const mtb_tablebase* base, const mtb_position* position,
                                 mtb_value* value, mtb_message* message);

/* Outcome and distance to the end. MTB_NO_TABLE when the outcome is known, is no draw, and no table
 * has its distance. */
MTB_API mtb_status mtb_probe_dtw(const mtb_tablebase* base, const mtb_position* position,
                                 mtb_value* value, mtb_message* message);

/* Outcome and distance to the next shot; otherwise as mtb_probe_dtw(). Only tables with the draw
 * clock have it. */
MTB_API mtb_status mtb_probe_dtc(const mtb_tablebase* base, const mtb_position* position,
                                 mtb_value* value, mtb_message* message);

/* All that the tables say; unknown distances are no failure. */
MTB_API mtb_status mtb_probe(const mtb_tablebase* base, const mtb_position* position,
                             mtb_value* value, mtb_message* message);

/* As mtb_probe_wdl(), from blocks in the cache alone: the disk is not touched and nothing is waited
 * for. Status MTB_NOT_CACHED when that is not enough; mtb_probe_wdl() of the position makes it
 * enough for a while, if there is a cache. Probes for distances read other tables, and do not. */
MTB_API mtb_status mtb_probe_soft(const mtb_tablebase* base, const mtb_position* position,
                                  mtb_value* value, mtb_message* message);

/* Says that mtb_probe_wdl() of the position may come soon. Brings what is in the cache closer to the
 * processor, or else tells the system to read the block, unless the table has not been asked yet;
 * does not wait for either. A hint: what
 * goes wrong on the way shows when the position is probed. Statuses: MTB_ILLEGAL_POSITION,
 * MTB_OUT_OF_MEMORY, MTB_BAD_ARGUMENT. */
MTB_API mtb_status mtb_prefetch(const mtb_tablebase* base, const mtb_position* position);

/* Probes many positions as mtb_probe() does, in the order that reads each block once. `values` and,
 * unless it is NULL, `statuses` have `count` elements, in the order of the positions. Returns the
 * status of the first position that failed, which the message names as `positions[number]`, or
 * MTB_OK; the others are answered all the same, unless every status is MTB_OUT_OF_MEMORY or
 * MTB_BAD_ARGUMENT. A count that no array can have is MTB_BAD_ARGUMENT, and nothing is written. */
MTB_API mtb_status mtb_probe_batch(const mtb_tablebase* base, const mtb_position* positions,
                                   size_t count, mtb_value* values, mtb_status* statuses,
                                   mtb_message* message);

/* A legal turn and its value for the player who makes it, the turn counted. */
typedef struct mtb_ranked_turn {
  mtb_turn turn;
  mtb_status status; /* of the value; MTB_UNKNOWN and -1 stand there when it is not MTB_OK */
  mtb_value value;
} mtb_ranked_turn;

/* Is asked before each turn that is valued and each block that is read whether to go on: 0 goes on,
 * anything else stops, and it is not asked again. Called by the calling thread, inside the call. It
 * must not call anything on the handle, and not throw or jump out. */
typedef int (*mtb_stop)(void* user);

/* All legal turns, the best first: wins, clock wins by least plies, draws, clock losses, losses by
 * most plies, then those without a value. With the clock applied plies to the next shot come before
 * plies to the end. Equal turns are in the order of mtb_turns(). `*count` is their number, 0 when
 * the game is over (by the clock only where the tables know it, unlike mtb_turns()) and after a
 * failure; the first `capacity` of them are written, so a caller who only plays the best may give
 * room for one. `turns` may be NULL when `capacity` is 0, `stop` and `user` may be NULL.
 *
 * A turn without a value does not make the call fail, for the others still help; but only if none
 * is without a value is the first surely the best. Statuses: MTB_TOO_SMALL (more turns than
 * `capacity`), MTB_ABORTED (`stop` said so), MTB_NO_TABLE (the rules are unknown),
 * MTB_ILLEGAL_POSITION, MTB_OUT_OF_MEMORY, MTB_BAD_ARGUMENT. */
MTB_API mtb_status mtb_rank(const mtb_tablebase* base, const mtb_position* position,
                            mtb_ranked_turn* turns, size_t capacity, size_t* count, mtb_stop stop,
                            void* user, mtb_message* message);

/* The tables that ranking all turns of any position of a sector needs for this metric, its own first,
 * whether they are there or not. `*count` is their number; the first `capacity` are written.
 * Statuses: MTB_TOO_SMALL, MTB_NO_TABLE (the rules are unknown), MTB_OUT_OF_SCOPE (cows in hand),
 * MTB_OUT_OF_MEMORY, MTB_BAD_ARGUMENT (fewer than three cows, or more than the rules have). */
MTB_API mtb_status mtb_dependencies(const mtb_tablebase* base, mtb_sector sector, mtb_metric metric,
                                    mtb_table* tables, size_t capacity, size_t* count,
                                    mtb_message* message);

#ifdef __cplusplus
}
#endif

#endif
