import { errorAnswer } from '../answers.ts';
import { EnvironmentName } from '../common.ts';
import { t } from '../schema.ts';
import { MAX_RESTORATIONS, RESTORATION_STATES } from './restoration-limits.ts';

/**
 * The members of the answers about restorations of all kinds, which `features/saves` and `features/stats` of the
 * server share.
 * @param things What is restored, such as `saves`.
 */
export const restorationMembers = (things: string) => ({
  restoration_id: t.Uuid('Id of the restoration.'),
  environment: EnvironmentName,
  state: t.Enum(
    RESTORATION_STATES,
    `\`counting\`: servers look for bad ${things}; \`ready\`: they are counted, and nothing is restored yet; \`running\`: ${things} are restored; \`paused\`: somebody has paused the work, or \`problem\` has; \`done\`; \`undoing\`: what was restored is taken back; \`undone\`.`,
  ),
  problem: t.Nullable(t.String('Why servers have paused the work; null if they have not.')),
  words: t.String('The result in a sentence.'),
  players: t.Object({
    count: t.Integer(`Number of players with bad ${things}.`),
    of: t.Integer(`Number of players whose ${things} were looked at.`),
  }),
  restored_count: t.Integer(`Number of ${things} that were restored.`),
  undone_count: t.Integer(`Number of restored ${things} that the undo has taken back.`),
  progress: t.Object({
    done: t.Integer(`Number of ${things} that are done in this state.`),
    of: t.Integer(`Number of ${things} to do in this state.`),
  }),
  created_by: t.Nullable(t.String('E-mail address of the account that asked.')),
  created_at: t.Timestamp('When it was asked.'),
  counted_at: t.Nullable(t.Timestamp('When the count ended.')),
  started_at: t.Nullable(t.Timestamp('When the restoration was started.')),
  ended_at: t.Nullable(t.Timestamp(`When all ${things} were restored.`)),
  undo_begun_at: t.Nullable(t.Timestamp('When the undo was started.')),
  undone_at: t.Nullable(t.Timestamp('When the undo ended.')),
});

export const noRestoration = errorAnswer(
  'The game does not exist, the account is no member of it, or it has no such restoration.',
  'Restoration not found',
);
export const wrongState = errorAnswer(
  'The restoration is in another state.',
  'The restoration is running: only one that is ready can be started',
);
export const tooManyRestorations = errorAnswer(
  'The environment has as many restorations as it may have.',
  `An environment may have at most ${MAX_RESTORATIONS} restorations: delete one first`,
);
