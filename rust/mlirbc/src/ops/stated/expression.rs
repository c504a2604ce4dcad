//! The expressions of conditions.

/// An expression, whose value may be unknown.
#[derive(Debug)]
pub(crate) enum Expression {
    Number(i64),
    Bool(bool),
    Text(&'static str),
    /// The operand, result or attribute with this number in the names of the rule.
    Name(usize),
    /// All operands, or all results.
    Operands,
    Results,
    /// The current element of the innermost list function, and of the one around it.
    Item,
    OuterItem,
    /// The number of the current element.
    Place,
    List(Vec<Self>),
    Not(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Implies,
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    /// Division that rounds down; the remainder has the sign of the divisor.
    Divide,
    Remainder,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident $text:literal $arguments:literal $reads:literal,)*) => {
        /// A function of the language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Function {
            $($(#[$doc])* $name,)*
        }

        impl Function {
            pub(super) fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The number of arguments.
            pub(super) fn arity(self) -> usize {
                match self {
                    $(Self::$name => $arguments,)*
                }
            }

            /// Whether the value depends on more than attributes and types of the operation.
            pub(super) fn reads_surroundings(self) -> bool {
                match self {
                    $(Self::$name => $reads,)*
                }
            }
        }
    };
}

functions! {
    /// The number of dimensions.
    Rank "rank" 1 false,
    /// The sizes; a dynamic size is unknown.
    Shape "shape" 1 false,
    /// The sizes; a dynamic size is the number that stands for it in attributes, too.
    Extents "extents" 1 false,
    /// Whether a dimension of a vector is scalable.
    IsScalable "is_scalable" 1 false,
    /// The number of dynamic sizes.
    DynamicCount "dynamic_count" 1 false,
    /// The number of elements of a static shape.
    ElementCount "element_count" 1 false,
    /// The element type of a shaped type, or another type itself.
    Element "element" 1 false,
    /// The kind of a type, as `vector`, or `dialect.mnemonic`.
    Kind "kind" 1 false,
    /// The bits of an integer or float.
    Width "width" 1 false,
    /// `i`, `si` or `ui`.
    Sign "sign" 1 false,
    /// The text of a type or attribute; of a string, its contents.
    Text "text" 1 false,
    /// The parameters between the angle brackets of a type of a dialect, as texts.
    Parameters "parameters" 1 false,
    /// The inputs of a function type.
    Inputs "inputs" 1 false,
    /// The results of a function type.
    Outputs "outputs" 1 false,
    /// The types of a signature of LLVM, as texts: inputs, then the result.
    LlvmInputs "llvm_inputs" 1 false,
    LlvmOutput "llvm_output" 1 false,
    /// The text of a type within a type of LLVM.
    LlvmText "llvm_text" 1 false,
    /// A field of an encoded attribute or type.
    Field "field" 2 false,
    /// Whether an attribute or optional value is present.
    Has "has" 1 false,
    /// The integers of an attribute that lists them.
    Numbers "numbers" 1 false,
    /// The integers of dense elements of any shape, if they are few.
    DenseNumbers "dense_numbers" 1 false,
    /// The number of dynamic values among the integers of an attribute.
    DynamicNumbers "dynamic_numbers" 1 false,
    /// The elements of an array attribute.
    Elements "elements" 1 false,
    /// The type in an attribute, or of an attribute.
    TypeOf "type" 1 false,
    /// The last word of an attribute of a dialect, as `add` in `#gpu<all_reduce_op add>`.
    Word "word" 1 false,
    /// The numbers of dimensions, symbols and results of an affine map.
    DimensionCount "dimension_count" 1 false,
    SymbolCount "symbol_count" 1 false,
    ResultCount "result_count" 1 false,
    IsPermutation "is_permutation" 1 false,
    /// The number of the dimension that each result of a map is.
    Dimensions "dimensions" 1 false,
    IsProjection "is_projection" 1 false,
    /// Whether the results of maps that are one dimension have one size in all operands.
    SizesAgree "sizes_agree" 2 false,
    Size "size" 1 false,
    At "at" 2 false,
    Take "take" 2 false,
    Drop "drop" 2 false,
    Join "join" 2 false,
    /// The numbers from zero up to a number.
    Range "range" 1 false,
    Sum "sum" 1 false,
    Product "product" 1 false,
    IsDistinct "is_distinct" 1 false,
    Contains "contains" 2 false,
    Every "every" 2 false,
    Some "some" 2 false,
    /// The list of the values of an expression.
    Each "each" 2 false,
    /// The elements for which a condition holds.
    Where "where" 2 false,
    /// The parts of a text between separators.
    Split "split" 2 false,
    Starts "starts" 2 false,
    Ends "ends" 2 false,
    IsPowerOfTwo "is_power_of_two" 1 false,
    Min "min" 2 false,
    Max "max" 2 false,
    /// The number of regions.
    RegionCount "region_count" 0 true,
    /// The number of blocks of a region.
    BlockCount "block_count" 1 true,
    /// The types of the arguments of a region's first block; absent without a block.
    Arguments "arguments" 1 true,
    /// The types of the operands of the terminator of a region with one block.
    Yielded "yielded" 1 true,
    /// The name of the terminator of a region with one block.
    End "end" 1 true,
    /// The operand types of every terminator in a region with one of several names, separated by spaces.
    Yields "yields" 2 true,
    /// The operations in the first block of a region.
    Body "body" 1 true,
    /// The operation itself, and the operation around it.
    This "this" 0 true,
    Parent "parent" 1 true,
    /// The nearest operation around this one that has one of several names.
    Around "around" 1 true,
    Name "name" 1 true,
    OperandsOf "operands_of" 1 true,
    ResultsOf "results_of" 1 true,
    ArgumentsOf "arguments_of" 2 true,
    AttributeOf "attribute_of" 2 true,
    HasTrait "has_trait" 2 true,
    /// Whether a region of an operation has no block.
    IsDeclaration "is_declaration" 1 true,
    /// The operation that a reference names in the nearest symbol table; absent without one.
    Symbol "symbol" 1 true,
    /// The constants among the operands of a name, and the operations that define them.
    Constants "constants" 1 true,
    Definitions "definitions" 1 true,
    /// The operations around the blocks whose arguments the operands of a name are; absent for results.
    ArgumentOwners "argument_owners" 1 true,
    /// Numbers of the operands of a name, equal for one value.
    Identities "identities" 1 true,
}
