// Bytes in protobuf's wire format, which may be no message at all.
#include "model/wire.h"

#include "tests/fuzz/fuzz.h"

namespace {
using namespace assay;
namespace wire = model::wire;

void walk(std::string_view message, wire::Message kind, int depth) {
  wire::FieldReader reader(message);
  const char* end = message.data();
  while (const auto field = reader.next()) {
    fuzz::require(field->whole.data() == end, "a field begins where the field before it ends");
    end = field->whole.data() + field->whole.size();
    fuzz::require(end <= message.data() + message.size(), "a field ends within its message");
    fuzz::require(field->content.data() >= field->whole.data() && field->content.data() + field->content.size() == end,
                  "the content is the end of the field");
    if (field->type != wire::Type::bytes || depth == wire::kMaxDepth) continue;
    if (const auto inner = wire::message_of(kind, field->number)) walk(field->content, *inner, depth + 1);
  }
  fuzz::require(!reader.ended() || end == message.data() + message.size(), "a walk that ended read all bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  walk(bytes, wire::Message::model, 0);

  std::string_view rest = bytes;
  if (const auto number = wire::read_varint(rest)) {
    std::string written;
    wire::append_varint(written, *number);
    std::string_view again = written;
    fuzz::require(wire::read_varint(again) == number && again.empty(), "a written number is read as the same number");
  }
  return 0;
}
