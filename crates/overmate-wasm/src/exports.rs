//! Defines the functions that the compiled engine exports to JavaScript.
//!
//! Texts pass through the memory of the engine as UTF-8. JavaScript asks for room by [`request_room`],
//! writes a request there, calls [`answer`], and reads the text at [`answer_text`] with the length
//! [`answer_length`]. The engine is used by one thread.

use std::cell::RefCell;

use crate::Engine;

/// Return code of [`answer`] for a request that the engine answered with a result in JSON.
pub const RESULT: u32 = 0;
/// Return code of [`answer`] for a request that only a server can answer. Examples are the analysis of hands with too
/// many cards for a table, and a hint in a rule set with face-down cards. The answer's text is empty.
pub const NO_TABLE: u32 = 1;
/// Return code of [`answer`] for an invalid request. The answer's text names the fault.
pub const FAULT: u32 = 2;

/// Engine with the latest request from JavaScript and the answer to this request.
#[derive(Default)]
struct Exchange {
    engine: Engine,
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Allocates memory for a request of the given length in bytes, and returns the address of the memory.
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn request_room(bytes: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.request.clear();
        exchange.request.resize(bytes, 0);
        exchange.request.as_mut_ptr()
    })
}

/// Answers the request that JavaScript has written to the memory allocated by [`request_room`]. Returns [`RESULT`], [`NO_TABLE`] or
/// [`FAULT`].
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u32 {
    EXCHANGE.with_borrow_mut(|exchange| {
        let request = String::from_utf8_lossy(&exchange.request);
        let (code, text) = match exchange.engine.answer(&request) {
            Ok(Some(result)) => (RESULT, result),
            Ok(None) => (NO_TABLE, String::new()),
            Err(fault) => (FAULT, fault),
        };
        exchange.answer = text;
        code
    })
}

/// Returns the memory address of the text of the engine's latest answer.
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer_text() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.answer.as_ptr())
}

/// Returns the length, in bytes, of the text of the engine's latest answer.
#[allow(unsafe_code, reason = "no other function of the module has this name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    EXCHANGE.with_borrow(|exchange| exchange.answer.len())
}
