// CUDA kernel of the colour join: one block of threads for each triple (A, C, A') of row and column
// sets. shared/src/count/colours/README.md explains the method, README.md in this folder the kernel; this
// comment describes how a host calls it.
//
//   colours (const u32 *pairs, const u32 *tables, u32 sets, u32 even, u32 odd, u32 cells, u32 first,
//            u64 *sums)
//
// Host: `pairs` has PAIR_WORDS words for each pair (A, A'). All sets A of a launch have the same number of
// queens, and `sets` is the number of sets C of even columns with as many. Triple t belongs to pair
// t / sets and to set t % sets; block b counts triple first + b. `tables` has three parts:
//
//   NUMBERS words  the two parts of the number of a set of odd columns; see `number_of`
//   `sets` words   the sets C
//   `sets` words for each A: the weights of the keys with C, one byte for each of: neither A' nor C' is a
//                  tie; only C' is; only A' is; both are. 0 if (A, C) is part of no key
//
// `even` and `odd` are the numbers of even and odd rows of the board, `cells` is the number of sets of odd
// columns, rounded up to a multiple of 4. A block has at most JOIN_BLOCK threads. It needs `cells` words of
// dynamic shared memory, and STATE_WORDS * JOIN_BLOCK words for each queen of the larger colour. `sums` has SUMS numbers per slot, to which the kernel adds.

typedef unsigned int u32;
typedef unsigned long long u64;

#define PAIR_WORDS 8
#define NUMBERS 256
#define STATE_WORDS 4
#define SUMS 3
#define JOIN_BLOCK 32

// All threads walk over the queens of this many rows. Below, each thread takes one subtree after another.
#define COMMON_ROWS 5

// The largest number of even rows.
#define MOST_ROWS 14

#ifdef __CUDACC__
#define SHARED_MEMORY(name) extern __shared__ uint4 name[]
#endif

// The words of a pair.
enum Pair {
    EVEN_ROWS, ODD_ROWS,
    LEAST, GREATEST, // limits of the sets of odd columns, seen from the other side; the limits are ties
    WEIGHTS,         // index of A's weights in the table
    TIE,             // shift count: 16 if A' is a tie, else 0
    AUDITED,         // 1 if the part with C = A is the audit set of the task, else 0
    PAIR_SLOT,
};

// The sums of a slot: the solutions and those of the audit set, with their weights, and the weights of the keys.
enum Sum { SOLUTIONS, AUDIT_SET, KEYS };

// A row of one of the four boards into which the colours divide the board. Of two sets of lines, diagonals and
// antidiagonals, bit i of the row's columns is bit i + diagonal and bit i + antidiagonal.
struct Row {
    u32 diagonal, antidiagonal;
};

// The rows of the queens of one colour, first those of the board whose columns are given (*listed*), then
// those of the board whose columns are free (*walked*).
struct Colour {
    Row rows[2 * MOST_ROWS];
    u32 listed, walked;
    // Number of the next subtree that no thread has taken.
    u32 next;
};

__device__ static u32 all(u32 length) { return (1u << length) - 1; }

// Appends those rows of a board that are in the set, from the middle outwards, because queens near the middle
// attack the most squares. `diagonal` and `antidiagonal` are the numbers of the lines of square (0, 0), as in
// `boards.rs`.
__device__ static u32 append(Row *rows, u32 set, u32 length, u32 diagonal, u32 antidiagonal)
{
    u32 number = 0;
    for (u32 i = 0; i < length; i++) {
        u32 row = (length - 1) / 2 + (i + 1) / 2;
        if (i % 2 == 0)
            row -= i;
        if (set >> row & 1)
            rows[number++] = {diagonal - row, antidiagonal + row};
    }
    return number;
}

// Returns the number of a set of odd columns among the sets with as many columns. It is the sum of two
// numbers, of which the first depends on the columns 0 to 6, the second on the others.
__device__ static u32 number_of(const u32 *numbers, u32 set)
{
    return numbers[set & 127] + numbers[128 + (set >> 7)];
}

// Calls `leaf` once for each placement of a colour, with the columns of the walked board that have no
// queen. `columns` are those of the listed board, `all_columns` those of the walked board. The threads of a
// block share the placements. `stack` is a thread's own column of shared memory.
template <typename Leaf>
__device__ static void walk(Colour &colour, u32 columns, u32 all_columns, uint4 *stack, Leaf leaf)
{
    if (!colour.walked) {
        // There is one placement, of one queen or none.
        if (threadIdx.x == 0)
            leaf(all_columns);
        return;
    }
    u32 listed = colour.listed, last = listed + colour.walked - 1;
    u32 claimed = COMMON_ROWS < last ? COMMON_ROWS : last - 1;
    u32 level = 0, diagonals = 0, antidiagonals = 0, open = columns, free = columns;
    Row row = colour.rows[0];
    // All threads number the subtrees below the common rows in the same order. `passed` is the number of those
    // that are behind this thread, and `mine` is the next one that it takes.
    u32 passed = 0, mine = atomicAdd(&colour.next, 1);
    u32 depth = 0;
    for (;;) {
        if (level == claimed) {
            u32 subtrees = __popc(free);
            if (mine - passed < subtrees) {
#pragma unroll 1
                for (; passed != mine; passed++)
                    free &= free - 1;
                passed++;
                mine = atomicAdd(&colour.next, 1);
            } else {
                passed += subtrees;
                free = 0;
            }
        }
        if (free && level != last) {
            u32 queen = free & (0 - free);
            free ^= queen;
            if (free)
                stack[depth++ * JOIN_BLOCK] = make_uint4(diagonals, antidiagonals, open, level << 16 | free);
            diagonals |= queen << row.diagonal;
            antidiagonals |= queen << row.antidiagonal;
            open ^= queen;
            level++;
            if (level == listed)
                open = all_columns;
            row = colour.rows[level];
            free = open & ~(diagonals >> row.diagonal | antidiagonals >> row.antidiagonal);
        }
        // Placements in the last row are counted one by one, together with the steps of the other threads.
        if (free && level == last) {
            u32 queen = free & (0 - free);
            free ^= queen;
            leaf(open ^ queen);
        }
        if (!free) {
            if (!depth)
                return;
            uint4 state = stack[--depth * JOIN_BLOCK];
            diagonals = state.x, antidiagonals = state.y, open = state.z;
            free = state.w & 0xffff, level = state.w >> 16;
            row = colour.rows[level];
        }
    }
}

extern "C" __global__ void __launch_bounds__(JOIN_BLOCK)
colours(const u32 *pairs, const u32 *tables, u32 sets, u32 even, u32 odd, u32 cells, u32 first, u64 *sums)
{
    SHARED_MEMORY(memory);
    __shared__ Colour white, black;
    __shared__ u32 numbers[NUMBERS];
    // For each set C' of odd columns: first W, the number of white placements, then W times the weight.
    u32 *counts = (u32 *)memory;
    uint4 *stack = memory + cells / 4 + threadIdx.x;

    u32 triple = first + blockIdx.x;
    const u32 *pair = pairs + (u64)(triple / sets) * PAIR_WORDS;
    const u32 *set = tables + NUMBERS + triple % sets, *weights = set + (u64)sets * (1 + pair[WEIGHTS]);
    // The weights of the keys whose C' is no tie, and of those whose C' is one.
    u32 weight = *weights >> pair[TIE] & 255, tie_weight = *weights >> pair[TIE] >> 8 & 255;
    if (!weight && !tie_weight)
        return;
    u32 even_rows = pair[EVEN_ROWS], odd_rows = pair[ODD_ROWS], columns = *set;
    for (u32 cell = threadIdx.x; cell < cells; cell += blockDim.x)
        counts[cell] = 0;
    for (u32 i = threadIdx.x; i < NUMBERS; i += blockDim.x)
        numbers[i] = tables[i];
    if (threadIdx.x == 0) {
        white.listed = append(white.rows, even_rows, even, even, 0);
        white.walked = append(white.rows + white.listed, odd_rows, odd, even, 1);
        black.listed = append(black.rows, all(odd) ^ odd_rows, odd, even, 0);
        black.walked = append(black.rows + black.listed, all(even) ^ even_rows, even, even + 1, 0);
        white.next = black.next = 0;
    }
    __syncthreads();

    walk(white, columns, all(odd), stack, [&](u32 open) {
        atomicAdd(&counts[number_of(numbers, all(odd) ^ open)], 1);
    });
    __syncthreads();

    u32 keys = 0;
    for (u32 odd_columns = threadIdx.x; odd_columns <= all(odd); odd_columns += blockDim.x) {
        if (__popc(odd_columns) != __popc(odd_rows))
            continue;
        u32 image = __brev(odd_columns) >> (32 - odd), factor = weight;
        if (image == pair[LEAST] || image == pair[GREATEST])
            factor = tie_weight;
        else if (image < pair[LEAST] || image > pair[GREATEST])
            factor = 0;
        counts[number_of(numbers, odd_columns)] *= factor;
        keys += factor;
    }
    __syncthreads();

    u64 solutions = 0;
    // The odd columns without a black queen are those with a white one.
    walk(black, all(even) ^ columns, all(odd), stack, [&](u32 open) {
        solutions += counts[number_of(numbers, open)];
    });
    u64 *slot = sums + (u64)pair[PAIR_SLOT] * SUMS;
    atomicAdd(&slot[SOLUTIONS], solutions);
    atomicAdd(&slot[KEYS], (u64)keys);
    if (pair[AUDITED] && columns == even_rows)
        atomicAdd(&slot[AUDIT_SET], solutions);
}
