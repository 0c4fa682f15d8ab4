//! The server: its routes, and what it refuses.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use oxhttp::model::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use oxhttp::model::{Body, Method, Request, Response, StatusCode};

use super::board::Board;
use super::file_watch::Waker;
use super::sidecar_edit::{Edit, EditError, edited};
use raceline_file::files::{self, LARGEST_OPTIONS_FILE};

/// Time in which a browser must have sent its request.
const PATIENCE: Duration = Duration::from_secs(30);
/// Connections at one time: a browser opens six.
const MAX_CONNECTIONS: usize = 32;
/// Longest text of edits, bytes.
const LONGEST_EDITS: u64 = 1 << 20;
/// Sidecars that can be brought back.
const MAX_UNDONE: usize = 100;

/// A server that shows a [`Board`].
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    board: Arc<Board>,
    /// The script that the page loads as `charts.js`.
    charts: &'static str,
    editor: Option<Editor>,
}

/// Writes a file whole or not at all.
pub type WriteFile = dyn Fn(&Path, &[u8]) -> io::Result<()> + Send + Sync;

/// The sidecar that the page may change.
struct Editor {
    sidecar: PathBuf,
    write: Box<WriteFile>,
    waker: Waker,
    /// Contents before each edit, `None` where there was no file.
    before: Mutex<Vec<Option<String>>>,
}

impl fmt::Debug for Editor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor").field("sidecar", &self.sidecar).finish_non_exhaustive()
    }
}

impl Server {
    /// A server of `board` at `ip` and `port`; port 0 is any that is free. Its pages load `charts`, a
    /// script, from beside them.
    ///
    /// # Errors
    /// The port is taken, or the address is not this machine's.
    pub fn new(ip: IpAddr, port: u16, board: Arc<Board>, charts: &'static str) -> io::Result<Self> {
        // The address is free, and a port of 0 has become one, before the first line is made.
        let address = TcpListener::bind((ip, port))?.local_addr()?;
        Ok(Self { address, board, charts, editor: None })
    }

    /// A server whose page may change `sidecar` with `write`; `waker` is notified of each change.
    #[must_use]
    pub fn with_editor(mut self, sidecar: PathBuf, write: Box<WriteFile>, waker: Waker) -> Self {
        self.editor = Some(Editor { sidecar, write, waker, before: Mutex::default() });
        self
    }

    /// Address of the page.
    #[must_use]
    pub fn url(&self) -> String {
        let ip = if self.address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { self.address.ip() };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// Starts to answer, in threads of its own.
    ///
    /// # Errors
    /// Another program has taken the address since.
    pub fn start(self) -> io::Result<()> {
        let address = self.address;
        let server = oxhttp::Server::new(move |request| self.answer(request))
            .with_global_timeout(PATIENCE)
            .with_max_concurrent_connections(MAX_CONNECTIONS)
            .bind(address);
        server.spawn().map(drop)
    }

    fn answer(&self, request: &mut Request<Body>) -> Response<Body> {
        if !self.is_from_here(request) {
            return text(StatusCode::FORBIDDEN, "this server answers only its own page");
        }
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/") => answer(StatusCode::OK, "text/html; charset=utf-8", self.board.page()),
            (&Method::GET, "/charts.js") => kept(self.charts),
            (&Method::GET, "/state") => match serde_json::to_string(&self.board.state()) {
                Ok(state) => answer(StatusCode::OK, "application/json", state),
                Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
            },
            (&Method::POST, "/edit") => self.edited(|editor| editor.edit(request.body_mut())),
            (&Method::POST, "/undo") => self.edited(Editor::undo),
            (&Method::GET | &Method::POST, _) => text(StatusCode::NOT_FOUND, "there is nothing here"),
            _ => text(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST"),
        }
    }

    /// Whether a request names this server by its own address, and comes from its own page if it
    /// changes something. Another site's page in the same browser can do neither.
    fn is_from_here(&self, request: &Request<Body>) -> bool {
        let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
        let Some(host) = header(HOST) else { return false };
        let named = host == self.address.to_string()
            || self.address.ip().is_loopback() && host == format!("localhost:{}", self.address.port())
            // Who lets it listen everywhere reaches it by any of the machine's addresses.
            || self.address.ip().is_unspecified() && host.parse::<SocketAddr>().is_ok();
        let own = format!("http://{host}");
        named
            && match header(ORIGIN) {
                Some(origin) => origin == own,
                None => request.method() == Method::GET,
            }
    }

    fn edited(&self, change: impl FnOnce(&Editor) -> Result<(), Refused>) -> Response<Body> {
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
        let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
        let text = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
        Self(StatusCode::UNPROCESSABLE_ENTITY, text)
    }
}

impl Editor {
    fn edit(&self, body: &mut Body) -> Result<(), Refused> {
        let mut json = Vec::new();
        body.take(LONGEST_EDITS).read_to_end(&mut json)?;
        let edits: Vec<Edit> = serde_json::from_slice(&json)
            .map_err(|error| Refused(StatusCode::BAD_REQUEST, format!("these are no edits: {error}")))?;
        let mut undo = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.content()?;
        let after = edited(&self.sidecar, before.as_deref().unwrap_or_default(), &edits)?;
        (self.write)(&self.sidecar, after.as_bytes())?;
        if undo.len() == MAX_UNDONE {
            undo.remove(0);
        }
        undo.push(before);
        self.waker.wake();
        Ok(())
    }

    fn undo(&self) -> Result<(), Refused> {
        let mut undo = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let nothing = || Refused(StatusCode::UNPROCESSABLE_ENTITY, "there is nothing to undo".to_owned());
        match undo.pop().ok_or_else(nothing)? {
            Some(content) => (self.write)(&self.sidecar, content.as_bytes())?,
            None => fs::remove_file(&self.sidecar)?,
        }
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

fn text(status: StatusCode, text: &str) -> Response<Body> {
    answer(status, "text/plain; charset=utf-8", text.to_owned())
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Response<Body> {
    with_headers(status, kind, "no-store", body.into())
}

/// A script that never changes under its address, so that a browser compiles it once.
fn kept(script: &'static str) -> Response<Body> {
    let caching = "max-age=31536000, immutable";
    with_headers(StatusCode::OK, "text/javascript; charset=utf-8", caching, script.into())
}

fn with_headers(status: StatusCode, kind: &'static str, caching: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, caching), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    for (name, value) in headers {
        response.headers_mut().insert(name, oxhttp::model::HeaderValue::from_static(value));
    }
    response
}
