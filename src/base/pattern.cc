// Patterns are translated to PCRE2's syntax. In a regular expression, only what PCRE2 reads differently changes: \Z, \u
// and {,n}. In a wildcard, a star and the part up to the next star become an atomic group: the first place at which the
// part is found is as good as any other, so matching never backtracks.
//
// PCRE2 limits the steps of one attempt, but makes an attempt at each position of the text, so a slow pattern could
// run for hours on a long text. So a callout before each item of the pattern counts the steps of all attempts,
// including the characters that repetitions have passed since the last callout.
#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace assay::base {
namespace {

constexpr std::uint64_t kStepsPerByte = 16;
constexpr std::uint32_t kMostMemory = 1U << 20;  // KiB

template <auto release>
struct Release {
  void operator()(auto* value) const { release(value); }
};
using MatchData = std::unique_ptr<pcre2_match_data, Release<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Release<pcre2_match_context_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Release<pcre2_compile_context_free>>;

// A pattern in PCRE2's syntax, with the position in the user's text from which each byte comes.
class Translation {
 public:
  explicit Translation(std::string_view source) : source_(source) {}
  // Appends `text`, which replaces the source at `at`.
  void add(std::string_view text, std::size_t at) {
    text_ += text;
    from_.resize(text_.size(), at);
  }
  [[nodiscard]] std::string_view source() const { return source_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  // Returns the position in the source, in characters, of an offset in the text.
  [[nodiscard]] std::size_t position(std::size_t offset) const {
    const auto before = source_.substr(0, offset < from_.size() ? from_[offset] : source_.size());
    const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(before, starts_character));
  }

 private:
  std::string_view source_;
  std::string text_;
  std::vector<std::size_t> from_;
};

struct Piece {
  std::size_t length = 1;  // in the user's text
  std::string text;
};

// Returns the piece of a regular expression that begins with a backslash.
Piece read_escape(std::string_view rest) {
  const char kind = rest.size() > 1 ? rest[1] : '\0';
  if (kind == 'Z') return {2, "\\z"};  // PCRE2's \Z also matches before a newline at the end
  if (kind == 'u' || kind == 'U') {
    const std::string_view digits = rest.substr(2, kind == 'u' ? 4 : 8);
    if (digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos && !digits.empty()) {
      return {2 + digits.size(), fmt::format("\\x{{{}}}", digits)};
    }
  }
  return {std::min<std::size_t>(2, rest.size()), std::string(rest.substr(0, 2))};
}

// Returns the first piece of what follows in a regular expression.
Piece read_piece(std::string_view rest, bool in_set) {
  if (rest[0] == '\\') return read_escape(rest);
  if (!in_set && rest.starts_with("{,")) {
    const std::size_t end = rest.find_first_not_of("0123456789", 2);
    if (end != std::string_view::npos && rest[end] == '}') return {2, "{0,"};
  }
  return {1, std::string(rest.substr(0, 1))};
}

Translation translate_regex(std::string_view text) {
  Translation translation(text);
  std::size_t members = 0;  // where the members of the current [set] begin; 0 outside of sets
  for (std::size_t at = 0; at < text.size();) {
    const Piece piece = read_piece(text.substr(at), members > 0);
    if (text[at] == '[' && members == 0) {
      members = at + (text.substr(at + 1).starts_with('^') ? 2 : 1);
    } else if (text[at] == ']' && at > members) {
      members = 0;
    }
    translation.add(piece.text, at);
    at += piece.length;
  }
  return translation;
}

// Splits a wildcard into *, ?, [sets] and single bytes.
std::vector<std::string_view> tokens_of(std::string_view wildcard) {
  std::vector<std::string_view> tokens;
  while (!wildcard.empty()) {
    std::size_t length = 1;
    if (wildcard[0] == '[') {
      // A ']' that comes first is a member of the set.
      const std::size_t close = wildcard.find(']', wildcard.substr(1).starts_with('!') ? 3 : 2);
      if (close != std::string_view::npos) length = close + 1;
    }
    tokens.push_back(wildcard.substr(0, length));
    wildcard.remove_prefix(length);
  }
  return tokens;
}

// Adds text with a backslash before each of the `special` characters.
void add_escaped(Translation& translation, std::string_view text, std::string_view special, std::size_t at) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    translation.add((special.find(text[i]) == std::string_view::npos ? "" : "\\") + std::string(1, text[i]), at + i);
  }
}

Translation translate_wildcard(std::string_view text) {
  const std::vector<std::string_view> tokens = tokens_of(text);
  const auto last_star = std::ranges::find(tokens.rbegin(), tokens.rend(), "*").base();
  Translation translation(text);
  translation.add("\\A", 0);
  bool in_group = false;
  for (auto token = tokens.begin(); token != tokens.end(); ++token) {
    const auto at = static_cast<std::size_t>(token->data() - text.data());
    if (*token == "*") {
      if (in_group) translation.add(")", at);
      in_group = token + 1 != last_star;
      translation.add(in_group ? "(?>.*?" : ".*", at);
    } else if (*token == "?") {
      translation.add(".", at);
    } else if (token->size() > 1) {
      const std::size_t begin = (*token)[1] == '!' ? 2 : 1;
      translation.add(begin == 2 ? "[^" : "[", at);
      add_escaped(translation, token->substr(begin, token->size() - begin - 1), "\\[]^", at + begin);
      translation.add("]", at + token->size() - 1);
    } else {
      add_escaped(translation, *token, "\\^$.[]|()?*+{}-#", at);
    }
  }
  translation.add("\\z", text.size());
  return translation;
}

Expected<std::shared_ptr<const pcre2_code>> compile(const Translation& translation, std::uint32_t options,
                                                    std::string_view kind) {
  const CompileContext context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  std::size_t offset = 0;
  const auto* text = reinterpret_cast<PCRE2_SPTR>(translation.text().data());
  pcre2_code* code =
      pcre2_compile(text, translation.text().size(), options | PCRE2_AUTO_CALLOUT, &error, &offset, context.get());
  if (code != nullptr) return std::shared_ptr<const pcre2_code>(code, pcre2_code_free);
  std::array<char, 256> reason{};
  pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(reason.data()), reason.size());
  return fail(ErrorKind::invalid_input,
              fmt::format("not a {}: {} at position {}", kind, reason.data(), translation.position(offset)),
              std::string(translation.source()), "Correct the pattern");
}

struct Steps {
  std::uint64_t left = 0;
  std::size_t position = 0;
};

int count_steps(pcre2_callout_block* block, void* data) {
  Steps& steps = *static_cast<Steps*>(data);
  const auto [low, high] = std::minmax(steps.position, block->current_position);
  const std::uint64_t taken = high - low + 1;
  if (taken > steps.left) return PCRE2_ERROR_MATCHLIMIT;
  steps = {steps.left - taken, block->current_position};
  return 0;
}

}  // namespace

Expected<Pattern> Pattern::regex(std::string_view text) {
  constexpr std::uint32_t kOptions =
      PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C;
  ASSAY_ASSIGN(auto code, compile(translate_regex(text), kOptions, "regular expression"));
  return Pattern(text, std::move(code));
}

Expected<Pattern> Pattern::wildcard(std::string_view text) {
  // Without ? and sets, bytes need not be characters, and * matches names that aren't UTF-8, too.
  const bool matches_characters = text.find_first_of("?[") != std::string_view::npos;
  const std::uint32_t options = PCRE2_DOTALL | (matches_characters ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : 0);
  ASSAY_ASSIGN(auto code, compile(translate_wildcard(text), options, "wildcard"));
  return Pattern(text, std::move(code));
}

Expected<bool> Pattern::matches(std::string_view text) const {
  Steps steps{.left = kMostSteps + kStepsPerByte * text.size()};
  const MatchContext context(pcre2_match_context_create(nullptr));
  pcre2_set_callout(context.get(), count_steps, &steps);
  pcre2_set_match_limit(context.get(), std::numeric_limits<std::uint32_t>::max());
  pcre2_set_depth_limit(context.get(), std::numeric_limits<std::uint32_t>::max());
  pcre2_set_heap_limit(context.get(), kMostMemory);
  const MatchData data(pcre2_match_data_create(1, nullptr));
  const int result =
      pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0, data.get(), context.get());
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  return fail(ErrorKind::invalid_input,
              fmt::format("matching the pattern with a text of {} takes too {}", format_bytes(text.size()),
                          result == PCRE2_ERROR_HEAPLIMIT ? "much memory" : "many steps"),
              text_, "Write it without repetitions inside repetitions, such as (x+)+");
}

bool stands_for(std::string_view name_or_wildcard, std::string_view name) {
  if (name_or_wildcard == name) return true;
  const auto wildcard = Pattern::wildcard(name_or_wildcard);
  return wildcard && wildcard->matches(name).value_or(false);
}

}  // namespace assay::base
