//! The counts by class, and each recorded success outside the first with its reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use forgehand::demo::Exchange;

use crate::class::Class;

/// What became of all exchanges.
#[derive(Default)]
pub(crate) struct Report {
    counts: BTreeMap<(&'static str, String), usize>,
    /// By reason, the scenarios of successes that are not sent as recorded, each with how often it has that name.
    outside: BTreeMap<String, BTreeMap<String, usize>>,
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
            Class::Unsaid(pattern) => ("C not to be said by arguments", pattern),
            Class::ReadsFirst(read) => ("D reads first what was not recorded", read),
        };
        if (200..300).contains(&exchange.status) && !name.starts_with('A') {
            let found = self.outside.entry(format!("{}: {reason}", &name[..1])).or_default();
            *found.entry(exchange.scenario.clone()).or_default() += 1;
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
        for (reason, scenarios) in &self.outside {
            let _ = writeln!(out, "{reason}");
            for (scenario, count) in scenarios {
                let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
                let _ = writeln!(out, "  {scenario}{times}");
            }
        }
        out
    }
}
