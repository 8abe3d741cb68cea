//! A net under everything that is done for a client: what panics while it answers a request is answered as a fault, and
//! the session goes on. rmcp catches nothing, and whoever sent the request would wait for ever.
//!
//! What a tool does at the forge, and what is made of its outcome, has a net of its own (see `guard`): it knows whether
//! something may have happened. So what panics here has sent the forge nothing.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, ProtocolVersion, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, Service};

use super::brief;
use super::result::failure;
use crate::operations::{Code, OperationError};

/// A service with the net under it.
pub(super) struct Net<S>(pub(super) S);

impl<S: Service<RoleServer>> Service<RoleServer> for Net<S> {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let tool = match &request {
            ClientRequest::CallToolRequest(call) => Some(brief(&call.params.name).into_owned()),
            _ => None,
        };
        let method = brief(request.method()).into_owned();
        let done = AssertUnwindSafe(self.0.handle_request(request, context)).catch_unwind().await;
        done.unwrap_or_else(|_panic| fault(&method, tool.as_deref()))
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let done = AssertUnwindSafe(self.0.handle_notification(notification, context)).catch_unwind().await;
        done.unwrap_or(Ok(()))
    }

    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.0.supported_protocol_versions()
    }
}

/// The answer to what panicked: of a tool a result, of anything else an error of the protocol. A panic's message may
/// hold anything, and is in neither.
fn fault(method: &str, tool: Option<&str>) -> Result<ServerResult, ErrorData> {
    let said = format!("forgehand failed within {}. Nothing was sent.", tool.unwrap_or(method));
    match tool {
        Some(_) => Ok(ServerResult::CallToolResult(failure(&OperationError::new(Code::Internal, said)))),
        None => Err(ErrorData::internal_error(said, None)),
    }
}

#[cfg(test)]
mod tests {
    use rmcp::ServiceExt;
    use rmcp::model::ServerCapabilities;
    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    use super::super::Lines;
    use super::*;

    /// Panics whatever it is told.
    struct Broken;

    impl Service<RoleServer> for Broken {
        async fn handle_request(
            &self,
            request: ClientRequest,
            _context: RequestContext<RoleServer>,
        ) -> Result<ServerResult, ErrorData> {
            panic!("s3cr3t of {}", request.method())
        }

        async fn handle_notification(
            &self,
            _notification: ClientNotification,
            _context: NotificationContext<RoleServer>,
        ) -> Result<(), ErrorData> {
            panic!("s3cr3t")
        }

        fn get_info(&self) -> ServerConfig {
            ServerConfig::new(ServerCapabilities::default())
        }
    }

    #[tokio::test]
    async fn whatever_panics_while_a_request_is_answered_is_answered_and_the_session_goes_on() {
        let (client, ours) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(ours);
        tokio::spawn(
            async move { Net(Broken).serve(Lines::new(input, output)).await.unwrap().waiting().await },
        );
        let (answers, mut requests) = tokio::io::split(client);
        let mut answers = BufReader::new(answers).lines();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        for (method, name) in [
            ("tools/list", None),
            ("tools/call", Some("find_tool")),
            ("resources/list", None),
            ("resources/templates/list", None),
            ("prompts/list", None),
            ("server/discover", None),
            ("odd/method", None),
        ] {
            let mut params = json!({ "_meta": meta });
            if let Some(name) = name {
                params["name"] = json!(name);
            }
            let odd = json!({ "jsonrpc": "2.0", "method": "notifications/odd", "params": { "_meta": meta } });
            let request = json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params });
            requests.write_all(format!("{request}\n{odd}\n").as_bytes()).await.unwrap();
            let answer: Value = serde_json::from_str(&answers.next_line().await.unwrap().unwrap()).unwrap();
            let said = match name {
                Some(_) => &answer["result"]["structuredContent"]["error"],
                None => &answer["error"],
            };
            let expected = name.map_or(json!(-32603), |_| json!("internal"));
            assert_eq!((&answer["id"], &said["code"]), (&json!(5), &expected), "{method} {answer}");
            let said = said["message"].as_str().unwrap();
            assert_eq!(
                said,
                format!("forgehand failed within {}. Nothing was sent.", name.unwrap_or(method))
            );
        }
    }
}
