import { Badge, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { AddButton, RowButton } from '../../../ui/buttons.tsx';
import { Note } from '../../../ui/text.tsx';
import { Confirm, useDialog, FormDialog } from '../../../ui/forms/dialogs.tsx';
import { notify } from '../../../ui/notify.tsx';
import { actionsColumn, column, nameColumn, sortedColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { outcomeOf, STATES, useSchedules } from './schedules.ts';
import type { Schedule } from './schedules.ts';
import { formatWeekdayMinute } from '../../../ui/time/format-time.ts';
import { Loaded } from '../../../ui/page.tsx';
import { ScheduleForm } from './schedule-form.tsx';

/** Lists the scheduled changes, which may be still to come, in effect, or over. */
export function ScheduleList() {
  const { environment, game, inEnvironment, can } = useGame();
  const schedules = useSchedules();
  const cancel = useChange('POST /v1/games/{game_id}/config/schedules/{schedule_id}/cancel');
  const [edited, setEdited] = useState<Schedule | 'new' | null>(null);
  const ending = useDialog<Schedule>();
  const mayEdit = can('developer');
  const zone = game.time_zone;
  const createButton = mayEdit && (
    <AddButton size="xs" onClick={() => setEdited('new')}>
      Schedule a change
    </AddButton>
  );

  return (
    <Stack>
      <TableCard
        query={schedules}
        title="Coming and running"
        actions={createButton}
        label="Coming and running changes"
        rows={schedules.data?.open}
        rowKey={({ id }) => id}
        columns={[
          ...columnsIn(zone),
          actionsColumn((row: Schedule) => (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <RowButton
                aria-label={`${mayEdit ? 'Edit' : 'Show'} ${row.name}`}
                onClick={() => setEdited(row)}
              >
                {mayEdit ? 'Edit' : 'Show'}
              </RowButton>
              {mayEdit && (
                <RowButton
                  danger
                  aria-label={`${endWords(row)} ${row.name}`}
                  onClick={() => ending.open(row)}
                >
                  {endWords(row)}
                </RowButton>
              )}
            </Group>
          )),
        ]}
        emptyTitle="Nothing is scheduled"
        emptyWords="A scheduled change sets parameters at a time, such as for a weekend, and returns them when it ends."
        emptyAction={createButton}
      />
      {schedules.data && schedules.data.past.length > 0 && (
        <TableCard
          query={schedules}
          title="Past"
          label="Past changes"
          rows={schedules.data.past}
          rowKey={({ id }) => id}
          columns={[
            ...columnsIn(zone),
            column('outcome', 'Outcome', (row: Schedule) => (
              <Note className="name">{outcomeOf(row)}</Note>
            )),
            actionsColumn((row: Schedule) => (
              <RowButton aria-label={`Show ${row.name}`} onClick={() => setEdited(row)}>
                Show
              </RowButton>
            )),
          ]}
        />
      )}
      <ScheduleDialog edited={edited} onClose={() => setEdited(null)} />
      <Confirm
        {...ending.frame}
        title={
          ending.item?.state === 'running'
            ? `End “${ending.item.name}” now?`
            : `Cancel “${ending.item?.name}”?`
        }
        action={ending.item?.state === 'running' ? 'End now' : 'Cancel change'}
        onConfirm={async () => {
          await cancel.mutateAsync(inEnvironment({ schedule_id: ending.item!.id }));
          notify.done(
            `“${ending.item!.name}” ${ending.item!.state === 'running' ? 'has ended' : 'is cancelled'}`,
          );
        }}
      >
        {ending.item?.state === 'running' ? (
          <>
            In {environment}, {ending.item.keys.join(', ')} return at once to what they were before
            it began. A parameter that was changed by hand meanwhile stays as it is.
          </>
        ) : (
          <>It will not begin. It stays in the list of past changes.</>
        )}
      </Confirm>
    </Stack>
  );
}

/** Returns the planned end of a change, or the moment at which a member ended the change early. */
const endOf = ({ state, ends_at, closed_at }: Schedule) =>
  state === 'done' && ends_at !== null ? closed_at : ends_at;

const endWords = ({ state }: Schedule) => (state === 'running' ? 'End now' : 'Cancel');

const columnsIn = (zone: string): Column<Schedule>[] => [
  nameColumn('name', 'Change', ({ name }) => name),
  sortedColumn('state', 'State', ({ state }) => (
    <Badge color={STATES[state].color}>{STATES[state].words}</Badge>
  )),
  timeColumn('starts', `Starts (${zone})`, zone, ({ starts_at }) => starts_at),
  timeColumn('ends', 'Ends', zone, endOf),
  column('keys', 'Parameters', ({ keys }) => <code className="truncate">{keys.join(', ')}</code>),
  column('author', 'By', ({ author }) => (
    <span className="truncate">{author ?? 'command line'}</span>
  )),
];

const timeColumn = (
  id: string,
  head: string,
  zone: string,
  timeOf: (row: Schedule) => string | null,
): Column<Schedule> => ({
  id,
  head,
  value: timeOf,
  cell(row) {
    const time = timeOf(row);
    if (time === null) return <Text size="sm">stays</Text>;
    return (
      <time dateTime={time} style={{ whiteSpace: 'nowrap' }}>
        {formatWeekdayMinute(time, zone)}
      </time>
    );
  },
});

/** Makes a scheduled change, edits one, or shows one that is over. */
function ScheduleDialog(props: { edited: Schedule | 'new' | null; onClose: () => void }) {
  const { edited, onClose } = props;
  return (
    <FormDialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === 'new' ? 'Schedule a change' : 'Scheduled change'}
      size="lg"
    >
      {edited === 'new' && <NewForm />}
      {edited !== null && edited !== 'new' && <EditForm id={edited.id} />}
    </FormDialog>
  );
}

function NewForm() {
  const { inEnvironment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment());
  return <Loaded query={config}>{(seen) => <ScheduleForm schedule={null} config={seen} />}</Loaded>;
}

function EditForm({ id }: { id: string }) {
  const { inEnvironment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment());
  const schedule = useRead(
    'GET /v1/games/{game_id}/config/schedules/{schedule_id}',
    inEnvironment({ schedule_id: id }),
  );
  return (
    <Loaded query={config}>
      {(seen) => (
        <Loaded query={schedule}>
          {(found) => (
            <ScheduleForm
              schedule={found}
              config={seen}
              onConflict={() => void schedule.refetch()}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
