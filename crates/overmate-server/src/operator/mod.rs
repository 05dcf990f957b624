//! Implements the commands with which operators examine and change the data of a server.

pub(crate) mod admin;
pub(crate) mod admin_error;
pub(crate) mod admin_events;
pub(crate) mod archive;
pub(crate) mod backup;
pub(crate) mod database_copy;
pub(crate) mod doctor;
pub(crate) mod moderation;
