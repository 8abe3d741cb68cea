//! A fixed order for lists whose pages are cut here: the forge sends the comments of a review in another order each time,
//! and pages cut out of two orders would lose rows and show others twice.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

/// What a row is known by, where it has it.
#[derive(Deserialize)]
struct Row {
    id: i64,
}

/// The same list with its rows by `id`, oldest first; anything that is no list of rows with ids stays as it is.
pub(super) fn by_id(body: Bytes) -> Bytes {
    let Ok(rows) = serde_json::from_slice::<Vec<&RawValue>>(&body) else { return body };
    let ids = rows.iter().map(|row| serde_json::from_str::<Row>(row.get()).map(|row| row.id));
    let Ok(ids) = ids.collect::<Result<Vec<_>, _>>() else { return body };
    if ids.is_sorted() {
        return body;
    }
    let mut rows: Vec<_> = ids.into_iter().zip(rows).collect();
    rows.sort_by_key(|(id, _)| *id);
    let rows: Vec<&str> = rows.iter().map(|(_, row)| row.get()).collect();
    Bytes::from(format!("[{}]", rows.join(",")))
}

/// How many rows a list has; none for anything else.
pub(super) fn count(body: &[u8]) -> u64 {
    serde_json::from_slice::<Vec<&RawValue>>(body).map_or(0, |rows| rows.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_by_id_and_what_has_none_stays() {
        for (given, ordered) in [
            (r#"[{"id":3,"a":[1]}, {"a":{"id":9},"id":1}]"#, r#"[{"a":{"id":9},"id":1},{"id":3,"a":[1]}]"#),
            (r#"[{"id":1},{"id":2}]"#, r#"[{"id":1},{"id":2}]"#),
            (r#"[{"id":2},{"name":"x"},{"id":1}]"#, r#"[{"id":2},{"name":"x"},{"id":1}]"#),
            (r#"[{"id":2},null]"#, r#"[{"id":2},null]"#),
            (r#"{"id":2}"#, r#"{"id":2}"#),
            ("no JSON", "no JSON"),
        ] {
            assert_eq!(by_id(Bytes::from(given)), ordered);
        }
    }
}
