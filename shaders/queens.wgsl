// The symmetry search below the starts of tasks, for any GPU that WebGPU reaches.
//
// README.md tells what the records mean and how the host calls the three kernels. Rules and
// comparisons are those of `shared/src/rules/`, whose names are
// kept: columns are bits and count from the right.

// Lanes of a workgroup; 1 to search with one lane alone.
override LANES: u32 = 64u;

// Rows that a lane's stack has room for: those that are left below a node.
override ROWS: u32 = 20u;

// Words of a row on the stack.
const ROW_WORDS: u32 = 3u;

// 64 lanes with 20 rows each take 15,360 bytes; every device has 16,352.
override STACK_WORDS: u32 = LANES * ROWS * ROW_WORDS;

// Closed above BOUND1 in the corner case.
const CORNER_CUT: u32 = 2u;

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
    // The queens of rows 0 to 7, a byte each, the first in the lowest one.
    columns: array<u32, 2>,
    slot: u32,
    mask: u32,
    n: u32,
}

// A root and some queens more.
struct Node {
    // The attacks as row `row` sees them.
    left: u32,
    down: u32,
    right: u32,
    row: u32,
    root: u32,
    // The queens below those of the root, a byte each.
    columns: array<u32, 2>,
    // Rounds the node up to 32 bytes.
    unused: u32,
}

struct Launch {
    // The range of nodes (for `seed`, of roots).
    first: u32,
    end: u32,
    // The number of lanes that work; more may have been started to fill workgroups.
    lanes: u32,
    // How many turns of its loops a lane may search for.
    turns: u32,
}

struct Counters {
    // Nodes that lanes have taken up.
    taken: atomic<u32>,
    // Lanes that have stopped with a node half done.
    unfinished: atomic<u32>,
    // Nodes of the level that `expand` appends to.
    made: atomic<u32>,
}

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> roots: array<Root>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read_write> children: array<Node>;
@group(0) @binding(4) var<storage, read_write> counters: Counters;
// For each slot the number of representatives of classes of 1, 2, 4 and 8, the low word first.
@group(0) @binding(5) var<storage, read_write> tallies: array<atomic<u32>>;
// What lanes have left to do, word by word for all of them: one more than the index of the node
// (0 for none), the row, left, down, right, the squares to try, and the rows of the stack.
@group(0) @binding(6) var<storage, read_write> paused: array<u32>;

const PAUSED_WORDS: u32 = 6u;

fn lowest(squares: u32) -> u32 {
    return squares & (~squares + 1u);
}

// The squares of a row that a rule of the masks closes, whoever attacks them.
fn closed(root: Root, row: u32, down: u32) -> u32 {
    if row < root.bound1 {
        return select(root.sidemask, CORNER_CUT, root.corner != 0u);
    }
    if row == root.bound2 {
        // Here every side column that is still free must be taken. (The corner case has none.)
        let missing = root.sidemask & ~down;
        let too_late = select(~root.sidemask, root.mask, missing == root.sidemask);
        return select(too_late, 0u, missing == 0u);
    }
    return select(0u, root.lastmask, row + 1u == root.n);
}

// The squares of a row on which a queen may stand.
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

// For each row below a lane's node: its squares that are still to be tried, the queen's own (the
// lowest) among them, and the diagonals as the row sees them. The columns follow from the queens.
// Words of the same kind and row lie side by side for all lanes.
var<workgroup> stack: array<u32, STACK_WORDS>;

fn stack_at(lane: u32, depth: u32) -> u32 {
    return depth * ROW_WORDS * LANES + lane;
}

// How often loops of this lane have turned, those of comparisons included.
var<private> turns: u32;

// Searches nodes to the end. A lane that has done one takes up the next at once, without waiting
// for its neighbours. After `launch.turns` turns it stops, leaves its work in `paused` and counts
// itself in `unfinished`; the next launch goes on there.
@compute @workgroup_size(LANES)
fn search(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if id.x >= launch.lanes {
        return;
    }
    // One more than the index of the node, 0 without one.
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
    // Representatives of classes of 2, 4 and 8.
    var found = vec3(0u);
    while turns < launch.turns {
        turns += 1u;
        if free == 0u && row == node.row {
            // The node is done, or this is the first one.
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

// Adds representatives of classes of 2, 4 and 8 to a tally.
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

// What a full board adds to the representatives of classes of 2, 4 and 8: nothing if an image has
// a smaller judgement value. Only a queen on cell A, B or C calls for a comparison.
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

// The cells, which call for comparison with the image under 270, 180 and 90 degrees clockwise.
const CELL_A: u32 = 0u;
const CELL_B: u32 = 1u;
const CELL_C: u32 = 2u;

// Compares the image that a cell calls for with the solution, row by row: -1, 0 or 1 as its
// judgement value is smaller, the same or larger.
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

// The queen of a row of a full board.
fn queen_of(node: Node, root: Root, lane: u32, row: u32) -> u32 {
    if row >= node.row {
        return lowest(stack[stack_at(lane, row - node.row)]);
    }
    if row >= root.row {
        return 1u << byte_of(node.columns, row - root.row);
    }
    return 1u << byte_of(root.columns, row);
}

// The row of the queen in a column of a full board.
fn row_of(node: Node, root: Root, lane: u32, column: u32) -> u32 {
    var row = 0u;
    while row < root.n && queen_of(node, root, lane, row) != 1u << column {
        row += 1u;
        turns += 1u;
    }
    return row;
}
