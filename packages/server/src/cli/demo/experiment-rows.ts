import { chooseVariant } from '../../features/experiments/assignment.ts';
import type { ArchiveLine } from '../../features/backups/archive/format.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame, PlayerTable } from './demo-game.ts';

interface DemoExperiment {
  id: string;
  state: 'running' | 'shipped';
  /** The number of the variant that all players got in the end. */
  shipped_variant: number | null;
  name: string;
  description: string;
  share: number;
  /** Milliseconds since 1970. */
  started_at: number;
  stopped_at: number | null;
  variants: { name: string; weight: number; values?: Record<string, unknown> }[];
}

const METRICS = [
  { kind: 'retention', days: 1 },
  { kind: 'revenue', days: 7, cap: 50 },
  { kind: 'event_count', event_name: 'level_complete', days: 3, guardrail: true },
];

/** Makes one experiment that is running, and one whose better variant all players got. */
function experimentsOf({ experiment_ids, until, days }: DemoGame): DemoExperiment[] {
  const before = (share: number) => until - days * share * 86_400_000;
  return [
    {
      id: experiment_ids.running,
      state: 'running',
      shipped_variant: null,
      name: 'Higher daily reward',
      description: 'More coins for the first session of a day bring players back.',
      share: 80,
      started_at: before(0.3),
      stopped_at: null,
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Generous', weight: 1, values: { daily_reward: 200 } },
      ],
    },
    {
      id: experiment_ids.ended,
      state: 'shipped',
      shipped_variant: 1,
      name: 'Banner in the shop',
      description: 'Players who see the sale buy more.',
      share: 100,
      started_at: before(0.8),
      // The config's second version has the values of the variant.
      stopped_at: before(1 / 3),
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Banner', weight: 1, values: { shop: { open: true, banner: 'Harvest sale' } } },
      ],
    },
  ];
}

export function* experimentLines(game: DemoGame): Generator<ArchiveLine> {
  yield table(
    'experiments',
    `game_id, environment, experiment_id, state, name, description, share, definition, created_at,
     created_by, started_at, stopped_at, shipped_variant`,
  );
  for (const experiment of experimentsOf(game)) {
    const { id, state, name, description, share, started_at, stopped_at, variants } = experiment;
    const { shipped_variant } = experiment;
    yield [
      game.game_id,
      'production',
      id,
      state,
      name,
      description,
      `${share}`,
      JSON.stringify({ condition: null, variants, metrics: METRICS }),
      at(started_at - 3_600_000),
      game.developer.email,
      at(started_at),
      stopped_at === null ? null : at(stopped_at),
      shipped_variant === null ? null : `${shipped_variant}`,
    ];
  }
}

/** The exposures of players who had a session while an experiment ran. */
export const EXPOSURE_TABLE: PlayerTable = {
  name: 'experiment_exposures',
  columns: 'experiment_id, variant, exposed_at',
  *rows({ environment, player_id, sessions }, game) {
    if (environment !== 'production') return;
    for (const experiment of experimentsOf(game)) {
      const { id, started_at, stopped_at } = experiment;
      const starts = sessions.flatMap(({ events }) => events[0]?.at ?? []);
      const exposed_at = starts.find(
        (start) => start >= started_at && start < (stopped_at ?? Infinity),
      );
      const variant = chooseVariant(experiment, player_id);
      if (exposed_at === undefined || variant === null) continue;
      yield [id, `${variant}`, at(exposed_at)];
    }
  },
};
