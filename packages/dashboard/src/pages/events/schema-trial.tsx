import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import classes from './schema-trial.module.css';

type Trial = Answer<'POST /v1/games/{game_id}/event-schemas/{event_name}/test'>;

/** The number of recent events that keep to a schema, and the violations of the newest others. */
export function SchemaTrial({ trial: { tested, passed, failures } }: { trial: Trial }) {
  const { environment, path } = useGame();
  const failed = tested - passed;
  return (
    <div className={classes.trial} data-failed={failed > 0 || undefined} role="status">
      <p>{sentenceOf(tested, failed, environment)}</p>
      {failures.length > 0 && (
        <ul tabIndex={0} aria-label="Events that break the schema">
          {failures.map(({ event_id, player_id, received_at, message }) => (
            <li key={event_id}>
              <span className="name">{message}</span>
              <span className={classes.where}>
                {player_id !== null && (
                  <>
                    <Anchor
                      component={Link}
                      to={`${path('players', player_id)}?tab=timeline`}
                      size="xs"
                      className="name"
                    >
                      {player_id}
                    </Anchor>
                    ,{' '}
                  </>
                )}
                <Ago at={received_at} />
              </span>
            </li>
          ))}
          {failed > failures.length && <li>and {formatCount(failed - failures.length)} more</li>}
        </ul>
      )}
    </div>
  );
}

function sentenceOf(tested: number, failed: number, environment: string): string {
  const events = `${countOf(tested, 'recent event')} of this name in ${environment}`;
  if (tested === 0) return `No event of this name was received in ${environment} yet.`;
  if (failed === 0) return `All of the ${events} keep to this schema.`;
  return `${formatCount(failed)} of the ${events} ${failed === 1 ? 'breaks' : 'break'} this schema.`;
}
