import * as sources from '../../packages/sdk/src/overworld.ts';
import type { OverworldError, OverworldStore } from '../../packages/sdk/src/overworld.ts';
import { CallError, withDefaults } from './engine.ts';
import type { Engine, Game, GameOptions } from './engine.ts';

type Sdk = Pick<typeof sources, 'Overworld' | 'OverworldError'>;

export const makeTypescript = (name: string, load: () => Promise<Sdk>): Engine => ({
  name,
  skip: false,
  keepsSaveText: false,
  async start(options) {
    const game = startGame(await load(), options);
    await game.call('player_id');
    return game;
  },
});

/** The TypeScript SDK, which is the reference for the others. */
export const typescript = makeTypescript('TypeScript', async () => sources);

function makeStore(): OverworldStore {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
    getAllKeys: () => [...values.keys()],
  };
}

function startGame(sdk: Sdk, given: GameOptions): Game {
  const options = withDefaults(given);
  const dropped: unknown[] = [];
  const errors: unknown[] = [];
  const overworld = new sdk.Overworld({
    baseUrl: options.base_url,
    apiKey: options.api_key,
    playerId: options.player_id,
    store: makeStore(),
    flushIntervalMs: options.flush_interval_seconds * 1_000,
    maxQueuedEvents: options.max_queued_events,
    timeoutMs: options.timeout_seconds * 1_000,
    ...(options.app_version && { appVersion: options.app_version }),
    onDrop: ({ reason, events, message = null, violations = [] }) =>
      dropped.push({
        reason,
        message,
        events: events.map((event) => event.event_name),
        messages: violations.map((violation) => violation.message),
      }),
    onError: (error) => errors.push(describe(error)),
  });

  // oxlint-disable-next-line no-explicit-any
  const calls: { [name: string]: (args: any) => unknown } = {
    player_id: async () => {
      await overworld.ready;
      return overworld.playerId;
    },
    set_player_id: ({ player_id }) => overworld.setPlayerId(player_id),
    track: ({ event_name, properties }) => overworld.track(event_name, properties),
    identify: ({ properties }) => overworld.identify(properties),
    'tags.add': ({ tag }) => overworld.tags.add(tag),
    'tags.remove': ({ tag }) => overworld.tags.remove(tag),
    async 'saves.load'(of) {
      const save = await overworld.saves.load(of);
      return save && { text: JSON.stringify(save.data), version: save.version };
    },
    async 'saves.save'({ text, policy, ...rest }) {
      const save = await overworld.saves.save(JSON.parse(text), { ...rest, onConflict: policy });
      const { data, wasConflict } = save;
      return { text: JSON.stringify(data), version: save.version, was_conflict: wasConflict };
    },
    'saves.delete': (of) => overworld.saves.delete(of),
    'saves.list': async () =>
      (await overworld.saves.list()).map(({ updated_at: _, ...slot }) => slot),
    'achievements.unlock': async ({ key, ...rest }) =>
      (await overworld.achievements.unlock(key, rest)).already_unlocked,
    'achievements.progress': async () =>
      (await overworld.achievements.list()).achievements.map(({ key, progress }) => ({
        key,
        progress,
      })),
    'stats.change': ({ changes }) => overworld.stats.change(changes),
    'stats.list': async () =>
      (await overworld.stats.list()).map(({ key, aggregation, value }) => ({
        key,
        aggregation,
        value,
      })),
    async 'messages.list'(of) {
      const { messages, unread_count, isStale: is_stale } = await overworld.messages.list(of);
      const described = messages.map(({ id, title, read, claimed }) => ({
        id,
        title,
        read,
        claimed,
      }));
      return { messages: described, unread_count, is_stale };
    },
    'messages.read': ({ id }) => overworld.messages.read(id).then(() => null),
    async 'messages.claim'({ id }) {
      const { already_claimed, rewards } = await overworld.messages.claim(id);
      return { already_claimed, rewards };
    },
    'messages.delete': ({ id }) => overworld.messages.delete(id).then(() => null),
    'achievements.list': async ({ locale }) =>
      (await overworld.achievements.list({ locale })).unlocked_points,
    async 'leaderboards.submit'({ board, score, player_name, metadata, tie_value }) {
      const given_with = { playerName: player_name, metadata, tieValue: tie_value };
      const entry = await overworld.leaderboards.submit(board, score, given_with);
      return { rank: entry.rank, score: entry.score, updated: entry.updated };
    },
    'leaderboards.page': async ({ board, ...rest }) =>
      (await overworld.leaderboards.page(board, rest)).entries.map(describeEntry),
    'leaderboards.around': async ({ board, ...rest }) =>
      (await overworld.leaderboards.around(board, rest)).entries.map(describeEntry),
    async 'leaderboards.players'({ board, player_ids, ...rest }) {
      const { players } = await overworld.leaderboards.players(board, player_ids, rest);
      return players.map(({ player_id, entry }) => ({ player_id, rank: entry?.rank ?? null }));
    },
    async 'config.load'({ max_age_seconds }) {
      const loaded = await overworld.config.load({ maxAgeMs: max_age_seconds * 1_000 });
      return { config: loaded.config, version: loaded.version, is_stale: loaded.isStale };
    },
    'config.get': ({ key, fallback }) => overworld.config.get(key, fallback),
    'account.login_with': async ({ provider, ...credentials }) =>
      (await overworld.account.loginWith(provider, credentials)).player_id,
    'account.link': ({ provider, ...credentials }) => overworld.account.link(provider, credentials),
    'account.unlink': ({ provider }) => overworld.account.unlink(provider),
    'account.logout': () => overworld.account.logout(),
    'account.create_move_code': async () => (await overworld.account.createMoveCode()).code,
    'account.get_player_token': () => overworld.account.getPlayerToken(),
    'account.export_data': async () =>
      ((await overworld.account.exportData()).player as { player_id: string }).player_id,
    'account.erase_player': () => overworld.account.erasePlayer(),
    'account.move_here': async ({ code }) => (await overworld.account.moveHere(code)).player_id,
    queued_calls: () => overworld.queuedCalls,
    set_tracking: ({ is_enabled }) => void (overworld.trackingEnabled = is_enabled),
    flush: () => overworld.flush(),
    close: () => overworld.close(),
    reports: () => ({ dropped, errors, queued: overworld.queuedEvents }),
  };
  return {
    async call(name, args = {}) {
      try {
        return (await calls[name]!(args)) ?? null;
      } catch (error) {
        throw error instanceof sdk.OverworldError ? new CallError(describe(error)) : error;
      }
    },
    kill: () => overworld.close({ timeoutMs: 0 }),
  };
}

const describe = ({ code, status, message }: OverworldError) => ({ code, status, message });
const describeEntry = (entry: { rank: number; player_id: string; score: number }) => ({
  rank: entry.rank,
  player_id: entry.player_id,
  score: entry.score,
});
