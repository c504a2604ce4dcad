//! The setters of options.
//!
//! Options are `#[non_exhaustive]`, so that a field can be added without a new major version: other crates
//! begin with the default and call setters.

/// Defines a setter for each field, with the type of its argument, which is converted into the field's type.
macro_rules! setters {
    ($options:ident { $($(#[$attribute:meta])* $field:ident: $argument:ty,)+ }) => {
        impl $options {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
                $(#[$attribute])*
                #[must_use]
                #[allow(clippy::useless_conversion)] // arguments of the type of their field, too
                pub fn $field(mut self, $field: $argument) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+
        }
    };
}

pub(crate) use setters;
