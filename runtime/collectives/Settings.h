//===- Settings.h - What the environment says of choices -------*- C++ -*-===//
//
// A process reads the environment once. Under MPI rank 0 tells its settings to the others,
// so that all ranks choose alike.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_SETTINGS_H
#define QUADRILLE_RUNTIME_COLLECTIVES_SETTINGS_H

#include <string>
#include <utility>
#include <vector>

namespace quadrille {
namespace detail {

struct Settings {
  enum class Trace : char { None = '0', Distinct = '1', All = 'a' };

  std::string problem;              ///< what is wrong with a variable or a file; "" if nothing is
  std::string tableName, tableText; ///< of QUADRILLE_TABLE; both "" without it
  /// QUADRILLE_ALLREDUCE and the like: the collective and the text.
  std::vector<std::pair<std::string, std::string>> overrides;
  bool reproducible = false; ///< QUADRILLE_REPRODUCIBLE
  Trace trace = Trace::None; ///< QUADRILLE_TRACE

  /// The settings as one text, and back.
  std::string packed() const;
  static Settings unpacked(const std::string &text);
};

/// The settings of this process.
const Settings &settingsOfProcess();

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_SETTINGS_H
