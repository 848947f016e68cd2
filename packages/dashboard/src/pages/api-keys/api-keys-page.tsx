import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import { environmentColumn } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { AddButton } from '../../ui/add-button.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Note } from '../../ui/dimmed.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { agoColumn, column, nameColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { KeyState } from './key-state.tsx';
import type { ApiKey } from './key-state.tsx';
import { RotateKeyForm } from './rotate-key-form.tsx';

/** The interval at which the server writes the last use of a key. */
const READ_AGAIN_MS = 10_000;

/** The keys of both environments. The keys of the chosen environment come first. */
export function Component() {
  const { game_id, environment, can, canChangeKeys } = useGame();
  const keys = usePages(
    'GET /v1/games/{game_id}/api-keys',
    { params: { game_id } },
    { every: READ_AGAIN_MS },
  );
  const revoke = useChange('DELETE /v1/games/{game_id}/api-keys/{key_id}');
  const [creating, dialog] = useDisclosure();
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null);
  const [keyToRotate, setKeyToRotate] = useState<ApiKey | null>(null);
  const stopRotating = () => setKeyToRotate(null);
  const rows = listOf(keys, 'api_keys')?.toSorted(
    (a, b) => Number(b.environment === environment) - Number(a.environment === environment),
  );
  const replacementOf = ({ replaced_by }: ApiKey) => rows?.find(({ id }) => id === replaced_by);

  const columns: Column<ApiKey>[] = [
    nameColumn('name', 'Name', ({ name }) => name),
    environmentColumn(),
    column('prefix', 'Key', (key) => (
      <>
        <code>{key.prefix}…</code>
        {key.kind === 'server' && <Note>server key</Note>}
        {replacementOf(key) && (
          <Note>
            replaced by <code>{replacementOf(key)!.prefix}…</code>
          </Note>
        )}
      </>
    )),
    column(
      'created_at',
      'Created',
      { value: (key) => Date.parse(key.created_at) },
      ({ created_at, created_by }) => (
        <>
          <Ago at={created_at} />
          {created_by && (
            <Note className="name">
              by {created_by.email}
              {!created_by.is_member && ', no member now'}
            </Note>
          )}
        </>
      ),
    ),
    agoColumn('last_used_at', 'Last used', (key) => key.last_used_at),
    column(
      'state',
      <span className="visually-hidden">State</span>,
      { align: 'end', below: true },
      (key) => (
        <KeyState
          apiKey={key}
          mayChange={canChangeKeys(key.environment)}
          onRotate={() => setKeyToRotate(key)}
          onRevoke={() => setKeyToRevoke(key)}
        />
      ),
    ),
  ];

  const createButton = can('developer') && <AddButton onClick={dialog.open}>New key</AddButton>;

  return (
    <Page
      title="API Keys"
      lead="Your game sends a key with every request. The key decides which environment its data belongs to."
      actions={createButton}
    >
      <TableCard
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
      <FormDialog opened={creating} onClose={dialog.close} title="New API key">
        <CreateKeyForm onClose={dialog.close} />
      </FormDialog>
      <FormDialog opened={keyToRotate !== null} onClose={stopRotating} title="Rotate API key">
        {keyToRotate && <RotateKeyForm apiKey={keyToRotate} onClose={stopRotating} />}
      </FormDialog>
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
