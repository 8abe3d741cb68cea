//! Lines that are written by a thread of their own, so that nobody waits for whoever reads them: a client need not read
//! the standard error of its server, and a full pipe would stop it. What finds no room is dropped, and how many lines
//! that were is told as soon as something is read again.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How many bytes may wait to be written; a line is taken while fewer do.
const MOST_WAITING: usize = 1024 * 1024;

/// How long the end waits for what is yet to be written.
const LAST_MOMENT: Duration = Duration::from_millis(500);

enum Told {
    Line(Vec<u8>),
    /// Everything before this was written.
    End(Sender<()>),
}

#[derive(Debug, Default)]
struct Counts {
    /// Bytes that wait to be written.
    waiting: AtomicUsize,
    /// Lines that were dropped and not told of.
    dropped: AtomicU64,
}

/// Takes lines. Clones share the thread.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    sender: Sender<Told>,
    counts: Arc<Counts>,
}

/// Waits on drop, for half a second at most, until what was sent before is written.
#[derive(Debug)]
#[must_use = "what is logged last is written when this is dropped"]
pub(crate) struct Last(Lines);

/// Lines that a new thread writes to `output`, which may block.
pub(super) fn lines(output: impl Write + Send + 'static) -> (Lines, Last) {
    let (sender, receiver) = channel();
    let counts = Arc::<Counts>::default();
    let lines = Lines { sender, counts: Arc::clone(&counts) };
    // Where there is no thread to be had nobody receives, and what is sent is dropped.
    let _ =
        std::thread::Builder::new().name("log".to_owned()).spawn(move || write(output, &receiver, &counts));
    (lines.clone(), Last(lines))
}

impl Lines {
    /// Sends a line, with its end; never waits.
    pub(super) fn send(&self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    fn send_bytes(&self, line: &[u8]) {
        if self.counts.waiting.load(Ordering::Relaxed) >= MOST_WAITING {
            self.counts.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.counts.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let _ = self.sender.send(Told::Line(line.to_vec()));
    }
}

/// Each call is a line: that is how `tracing_subscriber` writes events.
impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        self.send_bytes(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Drop for Last {
    fn drop(&mut self) {
        let (written, end) = channel();
        if self.0.sender.send(Told::End(written)).is_ok() {
            let _ = end.recv_timeout(LAST_MOMENT);
        }
    }
}

fn write(mut output: impl Write, receiver: &Receiver<Told>, counts: &Counts) {
    for told in receiver {
        // Where nothing can be written there is nobody to tell.
        if let Told::Line(line) = &told {
            let _ = output.write_all(line);
            counts.waiting.fetch_sub(line.len(), Ordering::Relaxed);
        }
        let dropped = counts.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let _ =
                writeln!(output, "forgehand: {dropped} lines of the log were dropped, since nobody read it");
        }
        if let Told::End(written) = told {
            let _ = written.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// An output that takes something each time that it may.
    struct Gate(Receiver<()>, Arc<Mutex<Vec<u8>>>);

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _ = self.0.recv();
            self.1.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_for_who_does_not_read_and_what_was_dropped_is_told_after_what_was_kept() {
        let (open, gate) = sync_channel(0);
        let written = Arc::<Mutex<Vec<u8>>>::default();
        let (lines, last) = lines(Gate(gate, Arc::clone(&written)));
        let line = format!("{}\n", "x".repeat(1023));
        for _ in 0..3000 {
            lines.send(&line);
        }
        assert!(lines.counts.waiting.load(Ordering::Relaxed) <= MOST_WAITING + line.len());
        // From here on it is read.
        drop(open);
        drop(last);
        let written = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        let whole = written.lines().filter(|written| written.len() == 1023).count();
        assert!((1024..1030).contains(&whole), "{whole}");
        let told = format!("forgehand: {} lines of the log were dropped", 3000 - whole);
        assert_eq!(written.matches(&told).count(), 1, "{told}");
    }
}
