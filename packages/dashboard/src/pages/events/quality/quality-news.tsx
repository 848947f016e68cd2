import { Alert, List } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  formatCalendarDay,
  formatCount,
  formatShare,
  isFew,
  writeShare,
} from '../../../ui/format.ts';
import { TextLink } from '../../../ui/links.tsx';
import { findNews } from './quality-problems.ts';
import type { Quality } from './quality-problems.ts';

/**
 * Says for which API keys events have more problems on the last day than
 * on the days before, so that readers notice a broken build immediately.
 */
export function QualityNews(props: {
  quality: Quality;
  isToday: boolean;
  /** Returns the address of the page about the events of a key; by default the keys lead nowhere. */
  hrefOf?: (key_id: string) => string;
  /** Shown below the news, such as a link to the details. */
  children?: ReactNode;
}) {
  const { quality, isToday, hrefOf, children } = props;
  const { days, to } = quality;
  const when = isToday ? 'today' : `on ${formatCalendarDay(to)}`;
  if (!days.some(({ day }) => day === to)) return null;
  const news = findNews(days, to);
  if (news.length === 0) {
    return (
      <Alert color="moss" icon={<IconCheck size={18} aria-hidden />}>
        Nothing is worse {when} than on the days before.
      </Alert>
    );
  }
  return (
    <Alert
      color="clay"

      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`Worse ${when} than before`}
    >
      <List size="sm" spacing={4} listStyleType="none">
        {news.map(
          ({ key_id, key_name, problem, count, share, share_before, sent, sent_before }) => (
            <List.Item key={`${key_id} ${problem.value}`}>
              <KeyName name={key_name ?? 'A deleted key'} to={hrefOf?.(key_id)} />:{' '}
              {isFew(sent) ? writeShare(count, sent) : formatCount(count)} events
              {isToday ? ' today' : ''}
              {!isFew(sent) && ` (${formatShare(share)})`} {problem.words};{' '}
              {share_before === 0
                ? 'before there were none'
                : `before it was ${writeShare(Math.round(share_before * sent_before), sent_before)}`}
              .
            </List.Item>
          ),
        )}
      </List>
      {children}
    </Alert>
  );
}

const KeyName = ({ name, to }: { name: string; to: string | undefined }) =>
  to === undefined ? (
    <b className="name">{name}</b>
  ) : (
    <TextLink to={to} className="name" fw={600}>
      {name}
    </TextLink>
  );
