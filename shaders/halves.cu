// Half-board matching on CUDA devices. README.md in this folder explains the idea; this head says
// how a host calls the kernels.
//
//   join    (Launch launch, const Half *halves, const u32 *index, const uint4 *placements,
//            u32 *bins, u64 *elements)
//           a block for each half, each division of its columns between the strips, and each of
//           the outer strip's columns between its parts; counts placements, or puts them in their
//           places
//   add_up  (Launch launch, u32 *bins)
//           a lane for each half; turns its numbers of placements into where its bins begin, or
//           those of its leaves
//   split   (Launch launch, const u32 *index, const Tile *tiles, u32 *bins, u64 *elements)
//           a block for each tile, which is a part of one list; counts its placements for each leaf
//           that they come to, or puts them in their places there
//   pairs_8 ... pairs_14
//           (Launch launch, const u64 *listed, const Tile *tiles, u64 *sums)
//           a block for each tile; the number is that of the groups of diagonals, so many that
//           they hold `diagonals`
//
// Host: a block is one warp of any number of lanes up to LANES. A block's number is `first` plus
// its own; those from `end` on do nothing. `pairs` takes TABLE_BYTES of dynamic shared memory for
// each group. A tile of theirs has at most 32 placements of the longer list for each lane.

typedef unsigned int u32;
typedef unsigned long long u64;

#define LANES 32
#define GROUP 4
#define TABLE_BYTES 2048

#ifdef __CUDACC__
#define SHARED_MEMORY(name) extern __shared__ uint4 name[]

// The lanes of the caller's warp that still run, and those of them that say yes, as bits.
__device__ static u32 lanes_of_warp() { return __activemask(); }
__device__ static u32 lanes_with(u32 warp, bool yes) { return __ballot_sync(warp, yes); }
#endif

// The number of rows in the highest bits of a strip's second and fourth word.
#define SIDE 25
#define DIAGONALS_MASK ((1u << SIDE) - 1)

// The sums of directions, each of which has its difference beside it.
#define SUMS 0x5555555555555555ull

// One half of the board, for one choice of columns.
struct Half {
    u32 columns;
    // Diagonals of the middle that no placement may cross.
    u32 closed_low, closed_high;
    // The columns' key; -1 to keep all placements.
    int key;
    // 1 for the lower half, whose diagonals are exchanged.
    u32 lower;
    // Where its list begins among the elements, and where it ends.
    u32 start, end;
};

// Placements of the longer list against placements of the shorter one. For `split`, placements of
// one list, what is added to the place that a leaf's bin tells, and where the places end.
struct Tile {
    u32 first, end;
    u32 other_first, other_end;
    // Which sum the pairs belong to; for `split`, the half.
    u32 sum;
};

struct Launch {
    // The range of blocks that work.
    u32 first, end;
    // Where `index` has the divisions: of a half between the strips, then of the outer strip and of
    // the inner one between its parts; and how many there are of each. At its beginning it has
    // binomials, by 32 columns and 8 members.
    u32 divisions_at, divisions, outer_divisions, inner_divisions;
    // Where it has the starts of the placements of each part.
    u32 outer_upper_at, outer_lower_at, inner_upper_at, inner_lower_at;
    // Where `placements` has what crosses the line inside a strip; 0 if no strip has two parts.
    u32 insides;
    // The rows of the outer strip, and of the upper part of each.
    u32 outer_rows, outer_upper_rows, inner_upper_rows;
    // The bins of a half: one for placements with the columns' key, then one for each set of the
    // most central diagonals, which are the `bin_bits` highest of `diagonals`.
    u32 diagonals, bin_bits;
    // Whether elements are put in their places, or only counted.
    u32 is_placing;
    // The number of halves.
    u32 halves;
    // Where `index` has the nodes of the splits, and how many there are; the number of leaves.
    u32 nodes_at, nodes, leaves;
    // Those that are looked at.
    u32 first_leaf, end_leaf;
    // Whether it is the leaves' bins that are added up.
    u32 of_leaves;
};

// A node of the splits in `index`: where a walk goes on that does not enter it, which leaf it is, and
// what enters it, of the upper and of the lower half. That is the number of a diagonal and, above
// DIAGONAL_BITS, whether it is crossed.
#define SPLIT_WORDS 4
#define DIAGONAL_BITS 6

__device__ static u32 bins_of_half(const Launch &launch) { return (1u << launch.bin_bits) + 2; }

// Where `bins` has the number of placements that found no place. Behind it are the bins of the
// leaves, one for each and one for the end of the last one, half by half.
__device__ static u32 lost_at(const Launch &launch)
{
    return launch.halves * (bins_of_half(launch) + 2);
}

__device__ static u32 leaves_of_half(const Launch &launch, u32 half)
{
    return lost_at(launch) + 1 + half * (launch.leaves + 1);
}

// The columns whose places, counted from the lowest one, are in a division.
__device__ static u32 divided(u32 columns, u32 division)
{
    u32 chosen = 0;
    for (; columns; columns &= columns - 1, division >>= 1)
        chosen |= division & 1 ? columns & (0 - columns) : 0;
    return chosen;
}

// Some neighbouring placements.
struct Range {
    u32 first, count;
};

// The placements of a part in these columns.
__device__ static Range placements_in(u32 columns, const u32 *index, u32 starts_at)
{
    u32 rank = 0;
    for (u32 members = 1; columns; columns &= columns - 1, members++)
        rank += index[(__ffs(columns) - 1) * 8 + members];
    const u32 *start = index + starts_at + rank;
    return {start[0], start[1] - start[0]};
}

// A placement of a strip: the diagonals that it crosses, and its rows with a queen on the left and
// on the right, as numbers.
struct Placement {
    u64 seam, middle;
    u32 left, right;
};

// Puts together the placements of a strip's two parts; false if they do not go together, or cross
// a closed diagonal.
__device__ static bool put_together(const Launch &launch, const uint4 *placements, u32 upper,
                                    u32 lower, u32 upper_rows, u64 closed, Placement &strip)
{
    uint4 a = placements[upper], b = placements[lower];
    strip.seam = (a.x | b.x) | (u64)((a.y | b.y) & DIAGONALS_MASK) << 32;
    strip.middle = (a.z | b.z) | (u64)((a.w | b.w) & DIAGONALS_MASK) << 32;
    strip.left = b.y >> SIDE << upper_rows | a.y >> SIDE;
    strip.right = b.w >> SIDE << upper_rows | a.w >> SIDE;
    if (launch.insides) {
        uint4 c = placements[launch.insides + upper], d = placements[launch.insides + lower];
        if ((c.x & d.x) | (c.y & d.y))
            return false;
    }
    return !(strip.middle & closed);
}

// Where a lane is among the placements of the inner strip.
struct Walk {
    // The next division of the columns, and the parts' placements in the last one.
    u32 division;
    Range upper, lower;
    // The number of the lane's next pair of them.
    u32 next;
};

// The lane's next placement of the inner strip of which the key may leave something; false if there
// is none.
__device__ static bool next_inner(const Launch &launch, const u32 *index, const uint4 *placements,
                                  u32 columns, u64 closed, int key, Walk &walk, Placement &inner)
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
        if (!put_together(launch, placements, upper, lower, launch.inner_upper_rows, closed, inner))
            continue;
        // The inner rows are the higher bits.
        u32 rows = inner.left < inner.right ? inner.left : inner.right;
        if ((int)((rows + 1) << launch.outer_rows) > key)
            return true;
    }
}

// Joins the placements of two strips for one division of a half's columns: counts those that fit
// in the half's bins, or puts them there. Behind the bins of all halves and the two lengths of
// each, `bins` has the number of those that found no place.
//
// Each lane has a placement of the inner strip, and all look at the same one of the outer strip.
extern "C" __global__ void __launch_bounds__(LANES) join(Launch launch, const Half *halves,
                                                          const u32 *__restrict__ index,
                                                          const uint4 *__restrict__ placements,
                                                          u32 *bins, u64 *elements)
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
    u64 closed = half.closed_low | (u64)half.closed_high << 32;
    u32 lowest = launch.diagonals - launch.bin_bits;
    u32 *own_bins = bins + number * bins_of_half(launch);
    u32 *lost = bins + lost_at(launch);
    Walk walk = {0, {0, 0}, {0, 0}, threadIdx.x};
    Placement inner, outer;
    while (next_inner(launch, index, placements, inner_columns, closed, half.key, walk, inner)) {
        for (u32 below = lower.first; below < lower.first + lower.count; below++) {
            for (u32 above = upper.first; above < upper.first + upper.count; above++) {
                if (!put_together(launch, placements, above, below, launch.outer_upper_rows,
                                  closed, outer)
                    || outer.seam & inner.seam)
                    continue;
                u32 left = inner.left << launch.outer_rows | outer.left;
                u32 right = inner.right << launch.outer_rows | outer.right;
                int rows = (int)(left < right ? left : right);
                if (rows < half.key)
                    continue;
                u64 crossed = outer.middle | inner.middle;
                u64 element =
                    half.lower ? (crossed >> 1 & SUMS) | (crossed & SUMS) << 1 : crossed;
                u32 bin = 0;
                if (rows > half.key)
                    bin = 1 + (u32)(element >> lowest & ((1ull << launch.bin_bits) - 1));
                u32 place = atomicAdd(own_bins + bin, 1);
                if (launch.is_placing) {
                    if (half.start + place < half.end)
                        elements[half.start + place] = element;
                    else
                        atomicAdd(lost, 1);
                }
            }
        }
    }
}

// Turns a half's numbers of placements into where each bin begins, and writes down how many there
// are: those of the first bin, and all.
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

// Splits a part of a list: counts for each leaf that is looked at which placements come to it, or puts
// them in their places there. Each lane walks the tree for one placement after the other; the order of
// the nodes is that of the walk, so that it needs no stack.
extern "C" __global__ void __launch_bounds__(LANES) split(Launch launch,
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
            // Of a node that is no leaf it is the largest number.
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

// Counts the pairs of a tile that have no diagonal in common: 32 at once in each lane.
//
// For each group of diagonals and each of its subsets a table has a word for each lane: which of
// the lane's placements cross any of them. The words of an entry lie side by side, so that no two
// lanes meet in a bank. A lane reads its own words only, so nobody has to wait.
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
    // Places of the lane that are empty count as crossing everything.
    u32 empty = count < 32 ? ~0u << count : 0;
    // The diagonals that the whole tile crosses.
    u64 all_cross = 0;
#pragma unroll 1
    for (u32 group = 0; group < GROUPS; group++) {
        // For each diagonal of the group, which placements cross it.
        u32 crossing[GROUP] = {empty, empty, empty, empty};
        for (u32 i = 0; i < count; i++) {
            u32 bits = (u32)(listed[own + i * lanes] >> group * GROUP);
#pragma unroll
            for (u32 at = 0; at < GROUP; at++)
                crossing[at] |= (bits >> at & 1) << i;
        }
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
    }
    const u32 entry_bytes = LANES * sizeof(u32), log_entry_bytes = 7;
    const u32 mask = ((1u << GROUP) - 1) * entry_bytes;
    u32 found = 0;
    for (u32 next = tile.other_first; next < tile.other_end; next += lanes) {
        // What crosses one of these has no partner here, and is left out by one lane alone.
        u32 at = next + lane;
        bool is_open = at < tile.other_end && !(listed[at] & all_cross);
        for (u32 open = lanes_with(warp, is_open); open; open &= open - 1) {
            u64 other = listed[next + __ffs(open) - 1];
            u32 crossing = empty;
#pragma unroll
            for (u32 group = 0; group < GROUPS; group++) {
                // The subset as a distance in bytes, by one shift.
                u32 word = (u32)(group < 32 / GROUP ? other : other >> 32);
                u32 from = group * GROUP % 32;
                u32 entry = from < log_entry_bytes ? word << (log_entry_bytes - from)
                                                   : word >> (from - log_entry_bytes);
                const char *entries = (const char *)shared + group * TABLE_BYTES;
                crossing |= *(const u32 *)(entries + ((entry & mask) | lane * sizeof(u32)));
            }
            found += __popc(~crossing);
        }
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
