//! The protocol's requests, answered from a surface of operations.
//!
//! Written by hand over a static table: the tools are built once, at start, and a call goes from its name to
//! [`operations::run`] without anything generated for each tool.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use super::asking::{self, Asking, Round, Said};
use super::discovery::{self, Request};
use super::guard::{Guard, MOST_AT_ONCE, Place};
use super::instructions::instructions;
use super::result::{failure, result, with_structure};
use super::{Listing, brief, completions, prompts, resources};
use crate::forge::Forge;
use crate::operations::surface::{Found, Surface};
use crate::operations::{self, Effect, Limits, Operation, OperationError, Outcome, confirmation};
use crate::resources::Address;

/// How many tools one page of `tools/list` holds. Everything fits today: some clients never ask for a second page.
const PAGE: usize = 500;

/// Methods of ours whose parameters rmcp reads itself: where it could not, they come to us as unknown methods. So do
/// those of capabilities that we do not offer, and they are unknown.
const OUR_METHODS: [&str; 8] = [
    "completion/complete",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/list",
];

/// What a call says in its `_meta` so that the rows of its answer carry links.
const LINKS: &str = "forgehand/resourceLinks";

/// What the guard says of what breaks or hangs and is no call of a tool.
static READING: Operation = Operation { name: "the resource", ..Operation::BARE };
static PROMPTING: Operation = Operation { name: "the prompt", ..Operation::BARE };
static COMPLETING: Operation = Operation { name: "the completion", ..Operation::BARE };

/// Why a server could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// A generated schema that is no JSON object: a fault of the generator.
    #[error("a schema of {tool} is not a JSON object: {why}")]
    Schema {
        /// The tool.
        tool: &'static str,
        /// What the parser says.
        why: String,
    },
    /// No key for what is sealed.
    #[error("the system gives no random numbers")]
    Random,
}

/// Answers MCP requests for one forge. Cloning shares everything.
#[derive(Debug, Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    forge: Forge,
    surface: Surface,
    tools: Vec<Tool>,
    limits: Limits,
    guard: Guard,
    asking: Asking,
    listing: Listing,
    demo: bool,
}

impl Server {
    /// A server that shows `surface` of that forge; `demo` when the forge is the recorded one. With discovery, its
    /// three tools are listed after the surface's own.
    ///
    /// # Errors
    /// [`ServerError::Schema`] when a generated schema is out of form, [`ServerError::Random`] without random numbers.
    pub fn new(
        forge: Forge,
        surface: Surface,
        limits: Limits,
        listing: Listing,
        demo: bool,
    ) -> Result<Self, ServerError> {
        let mut tools =
            surface.operations().iter().map(|o| tool(o, listing, &forge)).collect::<Result<Vec<_>, _>>()?;
        if listing.discovery {
            tools.extend(discovery::tools(&surface));
        }
        let guard = Guard::new(MOST_AT_ONCE);
        let asking = Asking::new().map_err(|_| ServerError::Random)?;
        let shared = Shared { forge, surface, tools, limits, guard, asking, listing, demo };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// What a call of that name is to do.
    fn request(&self, name: &str, arguments: Map<String, Value>) -> Result<Request, ErrorData> {
        let shared = &self.shared;
        if shared.listing.discovery
            && let Some(request) =
                discovery::request(&shared.surface, (shared.listing, &shared.forge), name, &arguments)
        {
            return Ok(request);
        }
        Ok(match shared.surface.find(name) {
            Found::Shown(operation) => Request::Run(operation, arguments),
            Found::Hidden(error) if shared.listing.discovery => {
                Request::Answer(Err(discovery::pointed(&shared.surface, name, error)))
            }
            Found::Hidden(error) => Request::Answer(Err(error)),
            Found::Unknown(near) => return Err(unknown_tool(name, &near)),
        })
    }

    /// The limits to run a call with, its user asked where that is due; else the answer in place of running it. A
    /// person takes minutes: that is none of the call's time, and takes no place of those that run at once.
    async fn confirmed(
        &self,
        operation: &'static Operation,
        arguments: &Map<String, Value>,
        round: Round,
        context: &RequestContext<RoleServer>,
    ) -> Result<Limits, CallToolResponse> {
        let shared = &self.shared;
        let limits = shared.limits;
        let question = confirmation::question(&shared.forge, operation, arguments, limits.confirm);
        let Some(question) = question.map_err(|error| failure(&error))? else { return Ok(limits) };
        let call = asking::identity(&shared.forge, operation, arguments);
        match shared.asking.ask(&question, &call, round, context).await {
            Said::Yes => Ok(limits.confirmed()),
            // Without anybody to ask, the operation itself says what it wants.
            Said::Nobody => Ok(limits),
            Said::Ask(asked) => Err((*asked).into()),
            Said::No(why, hint) => Err(failure(&question.refused(&why, hint)).into()),
        }
    }

    /// Whether rows are to carry links: for all calls, or because this one asks for them.
    fn wants_links(&self, context: &RequestContext<RoleServer>) -> bool {
        self.shared.listing.resource_links
            || context.meta.get(LINKS).is_some_and(|wanted| *wanted == Value::Bool(true))
    }

    async fn call(
        &self,
        operation: &'static Operation,
        arguments: Map<String, Value>,
        limits: &Limits,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let shared = &self.shared;
        let place = context.extensions.get::<Place>().cloned().unwrap_or_default();
        let given = self.wants_links(context).then(|| arguments.clone());
        let work = move |limits: Limits| async move {
            let outcome = operations::run(&shared.forge, operation, arguments, &limits).await?;
            let links = match (&outcome, given) {
                (Outcome::Json(answer), Some(given)) => {
                    crate::resources::links((&shared.forge, &shared.surface), operation, &given, answer)
                }
                _ => Vec::new(),
            };
            let mut result = result(operation.name, Ok(outcome));
            result.content.extend(links.into_iter().map(resources::link));
            Ok(result)
        };
        let done = shared.guard.run(operation, limits, place, work).await;
        let result = done.unwrap_or_else(|error| failure(&error));
        // A client that was told of structured content refuses an answer without.
        let is_told = shared.listing.output_schemas && operation.output_schema.is_some();
        if is_told { with_structure(result) } else { result }
    }
}

impl Server {
    /// Does what is no call of a tool, as a call is run; given up where the request is cancelled.
    async fn guarded<T, F: Future<Output = Result<T, OperationError>>>(
        &self,
        what: &'static Operation,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(Limits) -> F,
    ) -> Result<Result<T, OperationError>, ErrorData> {
        let place = context.extensions.get::<Place>().cloned().unwrap_or_default();
        tokio::select! {
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            done = self.shared.guard.run(what, &self.shared.limits, place, work) => Ok(done),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_completions()
                .enable_prompts()
                .enable_resources()
                .enable_tools()
                .build(),
        )
        .with_server_info(
            Implementation::new("forgehand", env!("CARGO_PKG_VERSION")).with_title("forgehand for Forgejo"),
        )
        .with_instructions(instructions(self.shared.demo, self.shared.listing.discovery))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = &self.shared.tools;
        // A cursor is the name of the last tool that was listed.
        let start = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => match tools.iter().position(|tool| tool.name == *cursor) {
                Some(last) => last + 1,
                None => return Err(ErrorData::invalid_params("this cursor is not from tools/list", None)),
            },
        };
        let page: Vec<Tool> = tools.iter().skip(start).take(PAGE).cloned().collect();
        let more = start + page.len() < tools.len();
        let next_cursor = page.last().filter(|_| more).map(|last| last.name.to_string());
        Ok(ListToolsResult { next_cursor, ..ListToolsResult::with_all_items(page) })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // No tool has a name that this cuts, and what is like a name of megabytes takes seconds to find.
        let name = brief(&request.name);
        let (operation, arguments) = match self.request(&name, request.arguments.unwrap_or_default())? {
            Request::Run(operation, arguments) => (operation, arguments),
            Request::Answer(Ok(value)) => return Ok(result(&name, Ok(value)).into()),
            Request::Answer(Err(error)) => return Ok(failure(&error).into()),
        };
        let round = Round { state: request.request_state, responses: request.input_responses };
        let limits = match self.confirmed(operation, &arguments, round, &context).await {
            Ok(limits) => limits,
            Err(answer) => return Ok(answer),
        };
        tokio::select! {
            // The answer to a cancelled request is never sent; what counts is that the call is dropped.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            result = self.call(operation, arguments, &limits, &context) => Ok(result.into()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        only_page(request, "resources/list")?;
        Ok(ListResourcesResult::with_all_items(resources::statics(&self.shared.surface)))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(request, "resources/templates/list")?;
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(&self.shared.surface)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let address = Address::parse(uri).map_err(|error| resources::refused(uri, &error))?;
        let shared = &self.shared;
        let work = async |limits: Limits| {
            Ok(crate::resources::read(&shared.forge, &shared.surface, &address, &limits).await)
        };
        let read = self.guarded(&READING, &context, work).await?;
        match read.unwrap_or_else(|error| Err(error.into())) {
            Ok(blocks) => Ok(resources::result(&address, blocks).into()),
            Err(error) => Err(resources::refused(uri, &error)),
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        only_page(request, "prompts/list")?;
        Ok(ListPromptsResult::with_all_items(prompts::listed(&self.shared.surface)))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let name = brief(&request.name).into_owned();
        let arguments = request.arguments.unwrap_or_default();
        let shared = &self.shared;
        let work = async |limits: Limits| {
            Ok(crate::prompts::make(&shared.forge, &shared.surface, &name, arguments, &limits).await)
        };
        let made = self.guarded(&PROMPTING, &context, work).await?;
        match made.unwrap_or_else(|error| Err(error.into())) {
            Ok(text) => Ok(prompts::result(&name, text).into()),
            Err(error) => Err(prompts::refused(&name, &error)),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let shared = &self.shared;
        let (name, variable) = completions::asked(&shared.surface, &request)?;
        let known = completions::Chosen(request.context.as_ref());
        let place = crate::completions::Place { name, known: &known };
        let typed = (variable, request.argument.value.as_str());
        let work = async |limits: Limits| {
            Ok(crate::completions::complete(&shared.forge, &shared.surface, &place, typed, &limits).await)
        };
        let completed = self.guarded(&COMPLETING, &context, work).await?;
        completions::result(completed.unwrap_or_default())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        Err(match method {
            "tools/call" => ErrorData::invalid_params(bad_call(request.params.as_ref()), None),
            method if OUR_METHODS.contains(&method) => ErrorData::invalid_params(
                format!("the params of {method} are not what the protocol says"),
                None,
            ),
            method => ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("no method is called {}", brief(method)),
                None,
            ),
        })
    }
}

/// The tool that shows an operation.
fn tool(operation: &'static Operation, listing: Listing, forge: &Forge) -> Result<Tool, ServerError> {
    let odd = |error: serde_json::Error| ServerError::Schema { tool: operation.name, why: error.to_string() };
    let schema = operations::input_schema(operation, forge.folders()).map_err(odd)?;
    let tool = Tool::new(operation.name, operation.about, schema)
        .with_title(operation.title)
        .with_annotations(annotations(operation.effect));
    Ok(match operation.output_schema.filter(|_| listing.output_schemas) {
        Some(schema) => {
            let schema: JsonObject = serde_json::from_str(schema).map_err(odd)?;
            tool.with_raw_output_schema(Arc::new(schema))
        }
        None => tool,
    })
}

/// What a client may assume of an effect. `destructiveHint` is left out for reads, where it means nothing.
fn annotations(effect: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(true);
    match effect {
        Effect::Read => hints.read_only(true),
        Effect::Add => hints.destructive(false),
        Effect::Set => hints.destructive(false).idempotent(true),
        Effect::Change | Effect::Destroy => hints.destructive(true),
    }
}

/// Refuses a cursor for a list that is one page.
fn only_page(request: Option<PaginatedRequestParams>, method: &str) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(
            format!("this cursor is not from {method}, which is one page"),
            None,
        )),
    }
}

fn unknown_tool(name: &str, near: &[String]) -> ErrorData {
    let data = (!near.is_empty()).then(|| json!({ "near": near }));
    let guess = near.first().map(|first| format!("; did you mean {first}?")).unwrap_or_default();
    ErrorData::invalid_params(format!("no tool is called {name:?}{guess}"), data)
}

/// What is wrong with the params of a `tools/call` that rmcp could not read.
fn bad_call(params: Option<&Value>) -> String {
    let Some(params) = params else { return "tools/call needs params with the tool's `name`".to_owned() };
    if !params.get("name").is_some_and(Value::is_string) {
        return "tools/call needs the tool's `name`, a string".to_owned();
    }
    match params.get("arguments") {
        Some(arguments) if !arguments.is_object() => "`arguments` of tools/call must be an object".to_owned(),
        _ => "the params of tools/call are not what the protocol says".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use forgehand_client::BaseUrl;
    use rmcp::ServiceExt;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    use super::super::Lines;
    use super::*;
    use crate::operations::descriptor::Run;
    use crate::operations::surface::Choice;

    static BROKEN: [Operation; 1] =
        [Operation { name: "break", run: Run::Call(|_| panic!("s3cr3t")), ..Operation::BARE }];

    #[tokio::test]
    async fn an_operation_that_panics_is_answered_and_the_session_goes_on() {
        let forge = Forge::new(BaseUrl::parse("http://127.0.0.1:9").unwrap(), None);
        let surface = Surface::choose(&BROKEN, &Choice::default()).unwrap();
        let server = Server::new(forge, surface, Limits::default(), Listing::default(), false).unwrap();
        let (client, ours) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(ours);
        tokio::spawn(async move { server.serve(Lines::new(input, output)).await.unwrap().waiting().await });
        let (answers, mut requests) = tokio::io::split(client);
        let mut answers = BufReader::new(answers).lines();
        let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {
            "name": "tests", "version": "1",
        }});
        for (id, method, params) in [
            (1, "initialize", initialize),
            (2, "tools/call", json!({ "name": "break", "arguments": {} })),
            (3, "tools/call", json!({ "name": "break", "arguments": {} })),
        ] {
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            requests.write_all(format!("{request}\n").as_bytes()).await.unwrap();
            let answer: Value = serde_json::from_str(&answers.next_line().await.unwrap().unwrap()).unwrap();
            assert_eq!(answer["id"], id);
            if id > 1 {
                assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "internal", "{answer}");
                assert!(!answer.to_string().contains("s3cr3t"), "{answer}");
            }
        }
    }
}
