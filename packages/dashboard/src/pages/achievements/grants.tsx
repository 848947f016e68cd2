import { Button, Group, Progress, Text } from '@mantine/core';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { showName } from '../../ui/shown-name.ts';
import { Card } from '../../ui/page.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import classes from '../../ui/action-list.module.css';

const LIST = 'GET /v1/games/{game_id}/achievement-grants';
type Grant = Answer<typeof LIST>['grants'][number];

/** While a grant goes on, its progress is read at this interval. */
const READ_EVERY_MS = 1_000;

const isOpen = ({ state }: Grant) => state === 'running' || state === 'undoing';

/** The grants of achievements to all who had earned them, with their progress. */
export function Grants({ names }: { names: ReadonlyMap<string, string> }) {
  const { game_id, inEnvironment, can } = useGame();
  const { data } = useRead(LIST, inEnvironment());
  const grants = data?.grants ?? [];
  // A second reader of the same answer, so that the interval follows it.
  useRead(LIST, inEnvironment(), { every: grants.some(isOpen) && READ_EVERY_MS });
  const undo = useChange('POST /v1/games/{game_id}/achievement-grants/{grant_id}/undo');
  if (grants.length === 0) return null;
  return (
    <Card flush title="Given to all who had earned it">
      <ul className={classes.list} aria-label="Grants">
        {grants.map((grant) => {
          const { id: grant_id, achievement_key, started_at } = grant;
          const name = names.get(achievement_key) ?? achievement_key;
          return (
            <li key={grant_id} className={classes.row}>
              <div className={classes.text}>
                <Text size="sm" fw={500} className="name">
                  {showName(name)}
                </Text>
                <Text size="xs" c="dimmed" role="status">
                  {describe(grant)}, <Ago at={started_at} />
                </Text>
                {isOpen(grant) && (
                  <Progress value={percentOf(grant)} size="sm" mt={4} aria-hidden />
                )}
              </div>
              {can('developer') && (grant.state === 'running' || grant.state === 'done') && (
                <Group>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Undo the grant of ${name}`}
                    onClick={() =>
                      notify.outcome(
                        undo.mutateAsync({ params: { game_id, grant_id } }),
                        `The grant of ${name} is being undone`,
                      )
                    }
                  >
                    Undo
                  </Button>
                </Group>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const percentOf = ({ granted_count, player_count }: Grant) =>
  player_count === 0 ? 100 : Math.min(100, (granted_count / player_count) * 100);

function describe({ state, granted_count, player_count }: Grant): string {
  const count = countOf(granted_count, 'player');
  if (state === 'running') {
    return `${formatCount(granted_count)} of ${countOf(player_count, 'player')}`;
  }
  if (state === 'undoing') return `${count} left to take it back from`;
  return state === 'done' ? `Given to ${count}` : 'Taken back';
}
