//! Dominator trees of the blocks of a region.
//!
//! Owns the tree of one graph of blocks; does not know operations. The algorithm of Lengauer and Tarjan ("A
//! fast algorithm for finding dominators in a flowgraph", the simple version) takes `m log n` steps for `m`
//! edges of any graph. The iteration of Cooper, Harvey and Kennedy is faster for most graphs and quadratic
//! for some. Queries compare positions in a walk over the tree, without following it.

use crate::wire::steps;

use super::body::NONE;

/// The dominator tree of the blocks that can be reached from the first one.
#[derive(Debug)]
pub(crate) struct Dominators {
    /// For each block: its position in a depth-first walk over the tree, and the first position after
    /// everything that it dominates; [`NONE`] for unreachable blocks.
    spans: Vec<(u32, u32)>,
}

impl Dominators {
    /// Builds the tree of `len` blocks; `successors` appends the successors of a block to a list. Successors
    /// that are not blocks are ignored.
    pub(crate) fn new(len: usize, mut successors: impl FnMut(u32, &mut Vec<u32>)) -> Self {
        let mut edges = Vec::new();
        let mut firsts = Vec::with_capacity(len + 1);
        for block in 0..len as u32 {
            firsts.push(edges.len());
            successors(block, &mut edges);
        }
        firsts.push(edges.len());
        steps::count(len + edges.len());
        let graph = Graph { edges, firsts };
        let walk = Walk::new(&graph, len);
        let parents = immediate(&graph, &walk);
        Self { spans: spans(&parents, &walk.blocks, len) }
    }

    /// Whether every path from the first block to `below` goes through `above`. Unreachable blocks are
    /// dominated by all blocks.
    pub(crate) fn dominates(&self, above: u32, below: u32) -> bool {
        let span = |block: u32| self.spans.get(block as usize).filter(|span| span.0 != NONE);
        let Some(&(place, _)) = span(below) else { return true };
        span(above).is_some_and(|&(first, end)| first <= place && place < end)
    }

    /// The bytes of the tree.
    pub(crate) fn memory(&self) -> usize {
        self.spans.capacity() * size_of::<(u32, u32)>()
    }

    /// Whether a path leads to the block from the first one.
    pub(crate) fn is_reachable(&self, block: u32) -> bool {
        self.spans.get(block as usize).is_some_and(|span| span.0 != NONE)
    }
}

/// The successors of each block, in one list.
struct Graph {
    edges: Vec<u32>,
    firsts: Vec<usize>,
}

impl Graph {
    fn successors(&self, block: u32) -> &[u32] {
        let block = block as usize;
        self.edges.get(self.firsts[block]..self.firsts[block + 1]).unwrap_or_default()
    }
}

/// The blocks in the order of a depth-first walk over the graph; the fields below refer to blocks by their
/// positions in it.
struct Walk {
    blocks: Vec<u32>,
    /// The position of each block; [`NONE`] for unreachable blocks.
    positions: Vec<u32>,
    /// For each position: the position from which the walk reached it.
    parents: Vec<u32>,
}

impl Walk {
    fn new(graph: &Graph, len: usize) -> Self {
        let mut this = Self { blocks: Vec::new(), positions: vec![NONE; len], parents: Vec::new() };
        if len == 0 {
            return this;
        }
        // A position, and the number of its next successor.
        let mut stack = vec![(this.reach(0, 0), 0)];
        while let Some((place, next)) = stack.last_mut() {
            let place = *place;
            match graph.successors(this.blocks[place as usize]).get(*next) {
                Some(&to) => {
                    *next += 1;
                    if this.positions.get(to as usize) == Some(&NONE) {
                        stack.push((this.reach(to, place), 0));
                    }
                }
                None => {
                    stack.pop();
                }
            }
        }
        this
    }

    fn reach(&mut self, block: u32, parent: u32) -> u32 {
        let place = self.blocks.len() as u32;
        self.blocks.push(block);
        self.parents.push(parent);
        self.positions[block as usize] = place;
        place
    }
}

/// The predecessors of each position, in one list, and the start of each position's part.
fn predecessors(graph: &Graph, walk: &Walk) -> (Vec<u32>, Vec<usize>) {
    let successors_of = |block: u32| {
        graph.successors(block).iter().filter_map(|&to| walk.positions.get(to as usize).copied())
    };
    let mut firsts = vec![0; walk.blocks.len() + 1];
    for to in walk.blocks.iter().flat_map(|&block| successors_of(block)) {
        firsts[to as usize + 1] += 1;
    }
    for place in 1..firsts.len() {
        firsts[place] += firsts[place - 1];
    }
    let mut next = firsts.clone();
    let mut list = vec![0; firsts.last().copied().unwrap_or(0)];
    for (from, &block) in (0..).zip(&walk.blocks) {
        for to in successors_of(block) {
            list[next[to as usize]] = from;
            next[to as usize] += 1;
        }
    }
    (list, firsts)
}

/// The immediate dominator of each position; the first has itself.
fn immediate(graph: &Graph, walk: &Walk) -> Vec<u32> {
    let len = walk.blocks.len() as u32;
    let (sources, firsts) = predecessors(graph, walk);
    let mut forest = Forest::new(len);
    let mut dominators = vec![0; len as usize];
    // Lists of the positions that have the same semidominator: the first of each, and the next of each.
    let (mut heads, mut nexts) = (vec![NONE; len as usize], vec![NONE; len as usize]);
    for place in (1..len).rev() {
        let at = place as usize;
        for &from in &sources[firsts[at]..firsts[at + 1]] {
            let best = forest.best(from);
            forest.semis[at] = forest.semis[at].min(forest.semis[best as usize]);
        }
        let semi = forest.semis[at] as usize;
        nexts[at] = std::mem::replace(&mut heads[semi], place);
        let parent = walk.parents[at];
        forest.ancestors[at] = parent;
        let mut waiting = std::mem::replace(&mut heads[parent as usize], NONE);
        while waiting != NONE {
            let best = forest.best(waiting);
            let is_higher = forest.semis[best as usize] < forest.semis[waiting as usize];
            // A higher position has the same dominator as this one, which is found below.
            dominators[waiting as usize] = if is_higher { best } else { parent };
            waiting = nexts[waiting as usize];
        }
    }
    for at in 1..len as usize {
        if dominators[at] != forest.semis[at] {
            dominators[at] = dominators[dominators[at] as usize];
        }
    }
    dominators
}

/// The part of the tree of the walk that was linked so far, with compressed paths.
struct Forest {
    ancestors: Vec<u32>,
    semis: Vec<u32>,
    /// For each position: the position with the least semidominator on its compressed path.
    labels: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(len: u32) -> Self {
        Self {
            ancestors: vec![NONE; len as usize],
            semis: (0..len).collect(),
            labels: (0..len).collect(),
            path: Vec::new(),
        }
    }

    /// The position with the least semidominator on the path from `place` to the root of its tree, excluding
    /// the root.
    fn best(&mut self, place: u32) -> u32 {
        let mut at = place;
        while self.ancestors[at as usize] != NONE {
            self.path.push(at);
            at = self.ancestors[at as usize];
        }
        steps::count(self.path.len() + 1);
        // The topmost position of the path has the root as its ancestor.
        self.path.pop();
        while let Some(at) = self.path.pop() {
            let above = self.ancestors[at as usize] as usize;
            let (label, higher) = (self.labels[at as usize], self.labels[above]);
            if self.semis[higher as usize] < self.semis[label as usize] {
                self.labels[at as usize] = higher;
            }
            self.ancestors[at as usize] = self.ancestors[above];
        }
        self.labels[place as usize]
    }
}

/// The position of each block in a depth-first walk over the dominator tree.
fn spans(parents: &[u32], blocks: &[u32], len: usize) -> Vec<(u32, u32)> {
    // Parents have lower positions than their children, so sizes are summed from the end, and positions
    // assigned from the start.
    let mut sizes = vec![1_u32; parents.len()];
    for place in (1..parents.len()).rev() {
        sizes[parents[place] as usize] += sizes[place];
    }
    let mut spans = vec![(NONE, NONE); len];
    let mut free = vec![0_u32; parents.len()];
    for place in 0..parents.len() {
        let first = match place {
            0 => 0,
            _ => {
                let next = &mut free[parents[place] as usize];
                let first = *next;
                *next += sizes[place];
                first
            }
        };
        free[place] = first + 1;
        spans[blocks[place] as usize] = (first, first + sizes[place]);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dominators(successors: &[Vec<u32>]) -> Dominators {
        Dominators::new(successors.len(), |block, out| out.extend(&successors[block as usize]))
    }

    fn is_reached(successors: &[Vec<u32>], without: u32, wanted: u32) -> bool {
        let mut seen = vec![false; successors.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if block != without && !std::mem::replace(&mut seen[block as usize], true) {
                stack.extend(&successors[block as usize]);
            }
        }
        seen[wanted as usize]
    }

    fn assert_as_defined(successors: &[Vec<u32>]) {
        let tree = dominators(successors);
        let len = successors.len() as u32;
        for (above, below) in (0..len).flat_map(|above| (0..len).map(move |below| (above, below))) {
            let expected = above == below || !is_reached(successors, above, below);
            assert_eq!(tree.dominates(above, below), expected, "{above} over {below} in {successors:?}");
        }
    }

    /// Each block has the next one and, from the far end, the previous one as successors, which takes
    /// quadratically many steps with the iteration of Cooper, Harvey and Kennedy.
    fn hostile(len: u32) -> Vec<Vec<u32>> {
        let half = len / 2;
        (0..len)
            .map(|block| match block {
                0 => vec![1, half],
                block if block < half => vec![(block + 1).min(half - 1), half + block],
                block => vec![(block + 1).min(len - 1), block - half, (block - 1).max(1)],
            })
            .collect()
    }

    #[test]
    fn dominance_is_as_defined() {
        // Small graphs from a linear congruential generator, and adversarial ones.
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..300 {
            let len = 1 + random(12);
            let successors: Vec<Vec<u32>> =
                (0..len).map(|_| (0..random(4)).map(|_| random(len)).collect()).collect();
            assert_as_defined(&successors);
        }
        for len in [2, 3, 8, 21] {
            assert_as_defined(&hostile(len));
        }
    }

    #[test]
    fn blocks_that_are_not_there_are_ignored() {
        assert!(dominators(&[]).dominates(0, 1));
        let tree = dominators(&[vec![7, 1], vec![], vec![1]]);
        assert!(tree.dominates(0, 1) && tree.dominates(1, 2) && !tree.dominates(2, 1));
    }

    #[cfg(feature = "steps")]
    #[test]
    fn steps_grow_as_n_log_n() {
        let steps = |len: u32, graph: fn(u32) -> Vec<Vec<u32>>| {
            let successors = graph(len);
            let before = steps::taken();
            let tree = dominators(&successors);
            // The steps of a query do not grow with the depth.
            assert!(tree.dominates(0, len - 1));
            steps::taken() - before
        };
        let chain = |len: u32| (0..len).map(|block| vec![(block + 1).min(len - 1)]).collect();
        let back = |len: u32| (0..len).map(|block| vec![(block + 1).min(len - 1), 1, block / 2]).collect();
        for graph in [chain, back, hostile] {
            let (once, twice) = (steps(20_000, graph), steps(40_000, graph));
            assert!(twice < once * 5 / 2, "{once} steps, then {twice}");
            assert!(once < 20_000 * 16 * 4, "{once} steps");
        }
    }
}
