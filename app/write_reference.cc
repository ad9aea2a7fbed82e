// Writes the man page and the shell completions from the table of commands: write_reference FOLDER VERSION.
// Only the build runs this program; the files that it writes are installed.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/reference/completion.h"
#include "cli/reference/man_page.h"

int main(int argc, char** argv) {
  using namespace assay;
  if (argc != 3) {
    fmt::print(stderr, "usage: write_reference FOLDER VERSION\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const auto tools = cli::tools();
  const auto commands = cli::describe_all(cli::commands());
  struct File {
    const char* name;
    std::string text;
  };
  const std::array files = {
      File{"assay.1", cli::man_page(argv[2], tools, commands)},
      File{"assay", cli::bash_completion(tools, commands)},
      File{"_assay", cli::zsh_completion(tools, commands)},
      File{"assay.fish", cli::fish_completion(tools, commands)},
  };
  for (const File& file : files) {
    if (const base::Status written = base::write_file(folder / file.name, file.text); !written) {
      fmt::print(stderr, "error: {}\n", written.error().message());
      return 1;
    }
  }
  return 0;
}
