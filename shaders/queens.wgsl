// WebGPU kernels of the symmetry method: a breadth-first expansion of tasks, then a depth-first search
// with a stack in workgroup memory.
//
// README.md explains the records and how the host calls the three kernels. The rules and comparisons
// are those of `shared/src/rules/`, with the same names. Columns are bits, numbered from the right.

// Threads per workgroup.
override LANES: u32 = 64u;

// Capacity of a thread's stack in rows: the open rows below a node.
override ROWS: u32 = 20u;

// Number of words for each row on the stack.
const ROW_WORDS: u32 = 3u;

// 64 threads with 20 rows each need 15,360 bytes; every device has 16,352.
override STACK_WORDS: u32 = LANES * ROWS * ROW_WORDS;

// The column closed above row BOUND1 in the corner case.
const CORNER_CUT: u32 = 2u;

// The first rows of a task.
struct Root {
    left: u32,
    down: u32,
    right: u32,
    row: u32,
    bound1: u32,
    bound2: u32,
    sidemask: u32,
    lastmask: u32,
    topbit: u32,
    endbit: u32,
    corner: u32,
    // Columns of the queens of rows 0 to 7, one byte each, row 0 lowest.
    columns: array<u32, 2>,
    slot: u32,
    mask: u32,
    n: u32,
}

// A root and further queens in the rows below it.
struct Node {
    // Attacks as seen from row `row`.
    left: u32,
    down: u32,
    right: u32,
    row: u32,
    root: u32,
    // Columns of the queens below those of the root, one byte each.
    columns: array<u32, 2>,
    // Padding to 32 bytes.
    unused: u32,
}

struct Launch {
    // Range of nodes to process (for `seed`, of roots).
    first: u32,
    end: u32,
    // Number of working threads. The launch may have more, to fill whole workgroups.
    lanes: u32,
    // Loop iterations after which a thread of `search` pauses. This keeps launches short enough for the
    // watchdogs of desktops.
    turns: u32,
}

struct Counters {
    // Threads that have paused within a node.
    unfinished: atomic<u32>,
    // Nodes that threads have taken.
    taken: atomic<u32>,
    // Length of the level that `expand` appends to.
    made: atomic<u32>,
}

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> roots: array<Root>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read_write> children: array<Node>;
@group(0) @binding(4) var<storage, read_write> counters: Counters;
// For each slot the numbers of representatives of classes of 1, 2, 4 and 8, low word first.
@group(0) @binding(5) var<storage, read_write> tallies: array<atomic<u32>>;
// Saved states of paused threads, interleaved by thread: index of the node plus 1 (0 for none),
// row, left, down, right, squares to try, and the rows of the stack.
@group(0) @binding(6) var<storage, read_write> paused: array<u32>;

// Number of words in a saved state without its stack.
const PAUSED_WORDS: u32 = 6u;

// Returns the lowest set bit.
fn lowest(squares: u32) -> u32 {
    return squares & (~squares + 1u);
}

// Returns the squares of a row that the rules of the masks close.
fn closed(root: Root, row: u32, down: u32) -> u32 {
    if row < root.bound1 {
        return select(root.sidemask, CORNER_CUT, root.corner != 0u);
    }
    if row == root.bound2 {
        // Row BOUND2 is the last row that may have a queen in a side column. If one side column has no
        // queen yet, the row's queen must be there; if both have none, the branch is dead. (The corner
        // case has no side columns.)
        let missing = root.sidemask & ~down;
        let too_late = select(~root.sidemask, root.mask, missing == root.sidemask);
        return select(too_late, 0u, missing == 0u);
    }
    return select(0u, root.lastmask, row + 1u == root.n);
}

// Returns the squares of a row on which a queen can be placed.
fn free_squares(root: Root, row: u32, left: u32, down: u32, right: u32) -> u32 {
    return root.mask & ~(left | down | right | closed(root, row, down));
}

fn byte_of(words: array<u32, 2>, place: u32) -> u32 {
    let word = select(words[0], words[1], place >= 4u);
    return extractBits(word, 8u * (place & 3u), 8u);
}

@compute @workgroup_size(LANES)
fn seed(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= launch.lanes {
        return;
    }
    for (var i = launch.first + id.x; i < launch.end; i += launch.lanes) {
        let root = roots[i];
        children[i] = Node(root.left, root.down, root.right, root.row, i, array(0u, 0u), 0u);
    }
}

@compute @workgroup_size(LANES)
fn expand(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= launch.lanes {
        return;
    }
    for (var i = launch.first + id.x; i < launch.end; i += launch.lanes) {
        let node = nodes[i];
        let root = roots[node.root];
        var free = free_squares(root, node.row, node.left, node.down, node.right);
        var place = atomicAdd(&counters.made, countOneBits(free));
        let depth = node.row - root.row;
        let shift = 8u * (depth & 3u);
        while free != 0u {
            let queen = lowest(free);
            free ^= queen;
            let byte = firstTrailingBit(queen) << shift;
            children[place] = Node(
                (node.left | queen) << 1u,
                node.down | queen,
                (node.right | queen) >> 1u,
                node.row + 1u,
                node.root,
                array(
                    node.columns[0] | select(0u, byte, depth < 4u),
                    node.columns[1] | select(0u, byte, depth >= 4u),
                ),
                0u,
            );
            place += 1u;
        }
    }
}

// The stack of each thread. For each row below the thread's node: the squares still to be tried,
// whose lowest bit is the row's queen, and the diagonals as seen from the row. The taken columns are
// not stored, because they follow from the queens. Words are interleaved by thread.
var<workgroup> stack: array<u32, STACK_WORDS>;

fn stack_at(lane: u32, depth: u32) -> u32 {
    return depth * ROW_WORDS * LANES + lane;
}

// Loop iterations of this thread, including those of comparisons.
var<private> turns: u32;

// Searches nodes depth-first. A thread that has finished a node takes the next one without waiting for
// its neighbours. After `launch.turns` iterations it pauses: it saves its state in `paused` and
// increments `unfinished`, and the next launch resumes there.
@compute @workgroup_size(LANES)
fn search(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if id.x >= launch.lanes {
        return;
    }
    // Index of the node plus 1, or 0 without a node.
    var taken = paused[id.x];
    var node: Node;
    var root: Root;
    var row = 0u;
    var left = 0u;
    var down = 0u;
    var right = 0u;
    var free = 0u;
    if taken != 0u {
        node = nodes[taken - 1u];
        root = roots[node.root];
        row = paused[launch.lanes + id.x];
        left = paused[2u * launch.lanes + id.x];
        down = paused[3u * launch.lanes + id.x];
        right = paused[4u * launch.lanes + id.x];
        free = paused[5u * launch.lanes + id.x];
        for (var word = 0u; word < (row - node.row) * ROW_WORDS; word += 1u) {
            stack[word * LANES + lane] = paused[(PAUSED_WORDS + word) * launch.lanes + id.x];
        }
    }
    // Representatives of classes of 2, 4 and 8 in this node.
    var found = vec3(0u);
    while turns < launch.turns {
        turns += 1u;
        if free == 0u && row == node.row {
            // The node is finished, or the thread has none yet.
            add(root.slot, found);
            found = vec3(0u);
            taken = launch.first + atomicAdd(&counters.taken, 1u) + 1u;
            if taken > launch.end {
                taken = 0u;
                break;
            }
            node = nodes[taken - 1u];
            root = roots[node.root];
            row = node.row;
            left = node.left;
            down = node.down;
            right = node.right;
            free = free_squares(root, row, left, down, right);
        } else if free == 0u {
            row -= 1u;
            let at = stack_at(lane, row - node.row);
            free = stack[at];
            left = stack[at + LANES];
            right = stack[at + 2u * LANES];
            let queen = lowest(free);
            down ^= queen;
            free ^= queen;
        }
        if free != 0u {
            let queen = lowest(free);
            let left_below = (left | queen) << 1u;
            let down_below = down | queen;
            let right_below = (right | queen) >> 1u;
            let below = free_squares(root, row + 1u, left_below, down_below, right_below);
            let at = stack_at(lane, row - node.row);
            if below == 0u {
                free ^= queen;
            } else if row + 2u == root.n {
                stack[at] = free;
                stack[at + ROW_WORDS * LANES] = below;
                found += class_of(node, root, lane);
                free ^= queen;
            } else {
                stack[at] = free;
                stack[at + LANES] = left;
                stack[at + 2u * LANES] = right;
                row += 1u;
                left = left_below;
                down = down_below;
                right = right_below;
                free = below;
            }
        }
    }
    paused[id.x] = taken;
    if taken != 0u {
        add(root.slot, found);
        atomicAdd(&counters.unfinished, 1u);
        paused[launch.lanes + id.x] = row;
        paused[2u * launch.lanes + id.x] = left;
        paused[3u * launch.lanes + id.x] = down;
        paused[4u * launch.lanes + id.x] = right;
        paused[5u * launch.lanes + id.x] = free;
        for (var word = 0u; word < (row - node.row) * ROW_WORDS; word += 1u) {
            paused[(PAUSED_WORDS + word) * launch.lanes + id.x] = stack[word * LANES + lane];
        }
    }
}

// Adds representatives of classes of 2, 4 and 8 to a tally, with carry into its high words.
fn add(slot: u32, found: vec3<u32>) {
    for (var kind = 0u; kind < 3u; kind += 1u) {
        if found[kind] != 0u {
            let place = 2u * (4u * slot + kind + 1u);
            let before = atomicAdd(&tallies[place], found[kind]);
            if before + found[kind] < before {
                atomicAdd(&tallies[place + 1u], 1u);
            }
        }
    }
}

// Returns the numbers that a full board adds to a tally's counts for classes of 2, 4 and 8: all 0 if an
// image has a smaller judgement value. Only a queen on cell A, B or C requires a comparison.
fn class_of(node: Node, root: Root, lane: u32) -> vec3<u32> {
    let last = root.n - 1u;
    if root.corner != 0u {
        return vec3(0u, 0u, 1u);
    }
    if queen_of(node, root, lane, root.bound2) == 1u {
        let sign = compare(node, root, lane, CELL_A);
        if sign <= 0 {
            return vec3(u32(sign == 0), 0u, 0u);
        }
    }
    if queen_of(node, root, lane, last) == root.endbit {
        let sign = compare(node, root, lane, CELL_B);
        if sign <= 0 {
            return vec3(0u, u32(sign == 0), 0u);
        }
    }
    if queen_of(node, root, lane, root.bound1) == root.topbit {
        let sign = compare(node, root, lane, CELL_C);
        if sign <= 0 {
            return vec3(u32(sign == 0), 0u, 0u);
        }
    }
    return vec3(0u, 0u, 1u);
}

// The cells. A queen on them requires a comparison with the image turned clockwise by 270, 180 and 90
// degrees, respectively.
const CELL_A: u32 = 0u;
const CELL_B: u32 = 1u;
const CELL_C: u32 = 2u;

// Compares the image that belongs to a cell with the solution, row by row. Returns -1, 0 or 1 if its
// judgement value is smaller, equal or larger.
fn compare(node: Node, root: Root, lane: u32, cell: u32) -> i32 {
    let last = root.n - 1u;
    for (var row = 0u; row <= last; row += 1u) {
        turns += 1u;
        let own = firstTrailingBit(queen_of(node, root, lane, row));
        var image = 0u;
        switch cell {
            case CELL_A: {
                image = last - row_of(node, root, lane, row);
            }
            case CELL_B: {
                image = last - firstTrailingBit(queen_of(node, root, lane, last - row));
            }
            default: {
                image = row_of(node, root, lane, last - row);
            }
        }
        if image != own {
            return select(1, -1, image < own);
        }
    }
    return 0;
}

// Returns the queen of a row of a full board, as a bit.
fn queen_of(node: Node, root: Root, lane: u32, row: u32) -> u32 {
    if row >= node.row {
        return lowest(stack[stack_at(lane, row - node.row)]);
    }
    if row >= root.row {
        return 1u << byte_of(node.columns, row - root.row);
    }
    return 1u << byte_of(root.columns, row);
}

// Returns the row of the queen in a column of a full board.
fn row_of(node: Node, root: Root, lane: u32, column: u32) -> u32 {
    var row = 0u;
    while row < root.n && queen_of(node, root, lane, row) != 1u << column {
        row += 1u;
        turns += 1u;
    }
    return row;
}
