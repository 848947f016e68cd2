import { OPERATIONS } from '@overworld/contract/operations';
import { startTestDatabase } from '../scripts/test/database.js';
import type { TestServer } from '../packages/server/test/harness.ts';
import { makeAttack } from './fuzz/attack.ts';
import type { Attack, Targets } from './fuzz/attack.ts';
import { findProblem } from './fuzz/judge.ts';
import { openWire } from './fuzz/wire.ts';
import type { WireAnswer } from './fuzz/wire.ts';
import type { Report, Suite } from './suite.ts';

export const fuzz: Suite = {
  name: 'fuzz',
  summary: 'mutates valid requests of every operation, and judges every answer',
  options: {
    requests: { default: 100_000, meaning: 'requests to send' },
    seed: { default: 1, meaning: 'of all that is random' },
    only: { default: -1, meaning: 'number of the one request to send again, and show' },
  },
  async run({ requests, seed, only }, report) {
    await using database = await startTestDatabase();
    Object.assign(process.env, database.env);
    const range = only! < 0 ? { first: 0, count: requests! } : { first: only!, count: 1 };
    await attackByFuzzing(report, { ...range, max_duration_ms: 10_000, seed: seed! });
  },
};

const CLIENTS = 8;
/** After this many requests the attacker gets a new game, because some requests delete parts of a game. */
const REQUESTS_A_GAME = 250;
/** A marker in every text of the other studio's game. The attacker must not see the marker. */
const THEIRS = 'belongs-to-them';
const MAX_VIOLATIONS = 20;
const MAX_SHOWN_ROWS = 10;

interface FuzzOptions {
  /** The index of the first request to send. A request can be repeated by its index and the seed. */
  first: number;
  count: number;
  /** The longest time that an answer may take. A request may wait for others, but not for ever. */
  max_duration_ms: number;
  seed: number;
}

/**
 * Sends valid requests with random mutations. The contract must allow every answer. No answer may
 * be a 5xx or contain anything of another studio's game, and nothing of that game may change.
 */
export async function attackByFuzzing(
  report: Report,
  { first, count, max_duration_ms, seed }: FuzzOptions,
): Promise<void> {
  // The harness reads the URL of the database from the environment when it is loaded.
  const { startTestServer } = await import('../packages/server/test/harness.ts');
  const { makeFullGame } = await import('../packages/server/test/full-game.ts');
  const { callValid } = await import('../packages/server/test/valid-request.ts');
  const { readGameRows } = await import('../packages/server/test/whole-database.ts');

  const causes = createCauses();
  await using server = await startTestServer({
    env: { TRUST_PROXY: 'true', LOG_LEVEL: 'error' },
    log: { write: causes.note },
  });
  const administrator = await server.makeAccount({ is_administrator: true });
  const theirs = await makeFullGame(server, { marker: THEIRS });
  const rows = await readGameRows(server.database, theirs.game_id);
  const makeTargets = async (): Promise<Targets> => ({
    ours: await makeFullGame(server, { marker: 'ours' }),
    theirs,
    administrator,
  });
  const games = new Map<number, Promise<Targets>>();
  const targetsFor = (index: number) => {
    const game = Math.floor(index / REQUESTS_A_GAME);
    const made = games.get(game) ?? makeTargets();
    games.set(game, made);
    games.delete(game - 2);
    return made;
  };

  const tally = createTally();
  const wire = openWire(server.url);
  const started = performance.now();
  let next = first;
  const client = async () => {
    while (next < first + count && report.violations.length < MAX_VIOLATIONS) {
      const index = next++;
      const attack = makeAttack(seed, index, await targetsFor(index));
      const problem = await strike(attack, index);
      if (problem !== null) {
        report.violation(`${problem}${causes.of(problem)}\n${describe(attack, seed, index)}`);
      }
      if (index % 5_000 === 4_999) report.say(`${index + 1} requests`);
    }
  };
  const strike = async (attack: Attack, index: number): Promise<string | null> => {
    const began = performance.now();
    try {
      const answer = await send(attack);
      const duration_ms = performance.now() - began;
      tally.note(attack, answer, duration_ms);
      if (count === 1) report.say(`${describe(attack, seed, index)}\n${answer.text}`);
      server.throwFirstProblem();
      const marker = attack.by_administrator ? null : THEIRS;
      return findProblem(attack, answer, { duration_ms, max_duration_ms }, marker);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const send = ({ method, path, headers, body, bytes }: Attack): Promise<WireAnswer> => {
    if (bytes !== null) return wire.sendBytes(bytes);
    try {
      return wire.send(method, path, headers, body);
    } catch {
      // Node's HTTP client refuses some paths and headers, so a request with them is written as plain bytes.
      const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const start = `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}`;
      const length = `content-length: ${body?.length ?? 0}\r\n\r\n`;
      return wire.sendBytes(Buffer.concat([Buffer.from(start + length), body ?? Buffer.alloc(0)]));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - started) / 1_000;
  wire.close();

  const changed = findChanges(rows, await readGameRows(server.database, theirs.game_id));
  if (changed.length > 0) {
    report.violation(`something of another game has changed:\n  ${changed.join('\n  ')}`);
  }
  await assertUnharmed(server, report, async () => {
    // The player of each game has only one login, and the last login cannot be removed.
    const calls = OPERATIONS.filter(
      ({ access, id }) => access === 'key' && id !== 'unlinkPlayerLogin',
    );
    for (const operation of calls) {
      // Each call gets its own game, because some calls delete the data that others read.
      const { ours } = await makeTargets();
      const { status, text } = await callValid(server, operation, ours);
      if (status >= 300) report.violation(`afterwards ${operation.id} answers ${status} ${text}`);
    }
  });
  tally.show(report, seconds);
}

/** Lists up to ten rows that one reading has and the other lacks. */
function findChanges(before: readonly string[], after: readonly string[]): string[] {
  const [known, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((row) => !now.has(row)).map((row) => `before: ${row}`),
    ...after.filter((row) => !known.has(row)).map((row) => `after: ${row}`),
  ].slice(0, MAX_SHOWN_ROWS);
}

/**
 * Checks that the server still works, and that no prototype has changed. The server
 * runs in this process, so a prototype that a request changed is changed here too.
 */
async function assertUnharmed(
  server: TestServer,
  report: Report,
  useGame: () => Promise<void>,
): Promise<void> {
  const extra = Object.keys(Object.prototype).concat(Object.keys(Array.prototype));
  if (extra.length > 0) report.violation(`prototypes have new members: ${extra.join(', ')}`);
  const { status } = await server.request('GET', '/readyz');
  if (status !== 200) report.violation(`afterwards /readyz answers ${status}`);
  await useGame();
}

/** Collects the causes of failed requests from the log. */
function createCauses() {
  const causes = new Map<string, string>();
  return {
    note(line: string) {
      const { request_id, err } = JSON.parse(line) as { request_id?: string; err?: unknown };
      if (request_id !== undefined) causes.set(request_id, JSON.stringify(err));
    },
    /** Finds the logged cause of a problem, if the problem contains the id of the request. */
    of(problem: string): string {
      const request_id = /"request_id":"([^"]+)"/.exec(problem)?.[1];
      const cause = request_id === undefined ? undefined : causes.get(request_id);
      return cause === undefined ? '' : `\n  ${cause}`;
    },
  };
}

/** Describes an attack: the command that sends it again, and the request itself. */
function describe({ method, path, headers, body, bytes }: Attack, seed: number, index: number) {
  const quote = (content: Buffer) => JSON.stringify(content.toString('latin1').slice(0, 600));
  const shown =
    bytes === null
      ? [`${method} ${path.slice(0, 300)}`, JSON.stringify(headers), body ? quote(body) : 'no body']
      : [quote(bytes)];
  return [`npm run torture -- fuzz --seed ${seed} --only ${index}`, ...shown].join('\n  ');
}

function createTally() {
  const statuses = new Map<string, number>();
  const operations = new Map<string, number>();
  let slowest = { duration_ms: 0, id: '' };
  const add = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    note({ operation: { id } }: Attack, { status }: WireAnswer, duration_ms: number) {
      add(statuses, status === null ? 'closed' : String(status));
      if (status !== null && status < 300) add(operations, id);
      if (duration_ms > slowest.duration_ms) slowest = { duration_ms, id };
    },
    show(report: Report, seconds: number) {
      const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      report.figure('requests', total);
      report.figure('requests a second', Math.round(total / seconds));
      for (const [status, count] of [...statuses].toSorted()) {
        report.figure(`answers ${status}`, count);
      }
      report.figure('operations that also succeeded', `${operations.size} of ${OPERATIONS.length}`);
      report.figure('slowest answer', `${Math.round(slowest.duration_ms)} ms (${slowest.id})`);
    },
  };
}
