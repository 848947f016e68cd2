import { Badge, Stack, Text } from '@mantine/core';
import { sentence } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { RowButton } from '../../ui/buttons.tsx';
import { countOf, formatDuration } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { actionsColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { Ago } from '../../ui/time/moment.tsx';

type Task = Answer<'GET /v1/admin/tasks'>['tasks'][number];

const REFRESH_MS = 5_000;

/** The work in the background, with its last run and failure. Failing tasks come first. */
export function TasksTab() {
  const tasks = useRead('GET /v1/admin/tasks', {}, { every: REFRESH_MS });
  const run = useChange('POST /v1/admin/tasks/{task_name}/run');
  const runNow = (name: string) =>
    notify.outcome(
      run.mutateAsync({ params: { task_name: name } }),
      `A server begins now: ${name}`,
    );

  const columns: Column<Task>[] = [
    column('name', 'Task', ({ name, failures, last_error }) => (
      <Stack gap={2}>
        <span>{sentence(name)}</span>
        {failures > 0 && (
          <Text size="xs" c="dimmed" className="name">
            {last_error}
          </Text>
        )}
      </Stack>
    )),
    column('state', 'State', { width: 130 }, (task) => <State task={task} />),
    column('interval_seconds', 'Runs', ({ interval_seconds, runs_on }) => (
      <>
        every {formatDuration(interval_seconds)}
        {runs_on === 'every_server' && ', on each server'}
      </>
    )),
    column('last_started_at', 'Last run', ({ last_started_at, last_run_ms }) => (
      <>
        <Ago at={last_started_at} missing="not yet" />
        {last_run_ms !== null &&
          last_run_ms >= 5 &&
          `, took ${formatDuration(last_run_ms / 1_000)}`}
      </>
    )),
    column('next_run_at', 'Next run', ({ next_run_at }) => <Ago at={next_run_at} missing="–" />),
    actionsColumn(({ name, runs_on, failures, is_running }) =>
      runs_on === 'one_server' ? (
        <RowButton
          aria-label={`Run now: ${name}`}
          disabled={is_running}
          onClick={() => runNow(name)}
        >
          {failures > 0 ? 'Retry' : 'Run now'}
        </RowButton>
      ) : null,
    ),
  ];

  return (
    <TableCard
      label="Tasks in the background"
      rows={tasks.data && sortTasks(tasks.data.tasks)}
      query={tasks}
      rowKey={({ name }) => name}
      columns={columns}
      emptyTitle="No tasks"
      emptyWords="This server has no work in the background."
    />
  );
}

const sortTasks = (tasks: readonly Task[]) =>
  [...tasks].sort((a, b) => b.failures - a.failures || b.interval_seconds - a.interval_seconds);

function State({ task: { is_running, failures } }: { task: Task }) {
  if (is_running) return <Badge color="lagoon">Running</Badge>;
  if (failures > 0) return <Badge color="clay">{`Failed ${countOf(failures, 'time')}`}</Badge>;
  return <Badge color="moss">Fine</Badge>;
}
