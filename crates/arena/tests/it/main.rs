//! Integration tests of the arena: pages talk to a server over real sockets.

mod blokus;
mod client;
mod disk;
mod faults;
mod forms;
mod four_player;
mod games;
mod hints;
mod history;
mod kung_fu;
mod limits;
mod lobby;
mod network;
mod senses;
mod study;
mod thoughts;
mod wire;
