// Runs the real program and keeps what it said.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
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
};

/// What a run may be given besides its arguments.
struct Surroundings {
  std::string input;
  std::filesystem::path folder = ::testing::TempDir();
  std::string output_file;                ///< in place of one that is read back
  bool output_has_no_reader = false;      ///< as after `mtb ... | head -1`
  std::optional<rlim_t> file_size_limit;  ///< writing more fails, as on a full disk
};

/// Runs `mtb` with the arguments and waits for its end.
inline Ending mtb(const std::vector<std::string>& arguments, const Surroundings& given = {}) {
  const TemporaryFolder files;
  const std::string in = files / "in";
  const std::string out = given.output_file.empty() ? (files / "out").string() : given.output_file;
  const std::string err = files / "err";
  write_file(in, given.input);

  std::vector<char*> argv;
  std::string program = MTB_PROGRAM;
  argv.push_back(program.data());
  std::vector<std::string> words = arguments;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t child = fork();
  if (child == 0) {
    const auto redirect = [](const std::string& path, int flags, int descriptor) {
      const int opened = open(path.c_str(), flags, 0600);
      if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
      close(opened);
    };
    redirect(in, O_RDONLY, STDIN_FILENO);
    redirect(out, O_WRONLY | O_CREAT, STDOUT_FILENO);
    if (given.output_has_no_reader) {
      int ends[2];
      if (pipe(ends) != 0 || close(ends[0]) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) _exit(126);
    }
    redirect(err, O_WRONLY | O_CREAT, STDERR_FILENO);
    if (chdir(given.folder.c_str()) != 0) _exit(126);
    if (given.file_size_limit) {
      const rlimit limit = {*given.file_size_limit, *given.file_size_limit};
      // Ignored, so that the write fails and does not kill.
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || std::signal(SIGXFSZ, SIG_IGN) == SIG_ERR) {
        _exit(126);
      }
    }
    execv(argv[0], argv.data());
    _exit(127);
  }
  EXPECT_GT(child, 0) << "cannot fork";
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          given.output_file.empty() ? read_file(out) : "", read_file(err)};
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
