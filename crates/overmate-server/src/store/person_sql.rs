//! Parts of SQL queries that find the person of a seat and the seats of a person.
//!
//! A seat keeps the hash of the browser that took it. Queries give the person of this browser, so that everything above the store compares persons.

/// SQL expression for the person who holds a seat, in a query that joins the table of seats.
macro_rules! person {
    () => {
        "coalesce((SELECT person FROM browsers WHERE browser = seats.holder), seats.holder) AS holder"
    };
}

/// SQL query for the browsers whose seats belong to the person in a parameter.
macro_rules! owned {
    ($person:literal) => {
        concat!(
            "(SELECT ",
            $person,
            " UNION ALL SELECT browser FROM browsers WHERE person = ",
            $person,
            ")"
        )
    };
}

pub(super) use {owned, person};
