import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fileStore } from '../../packages/sdk/src/stores/file-store.ts';
import { Overworld } from '../../packages/sdk/src/overworld.ts';
import { FOREIGN_ANSWERS, startProxy } from '../../packages/sdk/test/proxy.ts';
import type { Fate } from '../../packages/sdk/test/proxy.ts';
import { openWebGame } from '../../packages/sdk/test/web-game.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import { godot } from '../../sdks/test/godot/godot.ts';
import { makeGame } from '../load/game.ts';
import { makeFolder } from '../machine/folder.ts';
import { Server } from '../machine/server.ts';
import type { ServerSettings } from '../machine/server.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import type { Report } from '../suite.ts';
import type { Said } from './bot.ts';
import { createGodotPlayer, startGodotGame } from './godot-player.ts';
import { Ledger } from './ledger.ts';
import { createLives, createNodePlayer, createTabPlayer } from './players.ts';
import type { Player } from './players.ts';

const PAGE_BOT = fileURLToPath(new URL('page-bot.ts', import.meta.url));
const TABS = ['tab-1', 'tab-2'];
/** The timeout of a request of the SDK. It is short, so that many attempts fit into a round. */
const TIMEOUT_MS = 1_000;
const FLUSH_INTERVAL_MS = 50;
/**
 * All waiting events must be sent within this time. After failures, the SDK may make the next attempt
 * only after a minute.
 */
const PATIENCE_MS = 60_000;

/**
 * The states of the network. Each lists the faults that a request
 * can meet, with their probabilities. All other requests pass.
 */
const WEATHERS: Record<string, [Fate, number][]> = {
  calm: [],
  slow: [[{ delay_ms: 60 }, 0.8]],
  lossy: [
    ['refuse', 0.1],
    ['cut_request', 0.1],
    ['lose_answer', 0.2],
    ['cut_answer', 0.1],
    ['hang', 0.02],
  ],
  'one way': [['lose_answer', 0.9]],
  dead: [['refuse', 1]],
  foreign: FOREIGN_ANSWERS.map((answer) => [answer, 0.9 / FOREIGN_ANSWERS.length]),
};

/**
 * Lets bots play: one on Node, one in Godot if it is there, and two in tabs of a browser. The two in tabs are
 * the same player. Meanwhile, faults strike the network, the server and the games at random. Afterwards looks
 * for every event and save that the SDK reported as stored.
 */
export async function attackClients(
  report: Report,
  attack: {
    rounds: number;
    within_seconds: number;
    seed: number;
    server: ServerSettings;
    /** The path of a browser. Null if there is none; then no bots play in tabs. */
    chromium_path: string | null;
  },
): Promise<void> {
  const random = createRandom(attack.seed);
  await using folder = await makeFolder();
  await using machine = await startMachine(attack.server);
  await using proxy = await startProxy(() => attack.server.port);
  const game = await withDatabase(machine.server.connection, (db) => makeGame(db, 'UTC'));
  const ledger = new Ledger();
  const onSaid = (said: Said) => ledger.note(said);
  const options = {
    baseUrl: proxy.url,
    apiKey: game.key,
    timeoutMs: TIMEOUT_MS,
    flushIntervalMs: FLUSH_INTERVAL_MS,
  };

  ledger.addStream('node', 'node');
  const players: Player[] = [
    createNodePlayer({
      stream: 'node',
      folder: folder.path,
      options: { ...options, playerId: 'node' },
      onSaid,
    }),
  ];
  await using home = await makeFolder();
  const godot_options = {
    base_url: proxy.url,
    api_key: game.key,
    player_id: 'godot',
    flush_interval_seconds: FLUSH_INTERVAL_MS / 1_000,
    timeout_seconds: TIMEOUT_MS / 1_000,
  };
  if (!godot.skip) {
    ledger.addStream('godot', 'godot');
    const settings = { stream: 'godot', home: home.path, options: godot_options, onSaid };
    players.push(createGodotPlayer(settings));
  }
  const web = attack.chromium_path ? await openWebGame(PAGE_BOT, attack.chromium_path) : null;
  const context = await web?.browser.newContext();
  await context?.exposeFunction('say', onSaid);
  await context?.exposeFunction('next', createLives());
  for (const stream of web ? TABS : []) {
    ledger.addStream(stream, 'tabs');
    const tab = { stream, web: web!, context: context!, options: { ...options, playerId: 'tabs' } };
    players.push(createTabPlayer(tab));
  }

  const struck: Record<string, number> = {};
  const turn = (weather: string) => {
    proxy.decide = () => chooseFate(random, WEATHERS[weather]!);
  };
  const strike = async (): Promise<string> => {
    const chance = random.next();
    if (chance < 0.06) return machine.kill();
    if (chance < 0.5) return random.pick(players).strike(random.below(4));
    const weather = random.pick(Object.keys(WEATHERS));
    turn(weather);
    return `network: ${weather}`;
  };
  try {
    for (const player of players) await player.start();
    turn('lossy');
    const until = performance.now() + attack.within_seconds * 1_000;
    let rounds = 0;
    while (rounds < attack.rounds && performance.now() < until) {
      rounds++;
      await sleep(20 + random.below(200));
      // The fifth round kills the server, so even a short run includes that.
      const blow = rounds === 5 ? await machine.kill() : await strike();
      struck[blow] = (struck[blow] ?? 0) + 1;
      if (rounds % 50 === 0) report.say(`${rounds} rounds`);
    }
    report.figure('rounds', rounds);
    await sleep(200);
    for (const player of players) await player.end();

    proxy.decide = () => 'pass';
    const page = await context?.newPage();
    const tabs = { ...options, playerId: 'tabs' };
    await page?.goto(web!.urlOf({ stream: TABS[0], isPlaying: false, options: tabs }));
    await waitFor(report, 'the browser', async () => !page || page.evaluate('overworld.flush()'));
    const heir = new Overworld({ ...options, playerId: 'node', store: fileStore(folder.path) });
    await waitFor(report, 'Node', () => heir.flush());
    await heir.close();
    if (!godot.skip) {
      const last = await startGodotGame(home.path, godot_options);
      await waitFor(report, 'Godot', () => last.call('flush'));
      await last.kill();
    }
  } finally {
    await web?.[Symbol.asyncDispose]();
    for (const player of players) await player.end();
  }
  await waitFor(report, 'the inbox', () => isIngested(machine.server, game.game_id));
  await ledger.check(report, machine.server.connection, game.game_id);
  for (const [blow, count] of Object.entries(struck).toSorted()) report.figure(blow, count);
}

/** Starts a server that can be killed and comes back on the same port. */
async function startMachine(settings: ServerSettings) {
  let server = await Server.start(settings);
  return {
    get server() {
      return server;
    },
    async kill() {
      server.kill('SIGKILL');
      await server.ended;
      server = await Server.start(settings);
      return 'SIGKILL of the server';
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
    },
  };
}

function chooseFate(random: Random, chances: [Fate, number][]): Fate {
  let rest = random.next();
  for (const [fate, chance] of chances) {
    rest -= chance;
    if (rest < 0) return fate;
  }
  return 'pass';
}

async function isIngested(server: Server, game_id: string): Promise<boolean> {
  return withDatabase(server.connection, async (database) => {
    const row = await database.queryOne(
      sql`SELECT FROM event_inbox WHERE game_id = ${game_id} LIMIT 1`,
    );
    return row === null;
  });
}

async function waitFor(
  report: Report,
  who: string,
  isReady: () => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isReady())) {
    if (performance.now() > deadline) return report.violation(`${who} was not ready in time`);
    await sleep(100);
  }
}
