import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/operations.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Stat, StatsSkeleton } from '../../ui/stat.tsx';
import { Failure } from '../../api/failure.ts';
import { useChange, useRequired } from '../../api/hooks.ts';
import { notify } from '../../ui/notify.tsx';
import { Ago } from '../../ui/time/moment.tsx';
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
          <Check isGood={numbers.failed_requests === 0}>{requestWords(numbers)}</Check>
          <Check isGood={hasSpace(numbers)}>
            The database, PostgreSQL {numbers.postgres_version}, takes{' '}
            {formatBytes(numbers.database_bytes)}
            {numbers.disk_free_bytes !== null &&
              `; ${formatBytes(numbers.disk_free_bytes)} of its disk are free`}
            .
          </Check>
          <BackupCheck numbers={numbers} />
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
            {numbers.sends_mail && <TestMail />}
          </Check>
        </ul>
      </Card>
    </Stack>
  );
}

/** Describes the requests of the last minute. */
function requestWords({ requests_per_second, request_p99_seconds, failed_requests }: Numbers) {
  if (requests_per_second === 0) return 'No requests in the last minute.';
  const rate =
    requests_per_second < 10
      ? requests_per_second.toFixed(1)
      : formatCount(Math.round(requests_per_second));
  const time =
    request_p99_seconds === null
      ? 'some took longer than 10 s'
      : `99 % were answered within ${formatSeconds(request_p99_seconds)}`;
  const failed =
    failed_requests === 0
      ? 'none failed'
      : `${countOf(failed_requests, 'request')} failed: the log names them`;
  return `In the last minute ${rate} requests a second; ${time}, ${failed}.`;
}

const formatSeconds = (seconds: number) => (seconds < 1 ? `${seconds * 1_000} ms` : `${seconds} s`);

/** Below a tenth of the disk, the database may soon find no room. */
const hasSpace = ({ disk_free_bytes, disk_bytes }: Numbers) =>
  disk_free_bytes === null || disk_free_bytes > 0.1 * disk_bytes!;

/** A cron job makes backups at least once a week, so the last one is older than this if one was missed. */
const OWN_BACKUP_DAYS = 8;

function BackupCheck({ numbers }: { numbers: Numbers }) {
  const { backups, last_backup_at } = numbers;
  if (backups === null) return <OwnBackupCheck numbers={numbers} />;
  const { place, every_seconds, keep, are_late, problem } = backups;
  return (
    <Check isGood={!are_late && problem === null && last_backup_at !== null}>
      {last_backup_at === null ? (
        'No backup in BACKUP_TO was made yet.'
      ) : (
        <>
          The last backup in BACKUP_TO was made <Ago at={last_backup_at} />.
        </>
      )}{' '}
      The server makes one every {formatDuration(every_seconds)} in {place}, reads it whole, and
      keeps {keep === 1 ? 'the newest one' : `the newest ${formatCount(keep)}`}.
      {problem !== null && ` The last try failed: ${problem}`}
    </Check>
  );
}

/**
 * The backups of an installation whose server makes none. An external PostgreSQL often has backups by other
 * means, so without a recent one there is no warning.
 */
function OwnBackupCheck({ numbers }: { numbers: Numbers }) {
  const times = [numbers.last_backup_at, numbers.last_file_backup_at].filter((at) => at !== null);
  // ISO 8601 times in UTC have the order of their letters.
  const last = times.toSorted().at(-1);
  const isRecent =
    last !== undefined && Date.now() - Date.parse(last) < OWN_BACKUP_DAYS * 86_400_000;
  return (
    <Check isGood={isRecent} isNote={!isRecent && numbers.disk_bytes === null}>
      {last === undefined ? (
        'The command overworld backup has made no backup yet.'
      ) : (
        <>
          The command overworld backup made the last backup <Ago at={last} />.
        </>
      )}{' '}
      The server makes none by itself, because BACKUP_TO is not set. Backups by other tools are not
      seen here.
    </Check>
  );
}

function TestMail() {
  const send = useChange('POST /v1/admin/test-mail');
  return (
    <Button
      size="compact-xs"
      variant="light"
      ml="sm"
      loading={send.isPending}
      onClick={() =>
        notify.outcome(
          send.mutateAsync({}).then(({ problem }) => {
            if (problem !== null) throw new Failure(0, `The mail was not sent: ${problem}`);
          }),
          'The test mail to your address was sent',
        )
      }
    >
      Send a test mail
    </Button>
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

/** @param isNote True for a fact that is neither good nor bad; then `isGood` does not count. */
function Check({
  isGood,
  isNote = false,
  children,
}: {
  isGood: boolean;
  isNote?: boolean;
  children: ReactNode;
}) {
  return (
    <li data-good={isGood || isNote}>
      {isNote ? (
        <IconInfoCircle size={18} aria-label="Note" />
      ) : isGood ? (
        <IconCheck size={18} aria-label="Good" />
      ) : (
        <IconAlertTriangle size={18} aria-label="Needs attention" />
      )}
      <span>{children}</span>
    </li>
  );
}
