// releases: 16 19 22
// covers: the pdl_interp dialect: matchers with many successors, switches, loops, rewriters.
module {
  pdl_interp.func @matcher(%root: !pdl.operation) {
    %o = pdl_interp.get_operand 0 of %root
    pdl_interp.is_not_null %o : !pdl.value -> ^a, ^end
  ^end:
    pdl_interp.finalize
  ^a:
    pdl_interp.check_operation_name of %root is "foo.op" -> ^b, ^end
  ^b:
    pdl_interp.check_operand_count of %root is 2 -> ^c, ^end
  ^c:
    pdl_interp.check_operand_count of %root is at_least 1 -> ^d, ^end
  ^d:
    pdl_interp.check_result_count of %root is at_least 1 -> ^e, ^end
  ^e:
    %at = pdl_interp.get_attribute "attr" of %root
    pdl_interp.check_attribute %at is 10 -> ^f, ^end
  ^f:
    %ty = pdl_interp.get_value_type of %o : !pdl.type
    pdl_interp.check_type %ty is i32 -> ^g, ^end
  ^g:
    %os = pdl_interp.get_operands of %root : !pdl.range<value>
    %tys = pdl_interp.get_value_type of %os : !pdl.range<type>
    pdl_interp.check_types %tys are [i32, f32] -> ^h, ^end
  ^h:
    pdl_interp.apply_constraint "con"(%o, %root : !pdl.value, !pdl.operation) -> ^i, ^end
  ^i:
    %op2 = pdl_interp.get_defining_op of %o : !pdl.value
    pdl_interp.are_equal %op2, %root : !pdl.operation -> ^j, ^end
  ^j:
    pdl_interp.switch_operand_count of %root to dense<[0, 1, 2]> : vector<3xi32>(^k, ^l, ^m) -> ^end
  ^k:
    pdl_interp.switch_operation_name of %root to ["a.b", "c.d"](^l, ^m) -> ^end
  ^l:
    pdl_interp.switch_type %ty to [i32, f32](^m, ^k) -> ^end
  ^m:
    pdl_interp.switch_types %tys to [[i32], [i64, i64]](^n, ^n) -> ^end
  ^n:
    pdl_interp.switch_attribute %at to [10, true](^p, ^p) -> ^end
  ^p:
    pdl_interp.switch_result_count of %root to dense<[0, 1]> : vector<2xi32>(^q, ^q) -> ^end
  ^q:
    %r0 = pdl_interp.get_result 0 of %root
    %rs = pdl_interp.get_results of %root : !pdl.range<value>
    %r1 = pdl_interp.get_results 1 of %root : !pdl.value
    %users = pdl_interp.get_users of %rs : !pdl.range<value>
    %first = pdl_interp.extract 0 of %users : !pdl.operation
    pdl_interp.foreach %op : !pdl.operation in %users {
      pdl_interp.continue
    } -> ^r
  ^r:
    %at2 = pdl_interp.get_attribute_type of %at
    %o1 = pdl_interp.get_operands 3 of %root : !pdl.value
    pdl_interp.record_match @rewriters::@rewrite(%root, %ty : !pdl.operation, !pdl.type) : benefit(1), generatedOps(["foo.op", "bar.op"]), loc([%root, %op2]), root("foo.op") -> ^s
  ^s:
    pdl_interp.record_match @rewriters::@none(%root : !pdl.operation) : benefit(0), loc([%root]) -> ^t
  ^t:
    pdl_interp.branch ^end
  }
  module @rewriters {
    pdl_interp.func @rewrite(%root: !pdl.operation, %t: !pdl.type) {
      %a = pdl_interp.create_attribute "text"
      %b = pdl_interp.create_type i64
      %c = pdl_interp.create_types [i64, f32]
      %ops = pdl_interp.get_operands of %root : !pdl.range<value>
      %n = pdl_interp.create_operation "foo.op"(%ops : !pdl.range<value>) {"attr" = %a} -> (%b, %c : !pdl.type, !pdl.range<type>)
      %m = pdl_interp.create_operation "pdl_interp.erase" -> (%b : !pdl.type)
      %r = pdl_interp.create_range %ops : !pdl.range<value>
      %x = pdl_interp.apply_rewrite "rw"(%root : !pdl.operation) : !pdl.value
      pdl_interp.apply_rewrite "rw"
      pdl_interp.replace %root with (%x, %r : !pdl.value, !pdl.range<value>)
      pdl_interp.erase %n
      pdl_interp.finalize
    }
    pdl_interp.func @none(%root: !pdl.operation) {
      pdl_interp.erase %root
      pdl_interp.finalize
    }
  }
}
