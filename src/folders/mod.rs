//! The folders of this machine that a call may read an upload from and write a download to.
//!
//! The command line and the server on standard input and output set them; nothing that is reached over a network does. A
//! path is resolved beneath its folder by the system, symbolic links included (`cap-std`: `openat2` on Linux), so that no
//! link that is changed meanwhile leads out of it. Uses nothing of the other parts; what it does may block.

mod target;

pub use target::{Target, Writing};

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, OpenOptions};

/// The longest path that is looked at, in bytes; Linux takes no longer one.
const LONGEST_PATH: usize = 4095;

/// The longest name of one file, in bytes: what file systems take.
pub const LONGEST_NAME: usize = 255;

/// What of this machine's files a call may use. By default nothing.
#[derive(Debug, Default)]
pub struct Folders {
    /// Where uploads are read from.
    pub upload: Option<Folder>,
    /// Where downloads are written to.
    pub download: Option<Folder>,
    /// The file that an answer of text or bytes is written to, wherever its caller wants it: the command line's own.
    pub output: Option<PathBuf>,
    /// The most bytes that are written there; none where there is no bound.
    pub output_limit: Option<u64>,
}

/// A folder, held open: what stands at its path later is another one.
#[derive(Debug, Clone)]
pub struct Folder(Arc<Dir>);

/// Why a path cannot be used. Nothing was read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It is no path beneath a folder.
    #[error("expected a path beneath the folder, as notes/a.txt, got {0}")]
    Path(&'static str),
    /// It leads out of the folder.
    #[error("expected a path beneath the folder, got one that leads out of it")]
    Outside,
    /// There is nothing.
    #[error("there is no such file in the folder")]
    Missing,
    /// There is no folder to write into.
    #[error("the folder has no such folder to write into; nothing makes one")]
    NoParent,
    /// It is no plain file.
    #[error("expected a plain file, got {0}")]
    Kind(&'static str),
    /// Something has that name.
    #[error("there is something of that name already; overwrite: true replaces a file")]
    Exists,
    /// The system says no.
    #[error("the system refuses it: {0}")]
    System(io::Error),
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// What the system says, also where it is no folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(|dir| Self(Arc::new(dir)))
    }

    /// Opens a plain file beneath the folder for reading. Its kind is looked at before, since opening some devices does
    /// something, and once more of what was opened, without ever waiting for the other end of a pipe.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn read(&self, path: &str) -> Result<std::fs::File, FolderError> {
        let path = checked(path)?;
        plain(self.0.metadata(path).map_err(refused)?.file_type())?;
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file = self.0.open_with(path, &options).map_err(refused)?;
        plain(file.metadata().map_err(FolderError::System)?.file_type())?;
        Ok(file.into_std())
    }

    /// Makes sure of a place beneath the folder that a file can be written to; nothing is written yet.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn place(&self, path: &str, overwrite: bool) -> Result<Target, FolderError> {
        let path = checked(path)?;
        let name = path.file_name().ok_or(FolderError::Path("no file's name"))?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let folder = self.0.open_dir(parent).map_err(|error| match refused(error) {
            FolderError::Missing => FolderError::NoParent,
            other => other,
        })?;
        Target::beneath(folder, name, overwrite)
    }
}

/// The path, where it is made of nothing but names.
fn checked(text: &str) -> Result<&Path, FolderError> {
    if text.is_empty() {
        return Err(FolderError::Path("an empty text"));
    }
    if text.contains('\0') {
        return Err(FolderError::Path("a text with a NUL"));
    }
    if text.len() > LONGEST_PATH {
        return Err(FolderError::Path("one of more than 4095 bytes"));
    }
    if text.ends_with(['/', '\\']) {
        return Err(FolderError::Path("a folder's"));
    }
    let path = Path::new(text);
    for component in path.components() {
        match component {
            Component::Normal(name) if name.len() <= LONGEST_NAME => {}
            Component::Normal(_) => return Err(FolderError::Path("a name of more than 255 bytes")),
            Component::CurDir => return Err(FolderError::Path("one with `.` in it")),
            Component::ParentDir => return Err(FolderError::Path("one with `..` in it")),
            Component::RootDir | Component::Prefix(_) => return Err(FolderError::Path("an absolute one")),
        }
    }
    Ok(path)
}

/// Whether that is a plain file.
fn plain(kind: FileType) -> Result<(), FolderError> {
    if kind.is_file() { Ok(()) } else { Err(FolderError::Kind(words(kind))) }
}

#[cfg(unix)]
fn words(kind: FileType) -> &'static str {
    use cap_std::fs::FileTypeExt;
    if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a symbolic link"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn words(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "something else" }
}

/// What the system's refusal means. That a path leads out is told by `cap-std`, not by the system, and has no number.
fn refused(error: io::Error) -> FolderError {
    match error.kind() {
        io::ErrorKind::NotFound => FolderError::Missing,
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => FolderError::Outside,
        _ => FolderError::System(error),
    }
}
