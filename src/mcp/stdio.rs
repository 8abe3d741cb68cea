//! Serves MCP over the process's standard input and output until the input ends or a signal comes.
//!
//! Standard output carries JSON-RPC and nothing else. The end of the input lets running calls finish and answer;
//! SIGTERM and SIGINT give them a second.

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

use super::lines::Lines;
use super::net::Net;
use super::server::Server;

/// How long running calls may go on after SIGTERM or SIGINT.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Serves until the input ends (every request is answered first) or a signal asks to stop.
///
/// A thread may still wait for standard input afterwards where that is no pipe: end the process with
/// [`std::process::exit`].
///
/// # Errors
/// When signals cannot be listened for, or the first answer cannot be written.
pub async fn serve(server: Server) -> std::io::Result<()> {
    let mut stop = std::pin::pin!(stop_signal()?);
    let (input, output) = stdio_pipes();
    let lines = Lines::new(input, output);
    let idle = lines.idle();
    let session = async {
        let running = match Net(server).serve(lines).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(std::io::Error::other(error.to_string())),
        };
        running.waiting().await.map(|_reason| ()).map_err(std::io::Error::other)
    };
    let mut session = std::pin::pin!(session);
    tokio::select! {
        ended = &mut session => ended,
        () = &mut stop => {
            tokio::select! {
                ended = &mut session => ended,
                () = idle => Ok(()),
                () = tokio::time::sleep(LAST_MOMENT) => Ok(()),
            }
        }
    }
}

/// Ends when the process is asked to stop. Listening begins at once, not at the first poll.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ends when the process is asked to stop.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
