! Every collective from Fortran: by mpif.h, or with -DMODULE by `use mpi`, or with -DF08 by `use mpi_f08`. With -DEXTENSION persistent
! ones are an extension of Open MPI.
#ifdef EXTENSION
#define BARRIER_INIT MPIX_Barrier_init
#define BCAST_INIT MPIX_Bcast_init
#define ALLREDUCE_INIT MPIX_Allreduce_init
#else
#define BARRIER_INIT MPI_Barrier_init
#define BCAST_INIT MPI_Bcast_init
#define ALLREDUCE_INIT MPI_Allreduce_init
#endif
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
#ifdef EXTENSION
  use mpi_f08_ext
#endif
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
#ifdef F08
  type(MPI_Request) :: requests(3)
  type(MPI_Status) :: status, statuses(3)
  type(MPI_Datatype) :: kind
#else
  integer :: requests(3), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3), kind
#endif
  integer :: z(2), done, indices(3), which, ones(2)
  integer(kind=MPI_ADDRESS_KIND) :: addresses(2)
  volatile :: x, y, z ! written between calls
  logical :: has_ended

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
  ! A type that has addresses in it.
  z = merge([5, 6], [0, 0], me == 0)
  ones = 1
  call MPI_Get_address(z(2), addresses(1), ierr)
  call MPI_Get_address(z(1), addresses(2), ierr)
  call MPI_Type_create_hindexed(2, ones, addresses, MPI_INTEGER, kind, ierr)
  call MPI_Type_commit(kind, ierr)
  call MPI_Bcast(MPI_BOTTOM, 1, kind, 0, comm, ierr)
  call MPI_Type_free(kind, ierr)
  call expect('Bcast from MPI_BOTTOM', 10 * z(1) + z(2), 56)
  ! Calls that do not block, completed by each function, beside a message of the program.
  do k = 1, 9
    x = me + 1
    y = 0
    z = merge([k, 2 * k], [0, 0], me == 0)
    i = -1
    call MPI_Iallreduce(x, y, 1, MPI_INTEGER, MPI_SUM, comm, requests(1), ierr)
    call MPI_Irecv(i, 1, MPI_INTEGER, mod(me + p - 1, p), k, comm, requests(2), ierr)
    call MPI_Type_contiguous(2, MPI_INTEGER, kind, ierr)
    call MPI_Type_commit(kind, ierr)
    call MPI_Ibcast(z, 1, kind, 0, comm, requests(3), ierr)
    call MPI_Type_free(kind, ierr)
    call MPI_Send(me, 1, MPI_INTEGER, mod(me + 1, p), k, comm, ierr)
    select case (k)
    case (1)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
    case (2)
      call MPI_Waitall(3, requests, statuses, ierr)
    case (3)
      call MPI_Wait(requests(3), MPI_STATUS_IGNORE, ierr)
      call MPI_Wait(requests(2), status, ierr)
      call MPI_Wait(requests(1), status, ierr)
    case (4)
      indices(1) = 0
      do done = 1, 3
        call MPI_Waitany(3, requests, which, status, ierr)
        indices(1) = indices(1) + which
      end do
#ifndef FROM_ZERO
      call expect('Waitany', indices(1), 6)
#endif
    case (5)
      which = 0
      do while (which < 3)
        call MPI_Waitsome(3, requests, done, indices, statuses, ierr)
        which = which + done
      end do
    case (6)
      do done = 1, 3
        has_ended = .false.
        do while (.not. has_ended)
          call MPI_Test(requests(done), has_ended, status, ierr)
        end do
      end do
    case (7)
      has_ended = .false.
      do while (.not. has_ended)
        call MPI_Testall(3, requests, has_ended, MPI_STATUSES_IGNORE, ierr)
      end do
    case (8)
      done = 0
      do while (done < 3)
        call MPI_Testany(3, requests, which, has_ended, status, ierr)
        if (has_ended) done = done + 1
      end do
    case (9)
      has_ended = .false.
      do while (.not. has_ended)
        call MPI_Request_get_status(requests(1), has_ended, status, ierr)
      end do
      which = 0
      do while (which < 3)
        call MPI_Testsome(3, requests, done, indices, statuses, ierr)
        which = which + done
      end do
    end select
    call expect('Iallreduce', y, all)
    call expect('Irecv', i, mod(me + p - 1, p))
    call expect('Ibcast', z(2), 2 * k)
    do done = 1, 3
      if (requests(done) /= MPI_REQUEST_NULL) call expect('a request that has ended', done, 0)
    end do
  end do
  ! Calls that are prepared once, and carried out often.
  call ALLREDUCE_INIT(x, y, 1, MPI_INTEGER, MPI_SUM, comm, MPI_INFO_NULL, requests(1), ierr)
  call BCAST_INIT(z, 2, MPI_INTEGER, 0, comm, MPI_INFO_NULL, requests(2), ierr)
  call BARRIER_INIT(comm, MPI_INFO_NULL, requests(3), ierr)
  do k = 1, 4
    x = me + k
    y = 0
    z = merge([k, 2 * k], [0, 0], me == 0)
    if (k == 1) then
      call MPI_Startall(3, requests, ierr)
    else
      do i = 1, 3
        call MPI_Start(requests(i), ierr)
      end do
    end if
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierr)
    call expect('Allreduce_init', y, all + (k - 1) * p)
    call expect('Bcast_init', z(2), 2 * k)
  end do
  do i = 1, 3
    call MPI_Request_free(requests(i), ierr)
    if (requests(i) /= MPI_REQUEST_NULL) call expect('a request that was freed', i, 0)
  end do
  call MPI_Reduce(wrong, i, 1, MPI_INTEGER, MPI_SUM, 0, comm, ierr)
  call MPI_Comm_free(comm, ierr)
  if (me == 0) print '(a,i0,a,i0,a)', 'Fortran, ', p, ' ranks: ', i, ' wrong'
  call MPI_Finalize(ierr)
end program
