! Every collective from Fortran: by mpif.h, or with -DMODULE by `use mpi`, or with -DF08 by `use mpi_f08`.
module checks
  implicit none
  integer :: wrong = 0
contains
  subroutine expect(what, is, wanted)
    character(*), intent(in) :: what
    integer, intent(in) :: is, wanted
    if (is /= wanted) then
      wrong = wrong + 1
      print *, what, ' is ', is, ' and not ', wanted
    end if
  end subroutine
end module

program collectives
#if defined(F08)
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  use checks
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  integer :: p, me, ierr, i, k, x, y, all
  integer, allocatable :: many(:), got(:), counts(:), places(:)
  logical :: is_in_place
#ifdef F08
  type(MPI_Comm) :: comm
#else
  integer :: comm
#endif

  call MPI_Init(ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_size(comm, p, ierr)
  call MPI_Comm_rank(comm, me, ierr)
  allocate(many(p), got(p), counts(p), places(p))
  all = p * (p + 1) / 2
  do k = 0, 1
    is_in_place = k == 1
    call MPI_Barrier(comm, ierr)
    x = merge(42, 0, me == p - 1)
    call MPI_Bcast(x, 1, MPI_INTEGER, p - 1, comm, ierr)
    call expect('Bcast', x, 42)

    x = me + 1
    y = x
    if (is_in_place) then
      call MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    else
      call MPI_Allreduce(x, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    end if
    call expect('Allreduce', y, all)
    y = x
    if (is_in_place .and. me == 0) then
      call MPI_Reduce(MPI_IN_PLACE, y, 1, MPI_INTEGER, MPI_SUM, 0, comm, ierr)
    else
      call MPI_Reduce(x, y, 1, MPI_INTEGER, MPI_SUM, 0, comm, ierr)
    end if
    if (me == 0) call expect('Reduce', y, all)
    y = x
    if (is_in_place) then
      call MPI_Scan(MPI_IN_PLACE, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    else
      call MPI_Scan(x, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    end if
    call expect('Scan', y, (me + 1) * (me + 2) / 2)
    y = x
    if (is_in_place) then
      call MPI_Exscan(MPI_IN_PLACE, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    else
      call MPI_Exscan(x, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    end if
    if (me > 0) call expect('Exscan', y, me * (me + 1) / 2)

    many = [(i, i = 1, p)]
    if (is_in_place) then
      call MPI_Reduce_scatter_block(MPI_IN_PLACE, many, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
      y = many(1)
    else
      call MPI_Reduce_scatter_block(many, y, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    end if
    call expect('Reduce_scatter_block', y, p * (me + 1))
    many = [(i, i = 1, p)]
    counts = 1
    if (is_in_place) then
      call MPI_Reduce_scatter(MPI_IN_PLACE, many, counts, MPI_INTEGER, MPI_SUM, comm, ierr)
      y = many(1)
    else
      call MPI_Reduce_scatter(many, y, counts, MPI_INTEGER, MPI_SUM, comm, ierr)
    end if
    call expect('Reduce_scatter', y, p * (me + 1))

    got = 0
    got(me + 1) = x
    if (is_in_place) then
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INTEGER, comm, ierr)
    else
      call MPI_Allgather(x, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
    end if
    call expect('Allgather', sum(got * [(i, i = 1, p)]), p * (p + 1) * (2 * p + 1) / 6)
    places = [(p - i, i = 1, p)]
    got = 0
    got(p - me) = x
    if (is_in_place) then
      call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, MPI_INTEGER, comm, ierr)
    else
      call MPI_Allgatherv(x, 1, MPI_INTEGER, got, counts, places, MPI_INTEGER, comm, ierr)
    end if
    call expect('Allgatherv', got(1), p)
    got = 0
    got(1) = x
    if (is_in_place .and. me == 0) then
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INTEGER, 0, comm, ierr)
    else
      call MPI_Gather(x, 1, MPI_INTEGER, got, 1, MPI_INTEGER, 0, comm, ierr)
    end if
    if (me == 0) call expect('Gather', sum(got * [(i, i = 1, p)]), p * (p + 1) * (2 * p + 1) / 6)
    many = [(10 * i, i = 1, p)]
    y = many(1)
    if (is_in_place .and. me == 0) then
      call MPI_Scatter(many, 1, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, comm, ierr)
    else
      call MPI_Scatter(many, 1, MPI_INTEGER, y, 1, MPI_INTEGER, 0, comm, ierr)
    end if
    call expect('Scatter', y, 10 * (me + 1))
    counts = 1
    got = 0
    got(p) = x
    if (is_in_place .and. me == 0) then
      call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, MPI_INTEGER, 0, comm, ierr)
    else
      call MPI_Gatherv(x, 1, MPI_INTEGER, got, counts, places, MPI_INTEGER, 0, comm, ierr)
    end if
    if (me == 0) call expect('Gatherv', sum(got * [(i, i = p, 1, -1)]), p * (p + 1) * (2 * p + 1) / 6)
    many = [(10 * i, i = 1, p)]
    y = many(p)
    if (is_in_place .and. me == 0) then
      call MPI_Scatterv(many, counts, places, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, comm, ierr)
    else
      call MPI_Scatterv(many, counts, places, MPI_INTEGER, y, 1, MPI_INTEGER, 0, comm, ierr)
    end if
    call expect('Scatterv', y, 10 * (p - me))
    many = [(100 * me + i, i = p, 1, -1)]
    got = many
    if (is_in_place) then
      call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_DATATYPE_NULL, got, counts, places, MPI_INTEGER, comm, ierr)
    else
      call MPI_Alltoallv(many, counts, places, MPI_INTEGER, got, counts, places, MPI_INTEGER, comm, ierr)
    end if
    call expect('Alltoallv', sum(got), 100 * p * (p - 1) / 2 + p * (me + 1))
    many = [(100 * me + i, i = 1, p)]
    got = many
    if (is_in_place) then
      call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, MPI_INTEGER, comm, ierr)
    else
      call MPI_Alltoall(many, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
    end if
    call expect('Alltoall', sum(got), 100 * p * (p - 1) / 2 + p * (me + 1))
  end do
  call MPI_Reduce(wrong, i, 1, MPI_INTEGER, MPI_SUM, 0, comm, ierr)
  call MPI_Comm_free(comm, ierr)
  if (me == 0) print '(a,i0,a,i0,a)', 'Fortran, ', p, ' ranks: ', i, ' wrong'
  call MPI_Finalize(ierr)
end program
