//! Which tools are shown: the rules of toolsets, names, exclusions and read-only, on a small table.

use forgehand::operations::descriptor::{Operation, Retired};
use forgehand::operations::surface::{Choice, Found, Surface};
use forgehand::operations::{Code, Effect};

const fn operation(name: &'static str, toolset: &'static str, default: bool, effect: Effect) -> Operation {
    Operation { name, toolset, default, effect, ..Operation::BARE }
}

static TABLE: [Operation; 5] = [
    operation("create_issue", "issues", true, Effect::Add),
    operation("delete_issue", "issues", false, Effect::Destroy),
    operation("get_issue", "issues", true, Effect::Read),
    operation("get_release", "releases", false, Effect::Read),
    operation("list_branches", "repos", true, Effect::Read),
];

fn choice(toolsets: &[&str], tools: &[&str], exclude: &[&str], read_only: bool) -> Choice {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let some = |names: &[&str]| (!names.is_empty()).then(|| list(names));
    Choice { toolsets: some(toolsets), tools: some(tools), exclude: list(exclude), read_only }
}

#[test]
fn the_rules_choose_what_they_say() {
    for (chosen, expected) in [
        (choice(&[], &[], &[], false), "create_issue get_issue list_branches"),
        (choice(&["all"], &[], &[], false), "create_issue delete_issue get_issue get_release list_branches"),
        (choice(&["none"], &[], &[], false), ""),
        (choice(&["none"], &["get_issue"], &[], false), "get_issue"),
        (choice(&["default"], &[], &[], false), "create_issue get_issue list_branches"),
        (choice(&["issues"], &[], &[], false), "create_issue delete_issue get_issue"),
        (choice(&["repos", "releases"], &[], &[], false), "get_release list_branches"),
        (choice(&[], &["delete_issue"], &[], false), "delete_issue"),
        (choice(&["repos"], &["delete_issue"], &[], false), "delete_issue list_branches"),
        (choice(&["all"], &[], &["get_issue"], false), "create_issue delete_issue get_release list_branches"),
        (choice(&[], &["get_issue"], &["get_issue"], false), ""),
        (choice(&[], &[], &[], true), "get_issue list_branches"),
        (choice(&[], &["delete_issue", "get_release"], &[], true), "get_release"),
    ] {
        let surface = Surface::choose(&TABLE, &chosen).unwrap();
        let names: Vec<_> = surface.operations().iter().map(|operation| operation.name).collect();
        assert_eq!(names.join(" "), expected, "{chosen:?}");
    }
}

#[test]
fn an_unknown_name_is_refused_with_names_that_are_near() {
    for (chosen, expected) in [
        (
            choice(&["isues"], &[], &[], false),
            "no toolset is called `isues` (did you mean issues?); `forgehand tools` lists them",
        ),
        (choice(&[], &["get_isue"], &[], false), "no tool is called `get_isue` (did you mean get_issue"),
        (choice(&[], &[], &["zzz"], false), "no tool is called `zzz`; `forgehand tools` lists them"),
    ] {
        let error = Surface::choose(&TABLE, &chosen).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_hidden_tool_names_the_option_that_shows_it() {
    for (chosen, name, expected) in [
        (choice(&[], &[], &[], false), "get_release", "--toolsets default,releases"),
        // What was chosen stays chosen.
        (choice(&[], &["get_issue"], &[], false), "get_release", "add get_release to --tools"),
        (choice(&["issues"], &[], &[], false), "get_release", "add releases to --toolsets"),
        (choice(&["none"], &[], &[], false), "get_release", "with --tools get_release besides"),
        (choice(&["issues"], &["get_issue"], &[], false), "get_release", "or releases to --toolsets"),
        (choice(&["all"], &[], &["get_issue"], false), "get_issue", "--exclude-tools"),
        (choice(&["all"], &[], &[], true), "create_issue", "--read-only"),
    ] {
        let surface = Surface::choose(&TABLE, &chosen).unwrap();
        let Found::Hidden(error) = surface.find(name) else { panic!("{name} is not hidden") };
        assert!(error.hint.as_deref().unwrap().contains(expected), "{error:?}");
    }
}

#[test]
fn the_command_line_is_bound_by_exclusions_and_read_only_alone() {
    let surface = Surface::choose(&TABLE, &choice(&["repos"], &[], &["get_issue"], true)).unwrap();
    assert!(matches!(surface.find_anywhere("get_release"), Found::Shown(_)));
    assert!(matches!(surface.find_anywhere("get_issue"), Found::Hidden(_)));
    assert!(matches!(surface.find_anywhere("delete_issue"), Found::Hidden(_)));
    assert!(
        matches!(surface.find_anywhere("get_releases"), Found::Unknown(near) if near.contains(&"get_release".to_owned()))
    );
}

static RETIRED: [Retired; 1] =
    [Retired { name: "fetch_issue", by: "get_issue", advice: "use get_issue instead: it tells more" }];

#[test]
fn a_retired_tool_is_no_unknown_one_and_names_what_takes_its_place() {
    let surface = Surface::choose_with(&TABLE, &RETIRED, &choice(&[], &[], &[], false)).unwrap();
    assert!(surface.operations().iter().all(|operation| operation.name != "fetch_issue"));
    for found in [surface.find("fetch_issue"), surface.find_anywhere("fetch_issue")] {
        let Found::Hidden(error) = found else { panic!("{found:?}") };
        assert_eq!(error.code, Code::InvalidArguments);
        assert_eq!(error.near, ["get_issue"]);
        assert!(error.message.contains("use get_issue instead: it tells more"), "{error}");
        assert!(error.message.contains("Nothing was sent"), "{error}");
    }
    for chosen in [choice(&[], &["fetch_issue"], &[], false), choice(&[], &[], &["fetch_issue"], false)] {
        let error = Surface::choose_with(&TABLE, &RETIRED, &chosen).unwrap_err().to_string();
        assert_eq!(error, "the tool `fetch_issue` is no more: use get_issue instead: it tells more");
    }
}
