import type { OverworldError, Overworld } from '@overworld/sdk';
import { localStore } from '../local-store.ts';
import type { Connection } from './connection.ts';
import { startAnew } from './devices.ts';

/** The game's login provider: the studio's own server signs its tokens. */
const PROVIDER = 'custom';
const KEPT = 'account';

/** Name and PIN as the player typed them, for an existing account or for a new one. */
export interface AccountEntry {
  name: string;
  pin: string;
  isNew: boolean;
}

/**
 * `linked`: this device logs in with its own secret, and the player can log in with the account too.
 * `signed_in`: this device logs in only with the account.
 */
export interface AccountState {
  kind: 'none' | 'linked' | 'signed_in';
  /** Empty on a device where nobody has typed the account's name. */
  name: string;
}

/** A sentence for the player about a failure. */
interface Problem {
  problem: string;
}

/** `other_player`: the account already belongs to another player. Its value is the server's error message. */
export type SignInOutcome = 'linked' | { other_player: string } | Problem;

const UNREACHED: Problem = { problem: 'The server cannot be reached now.' };

/** The player's account at the studio that made the game. A player can log in with it. */
export class StudioAccount {
  readonly #overworld: Overworld;
  readonly #connection: Connection;

  constructor(overworld: Overworld, connection: Connection) {
    this.#overworld = overworld;
    this.#connection = connection;
  }

  get state(): AccountState {
    const { account, playerId } = this.#overworld;
    const kept = localStore.read(KEPT) as (AccountState & { player_id: string }) | null;
    const isOurs = kept?.player_id === playerId;
    const name = isOurs ? kept.name : '';
    if (isOurs && kept.kind === 'signed_in') return { kind: 'signed_in', name };
    if (account.providers.includes(PROVIDER)) return { kind: 'linked', name };
    return { kind: 'none', name: '' };
  }

  /** Links the account to the present player. */
  async signIn(entry: AccountEntry): Promise<SignInOutcome> {
    const signed = await askForToken(entry);
    if ('problem' in signed) return signed;
    let outcome: SignInOutcome = UNREACHED;
    const providers = await this.#connection.ask(
      () => this.#overworld.account.link(PROVIDER, signed),
      (error) => {
        const isOther = error.code === 'conflict';
        outcome = isOther ? { other_player: error.message } : describe(error);
      },
    );
    if (providers === null) return outcome;
    this.#keep('linked', entry.name);
    return 'linked';
  }

  /**
   * Restarts the game as the player of the account.
   * @returns the reason if that failed.
   */
  async playAs(entry: AccountEntry): Promise<Problem> {
    const signed = await askForToken({ ...entry, isNew: false });
    if ('problem' in signed) return signed;
    let outcome: Problem = UNREACHED;
    const login = await this.#connection.ask(
      () => this.#overworld.account.loginWith(PROVIDER, signed),
      (error) => (outcome = describe(error)),
    );
    if (login === null) return outcome;
    this.#keep('signed_in', entry.name);
    return startAnew(this.#overworld, this.#connection);
  }

  /** Unlinks the account from the present player. @returns the reason if that failed. */
  async unlink(): Promise<Problem | null> {
    let outcome: Problem = UNREACHED;
    const providers = await this.#connection.ask(
      () => this.#overworld.account.unlink(PROVIDER),
      (error) => (outcome = describe(error)),
    );
    if (providers === null) return outcome;
    this.#keep('none');
    return null;
  }

  /** Restarts the game as the player of this device. @returns the reason if that failed. */
  async signOut(): Promise<Problem> {
    if (!this.#connection.isOnline) return UNREACHED;
    await this.#connection.ask(() => this.#overworld.account.logout());
    this.#keep('none');
    return startAnew(this.#overworld, this.#connection);
  }

  #keep(kind: AccountState['kind'], name = ''): void {
    localStore.write(KEPT, { kind, name, player_id: this.#overworld.playerId });
  }
}

/** Asks the studio's server for a token. Overworld identifies the player by this token. */
async function askForToken({
  name,
  pin,
  isNew,
}: AccountEntry): Promise<{ token: string } | Problem> {
  const response = await fetch(`./accounts/${isNew ? 'sign-up' : 'sign-in'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, pin }),
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as {
    token?: string;
    error?: string;
  } | null;
  if (!answer) return UNREACHED;
  const { token, error = UNREACHED.problem } = answer;
  return token === undefined ? { problem: error } : { token };
}

function describe({ code }: OverworldError): Problem {
  if (code === 'not_found') return { problem: 'This game takes no Moonward accounts now.' };
  if (code === 'conflict') return { problem: 'The account is the only login of this moth.' };
  return { problem: 'The server has refused. Try again in a minute.' };
}
