//! The token of a server that other machines reach.

use std::fmt::{self, Write};
use std::io;

use hyper::Uri;
use hyper::header::{COOKIE, HeaderMap};

/// Length of the token, bytes: 128 bits can't be guessed.
const LENGTH: usize = 16;
/// Name of the token in the address and of its cookie.
const NAME: &str = "raceline-token";

/// What only those know who have seen the printed address.
#[derive(Clone)]
pub struct Token {
    /// Hexadecimal digits.
    digits: String,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// A random token.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(format!("no random numbers: {error}")))?;
        let digits = bytes.iter().fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02x}");
            digits
        });
        Ok(Self { digits })
    }

    /// The query of an address with the token.
    pub fn query(&self) -> String {
        format!("?{NAME}={}", self.digits)
    }

    /// The cookie, for this server's own pages only and until the browser closes.
    pub fn cookie(&self) -> String {
        format!("{NAME}={}; Path=/; HttpOnly; SameSite=Strict", self.digits)
    }

    /// Whether an address has the token.
    pub fn is_in_query(&self, uri: &Uri) -> bool {
        uri.query().is_some_and(|query| query.split('&').any(|part| self.is_in(part)))
    }

    /// Whether the cookies of a request have the token.
    pub fn is_in_cookies(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies.flat_map(|cookies| cookies.split(';')).any(|cookie| self.is_in(cookie.trim()))
    }

    /// Whether `part` is the token with its name, in a time that does not depend on where they differ.
    fn is_in(&self, part: &str) -> bool {
        let Some(given) = part.strip_prefix(NAME).and_then(|rest| rest.strip_prefix('=')) else { return false };
        let pairs = given.bytes().zip(self.digits.bytes());
        given.len() == self.digits.len() && pairs.fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn only_the_token_itself_is_accepted() {
        let token = Token::new().unwrap();
        let other = Token::new().unwrap();
        assert_eq!(token.digits.len(), 2 * LENGTH);
        assert_ne!(token.digits, other.digits);
        let in_query = |query: &str| token.is_in_query(&format!("/{query}").parse().unwrap());
        assert!(in_query(&token.query()) && in_query(&format!("?a=b&{}", &token.query()[1..])));
        assert!(!in_query("") && !in_query(&other.query()) && !in_query(&token.query()[..20]));
        let in_cookie = |cookie: &str| {
            let cookie = HeaderValue::from_str(cookie).unwrap();
            token.is_in_cookies(&HeaderMap::from_iter([(COOKIE, cookie)]))
        };
        let pair = |token: &Token| token.cookie().split(';').next().unwrap().to_owned();
        assert!(in_cookie(&format!("theme=dark; {}", pair(&token))));
        assert!(!in_cookie(&pair(&other)) && !in_cookie(&format!("x{}", pair(&token))));
    }
}
