// The interface of a command: it declares options, runs, and gets everything else from its context.
//
// A command holds no algorithm: it turns options into plain structs, calls the other rooms and reports. Several
// commands may run in one process (a check of the form `assay run ...` does), so a command keeps no state outside its
// object.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>  // CLI11 needs both headers wherever an App is used

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "cli/context/installation.h"
#include "report/page/page.h"
#include "worker/engine.h"

namespace assay::cli {

// Exit statuses. The first three are Polygraphy's.
inline constexpr int kExitPassed = 0;
inline constexpr int kExitFailed = 1;         // an error, or a comparison, validation or check that failed
inline constexpr int kExitUsage = 2;          // invalid command line; in a check, also an error of any model
inline constexpr int kExitUndecided = 3;      // `diagnose`: the budget ended before the cause was found
inline constexpr int kExitInterrupted = 130;  // Ctrl-C

// Holds everything that one run of a command uses. The caller owns all of it.
struct Context {
  base::Log& log;
  std::ostream& out;  // for output other than the log, e.g. JSON
  const base::Stop& stop;
  worker::Pool& pool;
  const Installation& installation;
  std::vector<std::string> words{};  // the command line as the user gave it, with the program's name
  // If not null, `debug reduce` sets it to what its HTML report shows, without title, command line and environment.
  report::Page* page = nullptr;
  std::string python{};  // value of --python-interpreter; empty if it wasn't given (script_python.h)
  // Assay runs the command as a check, so no person follows its log, and it doesn't say what to do next.
  bool in_check = false;
};

class Command {
 public:
  virtual ~Command() = default;
  // Declares options. Parsing writes into this object, so it must live until parsing is done.
  virtual void add_options(CLI::App& app) = 0;
  // Returns the exit status: one of those above, or the code that the user chose with `run --refused-code`. The caller
  // turns an error into kExitFailed.
  virtual base::Expected<int> run(Context& context) = 0;

  // Return whether standard output carries JSON, or a script; the log then goes to standard error. An error is printed
  // as JSON instead of JSON, but not instead of a script. Call them after parsing.
  [[nodiscard]] virtual bool prints_data() const { return false; }
  [[nodiscard]] virtual bool prints_script() const { return false; }

  // Returns all spellings of the option that takes every word to the end of the line, e.g. --check; empty: none.
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

}  // namespace assay::cli
