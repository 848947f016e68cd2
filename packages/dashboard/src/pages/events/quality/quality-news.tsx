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
import { findNews } from './quality-problems.ts';
import type { Quality } from './quality-problems.ts';

/**
 * Says for which API keys events have more problems on the last day than
 * on the days before, so that readers notice a broken build immediately.
 */
export function QualityNews(props: {
  quality: Quality;
  isToday: boolean;
  /** Shown below the news, such as a link to the details. */
  children?: ReactNode;
}) {
  const { quality, isToday, children } = props;
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
              <b className="name">{key_name ?? 'A deleted key'}</b>:{' '}
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
