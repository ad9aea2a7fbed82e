// The check command for one model file: how a check learns which file it has to judge.
//
// A check refers to its file in one of three ways: as the artifact's path inside one of its words, as {model} in any
// word or, inside a script, as the environment variable ASSAY_MODEL. To judge a file other than the artifact, the
// command is started with the name of that file in all three.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "worker/process.h"

namespace assay::reduce {

inline constexpr const char* kModelWord = "{model}";
inline constexpr const char* kModelVariable = "ASSAY_MODEL";  // an absolute path

// Returns the command that judges `model`, which is `artifact` or in the same folder. A word refers to the artifact if
// it is its path, or contains it as a whole path between blanks, quotes or other characters that end a path in a shell
// ("--model=./a.onnx", "cat a.onnx|wc"); the spelling of the folder is kept. The program's own word is never changed.
worker::Command command_for(const std::vector<std::string>& words, const std::filesystem::path& artifact,
                            const std::filesystem::path& model);

// Returns the command for a model in any folder, or nothing if no word names the artifact's path or contains {model}.
// The path is replaced as a whole, with its folder; otherwise as command_for().
std::optional<worker::Command> command_for_whole(const std::vector<std::string>& words,
                                                 const std::filesystem::path& artifact,
                                                 const std::filesystem::path& whole);

// Returns why a check can't judge several files at once, or nothing if it can. It can't if no word names the file and
// neither a word nor a script of the check (check_scripts.h, with `program_folders` as the search path) mentions
// ASSAY_MODEL.
std::optional<std::string> why_alone(const std::vector<std::string>& words, const std::filesystem::path& artifact,
                                     std::span<const std::filesystem::path> program_folders);

// Returns why a check probably never sees a candidate, and what to do; nothing if it may. That is so if neither its
// words nor the text of its scripts or its program mention the name of the artifact, {model} or ASSAY_MODEL. A frequent
// mistake is to name the file of the whole model, `whole`, instead.
std::optional<std::string> why_blind(const std::vector<std::string>& words, const std::filesystem::path& artifact,
                                     const std::filesystem::path& whole,
                                     std::span<const std::filesystem::path> program_folders);

}  // namespace assay::reduce
