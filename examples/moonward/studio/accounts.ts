import { randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { readKept, writeKept } from '../setup/kept-file.ts';

const MAX_ACCOUNTS = 1_000;
const MAX_WRONG_PINS = 5;
const WRONG_PINS_MS = 60_000;
const HASH_BYTES = 32;

const hash = promisify<string, string, number, Buffer>(scrypt);

interface Account {
  id: string;
  name: string;
  salt: string;
  pin_hash: string;
}

/** The error for a name and PIN that cannot be used. Its message is for the player. */
export class AccountError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The accounts of Moonward's players at its studio, in a file. The accounts know nothing about Overworld.
 */
export class Accounts {
  readonly #path: string;
  readonly #accounts: Account[];
  readonly #wrong_pins = new Map<Account, { count: number; until_ms: number }>();
  /** Resolves when all calls so far have ended, because each call waits for the previous one. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(path: string, accounts: Account[]) {
    this.#path = path;
    this.#accounts = accounts;
  }

  static async open(path: string): Promise<Accounts> {
    return new Accounts(path, (await readKept<Account[]>(path)) ?? []);
  }

  /**
   * Makes an account.
   * @returns its id.
   * @throws AccountError 409 if somebody has the name, 403 if there are a thousand accounts.
   */
  signUp(name: string, pin: string): Promise<string> {
    return this.#inTurn(async () => {
      if (this.#find(name)) {
        throw new AccountError(409, 'Somebody has this account name already. Choose another one.');
      }
      if (this.#accounts.length >= MAX_ACCOUNTS) {
        throw new AccountError(403, 'There is no room for another account.');
      }
      const salt = randomBytes(16).toString('hex');
      const pin_hash = (await hash(pin, salt, HASH_BYTES)).toString('hex');
      const account = { id: randomUUID(), name, salt, pin_hash };
      await writeKept(this.#path, [...this.#accounts, account]);
      this.#accounts.push(account);
      return account.id;
    });
  }

  /**
   * Returns the id of the account with this name and PIN.
   * @throws AccountError 401 for a wrong name or PIN, 429 after five wrong PINs in a minute.
   */
  signIn(name: string, pin: string): Promise<string> {
    return this.#inTurn(async () => {
      const account = this.#find(name);
      if (account && (await this.#isPin(account, pin))) return account.id;
      throw new AccountError(401, 'No account has this name and PIN.');
    });
  }

  async #isPin(account: Account, pin: string): Promise<boolean> {
    const wrong = this.#wrong_pins.get(account);
    const count = wrong && Date.now() < wrong.until_ms ? wrong.count : 0;
    if (count >= MAX_WRONG_PINS) {
      throw new AccountError(429, 'Too many wrong PINs. Wait a minute.');
    }
    const found = await hash(pin, account.salt, HASH_BYTES);
    if (timingSafeEqual(found, Buffer.from(account.pin_hash, 'hex'))) {
      this.#wrong_pins.delete(account);
      return true;
    }
    this.#wrong_pins.set(account, { count: count + 1, until_ms: Date.now() + WRONG_PINS_MS });
    return false;
  }

  #find(name: string): Account | undefined {
    return this.#accounts.find((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }
}
