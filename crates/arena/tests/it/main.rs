//! Integration tests of the arena: pages talk to a server over real sockets.

mod analysis;
mod blokus;
mod chat;
mod client;
mod disk;
mod four_player;
mod games;
mod hints;
mod history;
mod inspector;
mod invalid_requests;
mod json_shape;
mod kung_fu;
mod limits;
mod lobby;
mod network;
mod protocol_docs;
mod proxy;
mod restarts;
mod study;
