import { Badge, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Json } from '../../ui/json/code.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { actionsColumn } from '../../ui/tables/columns.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { notify } from '../../ui/notify.tsx';
import { Loaded } from '../../ui/page.tsx';

export function ConfigHistory() {
  const { environment, inEnvironment, can } = useGame();
  const versions = usePages('GET /v1/games/{game_id}/config/versions', inEnvironment());
  const rollBack = useChange('POST /v1/games/{game_id}/config/versions/{version}/rollback');
  const [shown, setShown] = useState<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const newest = listOf(versions, 'versions')?.[0]?.version;

  return (
    <>
      <TableCard
        label="Versions"
        {...tableOf(versions, 'versions')}
        rowKey={({ version }) => String(version)}
        columns={[
          {
            id: 'version',
            head: 'Version',
            cell: ({ version, restored_version }) => (
              <Group gap="xs">
                {version}
                {version === newest && <Badge>current</Badge>}
                {restored_version && <Badge color="gray">back to {restored_version}</Badge>}
              </Group>
            ),
          },
          {
            id: 'parameters',
            head: 'Parameters',
            align: 'end',
            cell: ({ parameter_count }) => formatCount(parameter_count),
          },
          {
            id: 'who',
            head: 'By',
            cell: ({ created_by }) => (
              <span className="truncate">{created_by ?? 'command line'}</span>
            ),
          },
          { id: 'when', head: 'When', cell: ({ created_at }) => <Ago at={created_at} /> },
          actionsColumn(({ version }: { version: number }) => (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <RowButton aria-label={`Show version ${version}`} onClick={() => setShown(version)}>
                Show
              </RowButton>
              {can('developer') && version !== newest && (
                <RowButton
                  aria-label={`Roll back to version ${version}`}
                  onClick={() => setAsked(version)}
                >
                  Roll back
                </RowButton>
              )}
            </Group>
          )),
        ]}
        empty={<EmptyState title="No versions yet">Each change makes one.</EmptyState>}
      />
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={`Version ${shown}`}
        size="lg"
      >
        {shown !== null && <VersionContent version={shown} />}
      </Modal>
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={`Return to version ${asked}?`}
        action="Roll back"
        onConfirm={async () => {
          await rollBack.mutateAsync(inEnvironment({ version: asked! }));
          notify.done(`Version ${asked} is current again`);
        }}
      >
        Games in {environment} get its values at once. The current version stays in the history.
      </Confirm>
    </>
  );
}

function VersionContent({ version }: { version: number }) {
  const { inEnvironment } = useGame();
  const config = useRead(
    'GET /v1/games/{game_id}/config/versions/{version}',
    inEnvironment({ version }),
  );
  return (
    <Loaded query={config}>
      {({ parameters }) => <Json value={parameters} label="parameters" maxHeight={560} />}
    </Loaded>
  );
}
