import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { Failure } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';

export type Config = Answer<'GET /v1/games/{game_id}/config'>;

/** The parameter that the user of this page has chosen to edit or to delete. */
export interface Chosen<Key extends string | null> {
  /** The config that the page showed when the user chose the parameter. */
  seen: Config;
  /** The current config: the one that the page has loaded, or a newer one that it loads after a refusal. */
  current: Config;
  /** Null for a new parameter. */
  key: Key;
}

export const choose = <Key extends string | null>(config: Config, key: Key): Chosen<Key> => ({
  seen: config,
  current: config,
  key,
});

/** Returns the parameters with one of them changed, or removed if `parameter` is null. */
export function withParameter(
  parameters: Config['parameters'],
  key: string,
  parameter: ConfigParameter | null,
): Config['parameters'] {
  const changed = new Map(Object.entries(parameters));
  if (parameter === null) changed.delete(key);
  else changed.set(key, parameter);
  return Object.fromEntries(changed);
}

/** Tells whether changes are shown as a diff and confirmed before they are stored. */
export const needsReview = (environment: string) => environment === 'production';

/**
 * Loads a config and stores changes to it.
 * @returns `config`, and `store`. If somebody has stored another version meanwhile,
 * `store` passes that version to `onConflict` and then rejects.
 */
export function useConfig() {
  const { inEnvironment } = useGame();
  const input = inEnvironment();
  const config = useRead('GET /v1/games/{game_id}/config', input);
  const put = useChange('PUT /v1/games/{game_id}/config');

  /** Runs a change. The server refuses the change unless it names the current version of the config. */
  const orConflict = async <T>(
    change: () => Promise<T>,
    onConflict: (current: Config) => void,
  ): Promise<T> => {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof Failure) || error.body.server_version === undefined) throw error;
      const { data } = await config.refetch({ throwOnError: true });
      onConflict(data!);
      throw conflictWith(data!);
    }
  };

  return {
    config,
    orConflict,
    store: (
      { version }: Config,
      parameters: Config['parameters'],
      onConflict: (current: Config) => void,
    ) => orConflict(() => put.mutateAsync({ ...input, body: { version, parameters } }), onConflict),
  };
}

const conflictWith = ({ version, created_by }: Config) =>
  new Failure(
    409,
    `Somebody changed the config meanwhile: version ${version}${created_by ? `, by ${created_by}` : ''}. Your change was not stored. Look at the new version and try again.`,
  );
