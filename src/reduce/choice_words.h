// The words by which a user chooses how to reduce: values of options of `assay debug reduce`, and of parameters of
// assay.reduce.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/candidates/candidate_writer.h"
#include "reduce/judge/signature.h"
#include "reduce/reduce_model.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {

template <class T>
struct Choice {
  std::string_view word;
  T value;
};

inline constexpr std::array kModes = {Choice<Mode>{"minimal", Mode::minimal}, Choice<Mode>{"bisect", Mode::bisect},
                                      Choice<Mode>{"linear", Mode::linear}};
inline constexpr std::array kSameFailures = {Choice<SameFailure>{"strict", SameFailure::strict},
                                             Choice<SameFailure>{"class", SameFailure::same_class},
                                             Choice<SameFailure>{"any", SameFailure::any}};
inline constexpr std::array kCutValues = {Choice<CutValues>{"auto", CutValues::automatic},
                                          Choice<CutValues>{"input", CutValues::input},
                                          Choice<CutValues>{"freeze", CutValues::freeze}};
inline constexpr std::array kIterWeights = {
    Choice<IterWeights>{"auto", IterWeights::automatic}, Choice<IterWeights>{"inline", IterWeights::inlined},
    Choice<IterWeights>{"external", IterWeights::external}, Choice<IterWeights>{"linked", IterWeights::linked}};

template <class T, std::size_t n>
std::vector<std::string> words_of(const std::array<Choice<T>, n>& choices) {
  std::vector<std::string> words;
  for (const Choice<T>& choice : choices) words.emplace_back(choice.word);
  return words;
}

// Returns what a word stands for; nothing for an unknown word.
template <class T, std::size_t n>
std::optional<T> find_choice(const std::array<Choice<T>, n>& choices, std::string_view word) {
  for (const Choice<T>& choice : choices) {
    if (choice.word == word) return choice.value;
  }
  return std::nullopt;
}

}  // namespace assay::reduce
