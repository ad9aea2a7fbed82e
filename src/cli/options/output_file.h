// The option -o of commands that write one file. "-" stands for standard output in some programs and in `assay
// template`, so a file of this name would surprise the user.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <string>

namespace assay::cli {

// `path`: a std::string or std::filesystem::path.
template <class Path>
CLI::Option* add_output(CLI::App& app, Path& path, const std::string& help) {
  const auto refuse_dash = [](std::string& word) {
    return word == "-" ? "must be a file, since this command can't write to standard output; ./- is a file called -"
                       : std::string();
  };
  return app.add_option("-o,--output", path, help)->option_text("FILE")->check(CLI::Validator(refuse_dash, ""));
}

}  // namespace assay::cli
