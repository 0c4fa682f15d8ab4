//! Tables of text: what RFC 4180 and hand-written files contain.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::panic, clippy::unwrap_used)]

use proptest::prelude::*;
use raceline_file::table::{Table, TableError, quoted};

/// The fields of every row, the header first.
fn fields(text: &str) -> Vec<Vec<String>> {
    let table = Table::read_uneven(text, |field| field == "x_m").unwrap();
    table.header.iter().chain(&table.rows).map(|row| row.fields.iter().map(ToString::to_string).collect()).collect()
}

fn open_quote(text: &str) -> (usize, usize) {
    match Table::read(text.as_bytes(), |field| field == "x_m", "1,2").unwrap_err() {
        TableError::OpenQuote { line, column } => (line, column),
        error => panic!("{error}"),
    }
}

#[test]
fn fields_are_those_of_rfc_4180() {
    for (text, expected) in [
        ("1,\"a \"\"b\"\" c\",2\n", vec!["1", "a \"b\" c", "2"]),
        ("1,\"\"\"\",2", vec!["1", "\"", "2"]),
        ("1,\"a,b;c\td\",2\n", vec!["1", "a,b;c\td", "2"]),
        ("1,\"first\nsecond\",2\n", vec!["1", "first\nsecond", "2"]),
        ("1,\"first\r\nsecond\",2\r\n", vec!["1", "first\r\nsecond", "2"]),
        ("1,\"# no comment\",2\n", vec!["1", "# no comment", "2"]),
        ("1,\"\n# no comment\",2\n", vec!["1", "# no comment", "2"]),
        ("\"1\",\"\",\"2\"\n", vec!["1", "", "2"]),
        ("\u{feff}\"1\",2\n", vec!["1", "2"]),
        // The separator is the one outside quotation marks.
        ("1,\"a;b\",2\n", vec!["1", "a;b", "2"]),
        ("\"a;b\",1\n", vec!["a;b", "1"]),
        ("\"1\" \"a b\" 2\n", vec!["1", "a b", "2"]),
        ("\"1,5\"\t2\n", vec!["1,5", "2"]),
    ] {
        assert_eq!(fields(text), [expected], "{text:?}");
    }
}

#[test]
fn fields_may_have_blanks_about_them_and_a_separator_after_the_last_one() {
    for text in [
        "1,2,3",
        "1;2;3",
        "1\t2\t3",
        "1 2 3",
        "  1   2  3  ",
        "1, 2 ,3,",
        "1;2;3; ",
        " 1 , \"2\" , 3\r\n",
        "\t1\t2\t3\t\t",
        "\"1\" , \"2\", \"3\",",
        "\n\n1,2,3\n\n",
        "1,2,3 \n",
    ] {
        assert_eq!(fields(text), [["1", "2", "3"]], "{text:?}");
    }
    assert_eq!(fields("1 2 3\n  4 \t 5\t6 \n")[1], ["4", "5", "6"]);
    assert_eq!(fields("1,2,,\n"), [["1", "2", ""]]);
    assert_eq!(fields("1,2,\"\"\n"), [["1", "2", ""]]);
    assert_eq!(fields(",1,,2\n"), [["", "1", "", "2"]]);
    assert_eq!(fields("1\t\t2\n"), [["1", "", "2"]]);
    assert_eq!(fields("1,a\"b\"\n"), [["1", "a\"b\""]], "a quotation mark inside a field is text");
    assert!(fields("\u{feff}\r\n \n# comment\n").is_empty());
}

#[test]
fn the_header_is_a_comment_or_the_first_row() {
    for header in
        ["# x_m, y_m", "#x_m,y_m", "## x_m;y_m", "# a note\n# \"x_m\" , y_m\n# another", "x_m,y_m", "\"x_m\",\"y_m\""]
    {
        let text = format!("{header}\n1,2\n");
        let table = Table::read(text.as_bytes(), |field| field.trim_start_matches(['#', ' ']) == "x_m", "1,2").unwrap();
        assert_eq!(table.rows.len(), 1, "{text}");
        assert_eq!(table.header.unwrap().position("y_m"), Some(1), "{text}");
        assert_eq!(table.header_is_comment, header.starts_with('#'), "{text}");
    }
    // Another comment may contain anything.
    assert_eq!(fields("# so called \"x_m\n1,2\n"), [["1", "2"]]);
}

#[test]
fn an_open_quotation_mark_is_reported_at_its_place() {
    assert_eq!(open_quote("\"x_m,y_m\n1,2\n"), (1, 1));
    assert_eq!(open_quote("1,2\n3,\"4\n5,6\n"), (2, 2));
    assert_eq!(open_quote("1,\"2\n\"\n3,\"4\"\"\n5,6\n"), (3, 2));
    assert_eq!(open_quote("1,2\n3,\""), (2, 2));
    let error = Table::read(b"1,\"\n\n\",2\n3\n", |_| false, "1,2").unwrap_err();
    assert_eq!(error, TableError::UnevenRow { line: 4, found: 1, first: 1, wanted: 3 }, "lines within a field count");
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows in prop::collection::vec(prop::collection::vec("[ -~\n\r\t§]{0,12}", 3), 1..6)) {
        let line = |row: &Vec<String>| row.iter().map(|field| quoted(field)).collect::<Vec<_>>().join(",");
        // The first row shows the separator and is no header.
        let text = format!("0,0,0,0,0\n{}", rows.iter().map(|row| format!("0,{},end\n", line(row))).collect::<String>());
        let read = fields(&text);
        for (read, row) in read[1..].iter().zip(&rows) {
            let trimmed: Vec<&str> = row.iter().map(|field| field.trim()).collect();
            prop_assert_eq!(&read[1..4], &trimmed[..]);
        }
        prop_assert_eq!(read.len(), rows.len() + 1);
    }

    #[test]
    fn any_text_is_a_table_or_an_error(text in "[0-9,;\t \"\n\r#xé.]{0,60}") {
        if let Ok(table) = Table::read(text.as_bytes(), |field| field == "x", "1,2") {
            prop_assert!(!table.rows.is_empty());
            let lines = text.lines().count();
            prop_assert!(table.rows.windows(2).all(|pair| pair[0].line < pair[1].line));
            prop_assert!(table.rows.iter().all(|row| (1..=lines).contains(&row.line)));
        }
    }
}
