import { t } from '../schema.ts';
import { DefinitionFields, EXPERIMENT_STATES } from './experiment-definition.ts';

export const State = t.Enum(
  EXPERIMENT_STATES,
  '`draft`: not started; `running`; `stopped`: all players get the config again; `shipped`: stopped, and the values of a variant were put into the config.',
);

export const Experiment = t.Resource('Experiment', {
  id: t.Uuid('Id of the experiment.'),
  state: State,
  ...DefinitionFields,
  description: t.String(
    'The reason for the experiment and the expectation; empty if there is none.',
  ),
  condition: t.Nullable(DefinitionFields.condition),
  created_at: t.Timestamp('When it was created.'),
  created_by: t.Nullable(t.String('E-mail address of the account that created it.')),
  started_at: t.Nullable(t.Timestamp('When it was started; null for a draft.')),
  stopped_at: t.Nullable(t.Timestamp('When it was stopped or shipped; null before.')),
  shipped_variant: t.Nullable(
    t.Integer('Index of the variant whose values were put into the config; null: none.'),
  ),
});

export const exampleDefinition = {
  name: 'Higher daily reward',
  description: 'More coins for the first session bring players back.',
  share: 50,
  variants: [
    { name: 'Control', weight: 1 },
    { name: 'Generous', weight: 1, values: { daily_reward: 200 } },
  ],
  metrics: [
    { kind: 'retention', days: 1 },
    { kind: 'revenue', days: 7, guardrail: true },
  ],
};
export const exampleExperiment = {
  id: '0198f2d4-6f0a-7c31-9a55-0f3c1d2e4b6a',
  state: 'running',
  condition: null,
  ...exampleDefinition,
  created_at: '2026-03-14T15:09:26.535Z',
  created_by: 'ada@studio.example',
  started_at: '2026-03-14T15:20:00.000Z',
  stopped_at: null,
  shipped_variant: null,
};
