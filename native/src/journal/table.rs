//! Tables whose rows are sealed: the last column of each is a checksum over the others, the
//! table's name and the journal's id. SQLite itself has none, so without it a flipped bit would be
//! another number, and a page of another file one of this.

use rusqlite::{Connection, params_from_iter, types::Value};
use sha2::{Digest, Sha256};

/// Changes when the tables do.
pub const LAYOUT: i32 = 2;

/// Why a table cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    Database(rusqlite::Error),
    /// A row is not as it was written, or not as this program writes it.
    Damaged {
        table: &'static str,
        /// The row's place in the table, from 1.
        row: usize,
    },
}

impl From<rusqlite::Error> for Unreadable {
    fn from(error: rusqlite::Error) -> Unreadable {
        Unreadable::Database(error)
    }
}

/// The checksum of a row: the first eight bytes of a SHA-256.
fn seal(id: i64, table: &str, row: &[Value]) -> i64 {
    let mut digest = Sha256::new();
    digest.update(format!("{id} {table}"));
    for value in row {
        digest.update(match value {
            Value::Null => " n".to_owned(),
            Value::Integer(number) => format!(" i{number}"),
            Value::Real(number) => format!(" r{:x}", number.to_bits()),
            Value::Text(text) => format!(" t{} {text}", text.len()),
            Value::Blob(bytes) => format!(" b{bytes:x?}"),
        });
    }
    let [a, b, c, d, e, f, g, h, ..] = digest.finalize().0;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// Writes a row, in place of one with the same key.
pub fn write(
    connection: &Connection,
    id: i64,
    table: &'static str,
    mut row: Vec<Value>,
) -> rusqlite::Result<()> {
    row.push(Value::Integer(seal(id, table, &row)));
    let places = vec!["?"; row.len()].join(", ");
    let insert = format!("INSERT OR REPLACE INTO {table} VALUES ({places})");
    connection.execute(&insert, params_from_iter(row)).map(drop)
}

/// All rows of a table in the order of their keys, each given to `read` once its seal was found
/// whole. The first row of a table whose `id` is none tells it.
pub fn read<T>(
    connection: &Connection,
    id: Option<i64>,
    table: &'static str,
    read: impl Fn(&mut Columns) -> Option<T>,
) -> Result<Vec<T>, Unreadable> {
    let mut select = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1"))?;
    let columns = select.column_count();
    let mut rows = select.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let damaged = || Unreadable::Damaged { table, row: found.len() + 1 };
        // A text that is no UTF-8 was one.
        let values = (0..columns).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>();
        let mut values = values.map_err(|_| damaged())?;
        let last = values.pop();
        let id = match (id, values.first()) {
            (Some(id), _) | (None, Some(&Value::Integer(id))) => id,
            _ => return Err(damaged()),
        };
        if last != Some(Value::Integer(seal(id, table, &values))) {
            return Err(damaged());
        }
        let mut values = Columns(values.into_iter());
        let value = read(&mut values).filter(|_| values.0.next().is_none());
        found.push(value.ok_or_else(damaged)?);
    }
    Ok(found)
}

/// The columns of a row, one after another; `None` where one is of another kind.
pub struct Columns(std::vec::IntoIter<Value>);

impl Columns {
    /// A whole number that fits.
    pub fn whole<T: TryFrom<i64>>(&mut self) -> Option<T> {
        match self.0.next()? {
            Value::Integer(number) => T::try_from(number).ok(),
            _ => None,
        }
    }

    /// A whole number or nothing.
    pub fn whole_or_null<T: TryFrom<i64>>(&mut self) -> Option<Option<T>> {
        match self.0.next()? {
            Value::Integer(number) => T::try_from(number).ok().map(Some),
            Value::Null => Some(None),
            _ => None,
        }
    }

    /// A number.
    pub fn real(&mut self) -> Option<f64> {
        match self.0.next()? {
            Value::Real(number) => Some(number),
            _ => None,
        }
    }

    pub fn text(&mut self) -> Option<String> {
        match self.0.next()? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
