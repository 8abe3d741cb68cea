//! The tools' reference: what a page says, that it is found again, and that a stale one is told.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of a test may fail it")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use forgehand_codegen::docs;
use forgehand_codegen::document::Document;
use forgehand_codegen::router::of_texts;

const INVENTORY: &str = include_str!("inventory/inventory.toml");
const DOCUMENT: &str = include_str!("inventory/document.json");

fn pages(inventory: &str) -> BTreeMap<String, String> {
    let document: Document = serde_json::from_str(DOCUMENT).unwrap();
    docs::pages(&of_texts(inventory, &document).unwrap(), &document, &|text| text.len())
}

/// A section of the page of notes, from its heading to the next.
fn section(inventory: &str, tool: &str) -> String {
    let pages = pages(inventory);
    let (_, text) = pages["docs/tools/notes.md"].split_once(&format!("## `{tool}`\n\n")).unwrap();
    text.split("\n## ").next().unwrap().to_owned()
}

#[test]
fn a_section_tells_what_a_caller_wants_to_know() {
    assert_eq!(
        section(INVENTORY, "list_notes"),
        "\
**List notes.** Lists notes.

- Call: `GET /repos/{owner}/{repo}/notes` (noteList)
- Effect: read, changes nothing
- Scope: none
- In a client's list: on by default; 503 tokens
- Answer: a list, paged by the forge; each row: `index`, `title`, `readers.mail`

| argument | type | required | what it is | also |
|---|---|---|---|---|
| `owner` | text | yes | The owner. |  |
| `repo` | text | yes | The repository. |  |
| `labels` | list of text |  | Label names. | `label_names` |
| `state` | `open`, `closed`, `all` |  | Open or closed. |  |
| `page` | integer from 1 |  | The page. |  |
| `limit` | integer from 1 |  | Rows on a page. |  |
"
    );
    let delete = section(INVENTORY, "delete_note");
    assert!(
        delete.contains("destroy, removes what nothing brings back; asks for a confirmation"),
        "{delete}"
    );
    let create = section(INVENTORY, "create_note");
    assert!(
        create.contains("| `author` | object: `login` text; `mail` text |  | Who wrote it. |"),
        "{create}"
    );
    assert!(
        create.contains("- Answer: an object: `index`, `title`, `author[login]`, `thread.id`, `content`"),
        "{create}"
    );
}

#[test]
fn what_is_markup_in_a_text_is_shown_as_it_is() {
    let text = "Reads <b>a|b</b> *or* [c] and `d|<e>`.";
    let changed = INVENTORY.replacen("Reads a note.", text, 1).replacen("The text.", text, 1);
    assert!(section(&changed, "get_note").contains(r"Reads \<b>a|b\</b> \*or\* \[c\] and `d|<e>`."));
    assert!(section(&changed, "create_note").contains(r"| Reads \<b>a\|b\</b> \*or\* \[c\] and `d\|<e>`. |"));
}

#[test]
fn the_first_page_leads_to_every_tool_and_says_what_is_left_out() {
    let index = &pages(INVENTORY)["docs/tools.md"];
    for tool in ["list_notes", "get_note", "create_note", "delete_note"] {
        assert!(index.contains(&format!("[`{tool}`](tools/notes.md#{tool})")), "{tool}");
    }
    assert!(index.contains("4 tools for Forgejo 15.0"), "{index}");
    assert!(
        index.contains("- [`list_notes`](tools/notes.md#list_notes): List notes\n\n## All tools"),
        "{index}"
    );
    assert!(index.contains("### Excluded\n\n| operation | call | why |"), "{index}");
    assert!(index.contains("| getVersion | `GET /version` | doctor tells it |"), "{index}");
}

/// An empty folder that is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("forgehand-docs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn pages_that_were_written_are_in_step_and_the_same_again() {
    let folder = Folder::new("step");
    let made = pages(INVENTORY);
    docs::write(&folder.0, &made).unwrap();
    assert_eq!(docs::differences(&folder.0, &made), Vec::<String>::new());
    assert_eq!(pages(INVENTORY), made);
}

#[test]
fn a_stale_page_is_told_line_by_line_and_one_of_no_toolset_is_removed() {
    let folder = Folder::new("stale");
    let made = pages(INVENTORY);
    assert_eq!(
        docs::differences(&folder.0, &made),
        ["docs/tools.md is not there", "docs/tools/notes.md is not there"]
    );
    docs::write(&folder.0, &made).unwrap();
    std::fs::write(folder.0.join("docs/tools/old.md"), "# Old\n").unwrap();
    let changed = pages(&INVENTORY.replacen("Reads a note.", "Reads one note..", 1));
    let lines = docs::differences(&folder.0, &changed);
    let expected = [
        "docs/tools/notes.md",
        "  - **Get a note.** Reads a note.",
        "  + **Get a note.** Reads one note..",
        "docs/tools/old.md belongs to no toolset",
    ];
    for line in expected {
        assert!(lines.iter().any(|said| said == line), "{line:?} in {lines:#?}");
    }
    docs::write(&folder.0, &changed).unwrap();
    assert_eq!(docs::differences(&folder.0, &changed), Vec::<String>::new());
    assert!(!folder.0.join("docs/tools/old.md").exists());
}
