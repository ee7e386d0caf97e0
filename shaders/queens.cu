// CUDA kernels of the symmetry method: a breadth-first expansion of tasks, then a depth-first search
// with a stack in shared memory. README.md in this folder explains the algorithm; this comment
// describes how a host calls the kernels.
//
//   seed    (const u32 *roots, u32 count, u32 *nodes)
//           One thread per root. Root i becomes node i.
//   expand  (const u32 *roots, const u32 *from, u32 begin, u32 end, u32 *to, u32 *counter)
//           One thread per node of begin..end. Appends the node's children to `to`, and adds their
//           number to `counter`.
//   search  (const u32 *roots, const u32 *nodes, u32 begin, u32 end, u32 left, u32 *next,
//            u64 *tallies)
//           Searches the nodes begin..end, which have `left` queens to place, completely. Any number
//           of threads, which take the nodes one by one from `next`.
//
// Host: before a launch, `counter` must be the number of nodes that `to` already has, and `next` must
// be 0. A root has ROOT_WORDS words, a node NODE_WORDS; a node has at most MAX_CHILDREN children.
// Every expansion places one queen, so after k of them `left` is N - start - k, where start is the
// number of queens of the root (the same for all roots of a batch). `search` requires
// k >= min(3, N - start): 3 expansions, or a full board. LEAF_QUEENS is a good value of `left`. A block
// has at most BLOCK threads. `search` needs SEARCH_WORDS * left words of dynamic shared memory per
// thread, and a grid of as many blocks as the device can run at once. `tallies` has 4 u64 per slot: the
// numbers of representatives of classes of 1, 2, 4 and 8 solutions, to which `search` adds.

typedef unsigned int u32;
typedef unsigned long long u64;

#define ROOT_WORDS 16
#define NODE_WORDS 16
#define MAX_CHILDREN 32
#define SEARCH_WORDS 6
#define BLOCK 128
#define LEAF_QUEENS 12

#ifdef __CUDACC__
#define SHARED_MEMORY(name) extern __shared__ uint4 name[]

// The active lanes of the caller's warp, and a vote: whether the word is nonzero in all of them.
__device__ static u32 lanes_of_warp() { return __activemask(); }
__device__ static bool all_lanes(u32 warp, u32 word) { return __all_sync(warp, word); }
#endif

// The words of a root: the first rows of a task. README.md describes them. Column 0 is the lowest bit.
enum Root {
    LEFT, DOWN, RIGHT, ROW, BOUND1, BOUND2, SIDEMASK, LASTMASK, TOPBIT, ENDBIT, CORNER, COLUMNS,
    SLOT = 13, MASK, SIZE
};

// The words of a node: queens in any rows and columns. The square (row, column) is on the
// diagonal column - row + 32 of those that run down to the left, and on the diagonal column + row
// of those that run down to the right.
enum Node {
    TAKEN_COLUMNS, TAKEN_ROWS,
    LEFT_DIAGONALS, RIGHT_DIAGONALS = LEFT_DIAGONALS + 2,
    ROOT = RIGHT_DIAGONALS + 2,
    CELLS,  // open comparisons, one bit per Cell, and B_SETTLED
    QUEENS, // column of each row's queen, one byte each; OPEN if the row has none
};

// Squares A, B and C. A queen on one of them requires a comparison with the image of the board turned
// clockwise by 270, 180 and 90 degrees, respectively.
enum Cell { CELL_A, CELL_B, CELL_C };

// Bit of CELLS: cell B has a queen or is closed.
#define B_SETTLED 8

enum Outcome { IMAGE_SMALLER, IMAGE_SAME, IMAGE_LARGER, UNDECIDED };

// The column of a row without a queen.
#define OPEN 255

// Bit of column 0 in the words of `search`. The side columns are always taken there, so bits 0 to 4 are
// available for another number: the distance to the row above, which is a shift count.
#define FRAME 4

// Set in the word that follows the last open row.
#define END (1u << 31)

__device__ static u64 diagonals(const u32 *node, u32 word)
{
    return node[word] | (u64)node[word + 1] << 32;
}

// Returns the squares of a row that the queens of a node attack along diagonals. Bits beyond the
// board may be set.
__device__ static u32 attacked(u64 left, u64 right, u32 row)
{
    return (u32)(left >> (32 - row)) | (u32)(right >> row);
}

// A board to compare with its images: the queens of a node, one more queen (OPEN if there is none), and
// optionally the queens that `search` has placed in the node's open rows, top row first.
struct Board {
    const u32 *root;
    const u32 *node;
    u32 row, column;
    const u32 *searched;
    u32 stride;

    // Returns the column of a row's queen, or OPEN.
    __device__ u32 column_of(u32 at) const
    {
        if (at == row)
            return column;
        u32 known = node[QUEENS + at / 4] >> at % 4 * 8 & 255;
        if (known != OPEN || !searched)
            return known;
        u32 above = __popc(~node[TAKEN_ROWS] & ((1u << at) - 1));
        return __ffs(searched[above * stride]) - 1 - FRAME;
    }

    // Returns the row of a column's queen, or OPEN.
    __device__ u32 row_of(u32 at) const
    {
        for (u32 candidate = 0; candidate < root[SIZE]; candidate++)
            if (column_of(candidate) == at)
                return candidate;
        return OPEN;
    }

    // Returns the column of the queen in a row of the image that belongs to a cell, or OPEN.
    __device__ u32 image(u32 cell, u32 at) const
    {
        u32 last = root[SIZE] - 1;
        u32 from = cell == CELL_B ? column_of(last - at) : row_of(cell == CELL_A ? at : last - at);
        return from == OPEN || cell == CELL_C ? from : last - from;
    }

    // Compares the board with that image up to the first row that differs or lacks a queen, and sets
    // `at` to this row. Row 0 is skipped: if the cell has a queen, row 0 is the same in both.
    __device__ Outcome compare(u32 cell, u32 &at) const
    {
        for (at = 1; at < root[SIZE]; at++) {
            u32 own = column_of(at), other = image(cell, at);
            if (own == OPEN || other == OPEN)
                return UNDECIDED;
            if (own != other)
                return other < own ? IMAGE_SMALLER : IMAGE_LARGER;
        }
        return IMAGE_SAME;
    }
};

// Returns the bit of CELLS for a queen on this square, or 0 if the square is not a cell.
__device__ static u32 cell_of(const u32 *root, u32 row, u32 column)
{
    if (root[CORNER])
        return 0;
    u32 bit = 1u << column;
    return (row == root[BOUND2] && column == 0) << CELL_A
        | (row == root[SIZE] - 1 && bit == root[ENDBIT]) << CELL_B
        | (row == root[BOUND1] && bit == root[TOPBIT]) << CELL_C;
}

// Returns whether a queen can be placed on a square: it is neither attacked nor closed by a rule of the
// masks. Cell B also counts as closed once it is settled.
__device__ static bool is_free(const u32 *root, const u32 *node, u32 row, u32 column)
{
    u32 bit = 1u << column;
    u32 closed = attacked(diagonals(node, LEFT_DIAGONALS), diagonals(node, RIGHT_DIAGONALS), row);
    if (row < root[BOUND1])
        closed |= root[CORNER] ? 2 : root[SIDEMASK];
    if (row > root[BOUND2])
        closed |= root[SIDEMASK];
    if (row == root[SIZE] - 1)
        closed |= root[LASTMASK] | (node[CELLS] & B_SETTLED ? root[ENDBIT] : 0);
    return !((node[TAKEN_COLUMNS] | closed) & bit) && !(node[TAKEN_ROWS] >> row & 1);
}

// Returns the line in which a node's next queen is placed: a row, or 32 + a column. The side columns
// come first, because they decide the rules of the masks and cells A and C; then the row or column
// that the next undecided comparison needs; then the open rows from the top.
__device__ static u32 next_line(const u32 *root, const u32 *node)
{
    u32 last = root[SIZE] - 1;
    if (!(node[TAKEN_COLUMNS] & 1))
        return 32;
    if (!(node[TAKEN_COLUMNS] & root[TOPBIT]))
        return 32 + last;
    Board board = {root, node, OPEN, OPEN, 0, 0};
    for (u32 cell = CELL_A; cell <= CELL_C; cell++) {
        u32 at;
        if (node[CELLS] >> cell & 1 && board.compare(cell, at) == UNDECIDED) {
            if (board.column_of(at) == OPEN)
                return at;
            return cell == CELL_A ? 32 + at : cell == CELL_B ? last - at : 32 + last - at;
        }
    }
    return __ffs(~node[TAKEN_ROWS]) - 1;
}

// Sets `row` and `column` to candidate number `at` for the node's next queen, and returns whether a
// queen can be placed there. The candidates are the squares of the line. While cell B is not settled,
// it is an additional candidate with the number N, and the cell is closed in the children of all other
// candidates. So it is known for each child whether its solutions need this comparison.
__device__ static bool choose(const u32 *root, const u32 *node, u32 line, u32 at, u32 &row,
                              u32 &column)
{
    bool settled = root[CORNER] || node[CELLS] & B_SETTLED;
    if (at == root[SIZE]) {
        row = root[SIZE] - 1;
        column = __ffs(root[ENDBIT]) - 1;
        return !settled && is_free(root, node, row, column);
    }
    row = line < 32 ? line : at;
    column = line < 32 ? at : line - 32;
    bool is_b = cell_of(root, row, column) >> CELL_B & 1;
    return is_free(root, node, row, column) && (settled || !is_b);
}

// Sets `cells` to the comparisons that are still open after a queen was added to a node. Returns false
// if one of them finds a smaller image: then another solution represents the class.
__device__ static bool keep(const Board &board, u32 &cells)
{
    cells = board.node[CELLS] | cell_of(board.root, board.row, board.column) | B_SETTLED;
    for (u32 cell = CELL_A; cell <= CELL_C; cell++) {
        u32 at;
        Outcome outcome = cells >> cell & 1 ? board.compare(cell, at) : UNDECIDED;
        if (outcome == IMAGE_SMALLER)
            return false;
        if (outcome == IMAGE_LARGER)
            cells &= ~(1u << cell);
    }
    return true;
}

extern "C" __global__ void seed(const u32 *roots, u32 count, u32 *nodes)
{
    u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count)
        return;
    const u32 *root = roots + (u64)index * ROOT_WORDS;
    u32 *node = nodes + (u64)index * NODE_WORDS;
    u32 rows = root[ROW];
    u64 left = (u64)root[LEFT] << (32 - rows), right = (u64)root[RIGHT] << rows;
    node[TAKEN_COLUMNS] = root[DOWN];
    node[TAKEN_ROWS] = (1u << rows) - 1;
    node[LEFT_DIAGONALS] = (u32)left;
    node[LEFT_DIAGONALS + 1] = (u32)(left >> 32);
    node[RIGHT_DIAGONALS] = (u32)right;
    node[RIGHT_DIAGONALS + 1] = (u32)(right >> 32);
    node[ROOT] = index;
    for (u32 word = QUEENS; word < NODE_WORDS; word++)
        node[word] = ~0u;
    u32 cells = 0;
    for (u32 row = 0; row < rows; row++) {
        u32 column = root[COLUMNS + row / 4] >> row % 4 * 8 & 255;
        ((unsigned char *)(node + QUEENS))[row] = column;
        cells |= cell_of(root, row, column);
    }
    node[CELLS] = cells;
}

extern "C" __global__ void expand(const u32 *roots, const u32 *from, u32 begin, u32 end, u32 *to,
                                  u32 *counter)
{
    u32 index = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= end)
        return;
    const u32 *node = from + (u64)index * NODE_WORDS;
    const u32 *root = roots + (u64)node[ROOT] * ROOT_WORDS;
    u32 line = next_line(root, node);
    // The children are determined twice: first to reserve space for all of them by one atomic
    // addition, then to write them.
    u32 squares = 0, row, column, cells;
    for (u32 at = 0; at <= root[SIZE]; at++) {
        if (!choose(root, node, line, at, row, column))
            continue;
        Board board = {root, node, row, column, 0, 0};
        if (keep(board, cells))
            squares |= 1u << at;
    }
    u32 *child = to + (u64)atomicAdd(counter, __popc(squares)) * NODE_WORDS;
    for (; squares; squares &= squares - 1, child += NODE_WORDS) {
        choose(root, node, line, __ffs(squares) - 1, row, column);
        Board board = {root, node, row, column, 0, 0};
        keep(board, cells);
        u64 left = diagonals(node, LEFT_DIAGONALS) | 1ull << (column + 32 - row);
        u64 right = diagonals(node, RIGHT_DIAGONALS) | 1ull << (column + row);
        child[TAKEN_COLUMNS] = node[TAKEN_COLUMNS] | 1u << column;
        child[TAKEN_ROWS] = node[TAKEN_ROWS] | 1u << row;
        child[LEFT_DIAGONALS] = (u32)left;
        child[LEFT_DIAGONALS + 1] = (u32)(left >> 32);
        child[RIGHT_DIAGONALS] = (u32)right;
        child[RIGHT_DIAGONALS + 1] = (u32)(right >> 32);
        child[ROOT] = node[ROOT];
        child[CELLS] = cells;
        for (u32 word = QUEENS; word < NODE_WORDS; word++)
            child[word] = node[word];
        ((unsigned char *)(child + QUEENS))[row] = column;
    }
}

// Returns the index of a full board's class in its tally: 1, 2 or 3 for classes of 2, 4 or 8 solutions,
// or 0 if an image is smaller. `cells` are the open comparisons.
__device__ static u32 class_of(const Board &board, u32 cells)
{
    for (u32 cell = CELL_A; cell <= CELL_C; cell++) {
        u32 at;
        Outcome outcome = cells >> cell & 1 ? board.compare(cell, at) : IMAGE_LARGER;
        if (outcome == IMAGE_SMALLER)
            return 0;
        if (outcome == IMAGE_SAME)
            return cell == CELL_B ? 2 : 1;
    }
    return 3;
}

// Writes one word for each of the node's `left` open rows except the first: the squares that the node's
// queens and the masks close, and in the lowest bits the distance from the open row above. `search`
// reads the word when it places a queen in that row above. In the word after the last row, all squares
// are closed. Returns the free squares of the first open row.
__device__ static u32 prepare(const u32 *root, const u32 *node, u32 left, u32 *word, u32 stride)
{
    u64 left_diagonals = diagonals(node, LEFT_DIAGONALS);
    u64 right_diagonals = diagonals(node, RIGHT_DIAGONALS);
    u32 open = ~node[TAKEN_ROWS], above = 0, free = 0;
    // Inner columns only: both side columns have a queen, and their bits overlap the distance.
    u32 board = ((1u << (root[SIZE] - 2)) - 1) << (FRAME + 1);
    for (u32 i = 0; i < left; i++, open &= open - 1) {
        u32 row = __ffs(open) - 1;
        u32 closed = attacked(left_diagonals, right_diagonals, row);
        if (root[CORNER] && row < root[BOUND1])
            closed |= 2;
        if (row == root[SIZE] - 1)
            closed |= root[LASTMASK] | root[ENDBIT];
        closed <<= FRAME;
        if (i == 0) {
            free = ~(closed | node[TAKEN_COLUMNS] << FRAME) & board;
        } else {
            *word = (closed & board) | (row - above);
            word += stride;
        }
        above = row;
    }
    if (left)
        *word = ~0u;
    return free;
}

extern "C" __global__ void __launch_bounds__(BLOCK) search(const u32 *roots, const u32 *nodes,
                                                            u32 begin, u32 end, u32 left,
                                                            u32 *next, u64 *tallies)
{
    // Shared memory is interleaved by thread, so that no two lanes of a warp access the same bank.
    // Each thread has a stack of `left` states, the words of `prepare`, and the queens of the open rows.
    SHARED_MEMORY(shared);
    u32 stride = blockDim.x;
    uint4 *stack = shared + threadIdx.x;
    u32 *rows = (u32 *)(shared + left * stride) + threadIdx.x;
    u32 *queens = rows + left * stride;
    // Offsets in bytes save instructions in the inner loop.
    u32 row_bytes = stride * sizeof(u32), queens_at = left * row_bytes;
    u32 warp = lanes_of_warp();

    // State: the attacks of the queens that this thread has placed, as seen from the current row, and
    // the free squares of this row. The lowest bits of `down` are the number of queens placed.
    u32 attacks_left = 0, down = 0, attacks_right = 0, free = 0;
    uint4 *top = stack;
    u32 board = 0, solutions = 0;
    // END if the node's solutions must be compared with images or the node is a full board, else 0.
    u32 is_compared = 0;
    const u32 *node = 0, *root = 0;

    for (;;) {
        if (!free && is_compared && (down & 31) == left) {
            Board full = {root, node, OPEN, OPEN, queens, stride};
            u32 found = class_of(full, node[CELLS]);
            if (found)
                atomicAdd(tallies + root[SLOT] * 4 + found, 1ull);
            if (left) {
                top -= stride;
                attacks_left = top->x, down = top->y, attacks_right = top->z, free = top->w;
            }
        }
        if (!free) {
            if (solutions && !is_compared)
                atomicAdd(tallies + root[SLOT] * 4 + 3, (u64)solutions);
            solutions = 0;
            u32 index = atomicAdd(next, 1);
            if (index >= end - begin)
                return;
            node = nodes + (u64)(begin + index) * NODE_WORDS;
            root = roots + (u64)node[ROOT] * ROOT_WORDS;
            board = ((1u << (root[SIZE] - 2)) - 1) << (FRAME + 1);
            is_compared = left == 0 || node[CELLS] & ~B_SETTLED ? END : 0;
            free = prepare(root, node, left, rows, stride);
            attacks_left = attacks_right = 0;
            down = node[TAKEN_COLUMNS] << FRAME & board;
            top = stack;
            if (left) {
                *top = make_uint4(0, 0, 0, 0);
                top += stride;
            }
        }
        while (all_lanes(warp, free)) {
            u32 queen = free & (0 - free);
            free ^= queen;
            if (free) {
                *top = make_uint4(attacks_left, down, attacks_right, free);
                top += stride;
            }
            char *word = (char *)rows + (down & 31) * row_bytes;
            u32 below = *(u32 *)word, after = *(u32 *)(word + row_bytes);
            if (is_compared)
                *(u32 *)(word + queens_at) = queen;
            // The queen's lines are free, so addition equals OR. Additions run on other execution
            // units than the logical operations and shifts, which limit this loop.
            attacks_left = __funnelshift_l(0, attacks_left + queen, below);
            attacks_right = __funnelshift_r(attacks_right + queen, 0, below);
            down += queen + 1;
            free = ~(attacks_left | down | attacks_right) & ~below & board;
            // Look-ahead: if the row after the next one has no free square, the branch is dead.
            u32 left_after = __funnelshift_l(0, attacks_left, after);
            u32 right_after = __funnelshift_r(attacks_right, 0, after);
            u32 free_after = ~(left_after | down | right_after) & ~after & board;
            if (!(free_after | (after & END)))
                free = 0;
            solutions += below >> 31;
            if (!free && !(below & is_compared)) {
                top -= stride;
                attacks_left = top->x, down = top->y, attacks_right = top->z, free = top->w;
            }
        }
    }
}
