#include "reduce/judge/memory_faults.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>

namespace assay::reduce {
namespace {

constexpr std::string_view kCrash = "crashed with signal ";
constexpr std::string_view kExit = "exit status ";
constexpr std::string_view kFault = "memory fault";

// SIGFPE isn't among them: most divisions by zero have nothing to do with memory.
constexpr std::array<std::string_view, 3> kNames = {"SIGSEGV", "SIGBUS", "SIGABRT"};

// glibc's allocator writes one of these if it finds the heap damaged, and then aborts the program.
constexpr std::array<std::string_view, 11> kHeapMessages = {"free(): ",
                                                            "malloc(): ",
                                                            "realloc(): ",
                                                            "munmap_chunk(): ",
                                                            "mremap_chunk(): ",
                                                            "malloc_consolidate(): ",
                                                            "tcache_thread_shutdown(): ",
                                                            "double free or corruption",
                                                            "corrupted size vs. prev_size",
                                                            "corrupted double-linked list",
                                                            "sysmalloc: Assertion"};

// Returns the signal that an ending tells of, or a number that isn't one.
int signal_of(std::string_view ending) {
  constexpr int kShell = 128;
  const bool crashed = ending.starts_with(kCrash);
  if (!crashed && !ending.starts_with(kExit)) return 0;
  ending.remove_prefix((crashed ? kCrash : kExit).size());
  int number = 0;
  std::from_chars(ending.data(), ending.data() + ending.size(), number);
  return crashed ? number : number - kShell;
}

bool says_that_heap_is_damaged(std::string_view output) {
  return std::ranges::any_of(kHeapMessages,
                             [&](std::string_view message) { return output.find(message) != std::string_view::npos; });
}

bool is_memory_signal(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

bool ended_by_memory_fault(std::string_view ending, std::string_view output) {
  const int signal = signal_of(ending);
  return signal == SIGSEGV || signal == SIGBUS || (signal == SIGABRT && says_that_heap_is_damaged(output));
}

bool reports_memory_fault(const std::vector<std::string>& classes, std::string_view output) {
  const auto names = [&](std::string_view name) { return std::ranges::find(classes, name) != classes.end(); };
  return names("SIGSEGV") || names("SIGBUS") || (names("SIGABRT") && says_that_heap_is_damaged(output));
}

std::string without_memory_signal(const std::string& ending) {
  const int signal = signal_of(ending);
  if (signal != SIGSEGV && signal != SIGBUS && signal != SIGABRT) return ending;
  return std::string(ending.starts_with(kCrash) ? kCrash : kExit).append(kFault);
}

std::vector<std::string> without_memory_signals(std::vector<std::string> classes) {
  if (std::erase_if(classes, is_memory_signal) > 0) {
    classes.emplace_back(kFault);
    std::ranges::sort(classes);
  }
  return classes;
}

}  // namespace assay::reduce
