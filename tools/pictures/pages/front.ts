import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';

const host = 'push.example.com';

/** A TLS proxy, so that pictures show a service as people reach it: at an address of its own, with https. */
export async function startFront() {
  let target: number | undefined;
  const server = createServer(newCertificate(), (client) => {
    const upstream = connect(target ?? 0, '127.0.0.1');
    pipeline(client, upstream, client, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://${host}`,
    /** With these arguments, Chromium finds the proxy under its name. */
    browserArgs: [`--host-resolver-rules=MAP ${host}:443 127.0.0.1:${port}`],
    leadTo(service: { port: number }): void {
      target = service.port;
    },
    close: () => server.close(),
  };
}

function newCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const newKey = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-noenc',
      '-keyout',
      keyFile,
    ];
    execFileSync('openssl', ['req', '-x509', '-subj', `/CN=${host}`, ...newKey, '-out', certFile], {
      stdio: 'ignore',
    });
    return { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
