// releases: 16 19 22
// covers: the transform dialect: sequences, matchers, patterns, tiling and loop transformations with sizes as attributes and parameters.
module @m_old {
  transform.with_pdl_patterns {
    ^bb0(%o: !pdl.operation):
      pdl.pattern @some : benefit(1) {
        %v0_2 = pdl.operation "a.b"
        pdl.rewrite %v0_2 with "transform.dialect"
      }
      transform.sequence %o : !pdl.operation failures(propagate) {
      ^bb1(%x: !pdl.operation):
        %m_2 = transform.pdl_match @some in %x : (!pdl.operation) -> !pdl.operation
      }
    }
  transform.with_pdl_patterns {
    ^bb0(%o: !transform.any_op):
      pdl.pattern @some2 : benefit(1) {
        %v0_3 = pdl.operation "a.b"
        pdl.rewrite %v0_3 with "transform.dialect"
      }
      transform.sequence %o : !transform.any_op failures(propagate) {
      ^bb1(%x: !transform.any_op):
        %m_3 = transform.pdl_match @some2 in %x : (!transform.any_op) -> !transform.any_op
      }
    }
  transform.sequence -> !transform.any_op failures(propagate) attributes {t.x} {
    ^bb0(%o: !transform.any_op):
      transform.yield %o : !transform.any_op
    }
}
