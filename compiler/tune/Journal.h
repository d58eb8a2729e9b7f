//===- Journal.h - What tuning has measured so far ------------------------------------------------------------------------*- C++ -*-===//
//
// The journal is a file beside the table. A run that was interrupted, or a further run that asks for more, does not measure again what is
// in it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_JOURNAL_H
#define QUADRILLE_TUNE_JOURNAL_H

#include "diagnostics/Diagnostics.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace quadrille::compiler::tune {

class Journal {
public:
  /// A schedule for one p and one length. The path is "allreduce/ring"; the parameter is written as in tables.
  using Key = std::tuple<std::int64_t, std::uint64_t, std::string, std::string>; // p, bytes, path, parameter

  Journal(std::string file, std::string backend) : file(std::move(file)), backend(std::move(backend)) {}

  /// That of a table.
  static Journal beside(const std::string &table, std::string backend) { return {table + ".measured", std::move(backend)}; }

  /// Reads the file, which need not exist; false after an error, which has been reported.
  bool read(Diagnostics &diagnostics);
  /// Writes all to the file; false after an error, which has been reported.
  bool write(Diagnostics &diagnostics) const;

  std::optional<double> find(const Key &key) const;
  void note(const Key &key, double seconds) { times[key] = seconds; }
  /// The seconds in the rounds in which the schedule was timed by turns with others, see Finals.h. Rounds are numbered from 1.
  const std::map<unsigned, double> &roundsOf(const Key &key) const;
  void noteRound(const Key &key, unsigned round, double seconds) { rounds[key][round] = seconds; }
  const std::map<Key, double> &all() const { return times; }

private:
  const std::string file, backend;
  std::map<Key, double> times; // in seconds
  std::map<Key, std::map<unsigned, double>> rounds;
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_JOURNAL_H
