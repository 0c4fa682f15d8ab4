//! The server: its routes, and what it refuses.

use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::board::Board;
use super::compression::with_body;
use super::file_watch::Waker;
use super::line_files::LineFiles;
use super::token::Token;
use raceline_editor::{Comparison, ComparisonError, Edit, EditError, History, HistoryError, State, Step, edited};
use raceline_file::files::{self, LARGEST_LINE_FILE, LARGEST_OPTIONS_FILE};
use raceline_file::with_causes;

/// Port of the page.
pub const DEFAULT_PORT: u16 = 8017;
/// Time in which a browser must have sent its request, and for which a connection may be idle.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at one time: a browser opens six, and each costs a few kilobytes. Those beyond are closed.
const MAX_CONNECTIONS: usize = 1024;
/// Pause after a connection that could not be taken, as where the process has no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Longest text of edits, bytes.
const LONGEST_EDITS: usize = 1 << 20;

/// A server that shows a [`Board`].
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    board: Arc<Board>,
    editor: Option<Editor>,
    /// What a request must have where other machines reach the server.
    token: Option<Token>,
}

/// Writes a file whole or not at all.
pub type WriteFile = dyn Fn(&Path, &[u8]) -> io::Result<()> + Send + Sync;

/// The sidecar that the page may change.
struct Editor {
    sidecar: PathBuf,
    write: Box<WriteFile>,
    waker: Waker,
    history: Mutex<History>,
    /// What its line can be compared with.
    files: LineFiles,
}

impl fmt::Debug for Editor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor").field("sidecar", &self.sidecar).finish_non_exhaustive()
    }
}

impl Server {
    /// A server of `board` at `ip` and `port`; port 0 is any that is free.
    ///
    /// # Errors
    /// The port is taken, the address is not this machine's, or the system gives no random numbers for the
    /// token of a server that other machines reach.
    pub fn new(ip: IpAddr, port: u16, board: Arc<Board>) -> io::Result<Self> {
        // The address is free, and a port of 0 has become one, before the first line is made.
        let address = TcpListener::bind((ip, port))?.local_addr()?;
        let token = if ip.is_loopback() { None } else { Some(Token::new()?) };
        Ok(Self { address, board, editor: None, token })
    }

    /// A server at the default port, without a token, that listens nowhere.
    pub(super) fn in_memory(board: Arc<Board>) -> Self {
        let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), DEFAULT_PORT);
        Self { address, board, editor: None, token: None }
    }

    /// A server whose page may change `sidecar` with `write`, and compare its line with those in `files`; `waker` is
    /// notified of each change.
    #[must_use]
    pub fn with_editor(mut self, sidecar: PathBuf, write: Box<WriteFile>, waker: Waker, files: LineFiles) -> Self {
        self.editor = Some(Editor { sidecar, write, waker, history: Mutex::default(), files });
        self
    }

    /// Address of the page, with the token if it needs one.
    #[must_use]
    pub fn url(&self) -> String {
        let ip = if self.address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { self.address.ip() };
        let query = self.token.as_ref().map(Token::query).unwrap_or_default();
        format!("http://{}/{query}", SocketAddr::new(ip, self.address.port()))
    }

    /// Starts to answer, in a thread of its own.
    ///
    /// # Errors
    /// Another program has taken the address since.
    pub fn start(self) -> io::Result<()> {
        let listener = TcpListener::bind(self.address)?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _context = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let serve = move || match runtime.block_on(self.accept(&listener)) {};
        thread::Builder::new().name("page server".to_owned()).spawn(serve)?;
        Ok(())
    }

    /// Takes connections for ever.
    async fn accept(self, listener: &tokio::net::TcpListener) -> Infallible {
        let server = Arc::new(self);
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let service = service_fn(|request| server.answered(request));
                // A browser that leaves ends its connection with an error, which is nobody's concern.
                let _ = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
                drop(place);
            });
        }
    }

    /// The answer to a request, whose body is read first.
    pub(super) async fn answered(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let (head, body) = request.into_parts();
        let head = Request::from_parts(head, ());
        let refusal = self.refusal(&head);
        // A line is longer than an edit; only who may add one can send so much.
        let is_file = refusal.is_none() && self.editor.is_some() && head.uri().path() == "/compare";
        let longest = if is_file { usize::try_from(LARGEST_LINE_FILE).unwrap_or(usize::MAX) } else { LONGEST_EDITS };
        let body = match timeout(PATIENCE, Limited::new(body, longest).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => return Ok(text(StatusCode::PAYLOAD_TOO_LARGE, "this is too long")),
            Err(_) => return Ok(text(StatusCode::REQUEST_TIMEOUT, "the request did not end")),
        };
        Ok(refusal.unwrap_or_else(|| self.answer(&head, &body)))
    }

    /// What is answered to a request that is not from this server's own page, or lacks the token.
    fn refusal(&self, request: &Request<()>) -> Option<Response<Full<Bytes>>> {
        if !self.is_from_here(request) {
            return Some(text(StatusCode::FORBIDDEN, "this server answers only its own page"));
        }
        let token = self.token.as_ref()?;
        if token.is_in_query(request.uri()) {
            return Some(with_cookie(token));
        }
        let asked = "open the whole address that raceline printed, with its token";
        (!token.is_in_cookies(request.headers())).then(|| text(StatusCode::UNAUTHORIZED, asked))
    }

    fn answer(&self, request: &Request<()>, body: &[u8]) -> Response<Full<Bytes>> {
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/") => {
                let response = answer(StatusCode::OK, "text/html; charset=utf-8", String::new());
                with_body(response, self.board.page(), request.headers())
            }
            (&Method::GET, "/state") => match serde_json::to_string(&self.state()) {
                Ok(state) => answer(StatusCode::OK, "application/json", state),
                Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
            },
            (&Method::GET, "/comparable") => self.comparable(),
            (&Method::POST, "/compare") => self.edited(|editor| editor.compare(&self.board, body)),
            (&Method::POST, "/edit") => self.edited(|editor| editor.edit(body)),
            (&Method::POST, "/preview") => self.previewed(body),
            (&Method::POST, "/undo") => self.edited(|editor| editor.step(Step::Undo)),
            (&Method::POST, "/redo") => self.edited(|editor| editor.step(Step::Redo)),
            (&Method::GET | &Method::POST, _) => text(StatusCode::NOT_FOUND, "there is nothing here"),
            _ => text(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST"),
        }
    }

    /// The state of the page, with what can be undone.
    fn state(&self) -> State {
        let mut state = self.board.state();
        if let Some(editor) = &self.editor {
            state.offer(&editor.history.lock().unwrap_or_else(PoisonError::into_inner));
        }
        state
    }

    /// Whether a request names this server by its own address, and comes from its own page if it
    /// changes something. Another site's page in the same browser can do neither.
    fn is_from_here(&self, request: &Request<()>) -> bool {
        let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
        let Some(host) = header(header::HOST) else { return false };
        let named = host == self.address.to_string()
            || self.address.ip().is_loopback() && host == format!("localhost:{}", self.address.port())
            // Who lets it listen everywhere reaches it by any of the machine's addresses.
            || self.address.ip().is_unspecified() && host.parse::<SocketAddr>().is_ok();
        let own = format!("http://{host}");
        named
            && match header(header::ORIGIN) {
                Some(origin) => origin == own,
                None => request.method() == Method::GET,
            }
    }

    /// A coarse line with edits that are not made yet. It takes some frames, in which no other request is answered.
    fn previewed(&self, edits: &[u8]) -> Response<Full<Bytes>> {
        let Some(editor) = &self.editor else { return text(StatusCode::NOT_FOUND, "this page edits nothing") };
        let sidecar = match editor.content() {
            Ok(content) => content.unwrap_or_default(),
            Err(error) => return text(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        };
        match self.board.preview(&editor.sidecar, &sidecar, &String::from_utf8_lossy(edits)) {
            Ok(preview) => match serde_json::to_string(&preview) {
                Ok(json) => answer(StatusCode::OK, "application/json", json),
                Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
            },
            // That a place is none is an answer: the page asks again with the next one.
            Err(error) => {
                let refusal = serde_json::json!({ "refusal": with_causes(&error) });
                answer(StatusCode::OK, "application/json", refusal.to_string())
            }
        }
    }

    /// Names of the files that the line can be compared with.
    fn comparable(&self) -> Response<Full<Bytes>> {
        let names = self.editor.as_ref().map(|editor| editor.files.names()).unwrap_or_default();
        answer(StatusCode::OK, "application/json", serde_json::json!(names).to_string())
    }

    fn edited(&self, change: impl FnOnce(&Editor) -> Result<(), Refused>) -> Response<Full<Bytes>> {
        let Some(editor) = &self.editor else { return text(StatusCode::NOT_FOUND, "this page edits nothing") };
        match change(editor) {
            Ok(()) => text(StatusCode::OK, ""),
            Err(Refused(status, problem)) => text(status, &problem),
        }
    }
}

/// Why nothing was changed.
struct Refused(StatusCode, String);

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, format!("the sidecar can't be written: {error}"))
    }
}

impl From<EditError> for Refused {
    fn from(error: EditError) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, with_causes(&error))
    }
}

impl From<HistoryError> for Refused {
    fn from(error: HistoryError) -> Self {
        let status = match error {
            HistoryError::NothingToUndo | HistoryError::NothingToRedo => StatusCode::UNPROCESSABLE_ENTITY,
            HistoryError::ChangedElsewhere => StatusCode::CONFLICT,
        };
        Self(status, error.to_string())
    }
}

impl From<ComparisonError> for Refused {
    fn from(error: ComparisonError) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, with_causes(&error))
    }
}

impl Editor {
    /// Makes a change of the comparison: a JSON object and, behind a line's end, the content of the file that it names
    /// where that is none of the folder.
    fn compare(&self, board: &Board, body: &[u8]) -> Result<(), Refused> {
        let end = body.iter().position(|&byte| byte == b'\n');
        let (json, sent) = end.map_or((body, None), |end| (&body[..end], Some(&body[end + 1..])));
        let change = Comparison::read_change(json)?;
        let unread = |name: &str, error: io::Error| ComparisonError::NotRead {
            name: name.to_owned(),
            reason: error.to_string(),
        };
        let content = |name: &str| match sent {
            Some(bytes) => Ok(bytes.to_vec()),
            None => self.files.read(name).map_err(|error| unread(name, error)),
        };
        board.change_comparison(|comparison, line| comparison.change(line, change, content))?;
        self.waker.wake();
        Ok(())
    }

    fn edit(&self, json: &[u8]) -> Result<(), Refused> {
        let edits: Vec<Edit> = serde_json::from_slice(json)
            .map_err(|error| Refused(StatusCode::BAD_REQUEST, format!("these are no edits: {error}")))?;
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.content()?;
        let after = edited(&self.sidecar, before.as_deref().unwrap_or_default(), &edits)?;
        (self.write)(&self.sidecar, after.as_bytes())?;
        history.changed(before, after);
        self.waker.wake();
        Ok(())
    }

    /// Takes the last edit back or makes it again, unless another program has changed the sidecar since.
    fn step(&self, step: Step) -> Result<(), Refused> {
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        match history.target(step, self.content()?.as_deref())? {
            Some(content) => (self.write)(&self.sidecar, content.as_bytes())?,
            None => fs::remove_file(&self.sidecar)?,
        }
        history.made(step);
        self.waker.wake();
        Ok(())
    }

    fn content(&self) -> io::Result<Option<String>> {
        match files::read_to_string(&self.sidecar, LARGEST_OPTIONS_FILE) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn text(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    answer(status, "text/plain; charset=utf-8", text.to_owned())
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // No other page shows this one in a frame, where it could guide clicks. A page's own policy can't
        // specify that.
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Leads to the page without the token in its address, which would go into the history of the browser.
fn with_cookie(token: &Token) -> Response<Full<Bytes>> {
    let mut response = text(StatusCode::SEE_OTHER, "");
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::try_from(token.cookie()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
