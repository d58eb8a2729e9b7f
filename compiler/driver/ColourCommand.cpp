//===- ColourCommand.cpp - quadrille colour -------------------------------------------------------------------------------------------===//
//
// Writes a schedule for an all-to-all whose sizes are known beforehand. Packets are the edges between senders and receivers, and
// a proper edge colouring tells in which step each packet is sent.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Commands.h"

#include "diagnostics/InputFile.h"
#include "diagnostics/OutputFile.h"
#include "limits/Limits.h"
#include "quadrille/edge_colouring.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <numeric>

namespace quadrille::compiler {

namespace {

/// The number of packets from rank i to rank j, at index i*p + j.
struct Traffic {
  std::int64_t p = 0;
  std::vector<std::int64_t> packets;

  std::int64_t of(std::int64_t i, std::int64_t j) const { return packets[static_cast<size_t>(i * p + j)]; }
  /// The number of packets that rank i sends to ranks before j. receivedBefore: that rank j receives from ranks before i.
  std::int64_t sentBefore(std::int64_t i, std::int64_t j) const {
    auto row = packets.begin() + i * p;
    return std::accumulate(row, row + j, std::int64_t(0));
  }
  std::int64_t receivedBefore(std::int64_t j, std::int64_t i) const {
    std::int64_t sum = 0;
    for (std::int64_t from = 0; from < i; ++from)
      sum += of(from, j);
    return sum;
  }
};

/// Reads p lines of p sizes, separated by spaces or commas; `#` begins a comment.
class TrafficReader {
public:
  TrafficReader(Session &session) : session(session) {}

  std::optional<Traffic> read(const std::string &file) {
    Sources::Loaded loaded = session.sources.load(file);
    if (loaded.problem != Sources::Problem::None) {
      reportUnreadable(loaded, file, session.diagnostics);
      return std::nullopt;
    }
    Traffic traffic;
    std::int64_t rows = 0, total = 0;
    llvm::StringRef rest = session.sources.text(loaded.buffer);
    while (!rest.empty()) {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      llvm::SmallVector<llvm::StringRef, 16> words;
      llvm::SplitString(line.take_until([](char c) { return c == '#'; }), words, " \t\r,;");
      if (words.empty())
        continue;
      if (rows == 0)
        traffic.p = static_cast<std::int64_t>(words.size());
      else if (static_cast<std::int64_t>(words.size()) != traffic.p)
        return fail(line, diag::SizesNotSquare{.sizes = words.size(), .ranks = traffic.p});
      ++rows;
      if (rows > traffic.p)
        break; // reported below
      for (llvm::StringRef word : words) {
        std::uint64_t size = 0;
        if (word.getAsInteger(10, size) || size > (std::uint64_t(1) << 62))
          return fail(word, diag::NotASize{.text = word.str()});
        std::int64_t count = static_cast<std::int64_t>((size + session.options.packetSize - 1) / session.options.packetSize);
        traffic.packets.push_back(count);
        total += std::min(count, limits::packetsToColour.value());
        if (total > limits::packetsToColour)
          return fail(word, diag::TooManyPackets{.limit = limits::packetsToColour});
      }
    }
    if (rows != traffic.p || rows == 0) {
      session.diagnostics.reportFile(file, diag::SizesMissing{.rows = rows, .ranks = traffic.p});
      return std::nullopt;
    }
    return traffic;
  }

private:
  std::nullopt_t fail(llvm::StringRef at, diag::Facts facts) {
    session.diagnostics.report(llvm::SMRange(llvm::SMLoc::getFromPointer(at.begin()), llvm::SMLoc::getFromPointer(at.end())),
                               std::move(facts));
    return std::nullopt;
  }

  Session &session;
};

/// Writes the collective and the schedule. A rank's packets lie side by side: in x in the order of destinations, in y in the
/// order of sources.
class ScheduleWriter {
public:
  ScheduleWriter(const Traffic &traffic, std::uint64_t packetSize, llvm::raw_ostream &out)
      : traffic(traffic), p(traffic.p), packetSize(packetSize), colouring(traffic.packets, traffic.p), out(out) {}

  void write() {
    head();
    collective();
    out << "\nschedule coloured for traffic(x) -> y {\n"
        << "  requires p == " << p << "\n"
        << "  model  full_duplex\n"
        << "  rounds " << colouring.colours() << "\n"
        << "  cost   " << colouring.colours() << " * (alpha + beta*n)\n\n";
    for (std::int64_t i = 0; i < p; ++i)
      if (std::int64_t kept = traffic.of(i, i))
        out << "  if me == " << i << " { y[" << traffic.receivedBefore(i, i) << " ..+ " << kept << "] := x["
            << traffic.sentBefore(i, i) << " ..+ " << kept << "] }\n";
    for (Index colour = 0; colour < colouring.colours(); ++colour)
      step(colour);
    out << "}\n";
  }

private:
  void head() {
    out << "// Written by `quadrille colour`: an all-to-all for given sizes, one packet per message (Sanders et al., 2019,\n"
        << "// Exercise 13.12). A step is a colour of a proper edge colouring; there are as many as packets at the busiest rank,\n"
        << "// so no schedule has fewer. Row i tells how many go from rank i to ranks 0, 1, ...\n";
    if (packetSize > 1)
      out << "// A packet has up to " << packetSize << " elements.\n";
    for (std::int64_t i = 0; i < p; ++i) {
      out << "//  ";
      for (std::int64_t j = 0; j < p; ++j)
        out << ' ' << traffic.of(i, j);
      out << "\n";
    }
  }

  void collective() {
    std::int64_t mostSent = 0, mostReceived = 0;
    for (std::int64_t i = 0; i < p; ++i) {
      mostSent = std::max(mostSent, traffic.sentBefore(i, p));
      mostReceived = std::max(mostReceived, traffic.receivedBefore(i, p));
    }
    out << "collective traffic(x: block[" << mostSent << "]) -> (y: block[" << mostReceived << "]) {\n";
    for (std::int64_t j = 0; j < p; ++j)
      for (std::int64_t i = 0; i < p; ++i)
        for (std::int64_t k = 0; k < traffic.of(i, j); ++k)
          out << "  ensures y@" << j << "[" << traffic.receivedBefore(j, i) + k << "] == x@" << i << "["
              << traffic.sentBefore(i, j) + k << "]\n";
    out << "}\n";
  }

  void step(Index colour) {
    out << "  step {\n";
    for (std::int64_t me = 0; me < p; ++me) {
      Index to = colouring.receiver(me, colour), from = colouring.sender(me, colour);
      if (to == none && from == none)
        continue;
      out << "    if me == " << me << " {";
      if (to != none)
        out << " send x[" << traffic.sentBefore(me, to) + sent[{me, to}]++ << "] to " << to << (from != none ? ";" : "");
      if (from != none)
        out << " recv y[" << traffic.receivedBefore(me, from) + received[{me, from}]++ << "] from " << from;
      out << " }\n";
    }
    out << "  }\n";
  }

  const Traffic &traffic;
  const std::int64_t p;
  const std::uint64_t packetSize;
  const EdgeColouring colouring;
  llvm::raw_ostream &out;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> sent, received; // packets so far, by (rank, partner)
};

} // namespace

int colourCommand(Session &session) {
  std::optional<Traffic> traffic = TrafficReader(session).read(session.options.files[0]);
  if (!traffic)
    return 1;
  auto write = [&](llvm::raw_ostream &out) { ScheduleWriter(*traffic, session.options.packetSize, out).write(); };
  return writeOutput(session.options.output, write, session.diagnostics) ? 0 : 1;
}

} // namespace quadrille::compiler
