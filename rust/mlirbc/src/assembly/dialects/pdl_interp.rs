//! Functions of `pdl_interp`.

use crate::assembly::blocks::function;

forms! {
    Function: "func" => function,
}
