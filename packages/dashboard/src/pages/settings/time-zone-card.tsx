import { Autocomplete, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { countOf, formatCalendarDay, formatDuration, formatShare } from '../../ui/format.ts';
import { Confirm } from '../../ui/forms/dialogs.tsx';
import { Card, Lines, ReadProblem } from '../../ui/page.tsx';
import { formatZone } from '../../ui/time/format-time.ts';

const READ = 'GET /v1/games/{game_id}/time-zone';
const zones = Intl.supportedValuesOf('timeZone');

/** Shows the time zone that defines the days of the game, and lets members change it. */
export function TimeZoneCard() {
  const { game, can } = useGame();
  const change = game.time_zone_change;
  return (
    <Card title="Time zone">
      <Text size="sm" mb="md">
        Days begin and end at midnight of this zone, in all reports and for seasons of leaderboards.
        The dashboard shows all times of the game in it: now {formatZone(game.time_zone)}.
      </Text>
      {change ? (
        <div>
          <Text size="sm" mb={6}>
            Moving to {change.time_zone}: {formatShare(change.progress)} done
          </Text>
          <Progress value={change.progress * 100} size="sm" aria-label="Days that have moved" />
        </div>
      ) : (
        <ZoneForm key={game.time_zone} canChange={can('admin')} />
      )}
    </Card>
  );
}

function ZoneForm({ canChange }: { canChange: boolean }) {
  const { game, game_id } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const [asking, dialog] = useDisclosure();
  const form = useForm({ initialValues: { time_zone: game.time_zone } });
  const { time_zone } = form.values;
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (form.isDirty() && time_zone !== '') dialog.open();
        }}
      >
        <Stack gap="xs">
          <Group align="flex-end" gap="xs">
            <Autocomplete
              label="Time zone"
              disabled={!canChange}
              data={zones}
              limit={50}
              style={{ flex: 1 }}
              {...form.getInputProps('time_zone')}
            />
            {canChange && (
              <Button type="submit" disabled={!form.isDirty() || time_zone === ''}>
                Change
              </Button>
            )}
          </Group>
          <RoleNote role="admin" />
        </Stack>
      </form>
      <Confirm
        opened={asking}
        onClose={dialog.close}
        title={`Move the days to ${time_zone}?`}
        action="Move days"
        onConfirm={() => update.mutateAsync({ params: { game_id }, body: { time_zone } })}
      >
        <Consequences />
      </Confirm>
    </>
  );
}

function Consequences() {
  const { game, game_id } = useGame();
  const cost = useRead(READ, { params: { game_id } });
  if (cost.error) return <ReadProblem query={cost} />;
  if (cost.data === undefined) return <Lines count={5} />;
  const { event_count, estimated_seconds } = cost.data;
  return (
    <>
      <p style={{ marginTop: 0 }}>
        All days are counted anew, in both environments: <b>{countOf(event_count, 'event')}</b>, in
        about <b>{formatDuration(estimated_seconds)}</b>. Until then reports keep the days of{' '}
        {game.time_zone}. Events that arrive meanwhile are safe; they show at the end.
      </p>
      <p>
        Seasons of leaderboards that are under way end at the time that is set already. Warnings,
        refusals and repeats of <i>Data quality</i> keep the days on which they were noted.
      </p>
      <Incomplete cost={cost.data} />
    </>
  );
}

/** Names the counts that keep the days of the old time zone, because their events were already deleted. */
function Incomplete({ cost: { complete_since } }: { cost: Answer<typeof READ> }) {
  if (complete_since === null) return null;
  return (
    <p style={{ marginBottom: 0 }}>
      Events received before {formatCalendarDay(complete_since)}, {complete_since.slice(0, 4)} were
      dropped for their age. Before that day, counts by the day of receipt keep the old days, and so
      do the days in the middle of sessions that last for several days. All other counts are exact.
    </p>
  );
}
