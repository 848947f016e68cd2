import { Session } from 'node:inspector';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/**
 * Counts the calls of functions in every thread of a server. `walk.ts` loads this file into the server. A
 * message to the process makes it answer with the calls since the message before.
 */

/** The number of calls by function, written as `file function`. */
export type Calls = Record<string, number>;

interface Script {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

/** The time that threads have to send their counts. */
const THREADS_ANSWER_MS = 50;

const SOURCES = '/packages/server/src/';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

function takeCalls(): Calls {
  const calls: Calls = {};
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error;
    for (const { url, functions } of (answer as { result: Script[] }).result) {
      const [, file] = url.split(SOURCES);
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const name = `${file} ${functionName}`;
        calls[name] = (calls[name] ?? 0) + ranges[0]!.count;
      }
    }
  });
  return calls;
}

const channel = new BroadcastChannel('overworld-walk');
channel.unref();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- This channel has no origins.
const tell = (message: Calls | 'take') => channel.postMessage(message);
const onTold = (hear: (message: Calls | 'take') => void) =>
  channel.addEventListener('message', (event) => hear((event as MessageEvent).data));
if (isMainThread) {
  let others: unknown[] = [];
  onTold((calls) => others.push(calls));
  process.on('message', () => {
    const own = takeCalls();
    others = [];
    tell('take');
    setTimeout(() => process.send!([own, ...others]), THREADS_ANSWER_MS);
  });
  process.channel?.unref();
} else {
  onTold((message) => {
    if (message === 'take') tell(takeCalls());
  });
}
