import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import { EnvironmentTag } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Card, Page } from '../../ui/page.tsx';
import { listOf, tableOf } from '../../ui/tables/paged.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyState } from './key-state.tsx';
import type { ApiKey } from './key-state.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** As often as it is written when a key was last used. */
const READ_AGAIN_MS = 10_000;

/** Keys of both environments, those of the one looked at first. */
export function Component() {
  const { game_id, environment, can } = useGame();
  const keys = usePages(
    'GET /v1/games/{game_id}/api-keys',
    { params: { game_id } },
    { every: READ_AGAIN_MS },
  );
  const revoke = useChange('DELETE /v1/games/{game_id}/api-keys/{key_id}');
  const [creating, dialog] = useDisclosure();
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null);
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const rows = listOf(keys, 'api_keys')?.toSorted(
    (a, b) => Number(b.environment === environment) - Number(a.environment === environment),
  );
  const mayChange = (key: ApiKey) => can(key.environment === 'production' ? 'admin' : 'developer');

  const replacementOf = ({ replaced_by }: ApiKey) => rows?.find(({ id }) => id === replaced_by);

  const columns: Column<ApiKey>[] = [
    {
      id: 'name',
      head: 'Name',
      value: ({ name }) => name,
      cell: ({ name }) => <span className="name">{name}</span>,
    },
    {
      id: 'environment',
      head: 'Environment',
      value: (key) => key.environment,
      cell: (key) => <EnvironmentTag environment={key.environment} />,
    },
    {
      id: 'prefix',
      head: 'Key',
      cell: (key) => (
        <>
          <code>{key.prefix}…</code>
          {replacementOf(key) && (
            <Text size="xs" c="dimmed">
              replaced by <code>{replacementOf(key)!.prefix}…</code>
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'created_at',
      head: 'Created',
      value: (key) => Date.parse(key.created_at),
      cell: ({ created_at, created_by }) => (
        <>
          <Ago at={created_at} />
          {created_by && (
            <Text size="xs" c="dimmed" className="name">
              by {created_by.email}
              {!created_by.is_member && ', no member now'}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'last_used_at',
      head: 'Last used',
      value: (key) => key.last_used_at && Date.parse(key.last_used_at),
      cell: (key) => <Ago at={key.last_used_at} />,
    },
    {
      id: 'state',
      head: <span className="visually-hidden">State</span>,
      align: 'end',
      cell: (key) => (
        <KeyState
          apiKey={key}
          mayChange={mayChange(key)}
          onRotate={() => setRotated(key)}
          onRevoke={() => setKeyToRevoke(key)}
        />
      ),
    },
  ];

  const createButton = can('developer') && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New key
    </Button>
  );

  return (
    <Page
      title="API Keys"
      lead="Your game sends a key with every request. The key decides which environment its data belongs to."
      actions={createButton}
    >
      <Card flush>
        <DataTable
          label="API keys"
          columns={columns}
          {...tableOf(keys, 'api_keys')}
          rows={rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No keys yet" action={createButton}>
              Create one for each thing that talks to Overworld: your builds, your tests, your
              servers.
            </EmptyState>
          }
        />
      </Card>
      <CreateKeyDialog opened={creating} onClose={dialog.close} />
      <RotateKeyDialog apiKey={rotated} onClose={() => setRotated(null)} />
      <Confirm
        opened={keyToRevoke !== null}
        onClose={() => setKeyToRevoke(null)}
        title="Revoke this key?"
        action="Revoke key"
        typed={keyToRevoke?.environment === 'production' ? keyToRevoke.name : undefined}
        onConfirm={() => revoke.mutateAsync({ params: { game_id, key_id: keyToRevoke!.id } })}
      >
        Requests with <b>{keyToRevoke?.name}</b> (<code>{keyToRevoke?.prefix}…</code>) are refused
        within a second. A revoked key never works again.
        {!keyToRevoke?.expires_at && ' To keep games running that use it, rotate it instead.'}
      </Confirm>
    </Page>
  );
}
