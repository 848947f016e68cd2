import { randomBytes } from 'node:crypto';
import { achievementLines } from './achievement-lines.ts';
import { drainInbox } from './background-work.ts';
import { messageLines } from './message-lines.ts';
import type { BenchGame } from './bench-server.ts';
import type { Line, Prepared } from './line.ts';
import * as requests from './requests.ts';
import {
  makePlayerTokens,
  addRules,
  seedBoards,
  seedConfig,
  seedDevices,
  seedExperiments,
  seedSaves,
} from './seed.ts';
import { statLines } from './stat-lines.ts';
import * as statements from './statements.ts';

const PLAYERS = 20_000;

const keysOf = (games: readonly BenchGame[]) => games.map(({ key }) => key);

const trackLine = (events: number, { idempotent = false } = {}): Line => ({
  name: `track, ${events} ${events === 1 ? 'event' : 'events'} ${idempotent ? 'with an Idempotency-Key' : 'a request'}`,
  units_per_request: events,
  async prepare(_server, games) {
    const shape = { ...requests.track(keysOf(games), events), idempotent };
    const statement = statements.insertEvents(shape, events);
    return { shape, answer_bytes: 62, statement, batcher: 'track' };
  },
  waitForInbox: async (server) => void (await drainInbox(server)),
});

/** The kind of scores that the lines "submit a score" send: BENCH_SCORES, or `random` if it is not set. */
const SCORES = readScores(process.env.BENCH_SCORES ?? 'random');

function readScores(text: string): requests.Scores {
  if (text === 'random' || text === 'improving') return text;
  throw new Error(`BENCH_SCORES must be random or improving, but is "${text}".`);
}

const submitLine = (name: string, size: number, scores: requests.Scores): Line => ({
  name,
  ...(scores === 'random' ? { note: 'most random scores are not better and write nothing' } : {}),
  async prepare(server, games) {
    const players = Math.ceil(size / games.length);
    await seedBoards(server, games, players);
    return {
      shape: requests.submitScore(keysOf(games), players, scores),
      answer_bytes: 220,
      statement: statements.storeBoardScores(players),
      batcher: 'scores',
    };
  },
});

/** Submits scores that obey all rules of the board, so each is checked, stored and added to the ledger. */
const ruledLine = (size: number): Line => ({
  ...submitLine(`submit a score, ${boardOf(size)} with ledger and rules`, size, SCORES),
  async prepare(server, games) {
    const players = Math.ceil(size / games.length);
    await seedBoards(server, games, players);
    await addRules(server, games);
    const shape = requests.submitScore(keysOf(games), players, SCORES);
    return { shape, answer_bytes: 220, batcher: 'scores with rules' };
  },
});

const boardOf = (size: number) => `${size.toLocaleString('en-US')}-player board`;

const plainSubmitLine = (size: number) =>
  submitLine(`submit a score, ${boardOf(size)}`, size, SCORES);

export const betterSubmitLine = (size: number): Line =>
  submitLine(`submit a better score, ${boardOf(size)}`, size, 'improving');

const readSaveLine = (name: string): Line => ({
  name,
  async prepare(server, games) {
    const players = Math.ceil(PLAYERS / games.length);
    await seedSaves(server, games, players);
    return {
      shape: requests.getSave(keysOf(games), players),
      answer_bytes: 1_100,
      statement: statements.readSaves(players),
      batcher: 'save look-ups',
    };
  },
});

/** Reads saves as `readSaveLine` does, but with player tokens, for the same number of players. */
const readOwnSaveLine: Line = {
  name: 'read a 1 KB save with a player token',
  async prepare(server, games) {
    await seedSaves(server, games, PLAYERS);
    const [{ game_id, key }] = games as [BenchGame];
    const tokens = await makePlayerTokens(server, game_id, PLAYERS);
    return {
      shape: requests.getOwnSave([key], tokens),
      answer_bytes: 1_100,
      statement: statements.readSaves(PLAYERS),
      batcher: 'save look-ups',
    };
  },
};

const saveWrites = (games: readonly BenchGame[], players: number, bytes = 1_024): Prepared => ({
  shape: requests.putSave(keysOf(games), bytes, players),
  answer_bytes: 72,
  statement: statements.storeSaves(bytes, players),
  batcher: 'saves',
});

/** Stores all exposures before the load, because nearly all requests of a real game add none. */
const configLine = (experiments: number): Line => ({
  name: `remote config of a player, ${experiments === 0 ? 'no experiments' : `${experiments} experiments`}`,
  async prepare(server, games) {
    await seedConfig(server, games);
    await seedExperiments(server, games, experiments, PLAYERS);
    return { shape: requests.getPlayerConfig(keysOf(games), PLAYERS), answer_bytes: 400 };
  },
});

export const LINES: readonly Line[] = [
  plainSubmitLine(2_000),
  betterSubmitLine(2_000),
  plainSubmitLine(100_000),
  betterSubmitLine(100_000),
  ruledLine(100_000),
  plainSubmitLine(1_000_000),
  betterSubmitLine(1_000_000),
  {
    name: 'top 50 of a 100,000-player board',
    async prepare(server, games) {
      await seedBoards(server, games, Math.ceil(100_000 / games.length));
      return {
        shape: requests.getPage(keysOf(games)),
        answer_bytes: 6_500,
        statement: statements.readPages,
        batcher: 'leaderboard pages',
      };
    },
  },
  {
    name: 'write a 1 KB save',
    async prepare(server, games) {
      await seedSaves(server, games, PLAYERS);
      return saveWrites(games, PLAYERS);
    },
  },
  {
    name: 'write a save of 100 bytes',
    async prepare(server, games) {
      await seedSaves(server, games, PLAYERS);
      return saveWrites(games, PLAYERS, 100);
    },
  },
  {
    name: "write a new player's first save of 1 KB",
    prepare: async (_server, games) => saveWrites(games, 100_000_000),
  },
  readSaveLine('read a 1 KB save'),
  {
    name: 'log in with a device',
    async prepare(server, games) {
      const device = { size: PLAYERS, secret: randomBytes(32).toString('base64url') };
      await seedDevices(server, games, device);
      const shape = requests.logIn(keysOf(games), device.size, device.secret);
      return { shape, answer_bytes: 700, batcher: 'player_logins' };
    },
  },
  readOwnSaveLine,
  trackLine(1),
  trackLine(1, { idempotent: true }),
  trackLine(20),
  trackLine(20, { idempotent: true }),
  trackLine(100),
  {
    name: 'identify',
    prepare: async (_server, games) => ({
      shape: requests.identify(keysOf(games), PLAYERS),
      answer_bytes: 75,
      statement: statements.mergePlayers(PLAYERS),
      batcher: 'identifies',
    }),
  },
  ...achievementLines(PLAYERS),
  ...messageLines(PLAYERS),
  ...statLines(PLAYERS),
  {
    name: 'remote config',
    async prepare(server, games) {
      await seedConfig(server, games);
      return { shape: requests.getConfig(keysOf(games)), answer_bytes: 400 };
    },
  },
  configLine(0),
  configLine(5),
];

/** Lines for a server that logs each request, as a server does by default. */
export const LOGGED_LINES: readonly Line[] = [
  submitLine('submit a better score, logged at info', 2_000, 'improving'),
  readSaveLine('read a save, logged at info'),
];
