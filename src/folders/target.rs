//! A place that a download is written to: under a temporary name first, so that nobody meets half of a file.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use tokio::io::AsyncWriteExt;
use tokio::task::spawn_blocking;

use super::{FolderError, plain, refused};

/// How many bytes wait for the disk at most.
const BUFFER: usize = 256 * 1024;

/// A place for a file.
#[derive(Debug)]
pub enum Target {
    /// A name in a folder: a new one, or with `overwrite` also that of a plain file.
    Beneath {
        /// The folder, held open.
        folder: Dir,
        /// The name.
        name: OsString,
        /// Whether a plain file of that name is replaced.
        overwrite: bool,
    },
    /// What is there already and is no plain file, written into as it is: a pipe, a device.
    There(PathBuf),
}

/// A file that is being written. Dropped unfinished, a new one leaves nothing behind.
#[derive(Debug)]
pub struct Writing {
    file: tokio::fs::File,
    part: Option<Part>,
}

/// A file under its temporary name, which is removed on drop.
#[derive(Debug)]
struct Part {
    folder: Dir,
    temporary: String,
    name: OsString,
    overwrite: bool,
    is_kept: bool,
}

impl Target {
    /// That name in that folder.
    pub(super) fn beneath(folder: Dir, name: &OsStr, overwrite: bool) -> Result<Self, FolderError> {
        match folder.symlink_metadata(name) {
            Ok(_) if !overwrite => return Err(FolderError::Exists),
            Ok(there) => plain(there.file_type())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refused(error)),
        }
        Ok(Self::Beneath { folder, name: name.to_owned(), overwrite })
    }

    /// Any path of the machine, as the owner of a command line gives it; a plain file there is replaced. What a symbolic link
    /// leads to is meant, not the link.
    ///
    /// # Errors
    /// What the system says of it and of its folder; a folder, and a file that is read-only.
    pub fn anywhere(path: &Path) -> io::Result<Self> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match path.metadata() {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => return Ok(Self::There(path.to_owned())),
            Ok(there) if there.permissions().readonly() => {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
            }
            Ok(_) => {
                return match path.canonicalize() {
                    Ok(real) => Self::named(real.parent().unwrap_or(parent), &real),
                    // It has no name any more, as standard output that was sent to a file which is gone.
                    Err(_) => Ok(Self::There(path.to_owned())),
                };
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        match path.read_link() {
            Ok(nowhere) => Self::anywhere(&parent.join(nowhere)),
            Err(_) => Self::named(parent, path),
        }
    }

    fn named(parent: &Path, path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
        let folder = Dir::open_ambient_dir(parent, ambient_authority())?;
        Ok(Self::Beneath { folder, name, overwrite: true })
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// What the system says; nothing is written then, or what was there stays.
    pub async fn write(&self, bytes: &[u8]) -> Result<(), FolderError> {
        let mut writing = self.begin().await.map_err(FolderError::System)?;
        writing.write(bytes).await.map_err(FolderError::System)?;
        writing.finish().await
    }

    /// Begins to write.
    ///
    /// # Errors
    /// What the system says.
    pub async fn begin(&self) -> io::Result<Writing> {
        let (file, part) = match self {
            Self::There(path) => (tokio::fs::File::create(path).await?, None),
            Self::Beneath { folder, name, overwrite } => {
                let (folder, name, overwrite) = (folder.try_clone()?, name.clone(), *overwrite);
                let made = spawn_blocking(move || Part::make(folder, name, overwrite)).await;
                let (file, part) = made.map_err(io::Error::other)??;
                (tokio::fs::File::from_std(file), Some(part))
            }
        };
        let mut writing = Writing { file, part };
        writing.file.set_max_buf_size(BUFFER);
        Ok(writing)
    }
}

impl Writing {
    /// Writes more.
    ///
    /// # Errors
    /// What the system says, also of what was written before.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await
    }

    /// Gives the file its name, now that it is whole.
    ///
    /// # Errors
    /// [`FolderError::Exists`] where something has that name by now; what the system says.
    pub async fn finish(mut self) -> Result<(), FolderError> {
        self.file.flush().await.map_err(FolderError::System)?;
        if let Some(part) = self.part.take() {
            let kept = spawn_blocking(move || part.keep()).await;
            kept.map_err(|error| FolderError::System(io::Error::other(error)))??;
        }
        Ok(())
    }
}

impl Part {
    fn make(folder: Dir, name: OsString, overwrite: bool) -> io::Result<(std::fs::File, Self)> {
        let temporary = format!(".forgehand-{:016x}.part", RandomState::new().build_hasher().finish());
        let file = folder.open_with(&temporary, OpenOptions::new().write(true).create_new(true))?;
        let part = Self { folder, temporary, name, overwrite, is_kept: false };
        // Who may read the file that is replaced may read the new one, and nobody else. A link may have come in its place, which
        // all may read.
        if let Ok(there) = part.folder.symlink_metadata(&part.name)
            && part.overwrite
            && there.is_file()
        {
            file.set_permissions(there.permissions())?;
        }
        Ok((file.into_std(), part))
    }

    /// Gives the file its name. What has that name by then is replaced only where it may be, and a link never followed: the
    /// name is of the folder that is held open, and is made or moved, not opened.
    fn keep(mut self) -> Result<(), FolderError> {
        if self.overwrite {
            self.folder.rename(&self.temporary, &self.folder, &self.name).map_err(FolderError::System)?;
            self.is_kept = true;
            return Ok(());
        }
        match self.folder.hard_link(&self.temporary, &self.folder, &self.name) {
            // The other name goes with this.
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(FolderError::Exists),
            Err(_) => self.keep_without_link(),
        }
    }

    /// The same where the file system has no second names: the name is taken first.
    fn keep_without_link(mut self) -> Result<(), FolderError> {
        let taken = self.folder.open_with(&self.name, OpenOptions::new().write(true).create_new(true));
        taken.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FolderError::Exists,
            _ => refused(error),
        })?;
        if let Err(error) = self.folder.rename(&self.temporary, &self.folder, &self.name) {
            // What could be taken can be given back; where not, an empty file stays.
            let _ = self.folder.remove_file(&self.name);
            return Err(FolderError::System(error));
        }
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nothing more can be done about a file that cannot be removed.
            let _ = self.folder.remove_file(&self.temporary);
        }
    }
}
