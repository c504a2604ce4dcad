//! Functions of `async`.

use crate::assembly::blocks::function;

forms! {
    Function: "func" => function,
}
