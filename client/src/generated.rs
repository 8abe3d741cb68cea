//! What the build script made of the pinned document: [`Api`], [`types`], [`untyped`] and [`OPERATIONS`].

#![allow(clippy::all, rustdoc::all, reason = "what progenitor writes is not ours to style")]

include!(concat!(env!("OUT_DIR"), "/api.rs"));
