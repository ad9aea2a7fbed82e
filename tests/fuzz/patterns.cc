// Regular expressions and wildcards that users write: the first line is the pattern, the rest a text.
#include "base/pattern.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  std::string_view bytes = fuzz::text_of(data, size);
  const bool wildcard = fuzz::choose(bytes, 2) == 1;
  const auto [written, text] = fuzz::split_line(bytes);
  const auto pattern = wildcard ? base::Pattern::wildcard(written) : base::Pattern::regex(written);
  if (pattern) {
    const auto matches = pattern->matches(text);
    fuzz::require(matches || !matches.error().what.empty(), "a match that was given up has a reason");
  } else {
    fuzz::require(pattern.error().kind == base::ErrorKind::invalid_input && !pattern.error().what.empty(),
                  "a refused pattern has a reason");
  }
  return 0;
}
