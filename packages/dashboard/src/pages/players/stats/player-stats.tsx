import { Stack } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { RowButton } from '../../../ui/buttons.tsx';
import { formatScore } from '../../../ui/format.ts';
import { FormDialog, useDialog } from '../../../ui/forms/dialogs.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import { showName } from '../../../ui/shown-name.ts';
import {
  actionsColumn,
  agoColumn,
  memberColumn,
  sortedColumn,
} from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { StatName } from '../../stats/stat-name.tsx';
import { AGGREGATION_WORDS } from '../../stats/stat-words.ts';
import type { Player } from '../player.ts';
import { SetStatForm } from './set-stat-form.tsx';
import { StatChart } from './stat-chart.tsx';
import type { StatOfPlayer } from './stat-of-player.ts';

/** Shows the statistics of a player, and one of them over the last days. */
export function PlayerStats({ player: { player_id } }: { player: Player }) {
  const { inEnvironment, can } = useGame();
  const { search, set } = useSearchState();
  const list = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/stats',
    inEnvironment({ player_id }),
  );
  const setting = useDialog<StatOfPlayer>();
  const stats = list.data?.stats ?? [];
  const shown =
    stats.find(({ key }) => key === search.get('stat')) ??
    stats.find(({ value }) => value !== null);

  return (
    <Stack gap="md">
      <TableCard
        title="Statistics"
        label="Statistics of the player"
        rows={list.data?.stats}
        query={list}
        rowKey={({ key }) => key}
        columns={[
          sortedColumn<StatOfPlayer>('name', 'Statistic', (stat) => <StatName stat={stat} />),
          memberColumn('value', 'Value', formatScore),
          sortedColumn<StatOfPlayer>(
            'aggregation',
            'Joined',
            ({ aggregation }) => AGGREGATION_WORDS[aggregation],
          ),
          agoColumn('updated_at', 'Changed', { missing: 'never' }),
          actionsColumn(
            (stat: StatOfPlayer) =>
              can('developer') &&
              !stat.archived && (
                <RowButton
                  aria-label={`Set value of ${stat.name}`}
                  onClick={() => setting.open(stat)}
                >
                  Set value…
                </RowButton>
              ),
          ),
        ]}
        emptyTitle="No statistics yet"
        emptyWords="This game has no statistics. Create them on the Statistics page."
      />
      {shown && (
        <StatChart
          player_id={player_id}
          stats={stats}
          shown={shown}
          onShow={(key) => set({ stat: key })}
        />
      )}
      <FormDialog {...setting.frame} title={`Set ${showName(setting.item?.name)}`}>
        {setting.item && <SetStatForm player_id={player_id} stat={setting.item} />}
      </FormDialog>
    </Stack>
  );
}
