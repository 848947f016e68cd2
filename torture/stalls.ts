import { OPERATIONS } from '@overworld/contract/operations';
import { startTestDatabase } from '../scripts/test/database.js';
import { openWatch, timeJsonParse } from './stalls/watch.ts';
import type { Candidate } from './stalls/requests.ts';
import type { Report, Suite } from './suite.ts';

export const stalls: Suite = {
  name: 'stalls',
  summary: 'sends the worst shapes to every operation, and measures how long each holds the server',
  options: {
    repeats: { default: 8, meaning: 'times that a request is sent; the shortest stall counts' },
  },
  async run({ repeats }, report) {
    await using database = await startTestDatabase();
    Object.assign(process.env, database.env);
    await attackByStalls(report, { repeats: repeats!, isChosen: () => true });
  },
};

/**
 * The maximum time for which a request may block the event loop. It is a multiple of the time that decoding
 * the body and `JSON.parse` take.
 */
const MAX_RATIO = 3;
/**
 * Returns the stall in milliseconds that is allowed for any body of this size. The kernel counts CPU time in
 * steps of 4 ms, so the start and the end of a measurement may each be wrong by a step. The allowed stall
 * grows with the bytes, because `JSON.parse` takes only half a nanosecond for a space or a letter, and
 * receiving, checking and copying it takes longer.
 */
const floorOf = (bytes: number) => 8 + bytes * 6e-6;

interface StallOptions {
  repeats: number;
  isChosen(candidate: Candidate): boolean;
}

/**
 * A request, with the time for which it blocked the event loop and the time that `JSON.parse` takes for it.
 */
interface Worst {
  candidate: Candidate;
  bytes: number;
  stall_ms: number;
  parse_ms: number;
}

/**
 * Sends requests one after the other. No request may block the event loop for more than three times as long
 * as `JSON.parse` takes for the same bytes. Both times are the minimum of several repeats, in CPU time of
 * the server's thread, so a busy machine changes neither.
 */
export async function attackByStalls(
  report: Report,
  { repeats, isChosen }: StallOptions,
): Promise<void> {
  // The harness reads the URL of the database from the environment when it is loaded.
  const { startTestServer } = await import('../packages/server/test/harness.ts');
  const { makeFullGame } = await import('../packages/server/test/full-game.ts');
  const { makeCandidates, writeRequest } = await import('./stalls/requests.ts');
  await using server = await startTestServer({
    env: { TRUST_PROXY: 'true' },
    checks_answers: false,
  });
  const caller = {
    game: await makeFullGame(server, { marker: 'ours' }),
    administrator: await server.makeAccount({ is_administrator: true }),
  };
  const watch = openWatch(server.url);

  const measure = async (candidate: Candidate): Promise<Worst> => {
    const body = Buffer.from(candidate.makeBody());
    const worst = { candidate, bytes: body.length, stall_ms: Infinity, parse_ms: 0 };
    for (let repeat = 0; repeat < repeats; repeat++) {
      const { stall_ms, status } = await watch.send(writeRequest(candidate, body));
      worst.stall_ms = Math.min(worst.stall_ms, stall_ms);
      if (status >= 500) report.violation(`${describe(worst)} is answered ${status}`);
      if (worst.stall_ms <= floorOf(body.length)) return worst;
      const parse_ms = timeJsonParse(body);
      worst.parse_ms = repeat === 0 ? parse_ms : Math.min(worst.parse_ms, parse_ms);
      if (ratioOf(worst) <= MAX_RATIO) return worst;
    }
    report.violation(describe(worst));
    return worst;
  };

  let count = 0;
  // Operations that read come first, while there is little data.
  const reads = OPERATIONS.filter(({ body }) => body === undefined);
  for (const operation of [...reads, ...OPERATIONS.filter(({ body }) => body !== undefined)]) {
    let longest: Worst | null = null;
    let dearest: Worst | null = null;
    for (const candidate of makeCandidates(operation, caller)) {
      if (!isChosen(candidate)) continue;
      count++;
      const worst = await measure(candidate);
      if (worst.stall_ms > (longest?.stall_ms ?? 0)) longest = worst;
      if (worst.stall_ms <= floorOf(worst.bytes)) continue;
      if (ratioOf(worst) > (dearest ? ratioOf(dearest) : 0)) dearest = worst;
    }
    if (longest === null) continue;
    const words = dearest === null ? '' : `, highest ratio ${show(dearest)}`;
    report.figure(
      operation.id,
      `${longest.stall_ms.toFixed(0)} ms (${longest.candidate.name})${words}`,
    );
    report.say(`${operation.id}: ${report.figures.get(operation.id)}`);
  }
  report.figure('requests', count);
  await watch.close();
}

const ratioOf = ({ bytes, stall_ms, parse_ms }: Worst) =>
  (stall_ms - floorOf(bytes)) / Math.max(parse_ms, 0.1);

const show = (worst: Worst) =>
  `${worst.stall_ms.toFixed(0)} ms, ${ratioOf(worst).toFixed(1)} × JSON.parse over the floor (${worst.candidate.name})`;

const describe = (worst: Worst) =>
  `${worst.candidate.operation.id}, ${worst.bytes.toLocaleString('en')} bytes: ${show(worst)}`;
