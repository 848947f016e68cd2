// A program for tests. It starts PostgreSQL on the folder that its argument names, writes messages as
// lines of JSON, stops at SIGTERM and SIGINT like the server, and exits when its standard input ends.
import { EmbeddedPostgresError } from '../error.ts';
import { startEmbeddedPostgres } from '../supervisor.ts';
import type { ServerMessage } from './server-process.ts';

function say(message: ServerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

process.stdin.resume();
process.stdin.on('end', () => process.exit());

try {
  const postgres = await startEmbeddedPostgres({
    dataDir: process.argv[2]!,
    log: (message) => say({ log: message }),
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void postgres.stop());
  const { url, created, folder, notes } = postgres;
  say({ ready: { url, created, folder, notes } });
  const reason = await postgres.exited;
  say({ exited: reason?.message ?? null });
  process.exit();
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  say({ error: error.message });
  process.exit(1);
}
