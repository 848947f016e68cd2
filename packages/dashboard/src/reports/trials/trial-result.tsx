import { Fragment } from 'react';
import { sentence, wordsOf } from '../../api/failure.ts';
import { useGame } from '../../shell/game.ts';
import { PlayerName } from '../../shell/player-name.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { showName } from '../../ui/shown-name.ts';
import { Ago } from '../../ui/time/moment.tsx';
import type { RuleTrial, Trial } from './use-trial.ts';
import classes from './trial-result.module.css';

/** Says what a rule would have done, had it been there, and to whom. */
export function TrialResult(props: {
  trial: Trial;
  /** Shown while there is nothing to try. */
  idle: string;
  /** Shown if the rule would have done nothing that can be counted. */
  nothing?: string;
  /** The tab of a player's page that shows the examples. */
  tab?: 'timeline' | 'scores' | 'achievements';
  /** The page that lists all players, if there is one. */
  list?: string;
}) {
  const { trial, idle, nothing = 'It would have changed nothing.', tab, list } = props;
  const { isAsked, trials, error, isOld } = trial;
  const words = !isAsked
    ? idle
    : error
      ? wordsOf(error)
      : trials === undefined
        ? 'Trying it on the past…'
        : nothing;
  return (
    <div className={classes.trials} role="status" aria-busy={isOld} data-old={isOld || undefined}>
      {isAsked && !error && trials && trials.length > 0 ? (
        trials.map((each) => (
          <OneTrial key={`${each.part} ${each.words}`} trial={each} tab={tab} list={list} />
        ))
      ) : (
        <p className={classes.trial}>{words}</p>
      )}
    </div>
  );
}

function OneTrial(props: { trial: RuleTrial; tab: string | undefined; list: string | undefined }) {
  const { trial, tab, list } = props;
  const { path } = useGame();
  const { state, words, players, examples } = trial;
  const total = players === null ? null : players.count;
  return (
    <div
      className={classes.trial}
      data-met={examples.length > 0 || undefined}
      data-counted={state !== 'uncounted' || undefined}
    >
      <p className={classes.words}>
        <Words text={sentence(words)} />
        {total !== null && total > 0 && (
          <>
            {' '}
            That is {formatCount(total)} of {countOf(players!.of, 'player')}.{' '}
            {list !== undefined && (
              <TextLink to={list} target="_blank" size="xs" underline="always">
                Show all of them
              </TextLink>
            )}
          </>
        )}
      </p>
      {examples.some(({ player_id }) => player_id !== null) && (
        <ul tabIndex={0} aria-label={`Examples of ${trial.part ?? 'the rule'}`}>
          {examples.map(({ player_id, at, words: what }, index) => (
            <li key={index}>
              <span className="name">{showName(what)}</span>
              <span className={classes.where}>
                {player_id !== null && (
                  <TextLink
                    to={`${path('players', player_id)}${tab ? `?tab=${tab}` : ''}`}
                    size="xs"
                    underline="always"
                    className="name"
                  >
                    <PlayerName player_id={player_id} />
                  </TextLink>
                )}
                {player_id !== null && at !== null && ', '}
                {at !== null && <Ago at={at} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Shows names between backticks as code. */
const Words = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="name">
        {showName(part)}
      </code>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
