#include "input/diagnostic.hpp"

#include <algorithm>
#include <utility>

namespace mansard {

std::string to_string(const Position& at) {
  std::string text = at.file;
  if (at.line > 0) text += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) text += ":" + std::to_string(at.column);
  return text;
}

std::string to_string(const Diagnostic& d) {
  std::string text = to_string(d.at);
  if (!text.empty()) text += ": ";
  if (!d.key.empty()) text += d.key + ": ";
  text += d.message;
  if (!d.hint.empty()) text += " (" + d.hint + ")";
  return text;
}

namespace {
std::string all_lines(const std::vector<Diagnostic>& list) {
  std::string text;
  for (const Diagnostic& d : list) text += (text.empty() ? "" : "\n") + to_string(d);
  return text;
}

/// Levenshtein distance; words are short (keys, names), so the quadratic table is fine.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}
}  // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(all_lines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(Position at, std::string message)
    : InputError(std::vector<Diagnostic>{{std::move(at), {}, std::move(message), {}}}) {}

void Diagnostics::throw_if_any() const {
  if (!list_.empty()) throw InputError(list_);
}

std::string suggest(const std::string& found, const std::vector<std::string>& accepted) {
  constexpr std::size_t longest = 64;  // nobody misspells a longer name by accident
  if (found.size() > longest) return {};
  std::size_t best = std::max<std::size_t>(1, found.size() / 3) + 1;
  std::string word;
  for (const std::string& candidate : accepted) {
    const std::size_t distance = edit_distance(found, candidate);
    if (distance < best) best = distance, word = candidate;
  }
  return word.empty() ? std::string{} : "did you mean '" + word + "'?";
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

}  // namespace mansard
