//! Tables with row checksums. The last column of each row is a checksum of the other columns, the table's
//! name and the journal's id.
//!
//! SQLite has no checksums. Without them, a flipped bit would change a number unnoticed, and a page from
//! another journal would be accepted.

use rusqlite::{Connection, params_from_iter, types::Value};
use sha2::{Digest, Sha256};

/// Version of the schema. Increase it when a table changes.
pub const LAYOUT: i32 = 2;

/// Reasons why a table cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    Database(rusqlite::Error),
    /// A row fails its checksum, or its columns have unexpected types or values.
    Damaged {
        table: &'static str,
        /// Number of the row in the table, from 1.
        row: usize,
    },
}

impl From<rusqlite::Error> for Unreadable {
    fn from(error: rusqlite::Error) -> Unreadable {
        Unreadable::Database(error)
    }
}

/// Returns the row checksum: the first eight bytes of a SHA-256 digest.
fn row_checksum(id: i64, table: &str, row: &[Value]) -> i64 {
    let mut digest = Sha256::new();
    digest.update(format!("{id} {table}"));
    for value in row {
        digest.update(match value {
            Value::Null => " n".to_owned(),
            Value::Integer(number) => format!(" i{number}"),
            Value::Real(number) => format!(" r{:x}", number.to_bits()),
            // The length shows where the text ends, because the text may contain anything.
            Value::Text(text) => format!(" t{} {text}", text.len()),
            Value::Blob(bytes) => format!(" b{bytes:x?}"),
        });
    }
    let [a, b, c, d, e, f, g, h, ..] = digest.finalize().0;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// Inserts a row, or replaces the row with the same key.
pub fn write(
    connection: &Connection,
    id: i64,
    table: &'static str,
    mut row: Vec<Value>,
) -> rusqlite::Result<()> {
    row.push(Value::Integer(row_checksum(id, table, &row)));
    let placeholders = vec!["?"; row.len()].join(", ");
    let insert = format!("INSERT OR REPLACE INTO {table} VALUES ({placeholders})");
    connection.execute(&insert, params_from_iter(row)).map(drop)
}

/// Reads all rows of a table in the order of their keys. Verifies the checksum of each row before passing
/// it to `read`. If `id` is `None`, the first column of each row holds the id.
pub fn read<T>(
    connection: &Connection,
    id: Option<i64>,
    table: &'static str,
    read: impl Fn(&mut RowValues) -> Option<T>,
) -> Result<Vec<T>, Unreadable> {
    let mut select = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1"))?;
    let columns = select.column_count();
    let mut rows = select.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let damaged = || Unreadable::Damaged { table, row: found.len() + 1 };
        // SQLite returns invalid UTF-8 only if the row was corrupted.
        let values = (0..columns).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>();
        let mut values = values.map_err(|_| damaged())?;
        let checksum = values.pop();
        let id = match (id, values.first()) {
            (Some(id), _) | (None, Some(&Value::Integer(id))) => id,
            _ => return Err(damaged()),
        };
        if checksum != Some(Value::Integer(row_checksum(id, table, &values))) {
            return Err(damaged());
        }
        let mut values = RowValues(values.into_iter());
        let value = read(&mut values).filter(|_| values.0.next().is_none());
        found.push(value.ok_or_else(damaged)?);
    }
    Ok(found)
}

/// Iterator over the columns of a row. Its methods return `None` if no value is left, or if the next value
/// has another type or is out of range.
pub struct RowValues(std::vec::IntoIter<Value>);

impl RowValues {
    /// Reads an integer that fits in `T`.
    pub fn integer<T: TryFrom<i64>>(&mut self) -> Option<T> {
        match self.0.next()? {
            Value::Integer(number) => T::try_from(number).ok(),
            _ => None,
        }
    }

    /// Reads an integer or NULL.
    pub fn integer_or_null<T: TryFrom<i64>>(&mut self) -> Option<Option<T>> {
        match self.0.next()? {
            Value::Integer(number) => T::try_from(number).ok().map(Some),
            Value::Null => Some(None),
            _ => None,
        }
    }

    /// Reads a floating-point number.
    pub fn real(&mut self) -> Option<f64> {
        match self.0.next()? {
            Value::Real(number) => Some(number),
            _ => None,
        }
    }

    /// Reads a text.
    pub fn text(&mut self) -> Option<String> {
        match self.0.next()? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
