// WebGPU kernels of half-board matching (meet in the middle): list the placements of both halves as bit
// sets of diagonals, and count the disjoint pairs.
//
// README.md explains how the host calls the kernels, and `shared/src/count/halves/README.md` explains
// the algorithm, with the same terms.

// Threads per workgroup.
override LANES: u32 = 32u;

// Diagonals per group, and the number of groups that cover all diagonals of a board. Each group has a
// table of all its subsets.
override GROUP: u32 = 3u;
override GROUPS: u32 = 14u;

// 14 tables of 8 entries for 32 threads need 14,336 bytes. With the other workgroup memory of `pairs`
// that is less than the 16,352 bytes of every device.
override TABLE_WORDS: u32 = (GROUPS << GROUP) * LANES;

// Bits per word of an element, which is a set of diagonals in two words. 30 is a multiple of 2 and 3, so
// no group crosses the boundary of the words.
const WORD: u32 = 30u;
const WORD_MASK: u32 = 0x3fffffffu;

// Position of the row bits in the second and fourth word of a strip's placement, above the diagonals.
const SIDE: u32 = 25u;
const DIAGONALS_MASK: u32 = 0x01ffffffu;

// The bits of the diagonals with constant sum of row and column. The next higher bit of each is that of
// a diagonal with constant difference.
const SUMS: u32 = 0x55555555u;

// Elements of the shorter list that are processed between two barriers.
const QUEUE: u32 = 128u;

// One half of the board for one choice of columns.
struct Half {
    columns: u32,
    // Middle diagonals that placements must not cross.
    forbidden_low: u32,
    forbidden_high: u32,
    // Key of the columns. Placements with a smaller row number are dropped; -1 keeps all of them.
    key: i32,
    // 1 for the lower half. It is joined as its mirror image, and then the two directions of diagonals
    // are exchanged.
    lower: u32,
    // Range of its list in `elements`.
    start: u32,
    end: u32,
}

// A tile: a range of the longer list (`first` to `end`) to compare with a range of the shorter list.
// For `split`: a range of one list, and two numbers that locate the half's leaves: `other_first` is the
// offset to add to their starts, `other_end` is the end of the last one.
struct Tile {
    // For `pairs`, the range has at most 32 placements per thread.
    first: u32,
    end: u32,
    other_first: u32,
    other_end: u32,
    // Index of the sum to which the pairs are added; for `split`, index of the half.
    sum: u32,
}

struct Launch {
    // Range of workgroup numbers. The launch may have more workgroups.
    first: u32,
    end: u32,
    // Offset in `index` of the column partitions, and the number of each kind: of a half's columns
    // between its strips, of the outer strip's columns between its parts, and of the inner strip's.
    divisions_at: u32,
    divisions: u32,
    outer_divisions: u32,
    inner_divisions: u32,
    // Offsets in `index` of the starts of the placements of each part.
    outer_upper_at: u32,
    outer_lower_at: u32,
    inner_upper_at: u32,
    inner_lower_at: u32,
    // Offset in `placements` of the diagonals that cross the line between the parts of a strip; 0 if no
    // strip has two parts.
    insides: u32,
    // Rows of the outer strip, and of the upper part of each strip.
    outer_rows: u32,
    outer_upper_rows: u32,
    inner_upper_rows: u32,
    // Number of diagonals, and of the central ones by which placements are sorted into bins. These are
    // the highest ones. A half has one bin for placements with the columns' key, then one for each
    // subset of the central diagonals.
    diagonals: u32,
    bin_bits: u32,
    // 1 if elements are written, 0 if they are only counted.
    is_placing: u32,
    // Number of halves.
    halves: u32,
    // Offset of the split tree's nodes in `index`, their number, and the number of leaves.
    nodes_at: u32,
    nodes: u32,
    leaves: u32,
    // Range of leaves to process.
    first_leaf: u32,
    end_leaf: u32,
    // 1 if `add_up` processes the leaves' bins.
    of_leaves: u32,
}

// A node of the split tree in `index`: the node at which a walk continues if it skips this one, the
// number of its leaf, and one condition for the upper and one for the lower half. A condition is the
// number of a diagonal and, above DIAGONAL_BITS, whether an element must have it to enter the node.
const SPLIT_WORDS: u32 = 4u;
const DIAGONAL_BITS: u32 = 6u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> halves: array<Half>;
// A table of binomial coefficients, 32 columns by 8 members; the column partitions; the starts of each
// part's placements; the nodes of the split tree.
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(3) var<storage, read> placements: array<vec4<u32>>;
// Four sections:
// - for each half, the number of placements in each bin, and a word for the end of the last bin;
// - for each half, the lengths of its first bin and of its whole list;
// - the number of placements that did not fit;
// - for each half, the number of placements in each leaf, and a word for the end of the last leaf.
@group(0) @binding(4) var<storage, read_write> bins: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> elements: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> listed: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> tiles: array<Tile>;
// Numbers of pairs, two words each, low word first.
@group(0) @binding(8) var<storage, read_write> sums: array<atomic<u32>>;

fn group_number(group: vec3<u32>) -> u32 {
    return launch.first + group.x;
}

// Returns the number of words for the bins of a half, including one for the end of the last bin.
fn bins_of_half() -> u32 {
    return (1u << launch.bin_bits) + 2u;
}

// Returns the index in `bins` of the number of placements that did not fit.
fn lost_at() -> u32 {
    return launch.halves * (bins_of_half() + 2u);
}

// Returns the index in `bins` of the first leaf of a half.
fn leaves_of_half(half: u32) -> u32 {
    return lost_at() + 1u + half * (launch.leaves + 1u);
}

// Returns the bin of an element whose row number is above the columns' key.
fn bin(element: vec2<u32>) -> u32 {
    let lowest = launch.diagonals - launch.bin_bits;
    var bits = 0u;
    if lowest >= WORD {
        bits = element.y >> (lowest - WORD);
    } else {
        bits = (element.y << (WORD - lowest)) | (element.x >> lowest);
    }
    return 1u + (bits & ((1u << launch.bin_bits) - 1u));
}

// Returns the subset of `columns` that a column partition selects: bit i selects the i-th lowest column.
fn divided(columns: u32, division: u32) -> u32 {
    var chosen = 0u;
    var rest = columns;
    for (var places = division; rest != 0u; places >>= 1u) {
        let without = rest & (rest - 1u);
        chosen |= select(0u, rest ^ without, (places & 1u) != 0u);
        rest = without;
    }
    return chosen;
}

// Returns the index of the first placement of a strip's part in a column set, and the number of
// placements. The rank of the set is its index among the starts.
fn placements_in(columns: u32, starts_at: u32) -> vec2<u32> {
    var rank = 0u;
    var rest = columns;
    for (var members = 1u; rest != 0u; members += 1u) {
        rank += index[firstTrailingBit(rest) * 8u + members];
        rest &= rest - 1u;
    }
    let first = index[starts_at + rank];
    return vec2(first, index[starts_at + rank + 1u] - first);
}

// A placement of a strip: the diagonals on which it crosses the seam and the middle, and its two row
// numbers, which have a bit for each row. On even boards, there is one number for each half of the
// columns, and a bit is set if the row's queen is in that half. On odd boards, both numbers have the bit
// of the row whose queen is in the middle column.
struct Placement {
    seam: vec2<u32>,
    middle: vec2<u32>,
    sides: vec2<u32>,
}

// Joins the placements of a strip's two parts.
fn join_parts(upper: u32, lower: u32, upper_rows: u32) -> Placement {
    let a = placements[upper];
    let b = placements[lower];
    let mask = vec2(0xffffffffu, DIAGONALS_MASK);
    let upper_sides = a.yw >> vec2(SIDE);
    let lower_sides = b.yw >> vec2(SIDE);
    return Placement(
        (a.xy | b.xy) & mask,
        (a.zw | b.zw) & mask,
        (lower_sides << vec2(upper_rows)) | upper_sides,
    );
}

// Returns whether the placements of a strip's two parts do not attack each other.
fn are_apart(upper: u32, lower: u32) -> bool {
    if launch.insides == 0u {
        return true;
    }
    let inside = placements[launch.insides + upper].xy & placements[launch.insides + lower].xy;
    return all(inside == vec2(0u));
}

// Joins the placements of two strips for one partition of a half's columns between the strips and one
// partition of the outer strip's columns between its parts. Counts the results in the half's bins, or
// writes them. Each thread has its own placement of the inner strip, and all test the same placement of
// the outer strip at a time.
@compute @workgroup_size(LANES)
fn join(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(group);
    if number >= launch.end {
        return;
    }
    let outer_divisions_at = launch.divisions_at + launch.divisions;
    let inner_divisions_at = outer_divisions_at + launch.outer_divisions;
    let outer_division = index[outer_divisions_at + number % launch.outer_divisions];
    let of_half = number / launch.outer_divisions;
    let division = index[launch.divisions_at + of_half % launch.divisions];
    let half_number = of_half / launch.divisions;
    let half = halves[half_number];
    let outer_columns = divided(half.columns, division);
    let inner_columns = half.columns & ~outer_columns;
    let outer_upper = divided(outer_columns, outer_division);
    let outer_uppers = placements_in(outer_upper, launch.outer_upper_at);
    let outer_lowers = placements_in(outer_columns & ~outer_upper, launch.outer_lower_at);
    let forbidden = vec2(half.forbidden_low, half.forbidden_high);
    let bins_at = half_number * bins_of_half();
    // The index of the next partition of the inner strip's columns, the placements of both parts in the
    // current partition, and the index of the thread's next pair of these. Each thread takes every
    // LANES-th pair.
    var next_division = 0u;
    var uppers = vec2(0u);
    var lowers = vec2(0u);
    var next = lane;
    loop {
        // The thread's next placement of the inner strip that the key does not exclude.
        var inner: Placement;
        var is_found = false;
        while !is_found {
            let pairs = uppers.y * lowers.y;
            if next >= pairs {
                if next_division == launch.inner_divisions {
                    break;
                }
                next -= pairs;
                let upper = divided(inner_columns, index[inner_divisions_at + next_division]);
                uppers = placements_in(upper, launch.inner_upper_at);
                lowers = placements_in(inner_columns & ~upper, launch.inner_lower_at);
                next_division += 1u;
                continue;
            }
            let upper = uppers.x + next / lowers.y;
            let lower = lowers.x + next % lowers.y;
            next += LANES;
            inner = join_parts(upper, lower, launch.inner_upper_rows);
            // The inner rows are the high bits of the row number. So `row_bound` is greater than the row
            // number with any outer placement.
            let row_bound = (min(inner.sides.x, inner.sides.y) + 1u) << launch.outer_rows;
            is_found = i32(row_bound) > half.key && all((inner.middle & forbidden) == vec2(0u))
                && are_apart(upper, lower);
        }
        if !is_found {
            break;
        }
        for (var lower = outer_lowers.x; lower < outer_lowers.x + outer_lowers.y; lower += 1u) {
            for (var upper = outer_uppers.x; upper < outer_uppers.x + outer_uppers.y; upper += 1u) {
                let outer = join_parts(upper, lower, launch.outer_upper_rows);
                let conflicts = (outer.seam & inner.seam) | (outer.middle & forbidden);
                if any(conflicts != vec2(0u)) || !are_apart(upper, lower) {
                    continue;
                }
                let crossed = outer.middle | inner.middle;
                let sides = (inner.sides << vec2(launch.outer_rows)) | outer.sides;
                let rows = i32(min(sides.x, sides.y));
                if rows < half.key {
                    continue;
                }
                var own = crossed;
                if half.lower != 0u {
                    let differences = (crossed >> vec2(1u)) & vec2(SUMS);
                    own = differences | ((crossed & vec2(SUMS)) << vec2(1u));
                }
                let element = vec2(own.x & WORD_MASK, (own.x >> WORD) | (own.y << 2u));
                var to = 0u;
                if rows > half.key {
                    to = bin(element);
                }
                let place = atomicAdd(&bins[bins_at + to], 1u);
                if launch.is_placing != 0u {
                    if half.start + place < half.end {
                        elements[half.start + place] = element;
                    } else {
                        atomicAdd(&bins[lost_at()], 1u);
                    }
                }
            }
        }
    }
}

// Replaces the counts of a half's bins, or of its leaves, by their starts (exclusive prefix sums). For
// the bins, it also writes the lengths of the first bin and of the whole list. One thread for each half.
@compute @workgroup_size(LANES)
fn add_up(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let half = group_number(group) * LANES + lane;
    if half >= launch.halves {
        return;
    }
    if launch.of_leaves != 0u {
        let leaves_at = leaves_of_half(half);
        var all = 0u;
        for (var leaf = 0u; leaf <= launch.leaves; leaf += 1u) {
            let here = atomicLoad(&bins[leaves_at + leaf]);
            atomicStore(&bins[leaves_at + leaf], all);
            all += here;
        }
        return;
    }
    let bins_at = half * bins_of_half();
    var before = 0u;
    for (var bin = 0u; bin < bins_of_half(); bin += 1u) {
        let here = atomicLoad(&bins[bins_at + bin]);
        atomicStore(&bins[bins_at + bin], before);
        before += here;
        if bin == 0u {
            atomicStore(&bins[launch.halves * bins_of_half() + 2u * half], before);
        }
    }
    atomicStore(&bins[launch.halves * bins_of_half() + 2u * half + 1u], before);
}

// Splits a part of a list: counts its placements for each leaf of the range, or writes them there. Each
// thread walks the tree for one placement after the other. The nodes are in depth-first order, so the
// walk needs no stack.
@compute @workgroup_size(LANES)
fn split(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(group);
    if number >= launch.end {
        return;
    }
    let tile = tiles[number];
    let leaves_at = leaves_of_half(tile.sum);
    let side = tile.sum % 2u;
    for (var at = tile.first + lane; at < tile.end; at += LANES) {
        let element = elements[at];
        var next = 0u;
        while next < launch.nodes {
            let node = launch.nodes_at + next * SPLIT_WORDS;
            let enter = index[node + 2u + side];
            let diagonal = enter & ((1u << DIAGONAL_BITS) - 1u);
            let word = select(element.x, element.y, diagonal >= WORD);
            if ((word >> (diagonal % WORD)) & 1u) != enter >> DIAGONAL_BITS {
                next = index[node];
                continue;
            }
            next += 1u;
            // Inner nodes have the largest number as their leaf, so this skips them.
            let leaf = index[node + 1u];
            if leaf < launch.first_leaf || leaf >= launch.end_leaf {
                continue;
            }
            let place = tile.other_first + atomicAdd(&bins[leaves_at + leaf], 1u);
            if launch.is_placing == 0u {
                continue;
            }
            if place < tile.other_end {
                elements[place] = element;
            } else {
                atomicAdd(&bins[lost_at()], 1u);
            }
        }
    }
}

// For each subset of each group of diagonals, the bit set of a thread's 32 placements that cross any
// diagonal of the subset. The words of an entry are interleaved by thread.
var<workgroup> table: array<u32, TABLE_WORDS>;

// Placements of the shorter list that cross no diagonal of `all_cross_low` and `all_cross_high`. The others
// form no pair in the tile.
var<workgroup> queue: array<vec2<u32>, QUEUE>;
var<workgroup> queued: atomic<u32>;

// The diagonals that all placements of the longer list in this tile cross.
var<workgroup> all_cross_low: atomic<u32>;
var<workgroup> all_cross_high: atomic<u32>;

// Number of pairs that all threads of the workgroup have found.
var<workgroup> found_by_all: atomic<u32>;

// Counts the pairs of a tile without a common diagonal. Each thread has up to 32 placements of the longer
// list and compares each placement of the shorter list with all of them at once, bit-sliced: bit i of a
// word belongs to the thread's placement i.
@compute @workgroup_size(LANES)
fn pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group_number(group);
    if number >= launch.end {
        return;
    }
    let tile = tiles[number];
    if lane == 0u {
        atomicStore(&all_cross_low, WORD_MASK);
        atomicStore(&all_cross_high, WORD_MASK);
        atomicStore(&queued, 0u);
        atomicStore(&found_by_all, 0u);
    }
    workgroupBarrier();
    let own = tile.first + lane;
    // Number of this thread's placements of the longer list.
    var count = 0u;
    if own < tile.end {
        count = (tile.end - own + LANES - 1u) / LANES;
    }
    var all_cross = vec2(WORD_MASK);
    for (var i = 0u; i < count; i += 1u) {
        all_cross &= listed[own + i * LANES];
    }
    atomicAnd(&all_cross_low, all_cross.x);
    atomicAnd(&all_cross_high, all_cross.y);
    for (var group = 0u; group < GROUPS; group += 1u) {
        // For each diagonal of the group, the bit set of this thread's placements that cross it.
        var crossing = vec3(0u);
        let shift = (group * GROUP) % WORD;
        for (var i = 0u; i < count; i += 1u) {
            let words = listed[own + i * LANES];
            let bits = select(words.x, words.y, group * GROUP >= WORD) >> shift;
            crossing |= ((vec3(bits) >> vec3(0u, 1u, 2u)) & vec3(1u)) << vec3(i);
        }
        for (var subset = 0u; subset < 1u << GROUP; subset += 1u) {
            let chosen = (vec3(subset) & vec3(1u, 2u, 4u)) != vec3(0u);
            let entry = select(vec3(0u), crossing, chosen);
            table[((group << GROUP) | subset) * LANES + lane] = entry.x | entry.y | entry.z;
        }
    }
    // The bits of missing placements are set as if these crossed every diagonal, so they form no pairs.
    var empty = 0u;
    if count < 32u {
        empty = 0xffffffffu << count;
    }
    workgroupBarrier();
    all_cross = vec2(atomicLoad(&all_cross_low), atomicLoad(&all_cross_high));
    var found = 0u;
    for (var next = tile.other_first; next < tile.other_end; next += QUEUE) {
        for (var i = next + lane; i < min(next + QUEUE, tile.other_end); i += LANES) {
            let other = listed[i];
            if all((other & all_cross) == vec2(0u)) {
                queue[atomicAdd(&queued, 1u)] = other;
            }
        }
        workgroupBarrier();
        let length = atomicLoad(&queued);
        for (var i = 0u; i < length; i += 1u) {
            let other = queue[i];
            var crossing = empty;
            var bits = other.x;
            for (var group = 0u; group < GROUPS; group += 1u) {
                if group * GROUP == WORD {
                    bits = other.y;
                }
                let subset = bits & ((1u << GROUP) - 1u);
                crossing |= table[((group << GROUP) | subset) * LANES + lane];
                bits >>= GROUP;
            }
            found += 32u - countOneBits(crossing);
        }
        workgroupBarrier();
        if lane == 0u {
            atomicStore(&queued, 0u);
        }
        workgroupBarrier();
    }
    atomicAdd(&found_by_all, found);
    workgroupBarrier();
    if lane == 0u {
        let all_found = atomicLoad(&found_by_all);
        let before = atomicAdd(&sums[2u * tile.sum], all_found);
        if before + all_found < before {
            atomicAdd(&sums[2u * tile.sum + 1u], 1u);
        }
    }
}
