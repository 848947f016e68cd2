import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '../engine.ts';
import { openProject } from './godot.ts';
import type { GodotGame } from './godot.ts';

/** The longest time from the start of a game to its kill. Most games live far shorter. */
const LONGEST_LIFE_MS = 1_500;
const TIMEOUT_SECONDS = 1;
/** A flush that fails waits for up to a minute before the next one. */
const PATIENCE_MS = 90_000;

/** The facts that a device has learned from its games before they were killed. */
export interface Kept {
  player_id: string;
  /** The numbers of the events after which `track` has returned. */
  events: number[];
  /** Scores that were stored or kept, by board. */
  scores: Map<string, number>;
  /** The number in the last save that was stored or kept. */
  saved: number;
  /** Sentences about broken promises. */
  problems: string[];
}

/**
 * Plays on one device, and kills the game by SIGKILL at random moments: while it starts, writes and sends. Each
 * next game goes on with the data in `home`. The last game sends everything.
 */
export async function playAndKill(play: {
  kills: number;
  home: string;
  base_url: string;
  api_key: string;
  random: () => number;
  /** The part of the games that run on a full disk. What these games track may be lost. */
  full_disks: number;
  /** Runs before each game. */
  onStart?: () => void;
  /** Runs before the last game. */
  onEnd?: () => void;
}): Promise<Kept> {
  const { kills, home, base_url, api_key, random, full_disks } = play;
  const kept: Kept = { player_id: '', events: [], scores: new Map(), saved: 0, problems: [] };
  let number = 0;

  const start = async (game: GodotGame) => {
    const options = { flush_interval_seconds: 0.02, timeout_seconds: TIMEOUT_SECONDS };
    await game.call('start', { base_url, api_key, options });
    const player_id = await game.call('player_id');
    if (kept.player_id !== '' && player_id !== kept.player_id) {
      kept.problems.push(`the player ${kept.player_id} became ${player_id}`);
    }
    kept.player_id = player_id;
  };
  /** Notes the outcome of a call if it was stored or kept. */
  const note = async (call: Promise<unknown>, keep: () => void) => {
    try {
      await call;
    } catch (error) {
      if (!(error instanceof CallError)) return;
      if (!error.isKept) return void kept.problems.push(error.message);
    }
    keep();
  };
  const act = (game: GodotGame, life: number, is_disk_full: boolean): Promise<void> => {
    const own = ++number;
    const board = `life-${life}`;
    const properties = { number: own };
    if (random() < 0.7) {
      const track = game.call('track', { event_name: 'step', properties });
      return track.then(
        () => void (is_disk_full || kept.events.push(own)),
        () => undefined,
      );
    }
    if (random() < 0.5) {
      return note(game.call('leaderboards.submit', { board, score: own }), () => {
        kept.scores.set(board, Math.max(own, kept.scores.get(board) ?? 0));
      });
    }
    const text = JSON.stringify(properties);
    return note(game.call('saves.save', { text, policy: 'ours' }), () => {
      kept.saved = Math.max(own, kept.saved);
    });
  };

  for (let life = 1; life <= kills; life++) {
    // The first game can store its player.
    const is_disk_full = life > 1 && random() < full_disks;
    play.onStart?.();
    const game = await openProject({ home, runner: is_disk_full ? limitFiles(random()) : [] });
    const calls: Promise<void>[] = [start(game).catch(() => undefined)];
    const end = performance.now() + random() ** 2 * LONGEST_LIFE_MS;
    while (performance.now() < end) {
      calls.push(act(game, life, is_disk_full));
      await sleep(Math.min(random() * 40, Math.max(0, end - performance.now())));
    }
    await game.kill();
    await Promise.all(calls);
  }
  play.onEnd?.();
  const last = await openProject({ home });
  try {
    await start(last);
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await last.call('flush'))) {
      if (performance.now() > deadline) throw new Error('not everything was sent in time');
      await sleep(200);
    }
  } finally {
    await last.kill();
  }
  return kept;
}

/**
 * The command of a game whose files can have at most 2 kB. A write past that fails, as on a full disk, if the
 * signal for it is ignored.
 */
function limitFiles(random: number): string[] {
  const blocks = Math.floor(random * 5);
  return ['sh', '-c', `trap "" XFSZ; ulimit -S -f ${blocks}; exec "$@"`, 'sh'];
}
