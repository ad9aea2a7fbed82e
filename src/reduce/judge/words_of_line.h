// Splits a line of a check's output into words, recognises those that identify a place in the engine, and removes those
// that differ between two reports of the same failure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

// Returns the line with a '~' in place of everything that varies between runs and candidates: quoted texts, numbers,
// addresses, times, UUIDs, paths, and names that contain digits or underscores. Several of them in a row become one
// '~'. Words of engines stay: NOT_IMPLEMENTED, std::bad_alloc, float16, conv.cpp:38.
std::string without_what_varies(std::string_view line);

// Returns the words of a line, which are separated by blanks, brackets, commas and the like, without quoted texts and
// without punctuation at their ends.
std::vector<std::string> words_without_quotes(std::string_view line);

// Returns "conv.cpp:38" for "/src/op/conv.cpp:38", a position in an engine's source; empty if the word isn't one.
std::string place_in_source(std::string_view word);

// Returns the quoted texts ("x", 'x', `x') of a line and their positions. An apostrophe inside a word isn't a quote,
// nor is a quote whose other half is more than 1 KiB away.
struct Quoted {
  std::size_t start = 0;  // of the opening quote
  std::size_t end = 0;    // after the closing quote
  std::string_view text;
};
std::vector<Quoted> quoted_in(std::string_view line);

}  // namespace assay::reduce
