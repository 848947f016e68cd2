import type { Database } from '../../platform/database/database.ts';
import { badRequest } from '../../platform/errors.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { isUuid } from '../../platform/http/validation.ts';
import type { LocaleWish } from '../../platform/locale.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { SegmentJudge } from './audience.ts';
import { createMessageText } from './message.ts';
import type { MessageText } from './message.ts';
import type { PlayerMessages } from './reader.ts';
import { listForPlayer } from './shared-messages.ts';
import type { SharedMessages } from './shared-messages.ts';
import { listContents } from './store.ts';

interface Listed {
  message_id: string;
  starts_ms: number;
  /** Null for a message to the player alone, whose texts are read only if it is on the page. */
  text: MessageText | null;
}

interface ListRequest {
  player: PlayerKey;
  wish: LocaleWish;
  limit: number;
  cursor: string | undefined;
}

interface ListServices {
  shared: SharedMessages;
  of_player: PlayerMessages;
  judge: SegmentJudge;
  now_ms: number;
}

/** Writes a page of the messages of a player as JSON. @throws ApiError 400 for a cursor of another list. */
export async function writeList(
  database: Database,
  { player, wish, limit, cursor }: ListRequest,
  { shared, of_player, judge, now_ms }: ListServices,
): Promise<string> {
  const { own, states } = of_player;
  const after = readCursor(cursor);
  const chosen = await listForPlayer(database, player, shared, states, judge, now_ms);
  const all: Listed[] = [...chosen, ...own.map((each) => ({ ...each, text: null }))]
    .filter(({ message_id }) => states.get(message_id)?.is_deleted !== true)
    .sort(compare);
  const unread = all.filter(({ message_id }) => (states.get(message_id)?.read_at ?? null) === null);
  const rest = after === null ? all : all.filter((each) => compare(after, each) < 0);
  const page = rest.slice(0, limit);
  const texts = await readTexts(database, player, page);
  const written = page.flatMap(({ message_id, text }) => {
    const found = text ?? texts.get(message_id);
    return found === undefined ? [] : [found.write(wish, states.get(message_id))];
  });
  const last = page.at(-1);
  const next_cursor =
    last !== undefined && rest.length > limit
      ? encodeCursor([String(last.starts_ms), last.message_id])
      : null;
  return `{"messages":[${written.join()}],"next_cursor":${JSON.stringify(next_cursor)},"unread_count":${unread.length}}`;
}

/** The newest first; ids distinguish messages of the same moment. */
const compare = (a: Omit<Listed, 'text'>, b: Omit<Listed, 'text'>): number => {
  if (a.starts_ms !== b.starts_ms) return b.starts_ms - a.starts_ms;
  return a.message_id < b.message_id ? 1 : a.message_id > b.message_id ? -1 : 0;
};

function readCursor(cursor: string | undefined): Omit<Listed, 'text'> | null {
  const key = decodeCursor(
    cursor,
    (texts) => texts.length === 2 && /^-?\d{1,16}$/.test(texts[0]!) && isUuid(texts[1]!),
  );
  if (key === null) return null;
  const starts_ms = Number(key[0]);
  if (!Number.isSafeInteger(starts_ms)) throw badRequest('cursor is not valid');
  return { starts_ms, message_id: key[1]! };
}

async function readTexts(
  database: Database,
  player: PlayerKey,
  page: readonly Listed[],
): Promise<Map<string, MessageText>> {
  const ids = page.filter(({ text }) => text === null).map(({ message_id }) => message_id);
  if (ids.length === 0) return new Map();
  const contents = await listContents(database, player, ids);
  return new Map(contents.map((content) => [content.message_id, createMessageText(content)]));
}
