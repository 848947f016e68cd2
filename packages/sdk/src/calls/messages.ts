import type { MessageClaim, MessageList } from '../answers.ts';
import { parseKept } from '../stores/kept-store.ts';
import type { Tell } from '../events/callbacks.ts';
import { createTimer } from '../http/timer.ts';
import type { KeptStore, KeptText } from '../stores/kept-store.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';

/** A list of messages, and whether it is the present one. */
export interface ListedMessages extends MessageList {
  /** True if the server was not reached, so that these are the messages of the last list. */
  isStale: boolean;
}

/** Messages of the studio to the player. */
export interface Messages {
  /**
   * Lists the newest 200 messages of the player, in the language `locale`, by default in that of the browser.
   * While nothing has changed, the server sends no body. If the server is not reached, gives the last list, even
   * of an earlier run of the game.
   * @throws OverworldError if the server is not reached and has never given a list.
   * @example const { messages, unread_count } = await overworld.messages.list();
   */
  list(options?: { locale?: string }): Promise<ListedMessages>;
  /** Marks a message as read. */
  read(messageId: string): Promise<void>;
  /**
   * Claims the rewards of a message, once. The server unlocks achievements; the game gives items. If the answer
   * is lost, claim again: it has the same rewards. So keep the ids of the messages whose items the player has.
   * @example
   * const { rewards } = await overworld.messages.claim(message.id);
   * if (!save.claimed.includes(message.id)) give(rewards);
   */
  claim(messageId: string): Promise<MessageClaim>;
  /** Deletes a message of the player. @throws OverworldError `not_found` if the player has no such message. */
  delete(messageId: string): Promise<void>;
}

interface Known {
  player_id: string;
  etag: string | null;
  answer: MessageList;
}

/** The time between two looks for new messages. */
const LOOK_MS = 300_000;

export const createMessages = (
  transport: Transport,
  player: Player,
  store: KeptStore,
  key: string,
  tell: Tell,
): Messages & { open(text: KeptText): void; close(): void } => {
  let known: Known | undefined;
  let language: string | undefined;

  const list: Messages['list'] = async ({ locale = language } = {}) => {
    const player_id = await player.get();
    language = locale;
    const find = () => (known?.player_id === player_id ? known : undefined);
    const last = find();
    try {
      const { status, body, etag } = await transport.retry<Known['answer']>({
        path: 'messages',
        gives: 'messages',
        query: { player_id, locale, limit: 200 },
        player_id,
        headers: last?.etag ? { 'if-none-match': last.etag } : {},
      });
      const next = status === 304 && last ? last : { player_id, etag, answer: body };
      // Another list may have been answered meanwhile.
      const old = find();
      void store.keep(key, (known = next));
      const fresh = next.answer.messages.filter(
        ({ id, read }) => !(read || old?.answer.messages.some((each) => each.id === id)),
      );
      if (fresh[0]) tell.messages?.(fresh);
      return { ...next.answer, isStale: false };
    } catch (error) {
      if (last) return { ...last.answer, isStale: true };
      throw error;
    }
  };

  const on = async <Body>(id: string, action: string, gives: '' | (string & keyof Body)) => {
    const player_id = await player.get();
    const query = { player_id };
    const details = action ? { body: query } : ({ method: 'DELETE', query } as const);
    return transport.ask<Body>(`messages/${id}${action}`, gives, details, player_id);
  };

  /** Looks for new messages now and then. */
  const look = () => {
    timer.start(LOOK_MS);
    void list().catch(() => {});
  };
  const timer = createTimer(look);

  return {
    open: (text) => {
      known = parseKept(text);
      if (tell.messages) look();
    },
    close: timer.stop,
    list,
    read: (id) =>
      on<{ read_at: string }>(id, '/read', 'read_at') as Promise<unknown> as Promise<void>,
    claim: (id) => on<MessageClaim>(id, '/claim', 'claimed_at'),
    delete: (id) => on<object>(id, '', '') as Promise<unknown> as Promise<void>,
  };
};
