// A journal of verdicts: an SQLite file that may be damaged.
#include "reduce/verdicts/journal.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::filesystem::path path = fuzz::scratch_file("journal.sqlite", fuzz::text_of(data, size));
  const reduce::Verdict verdict = {.kind = reduce::Verdict::Kind::fails, .text = "exit status 1", .output = "o"};
  bool recorded = false;
  if (auto journal = reduce::Journal::open(path, "identity")) {
    static_cast<void>(journal->find("a"));
    recorded = journal->record("b", verdict).has_value();
    fuzz::require(!recorded || journal->find("b")->output == "o", "a recorded verdict is found");
  }
  if (recorded) {
    auto again = reduce::Journal::open(path, "identity");
    fuzz::require(again && again->find("b"), "a recorded verdict is found after the journal was closed");
  }
  fuzz::require(reduce::Journal::remove(path).has_value(), "the journal can be removed");
  return 0;
}
