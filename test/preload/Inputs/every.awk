# Reads the table of every.c among p processes: the n-th function is called n times.
$1 == "quadrille:" && $3 == p {
  ++functions
  if ($5 != functions) print "wrong: " $2 " is counted " $5 " times, not " functions
  if ($6 != (p == 1 ? $5 : 0)) print "wrong: " $2 " is by the MPI library in " $6 " of " $5 " calls"
}
END {
  print "p = " p ": " functions + 0 " functions, all " (p == 1 ? "by the MPI library" : "taken over")
  exit functions != 16
}
