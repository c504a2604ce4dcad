#![allow(missing_docs,clippy::all,clippy::unwrap_used,clippy::expect_used)]
use mlirbc_fuzz::mutate::*; use mlirbc::*; use std::collections::BTreeMap;
fn main(){ let mut c:BTreeMap<String,u32>=BTreeMap::new();
 let files:Vec<_>=std::env::args().skip(1).map(|p|std::fs::read(p).unwrap()).filter(|b|b.len()<6000).collect();
 for r in 0..20000u64 { let mut n=Noise::new(r); let mut b=files[n.below(files.len())].clone();
  for _ in 0..=n.below(4) { let f=n.below(8)>0&&framed(&mut b,&mut n,edit); if !f {edit(&mut b,&mut n)} }
  let k=match Module::from_bytes(b.clone()){Err(e)=>format!("open {}",e.identifier()),Ok(m)=>match m.decode_all(1){Err(e)=>format!("decode {}",e.identifier()),Ok(())=>match Module::from_bytes(b).unwrap().verify(&|_,_|{}){Err(e)=>format!("verify {}",e.identifier()),Ok(())=>"ok".into()}}};
  *c.entry(k).or_default()+=1; }
 for (k,v) in c {println!("{v:6} {k}")} }
