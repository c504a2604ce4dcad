//! The manual axes in the body of a manual computation, and in the functions that it calls.

use std::collections::HashMap;

use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The manual axes around an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct ManualContext {
    /// The number of the mesh's axes; without meaning if no axis is manual.
    pub(super) layout: usize,
    /// The manual axes that have more than one device, a bit for each place in the mesh.
    pub(super) axes: u64,
}

impl ManualContext {
    pub(super) fn has(self, axis: usize) -> bool {
        self.axes & 1 << axis != 0
    }

    /// Returns the context of a computation with these manual axes inside this context; `None` if they are
    /// axes of another mesh, or already manual.
    pub(super) fn join(self, inner: Self) -> Option<Self> {
        match (self.axes, inner.axes) {
            (_, 0) => Some(self),
            (0, _) => Some(inner),
            (outer, axes) if self.layout == inner.layout && outer & axes == 0 => {
                Some(Self { axes: outer | axes, ..self })
            }
            _ => None,
        }
    }
}

/// The context of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FunctionContext {
    NotCalled,
    Known(ManualContext),
    /// Calls have different contexts.
    Ambiguous,
}

/// The functions of a module and their calls.
#[derive(Debug)]
pub(super) struct CallGraph {
    numbers: HashMap<Bytes, usize>,
    functions: Vec<Function>,
    budget: Budget,
}

#[derive(Debug)]
struct Function {
    context: FunctionContext,
    is_public: bool,
    is_called: bool,
    /// The functions that it calls, each with the manual axes around the call.
    calls: Vec<(usize, ManualContext)>,
}

/// The function of operations outside of functions.
pub(super) const NO_FUNCTION: usize = 0;

impl CallGraph {
    pub(super) fn new(budget: Budget) -> Self {
        let mut graph = Self { numbers: HashMap::new(), functions: Vec::new(), budget };
        graph.push(true);
        graph
    }

    fn push(&mut self, is_public: bool) -> usize {
        self.functions.push(Function {
            context: FunctionContext::NotCalled,
            is_public,
            is_called: false,
            calls: Vec::new(),
        });
        self.functions.len() - 1
    }

    /// Returns the number of a function. Functions with equal names in different tables share one number.
    ///
    /// # Errors
    /// If the memory limit is exceeded.
    pub(super) fn number(&mut self, name: &[u8]) -> Result<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        self.budget.spend(size_of::<Function>() + 2 * size_of::<(Bytes, usize)>() + name.len())?;
        let number = self.push(false);
        self.numbers.insert(Bytes::copy_from_slice(name), number);
        Ok(number)
    }

    /// Marks a function that callers outside of the module may call.
    pub(super) fn set_public(&mut self, function: usize) {
        if let Some(function) = self.functions.get_mut(function) {
            function.is_public = true;
        }
    }

    /// # Errors
    /// If the memory limit is exceeded.
    pub(super) fn add_call(&mut self, caller: usize, callee: &[u8], around: ManualContext) -> Result<()> {
        let callee = self.number(callee)?;
        self.budget.spend(2 * size_of::<(usize, ManualContext)>())?;
        if let Some(caller) = self.functions.get_mut(caller) {
            caller.calls.push((callee, around));
        }
        if let Some(callee) = self.functions.get_mut(callee) {
            callee.is_called = true;
        }
        Ok(())
    }

    /// Follows all calls. A function changes at most twice, so the work is linear.
    pub(super) fn resolve(&mut self) {
        let mut work = Vec::new();
        for number in 0..self.functions.len() {
            if self.functions.get(number).is_some_and(|function| function.is_public || !function.is_called) {
                self.meet(number, FunctionContext::Known(ManualContext::default()), &mut work);
            }
        }
        self.follow(&mut work);
        // Functions that only call one another have no context yet.
        for number in 0..self.functions.len() {
            if self
                .functions
                .get(number)
                .is_some_and(|function| function.context == FunctionContext::NotCalled)
            {
                self.meet(number, FunctionContext::Known(ManualContext::default()), &mut work);
                self.follow(&mut work);
            }
        }
    }

    fn follow(&mut self, work: &mut Vec<usize>) {
        while let Some(number) = work.pop() {
            let Some(function) = self.functions.get_mut(number) else { continue };
            let context = function.context;
            let calls = std::mem::take(&mut function.calls);
            for &(callee, around) in &calls {
                let joined = match context {
                    FunctionContext::Known(outer) => outer.join(around),
                    _ => None,
                };
                let joined = joined.map_or(FunctionContext::Ambiguous, FunctionContext::Known);
                self.meet(callee, joined, work);
            }
            if let Some(function) = self.functions.get_mut(number) {
                function.calls = calls;
            }
        }
    }

    fn meet(&mut self, number: usize, context: FunctionContext, work: &mut Vec<usize>) {
        let Some(function) = self.functions.get_mut(number) else { return };
        let met = match function.context {
            FunctionContext::NotCalled => context,
            known if known == context => known,
            _ => FunctionContext::Ambiguous,
        };
        if met != function.context {
            function.context = met;
            work.push(number);
        }
    }

    /// Returns the context of an operation with these manual axes around it in its function; `None` if it is
    /// not the same for all calls of the function, or an axis would be manual twice.
    pub(super) fn context(&self, function: usize, around: ManualContext) -> Option<ManualContext> {
        match self.functions.get(function)?.context {
            FunctionContext::Known(outer) => outer.join(around),
            FunctionContext::NotCalled | FunctionContext::Ambiguous => None,
        }
    }
}
