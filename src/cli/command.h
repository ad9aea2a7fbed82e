// What a command is: options on one side, work on the other, and the surroundings in which it runs.
//
// A command file holds no algorithm: it turns options into plain structs, calls the rooms, and reports. The same
// command may run several times in one process (a check of the form `assay run ...` does), so it keeps nothing outside
// its object.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>  // CLI11 wants both wherever an App is used

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "cli/installation.h"
#include "worker/engine.h"

namespace assay::cli {

// Exit statuses; the peer's.
inline constexpr int kExitPassed = 0;
inline constexpr int kExitFailed = 1;         // an error, or a comparison, validation or check that failed
inline constexpr int kExitUsage = 2;          // the command line makes no sense
inline constexpr int kExitInterrupted = 130;  // Ctrl-C

// The surroundings of one run of a command. Everything is owned by the caller.
struct Context {
  base::Log& log;
  std::ostream& out;  // what the command prints besides its log, e.g. JSON or a script
  const base::Stop& stop;
  worker::Pool& pool;
  const Installation& installation;
};

class Command {
 public:
  virtual ~Command() = default;
  // Declares options that write into this object.
  virtual void add_options(CLI::App& app) = 0;
  // Gives the exit status: kExitPassed, or kExitFailed where the thing under test failed. Errors become kExitFailed.
  virtual base::Expected<int> run(Context& context) = 0;

  // True (after parsing) where standard output carries data for programs; the log then goes to standard error.
  [[nodiscard]] virtual bool prints_data() const { return false; }

  // Option (all its spellings) that takes every word to the end of the line, e.g. --check; empty: none.
  [[nodiscard]] virtual std::vector<std::string> remainder_option() const { return {}; }
  virtual void set_remainder(std::vector<std::string>) {}
};

struct CommandRow {
  std::string_view tool;      // "surgeon"
  std::string_view noun;      // "extract"; empty for a tool without subtools
  std::string_view summary;   // one line for --help
  std::string_view examples;  // lines for --help, without the leading "assay "
  std::unique_ptr<Command> (*make)();
};

template <class C>
std::unique_ptr<Command> make_command() {
  return std::make_unique<C>();
}

}  // namespace assay::cli
