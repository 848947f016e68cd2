import { useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { AddButton, EditButtons } from '../../ui/buttons.tsx';
import { Note } from '../../ui/text.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { Page } from '../../ui/page.tsx';
import { actionsColumn, agoColumn, column, nameColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { ProviderForm } from './provider-form.tsx';
import type { LoginProvider } from './provider-values.ts';

/** The login providers of the chosen environment. */
export function Component() {
  const { environment, inEnvironment, can } = useGame();
  const list = useRead('GET /v1/games/{game_id}/login-providers', inEnvironment());
  const remove = useChange('DELETE /v1/games/{game_id}/login-providers/{provider}');
  const [edited, setEdited] = useState<LoginProvider | 'new' | null>(null);
  const removing = useDialog<LoginProvider>();
  const addButton = can('admin') && (
    <AddButton onClick={() => setEdited('new')}>New provider</AddButton>
  );

  return (
    <Page
      title="Player login"
      lead={`How players of ${environment} prove who they are. Every game has the login by device, which needs no setup.`}
      actions={addButton}
    >
      <TableCard
        label="Login providers"
        rows={list.data?.login_providers}
        query={list}
        rowKey={({ provider }) => provider}
        columns={[
          nameColumn('provider', 'Provider', ({ provider }: LoginProvider) => provider),
          column<LoginProvider>('check', 'Logins are checked by', (row) => (
            <Check provider={row} />
          )),
          agoColumn('updated_at', 'Changed'),
          actionsColumn((row: LoginProvider) => (
            <EditButtons
              name={row.provider}
              onOpen={() => setEdited(row)}
              onDelete={can('admin') ? () => removing.open(row) : undefined}
            />
          )),
        ]}
        emptyTitle="Players log in by device alone"
        emptyWords={`A player who loses the device loses the progress too. ${addButton ? 'Add' : 'An admin of this game can add'} Steam, Google, Apple or another provider, so that players keep it on every device.`}
        emptyAction={addButton}
      />
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        title={edited === 'new' ? 'New login provider' : `Login with ${edited?.provider}`}
      >
        {edited && <ProviderForm stored={edited === 'new' ? null : edited} />}
      </FormDialog>
      <Confirm
        {...removing.frame}
        title="Remove this login provider?"
        action="Remove provider"
        typed={environment === 'production' ? removing.item?.provider : undefined}
        onConfirm={() => remove.mutateAsync(inEnvironment({ provider: removing.item!.provider }))}
      >
        Nobody can log in with <b>{removing.item?.provider}</b> in {environment} until it is
        registered again. Players stay, and so do their logins.
      </Confirm>
    </Page>
  );
}

function Check({ provider }: { provider: LoginProvider }) {
  const { kind, public_key, app_id, issuer, audiences } = provider;
  if (kind === 'custom') return public_key === null ? 'A secret of your server' : 'A public key';
  if (kind === 'steam') return `Steam, app ${app_id}`;
  return (
    <>
      <span className="name">{issuer}</span>
      <Note className="name">for {audiences.join(', ')}</Note>
    </>
  );
}
