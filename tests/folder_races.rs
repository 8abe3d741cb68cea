//! What stands at a download's name by the time that its bytes come, whoever put it there: no link is followed, nothing that
//! may not be replaced is, and nothing beyond the folder is written.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;
#[path = "common/temporary.rs"]
mod temporary;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use common::rows::place;
use common::scripted::{Answer, Scripted};
use common::{block_on, forge, limits};
use forgehand::folders::{Folder, Folders};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{OperationError, Outcome, arguments, run};
use serde_json::json;
use temporary::Temporary;

const NEW: &str = "the new file";

/// Saves an archive as `a/new.zip`, while something is done to the folder between the look at the name and the first byte.
async fn saved(
    folder: &Temporary,
    overwrite: bool,
    meanwhile: impl Fn() + Send + 'static,
) -> Result<Outcome, OperationError> {
    let scripted = Scripted::by(move |_| {
        meanwhile();
        Answer::new(200, "application/zip", NEW)
    })
    .await;
    let folders = Folders { download: Some(Folder::open(folder.path()).unwrap()), ..Folders::default() };
    let given = place(json!({ "archive": "main.zip", "save_as": "a/new.zip", "overwrite": overwrite }));
    let tool = OPERATIONS.iter().find(|operation| operation.name == "get_repo_archive").unwrap();
    let arguments = arguments::object(Some(given)).unwrap();
    run(&forge(&scripted).with_folders(folders), tool, arguments, &limits()).await
}

/// A folder with one below it, and a file beyond them that nobody else may read.
fn furnished() -> (Temporary, Temporary, PathBuf) {
    let (folder, beyond) = (Temporary::new(), Temporary::new());
    fs::create_dir(folder.at("a")).unwrap();
    let secret = beyond.at("secret");
    fs::write(&secret, "secret").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    (folder, beyond, secret)
}

fn names(folder: &Temporary) -> Vec<String> {
    let entries = fs::read_dir(folder.at("a")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn mode(path: &PathBuf) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_came_meanwhile_under_the_name_stays_where_nothing_is_to_be_replaced() {
    block_on(async {
        for kind in ["file", "symlink", "hard link", "folder"] {
            let (folder, _beyond, secret) = furnished();
            let (name, from) = (folder.at("a/new.zip"), secret.clone());
            let result = saved(&folder, false, move || match kind {
                "file" => fs::write(&name, "other").unwrap(),
                "symlink" => symlink(&from, &name).unwrap(),
                "hard link" => fs::hard_link(&from, &name).unwrap(),
                _ => fs::create_dir(&name).unwrap(),
            })
            .await;
            let error = result.unwrap_err();
            assert!(error.message.contains("there is something of that name already"), "{kind}: {error}");
            assert_eq!((fs::read_to_string(&secret).unwrap(), mode(&secret)), ("secret".to_owned(), 0o600));
            assert_eq!(names(&folder), ["new.zip"], "{kind}");
            if kind == "file" {
                assert_eq!(fs::read_to_string(folder.at("a/new.zip")).unwrap(), "other");
            }
        }
    });
}

#[test]
fn a_link_that_came_meanwhile_is_replaced_and_neither_followed_nor_copied() {
    block_on(async {
        let (plain, ..) = furnished();
        saved(&plain, false, || {}).await.unwrap();
        let usual = mode(&plain.at("a/new.zip"));
        for (is_hard, expected) in [(false, usual), (true, 0o600)] {
            let (folder, _beyond, secret) = furnished();
            let (name, from) = (folder.at("a/new.zip"), secret.clone());
            fs::write(&name, "old").unwrap();
            let link = move || {
                fs::remove_file(&name).unwrap();
                if is_hard { fs::hard_link(&from, &name).unwrap() } else { symlink(&from, &name).unwrap() }
            };
            saved(&folder, true, link).await.unwrap();
            assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
            let new = folder.at("a/new.zip");
            assert!(fs::symlink_metadata(&new).unwrap().is_file());
            assert_eq!((fs::read_to_string(&new).unwrap(), mode(&new)), (NEW.to_owned(), expected));
            assert_eq!(names(&folder), ["new.zip"]);
        }
    });
}

#[test]
fn a_folder_that_was_made_a_link_meanwhile_leads_nowhere_else() {
    block_on(async {
        for overwrite in [false, true] {
            let (folder, beyond, _) = furnished();
            let (below, moved, out) = (folder.at("a"), folder.at("b"), beyond.path().to_owned());
            saved(&folder, overwrite, move || {
                fs::rename(&below, &moved).unwrap();
                symlink(&out, &below).unwrap();
            })
            .await
            .unwrap();
            assert_eq!(beyond.names(), ["secret"]);
            assert_eq!(fs::read_to_string(folder.at("b/new.zip")).unwrap(), NEW);
        }
    });
}
