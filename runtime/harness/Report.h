//===- Report.h - The report of a rank on the cases of a run ----*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_REPORT_H
#define QUADRILLE_HARNESS_REPORT_H

#include "quadrille/index.h"

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

namespace quadrille {
namespace harness {

/// The file in which a rank reports its findings, a line per fact:
///   block CASE OUTPUT BLOCK HASH    a block of a result
///   status CASE CODE TEXT           the error of the call, if there is one
///   differs CASE CALL OUTPUT BLOCK  a call in flight has another result than the blocking form
///   changed CASE INPUT              an input that was not in place was written to
///   overrun CASE                    memory beside a buffer was written to
///   entered CASE NS LEFT-NS         times of entering and leaving a collective without data
///   chose CASE K                    the number of packets chosen for 0
///   time CASE NS                    one of the repeated calls
///   library CASE NS                 one of the calls of the MPI library's own collective
///   otherwise CASE OUTPUT BLOCK     a block in which that has another result
///   clock CASE NAME                 the clock that has measured the following times
///   traced CASE CALL NS LEFT-NS     a call whose operations are timed: when the rank began and ended it
///   moved CASE CALL KIND LINE STEP PARTNER MESSAGE BYTES READY-NS NS END-NS  an operation of it (Times.h)
///   trace CASE STEPS HASH COMBINED  steps, hash of the messages, elements combined (trace.h)
///   message CASE STEP SENDS PARTNER ELEMENTS CONTENT LOCKSTEP  each message, if results are written to files
///   done CASE
/// It is flushed after every case, so it shows how far a rank has come.
class Report {
public:
  Report(const std::string &prefix, Index rank) : name_(prefix + std::to_string(rank)) { std::ofstream create(name_); }

  template <class... Words> void line(const char *what, Index id, const Words &...words) {
    lines_ << what << ' ' << id;
    ((lines_ << ' ' << words), ...);
    lines_ << '\n';
  }
  /// Opens the file only for this: a program may have thousands of ranks.
  void flush() {
    std::ofstream(name_, std::ios::app) << lines_.str();
    lines_.str("");
  }

  /// Writes the bytes of an output to a separate file, for a comparison element by element.
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
