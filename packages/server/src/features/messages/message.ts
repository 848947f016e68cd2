import type { Audience } from '@overworld/contract/messages/message-fields';
import { localeChooser } from '../../platform/locale.ts';
import type { LocaleWish } from '../../platform/locale.ts';

/** The part of a message that players see. */
export interface Content {
  message_id: string;
  title: string;
  text: string;
  translations: Record<string, { title?: string; text?: string }>;
  /** JSON text. */
  data: string;
  /** JSON text. */
  rewards: string;
  starts_at: string;
  ends_at: string | null;
}

/** The players whom a stored message to many is for. */
export type StoredAudience = Omit<Audience, 'player_id'>;

/** The reading, the claim and the deletion of a message by a player. */
export interface MessageState {
  message_id: string;
  read_at: string | null;
  claimed_at: string | null;
  is_deleted: boolean;
}

/** Writes messages for players, in the language that a request asks for. */
export interface MessageText {
  write(wish: LocaleWish, state: MessageState | undefined): string;
}

/** @param content A message whose texts are kept in each language that was asked for. */
export function createMessageText(content: Content): MessageText {
  const { message_id, translations, data, rewards, starts_at, ends_at } = content;
  const chooseLocale = localeChooser(Object.keys(translations));
  const beginnings = new Map<string | null, string>();
  const begin = (locale: string | null) => {
    const kept = beginnings.get(locale);
    if (kept !== undefined) return kept;
    const { title = content.title, text = content.text } =
      locale === null ? {} : translations[locale]!;
    const members = JSON.stringify({ id: message_id, title, text, locale });
    const times = JSON.stringify({ starts_at, ends_at });
    const begun = `${members.slice(0, -1)},"data":${data},"rewards":${rewards},${times.slice(1, -1)}`;
    beginnings.set(locale, begun);
    return begun;
  };
  return {
    write(wish, state) {
      const locale = chooseLocale(wish);
      const read = (state?.read_at ?? null) !== null;
      const claimed = (state?.claimed_at ?? null) !== null;
      return `${begin(locale)},"read":${read},"claimed":${claimed}}`;
    },
  };
}
