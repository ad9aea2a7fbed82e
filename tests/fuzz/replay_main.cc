// Passes each file of the folders that are its arguments to a fuzz target, without libFuzzer and so with any compiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const std::filesystem::path& path : files) {
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);  // says which file it was if the target aborts
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file) return EXIT_FAILURE;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  if (files.empty()) std::fprintf(stderr, "no files to pass to the target\n");
  return files.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}
