// The file to which a command writes a program for the user; `-` is standard output, as in Polygraphy.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"

namespace assay::cli {

class ScriptFile {
 public:
  explicit ScriptFile(std::string option = "-o") : option_(std::move(option)) {}
  CLI::Option* add_to(CLI::App& app, const std::string& names = "-o,--output",
                      const std::string& help = "Write the script to this file; - prints it");
  [[nodiscard]] bool given() const { return !path_.empty(); }
  // Returns true if the program goes to standard output: the log then mustn't.
  [[nodiscard]] bool prints() const { return path_ == "-"; }

  // Writes the program, makes it executable and logs "Saved the WHAT to PATH. HINT"; or only prints it. `read`: the
  // files that the command reads, which the program must not replace. Errors: those of check_paths() and of writing.
  base::Status save(std::string_view text, std::string_view what, std::string_view hint,
                    const std::vector<OptionPath>& read, Context& context) const;

 private:
  std::string option_;  // that names the file
  std::filesystem::path path_;
};

}  // namespace assay::cli
