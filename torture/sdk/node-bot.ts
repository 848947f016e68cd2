// Plays a game in a process of Node until the process is killed.
import { writeSync } from 'node:fs';
import { fileStore } from '../../packages/sdk/src/stores/file-store.ts';
import { Overworld } from '../../packages/sdk/src/overworld.ts';
import type { DroppedEvents, OverworldOptions } from '../../packages/sdk/src/overworld.ts';
import { makeBotClient, play } from './bot.ts';
import type { Said } from './bot.ts';

const { folder, stream, first, options } = JSON.parse(process.argv[2]!) as {
  folder: string;
  stream: string;
  first: number;
  options: OverworldOptions;
};
/** Reports are written synchronously, so no report is lost when the process is killed. */
const say = (said: Said) => writeSync(1, `${JSON.stringify(said)}\n`);
const onDrop = ({ events }: DroppedEvents) =>
  say({ stream, dropped: events.map(({ properties }) => properties?.number as number) });

const overworld = new Overworld({ ...options, store: fileStore(folder), onDrop });
await play(makeBotClient(overworld), { stream, first }, say);
