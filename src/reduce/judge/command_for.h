// The check command for one model file: how a check is told which file it is to judge.
//
// A check names its file in one of three ways: as the artifact's path, which stands in one of its words; as {model} in
// any of them; or, inside a script, as the environment variable ASSAY_MODEL. Given another file than the artifact, it
// is started with the name of that file in all three.
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

// `model` lies in the folder of `artifact`, and may be it. A word names the artifact where it is its path, or holds it
// as a whole path between blanks, quotes or other signs that end one in a shell ("--model=./a.onnx", "cat a.onnx|wc");
// the folder is left as it is spelled. The program's own word stays.
worker::Command command_for(const std::vector<std::string>& words, const std::filesystem::path& artifact,
                            const std::filesystem::path& model);

// Why a check cannot run on several files at once: none of its words names one, nor do they, or a text file of up to
// 1 MiB among them (a script, looked for in `program_folders` too), mention ASSAY_MODEL. Absent: it can.
std::optional<std::string> why_alone(const std::vector<std::string>& words, const std::filesystem::path& artifact,
                                     std::span<const std::filesystem::path> program_folders);

}  // namespace assay::reduce
