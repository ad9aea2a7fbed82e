// Patterns that users write: regular expressions with the semantics of Python's `re`, and wildcards with those of
// Python's `fnmatch.fnmatchcase`. PCRE2 matches both.
//
// Patterns and texts are UTF-8: `.` and `?` match a character, not a byte. Bytes of a text that aren't UTF-8 match only
// the `*` of a wildcard without `?` and sets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct pcre2_real_code_8;  // PCRE2's compiled pattern

namespace assay::base {

// An immutable compiled pattern. Copies share it, and threads may use it at the same time.
class Pattern {
 public:
  // Compiles a regular expression, which matches anywhere in a text. Errors: invalid_input with the reason and the
  // position at which PCRE2 stopped reading, counted in characters from 0; the pattern is the error's `where`.
  static Expected<Pattern> regex(std::string_view text);
  // Compiles a wildcard, which matches a whole text: * ? [set] [!set]. A '[' without its ']' stands for itself.
  // Errors: as regex(), for a range such as [z-a].
  static Expected<Pattern> wildcard(std::string_view text);

  // Returns whether the text matches. Errors: invalid_input if this takes more than kMostSteps steps and another 16 for
  // each byte of the text, or more than 1 GiB of memory, because repetitions inside repetitions are tried in all ways.
  [[nodiscard]] Expected<bool> matches(std::string_view text) const;
  static constexpr std::uint64_t kMostSteps = 100'000'000;  // two or three seconds

 private:
  Pattern(std::string_view text, std::shared_ptr<const pcre2_real_code_8> code) : text_(text), code_(std::move(code)) {}

  std::string text_;  // as the user wrote it
  std::shared_ptr<const pcre2_real_code_8> code_;
};

// Returns whether a name, or a wildcard for several names, stands for `name`. A name stands for itself even if it has
// letters that mean something in a wildcard, such as "x[0]".
bool stands_for(std::string_view name_or_wildcard, std::string_view name);

// Finds the entry for `name` in a map by names and wildcards: that of the name or else, as the most specific one, that
// of the longest wildcard that stands for it. Returns the map's end if there is none.
template <class Map>
auto find_entry_for(const Map& entries, const std::string& name) {
  auto found = entries.find(name);
  if (found != entries.end()) return found;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const bool is_longest = found == entries.end() || entry->first.size() > found->first.size();
    if (is_longest && stands_for(entry->first, name)) found = entry;
  }
  return found;
}

}  // namespace assay::base
