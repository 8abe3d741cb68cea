//! Rust names for what the document names: the same that the generator of the typed client gives.

use heck::ToSnakeCase;

/// The Rust method of an operation: `issueGetIssue` is `issue_get_issue`, `ListActionRuns` is `list_action_runs`.
pub fn method(operation_id: &str) -> String {
    identifier(operation_id)
}

/// A Rust identifier in snake case for a wire name: `status-types` is `status_types`, `type` is `type_`.
pub fn identifier(wire: &str) -> String {
    let plain: String = wire
        .chars()
        .filter(|c| *c != '\'')
        .map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' })
        .collect();
    let snake = plain.to_snake_case();
    let name = match snake.chars().next() {
        None => "x".to_owned(),
        Some(first) if first.is_numeric() => format!("_{snake}"),
        Some(_) => snake,
    };
    if typify::accept_as_ident(&name) { name } else { format!("{name}_") }
}
