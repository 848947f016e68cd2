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

/** A thread says `ready` when it starts, and sends its counts when it is told to `take` them. */
type Message = Calls | 'ready' | 'take';

const channel = new BroadcastChannel('overworld-walk');
channel.unref();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- This channel has no origins.
const tell = (message: Message) => channel.postMessage(message);
const onTold = (hear: (message: Message) => void) =>
  channel.addEventListener('message', (event) => hear((event as MessageEvent).data));
if (isMainThread) {
  let threads = 0;
  let taken: unknown[] = [];
  const sendIfAll = () => {
    if (taken.length > threads) process.send!(taken);
  };
  onTold((message) => {
    if (message === 'ready') return void (threads += 1);
    taken.push(message);
    sendIfAll();
  });
  process.on('message', () => {
    taken = [takeCalls()];
    tell('take');
    sendIfAll();
  });
  process.channel?.unref();
} else {
  onTold((message) => {
    if (message === 'take') tell(takeCalls());
  });
  tell('ready');
}
