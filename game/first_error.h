// The error of work that several threads share.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "game/result.h"

namespace mtb {

/// Keeps the first error that it is told, whichever thread is first. Safe for concurrent use.
class FirstError {
 public:
  void tell(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    any_.store(true, std::memory_order_release);
  }
  bool any() const { return any_.load(std::memory_order_acquire); }
  std::optional<Error> get() const {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Error> error_;
  std::atomic<bool> any_ = false;
};

}  // namespace mtb
