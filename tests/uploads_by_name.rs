//! What is sent as bytes is base64, and comes from one place.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;
#[path = "common/temporary.rs"]
mod temporary;

use common::rows::place;
use common::scripted::Scripted;
use common::{block_on, call, forge, limits};
use forgehand::folders::{Folder, Folders};
use forgehand::operations::descriptor::Codec;
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, arguments, run};
use serde_json::{Value, json};
use temporary::Temporary;

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

#[test]
fn what_is_no_base64_is_refused_by_name_and_not_sent() {
    block_on(async {
        for (name, more) in [
            ("set_my_avatar", json!({})),
            ("set_org_avatar", json!({ "org": "acme" })),
            ("set_repo_avatar", json!({ "owner": "acme", "repo": "widget" })),
        ] {
            for bad in ["a", "YWJj!", "data:image/png;base64,YWJj", "YW=Jj", "\u{e9}"] {
                let forge = Scripted::agreeable().await;
                let mut given = more.clone();
                given["avatar"] = bad.into();
                let error = call(&forge, tool(name), given).await.unwrap_err();
                assert_eq!((error.code, forge.lines().len()), (Code::InvalidArguments, 0), "{name} {bad}");
                let said = "argument `avatar`: expected base64, got";
                assert!(error.message.starts_with(said), "{error}");
            }
            // Wrapped and without padding it is the same, and is sent in one form.
            for good in ["YWJjZA==", "YWJj\nZA", " YWJjZA== "] {
                let forge = Scripted::agreeable().await;
                let mut given = more.clone();
                given["avatar"] = good.into();
                call(&forge, tool(name), given).await.unwrap();
                let sent: Value = serde_json::from_slice(&forge.request().body).unwrap();
                assert_eq!(sent, json!({ "image": "YWJjZA==" }), "{name}");
            }
        }
    });
}

#[test]
fn whatever_is_told_to_be_base64_is_checked() {
    for operation in OPERATIONS {
        for parameter in
            operation.parameters.iter().filter(|p| p.wire == "image" || p.name.contains("base64"))
        {
            let is_checked = matches!(parameter.codec, Codec::CheckedBase64 | Codec::FromBase64);
            assert!(is_checked, "{} {}", operation.name, parameter.name);
        }
    }
}

#[test]
fn a_file_of_a_release_is_sent_or_named_and_never_both() {
    let folder = Temporary::new();
    std::fs::write(folder.at("a.txt"), "a").unwrap();
    let url = "https://elsewhere.example/a.txt";
    block_on(async {
        for (other, value) in [("content", "YQ=="), ("text", "a"), ("file", "a.txt")] {
            let scripted = Scripted::agreeable().await;
            let open = || Some(Folder::open(folder.path()).unwrap());
            let folders = Folders { upload: open(), ..Folders::default() };
            let forge = forge(&scripted).with_folders(folders);
            let mut given = place(json!({ "release_id": 1, "external_url": url, "filename": "a.txt" }));
            given[other] = value.into();
            let arguments = arguments::object(Some(given)).unwrap();
            let error =
                run(&forge, tool("create_release_attachment"), arguments, &limits()).await.unwrap_err();
            let said = format!("expected one of `{other}` and `external_url`, got both");
            assert_eq!((error.code, error.message), (Code::InvalidArguments, said));
            assert!(scripted.lines().is_empty() && folder.names() == ["a.txt"]);
        }
        for given in
            [json!({ "external_url": url, "filename": "a.txt" }), json!({ "text": "a", "external_url": "" })]
        {
            let forge = Scripted::agreeable().await;
            let mut all = place(json!({ "release_id": 1 }));
            all.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
            call(&forge, tool("create_release_attachment"), all).await.unwrap();
            assert_eq!(forge.lines().len(), 1);
        }
    });
}
