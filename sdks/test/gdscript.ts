import { CallError, withDefaults } from './engine.ts';
import type { Engine, Game, GameOptions } from './engine.ts';
import type { Node } from './gdscript/engine.ts';
import { passed, SceneTree } from './gdscript/engine.ts';
import { makeHttpClient } from './gdscript/http-client.ts';
import { createRuntime } from './gdscript/runtime.ts';
import { loadParser } from './gdscript/parser.ts';
import { Dictionary } from './gdscript/values.ts';
import type { Value } from './gdscript/values.ts';

const FRAME_MS = 5;
const NOTIFICATION_WM_CLOSE_REQUEST = 1006n;

/** The Godot addon, translated to JavaScript and run on a model of the engine's classes. */
export const gdscript: Engine = {
  name: 'GDScript',
  skip: loadParser() ? false : 'tree-sitter has no GDScript for this machine',
  keepsSaveText: false,
  start: async (options) => startGame(options),
};

/** Runs a project that has the addon: makes the autoload, and runs frames until the project ends. */
export function openProject() {
  // Each game starts with the real time, like a game in its own process.
  passed.seconds = 0;
  const tree = new SceneTree();
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const HTTPClient = makeHttpClient(tree.ended.signal);
  const own: { [name: string]: Value } = { HTTPClient, push_error: say, push_warning: say };
  const runtime = createRuntime(own);
  const overworld = runtime.make(runtime.load('res://addons/overworld/overworld.gd'), []);
  (overworld as Node).$tree = tree;
  own.Overworld = overworld;
  const frames = setInterval(() => {
    overworld['_process'](FRAME_MS / 1_000);
    tree.process_frame.emit();
  }, FRAME_MS);
  const end = () => {
    clearInterval(frames);
    tree.ended.abort();
  };
  return { runtime, overworld, said, end };
}

function startGame(given: GameOptions): Game {
  const { base_url, api_key, ...options } = withDefaults(given);
  const { runtime, overworld, said, end } = openProject();
  const dropped: Value[] = [];
  const errors: Value[] = [];
  overworld.events_dropped.connect({
    call: (reason: string, _: bigint, events: Value[], message: string, violations: Value[]) =>
      dropped.push({
        reason,
        message: message === '' ? null : message,
        events: events.map((event) => fromGodot(event).event_name),
        messages: violations.map((violation) => fromGodot(violation).message),
      }),
  });
  overworld.send_failed.connect({ call: (error: Value) => errors.push(describe(error)) });
  const known = Object.entries(options).filter(([, value]) => value !== undefined);
  overworld.start(base_url, api_key, toGodot(Object.fromEntries(known)));
  const run = async (result: Promise<Value>) => {
    const { ok, value, error } = await result;
    if (!ok) throw new CallError(describe(error));
    return fromGodot(value);
  };
  // oxlint-disable-next-line no-explicit-any
  const calls: { [name: string]: (args: any) => unknown } = {
    advance: ({ seconds }) => void (passed.seconds += seconds),
    json({ text }) {
      const json = runtime.load('res://addons/overworld/core/json.gd');
      const value = json.read(text);
      return value === null ? null : json.write(value);
    },
    set_player_id: ({ player_id }) => overworld.set_player_id(player_id),
    player_id: () => overworld.get_player_id(),
    track: ({ event_name, properties }) =>
      overworld.track(event_name, ...(properties ? [toGodot(properties)] : [])),
    identify: ({ properties }) => run(overworld.identify(toGodot(properties))),
    'tags.add': ({ tag }) => run(overworld.tags.add(tag)),
    'tags.remove': ({ tag }) => run(overworld.tags.remove(tag)),
    'saves.load': async ({ slot }) => describeSave(await run(overworld.saves.load(...named(slot)))),
    async 'saves.save'({ text, policy, version, slot }) {
      const json = runtime.load('res://addons/overworld/core/json.gd');
      const settings = new Dictionary();
      if (policy !== undefined) settings.map.set('on_conflict', policy);
      if (version !== undefined) settings.map.set('version', BigInt(version));
      if (slot !== undefined) settings.map.set('slot', slot);
      return describeSave(await run(overworld.saves.save(json.read(text), settings)));
    },
    'saves.delete': ({ slot }) => run(overworld.saves.delete(...named(slot))),
    'saves.list': async () =>
      (await run(overworld.saves.list())).map(({ updated_at: _, ...slot }: Value) => slot),
    'achievements.unlock': async ({ key }) =>
      (await run(overworld.achievements.unlock(key))).already_unlocked,
    'achievements.list': async () => (await run(overworld.achievements.list())).unlocked_points,
    async 'leaderboards.submit'({ board, score, ...rest }) {
      const entry = await run(overworld.leaderboards.submit(board, toGodot(score), toGodot(rest)));
      return { rank: entry.rank, score: entry.score, updated: entry.updated };
    },
    'leaderboards.page': async ({ board, ...rest }) =>
      (await run(overworld.leaderboards.page(board, toGodot(rest)))).entries.map(describeEntry),
    'leaderboards.around': async ({ board, ...rest }) =>
      (await run(overworld.leaderboards.around(board, toGodot(rest)))).entries.map(describeEntry),
    async 'leaderboards.players'({ board, player_ids, ...rest }) {
      const read = overworld.leaderboards.players(board, player_ids, toGodot(rest));
      const { players } = await run(read);
      return players.map(({ player_id, entry }: Value) => ({
        player_id,
        rank: entry?.rank ?? null,
      }));
    },
    'config.load': ({ max_age_seconds }) => run(overworld.config.load(max_age_seconds)),
    'config.get': ({ key, fallback }) => fromGodot(overworld.config.get_value(key, fallback)),
    'account.login_with': async ({ provider, ...rest }) =>
      (await run(overworld.account.login_with(provider, toGodot(rest)))).player_id,
    'account.link': ({ provider, ...rest }) => run(overworld.account.link(provider, toGodot(rest))),
    'account.unlink': ({ provider }) => run(overworld.account.unlink(provider)),
    'account.logout': () => run(overworld.account.logout()),
    'account.create_move_code': () => run(overworld.account.create_move_code()),
    'account.move_here': async ({ code }) =>
      (await run(overworld.account.move_here(code))).player_id,
    queued_calls: () => Number(overworld.get_queued_calls()),
    flush: () => overworld.flush(),
    close: () => overworld.close(),
    reports: () => ({ dropped, errors, queued: Number(overworld.get_queued_events()) }),
    said: () => said,
    /** The player closes the window; the game stays open. */
    cancel_quit: () => overworld['_notification'](NOTIFICATION_WM_CLOSE_REQUEST),
    set_tracking: ({ is_enabled }) => overworld.set_tracking_enabled(is_enabled),
  };

  return {
    call: async (name, args = {}) => calls[name]!(args),
    kill: async () => end(),
  };
}

const describe = ({ code, status, message }: Value) => ({ code, status: Number(status), message });
/** Puts the argument in a list, which is empty if the test leaves the argument out. */
const named = (value: Value) => (value === undefined ? [] : [value]);
const describeEntry = ({ rank, player_id, score }: Value) => ({ rank, player_id, score });
const describeSave = (save: Value) =>
  save && {
    text: JSON.stringify(save.data),
    version: save.version,
    ...(save.was_conflict === undefined ? {} : { was_conflict: save.was_conflict }),
  };

function toGodot(value: Value): Value {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toGodot);
  if (value === null || typeof value !== 'object') return value;
  return new Dictionary(Object.entries(value).map(([key, each]) => [key, toGodot(each)]));
}

function fromGodot(value: Value): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(fromGodot);
  if (!(value instanceof Dictionary)) return value;
  return Object.fromEntries([...value.map].map(([key, each]) => [key, fromGodot(each)]));
}
