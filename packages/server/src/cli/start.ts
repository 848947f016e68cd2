import pino from 'pino';
import { buildApp } from '../app.ts';
import type { App } from '../app.ts';
import type { Config } from '../platform/config.ts';
import { migrate } from '../platform/database/migrate.ts';
import { sql } from '../platform/database/sql.ts';
import { RELEASE } from '../platform/release.ts';
import type { Command } from './command.ts';
import { openInstallation, withDatabase } from './installation.ts';
import { checkListenAddress, explainListenError } from './listen-address.ts';
import { listenForStop } from './stop-request.ts';

export const startCommand: Command = {
  name: 'start',
  usage: '',
  summary: 'Start the server; what `npm start` does',
  words: 0,
  async run({ config, say }) {
    // From the very start on: a stop that comes while the database starts must not get lost.
    const stopped = listenForStop();
    say(`Overworld ${RELEASE}`);
    const server = await startServer(config, say);
    say('');
    say(`Overworld is running at ${server.address}`);
    say(server.next_step);
    say('Press Ctrl-C to stop.');
    try {
      await Promise.race([stopped, server.failed]);
    } finally {
      say('Stopping: answering what was accepted …');
      await server.close();
      say('Stopped.');
    }
  },
};

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`. */
  address: string;
  /** One line: what to do now. */
  next_step: string;
  /** Rejects when the server cannot go on. */
  failed: Promise<never>;
  close(): Promise<void>;
}

/** Starts database and server. Rejects with an error whose message is one sentence for the user. */
export async function startServer(
  config: Config,
  say: (line: string) => void,
): Promise<RunningServer> {
  await checkListenAddress(config);
  const installation = await openInstallation(config, say, { shared: false });
  const { connection, embedded } = installation;
  let app: App | undefined;
  try {
    say(
      `PostgreSQL ${installation.postgres_version} is ready${embedded ? `, data in ${embedded.folder}` : ''}`,
    );
    const isEmpty = await withDatabase(connection, async (database) => {
      const applied = await migrate(database);
      if (applied.length > 0) say(`Database brought up to date (migrations: ${applied.length})`);
      return (await database.queryOne(sql`SELECT 1 FROM accounts LIMIT 1`)) === null;
    });
    app = await buildApp({ config, connection, logger: pino({ level: config.log_level }) });
    const address = await app.listen().catch((error: NodeJS.ErrnoException) => {
      throw explainListenError(error, config);
    });
    const shown = config.port === 0 ? address : config.public_url;
    return {
      address: shown,
      next_step: isEmpty
        ? `Next: make the first account at ${shown}/register`
        : `Next: open ${shown} in a browser`,
      failed: new Promise((_resolve, reject) => {
        void embedded?.exited.then((reason) => {
          if (reason !== null) reject(reason);
        });
      }),
      async close() {
        await app?.close();
        await installation.close();
      },
    };
  } catch (error) {
    await app?.close();
    await installation.close();
    throw error;
  }
}
