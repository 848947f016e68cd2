import { useDisclosure } from '@mantine/hooks';
import { useChange, usePages } from '../../api/hooks.ts';
import { environmentColumn } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { Note } from '../../ui/text.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { agoColumn, column, nameColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { Page } from '../../ui/page.tsx';
import { listOf, TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { CreateKeyForm, RotateKeyForm } from './key-forms.tsx';
import { KeyState } from './key-state.tsx';
import type { ApiKey } from './key-state.tsx';
import { showName } from '../../ui/shown-name.ts';

/**
 * The interval in milliseconds at which the page reads the keys again. The server stores the time of the last
 * use of a key at the same interval.
 */
const READ_AGAIN_MS = 10_000;

/** Lists the keys of both environments. The keys of the chosen environment come first. */
export function Component() {
  const { game_id, environment, can, canChangeKeys } = useGame();
  const keys = usePages(
    'GET /v1/games/{game_id}/api-keys',
    { params: { game_id } },
    { every: READ_AGAIN_MS },
  );
  const revoke = useChange('DELETE /v1/games/{game_id}/api-keys/{key_id}');
  const [creating, dialog] = useDisclosure();
  const revoking = useDialog<ApiKey>();
  const rotating = useDialog<ApiKey>();
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
    agoColumn('last_used_at', 'Last used'),
    column(
      'state',
      <span className="visually-hidden">State</span>,
      { align: 'end', below: true },
      (key) => (
        <KeyState
          apiKey={key}
          mayChange={canChangeKeys(key.environment)}
          onRotate={() => rotating.open(key)}
          onRevoke={() => revoking.open(key)}
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
        emptyTitle="No keys yet"
        emptyWords="Create one for each thing that talks to Overworld: your builds, your tests, your servers."
        emptyAction={createButton}
      />
      <FormDialog opened={creating} onClose={dialog.close} title="New API key">
        <CreateKeyForm />
      </FormDialog>
      <FormDialog {...rotating.frame} title="Rotate API key">
        {rotating.item && <RotateKeyForm apiKey={rotating.item} />}
      </FormDialog>
      <Confirm
        {...revoking.frame}
        title="Revoke this key?"
        action="Revoke key"
        typed={revoking.item?.environment === 'production' ? revoking.item.name : undefined}
        onConfirm={() => revoke.mutateAsync({ params: { game_id, key_id: revoking.item!.id } })}
      >
        Requests with <b>{showName(revoking.item?.name)}</b> (<code>{revoking.item?.prefix}…</code>)
        are refused within a second. A revoked key never works again.
        {!revoking.item?.expires_at && ' To keep games running that use it, rotate it instead.'}
      </Confirm>
    </Page>
  );
}
