import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { parseExactly } from '../../platform/json/exact-json.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import { traitsIn } from '../../platform/players/traits.ts';
import type { TraitNeeds, Traits } from '../../platform/players/traits.ts';
import { findFirstSeen } from './audience.ts';
import type { SegmentJudge } from './audience.ts';
import { listMemberships } from './members.ts';
import { createMessageText } from './message.ts';
import type { Content, MessageText, StoredAudience } from './message.ts';
import { contentColumns } from './store.ts';

/** A message to many, prepared for answering requests. */
export interface SharedMessage {
  message_id: string;
  audience: StoredAudience;
  /** True if the members of one time are stored. */
  has_members: boolean;
  sent_ms: number;
  starts_ms: number;
  ends_ms: number;
  text: MessageText;
}

/** The messages to many of one environment that have not ended, the newest first. */
export interface SharedMessages {
  messages: readonly SharedMessage[];
  /** The traits that conditions look at; null if no message has conditions that are judged at each request. */
  needs: TraitNeeds | null;
}

interface Row extends Content {
  audience: string;
  has_members: boolean;
  sent_at: string;
}

export async function loadSharedMessages(
  database: Queryable,
  tenant: Tenant,
): Promise<SharedMessages> {
  const rows = await database.query<Row>(sql`
    SELECT ${contentColumns}, audience::text AS audience, member_count IS NOT NULL AS has_members, sent_at
    FROM messages
    WHERE ${isOfTenant(tenant)} AND player_id IS NULL AND recalled_at IS NULL
      AND NOT is_sending AND (ends_at IS NULL OR ends_at > now())
    ORDER BY messages.starts_at DESC, message_id DESC`);
  const messages = rows.map(({ audience, has_members, sent_at, ...content }) => ({
    message_id: content.message_id,
    audience: parseExactly(audience) as StoredAudience,
    has_members,
    sent_ms: Date.parse(sent_at),
    starts_ms: Date.parse(content.starts_at),
    ends_ms: content.ends_at === null ? Infinity : Date.parse(content.ends_at),
    text: createMessageText(content),
  }));
  const judged = messages.filter(isJudged).flatMap(({ audience }) => audience.properties ?? []);
  return { messages, needs: messages.some(isJudged) ? traitsIn(judged) : null };
}

/** Tells whether the conditions of a message are judged at each request. */
const isJudged = ({ audience, has_members }: SharedMessage): boolean =>
  audience.type === 'segment' && !has_members;

/**
 * Finds the messages to many that are for the player now. A player keeps a message that was read or claimed,
 * whatever its conditions say later.
 * @param touched The messages with which the player has done something.
 * @param now_ms The time of PostgreSQL.
 */
export async function listForPlayer(
  database: Queryable,
  player: PlayerKey,
  { messages, needs }: SharedMessages,
  touched: ReadonlyMap<string, unknown>,
  judge: SegmentJudge,
  now_ms: number,
): Promise<SharedMessage[]> {
  const running = messages.filter((each) => each.starts_ms <= now_ms && each.ends_ms > now_ms);
  const open = running.filter(({ message_id }) => !touched.has(message_id));
  const frozen = open.filter(({ has_members }) => has_members);
  const [traits, first_seen_at, memberships] = await Promise.all([
    needs !== null && open.some(isJudged) ? judge.getTraits(database, player, needs) : null,
    open.some(isForKnown) ? findFirstSeen(database, player) : null,
    listMemberships(
      database,
      player,
      frozen.map(({ message_id }) => message_id),
    ),
  ]);
  const isFor = (message: SharedMessage): boolean => {
    if (touched.has(message.message_id)) return true;
    if (message.has_members) return memberships.has(message.message_id);
    if (isForKnown(message)) {
      return first_seen_at !== null && Date.parse(first_seen_at) <= message.sent_ms;
    }
    return (
      message.audience.type === 'everyone' || judge.matches(message.audience, traits as Traits)
    );
  };
  return running.filter(isFor);
}

/** Tells whether a message is for all players of the time of sending. */
const isForKnown = ({ audience }: SharedMessage): boolean =>
  audience.type === 'everyone' && audience.joiners === 'excluded';
