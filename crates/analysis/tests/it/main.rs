//! Analysis: oracle and engine against the page, invariants, and each other. A single binary to save
//! link time.

mod compare;
mod engine;
mod fact_rows;
mod invariants;
mod page;
mod positions;
mod symmetry;
