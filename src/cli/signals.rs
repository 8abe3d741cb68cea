//! The signals that ask a process to stop.

use super::Exit;

/// Ends when the process is asked to stop, with the exit that this is in a shell. Listening begins at once, not at the
/// first poll, and from then on a signal alone ends the process no more.
///
/// # Errors
/// What the system says.
#[cfg(unix)]
pub(crate) fn stop() -> std::io::Result<impl Future<Output = Exit>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => Exit::Terminated,
            _ = interrupt.recv() => Exit::Interrupted,
        }
    })
}

/// Ends when the process is asked to stop.
#[cfg(not(unix))]
pub(crate) fn stop() -> std::io::Result<impl Future<Output = Exit>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Exit::Interrupted
    })
}
