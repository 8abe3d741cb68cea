//! The counts by class, and each recorded success outside the first with its reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use forgehand::demo::Exchange;

use crate::class::Class;

/// What became of all exchanges.
#[derive(Default)]
pub(crate) struct Report {
    counts: BTreeMap<(&'static str, String), usize>,
    /// By reason and operation, the scenarios of successes that are not sent as recorded, without the operation's name.
    outside: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// What fits no class.
    pub(crate) wrong: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, exchange: &Exchange, class: Class) {
        let (name, reason) = match class {
            Class::Wrong(said) | Class::Unclear(said) => {
                let Exchange { scenario, method, target, status, .. } = exchange;
                self.wrong.push(format!("{scenario} ({method} {target} {status}): {said}"));
                return;
            }
            Class::Sent(kind) => ("A sent as recorded", kind.to_owned()),
            Class::Refused(rule) => ("B refused before it is sent", rule),
            Class::Otherwise(pattern) | Class::Unsaid(pattern) => ("C not to be said by arguments", pattern),
            Class::ReadsFirst(tool) => ("D reads first what was not recorded", tool.to_owned()),
        };
        if (200..300).contains(&exchange.status) && !name.starts_with('A') {
            let found = self.outside.entry(format!("{}: {reason}", &name[..1])).or_default();
            let start = format!("{}/", exchange.operation);
            let name = exchange.scenario.strip_prefix(&start).unwrap_or(&exchange.scenario);
            found.entry(exchange.operation.clone()).or_default().push(name.to_owned());
        }
        *self.counts.entry((name, reason)).or_default() += 1;
    }

    /// What fits no class, one line each.
    pub(crate) fn wrong(&self) -> String {
        self.wrong.join("\n")
    }

    /// The whole report.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        for ((class, _), count) in &self.counts {
            *classes.entry(class).or_default() += count;
        }
        for (class, total) in classes {
            let _ = writeln!(out, "{class}: {total}");
            let own = self.counts.iter().filter(|((name, _), _)| *name == class);
            for ((_, reason), count) in own {
                let _ = writeln!(out, "  {count:5} {reason}");
            }
        }
        let _ = writeln!(out, "\nSuccesses outside A");
        for (reason, operations) in &self.outside {
            let _ = writeln!(out, "{reason}");
            for (operation, names) in operations {
                let _ = writeln!(out, "  {operation}: {}", names.join(", "));
            }
        }
        out
    }
}
