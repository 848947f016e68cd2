import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '../engine.ts';
import { openProject } from './godot.ts';
import type { GodotGame } from './godot.ts';

/** The longest time from the start of a game to its kill. Most games live far shorter. */
const LONGEST_LIFE_MS = 1_500;
const TIMEOUT_SECONDS = 1;
/** A flush that fails waits for up to a minute before the next one. */
const PATIENCE_MS = 90_000;
/** A device keeps at most 200 calls, and at most two of them for each board. */
const BOARDS = 30;
/** Half of the games live at least until the first of so many scores is stored or kept. */
const FIRST_SCORES = 5;
const LONGEST_WAIT_MS = 10_000;

/** The room on the disk of a game: all that it needs, only that for short texts, or none. */
type Disk = 'whole' | 'part' | 'none';

/** The facts that a device has learned from its games before they were killed. */
export interface Kept {
  player_id: string;
  /** The numbers of the events after which `track` has returned. */
  events: number[];
  /** The best scores that were stored or kept, by board. */
  scores: Map<string, number>;
  /** Number of scores that were stored or kept. */
  score_count: number;
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
  /** The part of the games that run on a full disk. These games may lose what they track. */
  full_disks: number;
  /** Runs before each game. */
  onStart?: () => void;
  /** Runs before the last game. */
  onEnd?: () => void;
}): Promise<Kept> {
  const { kills, home, base_url, api_key, random, full_disks } = play;
  const kept: Kept = {
    player_id: '',
    events: [],
    scores: new Map(),
    score_count: 0,
    saved: 0,
    problems: [],
  };
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
  const note = async (call: Promise<unknown>, disk: Disk, keep: () => void) => {
    try {
      await call;
    } catch (error) {
      if (!(error instanceof CallError)) return;
      const is_wrong = error.isKept ? disk === 'none' : disk === 'whole';
      if (is_wrong) {
        const kind = error.isKept ? 'kept' : 'not kept';
        kept.problems.push(`a call on this disk (${disk}) is ${kind}: ${error.message}`);
      }
      if (!error.isKept) return;
    }
    keep();
  };
  const track = (game: GodotGame, disk: Disk): Promise<void> => {
    const own = ++number;
    const call = game.call('track', { event_name: 'step', properties: { number: own } });
    return call.then(
      () => void (disk === 'whole' && kept.events.push(own)),
      () => undefined,
    );
  };
  const submit = (game: GodotGame, disk: Disk): Promise<void> => {
    const own = ++number;
    const board = `board-${Math.floor(random() * BOARDS)}`;
    return note(game.call('leaderboards.submit', { board, score: own }), disk, () => {
      kept.scores.set(board, Math.max(own, kept.scores.get(board) ?? 0));
      kept.score_count++;
    });
  };
  const save = (game: GodotGame, disk: Disk): Promise<void> => {
    const own = ++number;
    const text = JSON.stringify({ number: own });
    return note(game.call('saves.save', { text, policy: 'ours' }), disk, () => {
      kept.saved = Math.max(own, kept.saved);
    });
  };

  for (let life = 1; life <= kills; life++) {
    // The first game can store its player.
    const is_full = life > 1 && random() < full_disks;
    const blocks = is_full ? Math.floor(random() * 2) * Math.ceil(random() * 4) : undefined;
    const disk = blocks === undefined ? 'whole' : blocks === 0 ? 'none' : 'part';
    play.onStart?.();
    const runner = blocks === undefined ? [] : limitFiles(blocks);
    const game = await openProject({ home, runner });
    const calls: Promise<void>[] = [start(game).catch(() => undefined)];
    if (random() < 0.5) {
      const scores = Array.from({ length: FIRST_SCORES }, () => submit(game, disk));
      calls.push(...scores);
      await Promise.race([...scores, sleep(LONGEST_WAIT_MS, undefined, { ref: false })]);
    }
    const end = performance.now() + random() ** 2 * LONGEST_LIFE_MS;
    while (performance.now() < end) {
      const chance = random();
      const act = chance < 0.7 ? track : chance < 0.85 ? submit : save;
      calls.push(act(game, disk));
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
 * The command of a game whose files can have at most some blocks of 512 bytes. A write past that fails, as
 * on a full disk, if the signal for it is ignored.
 */
function limitFiles(blocks: number): string[] {
  return ['sh', '-c', `trap "" XFSZ; ulimit -S -f ${blocks}; exec "$@"`, 'sh'];
}
