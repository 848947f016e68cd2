import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../players/player-key.ts';
import type { Definition, DefinitionKind } from './definition-kind.ts';

/** Settings that each environment has once, with their defaults if nobody has changed them. */
interface EnvironmentSettings extends Pick<DefinitionKind, 'name' | 'complete' | 'announce'> {
  read: (tx: Queryable, tenant: Tenant) => Promise<Definition>;
  write: (tx: Queryable, tenant: Tenant, settings: Definition) => Promise<unknown>;
}

/**
 * Makes a kind of settings that can keep players out of a game. Their keys are the environments. As by the
 * routes, only admins change those of production.
 */
export function createEnvironmentSettings(settings: EnvironmentSettings): DefinitionKind {
  const { read, write, ...rest } = settings;
  const store: DefinitionKind['create'] = async ({ tx, game_id }, key, definition) => {
    await write(tx, { game_id, environment: key as Environment }, definition);
  };
  return {
    ...rest,
    async list(tx, game_id) {
      const listed = new Map<string, Definition>();
      for (const environment of ENVIRONMENTS) {
        listed.set(environment, await read(tx, { game_id, environment }));
      }
      return listed;
    },
    // Both environments always have their settings.
    requireRoom: () => Promise.resolve(),
    create: store,
    update: store,
    roleFor: ({ key }) => (key === 'production' ? 'admin' : 'developer'),
  };
}
