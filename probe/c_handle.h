// The handle of the C interface (mtb.h).
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "probe/c_convert.h"
#include "probe/tablebase.h"

namespace mtb::c {

/// Tells the caller's function of broken tables, once each.
class Log {
 public:
  Log(mtb_log log, void* user) : log_(log), user_(user) {}

  /// `about`: the sector of the position that was asked, if there was one.
  void tell(mtb_status status, const std::string& text, std::optional<Sector> about);

 private:
  static constexpr std::size_t kMostReports = 100;
  /// So that one large damaged file does not hide the others.
  static constexpr std::size_t kMostOfSector = 10;

  const mtb_log log_;
  void* const user_;
  std::mutex mutex_;  // guards all below, and that the function is not called twice at a time
  std::set<std::string> told_;
  std::map<Sector, std::size_t> told_about_;  ///< how many
};

}  // namespace mtb::c

/// An open tablebase with what the interface says about it.
struct mtb_tablebase {
  struct Refused {
    mtb_status status;
    std::string path;
    std::string reason;
  };

  mtb_tablebase(mtb::Tablebase opened, const mtb_options& options);

  /// Says of an error what the caller is told, and logs that a table is broken.
  mtb_status failed(mtb_message* message, const mtb::Error& error,
                    const mtb::Position& position) const;

  const mtb::Tablebase tables;
  std::optional<mtb::RuleSet> rules;  ///< nothing when there is no table to tell them
  mtb_report report = {};
  std::string rules_text;  ///< empty when the rules are unknown
  std::array<std::vector<mtb::Sector>, mtb::kMetrics> sectors;
  std::vector<Refused> refused;
  std::vector<std::string> duplicates;
  bool has_hands = false;  ///< some table has cows in hand
  mutable mtb::c::Log log;
};
