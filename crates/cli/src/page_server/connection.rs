//! A connection in memory, for tests of what the server answers to any bytes.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;

use super::board::{Board, Shown};
use super::file_watch::Waker;
use super::line_files::LineFiles;
use super::server::{Server, WriteFile};
use raceline_editor::{Edit, edited};

/// What a browser has sent, and what it gets.
struct Connection<'a> {
    sent: &'a [u8],
    answers: Rc<RefCell<Vec<u8>>>,
}

impl Read for Connection<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, mut buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        let (now, later) = self.sent.split_at(self.sent.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.sent = later;
        Poll::Ready(Ok(()))
    }
}

impl Write for Connection<'_> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.answers.borrow_mut().extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The bytes that `raceline serve` with its default port answers to `sent`, the bytes of one
/// connection. Edits go to `sidecar` through `write`.
///
/// # Errors
/// The system gives no event loop.
pub fn answers(sent: &[u8], sidecar: &Path, write: Box<WriteFile>) -> io::Result<Vec<u8>> {
    let board = Arc::new(Board::default());
    board.show(Shown { page: Some("the page".to_owned()), ..Shown::default() });
    let files = LineFiles::default();
    let server = Server::in_memory(board).with_editor(sidecar.to_owned(), write, Waker::of_nothing(), files);
    let answers = Rc::new(RefCell::new(Vec::new()));
    let connection = Connection { sent, answers: Rc::clone(&answers) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    // All was sent before the first answer, which must not end the connection.
    let serving = http1::Builder::new()
        .half_close(true)
        .serve_connection(connection, service_fn(|request| server.answered(request)));
    // What is no HTTP ends the connection with an error.
    let _ = runtime.block_on(serving);
    Ok(answers.take())
}

/// `sidecar`, the text of a sidecar, after `edits`, a list in JSON as the page sends it. The result is a
/// valid sidecar.
///
/// # Errors
/// `edits` are not such a list, or the result would not be valid.
pub fn edited_by(sidecar: &str, edits: &[u8]) -> anyhow::Result<String> {
    let edits: Vec<Edit> = serde_json::from_slice(edits)?;
    Ok(edited(Path::new("sidecar.toml"), sidecar, &edits)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::answers;

    const HEAD: &str = "Host: 127.0.0.1:8017\r\nOrigin: http://127.0.0.1:8017\r\n";

    #[test]
    fn requests_of_one_connection_are_answered_in_their_order() {
        let folder = tempfile::TempDir::new().unwrap();
        let sidecar = folder.path().join("a.toml");
        let edit = r#"[{"do": "set", "key": "track_width_m", "value": 8}]"#;
        let sent = format!(
            "GET / HTTP/1.1\r\n{HEAD}\r\nPOST /edit HTTP/1.1\r\n{HEAD}Content-Length: {}\r\n\r\n{edit}\
             DELETE / HTTP/1.1\r\n{HEAD}\r\n",
            edit.len()
        );
        let answered = answers(sent.as_bytes(), &sidecar, Box::new(|path, bytes| fs::write(path, bytes))).unwrap();
        let answered = String::from_utf8(answered).unwrap();
        // A body ends without a line's end.
        let codes: Vec<&str> = answered.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.get(..3)).collect();
        assert_eq!(codes, ["200", "200", "405"], "{answered}");
        assert!(answered.contains("the page"), "{answered}");
        assert_eq!(fs::read_to_string(&sidecar).unwrap(), "track_width_m = 8\n");
    }

    #[test]
    fn what_is_no_request_gets_no_page() {
        let refuse = || Box::new(|_: &std::path::Path, _: &[u8]| unreachable!("nothing is written"));
        for sent in ["", "GET", "GET / HTTP/1.1\r\n\r\n", "\0\r\n\r\n", "POST /edit HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let answered = answers(sent.as_bytes(), std::path::Path::new("no.toml"), refuse()).unwrap();
            assert!(!String::from_utf8_lossy(&answered).contains("200 OK"), "{sent:?}");
        }
    }
}
