import type { Queryable } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import type { PlayerHistory } from '../../platform/players/player-history.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { FindBuyers } from './search/find-elsewhere.ts';
import type { StorySource } from '../../platform/players/story-source.ts';

/** The parts of other features that players use. */
export interface PlayerParts {
  history: PlayerHistory;
  /** The player data of all features, in the order in which it is merged and erased. */
  sources: readonly PlayerDataSource[];
  /**
   * Requires that the session of a player token began a few minutes ago.
   * @throws ApiError 401, 403 or 404.
   */
  requireNewLogin(queryable: Queryable, session: PlayerKey & { session_id: string }): Promise<void>;
  findBuyers: FindBuyers;
  /** The sources of story entries of all features. */
  story: readonly StorySource[];
}

/** The services that the routes of players use. */
export interface PlayerServices extends Api, PlayerParts {}
