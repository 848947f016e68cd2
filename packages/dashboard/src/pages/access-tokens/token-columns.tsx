import type { Answer } from '../../api/operations.ts';
import { RowButton } from '../../ui/buttons.tsx';
import { Note, RowName } from '../../ui/text.tsx';
import { actionsColumn, agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { Ago, DayOf } from '../../ui/time/moment.tsx';

/** A token as its maker sees it. */
export type OwnToken = Answer<'GET /v1/access-tokens'>['access_tokens'][number];

/** A token as the members of a game see it. */
export type GameToken = Answer<'GET /v1/games/{game_id}/access-tokens'>['access_tokens'][number];

/** The columns of a list of access tokens. `of` is the column with the games or the members. */
export const tokenColumns = <Row extends OwnToken | GameToken>(
  of: Column<Row>,
  onRevoke: (row: Row) => void,
): Column<Row>[] => [
  column('name', 'Name', { value: ({ name }) => name }, ({ name, prefix }) => (
    <>
      <RowName>{name}</RowName>
      <Note>
        <code>{prefix}…</code>
      </Note>
    </>
  )),
  of,
  column('role', 'Role', { value: ({ role }) => role }, ({ role }) =>
    role === 'reports' ? 'reports only' : role,
  ),
  agoColumn('last_used_at', 'Last used'),
  column(
    'expires_at',
    'Works until',
    { value: ({ expires_at }) => Date.parse(expires_at) },
    ({ expires_at }) =>
      Date.parse(expires_at) > Date.now() ? (
        <DayOf at={expires_at} />
      ) : (
        <>
          expired <Ago at={expires_at} />
        </>
      ),
  ),
  actionsColumn((token) => (
    <RowButton danger aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
      Revoke
    </RowButton>
  )),
];
