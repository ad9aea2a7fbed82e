// Output of a check, in which the reducer looks for names and for the signature of the failure.
#include "reduce/judge/names_in_text.h"
#include "reduce/judge/signature.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::string_view text = fuzz::text_of(data, size);
  for (const std::string& name : reduce::names_in_text(text, 64)) {
    fuzz::require(!name.empty() && name.size() <= 512, "names have 1 to 512 bytes");
  }
  const reduce::Signature signature = reduce::signature_of(
      {.kind = reduce::Verdict::Kind::fails, .text = "exit status 1", .output = std::string(text)});
  fuzz::require(signature.text.size() <= 8192 && signature.classes.size() <= 32 && signature.headline.size() <= 800,
                "a signature is as small as its comments say");
  fuzz::require(reduce::same_failure(signature, signature, reduce::SameFailure::strict), "a failure equals itself");
  fuzz::require(reduce::same_failure(signature, signature, reduce::SameFailure::same_class),
                "a failure is in its own class");
  return 0;
}
