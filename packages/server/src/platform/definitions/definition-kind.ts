import type { Environment } from '@overworld/contract/common';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import type { Role } from '@overworld/contract/operation';
import type { Actor } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { EndangeredThing, UsedThing } from '../definition-uses.ts';
import type { ApiError } from '../errors.ts';
import type { Pause } from '../pauses.ts';
import type { ReadInTurn } from '../queue/dashboard-turns.ts';
import type { OwnerPath } from '../queue/fair-queue.ts';
import type { EffectQuestion, FoundEffect } from './effects.ts';

/** A definition in its one full form: with all defaults, and with numbers as `parseExactly` reads them. */
export type Definition = Record<string, unknown>;

/** The definitions of a kind by their keys. */
export type DefinitionsByKey = ReadonlyMap<string, Definition>;

/** The transaction of a change. It holds the lock of the game. */
export interface DefinitionChange {
  tx: Queryable;
  game_id: string;
  actor: Actor;
  /** True to change segments although others use them. */
  replace_used: boolean;
  /** Adds work that is done after the commit. */
  afterCommit: (work: (database: Database) => Promise<void>) => void;
}

/** A change of one definition. */
export interface OneChange {
  key: string;
  /** Null if the definition is made. */
  before: Definition | null;
  /** Null if the definition is deleted. */
  after: Definition | null;
}

/** A definition that a change has replaced or deleted. */
export interface ReplacedDefinition extends OneChange {
  before: Definition;
}

/** Stores a definition. @returns its versions, if its kind keeps them. */
type StoreDefinition = (
  change: DefinitionChange,
  key: string,
  definition: Definition,
) => Promise<Versions | void>;

/** The versions of a definition before and after a change, of a kind whose versions are kept. */
export interface Versions {
  before: number;
  after: number;
}

/** Lists the ids of things by their keys, for definitions of other kinds that refer to them. */
export type ListIds = (tx: Queryable, game_id: string) => Promise<ReadonlyMap<string, string>>;

/**
 * States how definitions of a kind are read and changed. A feature states each of its kinds once. Its functions
 * check the same rules as the feature's routes, and throw the same errors; they write nothing to the audit log.
 * A change first deletes, then makes and updates definitions of all kinds, and then checks their uses.
 */
export interface DefinitionKind {
  name: DefinitionKindName;
  /** Lists the definitions of a game. Pauses while it parses many texts. */
  list: (tx: Queryable, game_id: string, pause: Pause) => Promise<DefinitionsByKey>;
  /** Left out for things to which no other definition refers by their ids. */
  listIds?: ListIds;
  /**
   * Turns a definition that matches the schema into its full form.
   * @param exact The same definition as `parseExactly` reads it, and without defaults.
   * @throws ApiError 400 for a mistake that a schema cannot express.
   */
  complete: (definition: Definition, exact: Definition, key: string) => Definition;
  /**
   * Completes all wanted definitions by those that the game has, where a definition depends on others. By
   * default they stay as they are.
   */
  settle?: (wanted: DefinitionsByKey, present: DefinitionsByKey) => DefinitionsByKey;
  /**
   * Finds a mistake that several definitions make together, such as a circle.
   * @param after All definitions of the kind after the changes.
   * @param changed The keys of those that are made or changed; others may have such mistakes already.
   * @returns the key of one of these, and the mistake in words.
   */
  findMistake?: (
    after: DefinitionsByKey,
    changed: ReadonlySet<string>,
    pause: Pause,
  ) => Promise<{ key: string; error: string } | null>;
  /**
   * The members of which only admins see all, each with a function that hides a part. Others, and the audit
   * log, see the rest.
   */
  concealed?: Readonly<Record<string, (value: unknown) => unknown>>;
  /**
   * Tells whether a definition of `list` stays when no file has it, such as because it counts as deleted already.
   * By default none does.
   */
  isGone?: (definition: Definition) => boolean;
  /**
   * Checks once, before definitions are made, that the game may have `added` more. The caller has made sure
   * that their keys are free.
   * @throws ApiError 403 or 409 when it may not.
   */
  requireRoom: (change: DefinitionChange, added: number) => Promise<void>;
  /**
   * Does the part of a change that may take long, before the transaction of the apply. It must be right even if
   * the apply is then refused.
   */
  prepare?: (database: Database, game_id: string, replaced: ReplacedDefinition) => Promise<void>;
  create: StoreDefinition;
  update: StoreDefinition;
  /** Left out for definitions that always exist: those that no file has stay as they are. */
  delete?: (change: DefinitionChange, key: string) => Promise<void>;
  /** Returns the role that a member needs for a change; by default `developer`. */
  roleFor?: (change: OneChange) => Role;
  /**
   * Names the thing to which no other definition may refer after all changes, because it is gone or means
   * something else. By default there is none.
   */
  listEndangered?: (
    change: DefinitionChange,
    replaced: ReplacedDefinition,
  ) => EndangeredThing | null;
  /**
   * Finds a definition that names something of another kind which the plan deletes. It runs once after all
   * changes of a plan that deletes something, because `create` and `update` see only definitions that change.
   * @param wanted The definitions of this kind after the changes, without those that no file has.
   */
  findBroken?: (
    change: DefinitionChange,
    wanted: DefinitionsByKey,
  ) => Promise<{ key: string; error: ApiError } | null>;
  /**
   * Names the thing whose uses a plan lists: other definitions that a change or a deletion of this one concerns.
   * By default there is none.
   */
  findUsedThing?: (key: string, before: Definition) => UsedThing | null;
  /** Asks what a change does to players, events or submits. By default nothing. */
  askEffects?: AskEffects;
  /** Asks what a definition would have done, if it is tried; by default what `askEffects` asks. */
  askTrial?: AskEffects;
  /** In place of `askTrial`, for a kind that waits for other turns than those of reads. */
  askTrialInTurns?: AskTrialInTurns;
  /**
   * True if the changes lock rows of players. They are made last, so that players wait as briefly as possible.
   */
  locks_players?: boolean;
  /** The most definitions that one apply may change or delete; by default only the whole is limited. */
  max_replaced?: number;
  /** Runs once after all changes of the kind, such as to store the order. */
  finish?: (change: DefinitionChange, wanted: DefinitionsByKey) => Promise<void>;
  /**
   * Tells all servers at the commit that definitions have changed.
   * @returns a function that must be called after the commit.
   */
  announce?: (tx: Queryable, game_id: string) => Promise<() => void>;
}

/** A definition that a plan would make, change or delete. */
export interface PlannedChange {
  key: string;
  /** Null if it is made. */
  before: Definition | null;
  /** Null if it is deleted. */
  after: Definition | null;
}

/** A game with a plan, as a kind of definitions sees it that asks about effects. */
export interface PlannedGame {
  database: Database;
  game_id: string;
  /** The definitions of the kind that the game has. */
  before: DefinitionsByKey;
  /** Those that it would have. */
  after: DefinitionsByKey;
  /** The time from which players, events and submits count, as the API writes times. */
  since: string;
  /**
   * The environment in which one definition is tried; null for a plan, which is about both. The effects of a trial
   * have players and examples.
   */
  tried_in: Environment | null;
}

/** The caller of a trial. */
export interface TrialCall {
  database: Database;
  read: ReadInTurn;
  owner: OwnerPath;
  signal: AbortSignal;
}

/** Asks what a definition would have done, without holding a turn of reads for longer than it reads. */
export type AskTrialInTurns = (
  game: Pick<PlannedGame, 'database' | 'game_id'> & { tried_in: Environment },
  tried: { key: string; after: Definition },
  call: TrialCall,
) => Promise<FoundEffect[]>;

/**
 * Asks what a change does. Effects that need no counting are returned as they are; the thread of reports counts
 * the others.
 */
export type AskEffects = (
  game: PlannedGame,
  change: PlannedChange,
) => Promise<(EffectQuestion | FoundEffect)[]>;

/** Makes the register into which features enter their kinds of definitions. */
export function createDefinitionKinds() {
  const kinds = new Map<DefinitionKindName, DefinitionKind>();
  const effects = new Map<DefinitionKindName, AskEffects>();
  return {
    add: (kind: DefinitionKind) => void kinds.set(kind.name, kind),
    get: (name: DefinitionKindName): DefinitionKind => kinds.get(name)!,
    /** Enters the effects of a kind of another feature. */
    addEffects: (name: DefinitionKindName, ask: AskEffects) => void effects.set(name, ask),
    /** Finds the function that asks about effects; undefined for a kind whose changes have none. */
    findEffects: (name: DefinitionKindName): AskEffects | undefined =>
      effects.get(name) ?? kinds.get(name)!.askEffects,
  };
}

export type DefinitionKinds = ReturnType<typeof createDefinitionKinds>;
