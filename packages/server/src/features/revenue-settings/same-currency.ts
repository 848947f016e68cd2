import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { Queryable } from '../../platform/database/database.ts';

/**
 * Refuses a change of the currency that something depends on. Another feature implements this.
 * @throws ApiError 409.
 */
export type RequireSameCurrency = (
  tx: Queryable,
  game_id: string,
  before: RevenueSettings | null,
  after: RevenueSettings,
) => Promise<void>;
