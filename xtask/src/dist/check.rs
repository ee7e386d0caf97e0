//! Whether what is handed out is the same whenever it is made, and works where it is unpacked.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;

use crate::{page, project, serve};

/// How long the server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(20);

/// Removes what earlier builds of the release and the page have left, so that all is made anew.
pub fn clean() -> Result<()> {
    for profile in
        [&["--profile", "release"][..], &["--profile", "wasm", "--target", project::WASM_TARGET]]
    {
        project::run(project::cargo().args(["clean", "--quiet"]).args(profile), "cargo clean")?;
    }
    for folder in [page::folder(), page::site_folder()] {
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("clearing {}", folder.display()))?;
        }
    }
    Ok(())
}

/// Unpacks an archive into an empty folder and has its command count N = 12, say of which commit it
/// is, and serve the page, which is to be that of `page`.
pub fn works(archive: &Path, page: &Path) -> Result<()> {
    let folder = project::target().join("dist/unpacked");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    let file = File::open(archive).with_context(|| format!("opening {}", archive.display()))?;
    tar::Archive::new(GzDecoder::new(file)).unpack(&folder).context("unpacking the archive")?;
    let inside = fs::read_dir(&folder)?.next().context("the archive is empty")??.path();
    for name in ["man/man1/queens.1", "man/man1/queens-count.1", "completions/queens.bash"] {
        let path = inside.join(name);
        ensure!(fs::metadata(&path).is_ok_and(|file| file.len() > 100), "no {}", path.display());
    }
    let command = inside.join(format!("queens{}", std::env::consts::EXE_SUFFIX));
    let commit = serve::commit().context("something is not committed")?;
    for (arguments, expected) in [("count 12 --quiet", "14,200"), ("--version", &commit)] {
        let output = Command::new(&command).args(arguments.split(' ')).output();
        let said = output.with_context(|| format!("starting {}", command.display()))?.stdout;
        let said = String::from_utf8_lossy(&said).into_owned();
        ensure!(said.contains(expected), "queens {arguments} does not say {expected}, but {said}");
    }
    let mut server = Server::start(&command, &folder)?;
    for (address, file) in [("/", "index.html"), ("/queens-web_bg.wasm", "queens-web_bg.wasm")] {
        let expected = fs::read(page.join(file)).with_context(|| format!("reading {file}"))?;
        ensure!(server.get(address)? == expected, "the command does not serve {file} of the page");
    }
    Ok(())
}

/// The command at work; it ends with this.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(command: &Path, folder: &Path) -> Result<Server> {
        // Free now, and most likely a moment later, too.
        let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let store: PathBuf = folder.join("results.sqlite");
        let child = Command::new(command)
            .args(["serve", "--listen", &address.to_string(), "--store"])
            .arg(store)
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", command.display()))?;
        Ok(Server { child, address })
    }

    /// The body of an answer, once there is one.
    fn get(&mut self, path: &str) -> Result<Vec<u8>> {
        let end = Instant::now() + PATIENCE;
        let mut stream = loop {
            match TcpStream::connect(self.address) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() > end => {
                    return Err(error).context("the command does not serve");
                }
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        };
        stream.set_read_timeout(Some(PATIENCE))?;
        // Version 1.0, so that the body ends with the connection.
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let Some(end) = end.filter(|_| answer.starts_with(b"HTTP/1.0 200")) else {
            bail!(
                "the command has no {path}: {}",
                String::from_utf8_lossy(&answer[..answer.len().min(200)])
            );
        };
        Ok(answer.split_off(end + 4))
    }
}
