import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../packages/server/test/free-port.ts';
import { endAtExit } from './machine/endings.ts';
import { makeFolder } from './machine/folder.ts';
import { readMemoryMb, watchMemory } from './machine/memory.ts';
import { Server } from './machine/server.ts';
import type { Outcome } from './neighbours/attacker.ts';
import type { Orders } from './neighbours/attacker-process.ts';
import { ATTACKS } from './neighbours/attacks.ts';
import { createExperience, startHonestGame } from './neighbours/honest-game.ts';
import type { Experience, HonestGame } from './neighbours/honest-game.ts';
import { makeScene } from './neighbours/scene.ts';
import type { Scene } from './neighbours/scene.ts';
import type { Report, Suite } from './suite.ts';

const ATTACKER = fileURLToPath(new URL('neighbours/attacker-process.ts', import.meta.url));

/** The limits of the harm that attackers on the same server may do to an honest game. */
interface NeighbourBars {
  /**
   * The maximum p99 of answer times during an attack, as a multiple of the usual p99. A usual p99 below
   * `least_usual_ms` counts as `least_usual_ms`.
   */
  slower: number;
  /** Like `slower`, for attacks by a player of the honest game itself. */
  slower_by_player: number;
  least_usual_ms: number;
  /** Like `least_usual_ms`, for logins, which take longer because they hash a password. */
  least_usual_login_ms: number;
  /** The number of megabytes by which the server's memory may be larger after an attack than before. */
  more_memory_mb: number;
}

const BARS: NeighbourBars = {
  slower: 3,
  slower_by_player: 1.5,
  least_usual_ms: 25,
  least_usual_login_ms: 100,
  more_memory_mb: 200,
};
/**
 * In reality attackers have their own machines. So the process of the
 * attackers gets only the CPU that the server and the database leave idle.
 */
const IDLE_PRIORITY = { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] };
/**
 * The maximum time to wait after an attack until memory goes
 * down, because garbage is collected only now and then.
 */
const SETTLING_MS = 10_000;

export const neighbours: Suite = {
  name: 'neighbours',
  summary: 'attacks as strangers do, and looks whether an honest game notices',
  options: {
    seconds: { default: 10, meaning: 'of each attack, and of calm before it' },
    only: { default: 0, meaning: 'number of one attack; 0 for all' },
  },
  run({ seconds, only }, report) {
    const names = ATTACKS.map(({ name }) => name).filter((_, index) => !only || only === index + 1);
    const sizes = { seconds: seconds!, calm_seconds: seconds!, accounts: 60, events: 200_000 };
    const rounds = names.map((name) => ({ name, attacks: [name] }));
    return attackByNeighbours(report, { ...sizes, rounds, bars: BARS, retries_busy: false });
  },
};

interface Round {
  name: string;
  attacks: readonly string[];
}

interface NeighboursOptions {
  seconds: number;
  calm_seconds: number;
  /** Rounds run one after the other; the attacks of a round run at the same time. */
  rounds: readonly Round[];
  accounts: number;
  events: number;
  bars: NeighbourBars;
  /** True if honest players retry after a 503, because the machine may be slow. */
  retries_busy: boolean;
}

/**
 * Attacks a server on which an honest game is played. A calm time precedes each attack. So the answer times
 * with and without the attack come from a machine in the same state.
 */
export async function attackByNeighbours(
  report: Report,
  { seconds, calm_seconds, rounds, accounts, events, bars, retries_busy }: NeighboursOptions,
): Promise<void> {
  await using folder = await makeFolder();
  // These are the default settings: no limit is raised for the test.
  const env = { RATE_LIMIT_PER_MINUTE: '' };
  const server = await Server.start({ port: await findFreePort(), data_dir: folder.path, env });
  try {
    const scene = await makeScene(server, { accounts, events });
    const game = startHonestGame(report, scene, retries_busy);
    const live = { report, server, scene, game, bars };
    // During this sleep, Node compiles hot code.
    await sleep(calm_seconds * 1_000);
    report.figure('attack', 'p50, p99, login p99 with it (without) ms; memory, most, after MB');
    for (const round of rounds) await endure(live, round, { seconds, calm_seconds });
    await game.stop();
  } finally {
    await server.stop();
  }
}

interface Live {
  report: Report;
  server: Server;
  scene: Scene;
  game: HonestGame;
  bars: NeighbourBars;
}

async function endure(
  { report, server, scene, game, bars }: Live,
  { name: attack, attacks }: Round,
  { seconds, calm_seconds }: { seconds: number; calm_seconds: number },
): Promise<void> {
  const [calm, attacked, rest] = [createExperience(), createExperience(), createExperience()];
  game.note(calm);
  await sleep(calm_seconds * 1_000);
  const before_mb = readMemoryMb(server.pid);
  const memory = watchMemory(server.pid);
  game.note(attacked);
  const outcome = await orderAttack({ attacks, scene, seconds });
  game.note(rest);
  const most_mb = memory.stop();
  const after_mb = await waitForMemory(server, before_mb + bars.more_memory_mb);

  const p99 = ({ requests }: Experience) => requests.percentile(0.99);
  const login_p99 = ({ logins }: Experience) => logins.percentile(0.99);
  report.figure(
    attack,
    `${attacked.requests.percentile(0.5)} (${calm.requests.percentile(0.5)}), ` +
      `${p99(attacked)} (${p99(calm)}), ${login_p99(attacked)} (${login_p99(calm)}); ` +
      `${before_mb}, ${most_mb}, ${after_mb}`,
  );
  const reached_ms = await waitUntilReachable(server);
  report.say(`${attack}: ${JSON.stringify(outcome)}, reached anew after ${reached_ms} ms`);
  const isOfPlayer = ATTACKS.every(
    ({ name, is_of_player }) => is_of_player === true || !attacks.includes(name),
  );
  const slower = isOfPlayer ? bars.slower_by_player : bars.slower;
  const hold = (what: string, met_ms: number, usual_ms: number, least_ms: number) => {
    const most_ms = slower * Math.max(usual_ms, least_ms);
    if (met_ms > most_ms) {
      report.violation(`${attack}: the p99 of ${what} was ${met_ms} ms, and ${usual_ms} without`);
    }
  };
  hold('honest requests', p99(attacked), p99(calm), bars.least_usual_ms);
  hold('logins', login_p99(attacked), login_p99(calm), bars.least_usual_login_ms);
  if (after_mb > before_mb + bars.more_memory_mb) {
    report.violation(`${attack}: memory was ${before_mb} MB before, and ${after_mb} after`);
  }
  const mayWin = ATTACKS.some(({ name, wins_nothing }) => !wins_nothing && attacks.includes(name));
  if (!mayWin && outcome.statuses[200] !== undefined) {
    report.violation(`${attack}: ${outcome.statuses[200]} requests succeeded`);
  }
  if (outcome.opened === 0 && Object.keys(outcome.statuses).length === 0) {
    report.violation(`${attack}: nothing was attacked`);
  }
}

function orderAttack(orders: Orders): Promise<Outcome> {
  const child = fork(ATTACKER, IDLE_PRIORITY);
  const forget = endAtExit(() => child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    child.on('message', (outcome) => resolve(outcome as Outcome));
    child.on('exit', (code) => {
      forget();
      reject(new Error(`The attacker ended with ${code}`));
    });
    child.send(orders);
  });
}

/**
 * Measures the milliseconds until a new connection is answered. Node accepts connections one after the other.
 * So connections that an attacker left behind are accepted first.
 */
async function waitUntilReachable({ url }: Server): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
  await answer.arrayBuffer();
  return Math.round(performance.now() - started);
}

/**
 * Waits until the memory is at most `allowed_mb`, but no longer than ten seconds.
 * @returns the memory at the end of the wait, in megabytes.
 */
async function waitForMemory(server: Server, allowed_mb: number): Promise<number> {
  const deadline = performance.now() + SETTLING_MS;
  while (readMemoryMb(server.pid) > allowed_mb && performance.now() < deadline) await sleep(100);
  return readMemoryMb(server.pid);
}
