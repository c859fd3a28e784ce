#include "input/diagnostic.hpp"

#include <algorithm>

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

/// Edit distance where swapping two neighbours counts once (Damerau-Levenshtein, "siez"); words are short (keys,
/// names), so the quadratic table is fine.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t substitute = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, substitute});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}
}  // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(all_lines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

namespace {
std::vector<Diagnostic> one(Diagnostic d) {
  std::vector<Diagnostic> list;
  list.push_back(std::move(d));
  return list;
}
}  // namespace

InputError::InputError(Position at, std::string message, std::string hint)
    : InputError(one({std::move(at), {}, std::move(message), std::move(hint)})) {}

void Diagnostics::throw_if_any() const {
  if (!list_.empty()) throw InputError(list_);
}

std::string suggest(const std::string& found, const std::vector<std::string>& accepted) {
  constexpr std::size_t longest = 64;  // nobody misspells a longer name by accident
  if (found.size() > longest) return {};
  std::size_t best = std::max<std::size_t>(1, found.size() / 3) + 1;
  std::string word;
  for (const std::string& candidate : accepted) {
    if (candidate.size() > longest) continue;
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
