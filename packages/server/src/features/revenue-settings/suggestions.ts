import {
  CURRENCIES,
  MAX_SUGGESTIONS,
  SUGGESTION_DAYS,
  SUGGESTION_EVENTS,
} from '@overworld/contract/analytics/currencies';
import type { getRevenueSuggestions } from '@overworld/contract/analytics/revenue-settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

type Candidates = SuccessOf<typeof getRevenueSuggestions>;
type Candidate = Candidates['events'][number];

/** Words in names of events that may be purchases, and words in names of the likeliest purchases. */
const PURCHASE_NAMES =
  'purchas|iap|in_?app|order|payment|transaction|bought|buy|checkout|revenue|sale';
const SURE_NAMES = 'purchas|iap|payment|revenue';
const AMOUNT_NAMES = /price|amount|revenue|value|total|cost|usd|eur|paid|cent|micro/i;
const MAX_EXAMPLE_LENGTH = 40;

/** Finds the events of a game that look like purchases, and their properties that look like amounts. */
export async function suggestPurchases(
  database: Queryable,
  tenant: Tenant,
  event_name: string | undefined,
): Promise<Candidates> {
  const names = await listNames(database, tenant, event_name);
  const found: Candidate[] = [];
  for (const name of names) found.push(await describe(database, tenant, name));
  // An event without numbers can hardly be a purchase.
  const hasAmount = ({ amounts }: Candidate) => Number(amounts.length > 0);
  return { events: found.toSorted((a, b) => hasAmount(b) - hasAmount(a)) };
}

interface CountedName {
  event_name: string;
  event_count: number;
}

function listNames(
  database: Queryable,
  tenant: Tenant,
  event_name: string | undefined,
): Promise<CountedName[]> {
  const isWanted =
    event_name === undefined
      ? sql`event_name COLLATE "C" ~* ${PURCHASE_NAMES}::text`
      : sql`event_name = ${event_name}::text`;
  return database.query(sql`
    SELECT event_name, sum(event_count)::bigint AS event_count
    FROM daily_event_counts
    WHERE ${isOfTenant(tenant)} AND day > current_date - ${SUGGESTION_DAYS}::integer AND ${isWanted}
    GROUP BY event_name
    ORDER BY event_name COLLATE "C" ~* ${SURE_NAMES}::text DESC, sum(event_count) DESC, event_name
    LIMIT ${MAX_SUGGESTIONS}`);
}

interface PropertyRow {
  property: string;
  share: number;
  numbers: number;
  currencies: number;
  number_example: string | null;
  currency_example: string | null;
}

async function describe(
  database: Queryable,
  tenant: Tenant,
  { event_name, event_count }: CountedName,
): Promise<Candidate> {
  const rows = await database.query<PropertyRow>(sql`
    WITH newest AS MATERIALIZED (
      SELECT id, properties FROM events
      WHERE ${isOfTenant(tenant)} AND event_name = ${event_name}
      ORDER BY received_at DESC
      LIMIT ${SUGGESTION_EVENTS}
    ), members AS (
      SELECT key AS property, jsonb_typeof(value) = 'number' AS is_number,
             jsonb_typeof(value) = 'string'
               AND upper(value #>> '{}' COLLATE "C") = ANY(${CURRENCIES}::text[]) AS is_currency,
             left(value #>> '{}', ${MAX_EXAMPLE_LENGTH}::integer) AS text
      FROM newest CROSS JOIN LATERAL jsonb_each(properties)
    )
    SELECT property,
           count(*) FILTER (WHERE is_number)::float8 / (SELECT count(*) FROM newest) AS numbers,
           count(*) FILTER (WHERE is_currency)::float8 / (SELECT count(*) FROM newest) AS currencies,
           min(text COLLATE "C") FILTER (WHERE is_number) AS number_example,
           min(text COLLATE "C") FILTER (WHERE is_currency) AS currency_example
    FROM members
    WHERE is_number OR is_currency
    GROUP BY property
    ORDER BY count(*) DESC, property COLLATE "C"
    LIMIT 50`);
  const amounts = rows
    .flatMap(({ property, numbers, number_example }) =>
      number_example === null ? [] : [{ property, share: numbers, example: number_example }],
    )
    .toSorted(
      (a, b) => Number(AMOUNT_NAMES.test(b.property)) - Number(AMOUNT_NAMES.test(a.property)),
    );
  const currencies = rows.flatMap(({ property, currencies: share, currency_example }) =>
    currency_example === null ? [] : [{ property, share, example: currency_example }],
  );
  return {
    event_name,
    event_count,
    amounts,
    currencies,
    amount_unit: unitOf(amounts[0]?.property ?? ''),
  };
}

function unitOf(property: string): Candidate['amount_unit'] {
  if (/micro/i.test(property)) return 'micro';
  return /cent|minor|penny|pence/i.test(property) ? 'minor' : 'major';
}
