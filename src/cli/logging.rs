//! Logs, to standard error alone, by the filter in `FORGEHAND_LOG`. Logging waits for nobody: see [`lossy`].

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::lossy::{self, Last};
use super::output;

/// Crates that log whole requests, with the arguments or headers in them. They keep to errors unless the filter names
/// them itself.
const TALKATIVE: [&str; 6] = ["h2", "hyper", "hyper_util", "reqwest", "rmcp", "rustls"];

/// Starts logging, and keeps panics short: a panic's message could hold what was being worked on. What is logged before
/// the returned value is dropped is written, where anybody reads it.
pub(crate) fn start() -> Last {
    let text = std::env::var_os("FORGEHAND_LOG").unwrap_or_default();
    let filter = text.to_str().and_then(filter).unwrap_or_else(|| {
        output::note("FORGEHAND_LOG is no filter, such as debug or warn,forgehand=debug; logging warnings");
        quiet(Targets::new().with_default(LevelFilter::WARN), "")
    });
    let (lines, last) = lossy::lines(std::io::stderr());
    let panics = lines.clone();
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(move || lines.clone())
        .with_ansi(false)
        .with_filter(filter);
    // Fails only when something else logs already, as a test's own subscriber.
    let _ = tracing_subscriber::registry().with(layer).try_init();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        panics.send(&format!("forgehand: a fault of forgehand's own at {place}; please report it\n"));
    }));
    last
}

/// The filter of that text; warnings where it is empty; `None` where it is no filter.
fn filter(text: &str) -> Option<Targets> {
    let text = text.trim();
    let targets = match text {
        "" => Targets::new().with_default(LevelFilter::WARN),
        text => text.parse::<Targets>().ok()?,
    };
    Some(quiet(targets, text))
}

fn quiet(targets: Targets, text: &str) -> Targets {
    let named = |target: &str| {
        text.split(',')
            .any(|directive| directive.trim().split(['=', ':']).next().is_some_and(|name| name == target))
    };
    TALKATIVE
        .into_iter()
        .filter(|target| !named(target))
        .fold(targets, |targets, target| targets.with_target(target, LevelFilter::ERROR))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn whole_requests_are_logged_only_when_asked_for_by_name() {
        for (text, target, level, logged) in [
            ("", "forgehand::forge", Level::WARN, true),
            ("", "forgehand::forge", Level::INFO, false),
            ("debug", "forgehand::forge", Level::DEBUG, true),
            ("debug", "rmcp::service", Level::DEBUG, false),
            ("debug", "hyper::client", Level::DEBUG, false),
            ("warn,rmcp=debug", "rmcp::service", Level::DEBUG, true),
            ("rmcp::service=debug", "rmcp::service", Level::DEBUG, true),
            ("off", "rmcp", Level::WARN, false),
        ] {
            let filter = filter(text).unwrap();
            assert_eq!(filter.would_enable(target, &level), logged, "{text:?} {target} {level}");
        }
    }

    #[test]
    fn what_is_no_filter_is_told() {
        assert!(filter("forgehand=loud").is_none());
    }
}
