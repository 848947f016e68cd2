import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/operations.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Stat, StatsSkeleton } from '../../ui/stat.tsx';
import { useRequired } from '../../api/hooks.ts';
import { registrationWords } from './registration-words.ts';
import classes from './installation.module.css';

type Numbers = Answer<'GET /v1/admin/stats'>;

/** Events appear within a second, so a delay of this length means that something is wrong. */
const LATE_SECONDS = 10;

/** The size and the health of the installation. */
export function Installation({ numbers }: { numbers: Numbers }) {
  const options = useRequired('GET /v1/auth/options', {});
  const isLate = numbers.inbox_age_seconds > LATE_SECONDS;
  return (
    <Stack gap="md" mb="lg">
      <Card>
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
          <Stat label="Accounts" value={formatCount(numbers.account_count)} />
          <Stat label="Games" value={formatCount(numbers.game_count)} />
          <Stat label="Players" value={formatCount(numbers.player_count)} />
          <Stat label="Events this month" value={formatCount(numbers.events_this_month)} />
        </SimpleGrid>
      </Card>
      <Card title="Health">
        <ul className={classes.list}>
          <Check isGood>
            Release {numbers.version} has been running for {formatDuration(numbers.uptime_seconds)}.
          </Check>
          <Check isGood>
            The database, PostgreSQL {numbers.postgres_version}, takes{' '}
            {formatBytes(numbers.database_bytes)}.
          </Check>
          <Check isGood={!numbers.open_to_strangers}>
            {registrationWords(options, numbers.open_to_strangers)}
          </Check>
          <Check isGood={!isLate}>
            {isLate
              ? `Events appear ${formatDuration(numbers.inbox_age_seconds)} late: ${countOf(numbers.inbox_requests, 'request')} wait to be processed.`
              : 'Events appear as they arrive.'}
          </Check>
          <Check isGood={numbers.quarantined_requests === 0}>
            {numbers.quarantined_requests === 0
              ? 'Every event could be read.'
              : `${countOf(numbers.quarantined_requests, 'request')} with events could not be read and were quarantined in event_quarantine.`}
          </Check>
          <Check isGood={numbers.sends_mail && numbers.failing_mails === 0}>
            {!numbers.sends_mail
              ? 'No e-mail is sent: SMTP_URL is not set. Invitations and new passwords take links that you copy and hand on.'
              : numbers.failing_mails === 0
                ? 'No e-mail is stuck.'
                : `${countOf(numbers.failing_mails, 'e-mail')} could not be sent yet; the server tries again.`}
          </Check>
        </ul>
      </Card>
    </Stack>
  );
}

export function InstallationSkeleton() {
  return (
    <Stack gap="md" mb="lg" role="group" aria-busy aria-label="Loading">
      <Card>
        <StatsSkeleton />
      </Card>
      <Card title="Health">
        <Skeleton height={142} />
      </Card>
    </Stack>
  );
}

function Check({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  return (
    <li data-good={isGood}>
      {isGood ? (
        <IconCheck size={18} aria-label="Good" />
      ) : (
        <IconAlertTriangle size={18} aria-label="Needs attention" />
      )}
      <span>{children}</span>
    </li>
  );
}
