//! Operations of `sdy` (`shardy/dialect/sdy/ir/dialect.cc` of the Shardy project).

use super::stablehlo::constant;

forms! {
    Constant: "constant" => constant,
}
