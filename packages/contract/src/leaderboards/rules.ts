import { t } from '../schema.ts';
import { WRITES_FROM } from '../players/verification.ts';
import { MAX_INTERVAL_MS, MAX_LEDGER_DAYS, MAX_REQUIRED_METADATA } from './rule-limits.ts';

const DEFAULT_LEDGER_DAYS = 30;

const VIOLATIONS = ['refuse', 'quarantine'] as const;
/** The treatment of a submit that breaks a rule. */
export type OnViolation = (typeof VIOLATIONS)[number];

export const BOARD_RULES = [
  'required_metadata',
  'min_submit_interval_ms',
  'max_gain',
  'max_gain_per_hour',
] as const;
/** The name of a rule that a submit can break. It is also the name of the setting of the rule. */
export type BoardRule = (typeof BOARD_RULES)[number];

/** The reasons why a score waits: the score breaks a rule, or a member removed it from the board. */
export const HOLD_REASONS = [...BOARD_RULES, 'by_hand'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

const WRITERS =
  'Whose submits the board takes: those of `anyone`; `verified`: those with `x-player-token` or a server key; `server`: those with a server key alone. Others are answered 403.';
const ON_VIOLATION =
  'The treatment of a submit that breaks a rule. `refuse`: it is answered 403. `quarantine`: its player sees the score, the public board does not, until somebody decides in the dashboard.';
const MAX_GAIN =
  'Most by which a submit may better the score of its player; on an ascending board, by which it may lower it.';
const FIRST_GAIN =
  "The score from which the gain of a player's first submit counts: the first one of a season, and the first one after an entry was removed. Null: neither `max_gain` nor `max_gain_per_hour` checks first submits.";
const GAIN_PER_HOUR =
  "Most by which a player's score may become better in an hour: the gain of a submit is divided by the time since the score before it. A first submit counts as the gain of one hour from `first_gain_from`.";
const INTERVAL =
  'Shortest time between two submits of a player, in milliseconds. The last submit may be of an earlier season. A submit that waits counts. A refused one does not, nor does one that is not in the ledger. It needs the ledger.';
const REQUIRED =
  'Properties that `metadata` of each submit must have, with values other than null.';
const LEDGER = 'Whether each submit is recorded: player, score, key and address network.';
const DAYS = `Days for which the ledger is kept, 1 to ${MAX_LEDGER_DAYS}. If the ledgers of the game reach its limit of \`ledger_rows\`, the players with the most submits on a board lose their oldest ones sooner.`;

const positive = { exclusiveMinimum: 0 };
const MaxGain = t.Nullable(t.Number(MAX_GAIN, positive));
const FirstGainFrom = t.Nullable(t.Number(FIRST_GAIN));
const MaxGainPerHour = t.Nullable(t.Number(GAIN_PER_HOUR, positive));
const Interval = t.Nullable(t.Integer(INTERVAL, { minimum: 1, maximum: MAX_INTERVAL_MS }));
const LedgerDays = { minimum: 1, maximum: MAX_LEDGER_DAYS };
const PropertyName = t.Name('Name of a property.');

/** The rules of a board, as answers show them. */
export const ruleMembers = {
  writes_from: t.Enum(WRITES_FROM, WRITERS),
  on_violation: t.Enum(VIOLATIONS, ON_VIOLATION),
  max_gain: MaxGain,
  first_gain_from: FirstGainFrom,
  max_gain_per_hour: MaxGainPerHour,
  min_submit_interval_ms: Interval,
  required_metadata: t.Array(PropertyName, { description: REQUIRED }),
  keeps_ledger: t.Boolean(LEDGER),
  ledger_days: t.Integer(DAYS, LedgerDays),
};

/** The rules of a board, as requests send them. A rule that is left out is off. */
export const ruleSettings = {
  writes_from: t.Enum(WRITES_FROM, WRITERS, { default: 'anyone' }),
  on_violation: t.Enum(VIOLATIONS, ON_VIOLATION, { default: 'refuse' }),
  max_gain: t.Optional(MaxGain),
  first_gain_from: t.Optional(FirstGainFrom),
  max_gain_per_hour: t.Optional(MaxGainPerHour),
  min_submit_interval_ms: t.Optional(Interval),
  required_metadata: t.Optional(
    t.Array(PropertyName, { maxItems: MAX_REQUIRED_METADATA, description: REQUIRED }),
  ),
  keeps_ledger: t.Optional(t.Boolean(`${LEDGER} False when it is left out.`)),
  ledger_days: t.Integer(DAYS, { ...LedgerDays, default: DEFAULT_LEDGER_DAYS }),
};

export const exampleRules = {
  writes_from: 'anyone' as const,
  on_violation: 'quarantine' as const,
  max_gain: 50_000,
  first_gain_from: 0,
  max_gain_per_hour: null,
  min_submit_interval_ms: 30_000,
  required_metadata: ['level'],
  keeps_ledger: true,
  ledger_days: 30,
};
