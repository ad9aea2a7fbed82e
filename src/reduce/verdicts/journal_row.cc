#include "reduce/verdicts/journal_row.h"

#include <array>
#include <utility>

namespace assay::reduce {
namespace {

// Names instead of numbers: new kinds of verdicts don't renumber them, and people can read them.
constexpr std::array kKinds = {std::pair{Verdict::Kind::passes, std::string_view("passes")},
                               std::pair{Verdict::Kind::fails, std::string_view("fails")},
                               std::pair{Verdict::Kind::unresolved, std::string_view("unresolved")}};

std::string_view kind_name(Verdict::Kind kind) {
  for (const auto& [value, name] : kKinds) {
    if (value == kind) return name;
  }
  return {};
}

std::optional<Verdict::Kind> kind_of(std::string_view text) {
  for (const auto& [value, name] : kKinds) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<JournalRow> read_row(const sqlite::Statement& rows) {
  JournalRow row{.identity = rows.bytes(0), .candidate = rows.bytes(1), .verdict = {}};
  const auto kind = kind_of(rows.bytes(2));
  if (!kind) return std::nullopt;
  row.verdict = {.kind = *kind, .text = rows.bytes(3), .output = rows.bytes(4), .seconds = rows.real(5)};
  return row;
}

sqlite::Result<void> write_row(sqlite::Statement& insert, const JournalRow& row) {
  insert.reset();
  insert.bind(1, row.identity);
  insert.bind(2, row.candidate);
  insert.bind(3, kind_name(row.verdict.kind));
  insert.bind(4, row.verdict.text);
  insert.bind(5, row.verdict.output);
  insert.bind(6, row.verdict.seconds);
  const auto done = insert.step();
  insert.reset();  // ends its transaction
  if (!done) return tl::unexpected(done.error());
  return {};
}

}  // namespace assay::reduce
