//===- Interruption.h - What an interrupted command takes away -----------------------------------------------------*- C++ -*-===//
//
// SIGINT, SIGTERM and SIGHUP end a command at any place, so its destructors do not run. From the first guard below on, they end the
// processes that it has started, remove its temporary folders, and then end it as ever: by the signal.
//
//===---------------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_INTERRUPTION_H
#define QUADRILLE_RUN_INTERRUPTION_H

#include "llvm/ADT/StringRef.h"

#include <sys/types.h>

namespace quadrille::compiler::run {

/// A place in a table that the signal handler reads; nothing if the table was full.
class InterruptionGuard {
public:
  InterruptionGuard() = default;
  InterruptionGuard(InterruptionGuard &&other) noexcept;
  InterruptionGuard &operator=(InterruptionGuard &&other) noexcept;
  /// Forgets the folder or the process.
  ~InterruptionGuard();

  /// Until the guard is destroyed, an interruption removes the folder `path` and all in it.
  static InterruptionGuard removing(llvm::StringRef path);
  /// Until the guard is destroyed, an interruption passes the signal on to the child `process`, and kills it if it has not ended
  /// two seconds later.
  static InterruptionGuard ending(pid_t process);
  /// The same for all processes of the group that the child `leader` leads; what is left of it when the child has ended is killed.
  static InterruptionGuard endingGroup(pid_t leader) { return ending(-leader); }

private:
  int folder_ = -1, process_ = -1; // numbers of entries; -1: none
};

/// Does now what an interruption does before the end of this process. Async-signal-safe.
void endWhatWasStarted(int signal);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_INTERRUPTION_H
