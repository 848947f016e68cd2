// The code of a game's page and of its worker. A test controls both.
import * as sdk from '../src/overworld.ts';
import { indexedDbStore } from '../src/stores/indexed-db-store.ts';

/** The task of a worker: track events up to number `flushed`, flush, and track events up to number `kept`. */
export interface WorkerTask {
  options: sdk.OverworldOptions;
  flushed: number;
  kept: number;
}

const scope = globalThis as unknown as Record<string, unknown> & {
  document?: unknown;
  location: { search: string };
  addEventListener(type: string, listener: (event: { data: WorkerTask }) => void): void;
  postMessage(message: unknown, options?: object): void;
};
const trackNumbers = (overworld: sdk.Overworld, from: number, to: number) => {
  for (let n = from; n <= to; n++) overworld.track('step', { n });
};

scope.sdk = sdk;
if (scope.document) {
  const options = JSON.parse(decodeURIComponent(scope.location.search.slice(1)));
  const toldPlayers: string[] = [];
  const onOtherPlayer = (player_id: string) => toldPlayers.push(player_id);
  const overworld = new sdk.Overworld({ ...options, onOtherPlayer });
  scope.toldPlayers = toldPlayers;
  scope.overworld = overworld;
  scope.trackNumbers = (from: number, to: number) => trackNumbers(overworld, from, to);
} else {
  scope.addEventListener('message', async ({ data }) => {
    const overworld = new sdk.Overworld({ ...data.options, store: indexedDbStore() });
    trackNumbers(overworld, 1, data.flushed);
    const isSent = await overworld.flush();
    trackNumbers(overworld, data.flushed + 1, data.kept);
    await overworld.stored();
    scope.postMessage(isSent, {});
  });
}
