import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import type { App } from '../../app-interface.ts';
import { isOpenToStrangers } from '../../features/accounts/registration/open-registration.ts';
import { findSetupToken, setupLink } from '../../features/accounts/registration/setup.ts';
import { createJwtSecretKeeper } from '../../platform/auth/jwt-secrets.ts';
import type { Config } from '../../platform/config.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { RELEASE } from '../../platform/release.ts';
import type { Command } from '../command.ts';
import { describeChoice, recordExternalDatabase, refuseOtherDatabase } from '../database-choice.ts';
import { openInstallation, withDatabase } from '../installation.ts';
import { checkListenAddress, explainListenError } from './listen-address.ts';
import { openServerLog } from './server-log.ts';
import { createWorkers } from './workers/supervisor.ts';
import type { ServerLog } from './server-log.ts';
import { listenForStop } from './stop-request.ts';

export const startCommand: Command = {
  name: 'start',
  usage: '',
  summary: 'Start the server, as `npm start` does',
  words: 0,
  async run({ config, under_npm }) {
    // Listens first, so that no request to stop gets lost while the database starts.
    const stopped = listenForStop({ under_npm });
    const log = openServerLog(config, process.stdout.isTTY ? process.stdout : null);
    try {
      await serve(config, log, stopped);
    } finally {
      log.flush();
    }
  },
};

async function serve(config: Config, { logger, say, write }: ServerLog, stopped: Promise<void>) {
  say(`Overworld ${RELEASE}`);
  const server = await startServer(config, { logger, say, write });
  say('');
  say(`Overworld is running at ${server.address} (release ${RELEASE})`);
  say(server.next_step);
  if (isOpenToStrangers(config)) {
    say(
      'Registration is open: everybody who reaches this server can make an account. REGISTRATION=closed admits invited people only.',
    );
  }
  say('Press Ctrl-C to stop.');
  try {
    await Promise.race([stopped, server.failed]);
    if (config.drain_seconds > 0) {
      say(`Stopping in ${config.drain_seconds} s: /readyz says so to load balancers …`);
      await Promise.race([server.drain(), server.failed]);
    }
  } finally {
    say('Stopping: answering accepted requests …');
    await server.close();
    say('Stopped.');
  }
}

/** Starts database and server. Rejects with an error whose message is one sentence for the user. */
export async function startServer(
  config: Config,
  {
    logger,
    say,
    write,
  }: { logger: BaseLogger; say: (line: string) => void; write: (lines: string) => void },
) {
  refuseOtherDatabase(config);
  await checkListenAddress(config);
  const opening = openInstallation(config, say, { shared: false });
  const [installation, { buildApp }] = await Promise.all([opening, loadServer()]);
  const { connection, embedded } = installation;
  let app: App | undefined;
  try {
    say(
      `PostgreSQL ${installation.postgres_version} is ready, ${embedded ? `data in ${embedded.folder}` : describeChoice(config)}`,
    );
    const setup_token = await withDatabase(connection, async (database) => {
      const applied = await migrate(database, { groups: config.tenant_groups });
      if (applied.length > 0) say(`Database brought up to date (migrations: ${applied.length})`);
      return findSetupToken(database, await createJwtSecretKeeper(database, config));
    });
    recordExternalDatabase(config);
    const running =
      config.workers === 1
        ? await buildApp({ config, connection, logger })
        : createWorkers({ config, connection, logger, writeLog: write });
    app = running;
    const address = await running.listen().catch((error: NodeJS.ErrnoException) => {
      throw explainListenError(error, config);
    });
    const shown = config.port === 0 ? address : config.public_url;
    return {
      /** The server's address, such as `http://127.0.0.1:8080`. */
      address: shown,
      /** The token that makes its holder the administrator; null when there is an administrator. */
      setup_token,
      /** A line that tells the user the next step. */
      next_step:
        setup_token === null
          ? `Next: open ${shown} in a browser`
          : // No character may follow the link directly, because terminals and people would copy it too.
            `Next: open ${setupLink(shown, setup_token)} to make the administrator's account`,
      /** Rejects when the server cannot go on. */
      failed: new Promise<never>((_resolve, reject) => {
        void embedded?.exited.then((reason) => {
          if (reason !== null) reject(reason);
        });
      }),
      /** Tells load balancers that this server will stop, and keeps serving for `DRAIN_SECONDS`. */
      drain: () => running.drain(config.drain_seconds * 1_000),
      async close() {
        await running.close();
        await installation.close();
      },
    };
  } catch (error) {
    await app?.close();
    await installation.close();
    throw error;
  }
}

/**
 * Loads the modules of the server. Loading takes as long as the start of PostgreSQL, and happens at the
 * same time.
 */
async function loadServer() {
  // Loading keeps this thread busy, so PostgreSQL's process must be started first.
  await nextTurn();
  return import('../../app.ts');
}
