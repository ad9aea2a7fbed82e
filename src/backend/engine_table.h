// The engines, one row each: flag, worker, names, settings, how to find the library, and what the programs of a bug
// report need. Options, help, errors, `assay --version` and the programs follow from the rows. "Add an engine" in
// CONTRIBUTING.md shows how to add one. The table only describes engines, so the worker programs can read it, too.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace assay::backend {

// A setting of an engine. As an option it applies to all runners that have it; with one value per such runner, a value
// or number applies to each in order. In the flag of one runner (--onnxrt=NAME:threads=1) it has a short name.
struct EngineSetting {
  enum class Form {
    value,    // one word
    number,   // one whole number, 0 by default
    list,     // several words; the engine gets them separated by commas
    entries,  // several KEY=VALUE; in a flag: NAME.KEY=VALUE
  };
  struct Value {
    std::string_view name;
    int number;  // in the engine's API
  };
  std::string_view flags;  // in CLI11's form: "--providers,--execution-providers"
  std::string_view name;   // the short name
  // The worker's option, whose value the worker checks; kLibrary for the engine's library or interpreter.
  std::string_view key;
  Form form;
  std::string_view help;
  std::string_view default_value{};           // may be empty
  std::span<const Value> values{};            // the allowed values; empty: the engine decides
  std::span<const std::string_view> usual{};  // if the engine decides: values that shells complete; may be empty
  std::string_view constant{};                // its name in the programs of a bug report; empty: it isn't in them
  std::string_view constant_comment{};        // may be empty
  bool files = false;                         // its words are files that the engine loads, so a bug report needs them

  // Returns the first spelling.
  [[nodiscard]] std::string_view flag() const { return flags.substr(0, flags.find(',')); }
  [[nodiscard]] bool is_one_word() const { return form == Form::value || form == Form::number; }
};
inline constexpr std::string_view kLibrary = "";
// The worker's option for the interpreter of TensorRT's scripts.
inline constexpr std::string_view kScriptPython = "python";

// A worker's option with a value that commands use by themselves. Empty: the engine has no such option.
struct EngineOption {
  std::string_view key{};
  std::string_view value{};

  // Sets the option in those of a worker; nothing if it is empty.
  void set_in(std::map<std::string, std::string>& options) const;
};

// An option that may be the reason why an engine fails.
struct EngineSuspect {
  std::string_view what;  // continues "the failure disappears if": "pre-packing of weights is disabled"
  EngineOption option;
};

// The names by which an engine that is a shared library is found.
struct LibrarySearch {
  std::string_view file{};  // start of the file name; a version may follow. Empty: the engine is a Python interpreter
  std::string_view package{};   // folder within Python's site-packages
  std::string_view pip{};       // Python package that contains it
  std::string_view variable{};  // environment variable for its path
  int major = 0;                // of a folder's libraries, those of this version are taken first; 0: the newest ones
  // System folders to search after the folders of LD_LIBRARY_PATH. If empty, LD_LIBRARY_PATH isn't searched either.
  std::span<const std::string_view> folders{};
};

struct EngineRow {
  std::string_view flag;    // "--onnxrt"
  std::string_view value;   // placeholder of the flag's value, "FILE"; empty: takes none
  std::string_view kind;    // selects the worker program assay-worker-KIND
  std::string_view runner;  // in names of runners: RUNNER-runner-N0-DATE
  std::string_view name;    // shown to the user
  std::string_view help;
  std::span<const EngineSetting> settings;
  LibrarySearch library{};
  // Names what the build needs for this worker, such as "the headers of X". Builds without it have no worker. May be
  // empty.
  std::string_view worker_needs{};
  // The worker's option for the flag's value (an absolute path) or, for flags without a value, for `fixed_value`.
  std::string_view value_key{};
  std::string_view fixed_value{};
  // It opens further libraries by their names alone; they are in the folder of its library.
  bool opens_by_name = false;
  bool saves_built = false;            // its worker has the option save_built, a file for what the engine builds
  bool has_tensorrt_settings = false;  // its worker has the settings of tensorrt/settings.h as options of these names
  bool in_polygraphy = false;          // Polygraphy has this flag, too
  bool starts_quickly = false;         // its workers are started after those of other engines
  bool renames_outputs = false;        // programs of a bug report need the model's names of outputs
  bool computes_values = false;        // debug reduce may compute values of tensors with it
  EngineOption exact{};                // runs a model without optimising it
  EngineOption full_precision{};       // computes in the types that the model declares, if that isn't the default
  EngineOption one_thread{};           // computes with one thread
  // Further options that diagnose tries, one at a time.
  std::span<const EngineSuspect> suspects{};

  // Returns the setting for the library or the interpreter.
  [[nodiscard]] const EngineSetting& library_setting() const;
};

// Returns all rows. The first one is the reference for the others: it computes what commands need themselves.
std::span<const EngineRow> engine_rows();
// Returns the first row of this kind, or null.
const EngineRow* find_engine_row(std::string_view kind);
// Asserts that the engine has a setting with this worker's option.
const EngineSetting& find_engine_setting(const EngineRow& row, std::string_view key);

}  // namespace assay::backend
