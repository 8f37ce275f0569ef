// mtb for C++17 and later: mtb.h with ownership taken care of and answers returned.
//
// Every function here is one of mtb.h and does what is said there, statuses, threads and units
// included; nothing else has to be linked. An answer is a status with a value, which is "unknown"
// or empty when the status is not MTB_OK. Exceptions are not needed; only where a std::vector or
// a std::string is returned can std::bad_alloc come from it.
//
//     auto base = mtb::Tables::open("tables/traditional");
//     const auto position = mtb::parse_position("0,0 a7,b6,c4,c5 a4,c3,e3,g4 w");
//     if (const auto value = base->probe(*position)) std::cout << value->dtw;
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mtb.h"

namespace mtb {
// Keeps these names apart from the library's own when it is linked statically.
inline namespace face_1 {

/// What a value is before there is an answer.
template <class T>
T unknown() noexcept {
  return T{};
}
template <>
inline mtb_value unknown() noexcept {
  return {MTB_UNKNOWN, -1, -1, MTB_CLOCK_NONE};
}
template <>
inline mtb_position unknown() noexcept {
  mtb_position position;
  mtb_position_init(&position);
  return position;
}

/// Whether C would take only a part of a text, since a zero byte is within: then says so.
inline bool has_zero_byte(const std::string& text, mtb_message* message) noexcept {
  if (text.find('\0') == std::string::npos) return false;
  if (message != nullptr) std::strcpy(message->text, "a zero byte is within the text");
  return true;
}

/// A status and, when it is MTB_OK, a value.
template <class T>
struct Answer {
  mtb_status status = MTB_INTERNAL;
  T value = unknown<T>();

  explicit operator bool() const noexcept { return status == MTB_OK; }
  const T& operator*() const noexcept { return value; }
  T& operator*() noexcept { return value; }
  const T* operator->() const noexcept { return &value; }
  T* operator->() noexcept { return &value; }
};

/// The defaults, to be changed and given to Tables::open().
inline mtb_options default_options() noexcept {
  mtb_options options;
  mtb_options_init(&options, sizeof options);
  return options;
}

/// mtb_position_parse().
inline Answer<mtb_position> parse_position(const std::string& text,
                                           mtb_message* message = nullptr) noexcept {
  Answer<mtb_position> answer;
  if (has_zero_byte(text, message)) return {MTB_BAD_ARGUMENT, answer.value};
  answer.status = mtb_position_parse(text.c_str(), &answer.value, message);
  return answer;
}

/// mtb_position_format(); empty for what is no position.
inline std::string to_string(const mtb_position& position) {
  char text[MTB_TEXT_BYTES];
  return mtb_position_format(&position, text, sizeof text) == MTB_OK ? text : "";
}

/// mtb_turn_format(); empty for what is no turn.
inline std::string to_string(const mtb_turn& turn) {
  char text[MTB_TEXT_BYTES];
  return mtb_turn_format(&turn, text, sizeof text) == MTB_OK ? text : "";
}

/// mtb_identify().
inline Answer<mtb_file_info> identify(const std::string& path,
                                      mtb_message* message = nullptr) noexcept {
  Answer<mtb_file_info> answer;
  if (has_zero_byte(path, message)) return {MTB_BAD_ARGUMENT, answer.value};
  answer.status = mtb_identify(path.c_str(), &answer.value, message);
  return answer;
}

/// An open tablebase, closed at the end. Move-only. An empty one answers MTB_BAD_ARGUMENT.
class Tables {
 public:
  Tables() = default;

  /// mtb_open().
  static Answer<Tables> open(const std::string& path_list,
                             const mtb_options& options = default_options(),
                             mtb_message* message = nullptr) noexcept {
    if (has_zero_byte(path_list, message)) return {MTB_BAD_ARGUMENT, Tables()};
    mtb_tablebase* base = nullptr;
    const mtb_status status = mtb_open(path_list.c_str(), &options, &base, message);
    return {status, Tables(base)};
  }

  /// mtb_open_folders().
  static Answer<Tables> open(const std::vector<std::string>& folders,
                             const mtb_options& options = default_options(),
                             mtb_message* message = nullptr) {
    std::vector<const char*> names;
    for (const std::string& folder : folders) {
      if (has_zero_byte(folder, message)) return {MTB_BAD_ARGUMENT, Tables()};
      names.push_back(folder.c_str());
    }
    mtb_tablebase* base = nullptr;
    const mtb_status status =
        mtb_open_folders(names.data(), names.size(), &options, &base, message);
    return {status, Tables(base)};
  }

  /// For the functions of mtb.h; stays the property of this object.
  const mtb_tablebase* handle() const noexcept { return base_.get(); }
  explicit operator bool() const noexcept { return base_ != nullptr; }

  mtb_report report() const noexcept {
    mtb_report report;
    mtb_get_report(handle(), &report);
    return report;
  }

  std::vector<mtb_sector> sectors(mtb_metric metric) const {
    std::vector<mtb_sector> sectors;
    mtb_sector sector;
    while (mtb_get_sector(handle(), metric, sectors.size(), &sector) == MTB_OK) {
      sectors.push_back(sector);
    }
    return sectors;
  }

  /// The texts live as long as the tablebase.
  std::vector<mtb_refusal> refused() const {
    std::vector<mtb_refusal> refused;
    mtb_refusal refusal;
    while (mtb_get_refused(handle(), refused.size(), &refusal) == MTB_OK) {
      refused.push_back(refusal);
    }
    return refused;
  }

  Answer<mtb_value> probe(const mtb_position& position,
                          mtb_message* message = nullptr) const noexcept {
    return value_by(mtb_probe, position, message);
  }
  Answer<mtb_value> probe_wdl(const mtb_position& position,
                              mtb_message* message = nullptr) const noexcept {
    return value_by(mtb_probe_wdl, position, message);
  }
  Answer<mtb_value> probe_dtw(const mtb_position& position,
                              mtb_message* message = nullptr) const noexcept {
    return value_by(mtb_probe_dtw, position, message);
  }
  Answer<mtb_value> probe_dtc(const mtb_position& position,
                              mtb_message* message = nullptr) const noexcept {
    return value_by(mtb_probe_dtc, position, message);
  }
  Answer<mtb_value> probe_soft(const mtb_position& position,
                               mtb_message* message = nullptr) const noexcept {
    return value_by(mtb_probe_soft, position, message);
  }
  mtb_status prefetch(const mtb_position& position) const noexcept {
    return mtb_prefetch(handle(), &position);
  }

  /// mtb_probe_batch(): one answer for each position, in their order.
  std::vector<Answer<mtb_value>> probe_batch(const std::vector<mtb_position>& positions) const {
    std::vector<mtb_value> values(positions.size());
    std::vector<mtb_status> statuses(positions.size(), MTB_BAD_ARGUMENT);
    mtb_probe_batch(handle(), positions.data(), positions.size(), values.data(), statuses.data(),
                    nullptr);
    std::vector<Answer<mtb_value>> answers;
    answers.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) answers.push_back({statuses[i], values[i]});
    return answers;
  }

  /// mtb_rank(): all turns, the best first. `stop` is anything that can be asked `stop()`.
  template <class Stop>
  Answer<std::vector<mtb_ranked_turn>> rank(const mtb_position& position, Stop stop,
                                            mtb_message* message = nullptr) const {
    const mtb_stop ask = [](void* user) -> int { return (*static_cast<Stop*>(user))() ? 1 : 0; };
    return all_of<mtb_ranked_turn>(
        [&](mtb_ranked_turn* turns, std::size_t capacity, std::size_t* count) {
          return mtb_rank(handle(), &position, turns, capacity, count, ask, &stop, message);
        });
  }
  Answer<std::vector<mtb_ranked_turn>> rank(const mtb_position& position,
                                            mtb_message* message = nullptr) const {
    return rank(
        position, [] { return false; }, message);
  }

  /// mtb_turns().
  Answer<std::vector<mtb_turn>> turns(const mtb_position& position,
                                      mtb_message* message = nullptr) const {
    return all_of<mtb_turn>([&](mtb_turn* turns, std::size_t capacity, std::size_t* count) {
      return mtb_turns(handle(), &position, turns, capacity, count, message);
    });
  }

  /// mtb_dependencies().
  Answer<std::vector<mtb_table>> dependencies(mtb_sector sector, mtb_metric metric,
                                              mtb_message* message = nullptr) const {
    return all_of<mtb_table>([&](mtb_table* tables, std::size_t capacity, std::size_t* count) {
      return mtb_dependencies(handle(), sector, metric, tables, capacity, count, message);
    });
  }

  /// mtb_play().
  Answer<mtb_position> play(const mtb_position& position, const mtb_turn& turn,
                            mtb_message* message = nullptr) const noexcept {
    Answer<mtb_position> answer;
    answer.status = mtb_play(handle(), &position, &turn, &answer.value, message);
    return answer;
  }

 private:
  struct Close {
    void operator()(mtb_tablebase* base) const noexcept { mtb_close(base); }
  };

  explicit Tables(mtb_tablebase* base) noexcept : base_(base) {}

  template <class Probe>
  Answer<mtb_value> value_by(Probe ask, const mtb_position& position,
                             mtb_message* message) const noexcept {
    Answer<mtb_value> answer;
    answer.status = ask(handle(), &position, &answer.value, message);
    return answer;
  }

  /// Lists mostly fit at once; those that do not are asked for again.
  template <class Element, class Ask>
  static Answer<std::vector<Element>> all_of(Ask ask) {
    Answer<std::vector<Element>> answer;
    std::size_t count = 256;
    do {
      answer.value.resize(count);
      answer.status = ask(answer.value.data(), answer.value.size(), &count);
    } while (answer.status == MTB_TOO_SMALL && count > answer.value.size());
    answer.value.resize(count);
    return answer;
  }

  std::unique_ptr<mtb_tablebase, Close> base_;
};

}  // namespace face_1
}  // namespace mtb
