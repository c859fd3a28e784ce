#include <fmt/format.h>

#include "report/text_table.hpp"
#include "study/tune.hpp"
#include "units/print.hpp"

namespace mansard {

std::string tuning_table(const Tuning& tuning) {
  const Summary& first = tuning.best.front().variant.summary;
  std::string text = fmt::format("{} on {}: {} of {:.3g} schedules looked at, {} simulated\n", first.workload.name,
                                 first.machine.id, tuning.proposed, tuning.space, tuning.simulated);
  TextTable table({"time", "bound by", first.total.levels.back().roof.boundary + " B/update", "schedule"}, 0);
  bool parts = false;
  for (const Tuned& t : tuning.best) {
    const PartSummary& total = t.variant.summary.total;
    const auto& bytes = total.levels.back().bytes_per_update;
    table.add({(t.whole ? "" : "~") + print(Seconds(t.seconds)), total.bound_by(),
               bytes ? fmt::format("{:.2f}", *bytes) : "unknown", t.variant.name});
    parts = parts || !t.whole;
  }
  text += table.str();
  if (parts) text += "~ simulated in part, from cold caches\n";
  const double best = tuning.best.front().seconds;
  if (tuning.plain && best > 0) {
    text += fmt::format("the program as written takes {}{}: the best is {:.2f} times as fast\n",
                        print(Seconds(*tuning.plain)), tuning.plain_simulated ? "" : " by its layer conditions",
                        *tuning.plain / best);
  }
  if (tuning.floor) {
    text += fmt::format("no schedule takes less than {}, its flops at their peak\n", print(Seconds(*tuning.floor)));
  }
  if (tuning.out_of_budget) text += "the budget ended the search; a larger --budget looks at more\n";
  return text;
}

}  // namespace mansard
