//! Operations in their custom form.
use std::marker::PhantomData;
use crate::attr::text::lexer::Token;
use crate::attr::text::parse::Parsed;
use crate::wire::error::{Error, ErrorKind};
use super::frames::{AsmParser, Next, Pending, wrong};
use super::info::OpInfo;
use std::rc::Rc;

#[derive(Debug)]
pub(super) struct Program;
pub(super) struct Custom<'t>(PhantomData<&'t ()>);

impl<'t> AsmParser<'t> {
    pub(super) fn custom_name(&mut self, token: Token) -> Parsed<Rc<OpInfo>> {
        Err(wrong(ErrorKind::AsmForm, token.start, "later"))
    }
    pub(super) fn begin_custom(&mut self, _: &Pending<'t>) -> Parsed<Box<Custom<'t>>> {
        Err(Error::message(ErrorKind::AsmForm, "later").into())
    }
    pub(super) fn custom(&mut self, _: &mut Pending<'t>) -> Parsed<Next<'t>> {
        Err(Error::message(ErrorKind::AsmForm, "later").into())
    }
}
