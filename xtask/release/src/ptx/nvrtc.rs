//! NVRTC, CUDA's compiler as a library: the functions that compile a source to PTX.

#![expect(unsafe_code, reason = "a C library that is loaded at run time")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use anyhow::{Context, Result, bail};
use libloading::{Library, Symbol};

type NvrtcProgram = *mut c_void;
type Create = unsafe extern "C" fn(
    *mut NvrtcProgram,
    source: *const c_char,
    name: *const c_char,
    headers: c_int,
    *const *const c_char,
    *const *const c_char,
) -> c_int;
type Compile =
    unsafe extern "C" fn(NvrtcProgram, count: c_int, options: *const *const c_char) -> c_int;
type GetSize = unsafe extern "C" fn(NvrtcProgram, *mut usize) -> c_int;
type Get = unsafe extern "C" fn(NvrtcProgram, *mut c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut NvrtcProgram) -> c_int;

/// Compiles a source, named `name` in messages, to PTX. An error contains the compiler's messages.
pub fn compile(library: &Path, source: &str, name: &str, options: &[&str]) -> Result<String> {
    // SAFETY: this is NVIDIA's library, whose initializers only set up the compiler.
    let library = unsafe { Library::new(library) }
        .with_context(|| format!("loading {}", library.display()))?;
    let (source, name) = (CString::new(source)?, CString::new(name)?);
    let options =
        options.iter().map(|&option| CString::new(option)).collect::<Result<Vec<_>, _>>()?;
    let options: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
    let mut program = ptr::null_mut();
    // SAFETY: the types are those of nvrtc.h, all strings end with a zero and outlive the calls,
    // and `options` has the given length.
    let status = unsafe {
        let create: Symbol<Create> = library.get(b"nvrtcCreateProgram")?;
        create(&raw mut program, source.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null())
    };
    if status != 0 {
        bail!("nvrtcCreateProgram failed with {status}");
    }
    // SAFETY: the types are those of nvrtc.h, the options outlive the call, and the program was made
    // above and exists until the end of this block.
    let (status, messages, ptx) = unsafe {
        let compile: Symbol<Compile> = library.get(b"nvrtcCompileProgram")?;
        let status = compile(program, options.len() as c_int, options.as_ptr());
        let messages = text(&library, program, "nvrtcGetProgramLog")?;
        let ptx = if status == 0 { text(&library, program, "nvrtcGetPTX")? } else { String::new() };
        let destroy: Symbol<Destroy> = library.get(b"nvrtcDestroyProgram")?;
        destroy(&raw mut program);
        (status, messages, ptx)
    };
    if status != 0 || !messages.is_empty() {
        bail!("NVRTC ended with {status}:\n{messages}");
    }
    Ok(ptx)
}

/// Returns one of a program's texts, by the name of the function that reads it.
///
/// # Safety
/// The program exists, and `name` and `name`Size are functions of the library that return a text
/// and its size, including the zero at its end.
unsafe fn text(library: &Library, program: NvrtcProgram, name: &str) -> Result<String> {
    // SAFETY: the caller ensures that the functions exist; the buffer has the size that the library
    // returned.
    unsafe {
        let size: Symbol<GetSize> = library.get(format!("{name}Size").as_bytes())?;
        let get: Symbol<Get> = library.get(name.as_bytes())?;
        let mut length = 0;
        if size(program, &raw mut length) != 0 {
            bail!("{name}Size failed");
        }
        let mut bytes = vec![0_u8; length];
        if get(program, bytes.as_mut_ptr().cast()) != 0 {
            bail!("{name} failed");
        }
        bytes.pop();
        String::from_utf8(bytes).with_context(|| format!("reading the text of {name}"))
    }
}
