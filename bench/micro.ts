import { readTrackRequest } from '../packages/server/src/features/events/track/track-request.ts';
import { RankOrder } from '../packages/server/src/features/leaderboards/copies/rank-order.ts';
import { sortByRank } from '../packages/server/src/features/leaderboards/copies/sort-by-rank.ts';
import { createBatcher } from '../packages/server/src/platform/batch/batcher.ts';
import { describeMachine, median, say } from './measure.ts';
import { makeRequest } from './request-shape.ts';
import { track } from './requests.ts';

/** `npm run bench:micro`: measures the server's own work, without HTTP and PostgreSQL. */

const ROUNDS = 7;
const ROUND_MS = 200;

/** Prints the median time of an operation in several rounds. A call of `work` does `things` operations. */
async function time(name: string, things: number, work: () => unknown): Promise<void> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const started = performance.now();
    let calls = 0;
    for (; performance.now() - started < ROUND_MS; calls++) await work();
    rounds.push(((performance.now() - started) * 1_000) / (calls * things));
  }
  // The first round does not count, because V8 compiles the code during it.
  say(`| ${name} | ${median(rounds.slice(1)).toFixed(2)} |`);
}

say(`${describeMachine()}; medians of ${ROUNDS} rounds\n`);
say('| work | µs |');
say('|---|---:|');

for (const events of [1, 20, 100]) {
  const body = makeRequest(track(['key'], events)).body!;
  const list = Array.from({ length: 50 }, () => Buffer.from(body));
  await time(`parse a track request of ${events}, JSON.parse alone`, list.length, () => {
    for (const bytes of list) JSON.parse(bytes.toString());
  });
  await time(`parse and validate it`, list.length, () => {
    for (const bytes of list) readTrackRequest(bytes);
  });
}

for (const callers of [1, 32, 1_024]) {
  const batcher = createBatcher<number, number>({
    name: 'bench',
    max_batch_size: 500,
    max_queue_length: 20_000,
    flush: async (requests) => requests,
  });
  await time(`batch a request of ${callers} at once`, callers, () =>
    Promise.all(Array.from({ length: callers }, (_, index) => batcher.submit(index))),
  );
}

for (const size of [2_000, 100_000, 1_000_000]) {
  const scores = Float64Array.from({ length: size }, () => Math.floor(Math.random() * 1e6));
  const seqs = Float64Array.from({ length: size }, (_, index) => index);
  const order = new RankOrder(
    'descending',
    scores,
    seqs,
    await sortByRank('descending', scores, seqs),
  );
  const pick = () => Math.floor(Math.random() * size);
  let seq = size;
  const players = `of ${size.toLocaleString('en-US')}`;
  await time(`rank of one ${players}`, 1_000, () => {
    for (let call = 0; call < 1_000; call++) order.rankOf(pick());
  });
  await time(`new score of one ${players}`, 1_000, () => {
    for (let call = 0; call < 1_000; call++) order.set(pick(), pick(), seq++);
  });
  await time(`50 from anywhere ${players}`, 1_000, () => {
    for (let call = 0; call < 1_000; call++) order.list(pick(), 50);
  });
}
