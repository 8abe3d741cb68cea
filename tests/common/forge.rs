//! A scripted forge on a thread of its own, for tests that wait for a child process.

use std::sync::mpsc::channel;

use super::scripted::{Answer, Scripted};

/// Answers in that order, the last one again and again, until the test's process ends.
pub(crate) fn start(script: impl IntoIterator<Item = Answer> + Send + 'static) -> Scripted {
    let (sender, started) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            sender.send(Scripted::new(script).await).ok().unwrap();
            std::future::pending::<()>().await;
        });
    });
    started.recv().unwrap()
}
