//===- PacketRule.cpp - Schedules whose number of packets can be chosen ---------------------------------------------------===//

#include "PacketRule.h"

#include "Queries.h"

namespace quadrille::compiler::emit {

using namespace ir;

const Expr *letValue(const Schedule &schedule, unsigned variable) {
  for (const auto &stmt : schedule.body)
    if (const auto *let = llvm::dyn_cast<LetStmt>(stmt.get()); let && let->variable == variable)
      return let->value;
  return nullptr;
}

/// Whether the schedule's only parameter is a number of packets, in this schedule or in one that it uses.
static bool countsPackets(const Schedule &schedule) {
  if (schedule.parameterCount != 1)
    return false;
  auto isParameter = [](const Expr *expr) { return expr && expr->op == Op::Variable && expr->variable == PacketRule::parameter; };
  bool result = llvm::any_of(schedule.buffers, [&](const auto &buffer) { return isParameter(buffer->parts); });
  visitStmts(schedule.body, [&](const Stmt &stmt) {
    if (const auto *use = llvm::dyn_cast<UseStmt>(&stmt))
      result |= use->callee->parameterCount == 1 && isParameter(use->numbers[0]) && countsPackets(*use->callee);
  });
  return result;
}

namespace {

/// The degree of formulas as polynomials in the parameter.
class Degrees {
public:
  explicit Degrees(const Schedule &schedule) : schedule(schedule) {}

  static constexpr unsigned tooHigh = 2; // also: no polynomial, or one that emitted code cannot compute

  unsigned of(const Expr &expr) const {
    auto operand = [&](unsigned i) { return of(*expr.operands[i]); };
    switch (expr.op) {
    case Op::Variable:
      if (expr.variable == PacketRule::parameter)
        return 1;
      if (const Expr *value = letValue(schedule, expr.variable))
        return of(*value);
      return 0;
    case Op::Negate:
      return operand(0);
    case Op::Add:
    case Op::Subtract:
      return std::max(operand(0), operand(1));
    case Op::Multiply:
      return std::min(operand(0) + operand(1), tooHigh);
    case Op::Select:
      return operand(0) == 0 ? std::max(operand(1), operand(2)) : tooHigh;
    default:
      if (isCostOnly(expr.op))
        return tooHigh;
      return llvm::all_of(expr.operands, [&](const Expr *each) { return of(*each) == 0; }) ? 0 : tooHigh;
    }
  }

private:
  const Schedule &schedule;
};

} // namespace

/// E if the formula is `E * (alpha + beta*ceil(n/k))`, else null.
static const Expr *factorOfPackets(const Expr &formula) {
  auto isOp = [](const Expr *expr, Op op) { return expr->op == op; };
  auto isPacketLength = [&](const Expr *expr) {
    if (!isOp(expr, Op::Ceiling) || !isOp(expr->operands[0], Op::Ratio))
      return false;
    const Expr &ratio = *expr->operands[0];
    return isOp(ratio.operands[0], Op::Length) && isOp(ratio.operands[1], Op::Variable) &&
           ratio.operands[1]->variable == PacketRule::parameter;
  };
  // Matches the operands of sums and products in either order.
  auto inEitherOrder = [](const Expr *expr, auto &&first, auto &&second) {
    const Expr *left = expr->operands[0], *right = expr->operands[1];
    return (first(left) && second(right)) || (first(right) && second(left));
  };
  auto isOfPacket = [&](const Expr *expr) {
    return isOp(expr, Op::Add) &&
           inEitherOrder(
               expr, [&](const Expr *e) { return isOp(e, Op::Alpha); },
               [&](const Expr *e) {
                 return isOp(e, Op::Multiply) && inEitherOrder(e, [&](const Expr *f) { return isOp(f, Op::Beta); }, isPacketLength);
               });
  };
  if (!isOp(&formula, Op::Multiply))
    return nullptr;
  for (unsigned i : {0u, 1u})
    if (isOfPacket(formula.operands[i]))
      return formula.operands[1 - i];
  return nullptr;
}

std::optional<PacketRule> packetRule(const Schedule &schedule, std::optional<diag::NoPackets> &whyNot) {
  const std::string name = schedule.parameterCount > 0 ? schedule.variables[PacketRule::parameter].name : "k";
  if (!countsPackets(schedule)) {
    if (schedule.parameterCount == 0)
      whyNot = diag::NoPacketsNoParameter{};
    else if (schedule.parameterCount > 1)
      whyNot = diag::NoPacketsParameters{};
    else
      whyNot = diag::NoPacketsNoSplit{.parameter = name};
    return std::nullopt;
  }
  for (const Requirement &requirement : schedule.requirements) {
    bool isAboutPackets = false;
    visitVariables(requirement.condition, [&](unsigned variable) { isAboutPackets |= variable == PacketRule::parameter; });
    if (isAboutPackets) {
      whyNot = diag::NoPacketsRequirement{.condition = requirement.text};
      return std::nullopt;
    }
  }
  const Degrees degrees(schedule);
  for (const Expr *rounds : {schedule.rounds ? schedule.rounds->formula : nullptr,
                             schedule.cost ? factorOfPackets(*schedule.cost->formula) : nullptr})
    if (rounds && degrees.of(*rounds) == 1)
      return PacketRule{rounds};
  whyNot = diag::NoPacketsNotLinear{.parameter = name};
  return std::nullopt;
}

} // namespace quadrille::compiler::emit
