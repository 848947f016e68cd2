import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { countOf } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Card } from '../../ui/page.tsx';
import { showName } from '../../ui/shown-name.ts';
import { Ago } from '../../ui/time/moment.tsx';
import classes from './overview.module.css';

const READ_AGAIN_MS = 30_000;
/** The number of alerts, boards or experiments that are read. */
const READ = 200;
/** The number of lines in a list. The page of the list has all. */
const SHOWN = 5;

interface Line {
  key: string;
  name: string;
  to: string;
  note: ReactNode;
}

interface List {
  name: string;
  /** The page with all of them. */
  page: string;
  lines: Line[];
}

/**
 * Reads what the studio has under way or has to decide. Lists without a line are left out, also those that could
 * not be read.
 */
export function useNow(): { isPending: boolean; lists: List[] } {
  const { inEnvironment, can, path } = useGame();
  const input = inEnvironment({}, { limit: READ });
  const every = READ_AGAIN_MS;
  const alerts = useRead('GET /v1/games/{game_id}/alerts', input, { every });
  const boards = useRead('GET /v1/games/{game_id}/leaderboards', input, { every });
  const experiments = useRead(
    'GET /v1/games/{game_id}/experiments',
    inEnvironment({}, { limit: READ, state: 'running' as const }),
    { every },
  );
  const lists: List[] = [
    {
      name: 'Alerts that fire',
      page: 'alerts',
      lines: (alerts.data?.alerts ?? [])
        .filter(({ state }) => state === 'firing')
        .map(({ id, name, state_since }) => ({
          key: id,
          name,
          to: can('developer') ? `${path('alerts')}?open=${id}` : path('alerts'),
          note: (
            <>
              began <Ago at={state_since} />
            </>
          ),
        })),
    },
    {
      name: 'Scores that wait for a decision',
      page: 'leaderboards',
      lines: (boards.data?.leaderboards ?? [])
        .filter(({ waiting_scores }) => waiting_scores > 0)
        .map(({ board_name, waiting_scores }) => ({
          key: board_name,
          name: board_name,
          to: path('leaderboards', board_name) + (can('developer') ? '?tab=waiting' : ''),
          note: countOf(waiting_scores, 'score'),
        })),
    },
    {
      name: 'Experiments that run',
      page: 'experiments',
      lines: (experiments.data?.experiments ?? []).map(({ id, name, started_at }) => ({
        key: id,
        name,
        to: path('experiments', id),
        note: started_at && (
          <>
            started <Ago at={started_at} />
          </>
        ),
      })),
    },
  ];
  return {
    isPending: alerts.isPending || boards.isPending || experiments.isPending,
    lists: lists.filter(({ lines }) => lines.length > 0),
  };
}

/** Lists what the studio has under way or has to decide; nothing if there is none. */
export function Now({ lists }: { lists: readonly List[] }) {
  const { path } = useGame();
  if (lists.length === 0) return null;
  return (
    <Card>
      <div className={classes.now}>
        {lists.map(({ name, page, lines }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {lines.slice(0, SHOWN).map(({ key, name: line, to, note }) => (
                <li key={key}>
                  <TextLink to={to} className="truncate">
                    {showName(line)}
                  </TextLink>
                  <span>{note}</span>
                </li>
              ))}
            </ul>
            {lines.length > SHOWN && (
              <TextLink to={path(page)}>All {String(lines.length)}</TextLink>
            )}
          </section>
        ))}
      </div>
    </Card>
  );
}
