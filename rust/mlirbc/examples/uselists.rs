#![allow(missing_docs, clippy::all, unused)]
//! Lists uses.
use mlirbc::Module;
use mlirbc::format::ir::*;
struct D<'m> {
    m: &'m Module,
    ops: u32,
    open: Vec<(usize, usize, u32)>,
    iso: Vec<bool>,
    next: u32,
    cur: u32,
    log: Vec<String>,
    nres: u32,
    uses: std::collections::BTreeMap<(u32, usize), Vec<String>>,
    orders: std::collections::BTreeMap<(u32, usize), String>,
    name: String,
    opn: u32,
    inhead: bool,
    args: usize,
}
impl OpSink for D<'_> {
    fn op(&mut self, h: OpHead) {
        self.inhead = false;
        self.cur = self.ops;
        self.ops += 1;
        self.nres = 0;
        self.opn = 0;
        self.name = self.m.op_name(mlirbc::ir::OpNameId(h.name)).unwrap().full().into_owned();
    }
    fn result(&mut self, _: u32) {
        let l = self.open.last_mut().unwrap();
        let k = (l.2, l.1);
        l.1 += 1;
        self.nres += 1;
        let n = format!("def {} {}", self.cur, self.name);
        self.uses.entry(k).or_default().insert(0, n);
    }
    fn operand(&mut self, v: ValueRef) {
        let sc = self.open.last().unwrap().0;
        let r = self.open[sc + v.depth as usize].2;
        self.uses
            .entry((r, v.index as usize))
            .or_default()
            .push(format!("{}:{}({})", self.cur, self.opn, self.name));
        self.opn += 1;
    }
    fn use_list(&mut self, o: UseListOrder<'_>, n: u64, _: u64) {
        let l = self.open.last().unwrap();
        let first = l.1 - if self.inhead { n as usize } else { self.nres as usize };
        self.orders.insert((l.2, first + o.value as usize), format!("pairs={} {:?}", o.is_pairs, o.indices));
    }
    fn regions(&mut self, _: u32, i: bool) {
        self.iso.push(i);
    }
    fn begin_region(&mut self, _: RegionHead) {
        let s = match (self.open.last(), self.iso.last()) {
            (Some(p), Some(false)) => p.0,
            _ => self.open.len(),
        };
        self.open.push((s, 0, self.next));
        self.next += 1;
    }
    fn begin_block(&mut self, _: BlockHead) {
        self.inhead = true;
    }
    fn argument(&mut self, _: u32, _: Option<u32>) {
        let l = self.open.last_mut().unwrap();
        let k = (l.2, l.1);
        l.1 += 1;
        self.uses.entry(k).or_default().insert(0, "arg".into());
    }
    fn end_region(&mut self) {
        self.open.pop();
    }
    fn end_regions(&mut self) {
        self.iso.pop();
    }
}
fn main() {
    for f in std::env::args().skip(1) {
        let m = Module::from_bytes(std::fs::read(&f).unwrap()).unwrap();
        let mut d = D {
            m: &m,
            ops: 0,
            open: vec![],
            iso: vec![],
            next: 0,
            cur: 0,
            log: vec![],
            nres: 0,
            uses: Default::default(),
            orders: Default::default(),
            name: String::new(),
            opn: 0,
            inhead: false,
            args: 0,
        };
        m.stream(&mut d).unwrap();
        println!("{f}");
        for (k, u) in &d.uses {
            if u.len() > 2 || d.orders.contains_key(k) {
                println!("{k:?} {} => {}", u.join(" "), d.orders.get(k).cloned().unwrap_or_default());
            }
        }
        let _ = (&d.log, d.args);
    }
}
