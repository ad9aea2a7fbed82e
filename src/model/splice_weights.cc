// The reverse of take_out_weights: one walk over the serialized skeleton. Unchanged bytes are referred to, not copied;
// each message around a weight gets a new header once its new length is known.
#include "model/splice_weights.h"

#include <algorithm>
#include <limits>

#include "model/visit_tensors.h"
#include "model/wire.h"

namespace assay::model {
namespace {

using base::ErrorKind;
using base::fail;
using wire::Field;
using wire::FieldReader;
using wire::Message;
using TensorField = onnx::TensorProto;  // for the numbers of its fields

std::uint32_t value_field(const ExternalData& data) {
  if (data.inline_form == kInlineFloats) return TensorField::kFloatDataFieldNumber;
  if (data.inline_form == kInlineDoubles) return TensorField::kDoubleDataFieldNumber;
  return TensorField::kRawDataFieldNumber;
}

class Splicer {
 public:
  Splicer(Splice& result, const WeightFiles& files, ExternalWeights external)
      : result_(result), files_(files), external_(external) {}

  // Appends the new content of a message and returns true, or appends nothing and returns false if it is unchanged.
  base::Expected<bool> message(std::string_view content, Message kind) {
    FieldReader reader(content);
    const char* begin = content.data();  // of the bytes not yet appended
    while (const auto field = reader.next()) {
      const auto child = field->type == wire::Type::bytes ? wire::message_of(kind, field->number) : std::nullopt;
      if (!child) continue;
      const std::size_t mark = result_.segments.size();
      const std::uint64_t size_before = result_.size;
      append({begin, static_cast<std::size_t>(field->whole.data() - begin)});
      const std::size_t header = result_.segments.size();
      result_.segments.emplace_back();
      const std::uint64_t size_of_content = result_.size;
      ASSAY_ASSIGN(const bool changed,
                   *child == Message::tensor ? tensor(field->content) : message(field->content, *child));
      if (!changed) {
        result_.segments.resize(mark);
        result_.size = size_before;
        continue;
      }
      std::string bytes;
      wire::append_header(bytes, field->number, result_.size - size_of_content);
      result_.segments[header].bytes = keep(std::move(bytes));
      result_.size += result_.segments[header].bytes.size();
      begin = field->whole.data() + field->whole.size();
    }
    if (begin == content.data()) return false;
    append({begin, static_cast<std::size_t>(content.data() + content.size() - begin)});
    return true;
  }

 private:
  base::Expected<bool> tensor(std::string_view content) {
    bool external = false;
    for (FieldReader reader(content); const auto field = reader.next();) {
      if (field->number == TensorField::kDataLocationFieldNumber)
        external = field->value == onnx::TensorProto::EXTERNAL;
    }
    if (!external) return false;
    onnx::TensorProto proto;
    if (!proto.ParseFromArray(content.data(), static_cast<int>(content.size()))) {
      return fail(ErrorKind::invalid_input, "a tensor cannot be serialized", proto.name());
    }
    if (external_ == ExternalWeights::stay && !was_inline(proto)) return false;
    ASSAY_ASSIGN(const ExternalData data, external_data(proto));
    ASSAY_ASSIGN(FileRange range, find_range(files_, data, proto));

    for (FieldReader reader(content); const auto field = reader.next();) {
      const bool replaced = field->number == TensorField::kDataLocationFieldNumber ||
                            field->number == TensorField::kExternalDataFieldNumber;
      if (!replaced) append(field->whole);
    }
    std::string header;
    wire::append_header(header, value_field(data), range.length);
    append(keep(std::move(header)));
    result_.size += range.length;
    result_.segments.push_back({{}, std::move(range)});
    return true;
  }

  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    result_.size += bytes.size();
    result_.segments.push_back({bytes, {}});
  }

  std::string_view keep(std::string bytes) {
    return *result_.storage.emplace_back(std::make_unique<const std::string>(std::move(bytes)));
  }

  Splice& result_;
  const WeightFiles& files_;
  ExternalWeights external_;
};

// Asking the parsed messages costs a fraction of a walk over their bytes.
bool has_references(const onnx::ModelProto& model) {
  bool found = false;
  visit_tensors(model, [&](const onnx::TensorProto& tensor, TensorRole) { found |= is_external(tensor); });
  return found;
}

}  // namespace

base::Expected<Splice> splice_weights(const onnx::ModelProto& model, const WeightFiles& files,
                                      ExternalWeights external) {
  constexpr auto kLimit = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  const std::size_t size = model.ByteSizeLong();
  if (size > kLimit) {
    return fail(ErrorKind::invalid_input,
                "the model has 2 GiB or more without its weights, which protobuf cannot hold");
  }
  std::string skeleton(size, '\0');
  model.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(skeleton.data()));
  Splice splice;
  const std::string_view bytes = *splice.storage.emplace_back(std::make_unique<const std::string>(std::move(skeleton)));
  bool changed = false;
  if (has_references(model)) {
    ASSAY_ASSIGN(changed, Splicer(splice, files, external).message(bytes, Message::model));
  }
  if (!changed) {
    splice.segments = {Segment{bytes, {}}};
    splice.size = bytes.size();
  }
  return splice;
}

std::string_view bytes_of(const Segment& segment) {
  if (!segment.range.file) return segment.bytes;
  const auto range = segment.range.file->bytes().subspan(segment.range.offset, segment.range.length);
  return {reinterpret_cast<const char*>(range.data()), range.size()};
}

base::Expected<Splice> splice_weights(const Model& model) {
  return splice_weights(model.proto, *model.files,
                        model.weights_ignored ? ExternalWeights::stay : ExternalWeights::inlined);
}

void copy_bytes(const Splice& splice, char* out) {
  for (const Segment& segment : splice.segments) out = std::ranges::copy(bytes_of(segment), out).out;
}

}  // namespace assay::model
