import { TOKEN_ROLES } from '@overworld/contract/operation';
import { useChange, usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { Page } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { showName } from '../../ui/shown-name.ts';
import { nameColumn } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { TokenForm } from './token-form.tsx';
import { tokenColumns } from './token-columns.tsx';
import type { GameToken } from './token-columns.tsx';

/** Lists the access tokens that reach the game: for admins those of all members, for others their own. */
export function Component() {
  const { game, game_id, can } = useGame();
  const tokens = usePages('GET /v1/games/{game_id}/access-tokens', { params: { game_id } });
  const revoke = useChange('DELETE /v1/games/{game_id}/access-tokens/{token_id}');
  // Links lead to the form with the role that they need.
  const { search, set } = useSearchState();
  const asked = search.get('new');
  const role = TOKEN_ROLES.find((each) => each === asked);
  const revoking = useDialog<GameToken>();
  const createButton = <AddButton onClick={() => set({ new: 'viewer' })}>New token</AddButton>;
  return (
    <Page
      title="Access tokens"
      lead={`With a token, your own programs use the API in your name: a build server, a notebook, a script. ${
        can('admin') ? 'You see the tokens of all members.' : 'You see your own tokens.'
      }`}
      actions={createButton}
    >
      <TableCard
        label="Access tokens"
        columns={tokenColumns<GameToken>(
          nameColumn('email', 'Member', ({ email }) => email),
          revoking.open,
        )}
        {...tableOf(tokens, 'access_tokens')}
        rowKey={({ id }) => id}
        emptyTitle="No tokens yet"
        emptyWords="Make one for each machine that reads reports or changes this game by the API."
        emptyAction={createButton}
      />
      <FormDialog
        opened={asked !== null}
        onClose={() => set({ new: null })}
        title="New access token"
      >
        <TokenForm game_id={game_id} role={role} />
      </FormDialog>
      <Confirm
        {...revoking.frame}
        title="Revoke this token?"
        action="Revoke token"
        onConfirm={() => revoke.mutateAsync({ params: { game_id, token_id: revoking.item!.id } })}
      >
        <b>{showName(revoking.item?.name)}</b> (<code>{revoking.item?.prefix}…</code>) of{' '}
        {revoking.item?.email} no longer reaches <b>{showName(game.name)}</b>, at once and for ever.
        Other games are not affected.
      </Confirm>
    </Page>
  );
}
