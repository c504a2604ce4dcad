//! Functions of `func`.

use crate::assembly::blocks::function;

forms! {
    Function: "func" => function,
}
