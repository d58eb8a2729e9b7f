//===- Machine.cpp - Choices that depend on the machine -------------------===//

#include "quadrille/machine.h"

#include "Environment.h"

#include "quadrille/math.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <sstream>

using namespace quadrille;

/// Reads an environment variable; zero if it is not a finite number > 0, which is
/// said. Does not use strtod, which depends on the locale of the program.
static double positive(const char *name) noexcept {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return 0;
  try {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double value = 0;
    char rest = 0;
    if (in >> value && !(in >> rest) && std::isfinite(value) && value > 0)
      return value;
  } catch (...) {
  }
  detail::sayIgnored(name, text, "a number of seconds above zero, such as 1e-6");
  return 0;
}

MachineTimes quadrille::machineFromEnvironment(const MachineTimes &otherwise) noexcept {
  const double alpha = positive("QUADRILLE_ALPHA"), beta = positive("QUADRILLE_BETA");
  return {alpha > 0 ? alpha : otherwise.alpha, beta > 0 ? beta : otherwise.beta};
}

MachineTimes MachineTimes::sharedBy(Index ranks, Index cores) const noexcept {
  if (cores < 1 || ranks <= cores)
    return *this;
  // Sleeping, being woken, and finding the data of another rank in the cache of the core: measured.
  constexpr double switchSeconds = 1e-5;
  return {alpha > switchSeconds ? alpha : switchSeconds, beta, ceilDiv(ranks, cores), cores};
}

namespace {

/// Costs, in the time of a byte. Products that overflow become the largest number,
/// which is never the minimum.
__extension__ using Wide = unsigned __int128;
constexpr Wide widest = ~Wide{0};

Wide times(Wide a, Wide b) {
  Wide product = 0;
  return __builtin_mul_overflow(a, b, &product) ? widest : product;
}

Wide wide(Index a) { return a > 0 ? static_cast<Wide>(a) : 0; }

struct Costs {
  Index fixed, perPacket, n, elementBytes, startupBytes;

  Wide at(Index packets) const {
    const Wide rounds = wide(fixed) + times(wide(perPacket), wide(packets));
    return times(rounds, wide(startupBytes) + times(wide(elementBytes), wide(ceilDiv(n, packets))));
  }
};

/// The smallest number of packets with at most `elements` elements each.
Index packetsOf(Index n, Index elements) { return ceilDiv(n, elements); }

} // namespace

Index quadrille::bestPacketCount(Index roundsOfOne, Index roundsOfTwo, std::size_t n, Index elementBytes,
                                 const MachineTimes &machine) noexcept {
  // Larger than any real number of rounds or elements; products of such numbers fit.
  constexpr Index most = Index{1} << 40;
  Index perPacket = minimum(maximum(roundsOfTwo - roundsOfOne, 0), most);
  Index fixed = minimum(maximum(roundsOfOne, 0), most) - perPacket;
  if (machine.ranksPerCore > 1) {
    fixed = minimum(fixed, perPacket * minimum(maximum(machine.cores - 1, 0), 1 << 20));
    perPacket *= minimum(machine.ranksPerCore, 1 << 20);
  }
  // If every packet takes all rounds, splitting gains nothing.
  if (fixed <= 0 || n <= 1 || n > static_cast<std::size_t>(most) || elementBytes <= 0 || !(machine.beta > 0))
    return 1;
  const double ratio = machine.alpha / machine.beta;
  const Index startupBytes = !(ratio > 0)                       ? 0
                             : ratio < static_cast<double>(most) ? static_cast<Index>(std::llround(ratio))
                                                                 : most;
  const Costs costs{fixed, perPacket, static_cast<Index>(n), elementBytes, startupBytes};

  // k*k = a*beta*n / (c*alpha)
  const Wide above = times(times(wide(fixed), wide(elementBytes)), static_cast<Wide>(n));
  const Wide below = times(wide(perPacket), wide(startupBytes));
  const Wide square = below == 0 ? widest : above / below;
  const Wide largest = static_cast<Wide>(std::numeric_limits<Index>::max());
  const Index root = floorSqrt(static_cast<Index>(square < largest ? square : largest));
  const Index start = ceilDiv(costs.n, maximum(1, minimum(root, costs.n))); // elements of a packet

  Index best = packetsOf(costs.n, start);
  Wide least = costs.at(best);
  const auto consider = [&](Index packets) {
    const Wide cost = costs.at(packets);
    if (cost < least || (cost == least && packets < best)) {
      best = packets;
      least = cost;
    }
  };
  constexpr int neighbours = 8;
  Index packets = best;
  for (int i = 0; i < neighbours && packets < costs.n; ++i) {
    packets = packetsOf(costs.n, ceilDiv(costs.n, packets) - 1);
    consider(packets);
  }
  packets = packetsOf(costs.n, start);
  for (int i = 0; i < neighbours && packets > 1; ++i) {
    packets = packetsOf(costs.n, ceilDiv(costs.n, packets - 1));
    consider(packets);
  }
  return best;
}
