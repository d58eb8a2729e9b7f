//===- Report.h - What a rank notes about the cases of a run ----*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_REPORT_H
#define QUADRILLE_HARNESS_REPORT_H

#include "quadrille/index.h"

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

namespace quadrille {
namespace harness {

/// The file in which a rank notes what it found, a line per fact:
///   block CASE OUTPUT BLOCK HASH    a block of a result
///   status CASE CODE TEXT           how the call ended, if badly
///   differs CASE CALL OUTPUT BLOCK  of calls in flight, one has a block of a result other than the blocking form
///   changed CASE INPUT              an input that was not in place was written to
///   overrun CASE                    memory beside a buffer was written to
///   entered CASE NS LEFT-NS         of a collective without data
///   chose CASE K                    the number of packets taken for 0
///   time CASE NS                    one of the repeated calls
///   trace CASE STEPS HASH COMBINED  what it says and hears in how many steps, and elements combined (trace.h)
///   message CASE STEP SENDS PARTNER ELEMENTS CONTENT  the same message by message, if results are written to files
///   done CASE
/// It is flushed after every case, so that it tells how far a rank came.
class Report {
public:
  Report(const std::string &prefix, Index rank) : name_(prefix + std::to_string(rank)) { std::ofstream create(name_); }

  template <class... Words> void line(const char *what, Index id, const Words &...words) {
    lines_ << what << ' ' << id;
    ((lines_ << ' ' << words), ...);
    lines_ << '\n';
  }
  /// The file is open only now: one program may have thousands of ranks.
  void flush() {
    std::ofstream(name_, std::ios::app) << lines_.str();
    lines_.str("");
  }

  /// The bytes of an output, for a comparison element by element: in a file of their own.
  void dump(Index id, std::size_t output, const unsigned char *bytes, std::size_t count) {
    std::ofstream file(name_ + "." + std::to_string(id) + "." + std::to_string(output), std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes), static_cast<std::streamsize>(count));
  }

private:
  std::string name_;
  std::ostringstream lines_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_REPORT_H
