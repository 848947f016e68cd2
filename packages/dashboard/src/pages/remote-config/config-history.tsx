import { Badge, Group } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { formatCount } from '../../ui/format.ts';
import { Confirm } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { actionsColumn, column } from '../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { ChangeList } from './changes/change-list.tsx';
import { listChanges } from './changes/parameter-changes.ts';
import { Meanwhile } from './changes/meanwhile.tsx';
import { choose, useConfig } from './config.ts';
import type { Chosen } from './config.ts';
import { ExperimentNotes } from './running-experiments.tsx';
import { ScheduleNotes } from './schedules/schedule-notes.tsx';
import { VersionDialog, WithVersion } from './version-dialog.tsx';

const VERSIONS = 'GET /v1/games/{game_id}/config/versions';
type Version = Answer<typeof VERSIONS>['versions'][number];

export function ConfigHistory() {
  const { environment, inEnvironment, can } = useGame();
  const { config, orConflict } = useConfig();
  const versions = usePages(VERSIONS, inEnvironment());
  const restore = useChange('POST /v1/games/{game_id}/config/versions/{version}/rollback');
  const [shown, setShown] = useState<number | null>(null);
  const [asked, setAsked] = useState<(Chosen<null> & { version: number }) | null>(null);
  const numbers = listOf(versions, 'versions')?.map(({ version }) => version) ?? [];
  const newest = numbers[0];

  return (
    <>
      <TableCard
        label="Versions"
        {...tableOf(versions, 'versions')}
        rowKey={({ version }) => String(version)}
        columns={[
          column<Version>('version', 'Version', ({ version, restored_version, schedule }) => (
            <Group gap="xs">
              {version}
              {version === newest && <Badge>current</Badge>}
              {restored_version && <Badge color="gray">back to {restored_version}</Badge>}
              {schedule && (
                <Badge color="gray" maw={260} style={{ minWidth: 0 }}>
                  {schedule.edge} of “{schedule.name}”
                </Badge>
              )}
            </Group>
          )),
          column<Version>('parameters', 'Parameters', { align: 'end' }, ({ parameter_count }) =>
            formatCount(parameter_count),
          ),
          column<Version>('who', 'By', ({ created_by }) => (
            <span className="truncate">{created_by ?? 'command line'}</span>
          )),
          column<Version>('when', 'When', ({ created_at }) => <Ago at={created_at} />),
          actionsColumn(({ version }: Version) => (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <RowButton aria-label={`Show version ${version}`} onClick={() => setShown(version)}>
                Show
              </RowButton>
              {can('developer') && version !== newest && (
                <RowButton
                  aria-label={`Restore version ${version}`}
                  disabled={!config.data}
                  onClick={() => setAsked({ ...choose(config.data!, null), version })}
                >
                  Restore
                </RowButton>
              )}
            </Group>
          )),
        ]}
        emptyTitle="No versions yet"
        emptyWords="Each change makes one."
      />
      <VersionDialog version={shown} versions={numbers} onClose={() => setShown(null)} />
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={`Restore version ${asked?.version}?`}
        action="Restore version"
        size="lg"
        harmless
        onConfirm={async () => {
          const { version, current } = asked!;
          const input = inEnvironment({ version }, { expected_version: current.version });
          await orConflict(
            () => restore.mutateAsync(input),
            (now) => setAsked((before) => before && { ...before, current: now }),
          );
          notify.done(`Version ${version} is current again`);
        }}
      >
        {asked && (
          <div style={{ display: 'grid', gap: 12 }}>
            <span>
              Games in {environment} get these changes at once. The current version stays in the
              history.
            </span>
            <Meanwhile seen={asked.seen} current={asked.current} />
            <WithVersion version={asked.version}>
              {(parameters) => (
                <>
                  <Notes
                    keys={listChanges(asked.current.parameters, parameters).map(({ key }) => key)}
                  />
                  <ChangeList before={asked.current.parameters} after={parameters} />
                </>
              )}
            </WithVersion>
          </div>
        )}
      </Confirm>
    </>
  );
}

const Notes = ({ keys }: { keys: readonly string[] }) => (
  <>
    <ExperimentNotes keys={keys} />
    <ScheduleNotes keys={keys} />
  </>
);
