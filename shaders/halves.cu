// CUDA kernels of half-board matching (meet in the middle): list the placements of both halves as bit
// sets of diagonals, and count the disjoint pairs. README.md in this folder explains the algorithm;
// this comment describes how a host calls the kernels.
//
//   join    (Launch launch, const Half *halves, const u32 *index, const uint4 *placements,
//            u32 *bins, u64 *elements)
//           One block for each half, each partition of its columns between the strips, and each
//           partition of the outer strip's columns between its parts. Counts placements by bin, or
//           writes them.
//   add_up  (Launch launch, u32 *bins)
//           One thread for each half. Replaces the counts of its bins, or of its leaves, by their
//           starts (exclusive prefix sums).
//   split   (Launch launch, const u32 *index, const Tile *tiles, u32 *bins, u64 *elements)
//           One block for each tile, which is a part of one list. Counts placements by leaf, or writes
//           them.
//   pairs_8 ... pairs_14
//           (Launch launch, const u64 *listed, const Tile *tiles, u64 *sums)
//           One block for each tile. The number in the name is the number of groups, which must cover
//           all `diagonals`.
//
// Host: a block is one warp of at most LANES threads, except that a block of `split` has up to
// SPLIT_THREADS. A block's number is `first` plus its index; blocks from `end` on do nothing, and neither
// do threads of `add_up` without a half. `pairs_*` needs TABLE_BYTES of dynamic shared memory per group.
// Its tiles have at most 32 placements of the longer list per thread.

typedef unsigned int u32;
typedef unsigned long long u64;

#define LANES 32
#define SPLIT_THREADS 64
// Blocks of `join` that a multiprocessor should hold at once, which limits its registers.
#define JOIN_BLOCKS 32
#define GROUP 4
#define TABLE_BYTES 2048

#ifdef __CUDACC__
#define SHARED_MEMORY(name) extern __shared__ uint4 name[]

// The active lanes of the caller's warp, and a vote: the lanes for which `vote` is true, as bits.
__device__ static u32 lanes_of_warp() { return __activemask(); }
__device__ static u32 lanes_with(u32 warp, bool vote) { return __ballot_sync(warp, vote); }
#endif

// Position of the row bits in the second and fourth word of a strip's placement, above the diagonals.
#define SIDE 25
#define DIAGONALS_MASK ((1u << SIDE) - 1)

// The bits of the diagonals with constant sum of row and column. The next higher bit of each is that of
// a diagonal with constant difference.
#define SUMS 0x5555555555555555ull

// One half of the board for one choice of columns.
struct Half {
    u32 columns;
    // Middle diagonals that placements must not cross.
    u32 forbidden_low, forbidden_high;
    // Key of the columns. Placements with a smaller row number are dropped; -1 keeps all of them.
    int key;
    // 1 for the lower half. It is joined as its mirror image, and then the two directions of diagonals
    // are exchanged.
    u32 lower;
    // Range of its list in `elements`.
    u32 start, end;
};

// A tile: a range of the longer list (`first` to `end`) to compare with a range of the shorter list.
// For `split`: a range of one list, and two numbers that locate the half's leaves: `other_first` is the
// offset to add to their starts, `other_end` is the end of the last one.
struct Tile {
    u32 first, end;
    u32 other_first, other_end;
    // Index of the sum to which the pairs are added; for `split`, index of the half.
    u32 sum;
};

struct Launch {
    // Range of block numbers.
    u32 first, end;
    // Offset in `index` of the column partitions, and the number of each kind: of a half's columns
    // between its strips, of the outer strip's columns between its parts, and of the inner strip's.
    // `index` begins with a table of binomial coefficients, 32 columns by 8 members.
    u32 divisions_at, divisions, outer_divisions, inner_divisions;
    // Offsets in `index` of the starts of the placements of each part.
    u32 outer_upper_at, outer_lower_at, inner_upper_at, inner_lower_at;
    // Offset in `placements` of the diagonals that cross the line between the parts of a strip; 0 if no
    // strip has two parts.
    u32 insides;
    // Rows of the outer strip, and of the upper part of each strip.
    u32 outer_rows, outer_upper_rows, inner_upper_rows;
    // Number of diagonals, and of the central ones by which placements are sorted into bins. These are
    // the highest ones. A half has one bin for placements with the columns' key, then one for each
    // subset of the central diagonals.
    u32 diagonals, bin_bits;
    // 1 if elements are written, 0 if they are only counted.
    u32 is_placing;
    // Number of halves.
    u32 halves;
    // Offset of the split tree's nodes in `index`, their number, and the number of leaves.
    u32 nodes_at, nodes, leaves;
    // Range of leaves to process.
    u32 first_leaf, end_leaf;
    // 1 if `add_up` processes the leaves' bins.
    u32 of_leaves;
};

// A node of the split tree in `index`: the node at which a walk continues if it skips this one, the
// number of its leaf, and one condition for the upper and one for the lower half. A condition is the
// number of a diagonal and, above DIAGONAL_BITS, whether an element must have it to enter the node.
#define SPLIT_WORDS 4
#define DIAGONAL_BITS 6

// Returns the number of words for the bins of a half, including one for the end of the last bin.
__device__ static u32 bins_of_half(const Launch &launch) { return (1u << launch.bin_bits) + 2; }

// Returns the index in `bins` of the number of placements that did not fit. It is followed by the bins
// of the leaves, half by half: one for each leaf, and one for the end of the last leaf.
__device__ static u32 lost_at(const Launch &launch)
{
    return launch.halves * (bins_of_half(launch) + 2);
}

__device__ static u32 leaves_of_half(const Launch &launch, u32 half)
{
    return lost_at(launch) + 1 + half * (launch.leaves + 1);
}

// Returns the subset of `columns` that a column partition selects: bit i selects the i-th lowest column.
__device__ static u32 divided(u32 columns, u32 division)
{
    u32 chosen = 0;
    for (; columns; columns &= columns - 1, division >>= 1)
        chosen |= division & 1 ? columns & (0 - columns) : 0;
    return chosen;
}

// A range of placements.
struct Range {
    u32 first, count;
};

// Returns the range of placements of a strip's part in a column set. The rank of the set is its index
// among the starts.
__device__ static Range placements_in(u32 columns, const u32 *index, u32 starts_at)
{
    u32 rank = 0;
    for (u32 members = 1; columns; columns &= columns - 1, members++)
        rank += index[(__ffs(columns) - 1) * 8 + members];
    const u32 *start = index + starts_at + rank;
    return {start[0], start[1] - start[0]};
}

// A placement of a strip: the diagonals on which it crosses the seam and the middle, and its two row
// numbers, which have a bit for each row. On even boards, there is one number for each half of the
// columns, and a bit is set if the row's queen is in that half. On odd boards, both numbers have the bit
// of the row whose queen is in the middle column.
struct Placement {
    u64 seam, middle;
    u32 left, right;
};

// A placement of one part of a strip, as the tables have it, and the diagonals on which it crosses the
// line between the parts, in the first two words of `inside`.
struct Part {
    uint4 crossed, inside;
};

__device__ static Part load_part(const Launch &launch, const uint4 *placements, u32 at)
{
    Part part = {placements[at], {0, 0, 0, 0}};
    if (launch.insides)
        part.inside = placements[launch.insides + at];
    return part;
}

// Joins the placements of a strip's two parts. Returns false if they attack each other or cross a
// forbidden diagonal.
__device__ static bool join_parts(const Part &upper, const Part &lower, u32 upper_rows,
                                  u64 forbidden, Placement &strip)
{
    const uint4 &a = upper.crossed, &b = lower.crossed;
    strip.seam = (a.x | b.x) | (u64)((a.y | b.y) & DIAGONALS_MASK) << 32;
    strip.middle = (a.z | b.z) | (u64)((a.w | b.w) & DIAGONALS_MASK) << 32;
    strip.left = b.y >> SIDE << upper_rows | a.y >> SIDE;
    strip.right = b.w >> SIDE << upper_rows | a.w >> SIDE;
    u32 attacked = (upper.inside.x & lower.inside.x) | (upper.inside.y & lower.inside.y);
    return !attacked && !(strip.middle & forbidden);
}

// A thread's position in the placements of the inner strip. The threads of a block take every
// `blockDim.x`-th pair of an upper and a lower placement.
struct Walk {
    // Index of the next partition of the columns.
    u32 division;
    // The placements of both parts in the current partition.
    Range upper, lower;
    // Index of the thread's next pair of these placements.
    u32 next;
};

// Advances to the thread's next placement of the inner strip that the key does not exclude. Returns
// false at the end.
__device__ static bool next_inner(const Launch &launch, const u32 *index, const uint4 *placements,
                                  u32 columns, u64 forbidden, int key, Walk &walk, Placement &inner)
{
    const u32 *divisions = index + launch.divisions_at + launch.divisions + launch.outer_divisions;
    for (;;) {
        while (walk.next >= walk.upper.count * walk.lower.count) {
            walk.next -= walk.upper.count * walk.lower.count;
            if (walk.division == launch.inner_divisions)
                return false;
            u32 upper = divided(columns, divisions[walk.division++]);
            walk.upper = placements_in(upper, index, launch.inner_upper_at);
            walk.lower = placements_in(columns & ~upper, index, launch.inner_lower_at);
        }
        u32 upper = walk.upper.first + walk.next / walk.lower.count;
        u32 lower = walk.lower.first + walk.next % walk.lower.count;
        walk.next += blockDim.x;
        if (!join_parts(load_part(launch, placements, upper), load_part(launch, placements, lower),
                        launch.inner_upper_rows, forbidden, inner))
            continue;
        // The inner rows are the high bits of the row number. So the bound compared with the key is
        // greater than the row number with any outer placement.
        u32 rows = inner.left < inner.right ? inner.left : inner.right;
        if ((int)((rows + 1) << launch.outer_rows) > key)
            return true;
    }
}

// Counts a placement of a half in its bin, or writes it there. Drops it if the key excludes it.
__device__ static void add_to_bin(const Launch &launch, const Half &half, const Placement &outer,
                                  const Placement &inner, u32 *bins, u32 *lost, u64 *elements)
{
    u32 left = inner.left << launch.outer_rows | outer.left;
    u32 right = inner.right << launch.outer_rows | outer.right;
    int rows = (int)(left < right ? left : right);
    if (rows < half.key)
        return;
    u64 crossed = outer.middle | inner.middle;
    u64 element = half.lower ? (crossed >> 1 & SUMS) | (crossed & SUMS) << 1 : crossed;
    u32 bin = 0, lowest = launch.diagonals - launch.bin_bits;
    if (rows > half.key)
        bin = 1 + (u32)(element >> lowest & ((1ull << launch.bin_bits) - 1));
    u32 place = atomicAdd(bins + bin, 1);
    if (!launch.is_placing)
        return;
    if (half.start + place < half.end)
        elements[half.start + place] = element;
    else
        atomicAdd(lost, 1);
}

// Joins the placements of two strips for one partition of a half's columns between the strips and one
// partition of the outer strip's columns between its parts. Counts the results in the half's bins, or
// writes them. `bins` has the bins of all halves, then two lengths of each half, then the number of
// results that did not fit, then the bins of the leaves.
//
// Each thread has its own placement of the inner strip, and all test the same placement of the outer
// strip at a time. About one test in twenty succeeds.
extern "C" __global__ void __launch_bounds__(LANES, JOIN_BLOCKS)
    join(Launch launch, const Half *halves, const u32 *__restrict__ index,
         const uint4 *__restrict__ placements, u32 *bins, u64 *elements)
{
    u32 number = launch.first + blockIdx.x;
    if (number >= launch.end)
        return;
    const u32 *divisions = index + launch.divisions_at;
    u32 outer_division = divisions[launch.divisions + number % launch.outer_divisions];
    number /= launch.outer_divisions;
    u32 division = divisions[number % launch.divisions];
    number /= launch.divisions;
    const Half half = halves[number];
    u32 outer_columns = divided(half.columns, division);
    u32 inner_columns = half.columns & ~outer_columns;
    u32 upper_columns = divided(outer_columns, outer_division);
    const Range upper = placements_in(upper_columns, index, launch.outer_upper_at);
    const Range lower =
        placements_in(outer_columns & ~upper_columns, index, launch.outer_lower_at);
    if (!upper.count || !lower.count)
        return;
    u64 forbidden = half.forbidden_low | (u64)half.forbidden_high << 32;
    u32 *own_bins = bins + number * bins_of_half(launch);
    u32 *lost = bins + lost_at(launch);
    Walk walk = {0, {0, 0}, {0, 0}, threadIdx.x};
    Placement inner, outer;
    while (next_inner(launch, index, placements, inner_columns, forbidden, half.key, walk, inner)) {
        for (u32 below = lower.first; below < lower.first + lower.count; below++) {
            const Part lower_part = load_part(launch, placements, below);
            for (u32 first = upper.first; first < upper.first + upper.count; first += 32) {
                u32 count = upper.first + upper.count - first;
                count = count < 32 ? count : 32;
                // Writing at once would keep the whole warp waiting for the one or two threads whose
                // placements fit. So these are only noted here and written afterwards.
                u32 fitting = 0;
#pragma unroll 4
                for (u32 at = 0; at < count; at++) {
                    const Part upper_part = load_part(launch, placements, first + at);
                    bool fits = join_parts(upper_part, lower_part, launch.outer_upper_rows,
                                           forbidden, outer)
                        && !(outer.seam & inner.seam);
                    fitting |= (u32)fits << at;
                }
                for (; fitting; fitting &= fitting - 1) {
                    u32 above = first + __ffs(fitting) - 1;
                    join_parts(load_part(launch, placements, above), lower_part,
                               launch.outer_upper_rows, forbidden, outer);
                    add_to_bin(launch, half, outer, inner, own_bins, lost, elements);
                }
            }
        }
    }
}

// Replaces the counts of a half's bins, or of its leaves, by their starts (exclusive prefix sums). For
// the bins, it also writes two lengths: that of the first bin and that of the whole list.
extern "C" __global__ void __launch_bounds__(LANES) add_up(Launch launch, u32 *bins)
{
    u32 half = (launch.first + blockIdx.x) * blockDim.x + threadIdx.x;
    if (half >= launch.halves)
        return;
    if (launch.of_leaves) {
        u32 *leaves = bins + leaves_of_half(launch, half);
        u32 all = 0;
        for (u32 leaf = 0; leaf <= launch.leaves; leaf++) {
            u32 here = leaves[leaf];
            leaves[leaf] = all;
            all += here;
        }
        return;
    }
    u32 *own_bins = bins + half * bins_of_half(launch);
    u32 *lengths = bins + launch.halves * bins_of_half(launch) + 2 * half;
    u32 before = 0;
    for (u32 bin = 0; bin < bins_of_half(launch); bin++) {
        u32 here = own_bins[bin];
        own_bins[bin] = before;
        before += here;
        if (bin == 0)
            lengths[0] = before;
    }
    lengths[1] = before;
}

// Splits a part of a list: counts its placements for each leaf of the range, or writes them there. Each
// thread walks the tree for one placement after the other. The nodes are in depth-first order, so the
// walk needs no stack.
extern "C" __global__ void __launch_bounds__(SPLIT_THREADS) split(Launch launch,
                                                           const u32 *__restrict__ index,
                                                           const Tile *tiles, u32 *bins,
                                                           u64 *elements)
{
    u32 number = launch.first + blockIdx.x;
    if (number >= launch.end)
        return;
    const Tile tile = tiles[number];
    u32 *own_bins = bins + leaves_of_half(launch, tile.sum);
    u32 *lost = bins + lost_at(launch);
    const u32 *nodes = index + launch.nodes_at;
    u32 side = tile.sum % 2;
    for (u32 at = tile.first + threadIdx.x; at < tile.end; at += blockDim.x) {
        u64 element = elements[at];
        for (u32 next = 0; next < launch.nodes;) {
            const u32 *node = nodes + next * SPLIT_WORDS;
            u32 enter = node[2 + side];
            u32 diagonal = enter & ((1u << DIAGONAL_BITS) - 1);
            if ((u32)(element >> diagonal & 1) != enter >> DIAGONAL_BITS) {
                next = node[0];
                continue;
            }
            next++;
            // Inner nodes have the largest number as their leaf, so this skips them.
            u32 leaf = node[1];
            if (leaf < launch.first_leaf || leaf >= launch.end_leaf)
                continue;
            u32 place = tile.other_first + atomicAdd(own_bins + leaf, 1);
            if (!launch.is_placing)
                continue;
            if (place < tile.other_end)
                elements[place] = element;
            else
                atomicAdd(lost, 1);
        }
    }
}

// Exchanges blocks of `STEP` × `STEP` bits across the diagonal of each block of twice that size. `LOW`
// selects the lower half of each 2 × `STEP` bits.
template <u32 STEP, u32 LOW> __device__ static void exchange(u32 (&words)[32])
{
#pragma unroll
    for (u32 i = 0; i < 32; i++) {
        if (i & STEP)
            continue;
        u32 a = words[i], b = words[i + STEP];
        words[i] = (a & LOW) | (b << STEP & ~LOW);
        words[i + STEP] = (a >> STEP & LOW) | (b & ~LOW);
    }
}

// Transposes a matrix of 32 × 32 bits: afterwards bit i of word j is what was bit j of word i.
__device__ static void transpose(u32 (&words)[32])
{
    exchange<16, 0x0000ffff>(words);
    exchange<8, 0x00ff00ff>(words);
    exchange<4, 0x0f0f0f0f>(words);
    exchange<2, 0x33333333>(words);
    exchange<1, 0x55555555>(words);
}

// Writes this thread's column of a group's table: an entry for each subset of the group's diagonals.
// `crossing` has the thread's placements that cross each of the diagonals. Returns the diagonals that
// all placements of the warp cross.
__device__ static u64 add_group(u32 warp, u32 group, const u32 *crossing, u32 *table)
{
    u64 all_cross = 0;
#pragma unroll
    for (u32 at = 0; at < GROUP; at++)
        if (lanes_with(warp, crossing[at] == ~0u) == warp)
            all_cross |= 1ull << (group * GROUP + at);
#pragma unroll
    for (u32 subset = 0; subset < 1u << GROUP; subset++) {
        u32 entry = 0;
#pragma unroll
        for (u32 at = 0; at < GROUP; at++)
            entry |= subset >> at & 1 ? crossing[at] : 0;
        table[(group << GROUP | subset) * LANES] = entry;
    }
    return all_cross;
}

// Returns which of the thread's placements of the longer list cross a diagonal of `other`, a placement of
// the shorter list.
template <u32 GROUPS>
__device__ static u32 look_up(u64 other, const uint4 *tables, u32 lane)
{
    const u32 entry_bytes = LANES * sizeof(u32), log_entry_bytes = 7;
    const u32 mask = ((1u << GROUP) - 1) * entry_bytes;
    u32 crossing = 0;
#pragma unroll
    for (u32 group = 0; group < GROUPS; group++) {
        // One shift turns the subset into an offset in bytes.
        u32 word = (u32)(group < 32 / GROUP ? other : other >> 32);
        u32 from = group * GROUP % 32;
        u32 entry = from < log_entry_bytes ? word << (log_entry_bytes - from)
                                           : word >> (from - log_entry_bytes);
        const char *entries = (const char *)tables + group * TABLE_BYTES;
        crossing |= *(const u32 *)(entries + ((entry & mask) | lane * sizeof(u32)));
    }
    return crossing;
}

// Counts the pairs of a tile without a common diagonal. Each thread has up to 32 placements of the longer
// list and compares each placement of the shorter list with all of them at once, bit-sliced: bit i of a
// word belongs to the thread's placement i.
//
// The table of a group has an entry for each subset of its diagonals, with one word per thread: the
// thread's placements that cross any diagonal of the subset. The words are interleaved by thread, so
// that no two lanes access the same bank. A thread reads only words that it wrote, so no barrier is
// needed.
template <u32 GROUPS>
__device__ static void count_pairs(const Launch &launch, const u64 *listed, const Tile *tiles,
                                   u64 *sums)
{
    SHARED_MEMORY(shared);
    u32 lane = threadIdx.x, lanes = blockDim.x, warp = lanes_of_warp();
    u32 number = launch.first + blockIdx.x;
    if (number >= launch.end)
        return;
    const Tile tile = tiles[number];
    u32 *table = (u32 *)shared + lane;
    u32 own = tile.first + lane;
    u32 count = own < tile.end ? (tile.end - own + lanes - 1) / lanes : 0;
    // The diagonals that all placements of the longer list in this tile cross.
    u64 all_cross = 0;
#pragma unroll
    for (u32 first = 0; first < GROUPS; first += 32 / GROUP) {
        // For each diagonal of eight groups, the bit set of this thread's placements that cross it.
        // Missing placements cross every diagonal, so they form no pairs: every placement of the shorter
        // list crosses at least one.
        u32 crossing[32];
#pragma unroll
        for (u32 i = 0; i < 32; i++)
            crossing[i] = i < count ? (u32)(listed[own + i * lanes] >> first * GROUP) : ~0u;
        transpose(crossing);
#pragma unroll
        for (u32 group = first; group < first + 32 / GROUP; group++) {
            if (group < GROUPS)
                all_cross |= add_group(warp, group, crossing + (group - first) * GROUP, table);
        }
    }
    u32 found = 0;
    for (u32 next = tile.other_first; next < tile.other_end; next += lanes) {
        // A placement that crosses a diagonal of `all_cross` has no partner in the tile. One thread
        // excludes it for the whole warp.
        u32 at = next + lane;
        bool is_open = at < tile.other_end && !(listed[at] & all_cross);
        u32 open = lanes_with(warp, is_open);
        // Four placements at a time: a multiprocessor has shared memory for few warps, so each must have
        // many look-ups on the way.
        while (__popc(open) >= 4) {
            u64 others[4];
#pragma unroll
            for (u32 i = 0; i < 4; i++, open &= open - 1)
                others[i] = listed[next + __ffs(open) - 1];
#pragma unroll
            for (u32 i = 0; i < 4; i++)
                found += __popc(~look_up<GROUPS>(others[i], shared, lane));
        }
        for (; open; open &= open - 1)
            found += __popc(~look_up<GROUPS>(listed[next + __ffs(open) - 1], shared, lane));
    }
    atomicAdd(sums + tile.sum, (u64)found);
}

#define PAIRS(groups)                                                                             \
    extern "C" __global__ void __launch_bounds__(LANES) pairs_##groups(                           \
        Launch launch, const u64 *listed, const Tile *tiles, u64 *sums)                           \
    {                                                                                             \
        count_pairs<groups>(launch, listed, tiles, sums);                                         \
    }

PAIRS(8)
PAIRS(9)
PAIRS(10)
PAIRS(11)
PAIRS(12)
PAIRS(13)
PAIRS(14)
