// Runs Overworld and the game Moonward side by side, for `npm run example`.
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';
import { CommandError } from '../../packages/server/src/cli/command.ts';
import { openServerLog } from '../../packages/server/src/cli/start/server-log.ts';
import { startServer } from '../../packages/server/src/cli/start/start.ts';
import { listenForStop } from '../../packages/server/src/cli/start/stop-request.ts';
import { ConfigError } from '../../packages/server/src/platform/config-error.ts';
import { readConfig } from '../../packages/server/src/platform/config.ts';
import { EmbeddedPostgresError } from '../../packages/server/src/platform/embedded-postgres/error.ts';
import { serveGame } from './setup/game-server.ts';
import { writeKept } from './setup/kept-file.ts';
import { logIn, LoginError, readLogin } from './setup/kept-login.ts';
import type { KeptLogin } from './setup/kept-login.ts';
import { submitRivals } from './setup/rivals.ts';
import { registerAccounts, setUpGame } from './setup/set-up-game.ts';
import { createAccountServer } from './studio/account-server.ts';
import { Accounts } from './studio/accounts.ts';

const folder = import.meta.dirname;
const say = (line: string) => console.log(line);

try {
  await runExample();
} catch (error) {
  const forUser = [CommandError, ConfigError, EmbeddedPostgresError, LoginError];
  if (!forUser.some((kind) => error instanceof kind)) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function runExample(): Promise<void> {
  const stopped = listenForStop({ under_npm: process.env.npm_lifecycle_event !== undefined });
  const game_port = readGamePort();
  const config = readConfig({
    ...process.env,
    PORT: process.env.PORT || '8090',
    PUBLIC_URL: '',
    DATA_DIR: process.env.DATA_DIR || join(folder, 'data'),
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  });
  const { host } = config;
  const log = openServerLog(config, null);
  // Each start can make a new secret, because a token that is signed with the secret is valid for only a
  // minute.
  const login_secret = randomBytes(32).toString('base64url');
  const accounts = await Accounts.open(join(config.data_dir, 'moonward-accounts.json'));
  let access: { port: string; api_key: string } | null = null;
  // The game listens before the database starts, so a port in use is reported immediately.
  const game_server = await serveGame(
    {
      folder: join(folder, 'dist'),
      host,
      port: game_port,
      answerAccounts: createAccountServer(accounts, login_secret),
    },
    (host_name) =>
      access && { base_url: `http://${host_name}:${access.port}`, api_key: access.api_key },
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new CommandError(
      `Port ${game_port} on ${host} is already in use: stop the program that uses it, or choose another port for the game, such as GAME_PORT=${game_port + 1}.`,
    );
  });
  try {
    await build({ configFile: join(folder, 'vite.config.ts') });
    const server = await startServer(config, { ...log, say });
    try {
      const login_path = join(config.data_dir, 'moonward.json');
      const login = await readLogin(login_path);
      await writeKept(login_path, login);
      const token = await logIn(server, login);
      const game = await setUpGame(server.address, token, login.game);
      await writeKept(login_path, { ...login, game });
      await registerAccounts(server.address, token, game.game_id, login_secret);
      await submitRivals(server.address, game);
      access = { port: new URL(server.address).port, api_key: game.api_key };
      explain(addressOf(game_server, server.address), server.address, game.game_id, login);
      await Promise.race([stopped, server.failed]);
    } finally {
      say('Stopping …');
      await server.close();
      say('Stopped.');
    }
  } finally {
    game_server.close();
    game_server.closeAllConnections();
    log.flush();
  }
}

/** Returns the URL of the game, with the same host name as that of the Overworld server. */
function addressOf(game_server: Server, server_address: string): string {
  const { port } = game_server.address() as AddressInfo;
  return `http://${new URL(server_address).hostname}:${port}`;
}

function readGamePort(): number {
  const text = process.env.GAME_PORT || '8091';
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new CommandError(`GAME_PORT must be a whole number from 0 to 65535, but is "${text}".`);
}

function explain(game: string, dashboard: string, game_id: string, login: KeptLogin): void {
  const page = (name: string) => `${dashboard}/games/${game_id}/production/${name}`;
  say(`
Moonward is running.

  Play                        ${game}
  Change the difficulty here  ${page('config')}
                              weather: "calm", "breeze" or "gale"; dawn_speed: 0.5 to 3
  Dashboard                   ${dashboard}
                              ${login.email}, password ${login.password}

Try this:
  - Play a night, change the weather in the dashboard, and come back to the game.
  - Open the game in a second tab, play in both: neither loses anything.
  - Play on a second device or browser: Account and devices, Make a code, Enter a code.
  - Or make a Moonward account, and sign in with it on the second device.
  - Switch the network off in the browser's tools, play on, switch it on again.
  - Find the two hidden achievements. They are not in the list.
  - See yourself arrive under Players and Events: ${page('players')}

Press Ctrl-C to stop.`);
}
