// A text is parsed as a whole and serialized again, so that the loader sees what it sees of other files: it cuts the
// weights out of the bytes. A model of gigabytes isn't stored as text.
#include "model/text_forms.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/strings.h"
#include "model/load.h"
#include "model/serialize.h"
#include "model/wire.h"

namespace assay::model {
using base::ErrorKind;
using base::fail;

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kLongest = std::numeric_limits<std::int32_t>::max();

// Skips white space and comments.
std::string_view skip_to_content(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return text;
}

bool begins_with_field_of_model(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin);
  const std::string word(
      text.substr(0, text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")));
  const auto* const descriptor = onnx::ModelProto::descriptor();
  return descriptor->FindFieldByName(word) != nullptr || descriptor->FindFieldByCamelcaseName(word) != nullptr;
}

base::Error refused(std::string_view form, std::string_view why) {
  return {ErrorKind::invalid_input, fmt::format("not a model in {}: {}", form, why), {}, "Export the model again"};
}

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = line < 0 ? message : fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

base::Expected<onnx::ModelProto> parse_protobuf(std::string_view text) {
  google::protobuf::TextFormat::Parser parser;
  FirstError error;
  parser.RecordErrorsTo(&error);
  parser.SetRecursionLimit(wire::kMaxDepth);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  onnx::ModelProto proto;
  if (!parser.Parse(&stream, &proto)) return fail(refused("protobuf's text format", error.text()));
  return proto;
}

// Protobuf's messages about JSON have the text around the error in a second line, and a caret in a third.
std::string in_one_line(std::string_view message) {
  const std::vector<std::string> lines = base::split(message, '\n');
  const std::string_view around = lines.size() > 1 ? base::trim(lines[1]) : std::string_view();
  return around.empty() ? lines[0] : fmt::format("{} It is near '{}'", lines[0], around);
}

base::Expected<onnx::ModelProto> parse_json(std::string_view text) {
  onnx::ModelProto proto;
  const auto status = google::protobuf::util::JsonStringToMessage({text.data(), text.size()}, &proto);
  if (status.ok()) return proto;
  return fail(refused("protobuf's JSON", in_one_line({status.message().data(), status.message().size()})));
}

// ONNX's parser calls itself for each bracket, without a limit.
bool is_nested_too_deeply(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    } else if (std::string_view("{([").find(c) != std::string_view::npos) {
      if (++depth > wire::kMaxDepth) return true;
    } else if (std::string_view("})]").find(c) != std::string_view::npos) {
      --depth;
    }
  }
  return false;
}

base::Expected<onnx::ModelProto> parse_onnx(std::string_view text) {
  if (is_nested_too_deeply(text)) {
    return fail(refused("ONNX's text format", fmt::format("brackets are nested deeper than {}", wire::kMaxDepth)));
  }
  ASSAY_ASSIGN(Model model, parse_text(text));
  return std::move(model.proto);
}

base::Expected<onnx::ModelProto> parse(std::string_view text, TextForm form) {
  switch (form) {
    case TextForm::protobuf:
      return parse_protobuf(text);
    case TextForm::json:
      return parse_json(text);
    case TextForm::onnx:
      return parse_onnx(text);
  }
  return fail(ErrorKind::unsupported, "unknown form of text");
}

// protobuf writes the largest float32 in its shortest form, which is a little larger as a double. Python's protobuf,
// and so onnx.load(), refuses that as too large. Masks of language models often have this value. Numbers in a JSON with
// doubles stay, as these could have the short form as their exact value.
std::string with_exact_limits(std::string json) {
  constexpr std::string_view kShort = "3.40282347e+38", kExact = "3.4028234663852886e+38";
  if (json.find(kShort) == std::string::npos || json.find("\"double_data\"") != std::string::npos) return json;
  const std::string_view text = json;
  std::string exact;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_limit = !quoted && text.substr(i, kShort.size()) == kShort;
    const std::size_t length = is_limit ? kShort.size() : quoted && text[i] == '\\' ? 2 : 1;
    if (text[i] == '"') quoted = !quoted;
    exact += is_limit ? kExact : text.substr(i, length);
    i += length;
  }
  return exact;
}

}  // namespace

bool is_text(std::string_view bytes) {
  return std::ranges::all_of(bytes.substr(0, 512), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7F : c == '\n' || c == '\r' || c == '\t';
  });
}

std::optional<TextForm> text_form(std::string_view bytes) {
  if (!is_text(bytes)) return std::nullopt;
  std::string_view text = skip_to_content(bytes);
  if (text.starts_with('<')) {
    return begins_with_field_of_model(text.substr(1)) ? std::optional(TextForm::onnx) : std::nullopt;
  }
  if (!text.starts_with('{')) {
    return begins_with_field_of_model(text) ? std::optional(TextForm::protobuf) : std::nullopt;
  }
  text.remove_prefix(std::min(text.find_first_not_of(kSpace, 1), text.size()));
  const bool is_model = text.starts_with('"') && begins_with_field_of_model(text.substr(1));
  return is_model ? std::optional(TextForm::json) : std::nullopt;
}

bool is_text_file(const std::filesystem::path& path) {
  const auto file = base::MappedFile::open(path);
  if (!file) return false;
  return text_form({reinterpret_cast<const char*>((*file)->bytes().data()), (*file)->bytes().size()}).has_value();
}

base::Expected<std::string> read_text(std::string_view bytes, TextForm form) {
  if (bytes.size() > kLongest) return fail(ErrorKind::unsupported, "the text has 2 GiB or more");
  ASSAY_ASSIGN(const onnx::ModelProto proto, parse(bytes, form));
  if (proto.ByteSizeLong() > kLongest) return fail(ErrorKind::unsupported, "the model has 2 GiB or more");
  return proto.SerializeAsString();
}

std::optional<TextForm> text_form_of_name(const std::filesystem::path& path) {
  struct Extension {
    std::string_view text;
    TextForm form;
  };
  static constexpr std::array kExtensions = {
      // onnx.serialization
      Extension{".textproto", TextForm::protobuf}, Extension{".txtpb", TextForm::protobuf},
      Extension{".prototxt", TextForm::protobuf},  Extension{".pbtxt", TextForm::protobuf},
      Extension{".json", TextForm::json},          Extension{".onnxjson", TextForm::json},
      Extension{".onnxtxt", TextForm::onnx},       Extension{".onnxtext", TextForm::onnx},
  };
  const auto* const found = std::ranges::find(kExtensions, path.extension().string(), &Extension::text);
  return found == kExtensions.end() ? std::nullopt : std::optional(found->form);
}

base::Expected<std::string> write_text(const Model& model, TextForm form) {
  if (form == TextForm::onnx) {
    return fail(ErrorKind::unsupported, "models can't be saved in ONNX's text format, which can't express all of them",
                {}, "Choose a name that ends in .onnx or, for text, in .textproto or .json");
  }
  ASSAY_ASSIGN(const std::string bytes, serialize(model));
  onnx::ModelProto proto;
  std::string text;
  bool good = proto.ParseFromString(bytes);
  if (form == TextForm::protobuf) {
    good = good && google::protobuf::TextFormat::PrintToString(proto, &text);
  } else {
    google::protobuf::util::JsonPrintOptions options;
    options.add_whitespace = true;
    options.preserve_proto_field_names = true;
    good = good && google::protobuf::util::MessageToJsonString(proto, &text, options).ok();
    text = with_exact_limits(std::move(text));
  }
  if (!good) return fail(ErrorKind::unsupported, "protobuf can't write the model as text");
  return text;
}

}  // namespace assay::model
