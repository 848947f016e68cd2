import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootstrapError } from './error.js';
import { root } from './paths.js';

const POLL_MS = 200;
const PATIENCE_MS = 15 * 60_000;

/**
 * Makes sure that only one process at a time installs packages into this checkout. The kernel releases the
 * lock when the process that holds it ends. The lock is a name in Linux's abstract socket namespace, a named
 * pipe on Windows, and an O_EXLOCK file on macOS.
 */
export async function takeInstallLock() {
  const deadline = Date.now() + PATIENCE_MS;
  let told = false;
  for (;;) {
    const lock = process.platform === 'darwin' ? tryFileLock() : await tryNameLock();
    if (lock !== null) return lock;
    if (!told) console.log('Another process is installing here; waiting for it.');
    told = true;
    if (Date.now() > deadline) {
      throw new BootstrapError('Another process has been installing here for 15 minutes; stop it.');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function tryNameLock() {
  const name = lockName();
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`, () =>
      resolve({ release: () => server.close() }),
    );
  });
}

/** Opens the file with O_EXLOCK. Node has no name for this flag, but passes its number on to open(2). */
function tryFileLock() {
  const O_EXLOCK = 0x20;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const descriptor = openSync(join(tmpdir(), lockName()), flags, 0o600);
    return { release: () => closeSync(descriptor) };
  } catch (error) {
    if (error.code === 'EAGAIN') return null;
    throw error;
  }
}

function lockName() {
  return `overworld-install-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`;
}
