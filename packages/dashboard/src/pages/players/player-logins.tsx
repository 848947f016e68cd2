import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Confirm, useDialog } from '../../ui/forms/dialogs.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { actionsColumn, agoColumn, nameColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import type { Player } from './player.ts';

type Login = Answer<'GET /v1/games/{game_id}/players/{player_id}/logins'>['logins'][number];

/** Lists the logins of a player, which staff can remove. */
export function PlayerLogins({ player: { player_id } }: { player: Player }) {
  const { inEnvironment, can } = useGame();
  const list = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/logins',
    inEnvironment({ player_id }),
  );
  const remove = useChange('DELETE /v1/games/{game_id}/players/{player_id}/logins');
  const removing = useDialog<Login>();
  const isLast = list.data?.logins.length === 1;

  return (
    <>
      <TableCard
        label="Logins of the player"
        rows={list.data?.logins}
        query={list}
        rowKey={({ provider, subject }) => `${provider} ${subject}`}
        columns={[
          nameColumn('provider', 'Provider', ({ provider }: Login) => provider),
          nameColumn('subject', 'Id at the provider', ({ subject }: Login) => subject, 'code'),
          agoColumn('created_at', 'Linked'),
          actionsColumn(
            (login: Login) =>
              can('developer') && (
                <RowButton
                  danger
                  aria-label={`Remove ${login.provider} ${login.subject}`}
                  onClick={() => removing.open(login)}
                >
                  Remove
                </RowButton>
              ),
          ),
        ]}
        emptyTitle="Nobody has claimed this player"
        emptyWords="The player has never logged in, so any copy of the game can name this id."
      />
      <Confirm
        {...removing.frame}
        title="Remove this login?"
        action="Remove login"
        onConfirm={() =>
          remove.mutateAsync(
            inEnvironment(
              { player_id },
              { provider: removing.item!.provider, subject: removing.item!.subject },
            ),
          )
        }
      >
        Nobody can log in as this player with <b>{removing.item?.provider}</b>{' '}
        <code>{removing.item?.subject}</code> any more, and its sessions end within an hour.
        {isLast &&
          ' It is the last login: afterwards any copy of the game can name this player, and take it over.'}
      </Confirm>
    </>
  );
}
