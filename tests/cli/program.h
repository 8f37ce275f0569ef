// Runs the real program and keeps what it said.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/temporary_folder.h"

namespace mtb::tests {

/// How a run ended.
struct Ending {
  int status = -1;  ///< exit status; -1 when it did not exit by itself
  std::string out;
  std::string err;
  int signal = 0;  ///< that ended it; 0 when it exited by itself
};

/// What a run may be given besides its arguments.
struct Surroundings {
  std::string input;
  std::filesystem::path folder = ::testing::TempDir();
  std::string output_file;                ///< in place of one that is read back
  bool output_has_no_reader = false;      ///< as after `mtb ... | head -1`
  std::optional<rlim_t> file_size_limit;  ///< writing more fails, as on a full disk
  std::function<bool()> prepare;          ///< called in the new process; false: cannot be run
};

/// `mtb` at work. Killed when nobody waits for its end.
class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments, const Surroundings& given = {})
      : out_(given.output_file.empty() ? (files_ / "out").string() : given.output_file),
        read_back_(given.output_file.empty()) {
    write_file(files_ / "in", given.input);
    std::vector<char*> argv;
    std::string program = MTB_PROGRAM;
    argv.push_back(program.data());
    std::vector<std::string> words = arguments;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) become(argv.data(), given);
    EXPECT_GT(process_, 0) << "cannot fork";
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (process_ <= 0 || ended_) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  pid_t process() const { return process_; }
  /// What it has said so far.
  std::string out() const { return read_back_ ? read_file(out_) : ""; }

  void send(int signal) { EXPECT_EQ(kill(process_, signal), 0); }

  /// Halts it where it is. False when it had ended before.
  bool halt() {
    if (ended()) return false;
    send(SIGSTOP);
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, WUNTRACED), process_);
    if (WIFSTOPPED(status)) return true;
    note_end(status);
    return false;
  }

  bool ended() {
    int status = 0;
    if (!ended_ && waitpid(process_, &status, WNOHANG) == process_) note_end(status);
    return ended_;
  }

  Ending wait() {
    int status = 0;
    if (!ended_) {
      EXPECT_EQ(waitpid(process_, &status, 0), process_);
      note_end(status);
    }
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -1, out(), read_file(files_ / "err"),
            WIFSIGNALED(status_) ? WTERMSIG(status_) : 0};
  }

 private:
  void note_end(int status) {
    ended_ = true;
    status_ = status;
  }

  /// What the new process does.
  [[noreturn]] void become(char** argv, const Surroundings& given) const {
    const auto redirect = [](const std::string& path, int flags, int descriptor) {
      const int opened = open(path.c_str(), flags, 0600);
      if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
      close(opened);
    };
    redirect(files_ / "in", O_RDONLY, STDIN_FILENO);
    redirect(out_, O_WRONLY | O_CREAT, STDOUT_FILENO);
    if (given.output_has_no_reader) {
      int ends[2];
      if (pipe(ends) != 0 || close(ends[0]) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) _exit(126);
    }
    redirect(files_ / "err", O_WRONLY | O_CREAT, STDERR_FILENO);
    if (chdir(given.folder.c_str()) != 0) _exit(126);
    if (given.file_size_limit) {
      const rlimit limit = {*given.file_size_limit, *given.file_size_limit};
      // Ignored, so that the write fails and does not kill.
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || std::signal(SIGXFSZ, SIG_IGN) == SIG_ERR) {
        _exit(126);
      }
    }
    if (given.prepare && !given.prepare()) _exit(126);
    execv(argv[0], argv);
    _exit(127);
  }

  const TemporaryFolder files_;
  const std::string out_;
  const bool read_back_;
  pid_t process_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

/// Runs `mtb` with the arguments and waits for its end.
inline Ending mtb(const std::vector<std::string>& arguments, const Surroundings& given = {}) {
  return Running(arguments, given).wait();
}

/// Blank-separated words as arguments.
inline std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

/// Expects failure with a message of one line that starts with `mtb: `, and no output.
inline void expect_refusal(const Ending& run, int status) {
  EXPECT_EQ(run.status, status) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("mtb: ")) << run.err;
  EXPECT_EQ(run.err.find('\n') + 1, run.err.size()) << run.err;
}

}  // namespace mtb::tests
