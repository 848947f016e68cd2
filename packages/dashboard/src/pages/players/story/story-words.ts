import { AUDIT_ACTIONS } from '@overworld/contract/games/audit-actions';
import {
  IconAdjustmentsHorizontal,
  IconBolt,
  IconDeviceFloppy,
  IconLogin2,
  IconMail,
  IconMedal,
  IconPencil,
  IconTrophy,
} from '@tabler/icons-react';
import { sentence } from '../../../api/failure.ts';
import { countOf, formatBytes, formatScore } from '../../../ui/format.ts';
import { formatMinute } from '../../../ui/time/format-time.ts';
import { detailWords } from '../../audit-log/detail-words.ts';
import { OUTCOME_WORDS, RULE_WORDS } from '../../leaderboards/board-words.ts';
import { rewardWords } from '../../messages/message-words.ts';
import { amountOf, isPurchase } from './purchases.ts';
import type { PurchaseSettings } from './purchases.ts';
import type { StoryEntry } from './story-groups.ts';

type PropertyChange = Extract<StoryEntry, { kind: 'game_change' }>['properties'][number];

export const KIND_NAMES = {
  event: 'Events',
  save: 'Saves',
  unlock: 'Achievements',
  message: 'Messages',
  score: 'Scores',
  login: 'Logins',
  game_change: 'Changes by the game',
  change: 'Edits by staff',
} as const satisfies Record<StoryEntry['kind'], string>;

export const KIND_ICONS = {
  event: IconBolt,
  save: IconDeviceFloppy,
  unlock: IconMedal,
  message: IconMail,
  score: IconTrophy,
  login: IconLogin2,
  game_change: IconAdjustmentsHorizontal,
  change: IconPencil,
} as const;

const LOGIN_WORDS = {
  linked: 'Login linked',
  logged_in: 'Logged in',
  logged_out: 'Logged out',
  token_reused: 'Session ended',
} as const satisfies Record<Extract<StoryEntry, { kind: 'login' }>['action'], string>;

const MESSAGE_WORDS = {
  sent: 'Sent',
  read: 'Read',
  claimed: 'Claimed',
  deleted: 'Deleted',
} as const satisfies Record<Extract<StoryEntry, { kind: 'message' }>['action'], string>;

const ACTIONS: Partial<Record<string, string>> = AUDIT_ACTIONS;

/**
 * Describes an entry by a title of a few words and one line of details. Times are shown in the zone `zone`.
 * @param purchases The meaning of purchase events; null if the game has chosen none.
 */
export function wordsOfEntry(
  entry: StoryEntry,
  zone: string,
  purchases: PurchaseSettings | null,
): { title: string; line: string } {
  switch (entry.kind) {
    case 'event': {
      const amount = isPurchase(entry, purchases) ? amountOf(entry.properties, purchases!) : null;
      const { event_name } = entry;
      const title = amount === null ? event_name : `${event_name} ${amount}`;
      return { title, line: oneLine(entry.properties) };
    }
    case 'save':
      return entry.action === 'deleted'
        ? { title: 'Save deleted', line: `slot ${entry.slot}` }
        : {
            title:
              entry.restoration_id === null
                ? `Saved version ${entry.version}`
                : `Version ${entry.version} by a restoration`,
            line: `slot ${entry.slot}, ${formatBytes(entry.size_bytes)}`,
          };
    case 'unlock':
      return { title: `Unlocked ${entry.name}`, line: countOf(entry.points, 'point') };
    case 'message':
      return {
        title: `${MESSAGE_WORDS[entry.action]} “${entry.title}”`,
        line: entry.action === 'read' ? '' : entry.rewards.map(rewardWords).join(', '),
      };
    case 'score':
      return {
        title: `${formatScore(entry.score)} on ${entry.board_name}`,
        line: lineOfScore(entry),
      };
    case 'login':
      return {
        title: LOGIN_WORDS[entry.action],
        line: [
          `${entry.provider}, ${entry.subject}`,
          ...(entry.action === 'token_reused' ? ['a refresh token was used twice'] : []),
        ].join(' · '),
      };
    case 'game_change':
      return wordsOfGameChange(entry);
    case 'change': {
      const details = entry.details as Record<string, unknown>;
      const author = entry.account_email ?? ('key_id' in details ? 'server key' : 'command line');
      const words = detailWords(details, (iso) => formatMinute(iso, zone));
      return {
        title: ACTIONS[entry.action] ?? sentence(entry.action),
        line: [`by ${author}`, ...words].join(' · '),
      };
    }
  }
}

function wordsOfGameChange(entry: Extract<StoryEntry, { kind: 'game_change' }>): {
  title: string;
  line: string;
} {
  const { properties, has_more, added_tag, removed_tag } = entry;
  if (added_tag !== null) return { title: `Tag ${added_tag} added`, line: '' };
  if (removed_tag !== null) return { title: `Tag ${removed_tag} removed`, line: '' };
  const [first, ...others] = properties.map(describePropertyChange);
  return {
    title: first ?? 'Properties changed',
    line: [...others, ...(first && has_more ? ['and more'] : [])].join(', '),
  };
}

/** Describes a changed property in a few words, such as `level 3 → 4`. */
const describePropertyChange = ({ name, before, after }: PropertyChange): string =>
  before === null ? `${name} set to ${after}` : `${name} ${before} → ${after}`;

function lineOfScore(entry: Extract<StoryEntry, { kind: 'score' }>): string {
  const { outcome, score_before, rule, season } = entry;
  if (outcome === 'best') return `best of season ${season}`;
  const words = rule ? `${OUTCOME_WORDS[outcome]}: ${RULE_WORDS[rule]}` : OUTCOME_WORDS[outcome];
  return score_before === null ? words : `${words}, ${formatScore(score_before)} before`;
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const oneLine = (members: object) =>
  Object.entries(members)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('  ');
