//===- EntryLowering.h - Builds the public function of a schedule -----------------------------------------------*- C++ -*-===//
//
// Private to IrToCppEntry (the function and those beside it), IrToCppChecks (what it checks first) and IrToCppComment (the comment
// above it).
//
//===----------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_ENTRYLOWERING_H
#define QUADRILLE_EMIT_ENTRYLOWERING_H

#include "IrToCpp.h"

#include "InPlace.h"
#include "KnownTables.h"
#include "PacketRule.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace quadrille::compiler::emit {

class EntryLowering {
public:
  EntryLowering(Module &module, const ir::Schedule &schedule, bool isForMpi);

  /// As for lowerEntry.
  EntryPoint run(const std::string &name, const std::string &helper, const std::string &packets, const std::string &admits,
            const std::string &fromWholeTables);

private:
  /// The name of a parameter in the header. If it differs from the wanted one, `renamed` gets the pair.
  std::string parameterName(const std::string &wanted);
  /// The function that chooses the number of packets. It returns 0 for a call that would fail; the call itself reports why.
  cpp::Function packetsFunction();
  /// The function that tells whether the schedule exists for this p and these numbers, without a communicator.
  cpp::Function admitsFunction(const std::string &name);
  /// Binds the lets that a clause mentions to their values, which do not depend on the rank.
  void bindLets(const ir::Expr &clause);
  void parameters(cpp::Function &function);
  std::vector<cpp::Parameter> numberParameters() const;
  /// Emits code by which a call with the same arguments as an earlier one repeats what that one did. Returns the name of the call's
  /// key; empty if calls have none, because the schedule has tables of lengths.
  std::string repeat(cpp::Body &body);
  /// Emits the call, which is carried out as a plan, and passes the numbers on which the plan depends.
  void run(const std::string &helper, cpp::Body &body);

  std::string numberName(unsigned i) const { return exprs.names[ir::Schedule::firstNumber + i]->text; }
  cpp::ExprPtr count(const ir::Buffer &buffer) const { return buffer.count ? exprs.lower(*buffer.count) : cpp::number(1); }
  cpp::ExprPtr lengthOf(const ir::Buffer &buffer) const { return cpp::atom(buffer.length ? lengthNames[buffer.index] : "n"); }
  /// The lengths of a buffer's blocks on ranks that have it. On other ranks lengths may not be known: blocks have no elements there.
  cpp::ExprPtr lengthHere(const ir::Buffer &buffer);
  cpp::ExprPtr isPresent(const ir::Buffer &buffer) const {
    return cpp::infix(cpp::atom("comm.rank()"), "==", exprs.lower(*buffer.presence));
  }

  // ---- checks: IrToCppChecks.cpp ------------------------------------------------------------------------------------------------

  void checks(cpp::Body &body);
  /// Emits checks that parameters used as divisors are not 0.
  void divisors(cpp::Body &body);
  /// Emits checks that blocks are split into at least one packet.
  void splits(cpp::Body &body);
  void require(const ir::Requirement &requirement, cpp::Body &body);
  /// Emits a check of what depends on the map from ranks to nodes.
  void requireOfNodes(const ir::Expr &condition, llvm::function_ref<cpp::ExprPtr(cpp::ExprPtr)> holds, const std::string &text,
                      cpp::Body &body);
  /// Emits code that finds the data of a buffer for which a call gives MPI_IN_PLACE in the buffer that it does give.
  void takeInPlace(cpp::Body &body);
  cpp::ExprPtr entries(const ir::Table &table) const;
  /// Emits `const auto xLength = [&](Index j) { return len[j]; };`, once for all buffers with the same lengths.
  void nameLength(const ir::Buffer &buffer, cpp::Body &body);
  /// The number of the schedule that a condition is about, if it is about exactly one.
  std::optional<unsigned> onlyNumber(const ir::Expr &condition) const;

  // ---- the comment: IrToCppComment.cpp ----------------------------------------------------------------------------------------------

  std::vector<std::string> comment() const;
  std::string shape(const ir::Buffer &buffer) const;
  /// The header's sentence about a buffer for which MPI_IN_PLACE may be given.
  std::string inPlaceText(const ir::Buffer &buffer) const;

  Module &module;
  const ir::Schedule &schedule;
  const bool isForMpi;
  Names local;
  ExprLowering exprs;
  std::vector<std::string> bufferNames, tableNames, lengthNames;
  std::vector<std::pair<std::string, std::string>> renamed;
  std::vector<std::pair<cpp::ExprPtr, std::string>> namedLengths;
  bool hasData = false, hasOperator = false;
  std::optional<KnownTables> known; // absent: every rank knows all lengths
  std::optional<PacketRule> choice;
  std::string packetsName;
};

/// A text as a string literal.
std::string quoted(llvm::StringRef text);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_ENTRYLOWERING_H
