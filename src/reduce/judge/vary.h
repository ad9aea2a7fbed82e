// What differs between two reports of one failure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

// The line without what varies from run to run and from candidate to candidate: quoted texts, numbers, addresses,
// times, UUIDs, paths, and names that hold digits or underscores, each as one '~'; several of them in a row as one.
// Words of engines stay: NOT_IMPLEMENTED, std::bad_alloc, float16, conv.cpp:38.
std::string without_what_varies(std::string_view line);

// The words of a line between blanks, brackets, commas and the like, without what stands in quotes and without
// punctuation at their ends.
std::vector<std::string> words_without_quotes(std::string_view line);

// The texts in quotes ("x", 'x', `x'), and where they start in the line. An apostrophe inside a word is no quote,
// nor is one whose other half is more than 1 KiB away.
struct Quoted {
  std::size_t start = 0;  // of the opening quote
  std::size_t end = 0;    // behind the closing quote
  std::string_view text;
};
std::vector<Quoted> quoted_in(std::string_view line);

}  // namespace assay::reduce
