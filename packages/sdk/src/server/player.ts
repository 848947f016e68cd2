import type {
  AchievementList,
  ChangedStats,
  LeaderboardPage,
  MessageClaim,
  MessageList,
  PlayerProperties,
  PlayerTags,
  Save,
  SaveSlot,
  Stat,
  SubmittedScore,
  Unlock,
} from '../answers.ts';
import type {
  ConfigValues,
  MergedPlayers,
  PlayerDetail,
  PlayerExport,
  PlayerMerge,
  Timeline,
} from './answers.ts';
import { makeId } from '../http/platform.ts';
import { OverworldError } from './error.ts';
import type { Request } from './transport.ts';

/** An export of a player with many events takes longer than other calls. */
const EXPORT_TIMEOUT_MS = 120_000;

/**
 * One player, for whom this server acts. It holds nothing but the id and sends nothing by itself, so make as
 * many as you like. The first write makes a player who does not exist yet. All methods throw OverworldError.
 */
export class ServerPlayer {
  readonly id: string;
  readonly #request: Request;
  readonly #path: string;

  /** @internal */
  constructor(id: string, request: Request) {
    if (typeof id !== 'string' || id === '') throw new TypeError('The id of a player is missing');
    this.id = id;
    this.#request = request;
    this.#path = `/v1/players/${encodeURIComponent(id)}`;
  }

  /**
   * Gets properties, tags and the newest sessions of the player.
   * @throws OverworldError `not_found` if there is no such player.
   */
  get(): Promise<PlayerDetail> {
    return this.#request('GET', this.#path);
  }

  /** Gets events of the player, the newest first: 50, or `limit` of them (1 to 500), from `cursor` on. */
  timeline(options: { limit?: number; cursor?: string } = {}): Promise<Timeline> {
    const { limit, cursor } = options;
    return this.#request('GET', `${this.#path}/timeline`, { query: { limit, cursor } });
  }

  /**
   * Merges properties into those of the player: each property replaces the stored one as a whole.
   * @returns all properties of the player, 64 KB at most.
   */
  async identify(properties: object): Promise<PlayerProperties['properties']> {
    const body = { player_id: this.id, properties };
    return (await this.#request<PlayerProperties>('POST', '/v1/identify', { body })).properties;
  }

  readonly tags = {
    /** Adds a tag, which the server trims and writes in lower case. @returns all tags of the player. */
    add: async (tag: string): Promise<string[]> =>
      (await this.#request<PlayerTags>('POST', `${this.#path}/tags`, { body: { tag } })).tags,
    /** Removes a tag; it is no error if the player does not have it. */
    remove: async (tag: string): Promise<void> => {
      const path = `${this.#path}/tags/${encodeURIComponent(tag)}`;
      await nullIf('Tag not found', this.#request('DELETE', path));
    },
  };

  readonly saves = {
    /** Loads the save in a slot, by default `main`. @returns null if there is none. */
    load: <Data extends object = Save['data']>({
      slot,
    }: SlotOption = {}): Promise<Save<Data> | null> =>
      nullIf(
        'No save found',
        this.#request<Save<Data>>('GET', '/v1/saves', { query: { player_id: this.id, slot } }),
      ),
    /**
     * Stores a save of at most 100 KB. Give the `version` that you have loaded, or 0 for a slot without a
     * save: the save is then stored only if nobody else has stored one since. Without a version it replaces
     * any save, also one that a device of the player stores at the same time.
     * @throws OverworldError `conflict` with `server_data` and `server_version` in its `body`.
     */
    save: async (
      data: object,
      { version, slot }: SlotOption & { version?: number } = {},
    ): Promise<Omit<Save, 'data'>> => {
      const body = { player_id: this.id, slot, version, data };
      try {
        const { version: stored, updated_at } = await this.#request<Save>('PUT', '/v1/saves', {
          body,
        });
        return { version: stored, updated_at };
      } catch (error) {
        return readOwnSave(error, data, version);
      }
    },
    /** Deletes the save in a slot. @returns false if there was none. */
    delete: async ({ slot }: SlotOption = {}): Promise<boolean> => {
      const query = { player_id: this.id, slot };
      const deleted = this.#request('DELETE', '/v1/saves', { query, done: 'No save found' });
      return (await nullIf('No save found', deleted)) !== null;
    },
    /** Lists the slots that have a save. */
    list: async (): Promise<SaveSlot[]> => {
      const query = { player_id: this.id };
      return (await this.#request<{ slots: SaveSlot[] }>('GET', '/v1/saves/slots', { query }))
        .slots;
    },
  };

  readonly achievements = {
    /** Unlocks an achievement. To unlock it a second time changes nothing. */
    unlock: (achievementKey: string): Promise<Unlock> => {
      const body = { achievement_key: achievementKey, player_id: this.id };
      return this.#request('POST', '/v1/achievements/unlock', { body });
    },
    /** Lists all achievements, in a language such as `pt-BR`, and which of them the player has unlocked. */
    list: ({ locale }: { locale?: string } = {}): Promise<AchievementList> =>
      this.#request('GET', '/v1/achievements', { query: { player_id: this.id, locale } }),
  };

  readonly messages = {
    /** Lists messages of the player, the newest first: 50, or `limit` of them (1 to 200), from `cursor` on. */
    list: ({ locale, limit, cursor }: MessageQuery = {}): Promise<MessageList> => {
      const query = { player_id: this.id, locale, limit, cursor };
      return this.#request('GET', '/v1/messages', { query });
    },
    /** Marks a message as read. */
    read: async (messageId: string): Promise<void> => {
      await this.#onMessage('POST', messageId, '/read');
    },
    /** Claims the rewards of a message, once. A repeated claim answers the same rewards. */
    claim: (messageId: string): Promise<MessageClaim> =>
      this.#onMessage('POST', messageId, '/claim'),
    /** Deletes a message of this player. @returns false if the player has no such message. */
    delete: async (messageId: string): Promise<boolean> =>
      (await nullIf('Message not found', this.#onMessage('DELETE', messageId))) !== null,
  };

  #onMessage<Body>(method: 'POST' | 'DELETE', messageId: string, action = ''): Promise<Body> {
    const path = `/v1/messages/${encodeURIComponent(messageId)}${action}`;
    const of_player = { player_id: this.id };
    if (method === 'POST') return this.#request(method, path, { body: of_player });
    return this.#request(method, path, { query: of_player, done: 'Message not found' });
  }

  readonly stats = {
    /**
     * Changes statistics, all or none: adds to a `sum`, or gives a value that the player has reached. It is
     * done once, however often it is sent.
     * @returns the new values by their keys.
     * @throws OverworldError `bad_request` if a value would leave its bounds, `not_found` if the game has no
     * such statistic.
     * @example const { coins } = await player.stats.change({ coins: -30, bought: 1 });
     */
    change: async (changes: { [key: string]: number }): Promise<{ [key: string]: number }> => {
      const list = Object.entries(changes).map(([key, value]) => ({ key, value }));
      const { stats = [] } = await this.#request<ChangedStats>('POST', '/v1/stats', {
        body: { player_id: this.id, changes: list },
        headers: { 'idempotency-key': makeId() },
      });
      return Object.fromEntries(stats.map(({ key, value }) => [key, value]));
    },
    /** Lists all statistics of the game with the values of the player. */
    list: async (): Promise<Stat[]> => {
      const query = { player_id: this.id };
      return (await this.#request<{ stats: Stat[] }>('GET', '/v1/stats', { query })).stats;
    },
  };

  readonly leaderboards = {
    /**
     * Submits a score. A better score replaces the entry, with `playerName` and `metadata` (8 KB at most) if
     * they are given. Any other score changes nothing. On a board that keeps the latest score or the sum, each
     * submit counts, and a repeated attempt counts once. To send a score again after a restart, give it the same
     * `idempotencyKey` as before. On a board with a tie-break, `tieValue` decides among equal scores.
     * @returns the stored entry with its exact rank.
     */
    submit: (
      boardName: string,
      score: number,
      {
        playerName,
        metadata,
        tieValue,
        idempotencyKey = makeId(),
      }: {
        playerName?: string;
        metadata?: object;
        tieValue?: number;
        idempotencyKey?: string;
      } = {},
    ): Promise<SubmittedScore> => {
      const scored = { board_name: boardName, player_id: this.id, score };
      const body = { ...scored, player_name: playerName, metadata, tie_value: tieValue };
      const headers = { 'idempotency-key': idempotencyKey };
      return this.#request('POST', '/v1/leaderboards', { body, headers });
    },
    /** Gets the player's entry with up to `above` and `below` entries around it: 0 to 50, 5 by default. */
    around: (
      boardName: string,
      { above, below, season }: { above?: number; below?: number; season?: number } = {},
    ): Promise<LeaderboardPage> => {
      const [board, id] = [boardName, this.id].map(encodeURIComponent);
      const query = { above, below, season };
      return this.#request('GET', `/v1/leaderboards/${board}/around/${id}`, { query });
    },
  };

  /** Gets the values of the remote config for the player. */
  config(): Promise<ConfigValues> {
    return this.#request('GET', '/v1/config', { query: { player_id: this.id } });
  }

  /**
   * Merges another player into this one; the other player ends. `saves` says which save a slot keeps:
   * `newest` (the default), `target` (of this player) or `source`. A `preview` changes nothing.
   * @throws OverworldError `conflict` if the two together pass a limit.
   */
  merge(
    fromPlayerId: string,
    { saves, preview }: { saves?: 'newest' | 'target' | 'source'; preview?: boolean } = {},
  ): Promise<MergedPlayers> {
    const body = { from_player_id: fromPlayerId, saves, preview };
    return this.#request('POST', `${this.#path}/merge`, { body });
  }

  /** Lists the newest 100 merges into this player, and how far their events have moved. */
  async merges(): Promise<PlayerMerge[]> {
    type Answer = { merges: PlayerMerge[] };
    return (await this.#request<Answer>('GET', `${this.#path}/merges`)).merges;
  }

  /** Exports all data of the player in the environment of the key. */
  export(): Promise<PlayerExport> {
    return this.#request('GET', `${this.#path}/export`, { timeoutMs: EXPORT_TIMEOUT_MS });
  }

  /**
   * Erases the player with all data in the environment of the key. This cannot be undone.
   * @throws OverworldError `not_found` if there is no such player, `conflict` while events of a merge move.
   */
  async erase(): Promise<void> {
    const call = { timeoutMs: EXPORT_TIMEOUT_MS, done: 'Player not found' };
    await this.#request('POST', `${this.#path}/erase`, call);
  }
}

interface MessageQuery {
  locale?: string;
  limit?: number;
  cursor?: string;
}

interface SlotOption {
  slot?: string;
}

/** Body of the answer when the server refuses a save. */
interface Conflict {
  server_version: number;
  server_data: object;
  updated_at: string;
}

const nullIf = <Body>(refusal: string, answer: Promise<Body>): Promise<Body | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof OverworldError && error.body.error === refusal) return null;
    throw error;
  });

/**
 * A conflict with the data that this call has sent is no conflict: an earlier attempt has stored it, and the
 * answer was lost.
 */
function readOwnSave(
  error: unknown,
  data: object,
  version: number | undefined,
): Omit<Save, 'data'> {
  if (error instanceof OverworldError && error.code === 'conflict') {
    const { server_version, server_data, updated_at } = error.body as unknown as Conflict;
    const isNext = server_version === (version ?? 0) + 1;
    if (isNext && JSON.stringify(server_data) === JSON.stringify(data)) {
      return { version: server_version, updated_at };
    }
  }
  throw error;
}
