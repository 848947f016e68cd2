import { openProject } from '../../sdks/test/godot/godot.ts';
import type { GodotGame } from '../../sdks/test/godot/godot.ts';
import { play } from './bot.ts';
import type { BotClient, Entries, Said } from './bot.ts';
import { EVENTS_OF_A_LIFE } from './players.ts';
import type { Player } from './players.ts';

const MERGE = `
  var merge := func(conflict: Dictionary) -> Dictionary:
    return {"entries": conflict["theirs"]["entries"].merged(conflict["ours"]["entries"], true)}
  var save := {"entries": args["entries"]}
  var result: OverworldResult = await Overworld.saves.save(save, {"on_conflict": merge})
  return result.value["data"]["entries"] if result.ok else null`;

interface GodotOptions {
  base_url: string;
  api_key: string;
  player_id: string;
  flush_interval_seconds: number;
  timeout_seconds: number;
}

/** Starts a game that goes on with the data in `home`. */
export async function startGodotGame(home: string, options: GodotOptions): Promise<GodotGame> {
  const { base_url, api_key, ...rest } = options;
  const game = await openProject({ home });
  await game.call('start', { base_url, api_key, options: rest });
  return game;
}

/** A game in Godot, a process that keeps its events in `home`. */
export function createGodotPlayer(settings: {
  stream: string;
  home: string;
  options: GodotOptions;
  onSaid: (said: Said) => void;
}): Player {
  const { stream, home, options, onSaid } = settings;
  let game: GodotGame | null = null;
  let life = 0;
  return {
    stream,
    async start() {
      const first = life++ * EVENTS_OF_A_LIFE;
      game = await startGodotGame(home, options);
      // The game ends in the middle of a call.
      play(makeClient(game), { stream, first }, onSaid).catch(() => undefined);
    },
    async strike() {
      await this.end();
      await this.start();
      return 'SIGKILL of a game in Godot';
    },
    async end() {
      await game?.kill();
    },
  };
}

const makeClient = (game: GodotGame): BotClient => ({
  isOver: () => game.isOver,
  track: (properties) => game.call('track', { event_name: 'step', properties }),
  flush: () => game.call('flush'),
  async save(entries) {
    const saved: Entries | null = await game.run(MERGE, { entries });
    if (saved === null) throw new Error('it is not saved');
    return saved;
  },
});
