import { answer, ErrorWith, UsedBy } from '../answers.ts';
import { limitReached } from '../limits.ts';
import { ROLES } from '../operation.ts';
import { operationsIn } from '../operations-in.ts';
import { Version } from '../remote-config/config.ts';
import { MAX_CONFIG_BYTES } from '../remote-config/dashboard.ts';
import { t } from '../schema.ts';
import { Effect, exampleEffect, MAX_EFFECTS_S } from './effects.ts';
import { DEFINITION_KINDS } from './kinds.ts';

const operation = operationsIn('Game as files');

/** Largest body of a plan or an apply, in bytes. */
export const MAX_DEFINITIONS_BYTES = 4 * 1024 * 1024;
/** The most definitions of a plan. */
export const MAX_DEFINITIONS = 10_000;
/** Largest definition with its kind and key, in bytes of JSON: a config of the greatest size fits. */
export const MAX_DEFINITION_BYTES = MAX_CONFIG_BYTES + 4 * 1024;

const Kind = t.Enum(DEFINITION_KINDS, 'Kind of the definition.');
const Key = t.String('Identifies it among those of its kind.', { maxLength: 1_024 });
/** The schema of one of the documents of a body. */
export const Document = t.Object({
  kind: Kind,
  key: Key,
  definition: t.JsonObject('The definition, by the schema of its kind.'),
});
export const Digest = t.String(
  'Hash of all definitions of the game. It changes with each of them.',
);

const exampleDocument = {
  kind: 'achievement' as const,
  key: 'first_blood',
  definition: { name: 'First blood', points: 10 },
};
const DIGEST = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';
export const PLAN = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

export const Plan = t.Resource('DefinitionPlan', {
  plan: t.String('Identifies the state of the game and the changes. An apply needs it.'),
  digest: Digest,
  role: t.Enum(
    ROLES,
    'The lowest role that an apply of the plan needs: the highest of those that the same changes need one by one.',
  ),
  changes: t.Array(
    t.Object({
      action: t.Enum(['create', 'update', 'delete'], 'What happens to the definition.'),
      kind: Kind,
      key: Key,
      fields: t.Array(
        t.Object({
          path: t.String(
            'Place of the member, such as `parameters.daily_reward.value`, or `parameters["a.b"].value`. If very many members differ, it is the place of a member around them.',
          ),
          before: t.Optional(t.Unknown({ description: 'Its value; absent if it has none.' })),
          after: t.Optional(t.Unknown({ description: 'Its new value; absent if it has none.' })),
        }),
        { description: 'The members that differ.' },
      ),
      version: t.Optional(
        t.Object(
          { before: Version, after: Version },
          { description: 'The versions of a config before and after an apply.' },
        ),
      ),
    }),
    {
      description: 'All changes in the order in which they are made: what is deleted comes first.',
    },
  ),
  effects: t.Optional(
    t.Array(Effect, {
      description:
        'What the changes do, in the order of the changes. Absent if it was not asked for, and after an apply.',
    }),
  ),
});
export const examplePlan = {
  plan: PLAN,
  digest: DIGEST,
  role: 'developer' as const,
  changes: [
    {
      action: 'update',
      kind: 'achievement',
      key: 'first_blood',
      fields: [{ path: 'points', before: 5, after: 10 }],
    },
  ],
};

export const Problems = t.Optional(
  t.Array(
    t.Object({
      index: t.Optional(t.Integer('Place of the definition in the body, from 0.')),
      kind: t.String('Its kind.'),
      key: t.String('Its key.'),
      error: t.String('The mistake in words.'),
    }),
    { description: 'The mistakes of the definitions, at most 100.' },
  ),
);

/** Members of the refusal of a change of a parameter that a running experiment has. */
export const RefusedByExperiment = {
  key: t.Optional(t.String('The parameter that a running experiment has.')),
  experiment_id: t.Optional(t.Uuid('The experiment that has it.')),
};

const wantedMembers = {
  definitions: t.Array(Document, {
    maxItems: MAX_DEFINITIONS,
    description: `The definitions that the game should have, each of at most ${MAX_DEFINITION_BYTES / 1024} KB.`,
  }),
  prune: t.Optional(
    t.Boolean(
      'True: definitions of the game that are not among them are deleted. An achievement or a statistic that players have is archived instead, and configs and other settings always stay.',
    ),
  ),
};

const invalid = answer(
  'A definition is invalid; `problems` lists the mistakes of all.',
  ErrorWith({ problems: Problems }),
  {
    error: 'achievement "first_blood": points must be a whole number',
    problems: [
      {
        index: 0,
        kind: 'achievement',
        key: 'first_blood',
        error: 'points must be a whole number',
      },
    ],
  },
);

export const readDefinitions = operation('GET /v1/games/{game_id}/definitions', {
  access: 'viewer',
  summary: 'Read the definitions of a game as documents',
  description:
    'All achievements, statistics, boards with their rules, event schemas, configs of both environments, experiments, segments, saved reports, dashboards, alerts, webhooks, login providers and other settings of the game, each in its full form. Secrets are left out. Members below admin see `…` in place of path and query of the addresses of webhooks.',
  answers: {
    200: answer('The definitions.', t.Object({ digest: Digest, definitions: t.Array(Document) }), {
      digest: DIGEST,
      definitions: [exampleDocument],
    }),
  },
});

export const PlanQuery = t.Object({
  effects: t.Enum(['count', 'none'], '`none`: the plan has no effects, which takes less time.', {
    default: 'count',
  }),
  format: t.Enum(
    ['json', 'progress'],
    '`progress` answers lines of JSON meanwhile, as reports do: `{"progress":{"state":"reading","share":0.4,"seconds_left":3}}`, at last `{"report":…}` with the plan, or `{"status":503,"error":"…"}`.',
    { default: 'json' },
  ),
});

/** How long the counting of effects takes, for the descriptions of operations that plan. */
export const countingInWords = `Counting takes a turn among the reports, and ends after ${MAX_EFFECTS_S} seconds; the effects say what was not counted. Events that break a schema, and submits, are counted for developers only.`;

/** The answer of a plan, which can be lines with the progress. */
export const planAnswer = (example: unknown) => ({
  ...answer('The plan.', Plan, example),
  media_types: ['application/x-ndjson'],
});

export const planDefinitions = operation('POST /v1/games/{game_id}/definitions/plan', {
  access: 'viewer',
  summary: 'See what documents would change',
  description: `Compares documents with the definitions of the game, and counts what the changes do to the players, events and submits of late. Changes nothing. ${countingInWords}`,
  query: PlanQuery,
  body: t.Object(wantedMembers),
  body_validation: 'handler',
  raw_member: 'definitions',
  max_body_bytes: MAX_DEFINITIONS_BYTES,
  example: { definitions: [exampleDocument] },
  answers: {
    200: planAnswer({ ...examplePlan, effects: [exampleEffect] }),
    400: invalid,
  },
});

export const applyDefinitions = operation('POST /v1/games/{game_id}/definitions/apply', {
  access: 'developer',
  summary: 'Make the changes of a plan',
  description:
    'Makes all changes of a plan or none, at most 1,000. The documents must be those of the plan, and the game must be as it was then. `role` of the plan says which role that needs.',
  body: t.Object({
    ...wantedMembers,
    plan: t.String('The `plan` of the plan that was looked at.', { minLength: 1, maxLength: 64 }),
    replace_used: t.Optional(
      t.Boolean(
        'True changes segments although dashboards or saved reports use them. Their numbers then change.',
      ),
    ),
    commit: t.Optional(
      t.String('The commit of the documents, for the audit log, such as a hash of Git.', {
        minLength: 1,
        maxLength: 255,
      }),
    ),
  }),
  body_validation: 'handler',
  raw_member: 'definitions',
  max_body_bytes: MAX_DEFINITIONS_BYTES,
  example: { definitions: [exampleDocument], plan: PLAN, commit: '1d1e1dc' },
  answers: {
    200: answer('The changes that were made.', Plan, examplePlan),
    400: invalid,
    403: limitReached(
      'The role does not allow one of the changes, such as to delete a board (`problems` names it), or the game would pass a limit.',
      'achievements',
    ),
    409: answer(
      'The plan is out of date, or a definition cannot be changed now, because others use it (`used_by`), because an experiment has been started, or because a running experiment has a parameter (`key`, `experiment_id`). `problems` names it. Nothing was changed.',
      ErrorWith({
        problems: Problems,
        digest: t.Optional(Digest),
        used_by: t.Optional(UsedBy),
        ...RefusedByExperiment,
      }),
      {
        error:
          'The plan is out of date: the game or the files have changed since it was made. Make a new plan and look at it',
      },
    ),
  },
});

export const readDefinitionSchema = operation('GET /v1/definition-schemas/{kind}', {
  access: 'anyone',
  params: t.Object({ kind: Kind }),
  summary: 'Read the JSON Schema of a file',
  description: 'With it, an editor completes and checks the files of this kind.',
  answers: {
    200: answer('The schema.', t.JsonObject('A JSON Schema.'), {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'achievement',
      type: 'object',
    }),
  },
});
