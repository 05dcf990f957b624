//! Reads and writes files of deals and their values, for the Python module `overmate.data`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use numpy::PyArray1;
use overmate_data::{DealColumn, DealFile, DealTable};
use overmate_rules::RuleSet;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{DataError, RulesError, raise};
use crate::solver::Numbers;

/// NumPy array of 32-bit integers.
type Array<'py> = Bound<'py, PyArray1<i32>>;

/// Columns of a file of deals and their values, as Python objects. The columns are `deal`, `same_as`, `first`, `second`, the
/// values by rule set, and the metadata.
type Columns<'py> = (
    Array<'py>,
    Array<'py>,
    Vec<String>,
    Vec<String>,
    Bound<'py, PyDict>,
    BTreeMap<String, String>,
);

/// Reads the columns of a file of deals and their values. `rules` names the columns of values; None means all columns of
/// values.
#[pyfunction]
pub(crate) fn read_data(
    py: Python<'_>,
    path: PathBuf,
    rules: Option<Vec<String>>,
) -> PyResult<Columns<'_>> {
    let read = py.detach(|| {
        let file = DealFile::open(&path)?;
        let names = match &rules {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => file.names(),
        };
        Ok((file.read(&names)?, file.metadata().clone()))
    });
    let (table, metadata) =
        read.map_err(|error: overmate_data::DataError| raise::<DataError>(&error))?;
    let values = PyDict::new(py);
    for DealColumn { rules, values: column } in table.columns() {
        values.set_item(rules, PyArray1::from_slice(py, column))?;
    }
    let [deal, same_as] =
        [table.deals(), table.same_as()].map(|column| PyArray1::from_slice(py, column));
    Ok((deal, same_as, table.first().to_vec(), table.second().to_vec(), values, metadata))
}

/// Writes a file of deals and their values under best play. Each column of `values` is named after a rule set. All rule sets must have the
/// same deck.
#[pyfunction]
pub(crate) fn write_data(
    py: Python<'_>,
    path: PathBuf,
    deals: Numbers,
    values: Vec<(String, Vec<i32>)>,
) -> PyResult<()> {
    let deck = values.first().map_or("sackson", |(name, _)| name.as_str());
    let rules = RuleSet::named(deck).map_err(|error| raise::<RulesError>(&error))?.shared();
    let column = |(rules, values)| DealColumn { rules, values };
    let columns = values.into_iter().map(column).collect();
    py.detach(|| DealTable::new(&rules, deals.0, columns)?.write_parquet(&path))
        .map_err(|error| raise::<DataError>(&error))
}
