// releases: 16 19 22
// covers: the index dialect: every operation, every comparison, constants of either sign.
func.func @index(%a: index, %b: index, %i: i32, %l: i64) {
  index.add %a, %b
  index.sub %a, %b
  index.mul %a, %b
  index.divs %a, %b
  index.divu %a, %b
  index.ceildivs %a, %b
  index.ceildivu %a, %b
  index.floordivs %a, %b
  index.rems %a, %b
  index.remu %a, %b
  index.maxs %a, %b
  index.maxu %a, %b
  index.mins %a, %b
  index.minu %a, %b
  index.shl %a, %b
  index.shrs %a, %b
  index.shru %a, %b
  index.and %a, %b
  index.or %a, %b
  index.xor %a, %b
  index.casts %i : i32 to index
  index.castu %a : index to i64
  index.casts %a : index to i1
  index.cmp eq(%a, %b)
  index.cmp ne(%a, %b)
  index.cmp slt(%a, %b)
  index.cmp sle(%a, %b)
  index.cmp sgt(%a, %b)
  index.cmp sge(%a, %b)
  index.cmp ult(%a, %b)
  index.cmp ule(%a, %b)
  index.cmp ugt(%a, %b)
  index.cmp uge(%a, %b)
  index.sizeof
  index.constant 0
  index.constant -123456789012345
  index.constant 9223372036854775807
  index.constant -9223372036854775808
  index.bool.constant true
  index.bool.constant false
  return
}
