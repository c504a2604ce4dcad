use crate::parse::{ParseOptions, parse};
use crate::print::{PrintOptions, print};
use crate::wire::loss::LossKind;
use crate::{Error, Module};

use super::*;
