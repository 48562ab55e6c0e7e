//! Integration tests of the arena: pages talk to a server over real sockets.

mod analysis;
mod blokus;
mod client;
mod disk;
mod faults;
mod forms;
mod four_player;
mod games;
mod hints;
mod history;
mod inspector;
mod kung_fu;
mod limits;
mod lobby;
mod network;
mod study;
mod wire;
