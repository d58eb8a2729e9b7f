//===- PlanText.cpp - A plan for people to read ---------------------------===//

#include "PlanText.h"

#include "../common/Environment.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace quadrille;
using namespace quadrille::detail;

bool detail::explainsRank(Index rank) noexcept {
  const char *const wanted = std::getenv("QUADRILLE_EXPLAIN");
  if (!wanted || !*wanted)
    return false;
  if (std::strcmp(wanted, "all") == 0)
    return true;
  char *end = nullptr;
  errno = 0;
  const long long number = std::strtoll(wanted, &end, 10);
  const bool isNumber = end != wanted && *end == '\0' && errno == 0 && number >= 0;
  if (!isNumber)
    sayIgnored("QUADRILLE_EXPLAIN", wanted, "a rank, or `all`");
  return isNumber && number == rank;
}

namespace {

class Writer {
public:
  Writer(const Plan &plan, const std::vector<const char *> &arguments)
      : plan_(plan), arguments_(arguments) {}

  std::string operation(std::size_t i) const {
    const Operation &of = plan_.operations[i];
    const std::string partner = std::to_string(of.partner);
    const auto operand = [&](std::size_t k) { return blocks(plan_.operands[of.operands + k]); };
    switch (of.kind) {
    case Operation::Kind::Send:
      return "send " + (of.operandCount > 0 ? operand(0) + " " : std::string()) + "to " + partner;
    case Operation::Kind::Receive:
      return "receive " + (of.operandCount > 0 ? operand(0) + " " : std::string()) + "from " +
             partner;
    case Operation::Kind::ReceiveUpTo:
      return "receive into " + operand(0) + " from " + partner + ", message " +
             std::to_string(of.slot + 1);
    case Operation::Kind::ReceiveCombine:
      return operand(0) + " := " +
             (of.side == Side::Left ? "incoming <> " + operand(1) : operand(1) + " <> incoming") +
             " from " + partner;
    case Operation::Kind::Copy:
      return operand(0) + " := " + operand(1);
    case Operation::Kind::Combine:
      return operand(0) + " := " + operand(1) + " <> " + operand(2);
    }
    return {};
  }

  std::string after(std::size_t i) const {
    std::string result;
    for (std::size_t back = window - 1; back > 0; --back)
      if (back <= i && (plan_.operations[i].waitsFor >> (window - back) & 1) != 0)
        result += (result.empty() ? "  after " : ", ") + std::to_string(i - back + 1);
    return result;
  }

  std::string blocks(const Blocks &of) const {
    return plan_.divisions.text(of, [&](std::uint32_t buffer) { return name(buffer); });
  }

private:
  static bool isTemporary(const PlanBuffer &buffer) { return buffer.argument == PlanBuffer::temporary; }

  std::string name(std::uint32_t number) const {
    const PlanBuffer &buffer = plan_.buffers[number];
    if (!isTemporary(buffer))
      return buffer.argument < arguments_.size() && arguments_[buffer.argument] ? arguments_[buffer.argument] : "memory";
    // Number temporaries with equal names: schedules that use each other may
    // share names, and temporaries that the recorder adds have none.
    std::size_t before = 1;
    for (std::uint32_t i = 0; i < number; ++i)
      before += isTemporary(plan_.buffers[i]) && areSame(plan_.buffers[i].name, buffer.name);
    if (!buffer.name)
      return "temporary" + std::to_string(before);
    for (const char *argument : arguments_)
      before += argument && areSame(argument, buffer.name);
    return before == 1 ? buffer.name : buffer.name + ("'" + std::to_string(before));
  }
  static bool areSame(const char *a, const char *b) { return a == b || (a && b && std::strcmp(a, b) == 0); }

  const Plan &plan_;
  const std::vector<const char *> &arguments_;
};

} // namespace

std::string detail::textOf(const Plan &plan, const Blocks &blocks, const std::vector<const char *> &arguments) {
  return Writer(plan, arguments).blocks(blocks);
}

std::string detail::textOf(const Plan &plan, const std::vector<const char *> &arguments) {
  const Writer writer(plan, arguments);
  std::string result;
  for (std::size_t i = 0; i < plan.operations.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    result += std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + "  " +
              writer.operation(i) + writer.after(i) + "\n";
  }
  return result;
}
