// WebGPU kernel of the colour join: one workgroup for each triple (A, C, A') of row and column sets.
//
// It is `colours.cu` in WGSL, with the same records and names. README.md lists the differences and
// explains how the host calls it.

// Threads per workgroup.
override LANES: u32 = 64u;

// The words of the table that numbers sets of odd columns.
const NUMBERS: u32 = 256u;

// The sums of a slot, each with a low and a high word: the solutions, those of the audit set, and the weights
// of the keys.
const SUMS: u32 = 3u;
const SOLUTIONS: u32 = 0u;
const AUDIT_SET: u32 = 1u;
const KEYS: u32 = 2u;

// All threads walk over the queens of this many rows. Below, each thread takes one subtree after another.
const COMMON_ROWS: u32 = 5u;

// The largest number of sets of odd columns with as many columns: 7 of 14.
const MOST_CELLS: u32 = 3432u;

// The largest number of rows of a colour.
const MOST_ROWS: u32 = 28u;

const WHITE: u32 = 0u;
const BLACK: u32 = 1u;

struct Pair {
    even_rows: u32,
    odd_rows: u32,
    // Limits of the sets of odd columns, seen from the other side. The limits are ties.
    least: u32,
    greatest: u32,
    // Index of A's weights in the table.
    weights: u32,
    // Shift count: 16 if A' is a tie, else 0.
    tie: u32,
    // 1 if the part with C = A is the audit set of the task, else 0.
    audited: u32,
    slot: u32,
}

struct Launch {
    sets: u32,
    even: u32,
    odd: u32,
    cells: u32,
    first: u32,
}

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> pairs: array<Pair>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<atomic<u32>>;
// Threads that a driver has ended early.
@group(0) @binding(4) var<storage, read_write> unfinished: atomic<u32>;

// 15,208 bytes in all; every device has 16,352.
// For each set C' of odd columns: first W, the number of white placements, then W times the weight.
var<workgroup> counts: array<atomic<u32>, MOST_CELLS>;
var<workgroup> numbers: array<u32, NUMBERS>;
// For both colours: the rows of the queens, first those of the listed board, then those of the walked board.
// Of two sets of lines, diagonals and antidiagonals, bit i of a row's columns is bit i + x and bit i + y.
var<workgroup> rows: array<array<vec2<u32>, MOST_ROWS>, 2>;
// For both colours: the number of the next subtree that no thread has taken.
var<workgroup> next: array<atomic<u32>, 2>;

// A thread's states to return to: diagonals, antidiagonals, open columns, and the level and free columns.
var<private> stack: array<vec4<u32>, MOST_ROWS>;

// The sum of W · B with the weights: low and high word.
var<private> low: u32;
var<private> high: u32;

fn all(length: u32) -> u32 {
    return (1u << length) - 1u;
}

// Appends those rows of a board that are members of the set, from the middle outwards, and returns the number of
// rows. `diagonal` and `antidiagonal` are the numbers of the lines of square (0, 0).
fn append(
    colour: u32,
    before: u32,
    members: u32,
    length: u32,
    diagonal: u32,
    antidiagonal: u32,
) -> u32 {
    var number = before;
    for (var i = 0u; i < length; i += 1u) {
        let row = (length - 1u) / 2u + (i + 1u) / 2u - select(0u, i, i % 2u == 0u);
        if ((members >> row) & 1u) != 0u {
            rows[colour][number] = vec2(diagonal - row, antidiagonal + row);
            number += 1u;
        }
    }
    return number;
}

// Returns the number of a set of odd columns among the sets with as many columns.
fn number_of(columns: u32) -> u32 {
    return numbers[columns & 127u] + numbers[128u + (columns >> 7u)];
}

// Counts a placement. `open` are the columns of the walked board without a queen.
fn leaf(colour: u32, open: u32) {
    if colour == WHITE {
        atomicAdd(&counts[number_of(all(launch.odd) ^ open)], 1u);
    } else {
        // The odd columns without a black queen are those with a white one.
        let product = atomicLoad(&counts[number_of(open)]);
        low += product;
        high += u32(low < product);
    }
}

// Counts the placements of a colour with `listed` and `walked` queens on its two boards. `columns` are those
// of the listed board. The threads of a workgroup share the placements.
fn walk(colour: u32, listed: u32, walked: u32, columns: u32, lane: u32) {
    let all_columns = all(launch.odd);
    if walked == 0u {
        // There is one placement, of one queen or none.
        if lane == 0u {
            leaf(colour, all_columns);
        }
        return;
    }
    let last = listed + walked - 1u;
    let claimed = min(COMMON_ROWS, last - 1u);
    var level = 0u;
    var diagonals = 0u;
    var antidiagonals = 0u;
    var open = columns;
    var free = columns;
    // All threads number the subtrees below the common rows in the same order. `passed` is the number of those
    // that are behind this thread, and `mine` is the next one that it takes.
    var passed = 0u;
    var mine = atomicAdd(&next[colour], 1u);
    var depth = 0u;
    var is_finished = false;
    loop {
        if level == claimed {
            let subtrees = countOneBits(free);
            if mine - passed < subtrees {
                for (; passed != mine; passed += 1u) {
                    free &= free - 1u;
                }
                passed += 1u;
                mine = atomicAdd(&next[colour], 1u);
            } else {
                passed += subtrees;
                free = 0u;
            }
        }
        if free != 0u && level != last {
            let queen = free & (~free + 1u);
            free ^= queen;
            if free != 0u {
                stack[depth] = vec4(diagonals, antidiagonals, open, (level << 16u) | free);
                depth += 1u;
            }
            var row = rows[colour][level];
            diagonals |= queen << row.x;
            antidiagonals |= queen << row.y;
            open ^= queen;
            level += 1u;
            if level == listed {
                open = all_columns;
            }
            row = rows[colour][level];
            free = open & ~((diagonals >> row.x) | (antidiagonals >> row.y));
        }
        // Placements in the last row are counted one by one, together with the steps of the other threads.
        if free != 0u && level == last {
            let queen = free & (~free + 1u);
            free ^= queen;
            leaf(colour, open ^ queen);
        }
        if free == 0u {
            if depth == 0u {
                is_finished = true;
                break;
            }
            depth -= 1u;
            let state = stack[depth];
            diagonals = state.x;
            antidiagonals = state.y;
            open = state.z;
            free = state.w & 0xffffu;
            level = state.w >> 16u;
        }
    }
    if !is_finished {
        atomicAdd(&unfinished, 1u);
    }
}

// Adds to a sum of a slot, with carry.
fn add(slot: u32, sum: u32, low: u32, high: u32) {
    let place = 2u * (SUMS * slot + sum);
    let before = atomicAdd(&sums[place], low);
    atomicAdd(&sums[place + 1u], high + u32(before + low < before));
}

@compute @workgroup_size(LANES)
fn colours(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let triple = launch.first + workgroup.x;
    let pair = pairs[triple / launch.sets];
    let place = NUMBERS + triple % launch.sets;
    let weights = tables[place + launch.sets * (1u + pair.weights)] >> pair.tie;
    // The weights of the keys whose C' is no tie, and of those whose C' is one.
    let weight = weights & 255u;
    let tie_weight = (weights >> 8u) & 255u;
    if weight == 0u && tie_weight == 0u {
        return;
    }
    let columns = tables[place];
    let all_even = all(launch.even);
    let all_odd = all(launch.odd);
    for (var cell = lane; cell < launch.cells; cell += LANES) {
        atomicStore(&counts[cell], 0u);
    }
    for (var i = lane; i < NUMBERS; i += LANES) {
        numbers[i] = tables[i];
    }
    let listed = vec2(countOneBits(pair.even_rows), launch.odd - countOneBits(pair.odd_rows));
    let walked = vec2(countOneBits(pair.odd_rows), launch.even - countOneBits(pair.even_rows));
    if lane == 0u {
        let even = launch.even;
        let odd = launch.odd;
        var number = append(WHITE, 0u, pair.even_rows, even, even, 0u);
        append(WHITE, number, pair.odd_rows, odd, even, 1u);
        number = append(BLACK, 0u, all_odd ^ pair.odd_rows, odd, even, 0u);
        append(BLACK, number, all_even ^ pair.even_rows, even, even + 1u, 0u);
        atomicStore(&next[WHITE], 0u);
        atomicStore(&next[BLACK], 0u);
    }
    workgroupBarrier();

    walk(WHITE, listed.x, walked.x, columns, lane);
    workgroupBarrier();

    var keys = 0u;
    for (var odd_columns = lane; odd_columns <= all_odd; odd_columns += LANES) {
        if countOneBits(odd_columns) != countOneBits(pair.odd_rows) {
            continue;
        }
        let image = reverseBits(odd_columns) >> (32u - launch.odd);
        var factor = weight;
        if image == pair.least || image == pair.greatest {
            factor = tie_weight;
        } else if image < pair.least || image > pair.greatest {
            factor = 0u;
        }
        let cell = number_of(odd_columns);
        atomicStore(&counts[cell], atomicLoad(&counts[cell]) * factor);
        keys += factor;
    }
    workgroupBarrier();

    walk(BLACK, listed.y, walked.y, all_even ^ columns, lane);
    add(pair.slot, SOLUTIONS, low, high);
    add(pair.slot, KEYS, keys, 0u);
    if pair.audited != 0u && columns == pair.even_rows {
        add(pair.slot, AUDIT_SET, low, high);
    }
}
