//! Whose certificate is trusted and which proxy is used is the environment's to say. The environment is a process's own,
//! so that each case runs in a child: this test binary again, with one test chosen.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use std::process::Command;
use std::sync::Arc;

use common::made::CREATE_ISSUE;
use common::scripted::{Answer, Scripted};
use common::{TOKEN, block_on, forge_at, limits};
use forgehand::operations::{Code, run};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::json;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Names the forge that a child calls.
const CHILD: &str = "FORGEHAND_TRUST_TEST_BASE";

/// The child's part: one write, whose outcome it prints.
#[test]
fn child() {
    let Ok(base) = std::env::var(CHILD) else { return };
    let given = json!({"owner": "acme", "repo": "widget", "title": "t"});
    let outcome = block_on(async {
        run(&forge_at(&base), &CREATE_ISSUE, given.as_object().unwrap().clone(), &limits()).await
    });
    println!("{outcome:?}");
}

/// Calls a forge from a child with this environment and gives what it printed.
async fn call_from_child(base: &str, environment: &[(&str, &str)]) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child", "--nocapture"]).env(CHILD, base);
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir"] {
        child.env_remove(name).env_remove(name.to_uppercase());
    }
    child.envs(environment.iter().copied());
    let output = tokio::task::spawn_blocking(move || child.output().unwrap()).await.unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!said.contains(TOKEN) && !said.contains("pr0xy-pw"), "a secret is shown: {said}");
    said
}

/// A TLS forge with a certificate of its own, and that certificate as PEM.
async fn tls_forge() -> (Scripted, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], PrivateKeyDer::Pkcs8(signing_key.serialize_der().into()))
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    (Scripted::tls([Answer::json(201, r#"{"number": 1}"#)], acceptor).await, cert.pem())
}

#[test]
fn an_unknown_certificate_is_named_as_such_and_gets_nothing() {
    block_on(async {
        let (forge, _) = tls_forge().await;
        let base = format!("https://localhost:{}", forge.port());
        let given = json!({"owner": "acme", "repo": "widget", "title": "t"});
        let error = run(&forge_at(&base), &CREATE_ISSUE, given.as_object().unwrap().clone(), &limits()).await;
        let error = error.unwrap_err();
        assert_eq!(error.code, Code::Unreachable);
        assert!(error.message.starts_with("the forge's certificate is not trusted: "), "{}", error.message);
        assert_eq!(forge.lines(), Vec::<String>::new());
    });
}

#[test]
fn ssl_cert_file_makes_a_private_authority_trusted() {
    block_on(async {
        let (forge, pem) = tls_forge().await;
        let file = std::env::temp_dir().join(format!("forgehand-trust-{}.pem", std::process::id()));
        std::fs::write(&file, pem).unwrap();
        let base = format!("https://localhost:{}", forge.port());
        let said = call_from_child(&base, &[("SSL_CERT_FILE", file.to_str().unwrap())]).await;
        std::fs::remove_file(&file).unwrap();
        assert!(said.contains("Ok(Json("), "{said}");
        assert_eq!(forge.lines(), ["POST /api/v1/repos/acme/widget/issues"]);
    });
}

#[test]
fn a_proxy_is_used_except_for_the_hosts_that_are_excluded() {
    block_on(async {
        let proxy = Scripted::new([Answer::json(201, r#"{"number": 1}"#)]).await;
        let address = proxy.base().replace("http://", "http://ana:pr0xy-pw@");
        call_from_child("http://forge.example/git", &[("HTTP_PROXY", &address), ("http_proxy", &address)])
            .await;
        assert_eq!(proxy.lines(), ["POST http://forge.example/git/api/v1/repos/acme/widget/issues"]);

        let proxy = Scripted::new([Answer::empty(502)]).await;
        let address = proxy.base().replace("http://", "http://ana:pr0xy-pw@");
        let said = call_from_child("https://forge.example", &[("HTTPS_PROXY", &address)]).await;
        assert_eq!(proxy.lines(), ["CONNECT forge.example:443"]);
        assert_eq!(proxy.request().header("authorization"), None, "the token is for the forge alone");
        assert!(said.contains("Unreachable"), "a tunnel that is not made sends nothing: {said}");

        let proxy = Scripted::new([Answer::empty(502)]).await;
        let forge = Scripted::new([Answer::json(201, r#"{"number": 1}"#)]).await;
        let (address, base) = (proxy.base(), forge.base());
        let environment =
            [("HTTP_PROXY", address.as_str()), ("http_proxy", &address), ("NO_PROXY", "127.0.0.1")];
        let said = call_from_child(&base, &environment).await;
        assert!(said.contains("Ok(Json("), "{said}");
        assert_eq!((proxy.lines().len(), forge.lines().len()), (0, 1));
    });
}
