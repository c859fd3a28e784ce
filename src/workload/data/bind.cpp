#include "workload/data/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "workload/data/matrix_format.hpp"

namespace mansard {
namespace {

class Binder {
 public:
  Binder(const std::filesystem::path& folder, const std::set<std::string>& declared, Bindings& bindings)
      : folder_(folder), declared_(declared), bindings_(bindings) {}

  void run(const YamlNode& data) {
    if (data.type != YamlNode::Type::map) {
      throw InputError({Diagnostic{data.at, "data", "expected a map of names to data", {}}});
    }
    only_matrix_ = std::ranges::count_if(data.pairs, [](const auto& pair) { return names_matrix(pair.second); }) == 1;
    for (const auto& [name, item] : data.pairs) one(name, item);
    diagnostics_.throw_if_any();
  }

 private:
  static const Generator* find(const std::string& name) {
    const auto all = all_generators();
    const auto place = std::ranges::find_if(all, [&](const Generator* g) { return g->name == name; });
    return place == all.end() ? nullptr : *place;
  }
  static bool names_matrix(const YamlNode& item) {
    return std::ranges::any_of(item.pairs, [](const auto& pair) {
      const Generator* g = find(pair.first);
      return g && g->make.index() == 0;
    });
  }

  void one(const std::string& name, const YamlNode& item) {
    const std::string path = "data." + name;
    const Generator* generator = nullptr;
    const YamlNode* value = nullptr;
    for (const auto& [key, node] : item.pairs) {
      if (const Generator* found = find(key)) {
        if (generator)
          return mistake(node.key_at, path,
                         fmt::format("'{}' beside '{}': expected one source of the data", key, generator->name));
        generator = found;
        value = &node;
      }
    }
    const bool is_matrix = generator && generator->make.index() == 0;
    const MatrixFormat* format = is_matrix ? format_of(item, path) : nullptr;
    if (is_matrix && !format) return;
    for (const auto& [key, node] : item.pairs) {
      if (find(key) || (format && (key == "format" || std::ranges::count(format->tables, key) > 0))) continue;
      std::vector<std::string> names = generator_names();
      if (format) names = {"format"}, names.insert(names.end(), format->tables.begin(), format->tables.end());
      return mistake(node.key_at, path, fmt::format("unknown key '{}': expected one of {}", key, join(names)),
                     suggest(key, names));
    }
    if (!generator)
      return mistake(item.at, path, fmt::format("expected a map with one of {}", join(generator_names())));
    GeneratorArguments arguments(*value, path + "." + std::string(generator->name), bindings_.parameters, folder_,
                                 diagnostics_);
    if (is_matrix) {
      Sparsity s = std::get<0>(generator->make)(arguments);
      arguments.finish();
      if (arguments.ok()) matrix(name, item, *format, std::move(s));
    } else {
      IndexValues v = std::get<1>(generator->make)(arguments);
      arguments.finish();
      if (arguments.ok()) table(name, item.key_at, path, true, std::make_shared<const IndexValues>(std::move(v)));
    }
  }

  /// `format: coo` or `format: {sell: {chunk: 32}}`; CSR without. Null after a mistake.
  const MatrixFormat* format_of(const YamlNode& item, const std::string& path) {
    const YamlNode* given = item.find("format");
    const bool with_arguments = given && given->type == YamlNode::Type::map && given->pairs.size() == 1;
    const std::string name = !given ? "csr" : with_arguments ? given->pairs.front().first : given->text;
    std::vector<std::string> names;
    for (const MatrixFormat* f : all_matrix_formats()) {
      if (f->name == name) return f;
      names.emplace_back(f->name);
    }
    mistake(given->at, path + ".format", fmt::format("expected one of {}", join(names)), suggest(name, names));
    return nullptr;
  }

  void matrix(const std::string& name, const YamlNode& item, const MatrixFormat& format, Sparsity s) {
    const auto both = [&](const std::string& what, Int value) {
      parameter(name + "_" + what, value, item, name);
      if (only_matrix_) parameter(what, value, item, name);
    };
    both("nrows", s.rows);
    both("ncols", s.columns);
    both("nnz", static_cast<Int>(s.col.size()));
    const std::string path = "data." + name;
    const YamlNode* given = item.find("format");
    const YamlNode& node = given && !given->pairs.empty() ? given->pairs.front().second : given ? *given : item;
    GeneratorArguments arguments(node, path + ".format", bindings_.parameters, folder_, diagnostics_);
    MatrixTables made = format.make(std::move(s), arguments);
    if (given) arguments.finish();
    if (!arguments.ok()) return;
    for (const auto& [what, value] : made.parameters) both(what, value);
    for (auto& [key, values] : made.tables) {
      IndexData data = std::make_shared<const IndexValues>(std::move(values));
      if (const YamlNode* named = item.find(key)) {
        table(named->text, named->at, path + "." + key, true, std::move(data));
        continue;
      }
      table(name + "_" + key, item.at, path + "." + key, false, data);
      if (only_matrix_) table(key, item.at, path + "." + key, false, std::move(data));
    }
  }

  void parameter(const std::string& name, Int value, const YamlNode& item, const std::string& source) {
    const bool taken = std::ranges::any_of(bindings_.parameters, [&](const auto& p) { return p.first == name; });
    if (taken)
      mistake(item.key_at, "data." + source,
              fmt::format("the parameter '{}' is supplied by these data and cannot be given", name));
    bindings_.parameters.emplace_back(name, value);
  }

  void table(const std::string& name, const Position& at, const std::string& path, bool must_exist, IndexData data) {
    if (must_exist && !declared_.contains(name)) {
      return mistake(at, path, fmt::format("the code declares no array '{}'", name),
                     suggest(name, {declared_.begin(), declared_.end()}));
    }
    if (!bindings_.tables.emplace(name, std::move(data)).second) {
      mistake(at, path, fmt::format("the array '{}' has data already", name));
    }
  }

  static std::vector<std::string> generator_names() {
    std::vector<std::string> names;
    for (const Generator* g : all_generators()) names.emplace_back(g->name);
    return names;
  }
  void mistake(const Position& at, const std::string& path, std::string message, std::string hint = {}) {
    diagnostics_.add({at, path, std::move(message), std::move(hint)});
  }

  const std::filesystem::path& folder_;
  const std::set<std::string>& declared_;
  Bindings& bindings_;
  Diagnostics diagnostics_;
  bool only_matrix_ = false;
};

}  // namespace

void bind_data(const YamlNode& data, const std::filesystem::path& folder, const std::set<std::string>& declared,
               Bindings& bindings) {
  Binder(folder, declared, bindings).run(data);
}

}  // namespace mansard
