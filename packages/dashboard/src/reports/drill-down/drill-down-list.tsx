import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import { playerColumns } from '../../pages/players/player-columns.tsx';
import { useGame } from '../../shell/game.ts';
import { countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { ReadProblem } from '../../ui/page.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { tableOf } from '../../ui/tables/table-card.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { writeSelection } from '../players/player-selection.ts';
import type { PlayerSelection } from '../players/player-selection.ts';
import { ReadingEvents } from '../questions/slow-report.tsx';
import { useReportInput } from '../use-report.tsx';
import { describeCell, useDrillDown } from './cells.ts';
import type { Cell } from './cells.ts';
import { TagPlayers } from './tag-players.tsx';
import classes from './drill-down.module.css';
import { NameDialog } from '../../ui/forms/name-dialog.tsx';

/** The players behind a number, to look at, save as a segment or download. */
export function DrillDownList({ cell, players }: { cell: Cell; players: PlayerSelection }) {
  const { game_id, can, path } = useGame();
  const question = {
    players: writeSelection(players) || undefined,
    cell: JSON.stringify(cell),
  };
  const { route, input, csv, outside } = useReportInput('segment', question, 'players');
  const pages = usePages(route, input, { slow: true, watched: true, uncounted: true });
  const [saving, dialog] = useDisclosure();
  const put = useChange('PUT /v1/games/{game_id}/saved-reports/{kind}/{name}');
  const count = pages.data?.pages[0]?.count;
  const { rows, ...table } = tableOf(pages, 'players');
  const hrefOf = ({ player_id }: { player_id: string }) => path('players', player_id);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) if (value) query.append(name, value);

  const list = useFirstFocus(count !== undefined);

  return (
    <Stack gap="md" ref={list} tabIndex={-1} className={classes.list}>
      <Other cell={cell} players={players} />
      {pages.error && count === undefined ? (
        <ReadProblem query={pages} />
      ) : count === undefined ? (
        <ReadingEvents />
      ) : (
        <>
          <Group gap="xs" justify="space-between">
            <Text fw={600} role="status">
              {countOf(count, 'player')}
            </Text>
            <Group gap="xs">
              <ButtonLink size="xs" variant="default" to={`${path('segments')}?${query}`}>
                Open as a segment
              </ButtonLink>
              {can('developer') && (
                <Button size="xs" variant="default" onClick={dialog.open}>
                  Save as a segment
                </Button>
              )}
              <TagPlayers segment={input} count={count} />
              {csv}
              {outside}
            </Group>
          </Group>
          <DataTable
            label="Players behind the number"
            columns={playerColumns([], hrefOf)}
            rows={rows}
            {...table}
            rowKey={({ player_id }) => player_id}
            rowHref={hrefOf}
            emptyTitle="No players"
            emptyWords="Nobody is behind this number."
          />
        </>
      )}
      <NameDialog
        opened={saving}
        onClose={dialog.close}
        title="Save as a segment"
        action="Save"
        description="Everybody in the game sees it, and all reports can be limited to it. The segment keeps the days of this number."
        maxLength={255}
        name={describeCell(cell).slice(0, 255)}
        onSubmit={(name) =>
          put.mutateAsync({
            params: { game_id, kind: 'segment', name },
            body: { query: query.toString() },
          })
        }
        onDone={({ name }) => notify.done(`Saved ${name}`)}
      />
    </Stack>
  );
}

/**
 * Gives the list the focus while it is loaded, unless one of its parts has the focus. Once the list is
 * loaded, the first player gets the focus.
 */
function useFirstFocus(is_read: boolean) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current!;
    if (element.querySelector('[data-autofocus]')) return;
    // If the drawer opens after this, it gives the focus to this element.
    element.setAttribute('data-autofocus', '');
    element.focus();
  }, []);
  useEffect(() => {
    const element = list.current!;
    if (!is_read || document.activeElement !== element) return;
    const first =
      element.querySelector<HTMLElement>('tbody a') ?? element.querySelector('a, button');
    first?.focus();
  }, [is_read]);
  return list;
}

/**
 * Switches between the players whom the number counts and those whom it leaves out, such as players who did
 * not return.
 */
function Other({ cell, players }: { cell: Cell; players: PlayerSelection }) {
  const { change } = useDrillDown();
  if (cell.report === 'retention' && cell.day !== 0) {
    return (
      <Sides
        sides={[
          { value: 'true', label: `Active on day ${cell.day}` },
          { value: 'false', label: 'Not active that day' },
        ]}
        shown={String(cell.returned)}
        onShow={(side) => change({ ...cell, returned: side === 'true' }, players)}
      />
    );
  }
  if (cell.report === 'funnel') {
    return (
      <Sides
        sides={[
          { value: 'reached', label: `Took step ${cell.step}` },
          { value: 'stopped', label: 'Stopped there' },
        ]}
        shown={cell.outcome!}
        onShow={(side) => change({ ...cell, outcome: side as 'reached' }, players)}
      />
    );
  }
  return null;
}

/** Switches between two lists of players. It takes the focus, so arrow keys work immediately. */
function Sides(props: {
  sides: { value: string; label: string }[];
  shown: string;
  onShow: (side: string) => void;
}) {
  const { sides, shown, onShow } = props;
  const control = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const radio = control.current?.querySelector<HTMLInputElement>('input:checked');
    radio?.setAttribute('data-autofocus', '');
    radio?.focus();
  }, []);
  return (
    <SegmentedControl
      ref={control}
      aria-label="Players"
      data={sides}
      value={shown}
      onChange={onShow}
    />
  );
}
