/* Random collective calls, by MPI_... and by PMPI_... on the same data.

     differential SECONDS [SEED [FIRST LAST [counts]]]

   prints the seed, the number of calls and how many there were in a second; a call that gives something else is printed as a program. */
#include "case.h"

#include <limits.h>
#include <time.h>

static void print_program(const Case *c, int p) {
  char line[4096];
  FILE *kit = fopen(CASE_H, "r");
  printf("/* mpicc -o wrong wrong.c && mpirun -n %d ./wrong   with and without the library */\n", p);
  while (kit && fgets(line, sizeof line, kit))
    fputs(line, stdout);
  if (kit)
    fclose(kit);
  printf("\nint main(int argc, char **argv) {\n"
         "  const Case c = {%d, %d, %d, %d, %d, %d, %d, %d, %d, %uu}; /* %s */\n"
         "  MPI_Comm comm;\n  MPI_Init(&argc, &argv);\n  make(c.comm, &comm);\n%s"
         "  printf(\"%%zu bytes differ\\n\", run(&c, comm));\n  MPI_Finalize();\n  return 0;\n}\n",
         c->collective, c->comm, c->n, c->root, c->in_place, c->type, c->op, c->form, c->prepared, c->seed, names[c->collective],
         c->comm == COMMUNICATORS - 1 ? "" : "  MPI_Barrier(comm);\n");
}

static Case random_case(unsigned seed, long number) {
  static const int lengths[] = {0, 1, 2, 3, 5, 17, 100, 333, 1000, 1024, 5000, 40000, 100000};
  const unsigned s = mix(seed, (unsigned)number);
  Case c = {(int)(mix(s, 1) % COLLECTIVES), (int)(mix(s, 2) % 40), lengths[mix(s, 3) % 13], (int)(mix(s, 4) % 64), (int)(mix(s, 5) % 3 == 0),
            (int)(mix(s, 6) % TYPES), 0, mix(s, 10) % 2 ? 0 : 1 + (int)(mix(s, 11) % (FORMS - 1)), mix(s, 12) % 3 == 0, mix(s, 7)};
  c.op = (int)(mix(s, 8) % (unsigned)operators[c.type]);
  /* Communicators that are made for a call, and long calls, are slow. */
  c.comm = c.comm == 0 ? COMMUNICATORS - 1 : c.comm % (COMMUNICATORS - 1);
  if (c.n >= 5000 && mix(s, 9) % 8)
    c.n = 8;
  return c;
}

int main(int argc, char **argv) {
  enum { BATCH = 32 }; /* calls after which all ranks ask each other */
  MPI_Comm comms[COMMUNICATORS];
  int p, me;
  long calls = 0, nonblocking = 0, persistent = 0, of[COLLECTIVES] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const double seconds = argc > 1 ? atof(argv[1]) : 5;
  unsigned seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : (unsigned)time(NULL);
  const long first = argc > 3 ? atol(argv[3]) : 0, last = argc > 4 ? atol(argv[4]) : LONG_MAX - 1;
  PMPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  for (int i = 0; i + 1 < COMMUNICATORS; ++i) {
    make(i, &comms[i]);
    MPI_Barrier(comms[i]); /* nonblocking calls are taken over on communicators that know a blocking one */
  }
  const double begin = MPI_Wtime();
  long wrong_call = LONG_MAX, next = first; /* the first call that was wrong on this rank, or was on any */
  for (int go = 1; go && wrong_call == LONG_MAX;) {
    for (int i = 0; i < BATCH && next <= last; ++i, ++next) {
      const Case c = random_case(seed, next);
      MPI_Comm comm = comms[c.comm % (COMMUNICATORS - 1)];
      if (c.comm == COMMUNICATORS - 1)
        make(c.comm, &comm);
      if (run(&c, comm) && next < wrong_call)
        wrong_call = next;
      if (c.comm == COMMUNICATORS - 1)
        MPI_Comm_free(&comm);
      ++calls, ++of[c.collective], nonblocking += c.form != 0, persistent += c.form && c.prepared;
    }
    long mine[2] = {wrong_call, me == 0 ? next <= last && MPI_Wtime() - begin < seconds : 1}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
    wrong_call = all[0], go = (int)all[1];
  }
  const double took = MPI_Wtime() - begin;
  for (int i = 1; i + 1 < COMMUNICATORS; ++i)
    MPI_Comm_free(&comms[i]);
  const int failed = wrong_call != LONG_MAX;
  if (me == 0 && failed) {
    const Case c = random_case(seed, wrong_call);
    printf("seed %u, call %ld, %s: some bytes are not as the MPI library has them\n", seed, wrong_call, names[c.collective]);
    print_program(&c, p);
  } else if (me == 0) {
    printf("seed %u: %ld calls of %d processes are as the MPI library has them, %.0f a second\n", seed, calls, p, (double)calls / took);
    if (argc > 5) {
      printf("  %-22s %ld\n  %-22s %ld\n", "nonblocking", nonblocking, "persistent of these", persistent);
      for (int i = 0; i < COLLECTIVES; ++i)
        printf("  %-22s %ld\n", names[i], of[i]);
    }
  }
  MPI_Finalize();
  return failed;
}
