import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockIngest } from '../packages/server/src/platform/ingest-lock.ts';
import { drainInbox, waitForSeeding } from './background-work.ts';
import { startBenchServer } from './bench-server.ts';
import type { BenchGame, BenchServer } from './bench-server.ts';
import { day } from './explore-reports.ts';
import { median, say } from './measure.ts';
import { makeOwner } from './owner.ts';
import type { Calls } from './walk-probe.ts';

/**
 * `npm run bench:walk [part of a walk's name …]`: lists the files of the server that one request passes: all
 * files of packages/server/src of which a function runs from the request to its answer. The server has one
 * worker, and is warm. The numbers of calls are medians over several requests, less the calls of idle times
 * of the same length, because the server's timers go on. With BENCH_FUNCTIONS=yes, the functions are listed
 * too.
 */

const WARM_UP = 50;
const ROUNDS = 15;
const WITH_FUNCTIONS = process.env.BENCH_FUNCTIONS === 'yes';

interface Walk {
  name: string;
  /** Makes all that the request needs. @returns a function that sends the request number `n`. */
  prepare(server: BenchServer, game: BenchGame): Promise<(n: number) => Promise<Response>>;
  /** Runs the measurement, for example while other work is held up. */
  around?(server: BenchServer, measure: () => Promise<void>): Promise<void>;
}

const postJson = (url: string, key: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'x-game-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const event = (n: number) => ({
  event_name: 'level_complete',
  session_id: `session-${n}`,
  player_id: `player-${n % 10}`,
  properties: { level: n % 7 },
});

const WALKS: readonly Walk[] = [
  {
    name: 'submit of a better score',
    async prepare({ url }, { key }) {
      return (n) =>
        postJson(`${url}/v1/leaderboards`, key, {
          board_name: 'board',
          player_id: 'player-1',
          score: n,
        });
    },
  },
  {
    name: 'track of one event',
    async prepare({ url }, { key }) {
      return (n) => postJson(`${url}/v1/track`, key, event(n));
    },
    // Ingest begins at the commit, beside the answer. While it waits for this lock, no other part of it runs.
    around: ({ database }, measure) =>
      database.groups[0]!.transaction(async (tx) => {
        await lockIngest(tx);
        await measure();
      }),
  },
  {
    name: 'retention report with a filter',
    async prepare(server, { game_id, key }) {
      const { url } = server;
      const token = await makeOwner(server, game_id);
      for (let n = 0; n < 10; n++) {
        const properties = { country: n % 2 === 0 ? 'DE' : 'FR' };
        await postJson(`${url}/v1/identify`, key, { player_id: `player-${n}`, properties });
        await postJson(`${url}/v1/track`, key, event(n));
      }
      await drainInbox(server);
      const players = encodeURIComponent(
        '{"properties":[{"property":"country","operator":"eq","value":"DE"}]}',
      );
      return (n) =>
        fetch(
          `${url}/v1/games/${game_id}/analytics/retention?environment=production&players=${players}&from=${day(-2 - n)}&to=${day(0)}`,
          { headers: { authorization: `Bearer ${token}` } },
        );
    },
  },
];

const wanted = process.argv.slice(2);
const server = await startBenchServer('warn', new URL('./walk-probe.ts', import.meta.url));
try {
  for (const walk of WALKS) {
    if (wanted.length > 0 && !wanted.some((part) => walk.name.includes(part))) continue;
    const [game] = await server.makeGames(1);
    await measureWalk(walk, game!);
  }
} finally {
  await server.close();
}

async function measureWalk({ name, prepare, around }: Walk, game: BenchGame): Promise<void> {
  let sent = 0;
  const send = await prepare(server, game);
  /** Sends a request. @returns the milliseconds until its answer. */
  const ask = async () => {
    const began_ms = performance.now();
    const answer = await send((sent += 1));
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return performance.now() - began_ms;
  };
  for (let n = 0; n < WARM_UP; n++) await ask();
  await waitForSeeding(server);
  const idle: Calls[] = [];
  const asked: Calls[] = [];
  const measure = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      let took_ms = 0;
      asked.push(await takeCalls(async () => (took_ms = await ask())));
      idle.push(await takeCalls(() => sleep(took_ms)));
      // The server's timers must not meet the same kind of time in each round.
      await sleep(100 * Math.random());
    }
  };
  await (around === undefined ? measure() : around(server, measure));
  report(name, asked, idle);
}

/** Counts the calls of functions while `work` runs. */
async function takeCalls(work: () => Promise<unknown>): Promise<Calls> {
  await readCalls();
  await work();
  return readCalls();
}

async function readCalls(): Promise<Calls> {
  const { process: child } = server;
  const answered = once(child, 'message') as Promise<[Calls[]]>;
  child.send('take');
  const [of_threads] = await answered;
  const sum: Calls = {};
  for (const calls of of_threads) {
    for (const [name, count] of Object.entries(calls)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

function report(name: string, asked: readonly Calls[], idle: readonly Calls[]): void {
  const names = new Set(asked.flatMap((calls) => Object.keys(calls)));
  const usual = (rounds: readonly Calls[], called: string) =>
    median(rounds.map((calls) => calls[called] ?? 0));
  const files = new Map<string, string[]>();
  for (const called of [...names].toSorted()) {
    const count = usual(asked, called) - usual(idle, called);
    if (count <= 0) continue;
    const [file = '', of = ''] = called.split(' ');
    const functions = files.get(file) ?? [];
    functions.push(`${of === '' ? '(nameless)' : of} ${count}`);
    files.set(file, functions);
  }
  say(`\n${name}: ${files.size} files`);
  for (const [file, functions] of files) {
    say(WITH_FUNCTIONS ? `  ${file}: ${functions.join(', ')}` : `  ${file}`);
  }
}
