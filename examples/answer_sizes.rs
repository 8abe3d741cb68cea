//! What answers cost: raw bytes and tokens of the forge's answer beside those that a model reads, for twenty calls of
//! every day against the recorded forge: `cargo run --release --example answer_sizes`
//!
//! The tokens are those of o200k. A target that is missed is printed as missed.

#![allow(clippy::print_stdout, reason = "the command prints what it measured")]

use std::error::Error;
use std::time::Instant;

use forgehand::demo::{DemoForge, Options};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Limits, Outcome, arguments, run};
use forgehand_client::{BaseUrl, Call, JSON_LIMIT, Raw};
use serde_json::{Value, json};

/// Who asks.
const TOKEN: &str = "demo-bob";
/// A commit with many statuses.
const SHA: &str = "be237d750e19be1f8e0b6200ca30575f1a3d340d";

/// What an answer may cost.
enum Target {
    None,
    /// Tokens for each row of a list, and per cent of the raw tokens.
    Row(usize, usize),
    /// Tokens besides the field `body`.
    BesidesBody(usize),
}

fn calls() -> Vec<(&'static str, Value, Target)> {
    let acme = |more: Value| {
        let mut arguments = json!({"repo": "acme/widget"});
        if let (Value::Object(all), Value::Object(more)) = (&mut arguments, more) {
            all.extend(more);
        }
        arguments
    };
    let none = || json!({});
    vec![
        ("get_my_user_info", none(), Target::None),
        ("list_my_repos", none(), Target::None),
        ("search_repos", json!({"q": "widget"}), Target::None),
        ("get_repo", acme(none()), Target::BesidesBody(250)),
        ("list_repo_issues", acme(json!({"state": "all", "limit": 30})), Target::Row(65, 5)),
        ("get_issue_by_index", acme(json!({"index": 2})), Target::BesidesBody(350)),
        ("list_issue_comments", acme(json!({"index": 136})), Target::None),
        ("list_repo_labels", acme(none()), Target::None),
        ("list_repo_milestones", acme(none()), Target::None),
        ("list_repo_pull_requests", acme(json!({"state": "all", "limit": 30})), Target::Row(80, 5)),
        ("get_pull_request_by_index", acme(json!({"index": 147})), Target::BesidesBody(500)),
        ("list_pull_request_files", acme(json!({"index": 149, "limit": 50})), Target::None),
        ("list_pull_reviews", acme(json!({"index": 126, "limit": 50})), Target::None),
        ("list_branches", acme(none()), Target::None),
        ("list_repo_commits", acme(json!({"limit": 30})), Target::None),
        ("get_commit", acme(json!({"sha": SHA})), Target::None),
        ("get_commit_status", acme(json!({"ref": SHA})), Target::None),
        ("list_repo_contents", acme(none()), Target::None),
        ("list_releases", acme(none()), Target::None),
        ("get_repo_tree", acme(json!({"sha": "main", "recursive": true})), Target::None),
    ]
}

/// What one call took.
struct Measured {
    raw: String,
    shown: Value,
}

struct Bench {
    demo: DemoForge,
    forge: Forge,
}

impl Bench {
    async fn start() -> Result<Self, Box<dyn Error>> {
        let demo = DemoForge::start(Options { remember: true, ..Options::default() }).await?;
        let forge = Forge::new(BaseUrl::parse(&demo.base_url())?, Token::new(TOKEN)).direct();
        Ok(Self { demo, forge })
    }

    /// Calls a tool, and asks for the same once more without it.
    async fn measure(&self, name: &str, given: Value) -> Result<Measured, Box<dyn Error>> {
        let operation = OPERATIONS.iter().find(|o| o.name == name).ok_or("no such tool")?;
        self.demo.forget_requests();
        let limits = Limits { max_result_bytes: 16 * 1024 * 1024, ..Limits::default() };
        let outcome = run(&self.forge, operation, arguments::object(Some(given))?, &limits).await?;
        let Outcome::Json(shown) = outcome else { return Err("the answer is no JSON".into()) };
        let target = self.demo.requests().last().map(|seen| seen.target.clone()).ok_or("nothing was sent")?;
        let target = target.strip_prefix("/api/v1").ok_or("the call is not below /api/v1")?;
        let call: Call<Raw> = Call::new("raw", http::Method::GET, target.to_owned());
        let mut reply = self.forge.send(&call, true, Instant::now() + limits.timeout).await?;
        let raw = String::from_utf8(reply.bytes(JSON_LIMIT).await?.to_vec())?;
        Ok(Measured { raw, shown })
    }
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// What the answer costs against its target.
fn against(target: &Target, measured: &Measured, raw: usize, shown: usize) -> String {
    let verdict = |met: bool| if met { "" } else { " (missed)" };
    match target {
        Target::None => "–".to_owned(),
        Target::Row(most, per_cent) => {
            let rows = measured.shown.get("items").and_then(Value::as_array).map_or(1, Vec::len).max(1);
            let met = shown <= most * rows && shown * 100 <= per_cent * raw;
            let parts = format!("{} a row, {:.1} %", shown.div_ceil(rows), shown as f64 * 100.0 / raw as f64);
            format!("{parts}; ≤ {most}, ≤ {per_cent} %{}", verdict(met))
        }
        Target::BesidesBody(most) => {
            let mut rest = measured.shown.clone();
            if let Value::Object(fields) = &mut rest {
                fields.remove("body");
            }
            let cost = tokens(&rest.to_string());
            format!("{cost} besides the body; ≤ {most}{}", verdict(cost <= *most))
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let bench = Bench::start().await?;
    println!(
        "| call | rows | raw, bytes | shown, bytes | raw, tokens | shown, tokens | against the target |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, given, target) in calls() {
        let measured = bench.measure(name, given).await.map_err(|error| format!("{name}: {error}"))?;
        let text = measured.shown.to_string();
        let rows = measured.shown.get("items").and_then(Value::as_array).map(Vec::len);
        let rows = rows.map_or_else(|| "–".to_owned(), |rows| rows.to_string());
        let (raw, shown) = (tokens(&measured.raw), tokens(&text));
        let against = against(&target, &measured, raw, shown);
        let (raw_bytes, bytes) = (measured.raw.len(), text.len());
        println!("| `{name}` | {rows} | {raw_bytes} | {bytes} | {raw} | {shown} | {against} |");
    }
    Ok(())
}
