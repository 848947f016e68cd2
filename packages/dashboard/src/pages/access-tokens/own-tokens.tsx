import { useDisclosure } from '@mantine/hooks';
import { useChange, usePages } from '../../api/hooks.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { showName } from '../../ui/shown-name.ts';
import { column } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { TokenForm } from './token-form.tsx';
import { tokenColumns } from './token-columns.tsx';
import type { OwnToken } from './token-columns.tsx';

/** Lists all access tokens of the reader's account. */
export function OwnTokens() {
  const tokens = usePages('GET /v1/access-tokens', {});
  const revoke = useChange('DELETE /v1/access-tokens/{token_id}');
  const [creating, dialog] = useDisclosure();
  const revoking = useDialog<OwnToken>();
  const gamesColumn = column<OwnToken>('games', 'Games', ({ games }) => (
    <span className="name">{games.map(({ name }) => showName(name)).join(', ')}</span>
  ));
  const createButton = (
    <AddButton size="xs" onClick={dialog.open}>
      New token
    </AddButton>
  );
  return (
    <>
      <TableCard
        title="Access tokens"
        label="Access tokens"
        actions={createButton}
        columns={tokenColumns(gamesColumn, revoking.open)}
        {...tableOf(tokens, 'access_tokens')}
        rowKey={({ id }) => id}
        emptyTitle="No tokens yet"
        emptyWords="With a token, your own programs use the API in your name: a build server, a notebook, a script."
      />
      <FormDialog opened={creating} onClose={dialog.close} title="New access token">
        <TokenForm />
      </FormDialog>
      <Confirm
        {...revoking.frame}
        title="Revoke this token?"
        action="Revoke token"
        onConfirm={() => revoke.mutateAsync({ params: { token_id: revoking.item!.id } })}
      >
        Calls with <b>{showName(revoking.item?.name)}</b> (<code>{revoking.item?.prefix}…</code>)
        are refused at once, in all games. A revoked token never works again.
      </Confirm>
    </>
  );
}
