#include "verify/seam.h"

#include <algorithm>
#include <utility>

namespace mtb::deep {
namespace {

Metric metric_of(const TableHeader& header) {
  switch (header.metric) {
    case mtb::Metric::wdl:
      return Metric::wdl;
    case mtb::Metric::dtw:
      return Metric::dtw;
    case mtb::Metric::dtc:
      break;
  }
  return Metric::dtc;
}

class TableSource final : public CodeSource {
 public:
  explicit TableSource(const TableFile& table) : table_(table) {
    const TableHeader& header = table.header();
    facts_.name = table.path().filename().string();
    facts_.mover = header.sector.mover;
    facts_.opponent = header.sector.opponent;
    facts_.metric = metric_of(header);
    facts_.key_is_mover = header.key == KeySide::mover;
    facts_.clock_applied = header.clock == ClockUse::applied;
    facts_.bound = header.clock_bound;
    facts_.largest = largest_code(header.packing);
    facts_.slots = header.slots;
    facts_.placements = header.counts;
    if (facts_.metric != Metric::wdl) {
      facts_.longest_win = header.longest_win;
      facts_.longest_loss = header.longest_loss;
    }
    facts_.content_hash = header.content_hash;
    std::ranges::transform(header.canaries, facts_.canaries.begin(), [](const mtb::Canary& canary) {
      return Canary{canary.mover, canary.opponent, canary.slot, canary.code};
    });
  }

  const Facts& facts() const override { return facts_; }
  Result<void> read(std::uint64_t first, std::span<Code> codes) const override {
    return table_.read_slots(first, codes);
  }

 private:
  const TableFile& table_;
  Facts facts_;
};

}  // namespace

Rules rules_of(const TableFile& table) {
  const auto& given = table.header().rules;
  Rules rules;
  rules.cows = given.cows;
  rules.diagonal_ways = given.diagonals != Diagonals::none;
  rules.diagonal_mills = given.diagonals == Diagonals::mills;
  rules.shot_per_mill = given.shots == Shots::per_mill;
  rules.may_decline = given.shot == Shooting::optional;
  rules.aims = given.targets == Targets::any      ? Aims::any
               : given.targets == Targets::strict ? Aims::free_only
                                                  : Aims::free_first;
  rules.fly_at = given.fly_at;
  rules.blocked = given.blocked == mtb::Blocked::loss   ? Blocked::loses
                  : given.blocked == mtb::Blocked::pass ? Blocked::passes
                                                        : Blocked::draws;
  rules.full_board_draws = given.full_board == FullBoard::draw;
  rules.clock_plies = given.clock.plies;
  rules.trigger = given.clock.trigger == ClockTrigger::always            ? Trigger::always
                  : given.clock.trigger == ClockTrigger::either_at_three ? Trigger::either_at_three
                                                                         : Trigger::both_at_three;
  rules.reform = given.reform == mtb::Reform::none          ? Reform::none
                 : given.reform == mtb::Reform::cow_if_mill ? Reform::cow_if_mill
                 : given.reform == mtb::Reform::mill        ? Reform::mill
                                                            : Reform::cow;
  return rules;
}

std::unique_ptr<CodeSource> source_of(const TableFile& table) {
  return std::make_unique<TableSource>(table);
}

bool has_hands(const TableFile& table) { return table.header().sector.has_hands(); }

}  // namespace mtb::deep
