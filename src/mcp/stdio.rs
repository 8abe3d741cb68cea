//! Serves MCP over the process's standard input and output until the input ends or it is asked to stop.
//!
//! Standard output carries JSON-RPC and nothing else. The end of the input lets running calls finish and answer; to be
//! asked to stop gives them a second.

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

use super::lines::Lines;
use super::net::Net;
use super::server::Server;

/// How long running calls may go on when the process is asked to stop.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// Serves until the input ends (every request is answered first) or `stop` does.
///
/// A thread may still wait for standard input afterwards where that is no pipe: end the process with
/// [`std::process::exit`].
///
/// # Errors
/// When the first answer cannot be written.
pub async fn serve(server: Server, stop: impl Future<Output = ()>) -> std::io::Result<()> {
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
        () = stop => {
            tokio::select! {
                ended = &mut session => ended,
                () = idle => Ok(()),
                () = tokio::time::sleep(LAST_MOMENT) => Ok(()),
            }
        }
    }
}
