import { Badge, Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Json } from '../../ui/json/code.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { listOf, tableOf } from '../../ui/tables/paged.ts';

/** The versions of the config; to read, and to return to. */
export function ConfigHistory() {
  const { game_id, environment, can } = useGame();
  const query = { environment };
  const versions = usePages('GET /v1/games/{game_id}/config/versions', {
    params: { game_id },
    query,
  });
  const rollBack = useChange('POST /v1/games/{game_id}/config/versions/{version}/rollback');
  const [shown, setShown] = useState<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const newest = listOf(versions, 'versions')?.[0]?.version;

  return (
    <>
      <Card flush>
        <DataTable
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
            {
              id: 'actions',
              head: <span className="visually-hidden">Actions</span>,
              align: 'end',
              cell: ({ version }) => (
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={`Show version ${version}`}
                    onClick={() => setShown(version)}
                  >
                    Show
                  </Button>
                  {can('developer') && version !== newest && (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      aria-label={`Roll back to version ${version}`}
                      onClick={() => setAsked(version)}
                    >
                      Roll back
                    </Button>
                  )}
                </Group>
              ),
            },
          ]}
          empty={<EmptyState title="No versions yet">Each change makes one.</EmptyState>}
        />
      </Card>
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
          await rollBack.mutateAsync({ params: { game_id, version: asked! }, query });
          notify.done(`Version ${asked} is current again`);
        }}
      >
        Games in {environment} get its values at once. What is current now stays in the history.
      </Confirm>
    </>
  );
}

function VersionContent({ version }: { version: number }) {
  const { game_id, environment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config/versions/{version}', {
    params: { game_id, version },
    query: { environment },
  });
  return (
    <Loaded query={config}>
      {({ parameters }) => <Json value={parameters} label="parameters" maxHeight={560} />}
    </Loaded>
  );
}
