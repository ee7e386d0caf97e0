// Half-board matching on CUDA devices. README.md in this folder explains the idea; this head says
// how a host calls the kernels.
//
//   join    (Launch launch, const Half *halves, const u32 *index, const uint4 *placements,
//            u32 *bins, u64 *elements)
//           a block for each half and each division of its columns; counts placements, or puts
//           them in their places
//   add_up  (Launch launch, u32 *bins)
//           a lane for each half; turns its numbers of placements into where its bins begin
//   pairs_8 ... pairs_12
//           (Launch launch, const u64 *listed, const Tile *tiles, u64 *sums)
//           a block for each tile; the number is that of the groups of diagonals, so many that
//           they hold `diagonals`
//
// Host: a block is one warp of any number of lanes up to LANES. A block's number is `first` plus
// its own; those from `end` on do nothing. `pairs` takes TABLE_BYTES of dynamic shared memory for
// each group. A tile has at most 32 placements of the longer list for each lane.

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

// Placements of the longer list against placements of the shorter one.
struct Tile {
    u32 first, end;
    u32 other_first, other_end;
    // Which sum the pairs belong to.
    u32 sum;
};

struct Launch {
    // The range of blocks that work.
    u32 first, end;
    // Where `index` has the divisions and how many there are, and where it has the strips' starts;
    // at its beginning it has binomials, by 32 columns and 8 members.
    u32 divisions_at, divisions, outer_at, inner_at;
    u32 outer_rows;
    // The bins of a half: one for placements with the columns' key, then one for each set of the
    // most central diagonals, which are the `bin_bits` highest of `diagonals`.
    u32 diagonals, bin_bits;
    // Whether elements are put in their places, or only counted.
    u32 is_placing;
    // The number of halves.
    u32 halves;
    u32 unused;
};

__device__ static u32 bins_of_half(const Launch &launch) { return (1u << launch.bin_bits) + 2; }

// Joins the placements of two strips for one division of a half's columns: counts those that fit
// in the half's bins, or puts them there. Behind the bins of all halves and the two lengths of
// each, `bins` has the number of those that found no place.
extern "C" __global__ void __launch_bounds__(LANES) join(Launch launch, const Half *halves,
                                                          const u32 *index,
                                                          const uint4 *placements, u32 *bins,
                                                          u64 *elements)
{
    u32 lane = threadIdx.x, lanes = blockDim.x;
    u32 number = launch.first + blockIdx.x;
    if (number >= launch.end)
        return;
    const Half half = halves[number / launch.divisions];
    u32 division = index[launch.divisions_at + number % launch.divisions];
    // The ranks of the columns of both strips.
    u32 outer_rank = 0, inner_rank = 0, outer_members = 0, inner_members = 0;
    for (u32 columns = half.columns; columns; columns &= columns - 1, division >>= 1) {
        const u32 *ranks = index + (__ffs(columns) - 1) * 8;
        if (division & 1)
            outer_rank += ranks[++outer_members];
        else
            inner_rank += ranks[++inner_members];
    }
    const u32 *outer_starts = index + launch.outer_at + outer_rank;
    const u32 *inner_starts = index + launch.inner_at + inner_rank;
    const uint4 *outer = placements + outer_starts[0], *inner = placements + inner_starts[0];
    u32 outers = outer_starts[1] - outer_starts[0], inners = inner_starts[1] - inner_starts[0];
    if (!inners)
        return;
    u64 closed = half.closed_low | (u64)half.closed_high << 32;
    u32 lowest = launch.diagonals - launch.bin_bits;
    u32 *own_bins = bins + number / launch.divisions * bins_of_half(launch);
    u32 *lost = bins + launch.halves * (bins_of_half(launch) + 2);
    // From pair to pair of this lane, without a division for each.
    u32 outer_step = lanes / inners, inner_step = lanes % inners;
    u32 o = lane / inners, i = lane % inners;
    while (o < outers) {
        uint4 a = outer[o], b = inner[i];
        o += outer_step;
        i += inner_step;
        if (i >= inners) {
            i -= inners;
            o++;
        }
        u64 crossed = (a.z | b.z) | (u64)((a.w | b.w) & DIAGONALS_MASK) << 32;
        if ((a.x & b.x) | (a.y & b.y & DIAGONALS_MASK) || crossed & closed)
            continue;
        // The rows with a queen on the left, and on the right; the inner ones are the higher bits.
        u32 left = b.y >> SIDE << launch.outer_rows | a.y >> SIDE;
        u32 right = b.w >> SIDE << launch.outer_rows | a.w >> SIDE;
        int rows = (int)(left < right ? left : right);
        if (rows < half.key)
            continue;
        u64 element = half.lower ? (crossed >> 1 & SUMS) | (crossed & SUMS) << 1 : crossed;
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

// Turns a half's numbers of placements into where each bin begins, and writes down how many there
// are: those of the first bin, and all.
extern "C" __global__ void __launch_bounds__(LANES) add_up(Launch launch, u32 *bins)
{
    u32 half = (launch.first + blockIdx.x) * blockDim.x + threadIdx.x;
    if (half >= launch.halves)
        return;
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
