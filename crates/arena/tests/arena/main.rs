//! The arena from the outside: pages talk to a server over real sockets.

mod blokus;
mod client;
mod faults;
mod four_player;
mod games;
mod hints;
mod history;
mod kung_fu;
mod lobby;
mod study;
mod thoughts;
