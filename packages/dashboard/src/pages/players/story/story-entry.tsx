import { Group } from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import { useGame } from '../../../shell/game.ts';
import { Json } from '../../../ui/json/code.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { isPurchase } from './purchases.ts';
import type { PurchaseSettings } from './purchases.ts';
import type { StoryEntry } from './story-groups.ts';
import { KIND_ICONS, KIND_NAMES, wordsOfEntry } from './story-words.ts';
import { formatExactClock, formatMoment } from '../../../ui/time/format-time.ts';
import classes from './story.module.css';
import { showName } from '../../../ui/shown-name.ts';

/**
 * If an event arrived more than this time after it occurred, it is
 * late: its device had no network and sent the event afterwards.
 */
const LATE_MS = 60_000;
const isLate = ({ at, occurred_at }: { at: string; occurred_at: string }) =>
  Math.abs(Date.parse(at) - Date.parse(occurred_at)) > LATE_MS;

/** One line of the story, which opens to show everything about the entry. */
export function StoryLine(props: {
  entry: StoryEntry;
  zone: string;
  purchases: PurchaseSettings | null;
}) {
  const { entry, zone, purchases } = props;
  const isBought = isPurchase(entry, purchases);
  const Icon = isBought ? IconShoppingCart : KIND_ICONS[entry.kind];
  const { title, line } = wordsOfEntry(entry, zone, purchases);
  const late =
    entry.kind === 'event' &&
    isLate(entry) &&
    `happened ${formatMoment(entry.occurred_at, zone)}  `;
  return (
    <li>
      <details className={classes.entry} data-kind={entry.kind}>
        <summary className={classes.line}>
          <time dateTime={entry.at} className={classes.clock} title={formatMoment(entry.at, zone)}>
            {formatExactClock(entry.at, zone)}
          </time>
          <Icon
            size={16}
            className={classes.icon}
            aria-label={isBought ? 'Purchases' : KIND_NAMES[entry.kind]}
            role="img"
          />
          <span className={`truncate ${classes.title}`}>{showName(title)}</span>
          <span className={`truncate ${classes.rest}`}>
            {late}
            {line}
          </span>
        </summary>
        <div className={classes.opened}>
          <Facts entry={entry} zone={zone} />
          <Target entry={entry} />
        </div>
      </details>
    </li>
  );
}

function Facts({ entry, zone }: { entry: StoryEntry; zone: string }) {
  const facts: [name: string, value: string][] = [['At', formatMoment(entry.at, zone)]];
  if (entry.kind === 'event') {
    facts.push(
      ['Session', entry.session_id],
      ['Counted at', formatMoment(entry.occurred_at, zone)],
    );
    const { client_timestamp } = entry;
    facts.push([
      'By the client’s clock',
      client_timestamp === null ? 'not sent' : formatMoment(client_timestamp, zone),
    ]);
  }
  if (entry.kind === 'game_change') {
    for (const { name, before, after } of entry.properties) {
      facts.push([name, before === null ? after : `${before} → ${after}`]);
    }
    if (entry.has_more) facts.push(['Further properties', 'changed too']);
  }
  if (entry.kind === 'change') facts.push(['By', entry.account_email ?? 'no account']);
  if (entry.kind === 'login') facts.push(['Id at the provider', entry.subject]);
  const json =
    entry.kind === 'event' ? entry.properties : entry.kind === 'change' ? entry.details : null;
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="name">{value}</dd>
          </div>
        ))}
      </dl>
      {json && (
        <Json
          value={json}
          label={entry.kind === 'event' ? 'properties' : 'details'}
          maxHeight={320}
        />
      )}
    </>
  );
}

/**
 * Links to the pages that show what the entry is about: the stored version of a save and the restoration that has
 * stored it, or the board.
 */
function Target({ entry }: { entry: StoryEntry }) {
  const { path } = useGame();
  if (entry.kind === 'save' && entry.action === 'stored') {
    const search = new URLSearchParams({
      tab: 'save',
      slot: entry.slot,
      version: String(entry.version),
    });
    const { restoration_id } = entry;
    return (
      <Group gap="md">
        <TextLink to={`?${search}`}>Show this version</TextLink>
        {restoration_id !== null && (
          <TextLink to={path('save-restorations', restoration_id)}>Show the restoration</TextLink>
        )}
      </Group>
    );
  }
  if (entry.kind === 'score') {
    return <TextLink to={path('leaderboards', entry.board_name)}>Show the board</TextLink>;
  }
  return null;
}
