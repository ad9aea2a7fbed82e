// The file to which a command writes a program for the user; `-` is standard output, as in Polygraphy.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "cli/command.h"

namespace assay::cli {

class ScriptFile {
 public:
  [[nodiscard]] std::filesystem::path& path() { return path_; }  // for the parser
  [[nodiscard]] bool given() const { return !path_.empty(); }
  // Returns true if the program goes to standard output: the log then mustn't.
  [[nodiscard]] bool prints() const { return path_ == "-"; }

  // Writes the program, makes it executable and logs "Saved the WHAT to PATH. HINT"; or only prints it. Errors: those
  // of writing.
  base::Status save(std::string_view text, std::string_view what, std::string_view hint, Context& context) const;

 private:
  std::filesystem::path path_;
};

}  // namespace assay::cli
