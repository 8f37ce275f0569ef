#include "audit/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace mtb {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;
constexpr auto kWriteTime = std::chrono::seconds(1);

int milliseconds_until(Child::Clock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - Child::Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1'000'000));
}

void close_if_open(int& descriptor) {
  if (descriptor != -1) static_cast<void>(::close(descriptor));
  descriptor = -1;
}

}  // namespace

Result<Child> Child::start(const std::string& command) {
  // Sockets rather than pipes: writing to one that nobody reads can be told not to raise a signal.
  std::array<int, 2> to_child{-1, -1};
  std::array<int, 2> from_child{-1, -1};
  const auto refused = [&](int code) {
    for (int descriptor : {to_child[0], to_child[1], from_child[0], from_child[1]}) {
      close_if_open(descriptor);
    }
    return fail(Fault::system, "cannot start `" + command + "`: " + std::strerror(code));
  };
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_child.data()) != 0 ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, from_child.data()) != 0) {
    return refused(errno);
  }
  const char* const text = command.c_str();
  const pid_t process = ::fork();
  if (process == -1) return refused(errno);
  if (process == 0) {
    // Between fork() and exec() only calls that are safe in signal handlers.
    static_cast<void>(::setpgid(0, 0));
    if (::dup2(to_child[1], STDIN_FILENO) == -1 || ::dup2(from_child[1], STDOUT_FILENO) == -1) {
      ::_exit(127);
    }
    ::execl("/bin/sh", "sh", "-c", text, nullptr);
    ::_exit(127);
  }
  // Both set it, so that it holds whoever is first.
  static_cast<void>(::setpgid(process, process));
  close_if_open(to_child[1]);
  close_if_open(from_child[1]);
  return Child(process, to_child[0], from_child[0]);
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)),
      read_(std::move(other.read_)) {}

Child::~Child() {
  kill();
  close_if_open(in_);
  close_if_open(out_);
}

void Child::kill() {
  if (process_ == -1) return;
  static_cast<void>(::kill(-process_, SIGKILL));
  static_cast<void>(::kill(process_, SIGKILL));  // should it have left its group
  int status = 0;
  while (::waitpid(process_, &status, 0) == -1 && errno == EINTR) {
  }
  process_ = -1;
}

bool Child::write_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  const Clock::time_point deadline = Clock::now() + kWriteTime;
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t sent = ::send(in_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent == -1 && errno == EINTR) continue;
    if (sent == -1 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd wanted{in_, POLLOUT, 0};
    const int left = milliseconds_until(deadline);
    if (left == 0) return false;
    static_cast<void>(::poll(&wanted, 1, left));  // the loop looks again, whatever it says
  }
  return true;
}

Child::Got Child::read_line(std::string& line, Clock::time_point deadline) {
  for (;;) {
    const std::size_t end = read_.find('\n');
    if (end != std::string::npos || read_.size() >= kLongestLine) {
      const std::size_t length = std::min({end, read_.size(), kLongestLine});
      line = read_.substr(0, length);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      read_.erase(0, end == length ? length + 1 : length);
      return Got::line;
    }
    pollfd wanted{out_, POLLIN, 0};
    const int left = milliseconds_until(deadline);
    if (left == 0) return Got::nothing_in_time;
    const int ready = ::poll(&wanted, 1, left);
    if (ready == 0 || (ready == -1 && errno == EINTR)) continue;
    std::array<char, 4096> part;
    const ssize_t got = ready == -1 ? -1 : ::recv(out_, part.data(), part.size(), MSG_DONTWAIT);
    if (got > 0) {
      read_.append(part.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
      return Got::end;
    }
  }
}

}  // namespace mtb
