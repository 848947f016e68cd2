// A game in a web page. It plays until the page is reloaded, closed or killed.
import { Overworld } from '../../packages/sdk/src/overworld.ts';
import type { OverworldOptions } from '../../packages/sdk/src/overworld.ts';
import { makeBotClient, play } from './bot.ts';
import type { Said } from './bot.ts';

const scope = globalThis as unknown as {
  location: { search: string };
  say(said: Said): void;
  next(): Promise<number>;
  overworld: Overworld;
};
const { stream, isPlaying, options } = JSON.parse(
  decodeURIComponent(scope.location.search.slice(1)),
) as { stream: string; isPlaying: boolean; options: OverworldOptions };
const say = (said: Said) => scope.say(said);

scope.overworld = new Overworld({
  ...options,
  onDrop: ({ events }) =>
    say({ stream, dropped: events.map(({ properties }) => properties?.number as number) }),
});
if (isPlaying) {
  await play(makeBotClient(scope.overworld), { stream, first: await scope.next() }, say);
}
